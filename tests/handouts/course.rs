//! The functions that the handouts ask students for, each of them played by the rules engine.

use hog::game::{Position, Turn, TurnError, memory_names, take_turn};
use hog::rules::{Overrides, Rules, builtins, load, rules_from_text};

/// The rules of a built-in game.
pub fn game(id: &str) -> Rules {
    load(id, Overrides::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// The same with another goal.
pub fn game_to(id: &str, goal: u32) -> Rules {
    load(id, Overrides { goal: Some(goal), max_dice: None }).unwrap_or_else(|e| panic!("{e}"))
}

/// A built-in game whose rules name no die, with a die of that many sides.
pub fn game_with_die(id: &str, sides: u32) -> Rules {
    let builtin = builtins().iter().find(|game| game.id == id).expect("a built-in game");
    let text = format!("{}\n[[rule]]\nname = \"Test die\"\ndie = \"{sides}\"\n", builtin.text);
    rules_from_text(&text, id, Overrides::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// `make_test_dice`: outcomes that come round and round.
pub struct TestDice<'a>(std::iter::Cycle<std::slice::Iter<'a, u32>>);

pub fn test_dice(outcomes: &[u32]) -> TestDice<'_> {
    TestDice(outcomes.iter().cycle())
}

impl TestDice<'_> {
    /// Calls the dice that many times.
    pub fn roll(&mut self, num_rolls: usize) -> Vec<u32> {
        self.0.by_ref().take(num_rolls).copied().collect()
    }
}

/// The position with those scores (the mover's, the opponent's) and memories as they start.
pub fn position(rules: &Rules, (score, opponent): (u32, u32)) -> Position {
    Position::new(rules, score, opponent).unwrap_or_else(|e| panic!("{e}"))
}

/// The turn from those scores with those outcomes; without any, zero dice are rolled.
pub fn turn(rules: &Rules, scores: (u32, u32), outcomes: &[u32]) -> Turn {
    turn_from(rules, &position(rules, scores), outcomes)
}

/// The turn from a position.
pub fn turn_from(rules: &Rules, position: &Position, outcomes: &[u32]) -> Turn {
    take_turn(rules, position, outcomes, 0).unwrap_or_else(|e| panic!("{position:?} {outcomes:?}: {e}"))
}

/// The points of such a turn.
pub fn points(rules: &Rules, scores: (u32, u32), outcomes: &[u32]) -> i64 {
    turn(rules, scores, outcomes).points
}

/// The scores (the mover's, the opponent's) at the end of such a turn.
pub fn after(rules: &Rules, scores: (u32, u32), outcomes: &[u32]) -> (i64, i64) {
    let turn = turn(rules, scores, outcomes);
    (turn.score, turn.opponent)
}

/// The turn whose one point, by a die that shows 1, brings the mover to those scores before the effects on totals.
pub fn turn_adding_up_to(rules: &Rules, (score, opponent): (u32, u32)) -> Turn {
    let turn = turn(rules, (score - 1, opponent), &[1]);
    assert_eq!(turn.points, 1, "one point to {score}-{opponent}");
    turn
}

/// `is_swap`: whether those scores, after adding, are swapped.
pub fn is_swap(rules: &Rules, scores: (u32, u32)) -> bool {
    let turn = turn_adding_up_to(rules, scores);
    let swapped = turn.steps.iter().any(|step| step.rule == "Swine Swap");
    let (score, opponent) = (i64::from(scores.0), i64::from(scores.1));
    let expected = if swapped { (opponent, score) } else { (score, opponent) };
    assert_eq!((turn.score, turn.opponent), expected, "the effect of what the turn tells at {scores:?}");
    swapped
}

/// `select_dice`: the sides of the dice rolled from those scores, learnt from a refused outcome of 0.
pub fn select_dice(rules: &Rules, scores: (u32, u32)) -> usize {
    match take_turn(rules, &position(rules, scores), &[0], 0) {
        Err(TurnError::NoSuchFace { face: 0, die }) => die.sides(),
        other => panic!("an outcome of 0 at {scores:?} gives {other:?}"),
    }
}

/// A game in progress.
struct Table<'a> {
    rules: &'a Rules,
    position: Position,
    mover: usize,
}

impl Table<'_> {
    /// Plays one turn; the scores after it, Player 0's first.
    fn turn(&mut self, outcomes: &[u32]) -> (i64, i64) {
        let turn = turn_from(self.rules, &self.position, outcomes);
        let scores = if self.mover == 0 { (turn.score, turn.opponent) } else { (turn.opponent, turn.score) };
        if !self.is_over(scores) {
            self.position = passed(self.rules, &turn);
            self.mover = 1 - self.mover;
        }
        scores
    }

    fn is_over(&self, scores: (i64, i64)) -> bool {
        scores.0.max(scores.1) >= i64::from(self.rules.goal)
    }
}

/// What the next player sees; every memory of the handouts' games belongs to a player.
fn passed(rules: &Rules, turn: &Turn) -> Position {
    let scores = (turn.opponent.try_into().expect("below the goal"), turn.score.try_into().expect("below the goal"));
    let owner_changed = |name: &str| match name.strip_prefix("opponent_") {
        Some(mine) => mine.to_owned(),
        None => format!("opponent_{name}"),
    };
    memory_names(rules).iter().zip(&turn.memory).fold(position(rules, scores), |position, (name, value)| {
        position.with_memory(rules, &owner_changed(name), *value).unwrap_or_else(|e| panic!("{e}"))
    })
}

/// Plays one turn for each roll, from 0-0; the scores after each, Player 0's first.
pub fn follow(rules: &Rules, rolls: &[&[u32]]) -> Vec<(i64, i64)> {
    let mut table = Table { rules, position: position(rules, (0, 0)), mover: 0 };
    rolls.iter().map(|outcomes| table.turn(outcomes)).collect()
}

/// A strategy: from the own and the opponent's score to a number of dice.
pub type Strategy<'a> = &'a dyn Fn(u32, u32) -> usize;

/// `always_roll`.
pub fn always(num_rolls: usize) -> impl Fn(u32, u32) -> usize {
    move |_, _| num_rolls
}

/// `play`: the scores after each turn, Player 0's first, to the end of the game. `dice` rolls a number of dice
/// from scores (the mover's, the opponent's).
pub fn play(
    rules: &Rules,
    strategies: [Strategy; 2],
    scores: (u32, u32),
    mut dice: impl FnMut((u32, u32), usize) -> Vec<u32>,
) -> Vec<(i64, i64)> {
    let mut table = Table { rules, position: position(rules, scores), mover: 0 };
    let mut told = Vec::new();
    loop {
        let (score, opponent) = (table.position.score, table.position.opponent);
        let num_rolls = strategies[table.mover](score, opponent);
        let scores = table.turn(&dice((score, opponent), num_rolls));
        told.push(scores);
        if table.is_over(scores) {
            return told;
        }
    }
}

/// `play` with test dice that never depend on the scores.
pub fn play_with(rules: &Rules, strategies: [Strategy; 2], scores: (u32, u32), outcomes: &[u32]) -> Vec<(i64, i64)> {
    let mut dice = test_dice(outcomes);
    play(rules, strategies, scores, |_, num_rolls| dice.roll(num_rolls))
}
