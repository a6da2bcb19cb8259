//! The functions that the handouts ask students for, each of them played by the rules engine.

use hog::game::{Game, Position, Turn, take_turn};
use hog::rules::{Overrides, Rules, builtins, load, rules_from_text};
use hog::sim::{self, ByScores, Commentary, Dice, Match, Rolled, TestDice};
use hog::solve::Watch;
use hog::strategy::Strategy;

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

/// `make_test_dice` of outcomes in a list.
pub fn test_dice(outcomes: &[u32]) -> TestDice {
    TestDice::cycling(outcomes.to_vec()).expect("an outcome")
}

/// Calls dice that many times.
pub fn called(dice: &mut TestDice, times: usize) -> Vec<u32> {
    (0..times).map(|_| dice.outcome()).collect()
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

/// `is_swap`: whether those scores, after adding, are swapped; and so they are in a turn that leads there.
pub fn is_swap(rules: &Rules, scores: (u32, u32)) -> bool {
    let swapped = sim::is_swap(rules, scores.0, scores.1).unwrap_or_else(|e| panic!("{e}"));
    let turn = turn_adding_up_to(rules, scores);
    let (score, opponent) = (i64::from(scores.0), i64::from(scores.1));
    let expected = if swapped { (opponent, score) } else { (score, opponent) };
    assert_eq!((turn.score, turn.opponent), expected, "the effect of what the turn tells at {scores:?}");
    assert_eq!(turn.steps.iter().any(|step| step.rule == "Swine Swap"), swapped);
    swapped
}

/// `select_dice`: the sides of the dice rolled from those scores.
pub fn select_dice(rules: &Rules, scores: (u32, u32)) -> usize {
    sim::select_dice(rules, scores.0, scores.1).unwrap_or_else(|e| panic!("{e}")).sides()
}

/// What the strategy of that name and arguments rolls from those scores, its own first.
pub fn rolls(rules: &Rules, strategy: &str, scores: (u32, u32)) -> i32 {
    let game = Game::new(rules.clone()).unwrap_or_else(|e| panic!("{e}"));
    let strategy: Strategy = strategy.parse().unwrap_or_else(|e| panic!("{e}"));
    let plan = strategy.plan(&game, &Watch::silent()).unwrap_or_else(|e| panic!("{e}"));
    game.space().dice(plan.action(game.state(&position(rules, scores))))
}

/// `(arguments, own score, opponent's score, dice)`: what a strategy rolls.
pub fn strategy_gives(rules: &Rules, name: &str, cases: &[(&str, u32, u32, i32)]) {
    for (arguments, score, opponent, expected) in cases {
        let rolled = rolls(rules, &format!("{name}:{arguments}"), (*score, *opponent));
        assert_eq!(rolled, *expected, "{name}({score}, {opponent}, {arguments})");
    }
}

/// Plays one turn for each roll, from 0-0; the scores after each, Player 0's first.
pub fn follow(rules: &Rules, rolls: &[&[u32]]) -> Vec<(i64, i64)> {
    let (mut from, mut mover) = (position(rules, (0, 0)), 0);
    let mut told = Vec::new();
    for outcomes in rolls {
        let turn = turn_from(rules, &from, outcomes);
        told.push(if mover == 0 { (turn.score, turn.opponent) } else { (turn.opponent, turn.score) });
        from = Position::after(rules, &turn).expect("no example reaches the goal");
        mover = if turn.again { mover } else { 1 - mover };
    }
    told
}

/// A strategy: from the own and the opponent's score to a number of dice.
pub type Strategist<'a> = &'a (dyn Fn(u32, u32) -> i32 + Sync);

/// `always_roll`.
pub fn always(num_rolls: i32) -> impl Fn(u32, u32) -> i32 + Sync {
    move |_, _| num_rolls
}

/// `play` with a commentary: the scores after each turn, Player 0's first, and what was said.
pub fn play_saying(
    rules: &Rules,
    strategies: [Strategist; 2],
    scores: (u32, u32),
    (dice, say): (&mut dyn Dice, Commentary),
) -> (Vec<(i64, i64)>, String) {
    let [strategy0, strategy1] = strategies.map(ByScores);
    let ending =
        sim::play(Match { rules, strategies: [&strategy0, &strategy1], scores: [scores.0, scores.1], dice, say });
    let ending = ending.unwrap_or_else(|e| panic!("{e}"));
    let after = |(player, _, rolled): &(usize, Position, Rolled)| {
        let turn = &rolled.turn;
        if *player == 0 { (turn.score, turn.opponent) } else { (turn.opponent, turn.score) }
    };
    let told: Vec<(i64, i64)> = ending.turns.iter().map(after).collect();
    assert_eq!(told.last().map(|(score0, score1)| [*score0, *score1]), Some(ending.scores));
    (told, ending.said)
}

/// `play` with test dice that never depend on the scores.
pub fn play_with(rules: &Rules, strategies: [Strategist; 2], scores: (u32, u32), outcomes: &[u32]) -> Vec<(i64, i64)> {
    play_saying(rules, strategies, scores, (&mut test_dice(outcomes), sim::silence())).0
}

/// Calls a commentary with scores, one after another: what each of them is answered with.
pub fn commented(first: Commentary, scores: &[(i64, i64)]) -> Vec<String> {
    let mut say = first;
    let mut told = Vec::new();
    for (score0, score1) in scores {
        let (said, next) = say.say(*score0, *score1);
        told.push(said);
        say = next;
    }
    told
}
