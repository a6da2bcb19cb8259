//! Cycles of `nju21`: known positions in which zero dice change nothing but whose turn it is (a
//! pass), and play that never ends.

use hog_rules::rules::rules_from_text;
use hog_solve::game::{Game, Position};
use hog_solve::solve::{Arithmetic, Solution, Solver, Watch};

use super::games::{Subject, subject};

fn state(subject: &Subject, score: u32, opponent: u32) -> usize {
    subject.game.state(&Position::new(subject.game.rules(), score, opponent).unwrap())
}

fn best(subject: &Subject, solution: &Solution, score: u32, opponent: u32) -> Vec<i32> {
    subject.game.space().dice_in(solution.own.best[state(subject, score, opponent)])
}

#[test]
fn in_three_known_positions_both_players_pass_for_ever() {
    let nju21 = subject("nju21", 100);
    for solution in [nju21.exact(), nju21.float()] {
        // 76-97: zero dice score 0 against 97, and 3^173 begins and ends with 3, so the swap leaves
        // the other player at 76-97 too.
        for (score, opponent) in [(76, 97), (61, 67), (50, 79)] {
            let win_rate = solution.own.win_rates[state(&nju21, score, opponent)];
            assert_eq!(win_rate, 0.5, "{score}-{opponent}, {:?}", solution.arithmetic);
            let dice = best(&nju21, solution, score, opponent);
            assert_eq!(dice, [0], "{score}-{opponent}, {:?}", solution.arithmetic);
        }
    }
}

#[test]
fn at_19_91_the_player_behind_passes_and_the_player_ahead_must_not() {
    let nju21 = subject("nju21", 100);
    for solution in [nju21.exact(), nju21.float()] {
        let [behind, ahead] = [(19, 91), (91, 19)].map(|(score, opponent)| {
            (
                solution.own.win_rates[state(&nju21, score, opponent)],
                best(&nju21, solution, score, opponent),
            )
        });
        assert_eq!(behind.1, [0], "behind, {:?}", solution.arithmetic);
        assert!(
            ahead.0 > 0.5 && !ahead.1.contains(&0),
            "ahead: {ahead:?}, {:?}",
            solution.arithmetic
        );
        let left = (behind.0 + ahead.0 - 1.0).abs();
        assert!(
            left <= 2.0 * solution.error_bound,
            "passing is worth the complement of the other's win rate, off by {left:e}"
        );
    }
}

#[test]
fn at_7_13_two_players_who_never_roll_play_for_ever() {
    let nju21 = subject("nju21", 100);
    let none = nju21.plan("always_roll:0");
    let rate = nju21.rate(&none, &none);
    // Each passes to the other at the same scores, so the game never ends: half a win for each.
    assert_eq!(
        [(7, 13), (13, 7)].map(|(a, b)| rate.own.win_rates[state(&nju21, a, b)]),
        [0.5, 0.5]
    );
    // From 0-0 such a game happens to end at 105-88: who moves first wins.
    assert_eq!([rate.first(), rate.second()], [1.0, 0.0]);
    // If the other player rolls, the game ends and somebody wins.
    let one = nju21.plan("always_roll:4");
    assert_ne!(nju21.rate(&none, &one).own.win_rates[state(&nju21, 7, 13)], 0.5);
}

#[test]
fn cycles_are_counted_alike_in_both_arithmetics() {
    // So many are found by the checker too, which shares no code with the solver.
    assert_eq!(
        [subject("nju21", 100).exact().loops, subject("nju21", 100).float().loops],
        [325; 2]
    );
    assert_eq!(subject("fa21", 100).float().loops, 0);
}

/// Zero dice give nothing, so each pair of scores below 10 forms a loop with its reverse, and
/// rolling is always better.
#[test]
fn a_pass_that_nobody_gains_by_changes_no_value() {
    let game = |id: &str, least: usize| {
        let text = format!("id = \"{id}\"\ngoal = 10\nmin_dice = {least}\nmax_dice = 2\n");
        let text = text + "[[rule]]\nname = \"Pass\"\nzero_dice = \"0\"\n";
        Game::new(rules_from_text(&text, id, Default::default()).unwrap()).unwrap()
    };
    let games = [game("passing", 0), game("rolling", 1)];
    for arithmetic in [Arithmetic::Exact, Arithmetic::Float] {
        let [passing, rolling] = [0, 1]
            .map(|at| Solver::new(&games[at], arithmetic).equilibrium(&Watch::silent()).unwrap());
        assert_eq!(passing.own.win_rates, rolling.own.win_rates);
        let shifted: Vec<u32> = rolling.own.best.iter().map(|set| set << 1).collect();
        assert_eq!((&passing.own.best, passing.loops), (&shifted, 10 * 11 / 2));
    }
}
