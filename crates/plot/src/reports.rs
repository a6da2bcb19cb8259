//! The reports of a contest: a page for each entrant, with a picture of its rolls, and the ranking.

use std::io;

use super::{Caption, Look, best};
use hog_contest::{Audience, EntrantReport, FileNames, PlayedContest};
use hog_engine::engine::{Call, Error};
use hog_engine::queries::ScoreMap;

/// The file name of the ranking.
pub const REPORTS_INDEX: &str = "index.html";

/// Makes the pages for `audience` on all cores, and passes each with the name of its file to
/// `write`; `names` are those of the entrants' pages.
///
/// # Errors
/// Returns an error if the work is cancelled, or the first error of `write`.
pub fn contest_reports<E: From<Error>>(
    call: &Call,
    contest: &PlayedContest,
    names: &FileNames,
    audience: Audience,
    mut write: impl FnMut(&str, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let caption = Caption::new(contest.game().rules(), "");
    let page = |write: &dyn Fn(&mut Vec<u8>) -> io::Result<()>| {
        let mut page = Vec::new();
        write(&mut page).expect("writing to memory");
        page
    };
    let drawn = |report: &EntrantReport, map: &ScoreMap| {
        let picture = best(Look::default(), &caption, map).svg();
        (report.standing.name.clone(), page(&|out| report.html(audience, names, &picture, out)))
    };
    contest.reports(call, drawn, |(entrant, page)| {
        write(&format!("{}.html", names.get(&entrant)), &page)
    })?;
    write(REPORTS_INDEX, &page(&|out| contest.answer.html(audience, Some(names), out)))
}
