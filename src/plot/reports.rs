//! The reports of a contest: a page for each entrant with the picture of what it rolls, and the ranking.

use std::io;
use std::sync::Arc;

use super::{Caption, Look, best};
use crate::Engine;
use crate::engine::{Contest, EngineError, ScoreMap};
use crate::format::FileNames;
use crate::game::Game;
use crate::view::ContestReportView;

/// The ranking among the reports.
pub const REPORTS_INDEX: &str = "index.html";

/// Makes the pages on all cores and hands each to `write`, with the name of its file; an error of it ends the work.
///
/// # Errors
/// If the work is stopped, or `write` fails.
pub fn contest_reports<E: From<EngineError>>(
    engine: &Engine,
    game: &Arc<Game>,
    contest: &Contest,
    mut write: impl FnMut(&str, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let (names, caption) = (FileNames::of(&contest.view), Caption::new(game.rules(), ""));
    let page = |write: &dyn Fn(&mut Vec<u8>) -> io::Result<()>| {
        let mut page = Vec::new();
        write(&mut page).expect("memory takes it");
        page
    };
    let drawn = |report: &ContestReportView, map: &ScoreMap| {
        let picture = best(Look::default(), &caption, map).svg();
        (report.standing.name.clone(), page(&|out| report.html(&names, &picture, out)))
    };
    engine.contest_reports(game, contest, drawn, |(entrant, page)| {
        write(&format!("{}.html", names.get(&entrant)), &page)
    })?;
    write(REPORTS_INDEX, &page(&|out| contest.view.html(Some(&names), out)))
}
