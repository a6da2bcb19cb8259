//! Random small games in which a turn may score nothing: passes and random cycles of any shape.
//!
//! The value of a pair of plans is that of its Markov chain, in which games that have not ended
//! count half; so play that never ends keeps its half. Equilibrium play must reach its value
//! against itself, and guarantee it against any other plan.

use std::collections::HashMap;

use hog_solve::game::{Game, Plan, Position};
use hog_solve::solve::{Arithmetic, Solution, Watch, equilibrium, evaluate};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

use super::brute_force::{Next, Table, positions};
use super::generator::{RandomGame, random_game};

/// The result of a turn, with the index of the next position.
enum Step {
    Over(f64),
    At { position: usize, again: bool },
}

/// All turns of all positions, `turns[position][action]`, with their probabilities.
struct Chain {
    positions: Vec<Position>,
    turns: Vec<Vec<Vec<(f64, Step)>>>,
}

impl Chain {
    fn new(table: &Table) -> Self {
        let mut positions = positions(table.rules);
        // From the end of the game to its start, so that the values converge in few iterations.
        positions.sort_by_key(|at| std::cmp::Reverse(at.score + at.opponent));
        let index: HashMap<&Position, usize> =
            positions.iter().enumerate().map(|(i, at)| (at, i)).collect();
        let step = |next: Next| match next {
            Next::Over(halves) => Step::Over(f64::from(halves) / 2.0),
            Next::At { position, again } => Step::At { position: index[&position], again },
        };
        let turn = |at: &Position, dice: i32| {
            let outcomes = table.outcomes(at, dice);
            let total: u64 = outcomes.iter().map(|(weight, _)| weight).sum();
            outcomes
                .into_iter()
                .map(|(weight, next)| (weight as f64 / total as f64, step(next)))
                .collect()
        };
        let turns = positions
            .iter()
            .map(|at| table.actions().map(|dice| turn(at, dice)).collect())
            .collect();
        Self { positions, turns }
    }

    /// Returns the mover's win rate at each position with its first plan against the second; plans
    /// are actions by position.
    fn value(&self, plans: [&[usize]; 2]) -> Vec<f64> {
        let mut values = [vec![0.5; self.positions.len()], vec![0.5; self.positions.len()]];
        for _ in 0..100_000 {
            let mut change = 0f64;
            for (at, mover) in (0..self.positions.len()).flat_map(|at| [(at, 0), (at, 1)]) {
                let value =
                    self.expected(at, plans[mover][at], [&values[mover], &values[1 - mover]]);
                change = change.max((value - values[mover][at]).abs());
                values[mover][at] = value;
            }
            if change < 1e-16 {
                break;
            }
        }
        let [first, _] = values;
        first
    }

    /// Returns the mean over the outcomes of an action, given the values of the mover and of the
    /// other player.
    fn expected(&self, at: usize, action: usize, [own, other]: [&[f64]; 2]) -> f64 {
        let value_of = |step: &Step| match step {
            Step::Over(value) => *value,
            Step::At { position, again: true } => own[*position],
            Step::At { position, again: false } => 1.0 - other[*position],
        };
        self.turns[at][action].iter().map(|(chance, step)| chance * value_of(step)).sum()
    }
}

/// The tolerance for rounding: values are means of a few hundred doubles.
const CLOSE: f64 = 1e-12;

/// A sequence of pseudorandom numbers (Knuth's MMIX generator).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).expect("small enough")
}

fn assert_best_play(random: &RandomGame) {
    let (game, text) = (random.game(), random.text());
    let die = |position: &Position| random.weights(position);
    let chain = Chain::new(&Table { rules: game.rules(), die: &die });
    let (exact, float) = (solved(&game, Arithmetic::Exact), solved(&game, Arithmetic::Float));
    let state_of: Vec<usize> = chain.positions.iter().map(|at| game.state(at)).collect();
    let values: Vec<f64> = state_of.iter().map(|state| exact.own.win_rates[*state]).collect();
    let mut numbers = Numbers(1);
    no_single_turn_improves(&chain, &values, &text);
    // The fewest best dice, the most, and best ones at random.
    for choice in 0..4 {
        let mut pick = |set: u32| {
            let best: Vec<usize> =
                (0..game.space().actions).filter(|action| set >> action & 1 == 1).collect();
            best[match choice {
                0 => 0,
                1 => best.len() - 1,
                _ => numbers.below(best.len()),
            }]
        };
        let play: Vec<usize> = state_of.iter().map(|state| pick(exact.own.best[*state])).collect();
        close(&chain.value([&play, &play]), &values, "best play against itself", &text);
        guarantees(&chain, &play, &values, &mut numbers, &text);
    }
    for (at, state) in state_of.iter().enumerate() {
        let error = (float.own.win_rates[*state] - values[at]).abs();
        assert!(
            error <= float.error_bound + f64::EPSILON,
            "off by {error:e} at {:?}\n{text}",
            chain.positions[at]
        );
        let hidden = exact.own.best[*state] & !float.own.best[*state];
        assert_eq!(hidden, 0, "floats miss best dice at {:?}\n{text}", chain.positions[at]);
    }
    evaluation_agrees(&game, &chain, &state_of, &mut numbers, &text);
}

/// Asserts Bellman's equation: the value is that of the best action.
fn no_single_turn_improves(chain: &Chain, values: &[f64], text: &str) {
    for (at, turns) in chain.turns.iter().enumerate() {
        let action_values =
            (0..turns.len()).map(|action| chain.expected(at, action, [values, values]));
        let best = action_values.fold(0.0, f64::max);
        // Where the game never ends, passing may look better after one step than it is, but never
        // by more than rounding.
        assert!(
            (best - values[at]).abs() < CLOSE,
            "{:?}: one step gives {best}, the value is {}\n{text}",
            chain.positions[at],
            values[at]
        );
    }
}

fn close(found: &[f64], expected: &[f64], what: &str, text: &str) {
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            (found - expected).abs() < CLOSE,
            "{what}: {found}, not {expected}, at {at}\n{text}"
        );
    }
}

/// Asserts that no plan does better than the value against best play.
fn guarantees(chain: &Chain, play: &[usize], values: &[f64], numbers: &mut Numbers, text: &str) {
    let actions = chain.turns[0].len();
    for round in 0..8 + actions {
        let other: Vec<usize> =
            match round {
                // Constant plans first, then best play with some positions changed, then random
                // plans.
                _ if round < actions => vec![round; play.len()],
                _ => {
                    let kept = [0, 1, 4][round % 3];
                    play.iter()
                        .map(|best| {
                            if numbers.below(kept + 1) > 0 { *best } else { numbers.below(actions) }
                        })
                        .collect()
                }
            };
        let reached = chain.value([play, &other]);
        for (at, reached) in reached.iter().enumerate() {
            let position = &chain.positions[at];
            assert!(
                *reached > values[at] - CLOSE,
                "{position:?}: {reached}, not {}\n{other:?}\n{text}",
                values[at]
            );
        }
    }
}

/// Asserts that the solver's evaluation of two random plans agrees with their chain, in both
/// arithmetics.
fn evaluation_agrees(
    game: &Game,
    chain: &Chain,
    state_of: &[usize],
    numbers: &mut Numbers,
    text: &str,
) {
    let actions = game.space().actions;
    let mut plans = [(); 2].map(|()| {
        (0..game.space().states()).map(|_| numbers.below(actions) as u8).collect::<Vec<_>>()
    });
    for plan in &mut plans {
        // Few dice more often than many, so that plans often pass.
        plan.iter_mut()
            .for_each(|action| *action = if numbers.below(2) == 0 { 0 } else { *action });
    }
    let by_position = [0, 1].map(|side: usize| {
        state_of.iter().map(|s| usize::from(plans[side][*s])).collect::<Vec<_>>()
    });
    let expected = chain.value([&by_position[0], &by_position[1]]);
    let [first, second] = plans.map(Plan::from_actions);
    for arithmetic in [Arithmetic::Exact, Arithmetic::Float] {
        let rate =
            evaluate(game, [&first, &second], arithmetic, &Watch::silent()).expect("small enough");
        let found: Vec<f64> = state_of.iter().map(|state| rate.own.win_rates[*state]).collect();
        close(&found, &expected, &format!("evaluation of two plans, {arithmetic:?}"), text);
    }
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
    fn best_play_in_random_games_with_cycles_guarantees_the_value(random in random_game(4, false)) {
        assert_best_play(&random);
    }
}
