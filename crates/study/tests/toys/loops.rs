//! Claims about games with loops: which rolls are best there, and what their bounds prove.

use super::claims::claim;
use super::toy::game;
use hog_check::{Claim, LoopBounds, Method, Report, check};
use hog_solve::game::Game;
use hog_solve::solve::{Arithmetic, Solution, Watch, equilibrium};

const BUMP: &str = include_str!("small/bump.toml");
const TWO: &str = include_str!("small/two.toml");
const LOOP_TIES: &str = include_str!("small/loop_ties.toml");
const STEPS_BACK: &str = include_str!("small/steps_back.toml");
const LOSES_THE_SCORE: &str = include_str!("small/loses_the_score.toml");

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).unwrap_or_else(|error| panic!("{error}"))
}

fn checked(claim: &Claim) -> Option<Report> {
    check(claim, &|_, _| true).ok().filter(Report::ok)
}

/// In each state one set of rolls is proven to be that of the best, and no other.
#[test]
fn one_set_of_best_rolls_is_proven_in_each_state_of_a_loop() {
    let mut sets = 0;
    for text in [
        TWO,
        LOOP_TIES,
        include_str!("small/endless_loop.toml"),
        include_str!("small/memories_without_effect.toml"),
    ] {
        let game = game(text);
        let solution = solved(&game, Arithmetic::Exact);
        let honest = claim(&game, &solution, None);
        let report = checked(&honest).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(report.method, Method::Fractions, "{text}");
        for state in 0..game.space().states().min(16) {
            for set in 0..1 << game.space().actions.min(5) {
                let mut best = solution.own.best.clone();
                if best[state] == set {
                    continue;
                }
                best[state] = set;
                sets += 1;
                let false_claim = Claim { best: &best, ..honest };
                let place = game.position(state);
                assert!(checked(&false_claim).is_none(), "{set:b} at {place:?} is proven: {text}");
            }
        }
    }
    assert!(sets > 300, "{sets}");
}

/// At 3-0 zero dice win the turn's three points as any roll that scores does, and all come to the
/// same: none of them stays in a loop of best rolls.
#[test]
fn a_tie_in_a_loop_is_listed_whole() {
    let game = game(LOOP_TIES);
    let state = (0..game.space().states())
        .find(|state| (game.position(*state).score, game.position(*state).opponent) == (3, 0))
        .unwrap();
    for arithmetic in [Arithmetic::Exact, Arithmetic::Float] {
        assert_eq!(solved(&game, arithmetic).own.best[state], 0b1111, "{arithmetic:?}");
    }
}

/// Win rates that are off, by less than the bound of a claim or more: what is proven of them is
/// true.
#[test]
fn what_is_proven_of_lowered_win_rates_is_true() {
    let game = game(BUMP);
    let exact = solved(&game, Arithmetic::Exact);
    let float = solved(&game, Arithmetic::Float);
    let mut proven = 0;
    for by in [0.0, 1e-16, 1e-15, 3e-10, 1e-8, 1e-3] {
        for widened in [0.0, 1e-9, 1e-7] {
            let lowered = |rate: &f64| if (0.3..1.0).contains(rate) { rate - by } else { *rate };
            let win_rates: Vec<f64> = float.own.win_rates.iter().map(lowered).collect();
            let bounds = float.bounds.as_ref().expect("the game has loops");
            let wider = |bounds: &[f64]| bounds.iter().map(|bound| bound + widened).collect();
            let (below, above): (Vec<f64>, Vec<f64>) = (wider(&bounds.below), wider(&bounds.above));
            for error_bound in [float.error_bound, 1e-6] {
                let rates = [win_rates[0], 1.0 - win_rates[0], 0.5];
                let bounds =
                    LoopBounds { other: &[], states: &bounds.states, below: &below, above: &above };
                let lowered = Claim {
                    win_rates: &win_rates,
                    exact: false,
                    error_bound,
                    bounds: Some(bounds),
                    rates,
                    ..claim(&game, &float, None)
                };
                let Some(report) = checked(&lowered) else { continue };
                proven += 1;
                assert!(report.bound <= error_bound * (1.0 + 1e-9), "{report:?}");
                for (claimed, exact) in win_rates.iter().zip(&exact.own.win_rates) {
                    let off = (claimed - exact).abs();
                    assert!(off <= report.bound + f64::EPSILON / 4.0, "{by:e}: {off:e} {report:?}");
                }
            }
        }
    }
    assert!(proven >= 2, "{proven}");
}

/// The number of loops of a claim's game is counted however it is checked.
#[test]
fn loops_are_counted_where_turns_lower_the_sum() {
    let game = game(BUMP);
    let exact = solved(&game, Arithmetic::Exact);
    let float = solved(&game, Arithmetic::Float);
    for solution in [&exact, &float] {
        let report = checked(&claim(&game, solution, None)).unwrap();
        assert_eq!((report.loops, solution.loops), (3, 3));
    }
}

/// "A 1 loses the whole score", by a die of some sides. The last digits are those of the exact
/// fractions; that of six sides to 100 was computed by another program.
#[test]
fn games_in_which_a_1_loses_the_whole_score_are_solved() {
    let goals = [(4, 39, None), (4, 40, Some(0.505_115_066_201_934)), (2, 56, None), (3, 36, None)];
    for (sides, goal, value) in goals {
        let text = LOSES_THE_SCORE.replace("sides = 4", &format!("sides = {sides}"));
        let game = game(&text.replace("goal = 12", &format!("goal = {goal}")));
        let solution = solved(&game, Arithmetic::Float);
        let report = checked(&claim(&game, &solution, None));
        assert!(report.is_some_and(|report| report.bound < 1e-11), "{sides} sides to {goal}");
        if let Some(value) = value {
            let off = (solution.first() - value).abs();
            assert!(off < 1e-13, "{sides} sides to {goal}: {}", solution.first());
        }
    }
}

/// Play in which each player mostly steps back: thousands of turns, and many policies before the
/// best.
#[test]
fn a_game_of_steps_back_is_solved() {
    let game = game(&STEPS_BACK.replace("goal = 40", "goal = 28"));
    let solution = solved(&game, Arithmetic::Float);
    assert!(solution.error_bound < 1e-11, "{}", solution.error_bound);
    assert!((solution.first() - 0.500_200_854_705_624_1).abs() < 1e-12, "{}", solution.first());
}
