//! The functions that the handouts ask students for, each carried out by the rules engine.

use hog_rules::dice::Die;
use hog_rules::rules::{Overrides, Rules, builtins, load, rules_from_text};
use hog_solve::game::{Game, Position, TurnResult, dice_rolled, settle, take_turn};
use hog_solve::solve::Watch;
use hog_study::sim::{self, Commentary, DiceSource};
use hog_study::strategy::Strategy;

use super::played::{ByScores, PlayedTurn, play};

/// Returns the rules of a built-in game.
pub fn game(id: &str) -> Rules {
    load(id, Overrides::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns the rules of a built-in game with another goal.
pub fn game_to(id: &str, goal: u32) -> Rules {
    load(id, Overrides { goal: Some(goal), max_dice: None }).unwrap_or_else(|e| panic!("{e}"))
}

/// Returns the rules of a built-in game that names no die, with a die of this many sides.
pub fn game_with_die(id: &str, sides: u32) -> Rules {
    let builtin = builtins().iter().find(|game| game.id == id).expect("a built-in game");
    let text = format!("{}\n[[rule]]\nname = \"Test die\"\ndie = \"{sides}\"\n", builtin.text);
    rules_from_text(&text, id, Overrides::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Dice that cycle through given outcomes.
pub struct TestDice {
    outcomes: Vec<u32>,
    next: usize,
}

impl TestDice {
    /// Returns the next outcome, like `dice()`.
    pub fn outcome(&mut self) -> u32 {
        let outcome = self.outcomes[self.next];
        self.next = (self.next + 1) % self.outcomes.len();
        outcome
    }
}

impl DiceSource for TestDice {
    fn roll(&mut self, _: &Die) -> u32 {
        self.outcome()
    }
}

/// `make_test_dice`: dice that cycle through the outcomes in a list.
pub fn test_dice(outcomes: &[u32]) -> TestDice {
    TestDice { outcomes: outcomes.to_vec(), next: 0 }
}

/// `roll_dice`: the points of a roll, before any rule changes them.
pub fn roll_dice(rules: &Rules, from: &Position, num_rolls: i32, dice: &mut TestDice) -> i64 {
    sim::take_turn(rules, from, num_rolls, dice).unwrap().turn.rolled
}

/// `free_bacon`, `picky_piggy`: the points of zero dice, before any rule changes them.
pub fn zero_dice(rules: &Rules, opponent: u32) -> i64 {
    take_turn(rules, &position(rules, 0, opponent), &[], 0).unwrap().rolled
}

/// Calls the dice this many times.
pub fn called(dice: &mut TestDice, times: usize) -> Vec<u32> {
    (0..times).map(|_| dice.outcome()).collect()
}

/// Returns the position with these scores (the mover's, the opponent's) and the memories at their
/// start.
pub fn position(rules: &Rules, score: u32, opponent: u32) -> Position {
    Position::new(rules, score, opponent).unwrap_or_else(|e| panic!("{e}"))
}

/// Plays the turn from these scores with these outcomes; without outcomes, zero dice are rolled.
pub fn turn(rules: &Rules, scores: (u32, u32), outcomes: &[u32]) -> TurnResult {
    turn_from(rules, &position(rules, scores.0, scores.1), outcomes)
}

/// Plays the turn from a position.
pub fn turn_from(rules: &Rules, position: &Position, outcomes: &[u32]) -> TurnResult {
    take_turn(rules, position, outcomes, 0)
        .unwrap_or_else(|e| panic!("{position:?} {outcomes:?}: {e}"))
}

/// Returns the points of the turn from these scores.
pub fn points(rules: &Rules, scores: (u32, u32), outcomes: &[u32]) -> i64 {
    turn(rules, scores, outcomes).points
}

/// Returns the scores (the mover's, the opponent's) after the turn from these scores.
pub fn after(rules: &Rules, scores: (u32, u32), outcomes: &[u32]) -> (i64, i64) {
    let turn = turn(rules, scores, outcomes);
    (turn.score, turn.opponent)
}

/// Plays a turn of one point, by a die that shows 1, which takes the mover to these scores before
/// the effects on totals.
pub fn turn_adding_up_to(rules: &Rules, score: u32, opponent: u32) -> TurnResult {
    let turn = turn(rules, (score - 1, opponent), &[1]);
    assert_eq!(turn.points, 1, "one point to {score}-{opponent}");
    turn
}

/// `is_swap`: whether these scores, after adding, are swapped. Asserts that a turn that leads there
/// does the same.
pub fn is_swap(rules: &Rules, scores: (u32, u32)) -> bool {
    let swapped = settle(rules, scores.0, scores.1, 0).unwrap_or_else(|e| panic!("{e}")).swapped;
    let turn = turn_adding_up_to(rules, scores.0, scores.1);
    let (score, opponent) = (i64::from(scores.0), i64::from(scores.1));
    let expected = if swapped { (opponent, score) } else { (score, opponent) };
    assert_eq!((turn.score, turn.opponent), expected, "the scores after a turn to {scores:?}");
    assert_eq!(turn.steps.iter().any(|step| step.rule == "Swine Swap"), swapped);
    swapped
}

/// `select_dice`: the sides of the dice rolled from these scores.
pub fn select_dice(rules: &Rules, scores: (u32, u32)) -> usize {
    let from = position(rules, scores.0, scores.1);
    dice_rolled(rules, &from, rules.max_dice).unwrap_or_else(|e| panic!("{e}")).1.sides()
}

/// Returns what a strategy with its arguments rolls from these scores, its own first.
pub fn rolls(rules: &Rules, strategy: &str, scores: (u32, u32)) -> i32 {
    let game = Game::new(rules.clone()).unwrap_or_else(|e| panic!("{e}"));
    let strategy: Strategy = strategy.parse().unwrap_or_else(|e| panic!("{e}"));
    let plan = strategy.plan(&game, &Watch::silent()).unwrap_or_else(|e| panic!("{e}"));
    game.space().dice(plan.action(game.state(&position(rules, scores.0, scores.1))))
}

/// Asserts what a strategy rolls: `(arguments, own score, opponent's score, dice)`.
pub fn strategy_gives(rules: &Rules, name: &str, cases: &[(&str, u32, u32, i32)]) {
    for (arguments, score, opponent, expected) in cases {
        let rolled = rolls(rules, &format!("{name}:{arguments}"), (*score, *opponent));
        assert_eq!(rolled, *expected, "{name}({score}, {opponent}, {arguments})");
    }
}

/// Plays one turn for each roll, from 0-0; returns the scores after each, Player 0's first.
pub fn follow(rules: &Rules, rolls: &[&[u32]]) -> Vec<(i64, i64)> {
    let (mut from, mut mover) = (position(rules, 0, 0), 0);
    let mut scores = Vec::new();
    for outcomes in rolls {
        let turn = turn_from(rules, &from, outcomes);
        scores.push(if mover == 0 {
            (turn.score, turn.opponent)
        } else {
            (turn.opponent, turn.score)
        });
        from = Position::after(rules, &turn).expect("no example reaches the goal");
        mover = if turn.again { mover } else { 1 - mover };
    }
    scores
}

/// A strategy: a function from its own and the opponent's score to a number of dice.
pub type Strategist<'a> = &'a (dyn Fn(u32, u32) -> i32 + Sync);

/// `always_roll`.
pub fn always(num_rolls: i32) -> impl Fn(u32, u32) -> i32 + Sync {
    move |_, _| num_rolls
}

/// `play`: returns the scores after each turn, Player 0's first.
pub fn play_scores(
    rules: &Rules,
    strategies: [Strategist; 2],
    scores: (u32, u32),
    dice: &mut dyn DiceSource,
) -> Vec<(i64, i64)> {
    let [strategy0, strategy1] = strategies.map(ByScores);
    let after = |(player, _, rolled): &PlayedTurn| {
        let turn = &rolled.turn;
        if *player == 0 { (turn.score, turn.opponent) } else { (turn.opponent, turn.score) }
    };
    let turns = play(rules, [&strategy0, &strategy1], [scores.0, scores.1], dice);
    turns.iter().map(after).collect()
}

/// `play` with test dice that do not depend on the scores.
pub fn play_with(
    rules: &Rules,
    strategies: [Strategist; 2],
    scores: (u32, u32),
    outcomes: &[u32],
) -> Vec<(i64, i64)> {
    play_scores(rules, strategies, scores, &mut test_dice(outcomes))
}

/// Returns what the commentary says after each of these scores of a game from 0-0: on the lead, and
/// on record gains.
pub fn commented(scores: &[(i64, i64)]) -> (Vec<Option<String>>, Vec<Vec<String>>) {
    let mut commentary = Commentary::new([0, 0]);
    let mut leads = Vec::new();
    let mut records = Vec::new();
    for (score0, score1) in scores {
        leads.push(commentary.lead([*score0, *score1]));
        records.push(commentary.records([*score0, *score1]));
    }
    (leads, records)
}
