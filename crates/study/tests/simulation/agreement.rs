//! Random games agree with the tables that fast simulation uses.

use hog_rules::rules::{Rules, builtins};
use hog_solve::game::{End, Game, Outcome, Position, Successor};
use hog_study::sim::{Rolled, SeededDice};

use super::game;
use super::played::{ByScores, PlayedTurn, play};

/// Plays a game of two strategies that roll anything the game allows, from a seed.
fn random_game(rules: &Rules, seed: u64) -> Vec<PlayedTurn> {
    let (least, most) = (rules.min_dice, rules.max_dice);
    let any = move |score: u32, opponent: u32| {
        let mixed = (u64::from(score) << 32 | u64::from(opponent)) ^ (seed << 17);
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        least + ((mixed >> 40) % (most - least + 1) as u64) as i32
    };
    let strategy = ByScores(any);
    let mut dice = SeededDice::new(seed);
    play(rules, [&strategy, &strategy], [0, 0], &mut dice)
}

/// Asserts that the result of a turn is among the outcomes of its distribution, with the successor
/// that the tables give.
fn assert_tabulated(game: &Game, from: &Position, rolled: &Rolled) {
    let (space, state) = (game.space(), game.state(from));
    let distribution = game.distribution(state, space.action(rolled.request).unwrap());
    let after = Position::after(game.rules(), &rolled.turn).map(|position| game.state(&position));
    let leads_there = |outcome: &Outcome| {
        let state = match game.successor(state, outcome) {
            Successor::End(end) => {
                let turn = &rolled.turn;
                let expected = match turn.score.cmp(&turn.opponent) {
                    std::cmp::Ordering::Greater => End::Won,
                    std::cmp::Ordering::Less => End::Lost,
                    std::cmp::Ordering::Equal => End::Tied,
                };
                return after.is_none() && end == expected;
            }
            Successor::Next { to, .. } => to,
        };
        outcome.points as i64 == rolled.turn.points && after == Some(state)
    };
    assert!(
        distribution.outcomes.iter().any(leads_there),
        "{}: {rolled:?} from {from:?}",
        game.rules().id
    );
}

#[test]
fn every_turn_of_random_games_is_an_outcome_in_the_tables_of_fast_simulation() {
    for builtin in builtins() {
        let game = game(builtin.id);
        // The course's `play` chooses no dice to keep.
        if game.rules().keeps_dice() {
            continue;
        }
        // Where a turn takes several rolls, fewer games have as many turns.
        let turns = (0..1000).flat_map(|seed| random_game(game.rules(), seed)).take(20_000);
        turns.for_each(|(_, from, rolled)| assert_tabulated(&game, &from, &rolled));
    }
}

#[test]
fn a_seed_replays_the_same_game() {
    let game = game("fa19");
    assert_eq!(random_game(game.rules(), 7), random_game(game.rules(), 7));
    assert_ne!(random_game(game.rules(), 7), random_game(game.rules(), 8));
}
