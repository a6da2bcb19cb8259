//! Views of results, each as text for people and as JSON for scripts, and tables in other formats.
//!
//! A view is plain data. Its JSON keys are the contract of the command line: keys may be added, none removed.

mod best;
mod bid;
mod check;
mod contest;
mod dice;
mod explain;
pub mod export;
mod play;
mod rate;
mod rules;
mod simulate;
mod solve;
mod style;
mod survey;
mod turn;

pub use best::{BestView, ChoiceView};
pub use bid::{BidView, ShareView};
pub use check::CheckView;
pub use contest::{ContestView, RankView, RejectedView};
pub use dice::{DiceView, SumView};
pub use explain::{ExplainView, MistakeView, ReachedView, explain_csv};
pub use play::{EndView, HintsView, PlayTurnView, ScoresView, dice_drawn, race_track};
pub use rate::RateView;
pub use rules::{FunctionsView, NewRulesView, RulesCheckView, RulesListView, RulesView};
pub use simulate::{ExperimentsView, PlayedView, PointsView, RatedView, SimulateView, Simulated};
pub use solve::{HiddenView, SolveView, WinRates};
pub use survey::{SurveyRow, SurveyView};
pub use turn::{StepView, TurnView};

use std::io::{self, Write};

use serde::Serialize;

/// Something to show.
pub trait View: Serialize {
    /// Writes it for people, in colour: whoever writes to something that is no terminal strips the colour.
    ///
    /// # Errors
    /// If `out` cannot be written.
    fn text(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes a view as one JSON document on one line; every double reads back as the same double.
///
/// # Errors
/// If `out` cannot be written.
pub fn json(view: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer(&mut *out, view)?;
    writeln!(out)
}
