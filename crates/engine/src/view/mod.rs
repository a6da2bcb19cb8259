//! Results as plain data, with a JSON schema for each: the answers of every command, of the page's
//! API and of the Python module.
//!
//! Keys may be added to a view; no key is removed or changes its meaning. `docs/schema` holds the
//! schemas, which `HOG_SCHEMA=write cargo test --release --test schema` writes and the same test
//! checks.

mod archive;
mod contest;
mod contest_report;
mod error;
mod export;
mod gradebook;
mod play;
mod plot;

pub use archive::ArchiveView;
pub use contest::{
    ContestParts, ContestView, RankByView, RankView, RejectedView, ScoringView, TieBreakView,
    UnclearView, UnwrittenView,
};
pub use contest_report::{ContestReportView, MeetingView, MissView, MissesView};
pub use error::{ErrorDetail, ErrorView, FaultView};
pub use export::ExportView;
pub use gradebook::GradebookView;
pub use play::{BidsView, EndView, HintsView, PlayNoteView, PlayTurnView, ScoresView, StartView};
pub use plot::PlotView;

use schemars::{Schema, schema_for};

use crate::queries::QUERIES;

/// Returns the schema of every document, by the name of its file in `docs/schema` without `.json`.
pub fn schemas() -> Vec<(&'static str, Schema)> {
    let mut all = vec![
        ("archive", schema_for!(ArchiveView)),
        ("check", schema_for!(crate::queries::CheckAnswer)),
        ("dice_formula", schema_for!(crate::queries::DiceFormulaAnswer)),
        ("error", schema_for!(ErrorView)),
        ("export", schema_for!(ExportView)),
        ("play-bids", schema_for!(BidsView)),
        ("play-end", schema_for!(EndView)),
        ("play-hints", schema_for!(HintsView)),
        ("play-note", schema_for!(PlayNoteView)),
        ("play-scores", schema_for!(ScoresView)),
        ("play-start", schema_for!(StartView)),
        ("play-turn", schema_for!(PlayTurnView)),
        ("plot", schema_for!(PlotView)),
        ("rules-new", schema_for!(crate::queries::NewRules)),
        ("simulate", schema_for!(crate::queries::SimulateAnswer)),
        ("simulate-experiments", schema_for!(crate::queries::ExperimentsAnswer)),
        ("survey", schema_for!(crate::queries::SurveyAnswer)),
        ("survey-vary", schema_for!(crate::queries::VariedAnswer)),
        ("turn-bad-line", schema_for!(crate::queries::BadLine)),
    ];
    all.extend(QUERIES.iter().map(|query| (query.schema, (query.answer)())));
    all
}
