//! Rolls that doubles cannot separate in games with random cycles are separated with twice the
//! digits; those that need more are reported.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use hog_solve::game::Game;
use hog_solve::solve::{
    Arithmetic, Separation, Solution, SolveError, Watch, best_response, equilibrium, separate,
};

use super::toy::{game, plan};

/// A turn scores 2 if all dice show a 6, once in 6^28 rolls or fewer, and otherwise 1 or nothing:
/// all numbers of dice are nearly alike, and the best one gains very little where little can be
/// won.
const SIXES: &str = "min_dice = 28\nmax_dice = 30\n[[rule]]\nname = \"Sixes\"\npoints = \"rolled \
                     == 6 * dice ? 2 : rolled % 2\"";

fn solved(game: &Game, arithmetic: Arithmetic) -> Solution {
    equilibrium(game, arithmetic, &Watch::silent()).expect("small enough")
}

fn separated(game: &Game, mut solution: Solution) -> Solution {
    separate(game, None, &mut solution, &Watch::silent()).expect("a search that is not cancelled");
    solution
}

#[test]
fn rolls_that_doubles_cannot_separate_are_separated() {
    let game = game(&format!("goal = 6\n{SIXES}"));
    let exact = solved(&game, Arithmetic::Exact);
    let float = solved(&game, Arithmetic::Float);
    assert!(exact.ties == 0 && float.ties > 0 && float.near_ties.is_none(), "{}", float.ties);
    let found = separated(&game, float.clone());
    assert_eq!(found.near_ties, Some(Separation { digits: 31, open: 0 }));
    assert_eq!(found.own.best, exact.own.best);
    assert_eq!(found.own.choices, exact.own.choices);
    assert_eq!((found.ties, found.own.win_rates), (0, float.own.win_rates));
}

#[test]
fn rolls_that_differ_beyond_those_digits_are_left_open() {
    let game = game(&format!("goal = 40\n{SIXES}"));
    let exact = solved(&game, Arithmetic::Exact);
    let float = solved(&game, Arithmetic::Float);
    let found = separated(&game, float.clone());
    let known = found.near_ties.expect("near ties were separated");
    assert_eq!((known.digits, known.open), (31, found.ties));
    assert!(found.ties > 0 && found.ties < float.ties, "{} of {}", found.ties, float.ties);
    for (state, (found, exact)) in found.own.best.iter().zip(&exact.own.best).enumerate() {
        assert_eq!(found & exact, *exact, "state {state}");
    }
}

#[test]
fn identical_turns_are_ties_without_more_digits() {
    // A request for two coins rolls one.
    let text = "goal = 6\nmin_dice = 1\nmax_dice = 2\n[[rule]]\nname = \"One\"\ndie = \"2\"\nbust \
                = \"0\"\nmax_dice = \"1\"";
    let game = game(text);
    let found = separated(&game, solved(&game, Arithmetic::Float));
    assert_eq!((found.ties, found.near_ties), (36, Some(Separation { digits: 15, open: 0 })));
}

#[test]
fn near_ties_in_a_best_response_are_separated() {
    let game = game(&format!("goal = 6\n{SIXES}"));
    let plan = plan(&game, |score, _| 28 + (score % 3) as i32);
    let [exact, mut float] = [Arithmetic::Exact, Arithmetic::Float].map(|numbers| {
        best_response(&game, &plan, numbers, &Watch::silent()).expect("small enough")
    });
    assert!(float.ties > 0);
    separate(&game, Some(&plan), &mut float, &Watch::silent())
        .expect("a search that is not cancelled");
    assert_eq!(float.near_ties.expect("near ties were separated").open, 0);
    assert_eq!(float.own.best, exact.own.best);
}

#[test]
fn a_cancelled_separation_leaves_the_solution_unchanged() {
    let game = game(&format!("goal = 40\n{SIXES}"));
    let float = solved(&game, Arithmetic::Float);
    let (mut solution, calls) = (float.clone(), AtomicUsize::new(0));
    let keeps_going = |_: usize, _: usize| calls.fetch_add(1, Relaxed) < 19;
    let stopped = separate(&game, None, &mut solution, &Watch::new(&keeps_going));
    assert_eq!(stopped, Err(SolveError::Cancelled));
    assert_eq!((solution.own, solution.ties, solution.near_ties), (float.own, float.ties, None));
}

#[test]
fn games_solved_in_integers_need_no_separation() {
    let game = game("goal = 10\nmax_dice = 4");
    assert_eq!(separated(&game, solved(&game, Arithmetic::Float)).near_ties, None);
}
