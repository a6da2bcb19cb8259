//! Loads games: rules by name or from a text, and their games. Every text of a rule file is read
//! here, within the limits.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::given::{GivenGame, GivenPosition};
use crate::files;
use crate::game::{Game, Position};
use crate::rules::{
    Faults, Overrides, Rules, RulesError, STARTS, builtin, refuse_other_file, rules_from_text,
    unknown,
};
use crate::strategy::{INPUT, Strategy, StrategyError};

use super::call::Call;
use super::{Engine, Error, GameKey, locked};

/// The name of a rule file that was sent, in error messages.
const SENT: &str = "rules";

impl Engine {
    /// Reads the rules of a game.
    ///
    /// # Errors
    /// Returns an error if no game has this name, its rule file may not or cannot be read, or the
    /// file has faults.
    pub fn rules(&self, given: impl Into<GivenGame>) -> Result<Rules, Error> {
        self.call().rules(&given.into())
    }

    /// Reads rules from the text of a rule file, which is called `origin` in error messages.
    ///
    /// # Errors
    /// Returns an error if the text is longer than the limit or has faults, or an override is out
    /// of range.
    pub fn rules_from(
        &self,
        text: &str,
        origin: &str,
        overrides: Overrides,
    ) -> Result<Rules, RulesError> {
        self.admit_text(text, origin)?;
        read_rules(text, origin, overrides)
    }

    /// Reads the rules of a game and tabulates them, so that it can be queried.
    ///
    /// # Errors
    /// As [`Self::rules`], and if the rules do not define a valid game or the game exceeds the
    /// limits.
    pub fn game(&self, given: impl Into<GivenGame>) -> Result<Arc<Game>, Error> {
        self.call().game(&given.into())
    }

    /// Makes a game from the text of a rule file, which is called `origin` in error messages. The
    /// game is cached.
    ///
    /// # Errors
    /// As [`Self::rules_from`], and if the rules do not define a valid game or the game exceeds the
    /// limits.
    pub fn game_from(
        &self,
        text: String,
        origin: String,
        overrides: Overrides,
    ) -> Result<Arc<Game>, Error> {
        self.admit_text(&text, &origin)?;
        self.call().game_of(GameKey { origin, text, overrides }, |_| Ok(()))
    }

    /// Tabulates rules: turns them into a game that can be queried. The game is not cached.
    ///
    /// # Errors
    /// Returns an error if the rules do not define a valid game, the game exceeds the limits, or
    /// the work is stopped.
    pub fn tabulate(&self, rules: Rules) -> Result<Arc<Game>, Error> {
        self.call().tabulate(rules)
    }

    /// Returns the origin and the text of the rule file that a request names or holds, and the
    /// changes to the rules.
    fn game_key(&self, given: &GivenGame) -> Result<GameKey, Error> {
        let mut key = self.key_of_text(given)?;
        let mut named = Vec::new();
        for (name, value) in &given.numbers {
            let overrides = &mut key.overrides;
            let overridden = match &name[..] {
                "goal" => (&mut overrides.goal, given.goal),
                "max_dice" | "max-dice" => (&mut overrides.max_dice, given.max_dice),
                _ => {
                    named.push((name.clone(), *value));
                    continue;
                }
            };
            if overridden.1.is_some() {
                return Err(Error::malformed_by("numbers", format!("{name} is set twice")));
            }
            let value = u32::try_from(*value);
            *overridden.0 = Some(value.map_err(|_| {
                Error::malformed_by("numbers", format!("{name} is a number of 0 or more"))
            })?);
        }
        if !named.is_empty() {
            key.text = with_numbers(&key.text, &key.origin, &named)?;
        }
        Ok(key)
    }

    /// As [`Self::game_key`], with the file's own values of its numbers.
    fn key_of_text(&self, given: &GivenGame) -> Result<GameKey, Error> {
        if let Some(game) = self.known(given) {
            let rules = game.rules();
            // Its text has the goal and the dice from before they were replaced.
            let overrides = Overrides {
                goal: given.goal.or(Some(rules.goal)),
                max_dice: given.max_dice.or(u32::try_from(rules.max_dice).ok()),
            };
            let [origin, text] = [&rules.id, &rules.text].map(String::clone);
            return Ok(GameKey { origin, text, overrides });
        }
        match (&given.rules, &given.file) {
            (Some(name), None) => {
                let (origin, text) = self.rule_text(name)?;
                Ok(GameKey { origin, text, overrides: given.overrides() })
            }
            (None, Some(text)) => {
                self.admit_text(text, SENT)?;
                let [origin, text] = [SENT, text].map(str::to_owned);
                Ok(GameKey { origin, text, overrides: given.overrides() })
            }
            _ => Err(Error::malformed("name a game with `rules`, or send a rule file as `file`")),
        }
    }

    /// Returns the tabulated game that a request holds or, if it names none, is about.
    fn known<'g>(&'g self, given: &'g GivenGame) -> Option<&'g Arc<Game>> {
        let names_none = given.rules.is_none() && given.file.is_none();
        given.tabulated.as_ref().or_else(|| self.game.as_ref().filter(|_| names_none))
    }

    /// Returns the origin and the text of a rule file: `(id or path, text)`.
    fn rule_text(&self, name: &str) -> Result<(String, String), Error> {
        if let Some(game) = builtin(name) {
            return Ok((name.to_ascii_lowercase(), game.text.to_owned()));
        }
        if let Some(file) = self.sources().input().filter(|_| name == INPUT) {
            return self.file_text(file, name);
        }
        let path = Path::new(name);
        let open = self.sources().opens_rule_files();
        let looks_like_path = path.extension().is_some() || name.contains(std::path::is_separator);
        let is_path = looks_like_path || (open && path.exists());
        if !is_path {
            return Err(unknown(name).into());
        }
        if !open {
            return Err(Error::Closed { name: name.to_owned() });
        }
        refuse_other_file(path)?;
        self.file_text(path, name)
    }

    /// Reads the text of a rule file, which is called `name` in messages.
    fn file_text(&self, path: &Path, name: &str) -> Result<(String, String), Error> {
        let text = files::read_text(path, self.limits().rule_file);
        let text = text.map_err(|error| RulesError::Unreadable { path: name.into(), error })?;
        Ok((name.to_owned(), text))
    }

    /// Checks the length of the text of a rule file.
    fn admit_text(&self, text: &str, origin: &str) -> Result<(), RulesError> {
        let bytes = text.len();
        let most = self.limits().rule_file;
        if bytes as u64 <= most {
            Ok(())
        } else {
            Err(RulesError::TooLong { origin: origin.to_owned(), bytes, most })
        }
    }
}

impl Call<'_> {
    /// Returns the rules of a request's game.
    pub fn rules(&self, given: &GivenGame) -> Result<Rules, Error> {
        if let Some(game) = self.tabulated(given) {
            return Ok(game.rules().clone());
        }
        let GameKey { origin, text, overrides } = self.engine.game_key(given)?;
        Ok(read_rules(&text, &origin, overrides)?)
    }

    /// Returns a request's game.
    pub fn game(&self, given: &GivenGame) -> Result<Arc<Game>, Error> {
        self.game_if(given, |_| Ok(()))
    }

    /// Returns a request's game and position.
    pub(crate) fn game_at(
        &self,
        given: &GivenGame,
        position: &GivenPosition,
    ) -> Result<(Arc<Game>, Position), Error> {
        // An invalid position is the most common mistake, so it is found before the game is
        // tabulated.
        let game = self.game_if(given, |rules| {
            position.position(rules)?;
            Ok(())
        })?;
        let position = position.position(game.rules())?;
        Ok((game, position))
    }

    /// Returns a request's game if `accept` accepts its rules: the cached game, or one that is made
    /// now.
    pub(crate) fn game_if(
        &self,
        given: &GivenGame,
        accept: impl FnOnce(&Rules) -> Result<(), Error>,
    ) -> Result<Arc<Game>, Error> {
        if let Some(game) = self.tabulated(given) {
            return accept(game.rules()).map(|()| Arc::clone(game));
        }
        self.game_of(self.engine.game_key(given)?, accept)
    }

    /// Returns the game of a request that is tabulated already, unless the request changes it.
    fn tabulated<'g>(&'g self, given: &'g GivenGame) -> Option<&'g Arc<Game>> {
        self.engine.known(given).filter(|game| {
            let rules = game.rules();
            given.numbers.is_empty()
                && given.goal.is_none_or(|goal| goal == rules.goal)
                && given.max_dice.is_none_or(|most| i64::from(most) == i64::from(rules.max_dice))
        })
    }

    /// Returns the cached game of a text, or makes it, if `accept` accepts its rules.
    fn game_of(
        &self,
        key: GameKey,
        accept: impl FnOnce(&Rules) -> Result<(), Error>,
    ) -> Result<Arc<Game>, Error> {
        let known = locked(&self.engine.shared.games).get(&key);
        if let Some(game) = known {
            return accept(game.rules()).map(|()| game);
        }
        let rules = read_rules(&key.text, &key.origin, key.overrides)?;
        accept(&rules)?;
        let game = self.tabulate(rules)?;
        let weight = game.bytes() + (key.origin.len() + key.text.len()) as u64;
        Ok(locked(&self.engine.shared.games).add(key, game, weight))
    }

    /// Tabulates rules within the limits.
    pub(crate) fn tabulate(&self, rules: Rules) -> Result<Arc<Game>, Error> {
        self.check()?;
        self.engine.limits().admit_rules(&rules)?;
        // Announced once: the parts of this work are many and short, and not counted beforehand.
        if let Some(progress) = self.progress {
            progress.named_step("tabulating", &self.about, 0, 1);
        }
        let game = Game::watched(rules, self.engine.limits().memory, &|| self.check().is_ok());
        if let Some(progress) = self.progress {
            progress.end();
        }
        let game = game.map_err(|error| self.game_error(error))?;
        self.engine.limits().admit_game(game.rules(), game.space())?;
        Ok(Arc::new(game))
    }
}

/// Returns the text of a rule file with other values of its numbers.
///
/// # Errors
/// Returns an error if the text has faults, or no such number, or a number has two values.
fn with_numbers(text: &str, origin: &str, numbers: &[(String, i64)]) -> Result<String, Error> {
    let mut values: BTreeMap<&str, i64> = BTreeMap::new();
    for (name, value) in numbers {
        if values.insert(name, *value).is_some() {
            return Err(Error::malformed_by("numbers", format!("{name} is set twice")));
        }
    }
    let rules = read_rules(text, origin, Overrides::default())?;
    let values: Vec<(&str, i64)> = values.into_iter().collect();
    rules.with_numbers(&values).map_err(|name| {
        let own = rules.numbers.iter().map(|number| number.name.as_str());
        let known = own.chain(["goal", "max_dice"]).chain(STARTS).collect::<Vec<_>>().join(", ");
        let fault = format!("{} has no number `{name}`: {known} can be changed", rules.id);
        Error::malformed_by("numbers", fault)
    })
}

/// Refuses rules by which dice are kept or scores have steps.
///
/// # Errors
/// Returns an error then.
pub fn of_usual_kind(rules: &Rules) -> Result<(), Error> {
    let what = match (rules.keeps_dice(), rules.has_steps()) {
        (false, false) => return Ok(()),
        (true, _) => "dice are kept after the roll",
        (false, true) => "scores have steps",
    };
    Err(Error::NotOfSuchGames { game: rules.id.clone(), what })
}

/// Reads rules and checks that their baseline is a built-in strategy. Whether the rules allow its
/// rolls is not checked: the game can be solved even so, and `rules check` warns.
pub(super) fn read_rules(
    text: &str,
    origin: &str,
    overrides: Overrides,
) -> Result<Rules, RulesError> {
    let rules = rules_from_text(text, origin, overrides)?;
    match baseline_fault(&rules) {
        Some(fault) => Err(RulesError::Faulty(fault)),
        None => Ok(rules),
    }
}

/// Returns what is wrong with the baseline of rules.
fn baseline_fault(rules: &Rules) -> Option<Faults> {
    let baseline = rules.baseline.as_deref()?;
    let strategy =
        match baseline.parse::<Strategy>() {
            Ok(strategy) => strategy,
            Err(StrategyError::Unknown { reason, .. }) => {
                return Some(rules.baseline_fault(
                    format!("the baseline `{baseline}` is not a strategy"),
                    &reason,
                ));
            }
            Err(_) => return None,
        };
    if strategy.asks_for_baseline() {
        let message = format!("the baseline `{baseline}` names itself");
        return Some(rules.baseline_fault(message, "name a strategy, as in `always_roll:6`"));
    }
    if !strategy.is_builtin() {
        let message = format!("the baseline `{baseline}` needs a file, and rules open no files");
        let fix = "name a built-in one, as in `always_roll:6`, and name the file as the opponent \
                   where you need it";
        return Some(rules.baseline_fault(message, fix));
    }
    None
}
