//! The reports of a contest: a page for each entrant, with a picture of its rolls or the reason why
//! it could not take part, and the ranking.

use super::{Caption, Look, best};
use hog_contest::{FileNames, Labels, PlayedContest, Readers};
use hog_engine::engine::{Call, Error};

/// The file name of the ranking.
pub const REPORTS_INDEX: &str = "index.html";

/// Makes the pages for `readers` on all cores, and passes each with the name of its file to
/// `write`; `names` are those of the entrants' pages.
///
/// # Errors
/// Returns an error if the work is cancelled, or the first error of `write`.
pub fn contest_reports<E: From<Error>>(
    call: &Call,
    contest: &PlayedContest,
    names: &FileNames,
    readers: Readers,
    mut write: impl FnMut(&str, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let labels = Labels::of(&contest.answer, readers);
    let caption = Caption::new(contest.game().rules(), "");
    contest.reports(
        call,
        |report, map| {
            let picture = best(Look::default(), &caption, map).svg();
            let mut page = Vec::new();
            report.html(readers, names, &labels, &picture, &mut page).expect("writing to memory");
            (report.standing.name.clone(), page)
        },
        |(entrant, page)| write(&format!("{}.html", names.get(&entrant)), &page),
    )?;
    for one in &contest.answer.rejected {
        let mut page = Vec::new();
        contest.answer.rejected_html(one, &mut page).expect("writing to memory");
        write(&format!("{}.html", names.get(&one.name)), &page)?;
    }
    let mut index = Vec::new();
    contest.answer.html(readers, Some(names), &mut index).expect("writing to memory");
    write(REPORTS_INDEX, &index)
}
