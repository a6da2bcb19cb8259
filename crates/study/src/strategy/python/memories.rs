//! Strategies in Python files that see the memories of a game, such as the pot of Pig: a function
//! whose parameters after the scores have the names of memories. Where dice are kept, `roll_on` of
//! the scores and all memories says whether to roll, and `worth` what a position within a turn is
//! worth, by which dice are kept.
//!
//! They are asked about every state, which the sandbox knows only as a pair of numbers: functions
//! that are appended to the file turn a pair into the state, and call those of the file.

use hog_sandbox::{At, Fault, Launcher, NoAnswers, QuestionGrid};

use super::{FUNCTION, FileFailure, PythonFile};
use crate::game::{Game, Plan, memory_names};
use crate::rules::Rules;
use crate::solve::Watch;
use crate::strategy::StrategyError;
use crate::strategy::{keeping_points, worth_of_turns};

/// The function that says whether to roll, if no other is named.
const ROLL_ON: &str = "roll_on";

/// The steps of a worth in a point.
const STEPS: f64 = 1000.0;

/// The answer for a file that has no function `worth`.
const NO_WORTH: i32 = -999_999_999;

/// The parameters of a file's function, after the scores, that have the names of memories and no
/// default; none if all are defaults or have other names.
pub fn memories_taken(file: &PythonFile, rules: &Rules) -> Vec<String> {
    if rules.memories.is_empty() {
        return Vec::new();
    }
    let outline = file.outline().unwrap_or_default();
    let functions = outline.functions();
    let Some(own) = functions.iter().rfind(|one| one.name == file.function) else {
        return Vec::new();
    };
    let mut free = memory_names(rules);
    free.retain(|name| file.keywords.iter().all(|(given, _)| given != name));
    let taken = own.parameters.iter().skip(2).filter(|(_, default)| default.is_none());
    taken.map(|(name, _)| name.clone()).filter(|name| free.contains(name)).collect()
}

/// Asks a file about all states of a game.
pub fn plan(
    file: &PythonFile,
    game: &Game,
    launcher: &Launcher,
    follow_links: bool,
    watch: &Watch,
) -> Result<Plan, StrategyError> {
    let text = appended(file, game);
    let states = game.space().states();
    let below = (1..).find(|below| below * below >= states).unwrap_or(1);
    let ask = |function: &'static str, answers| {
        let questions = QuestionGrid { below, answers };
        let asked = file.clone().calling(function, &text);
        let answers = asked.answers(&questions, launcher, follow_links, watch);
        answers.map_err(|failure| file.failed(located(failure, game, below)))
    };
    let space = game.space();
    let dice = ask("hog_dice", space.min_dice..=space.dice(space.actions - 1))?;
    let mut actions = Vec::with_capacity(states);
    for dice in &dice[..states] {
        actions.push(space.action(*dice).expect("answers are checked as they come") as u8);
    }
    let plan = Plan::from_actions(actions);
    if !game.rules().keeps_dice() {
        return Ok(plan);
    }
    let worth = ask("hog_worth", NO_WORTH..=-NO_WORTH)?;
    if worth[..states].contains(&NO_WORTH) {
        return Ok(keeping_points(plan, game));
    }
    let worth = worth[..states].iter().map(|steps| f64::from(*steps) / STEPS).collect();
    Ok(plan.keeping(worth_of_turns(game, worth)))
}

/// The text that is appended to a file.
fn appended(file: &PythonFile, game: &Game) -> String {
    let space = game.space();
    let step = game.rules().step;
    let keeps = game.rules().keeps_dice();
    let function = if keeps && file.function == FUNCTION { ROLL_ON } else { &file.function };
    let mut arguments = String::from(if keeps { "*at" } else { "at[0], at[1]" });
    if !keeps {
        let taken = memories_taken(file, game.rules());
        for (index, name) in memory_names(game.rules()).iter().enumerate() {
            if taken.contains(name) {
                arguments += &format!(", {name}=at[{}]", index + 2);
            }
        }
    }
    for (name, value) in &file.keywords {
        arguments += &format!(", {name}={value}");
    }
    let mut places = String::new();
    for place in 0..space.per_cell() {
        places += &format!("{:?},", game.position(place).memory).replace(' ', "");
    }
    let below = (1..).find(|below| below * below >= space.states()).unwrap_or(1);
    let least = space.min_dice;
    let most = space.dice(space.actions - 1);
    // Whether to roll may be said as in `return pot < 20`.
    let said = match space.actions {
        2 => format!("{most} if answer is True else {least} if answer is False else answer"),
        _ => "answer".to_owned(),
    };
    format!(
        "

_HOG_PLACES = [{places}]
def _hog_position(a, b):
    cell, place = divmod(min(a * {below} + b, {states} - 1), {per_cell})
    score, opponent = divmod(cell, {goal})
    return (score * {step}, opponent * {step}, *_HOG_PLACES[place])
def hog_dice(a, b):
    at = _hog_position(a, b)
    answer = {function}({arguments})
    return {said}
def hog_worth(a, b):
    if 'worth' not in globals():
        return {NO_WORTH}
    answer = worth(*_hog_position(a, b))
    return int(round(answer * {STEPS})) if type(answer) in (int, float) else answer
",
        states = space.states(),
        per_cell = space.per_cell(),
        goal = space.goal,
    )
}

/// The failure of a function of the scores, which says that it may take the memories of a game with
/// a pot as well.
pub fn with_memories(failure: FileFailure, rules: &Rules) -> FileFailure {
    let FileFailure::Answers(NoAnswers::Fault(Fault::Arguments { takes, given, line })) = failure
    else {
        return failure;
    };
    let given = match rules.pot() {
        Some(_) => format!("{given}[, {}]", memory_names(rules).join(", ")),
        None => given,
    };
    FileFailure::Answers(NoAnswers::Fault(Fault::Arguments { takes, given, line }))
}

/// The failure with the scores where it happened, in place of the pair of numbers asked about.
fn located(failure: FileFailure, game: &Game, below: usize) -> FileFailure {
    let FileFailure::Answers(NoAnswers::Fault(mut fault)) = failure else { return failure };
    if let Fault::Arguments { given, .. } = &mut fault {
        *given = format!("score, opponent_score, {}", memory_names(game.rules()).join(", "));
    }
    if let Some(at) = fault.at_mut() {
        let states = game.space().states();
        let scores = |a: u32, b: u32| {
            let position = game.position((a as usize * below + b as usize).min(states - 1));
            (position.score, position.opponent)
        };
        *at = match *at {
            At::Loading => At::Loading,
            At::Call(a, b) => {
                let (score, opponent) = scores(a, b);
                At::Call(score, opponent)
            }
            At::AfterCall(a, b) => {
                let (score, opponent) = scores(a, b);
                At::AfterCall(score, opponent)
            }
        };
    }
    FileFailure::Answers(NoAnswers::Fault(fault))
}
