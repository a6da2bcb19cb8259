//! Each question put to the engine.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::archive::Archive;
use super::question::Question;
use super::refusal::Refusal;
use super::uploads::Uploads;
use crate::Engine;
use crate::engine::{Contest, ContestQuery, EngineError, GameQuery, MapLayers, Pairs, PlayQuery, Query, SolveQuery};
use crate::game::Game;
use crate::plot;
use crate::rules::{Overrides, Rules, builtins, rules_from_text};
use crate::strategy::Strategy;
use crate::view::{DiceView, FunctionsView, RulesCheckView, RulesListView, RulesTextView, RulesView};

/// One question, with the engine that may answer it and the files that came with it.
pub(super) struct Call {
    pub question: Question,
    pub engine: Engine,
    pub uploads: Uploads,
}

/// How a rule file that was sent is called in faults.
const SENT: &str = "rules";

/// The most positions that `explain` lists.
const MOST_LISTED: usize = 1 << 20;

/// What a map may show beside best rolls and win rates.
pub(super) const LAYERS: [&str; 2] = ["spread", "met"];

type Answer = Result<Vec<u8>, Refusal>;

impl Call {
    fn overrides(&self) -> Overrides {
        Overrides { goal: self.question.goal, max_dice: self.question.max_dice }
    }

    fn rules(&self) -> Result<Rules, Refusal> {
        let rules = match (&self.question.rules, &self.question.file) {
            (Some(name), _) => self.engine.rules(GameQuery::new(name.clone()).overrides(self.overrides()))?,
            (None, text) => {
                let text = self.rule_file(text.as_deref())?;
                let faulty = |faults| EngineError::Game(faults);
                rules_from_text(text, SENT, self.overrides()).map_err(faulty)?
            }
        };
        opens_nothing(&rules)?;
        Ok(rules)
    }

    /// A rule file that was sent, unless it is larger than one on a disk may be.
    fn rule_file<'t>(&self, text: Option<&'t str>) -> Result<&'t str, Refusal> {
        let (text, most) = (text.unwrap_or_default(), self.engine.limits().rule_file);
        if text.len() as u64 > most {
            return Err(Refusal::malformed(format!("the rule file has {} bytes; at most {most} are read", text.len())));
        }
        Ok(text)
    }

    fn game(&self) -> Result<Arc<Game>, Refusal> {
        let game = match (&self.question.rules, &self.question.file) {
            (Some(name), _) => self.engine.game(GameQuery::new(name.clone()).overrides(self.overrides()))?,
            (None, text) => {
                let text = self.rule_file(text.as_deref())?.to_owned();
                self.engine.game_from(text, SENT.into(), self.overrides())?
            }
        };
        opens_nothing(game.rules())?;
        Ok(game)
    }

    /// A strategy that is built in, or one that was sent.
    fn strategy(&self, text: &str) -> Result<Strategy, Refusal> {
        self.uploads.strategy(text)
    }

    fn against(&self) -> Result<Option<Strategy>, Refusal> {
        self.question.against.as_deref().map(|text| self.strategy(text)).transpose()
    }

    fn named_strategy(&self) -> Result<Strategy, Refusal> {
        self.strategy(self.question.strategy.as_deref().unwrap_or_default())
    }

    /// The position, 0 to 0 if no scores are named.
    fn position(&self) -> Result<Query, Refusal> {
        let question = &self.question;
        let start = Query::scores(question.score.unwrap_or(0), question.opponent.unwrap_or(0));
        let query = question.memory.iter().fold(start, |query, (name, value)| query.memory(name, *value));
        Ok(match self.against()? {
            Some(strategy) => query.against(strategy),
            None => query,
        })
    }

    /// A view as a document, without the folder that files were put into.
    fn document(&self, view: &impl Serialize) -> Answer {
        let bytes = serde_json::to_vec(view);
        let bytes = bytes.map_err(|error| Refusal::from_fault(&error))?;
        Ok(self.uploads.without_folder(bytes))
    }
}

/// Rules may name a file as their baseline; one that was sent must not be read for it.
fn opens_nothing(rules: &Rules) -> Result<(), Refusal> {
    match rules.baseline.as_deref().map(str::parse::<Strategy>) {
        Some(Ok(strategy)) if !strategy.is_builtin() => {
            Err(Refusal::malformed("the rules name a file as their baseline, which is not allowed here"))
        }
        _ => Ok(()),
    }
}

/// A response that holds a JSON document.
pub(super) fn json_response(bytes: impl Into<Bytes>) -> Response {
    let mut response = bytes.into().into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(super) fn best(call: &Call) -> Answer {
    call.document(&call.engine.best(&call.game()?, &call.position()?)?)
}

pub(super) fn bid(call: &Call) -> Answer {
    call.document(&call.engine.bid(&call.game()?)?)
}

pub(super) fn contest(call: &Call) -> Answer {
    call.document(&played(call, &call.game()?)?.view)
}

pub(super) fn contest_reports(call: &Call) -> Answer {
    let game = call.game()?;
    let contest = played(call, &game)?;
    let mut archive = Archive::new();
    plot::contest_reports(&call.engine, &game, &contest, |name, page| archive.add(name, page))?;
    call.document(&archive.view(&format!("contest-{}.zip", game.rules().id))?)
}

fn played(call: &Call, game: &Arc<Game>) -> Result<Contest, Refusal> {
    let names = call.uploads.entrants(&call.question.entrants)?;
    if names.is_empty() {
        return Err(Refusal::malformed("nobody takes part: name strategies as `entrants`, or send `files`"));
    }
    Ok(call.engine.contest(game, &ContestQuery::of(&names), Pairs::none(game))?)
}

pub(super) fn dice(call: &Call) -> Answer {
    let (number, die) = (call.question.number.unwrap_or(0), call.question.die.unwrap_or(6));
    let view = DiceView::new(number, die.into()).map_err(|error| Refusal::malformed(error.to_string()))?;
    call.document(&view)
}

pub(super) fn describe(call: &Call) -> Answer {
    let players = match &call.question.players[..] {
        [] => [Strategy::Optimal, Strategy::Optimal],
        [first, second] => [call.strategy(first)?, call.strategy(second)?],
        _ => return Err(Refusal::malformed("`players` are two: Player 0 and Player 1")),
    };
    call.document(&call.engine.describe(&call.game()?, [&players[0], &players[1]])?)
}

pub(super) fn explain(call: &Call) -> Answer {
    let (strategy, against) = (call.named_strategy()?, call.against()?);
    let top = call.question.top.unwrap_or(10).min(MOST_LISTED);
    call.document(&call.engine.explain(&call.game()?, &strategy, against.as_ref(), top)?)
}

pub(super) fn map(call: &Call) -> Answer {
    let layers = &call.question.layers;
    if let Some(unknown) = layers.iter().find(|layer| !LAYERS.contains(&layer.as_str())) {
        return Err(Refusal::malformed(format!("`{unknown}` is no layer: name `spread` or `met`")));
    }
    let asked = |name: &str| layers.iter().any(|layer| layer == name);
    let strategy = call.question.strategy.as_deref().map(|text| call.strategy(text)).transpose()?;
    let layers = MapLayers::default().with(asked("spread"), asked("met")).strategy(strategy);
    call.document(&call.engine.map(&call.game()?, &call.position()?, &layers)?)
}

pub(super) fn play(call: &Call) -> Answer {
    let question = &call.question;
    let [first, second] = &question.players[..] else {
        return Err(Refusal::malformed("`players` are two: Player 0 and Player 1"));
    };
    let player = |text: &str| if text == "person" { Ok(None) } else { call.strategy(text).map(Some) };
    let game = call.game()?;
    let from = call.position()?.position(game.rules()).map_err(EngineError::from)?;
    let query = PlayQuery::new([player(first)?, player(second)?], question.seed.unwrap_or(0));
    call.document(&call.engine.play(&game, &query.rolls(question.rolls.clone()).from(from))?)
}

pub(super) fn rate(call: &Call) -> Answer {
    let (strategy, against) = (call.named_strategy()?, call.against()?);
    call.document(&call.engine.rate(&call.game()?, &strategy, against.as_ref())?)
}

pub(super) fn rules_list(call: &Call) -> Answer {
    let games = builtins().iter().map(|game| call.engine.rules(game.id)).collect::<Result<Vec<_>, _>>()?;
    call.document(&RulesListView::new(&games))
}

pub(super) fn rules_show(call: &Call) -> Answer {
    call.document(&RulesView::new(&call.rules()?))
}

pub(super) fn rules_text(call: &Call) -> Answer {
    let rules = call.rules()?;
    call.document(&RulesTextView::new(&rules))
}

pub(super) fn rules_check(call: &Call) -> Answer {
    let rules = call.rules()?;
    let examples = call.engine.check_examples(&rules)?;
    let checked = vec![(rules.id.clone(), examples)];
    call.engine.tabulate(rules)?;
    call.document(&RulesCheckView::new(checked, None))
}

pub(super) fn rules_functions(call: &Call) -> Answer {
    call.document(&FunctionsView::new())
}

pub(super) fn solve(call: &Call) -> Answer {
    let query = match call.against()? {
        Some(strategy) => SolveQuery::best_response(strategy),
        None => SolveQuery::equilibrium(),
    };
    // More digits may take longer than a question may.
    let query = query.fraction(call.question.fraction).separate(false);
    call.document(&call.engine.solve(&call.game()?, &query)?)
}

pub(super) fn turn(call: &Call) -> Answer {
    let Some(dice) = &call.question.dice else { return Err(Refusal::malformed("`dice` is missing")) };
    call.document(&call.engine.turn(&call.rules()?, &call.position()?, dice)?)
}

pub(super) fn why(call: &Call) -> Answer {
    let rolls = match call.question.rolls[..] {
        [] => None,
        [one, other] => Some([one, other]),
        _ => return Err(Refusal::malformed("`rolls` are two numbers of dice to compare, or none")),
    };
    call.document(&call.engine.why(&call.game()?, &call.position()?, rolls)?)
}
