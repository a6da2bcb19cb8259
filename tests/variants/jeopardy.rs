//! Pig and its kin: published values, and small games held against a plain iteration of their textbook equations.

use hog::game::Game;
use hog::rules::{Overrides, load, rules_from_text};
use hog::solve::{Arithmetic, Watch, equilibrium, evaluate};
use hog::strategy::Strategy;

/// What a roll adds to the pot, by weight; `None` ends the turn with nothing.
type Rolls = Vec<(Option<usize>, f64)>;

/// Sums of two dice as a rule makes pots of them.
fn two_dice(adds: impl Fn(usize, usize) -> Option<usize>) -> Rolls {
    (1..=6).flat_map(|a| (1..=6).map(move |b| (a, b))).map(|(a, b)| (adds(a, b), 1.0)).collect()
}

/// The throws of two pigs, of which each lies, stands or leans as often as Kern's black pig.
fn pigs() -> Rolls {
    let poses = [(0, 2063.0), (0, 1796.0), (5, 1354.0), (5, 551.0), (10, 184.0), (15, 29.0)];
    let throw = |a: usize, b: usize| {
        let ((x, weight), (y, others)) = (poses[a], poses[b]);
        let adds = match (a == b, x + y) {
            (true, 0) => Some(1),
            (false, 0) => None,
            (alike, sum) => Some(if alike { 2 * sum } else { sum }),
        };
        (adds, weight * others)
    };
    (0..6).flat_map(|a| (0..6).map(move |b| throw(a, b))).collect()
}

/// The first player's win rate, from P(i, j, k) = max(1 - P(j, i + k, 0), mean of what a roll leads to), iterated.
fn first(goal: usize, rolls: &Rolls) -> f64 {
    let total: f64 = rolls.iter().map(|(_, weight)| weight).sum();
    let place = |i: usize, j: usize, k: usize| (i * goal + j) * goal + k;
    let mut values = vec![0.5; goal * goal * goal];
    loop {
        let mut change = 0.0f64;
        for (i, j) in (0..goal * goal).rev().map(|cell| (cell / goal, cell % goal)) {
            for k in (0..goal - i).rev() {
                let rolled = |adds: Option<usize>| match adds {
                    None => 1.0 - values[place(j, i, 0)],
                    Some(more) if i + k + more >= goal => 1.0,
                    Some(more) => values[place(i, j, k + more)],
                };
                let roll = rolls.iter().map(|(adds, weight)| weight * rolled(*adds)).sum::<f64>() / total;
                let value = roll.max(1.0 - values[place(j, i + k, 0)]);
                change = change.max((value - values[place(i, j, k)]).abs());
                values[place(i, j, k)] = value;
            }
        }
        if change < 1e-15 {
            return values[0];
        }
    }
}

#[test]
fn small_games_have_the_values_of_their_textbook_equations() {
    let any_one = |a: usize, b: usize| (a != 1 && b != 1).then_some(a + b);
    let big = |a: usize, b: usize| match (a, b) {
        (1, 1) => Some(25),
        (1, _) | (_, 1) => None,
        _ => Some(if a == b { 2 * (a + b) } else { a + b }),
    };
    let games = [
        ("pig", 15, (1..=6).map(|face| ((face > 1).then_some(face), 1.0)).collect()),
        ("piglet", 10, vec![(None, 1.0), (Some(1), 1.0)]),
        ("two_dice_pig_mild", 15, two_dice(any_one)),
        ("big_pig", 15, two_dice(big)),
        ("pass_the_pigs", 15, pigs()),
    ];
    for (id, goal, rolls) in games {
        let game = super::game(id, goal as u32, None);
        let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
        let (found, wanted) = (solution.first(), first(goal, &rolls));
        assert!((found - wanted).abs() <= solution.error_bound + 1e-12, "{id}: {found}, not {wanted}");
    }
}

fn at_its_goal(id: &str) -> Game {
    Game::new(load(id, Overrides::default()).unwrap()).unwrap_or_else(|e| panic!("{e}"))
}

/// The win rate moving first, and on average of first and second.
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
#[ignore = "waits for the solver of large loops of chance"]
fn the_published_figures_of_pig() {
    let game = at_its_goal("pig");
    let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    assert_eq!(rounded(solution.first(), 4), 0.5306);
    assert_eq!(rounded(rate(&game, ["hold_at:20", "hold_at:20"])[0], 4), 0.5347);
    // 0.922 per cent short of optimal play: "Practical Play of the Dice Game Pig" (2010).
    assert_eq!(rounded(0.5 - rate(&game, ["end_race_or_keep_pace", "optimal"])[1], 5), 0.00922);
}

/// Zhu and Ma, Stats 5 (2022).
#[test]
#[ignore = "waits for the solver of large loops of chance"]
fn the_published_figures_of_two_dice() {
    let texts = [
        (include_str!("games/two_dice_pig.toml"), "hold_at:23", 0.4747),
        (include_str!("games/double_trouble.toml"), "hold_at:18", 0.4733),
    ];
    for (text, strategy, average) in texts {
        let rules = rules_from_text(text, "two dice", Overrides::default()).unwrap_or_else(|e| panic!("{e}"));
        let game = Game::new(rules).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(rounded(rate(&game, [strategy, "optimal"])[1], 4), average, "{strategy}");
    }
}
