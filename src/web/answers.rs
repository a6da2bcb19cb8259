//! Answers each request by calling the engine.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::archive::Archive;
use super::parameters::Parameters;
use super::refusal::Refusal;
use super::uploads::Uploads;
use crate::Engine;
use crate::contest::Field;
use crate::engine::{
    Contest, ContestQuery, EngineError, GameQuery, MapLayers, Pairs, PlayQuery, Query, SolveQuery,
};
use crate::format::{self, Audience, FileNames};
use crate::game::Game;
use crate::plot;
use crate::queries::{self, Best, Bid, Rate, Turn};
use crate::rules::{Overrides, Rules, builtins};
use crate::strategy::Strategy;
use crate::view::{
    DiceView, FunctionsView, RulesCheckView, RulesListView, RulesTextView, RulesView,
};

/// One request: its parameters, its uploaded files, and the engine that answers it.
pub(super) struct Call {
    pub parameters: Arc<Parameters>,
    pub engine: Engine,
    pub uploads: Arc<Uploads>,
}

/// The name of an uploaded rule file in error messages.
const SENT: &str = "rules";

/// The most positions that `explain` lists.
const MOST_LISTED: usize = 1 << 20;

/// What a map may show in addition to best rolls and win rates.
pub(super) const LAYERS: [&str; 3] = ["spread", "met", "hold"];

type Answer = Result<Vec<u8>, Refusal>;

impl Call {
    fn overrides(&self) -> Overrides {
        Overrides { goal: self.parameters.goal, max_dice: self.parameters.max_dice }
    }

    fn rules(&self) -> Result<Rules, Refusal> {
        let rules = match &self.parameters.rules {
            Some(name) => {
                self.engine.rules(GameQuery::new(name.clone()).overrides(self.overrides()))?
            }
            None => self
                .engine
                .rules_from(self.rule_file(), SENT, self.overrides())
                .map_err(EngineError::from)?,
        };
        Ok(rules)
    }

    fn game(&self) -> Result<Arc<Game>, Refusal> {
        let game = match &self.parameters.rules {
            Some(name) => {
                self.engine.game(GameQuery::new(name.clone()).overrides(self.overrides()))?
            }
            None => {
                self.engine.game_from(self.rule_file().to_owned(), SENT.into(), self.overrides())?
            }
        };
        Ok(game)
    }

    /// Returns the text of the uploaded rule file.
    fn rule_file(&self) -> &str {
        self.parameters.file.as_deref().unwrap_or_default()
    }

    /// Returns a strategy that is built in or uploaded.
    fn strategy(&self, text: &str) -> Result<Strategy, Refusal> {
        Ok(self.uploads.strategy(text)?)
    }

    fn against(&self) -> Result<Option<Strategy>, Refusal> {
        self.parameters.against.as_deref().map(|text| self.strategy(text)).transpose()
    }

    fn named_strategy(&self) -> Result<Strategy, Refusal> {
        self.strategy(self.parameters.strategy.as_deref().unwrap_or_default())
    }

    /// Returns the position and the opponent; scores that are not given are 0.
    fn position(&self) -> Result<Query, Refusal> {
        let parameters = &self.parameters;
        let start = Query::scores(parameters.score.unwrap_or(0), parameters.opponent.unwrap_or(0));
        let query =
            start.memories(parameters.memory.iter().map(|(name, value)| (name.clone(), *value)));
        Ok(match self.against()? {
            Some(strategy) => query.against(strategy),
            None => query,
        })
    }

    /// Answers a question of the engine's list.
    fn ask<Q: queries::Query>(&self) -> Answer {
        let query: Q = serde_json::from_value(self.parameters.document.clone())
            .map_err(|error| Refusal::malformed(error.to_string()))?;
        self.document(&self.engine.ask(&query)?)
    }

    /// Serializes a view, without the path of the folder that holds the uploaded files.
    fn document(&self, view: &impl Serialize) -> Answer {
        let mut out = Bounded { bytes: Vec::new(), is_full: false };
        match format::json_without_end(view, &mut out) {
            Err(_) if out.is_full => {
                let most = LARGEST_ANSWER >> 20;
                let message =
                    format!("the answer has more than {most} MiB: ask for less, or lower the goal");
                Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message))
            }
            Err(error) => Err(Refusal::from_fault(&error)),
            Ok(()) => Ok(self.uploads.without_folder(out.bytes)),
        }
    }
}

/// The largest answer, in bytes: a map of a thousand by a thousand positions with all layers has
/// half of it.
const LARGEST_ANSWER: usize = 192 << 20;

/// An answer that grows to at most [`LARGEST_ANSWER`].
struct Bounded {
    bytes: Vec<u8>,
    is_full: bool,
}

impl std::io::Write for Bounded {
    fn write(&mut self, more: &[u8]) -> std::io::Result<usize> {
        self.is_full = self.bytes.len() + more.len() > LARGEST_ANSWER;
        if self.is_full {
            return Err(std::io::ErrorKind::FileTooLarge.into());
        }
        self.bytes.extend_from_slice(more);
        Ok(more.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Makes a response from a JSON document.
pub(super) fn json_response(bytes: impl Into<Bytes>) -> Response {
    let mut response = bytes.into().into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(super) fn best(call: &Call) -> Answer {
    call.ask::<Best>()
}

pub(super) fn bid(call: &Call) -> Answer {
    call.ask::<Bid>()
}

pub(super) fn contest(call: &Call) -> Answer {
    call.document(&played(call, &call.game()?)?.view)
}

pub(super) fn contest_reports(call: &Call) -> Answer {
    let game = call.game()?;
    let contest = played(call, &game)?;
    let mut archive = Archive::new();
    let names = (&FileNames::of(&contest.view), Audience::Staff);
    plot::contest_reports(&call.engine, &game, &contest, names, |name, page| {
        archive.add(name, page)
    })?;
    call.document(&archive.view(&format!("contest-{}.zip", game.rules().id))?)
}

fn played(call: &Call, game: &Arc<Game>) -> Result<Contest, Refusal> {
    admit_entrants(call.parameters.entrants.len())?;
    let names = call.uploads.entrants(&call.parameters.entrants)?;
    if names.is_empty() {
        return Err(Refusal::malformed(
            "there are no entrants: name strategies as `entrants`, or send `files`",
        ));
    }
    admit_entrants(names.len())?;
    // A file may have several entrants.
    let may = |field: &Field| admit_entrants(field.entrants.len());
    let mut query = ContestQuery::of(&names);
    query.invitation.sent_in = call.uploads.folder().map(Path::to_owned);
    // Files that take too long are left out, and the others still play.
    query.invitation.until = call.engine.time_left().map(|left| Instant::now() + left * 2 / 3);
    call.engine.contest_if(game, &query, Pairs::none(game), may)
}

/// The most entrants of a contest: the answer has the win rates of all pairs.
const MOST_ENTRANTS: usize = 1000;

fn admit_entrants(number: usize) -> Result<(), Refusal> {
    let message =
        || format!("{number} entrants: the server plays contests of at most {MOST_ENTRANTS}");
    if number <= MOST_ENTRANTS { Ok(()) } else { Err(Refusal::malformed(message())) }
}

pub(super) fn dice(call: &Call) -> Answer {
    let (number, die) = (call.parameters.number.unwrap_or(0), call.parameters.die.unwrap_or(6));
    let view =
        DiceView::new(number, die.into()).map_err(|error| Refusal::malformed(error.to_string()))?;
    call.document(&view)
}

pub(super) fn describe(call: &Call) -> Answer {
    let players = match &call.parameters.players[..] {
        [] => [Strategy::Optimal, Strategy::Optimal],
        [first, second] => [call.strategy(first)?, call.strategy(second)?],
        _ => return Err(Refusal::malformed("`players` must be two: Player 0 and Player 1")),
    };
    call.document(&call.engine.describe(&call.game()?, [&players[0], &players[1]])?)
}

pub(super) fn explain(call: &Call) -> Answer {
    let (strategy, against) = (call.named_strategy()?, call.against()?);
    let top = call.parameters.top.unwrap_or(10).min(MOST_LISTED);
    call.document(&call.engine.explain(&call.game()?, &strategy, against.as_ref(), top)?)
}

pub(super) fn map(call: &Call) -> Answer {
    let layers = &call.parameters.layers;
    if let Some(unknown) = layers.iter().find(|layer| !LAYERS.contains(&layer.as_str())) {
        return Err(Refusal::malformed(format!(
            "`{unknown}` is not a layer: name `spread`, `met` or `hold`"
        )));
    }
    let wants = |name: &str| layers.iter().any(|layer| layer == name);
    let strategy =
        call.parameters.strategy.as_deref().map(|text| call.strategy(text)).transpose()?;
    let layers = MapLayers::default().spread(wants("spread")).met(wants("met")).hold(wants("hold"));
    let layers = layers.strategy(strategy);
    call.document(&call.engine.map(&call.game()?, &call.position()?, &layers)?)
}

pub(super) fn play(call: &Call) -> Answer {
    let parameters = &call.parameters;
    let [first, second] = &parameters.players[..] else {
        return Err(Refusal::malformed("`players` must be two: Player 0 and Player 1"));
    };
    let player =
        |text: &str| if text == "person" { Ok(None) } else { call.strategy(text).map(Some) };
    let game = call.game()?;
    let from = call.position()?.position(game.rules()).map_err(EngineError::from)?;
    let query = PlayQuery::new([player(first)?, player(second)?], parameters.seed.unwrap_or(0));
    call.document(&call.engine.play(&game, &query.rolls(parameters.rolls.clone()).from(from))?)
}

pub(super) fn rate(call: &Call) -> Answer {
    call.ask::<Rate>()
}

pub(super) fn rules_list(call: &Call) -> Answer {
    let games =
        builtins().iter().map(|game| call.engine.rules(game.id)).collect::<Result<Vec<_>, _>>()?;
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
    let (examples, game) = call.engine.check_rules(rules)?;
    call.document(&RulesCheckView::new(&[(game.rules(), examples)], None))
}

pub(super) fn rules_functions(call: &Call) -> Answer {
    call.document(&FunctionsView::new())
}

pub(super) fn solve(call: &Call) -> Answer {
    let query = match call.against()? {
        Some(strategy) => SolveQuery::best_response(strategy),
        None => SolveQuery::equilibrium(),
    };
    // Resolving near ties may take longer than the time limit of a request.
    let query = query.fraction(call.parameters.fraction).separate(false);
    call.document(&call.engine.solve(&call.game()?, &query)?)
}

pub(super) fn turn(call: &Call) -> Answer {
    call.ask::<Turn>()
}

pub(super) fn why(call: &Call) -> Answer {
    let rolls = match call.parameters.rolls[..] {
        [] => None,
        [one, other] => Some([one, other]),
        _ => {
            return Err(Refusal::malformed(
                "`rolls` must be two numbers of dice to compare, or be left out",
            ));
        }
    };
    call.document(&call.engine.why(&call.game()?, &call.position()?, rolls)?)
}
