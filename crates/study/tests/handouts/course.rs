//! The functions that the handouts ask students for, each carried out by the rules engine.

use hog_rules::rules::{Overrides, Rules, builtins, load, rules_from_text};
use hog_solve::game::{Game, Position, TurnResult, take_turn};
use hog_solve::solve::Watch;
use hog_study::sim::{self, ByScores, Commentary, DiceSource, Match, Rolled, TestDice};
use hog_study::strategy::Strategy;

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

/// `make_test_dice`: dice that cycle through the outcomes in a list.
pub fn test_dice(outcomes: &[u32]) -> TestDice {
    TestDice::cycling(outcomes.to_vec()).expect("an outcome")
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
    let swapped = sim::is_swap(rules, scores.0, scores.1).unwrap_or_else(|e| panic!("{e}"));
    let turn = turn_adding_up_to(rules, scores.0, scores.1);
    let (score, opponent) = (i64::from(scores.0), i64::from(scores.1));
    let expected = if swapped { (opponent, score) } else { (score, opponent) };
    assert_eq!((turn.score, turn.opponent), expected, "the scores after a turn to {scores:?}");
    assert_eq!(turn.steps.iter().any(|step| step.rule == "Swine Swap"), swapped);
    swapped
}

/// `select_dice`: the sides of the dice rolled from these scores.
pub fn select_dice(rules: &Rules, scores: (u32, u32)) -> usize {
    sim::select_dice(rules, scores.0, scores.1).unwrap_or_else(|e| panic!("{e}")).sides()
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

/// `play` with a commentary: returns the scores after each turn, Player 0's first, and what the
/// commentary said.
pub fn play_saying(
    rules: &Rules,
    strategies: [Strategist; 2],
    scores: (u32, u32),
    dice: &mut dyn DiceSource,
    say: Commentary,
) -> (Vec<(i64, i64)>, String) {
    let [strategy0, strategy1] = strategies.map(ByScores);
    let ending = sim::play(Match {
        rules,
        strategies: [&strategy0, &strategy1],
        scores: [scores.0, scores.1],
        dice,
        say,
    });
    let ending = ending.unwrap_or_else(|e| panic!("{e}"));
    let after = |(player, _, rolled): &(usize, Position, Rolled)| {
        let turn = &rolled.turn;
        if *player == 0 { (turn.score, turn.opponent) } else { (turn.opponent, turn.score) }
    };
    let played: Vec<(i64, i64)> = ending.turns.iter().map(after).collect();
    assert_eq!(played.last().map(|(score0, score1)| [*score0, *score1]), Some(ending.scores));
    (played, ending.said)
}

/// `play` with test dice that do not depend on the scores, and without commentary.
pub fn play_with(
    rules: &Rules,
    strategies: [Strategist; 2],
    scores: (u32, u32),
    outcomes: &[u32],
) -> Vec<(i64, i64)> {
    play_saying(rules, strategies, scores, &mut test_dice(outcomes), sim::silence()).0
}

/// Calls a commentary with one pair of scores after another; returns what it said each time.
pub fn commented(first: Commentary, scores: &[(i64, i64)]) -> Vec<String> {
    let mut say = first;
    let mut comments = Vec::new();
    for (score0, score1) in scores {
        let (said, next) = say.say(*score0, *score1);
        comments.push(said);
        say = next;
    }
    comments
}
