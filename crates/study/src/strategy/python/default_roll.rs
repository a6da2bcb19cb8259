//! A strategy in a Python file that fails at some scores, and rolls a default there.

use hog_sandbox::{Fault, QuestionGrid};

use super::{PythonFault, PythonFile};
use crate::game::{Game, Plan};
use crate::solve::Watch;
use crate::strategy::{Sources, Strategy, StrategyError};

/// The function that is appended to the file.
const FUNCTION: &str = "hog_roll_or_failure";

/// What a strategy with a default roll plays.
#[derive(Clone, Debug)]
pub struct DefaultRolled {
    /// Its rolls.
    pub plan: Plan,
    /// At how many pairs of scores it rolls the default.
    pub failures: usize,
    /// The number of all pairs of scores.
    pub asked: usize,
}

impl PythonFault {
    /// Whether the function fails at a call, so that it may do better at others.
    pub fn is_of_scores(&self) -> bool {
        matches!(
            self.0,
            Fault::Raised { at: hog_sandbox::At::Call(..), .. }
                | Fault::NotWhole { .. }
                | Fault::OutOfRange { .. }
        )
    }
}

impl PythonFile {
    /// Calls the function for all pairs of scores of a game in which no dice are kept. Where it
    /// raises an exception, or returns no number that may be rolled, it rolls the default.
    ///
    /// # Errors
    /// As [`Strategy::plan_from`] for other faults.
    pub fn plan_with_default(
        &self,
        default: i32,
        game: &Game,
        sources: &Sources,
        watch: &Watch,
    ) -> Result<DefaultRolled, StrategyError> {
        let space = game.space();
        let failure = space.min_dice - 1;
        let most = space.dice(space.actions - 1);
        let text = format!(
            "

def {FUNCTION}(score, opponent_score):
    try:
        dice = {function}(score, opponent_score)
        is_number = hasattr(dice, '__index__') and not isinstance(dice, bool)
        return dice if is_number and {least} <= dice <= {most} else {failure}
    except Exception:
        return {failure}
",
            function = self.function,
            least = space.min_dice,
        );
        let questions = QuestionGrid { below: space.goal, answers: failure..=most };
        let launcher = sources.launcher(&Strategy::Python(self.clone()))?;
        let answers = self
            .clone()
            .calling(FUNCTION, &text)
            .answers(&questions, launcher, sources.follow_links(), watch)
            .map_err(|failure| self.failed(failure))?;
        let asked = answers.len();
        let mut failures = 0;
        let mut actions = Vec::with_capacity(answers.len());
        for dice in answers {
            let has_failed = dice == failure;
            failures += usize::from(has_failed);
            let dice = if has_failed { default } else { dice };
            actions.push(space.action(dice).expect("answers are checked as they come") as u8);
        }
        Ok(DefaultRolled { plan: Plan::of_scores(game.states(), actions), failures, asked })
    }
}
