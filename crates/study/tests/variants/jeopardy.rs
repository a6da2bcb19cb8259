//! Pig and its variants: published values, and small games against plain iteration of their
//! textbook equations.

use hog_rules::rules::{Overrides, load};
use hog_solve::game::Game;
use hog_solve::solve::{Arithmetic, Watch, equilibrium, evaluate};
use hog_study::analysis::{Description, Skill, describe, game_lengths};
use hog_study::strategy::Strategy;

/// The effects of rolls, with their weights.
type Rolls = Vec<(Roll, f64)>;

#[derive(Clone, Copy)]
enum Roll {
    Adds(usize),
    /// Adds to the pot, and the player must roll again.
    AddsAndRollsAgain(usize),
    LosesPot,
    LosesScore,
}
use Roll::{Adds, AddsAndRollsAgain, LosesPot, LosesScore};

fn two_dice(does: impl Fn(usize, usize) -> Roll) -> Rolls {
    (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))).map(|(a, b)| (does(a, b), 1.0)).collect()
}

/// Returns the throws of two pigs, with the frequencies of the positions of Kern's black pig.
fn pigs() -> Rolls {
    let poses = [(0, 2063.0), (0, 1796.0), (5, 1354.0), (5, 551.0), (10, 184.0), (15, 29.0)];
    let throw = |a: usize, b: usize| {
        let ((x, weight), (y, others)) = (poses[a], poses[b]);
        let does = match (a == b, x + y) {
            (true, 0) => Adds(1),
            (false, 0) => LosesPot,
            (alike, sum) => Adds(if alike { 2 * sum } else { sum }),
        };
        (does, weight * others)
    };
    (0..6).flat_map(|a| (0..6).map(move |b| throw(a, b))).collect()
}

/// Returns the first player's win rate by iterating P(i, j, k) = max(1 - P(j, i + k, 0), mean over
/// the rolls); a player who must roll has the mean alone.
fn first(goal: usize, rolls: &Rolls) -> f64 {
    let total: f64 = rolls.iter().map(|(_, weight)| weight).sum();
    let place = |i: usize, j: usize, k: usize, must: bool| {
        ((i * goal + j) * (goal + 1) + k) * 2 + usize::from(must)
    };
    let mut values = vec![0.5; place(goal, 0, 0, false)];
    loop {
        let mut change = 0.0f64;
        for (i, j) in (0..goal * goal).rev().map(|cell| (cell / goal, cell % goal)) {
            for k in (0..=goal).rev() {
                let rolled = |roll: Roll| match roll {
                    LosesPot => 1.0 - values[place(j, i, 0, false)],
                    LosesScore => 1.0 - values[place(j, 0, 0, false)],
                    Adds(more) if i + k + more >= goal => 1.0,
                    Adds(more) => values[place(i, j, k + more, false)],
                    AddsAndRollsAgain(more) => values[place(i, j, goal.min(k + more), true)],
                };
                let must =
                    rolls.iter().map(|(roll, weight)| weight * rolled(*roll)).sum::<f64>() / total;
                let held =
                    if i + k >= goal { 1.0 } else { 1.0 - values[place(j, i + k, 0, false)] };
                for (place, value) in
                    [(place(i, j, k, true), must), (place(i, j, k, false), must.max(held))]
                {
                    change = change.max((value - values[place]).abs());
                    values[place] = value;
                }
            }
        }
        if change < 1e-13 {
            return values[0];
        }
    }
}

#[test]
fn small_games_of_pig_have_the_values_of_their_textbook_equations() {
    let mild = |a: usize, b: usize| if a == 1 || b == 1 { LosesPot } else { Adds(a + b) };
    let snake_eyes = move |a: usize, b: usize| if a + b == 2 { LosesScore } else { mild(a, b) };
    let doubles = move |a: usize, b: usize| {
        if a == b && a > 1 { AddsAndRollsAgain(a + b) } else { snake_eyes(a, b) }
    };
    let big = |a: usize, b: usize| match (a, b) {
        (1, 1) => Adds(25),
        (1, _) | (_, 1) => LosesPot,
        _ => Adds(if a == b { 2 * (a + b) } else { a + b }),
    };
    let games = [
        (
            "pig",
            15,
            (1..=6).map(|face| (if face > 1 { Adds(face) } else { LosesPot }, 1.0)).collect(),
        ),
        ("piglet", 10, vec![(LosesPot, 1.0), (Adds(1), 1.0)]),
        ("two_dice_pig_mild", 15, two_dice(mild)),
        ("two_dice_pig", 15, two_dice(snake_eyes)),
        ("double_trouble", 15, two_dice(doubles)),
        ("big_pig", 15, two_dice(big)),
        ("pass_the_pigs", 15, pigs()),
    ];
    for (id, goal, rolls) in games {
        let game = super::game(id, goal as u32, None);
        let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
        let (found, wanted) = (solution.first(), first(goal, &rolls));
        assert!(
            (found - wanted).abs() <= solution.error_bound + 1e-11,
            "{id}: {found}, not {wanted}"
        );
    }
}

fn at_its_goal(id: &str) -> Game {
    Game::new(load(id, Overrides::default()).unwrap()).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns the win rate when moving first, and the average of moving first and second.
fn rate(game: &Game, strategies: [&str; 2]) -> [f64; 2] {
    let plan = |name: &str| name.parse::<Strategy>().unwrap().plan(game, &Watch::silent()).unwrap();
    let plans = strategies.map(plan);
    let rate = evaluate(game, [&plans[0], &plans[1]], Arithmetic::Float, &Watch::silent()).unwrap();
    [rate.first(), rate.average()]
}

fn rounded(value: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    (value * scale).round() / scale
}

/// Neller and Presser, "Optimal Play of the Dice Game Pig" (2004), and the pages of their course.
#[test]
fn the_published_win_rates_of_pig_are_reproduced() {
    let game = at_its_goal("pig");
    let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    assert_eq!(rounded(solution.first(), 4), 0.5306);
    assert_eq!(rounded(rate(&game, ["hold_at:20", "hold_at:20"])[0], 4), 0.5347);
    // "Practical Play of the Dice Game Pig" (2010): optimal play wins 0.922 per cent more of the
    // games than it loses.
    let average = rate(&game, ["end_race_or_keep_pace", "optimal"])[1];
    assert_eq!(rounded((1.0 - average) - average, 5), 0.00922);
    // A game takes 19.25 turns, of which each is several rolls: an independent program carries all
    // chances forward.
    let plan = solution.plan();
    let lengths = game_lengths(&game, [&plan, &plan], &Watch::silent()).unwrap();
    let mean: f64 =
        lengths.iter().enumerate().map(|(place, chance)| (place + 1) as f64 * chance).sum();
    assert!((mean - 19.251_273_523_645).abs() < 1e-6, "{mean}");
}

/// Describes a game to a goal as two players play it best.
fn described(id: &str, goal: u32) -> Description {
    let game = super::game(id, goal, None);
    let best = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap().plan();
    describe(&game, [&best, &best], &Watch::silent()).unwrap()
}

/// Returns the name and the average win rate of a level of skill against optimal play; it is
/// computed, not simulated.
fn level<'d>(found: &'d Description, level: &str) -> (&'d str, f64) {
    let Skill { strategy, against_optimal, interval, .. } =
        found.skill.iter().find(|of| of.level == level).unwrap_or_else(|| panic!("no {level}"));
    assert_eq!(*interval, None, "{level} is simulated");
    (strategy, against_optimal.average)
}

fn assert_near(found: f64, wanted: f64) {
    assert!((found - wanted).abs() < 1e-9, "{found}, not {wanted}");
}

/// Piglet to 2, by hand. In best play nobody holds, so that each turn wins with probability 1/4 and
/// takes 3/2 flips: a game takes 4 turns and 6 flips, and the winner takes the lead once, from 0-0.
///
/// The most expected points hold at 1, since a flip for 2 is worth as much. From 1 that player wins
/// at once with probability 1/2, and else if the other's turn fails (3/4): x = 1/2 + 3/8 x = 4/5.
/// From 0 it first needs such a turn: y = 3/8 x + 3/8 y = 12/25, and moving second 3/4 y = 9/25.
#[test]
fn a_description_of_piglet_agrees_with_pencil_and_paper() {
    let found = described("piglet", 2);
    assert_near(found.turns.mean, 4.0);
    assert_near(found.rolls.unwrap().mean, 6.0);
    assert_near(found.lead_changes.mean, 1.0);
    found
        .lengths
        .iter()
        .take(40)
        .zip(0..)
        .for_each(|(chance, before)| assert_near(*chance, 0.75f64.powi(before) / 4.0));
    // Before a turn, the other player has 3/7: every win but that in the first turn is a comeback
    // from 1/2.
    let comebacks: Vec<f64> = found.comebacks.iter().map(|comeback| comeback.share).collect();
    assert_near(comebacks[0], 0.75);
    assert!(comebacks[1..].iter().all(|share| *share == 0.0), "{comebacks:?}");
    // The rule acts in each turn, however many flips it has.
    let (acts, [low, high]) = (found.rule_uses[0].per_game, found.rule_uses[0].interval.unwrap());
    assert!(low < 4.0 && 4.0 < high, "{acts}");
    assert_eq!(level(&found, "greedy").0, "most expected points");
    assert_near(level(&found, "greedy").1, (12.0 / 25.0 + 9.0 / 25.0) / 2.0);
    assert_eq!(level(&found, "threshold").0, "hold_at:2");
    assert_near(level(&found, "threshold").1, 0.5);
    assert_near(level(&found, "pace").1, 0.5);
    // As an independent program has it.
    assert_near(level(&found, "random").1, 0.26);
}

/// The figures are those of a program of its own, which iterates the textbook equations and carries
/// the chances of whole turns forward.
#[test]
fn descriptions_of_games_with_a_pot_agree_with_another_program() {
    let piglet = described("piglet", 3);
    assert_near(piglet.turns.mean, 82.0 / 11.0);
    assert_near(piglet.rolls.unwrap().mean, 120.0 / 11.0);
    assert_near(piglet.lead_changes.mean, 15.0 / 11.0);
    assert_near(level(&piglet, "random").1, 0.231_331_026_621_7);
    assert_near(level(&piglet, "greedy").1, 0.446_469_135_802_5);
    assert_eq!(level(&piglet, "threshold").0, "hold_at:2");
    assert_near(level(&piglet, "threshold").1, 71.0 / 150.0);
    assert_near(level(&piglet, "pace").1, 0.469_696_969_697);
    let pig = described("pig", 30);
    assert_near(pig.turns.mean, 4.181_085_776_947_7);
    assert_near(pig.rolls.unwrap().mean, 19.086_514_661_685_9);
    assert_near(pig.lengths[2], 0.138_446_993);
    assert_near(level(&pig, "random").1, 0.077_878_023_733_8);
    // The most expected points hold at 20 (or at the goal).
    assert_near(level(&pig, "greedy").1, 0.421_317_708_341_3);
    assert_eq!(level(&pig, "threshold").0, "hold_at:30");
    assert_near(level(&pig, "pace").1, 0.418_705_826_976_6);
}

/// A thorough check of the ladder: each threshold is rated by the solver.
#[test]
fn the_best_hold_at_is_the_best_of_all() {
    for (id, goal) in [("pig", 32), ("two_dice_pig", 18), ("double_trouble", 15)] {
        let game = super::game(id, goal, None);
        let best = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap().plan();
        let found = describe(&game, [&best, &best], &Watch::silent()).unwrap();
        let rated = |name: &str| {
            let plan = name.parse::<Strategy>().unwrap().plan(&game, &Watch::silent()).unwrap();
            evaluate(&game, [&plan, &best], Arithmetic::Float, &Watch::silent()).unwrap().average()
        };
        let top = (1..=goal).map(|points| rated(&format!("hold_at:{points}"))).fold(0.0, f64::max);
        assert_near(level(&found, "threshold").1, top);
        assert_near(level(&found, "pace").1, rated("end_race_or_keep_pace"));
    }
}

/// Zhu and Ma, Stats 5 (2022).
#[test]
fn the_published_win_rate_of_two_dice_pig_is_reproduced() {
    assert_eq!(
        rounded(rate(&at_its_goal("two_dice_pig"), ["hold_at:23", "optimal"])[1], 4),
        0.4747
    );
}

/// Zhu and Ma print 0.4733; these rules give 0.473181, as does an independent value iteration.
/// Other readings of the rules are further off: a double that reaches the goal wins immediately
/// (0.4712), as does any roll after a double (0.4728), a double is followed by only one more roll
/// (0.4717), doubles count twice (0.4722), a double 1 loses only the turn (0.4697), a 1 after a
/// double loses the score (0.4727), a player who holds at 18 need not roll again (0.4869).
#[test]
fn the_win_rate_of_double_trouble_is_near_the_published_one() {
    assert_eq!(
        rounded(rate(&at_its_goal("double_trouble"), ["hold_at:18", "optimal"])[1], 4),
        0.4732
    );
}
