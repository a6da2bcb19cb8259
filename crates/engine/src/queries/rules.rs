//! The rules of games: a list of the built-in ones, the rules of one, its text, a check of its
//! examples, and the language of rule files.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{GivenGame, Query};
use crate::engine::{Call, EngineError};
use crate::format::Text;
use crate::rules::builtins;
use crate::view::{FunctionsView, RulesCheckView, RulesListView, RulesTextView, RulesView};

/// The built-in games
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RulesList {}

impl Query for RulesList {
    const NAME: &str = "rules/list";
    const SCHEMA: &str = "rules-list";
    type Answer = RulesListView;

    fn answer(&self, call: &Call) -> Result<RulesListView, EngineError> {
        let rules = |id: &str| call.rules(&GivenGame::named(id));
        let games = builtins().iter().map(|game| rules(game.id)).collect::<Result<Vec<_>, _>>()?;
        Ok(RulesListView::new(&games))
    }
}

/// One game's rules as sentences and formulas
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RulesShow {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
}

impl Query for RulesShow {
    const NAME: &str = "rules/show";
    const SCHEMA: &str = "rules-show";
    type Answer = RulesView;

    fn answer(&self, call: &Call) -> Result<RulesView, EngineError> {
        Ok(RulesView::new(&call.rules(&self.game)?))
    }
}

/// The text of a game's rule file
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RulesText {
    /// The id or alias of a built-in game.
    #[schemars(example = &"sp16")]
    pub rules: Option<String>,
    /// The text of a rule file, in place of `rules`.
    #[schemars(extend("contentMediaType" = "application/toml"))]
    pub file: Option<String>,
}

impl Query for RulesText {
    const NAME: &str = "rules/text";
    const SCHEMA: &str = "rules-text";
    type Answer = RulesTextView;

    fn answer(&self, call: &Call) -> Result<RulesTextView, EngineError> {
        let (rules, file) = (self.rules.clone(), self.file.clone());
        let game = GivenGame { rules, file, ..GivenGame::default() };
        Ok(RulesTextView::new(&call.rules(&game)?))
    }
}

impl Text for RulesTextView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(self.text.as_bytes())
    }
}

/// A check of a rule file and its worked examples
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct RulesCheck {
    /// The game.
    #[serde(flatten)]
    pub game: GivenGame,
}

impl Query for RulesCheck {
    const NAME: &str = "rules/check";
    const SCHEMA: &str = "rules-check";
    const IS_LONG: bool = true;
    type Answer = RulesCheckView;

    fn answer(&self, call: &Call) -> Result<RulesCheckView, EngineError> {
        let (examples, game) = call.engine.check_rules(call.rules(&self.game)?)?;
        Ok(RulesCheckView::new(&[(game.rules(), examples)], None))
    }
}

/// The hooks, variables and functions that rule files may use
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
pub struct RulesFunctions {}

impl Query for RulesFunctions {
    const NAME: &str = "rules/functions";
    const SCHEMA: &str = "rules-functions";
    type Answer = FunctionsView;

    fn answer(&self, _call: &Call) -> Result<FunctionsView, EngineError> {
        Ok(FunctionsView::new())
    }
}
