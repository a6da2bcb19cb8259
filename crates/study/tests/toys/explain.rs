//! The losses of plans in games in which a turn may leave the sum of scores unchanged: random
//! cycles, slow cycles, random games.

use hog_solve::game::{Game, Plan};
use hog_solve::solve::{Arithmetic, Solution, Watch, best_response, evaluate, reach};
use hog_study::analysis::{Explanation, Mistake, explain};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::generator::random_game;
use super::toy::game;

/// The tolerance for sums of losses, which differ from their total only by rounding.
const CLOSE: f64 = 1e-12;

fn always(game: &Game, dice: i32) -> Plan {
    let action = game.space().action(dice).expect("an action of the game") as u8;
    Plan::of_scores(game.states(), vec![action; game.space().goal.pow(2)])
}

fn rated(game: &Game, plans: [&Plan; 2]) -> Solution {
    evaluate(game, plans, Arithmetic::Float, &Watch::silent()).expect("small enough")
}

/// Returns the explanation, and asserts that its losses sum to the gap to the best response.
fn explained(game: &Game, plans: [&Plan; 2], close: f64) -> Explanation {
    let explanation = explain(game, plans, &Watch::silent()).expect("small enough");
    for seat in 0..3 {
        let gap = explanation.best[seat] - explanation.rate[seat];
        assert!(
            (explanation.loss[seat] - gap).abs() <= close,
            "{} of {gap}",
            explanation.loss[seat]
        );
    }
    explanation
}

/// Asserts that the ends that are reached agree with the win rates, and that transitions to an end
/// and endless play have a total probability of 1.
fn reached(game: &Game, plans: [&Plan; 2], text: &str) {
    let rate = rated(game, plans);
    for (start, expected) in [([1.0, 0.0], rate.first()), ([0.0, 1.0], rate.second())] {
        let reach =
            reach(game, plans, start, &|_, _| false, &Watch::silent()).expect("small enough");
        let endless: f64 = reach.endless.iter().map(|(.., chance)| chance).sum();
        let found = reach.won + (reach.tied + endless) / 2.0;
        assert!((found - expected).abs() < CLOSE, "{found}, not {expected}\n{text}");
        let ends = |side: usize, state: usize| {
            let action = plans[side].action(state);
            let turns = game.weighted_successors(state, action);
            let ending: f64 =
                turns.filter(|(_, to)| to.state().is_none()).map(|(weight, _)| weight as f64).sum();
            reach.visits[side][state] * ending / game.distribution(state, action).total as f64
        };
        let states = 0..game.space().states();
        let ended: f64 = states.map(|state| ends(0, state) + ends(1, state)).sum();
        assert!((ended + endless - 1.0).abs() < CLOSE, "{ended} and {endless}\n{text}");
    }
}

/// One die leaves the scores unchanged and tosses a coin, so play alternates between the two sides
/// of the coin for ever.
#[test]
fn a_random_cycle_that_is_never_left_is_explained() {
    let coin = game(
        r#"
        goal = 6
        max_dice = 2
        [[memory]]
        name = "coin"
        of = "game"
        max = 1
        next = "rolled % 2"
        [[rule]]
        name = "Toss"
        zero_dice = "1"
        points = "dice == 1 ? 0 : points"
        [[rule]]
        name = "Heads"
        points = "coin == 1 && dice == 2 ? points + 1 : points"
        "#,
    );
    let one = always(&coin, 1);
    let explanation = explained(&coin, [&one, &one], CLOSE);
    assert_eq!(explanation.rate, [0.5; 3], "a game that never ends counts half");
    // Whoever moves first, the loop is one mistake of the plan: the best response wins for certain.
    let [row] = &explanation.reached[..] else { panic!("{:?}", explanation.reached) };
    assert_eq!((row.position.score, row.position.opponent, row.dice), (0, 0, 1));
    assert_eq!((row.met, row.loss_each, row.loss), ([1.0; 2], 0.5, [0.5; 2]));
    assert_eq!(row.mistake, Some(Mistake::NeverEnds));
    let reach = reach(&coin, [&one, &one], [1.0, 0.0], &|_, _| false, &Watch::silent())
        .expect("a small game");
    assert_eq!(reach.endless, [(0, coin.start(), 1.0)], "the start is in the cycle");
    assert!(
        explained(&coin, [&always(&coin, 0), &one], CLOSE).rate[2] > 0.5,
        "the player who scores wins"
    );
}

/// Without dice, both scores rise and fall for ever: each sweep of the visits returns as many as it
/// was given.
#[test]
fn play_that_returns_to_lower_sums_for_ever_is_explained() {
    let down = game(
        r#"
        goal = 11
        max_dice = 1
        [[rule]]
        name = "Zero"
        zero_dice = "1 + opponent % 10"
        [[rule]]
        name = "Cap"
        score = "score > goal ? score_before : score"
        [[rule]]
        name = "Down"
        score = "points > 3 ? score - 2 : score"
        "#,
    );
    let (zero, one) = (always(&down, 0), always(&down, 1));
    let explanation = explained(&down, [&zero, &zero], CLOSE);
    assert_eq!((explanation.rate, explanation.endless[0]), ([0.5; 3], [1.0; 2]));
    assert!(explanation.reached.iter().all(|row| row.mistake == Some(Mistake::NeverEnds)));
    assert_eq!(
        explained(&down, [&zero, &one], CLOSE).endless[0],
        [0.0; 2],
        "one die ends the game"
    );
}

/// Returns a game in which 18 coins show no 1 only once in 2^18 turns; a roll with a 1 leaves the
/// scores unchanged.
fn slow(goal: u32) -> Game {
    game(&format!(
        "goal = {goal}\nmax_dice = 18\n[[rule]]\nname = \"Slow\"\ndie = \"2\"\nbust = \"0\""
    ))
}

#[test]
fn slow_cycles_are_solved_without_iterating() {
    let slow = slow(40);
    let (most, two) = (always(&slow, 18), always(&slow, 2));
    let reach = reach(&slow, [&most, &most], [1.0, 0.0], &|_, _| false, &Watch::silent())
        .expect("a small game");
    // Play stays at 0-0 with s = 1 - 2^-18 per turn, and the players alternate: the first has 1 /
    // (1 - s^2) visits.
    let leaving = 2f64.powi(-18);
    let visits = 1.0 / (leaving * (2.0 - leaving));
    assert!((reach.visits[0][slow.start()] / visits - 1.0).abs() < 1e-15);
    explained(&slow, [&most, &two], 1e-9);
    explained(&slow, [&most, &most], 1e-9);
}

/// In floats, actions whose values the bound cannot separate count as tied. A plan that took the
/// fewest dice of them would lose up to twice the bound in every turn: here 240,000 bounds in
/// total.
#[test]
fn a_plan_in_floats_loses_no_more_than_the_bound() {
    let slow = slow(60);
    let most = always(&slow, 18);
    let best =
        best_response(&slow, &most, Arithmetic::Float, &Watch::silent()).expect("a small game");
    let found = rated(&slow, [&best.plan(), &most]);
    assert!(
        (best.first() - found.first()).abs() <= best.error_bound,
        "{} {}",
        best.first(),
        found.first()
    );
    assert!((best.second() - found.second()).abs() <= best.error_bound);
}

/// Returns a plan that rolls by a hash of the state, few dice more often than many.
fn scattered(game: &Game, seed: usize) -> Plan {
    let (states, actions) = (game.space().states(), game.space().actions);
    let hash = |state: usize| (state + 31 * seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    Plan::from_actions(
        (0..states)
            .map(|state| (hash(state) % (2 * actions)).saturating_sub(actions) as u8)
            .collect(),
    )
}

proptest! {
    #![proptest_config(Config {
        cases: 48,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    })]

    #[test]
    fn losses_in_random_games_sum_to_the_gap(
        random in (any::<bool>(), 5..=9u32)
            .prop_flat_map(|(acyclic, goal)| random_game(goal, acyclic))
    ) {
        let game = random.game();
        for seed in 0..2 {
            let plans = [scattered(&game, seed), scattered(&game, seed + 7)];
            reached(&game, [&plans[0], &plans[1]], &random.text());
            explained(&game, [&plans[0], &plans[1]], CLOSE);
        }
    }
}
