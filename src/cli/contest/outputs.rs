//! What a contest writes. Outputs are checked before anything is computed; errors after that are
//! reported at the end.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::contest::queries::{ContestAnswer, UnwrittenFile};
use crate::contest::{Audience, Field, FileNames, PlayedContest, Readers};
use crate::engine::Error;
use crate::files::has_extension;
use crate::format;
use crate::plot::{self, REPORTS_INDEX};
use anyhow::ensure;

use super::super::console::Console;
use super::super::output::{ending, ending_of, is_standard_output, refuse_equal_outputs};
use super::super::refusal::message;
use super::super::shared::Format;
use super::{ContestCommand, can_make_folder, make_folder};

/// The files and folders that results are written to.
pub(super) struct Outputs {
    rankings: Vec<(PathBuf, &'static str)>,
    matrix: Option<PathBuf>,
    gradebook: Option<PathBuf>,
    grade_column: Option<String>,
    reports: Option<PathBuf>,
    readers: Readers,
    /// The names of the entrants' reports, once the entrants are known.
    pages: OnceCell<FileNames>,
    results: Option<PathBuf>,
}

/// An output that could not be written, and why.
type WriteError = (PathBuf, anyhow::Error);

impl Outputs {
    pub fn of(command: &ContestCommand, console: &Console) -> anyhow::Result<Self> {
        let mut rankings = Vec::new();
        for path in &command.output {
            // With `--format json` the JSON document goes to standard output already.
            if console.format == Format::Text || !is_standard_output(path) {
                let ending = ending(path, ContestAnswer::ENDINGS)?;
                rankings.push((path.clone(), ending.unwrap_or("csv")));
            }
        }
        for (option, path, known) in
            [("--matrix", &command.matrix, "csv"), ("--gradebook", &command.gradebook, "csv")]
        {
            path.as_ref().map(|path| ending_of(option, path, &[known])).transpose()?;
        }
        Ok(Self {
            rankings,
            matrix: command.matrix.clone(),
            gradebook: command.gradebook.clone(),
            grade_column: command.grade_column.clone(),
            reports: command.reports.clone(),
            readers: command.readers,
            pages: OnceCell::new(),
            results: command.results.clone(),
        })
    }

    /// Returns whether results are wanted only of the entrant named first.
    pub fn is_for_first_entrant(&self) -> bool {
        self.results.as_deref().is_some_and(is_json)
    }

    /// Returns the files whose names are known beforehand.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        let results = self.results.iter().filter(|path| is_json(path));
        self.rankings
            .iter()
            .map(|(path, _)| path)
            .chain(&self.matrix)
            .chain(&self.gradebook)
            .chain(results)
    }

    /// Returns the folders to write to.
    pub fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.reports.iter().chain(self.results.iter().filter(|path| !is_json(path)))
    }

    /// Checks that all files and folders whose names are known beforehand can be written, and
    /// creates nothing.
    pub fn prepare(&self, console: &Console) -> anyhow::Result<()> {
        console.can_write(self.files())?;
        for folder in self.folders() {
            can_make_folder(folder)?;
        }
        Ok(())
    }

    /// Makes the folders of results, and checks that the files of all entrants can be written.
    pub fn prepare_for_entrants(&self, console: &Console, field: &Field) -> anyhow::Result<()> {
        if let Some(heading) = &self.grade_column {
            let known = field.roster.headings.join(", ");
            ensure!(
                field.roster.column(heading).is_some(),
                "--grade-column {heading}: the roster has no such column, or several; it has \
                 {known}"
            );
        }
        let rejected = field.rejected.iter().map(|one| &one.name);
        let all = field.entrants.iter().map(|one| &one.name).chain(rejected);
        let names = FileNames::of_names(all.clone());
        for folder in self.folders() {
            make_folder(folder)?;
        }
        if let Some(folder) = &self.reports {
            let names = self.pages.get_or_init(|| match self.readers.audience {
                Audience::Students => names.clone().unguessable(&earlier_pages(console, folder)),
                Audience::Staff => names.clone(),
            });
            let pages = all
                .clone()
                .map(|name| page(folder, names, name))
                .chain([folder.join(REPORTS_INDEX)]);
            admit_files(console, folder, "html", &pages.collect::<Vec<_>>(), self.files())?;
        }
        if let Some(folder) = self.results.as_ref().filter(|path| !is_json(path)) {
            let all: Vec<PathBuf> = all.map(|name| result(folder, &names, name)).collect();
            admit_files(console, folder, "json", &all, self.files())?;
        }
        Ok(())
    }

    /// Prints and writes all results that can be written. Returns whether all could be.
    pub fn write(
        &self,
        console: &Console,
        mut contest: PlayedContest,
        save_error: Option<WriteError>,
    ) -> anyhow::Result<bool> {
        // Reports take a while, so people see the ranking first. The JSON document comes last: it
        // lists what could not be written.
        if console.format == Format::Text {
            if !self.files().any(|path| is_standard_output(path)) {
                console.show(&contest.answer)?;
            }
            console.flush()?;
            console.progress.resume();
        }
        let mut write_errors: Vec<WriteError> = save_error.into_iter().collect();
        let mut record = |path: &Path, result: anyhow::Result<()>| {
            write_errors.extend(result.err().map(|error| (path.to_owned(), error)));
        };
        let answer = &contest.answer;
        for (path, ending) in &self.rankings {
            let written = console.write_with(path, |out| answer.write(ending, self.readers, out));
            record(path, written);
        }
        if let Some(path) = &self.matrix {
            record(path, console.write_with(path, |out| answer.matrix_csv(out)));
        }
        if let Some(path) = &self.gradebook {
            let page = |entrant: &str| {
                self.pages.get().map(|names| format!("{}.html", names.get(entrant)))
            };
            let column = self.grade_column.as_ref();
            let column = column.and_then(|heading| contest.field.roster.column(heading));
            let written = console.write_with(path, |out| match column {
                Some(column) => contest.graded_roster(column).csv(out),
                None => contest.gradebook(page).csv(out),
            });
            record(path, written);
        }
        if let Some(path) = &self.results {
            record(path, self.results(console, &contest, path));
        }
        if let Some((folder, names)) = self.reports.as_ref().zip(self.pages.get()) {
            record(folder, self.reports(console, &contest, folder, names));
        }
        console.progress.stop();
        for (path, error) in &write_errors {
            let unwritten = UnwrittenFile::new(path.display().to_string(), message(error));
            contest.answer.unwritten.push(unwritten);
        }
        if console.format == Format::Json {
            console.show(&contest.answer)?;
            return Ok(write_errors.is_empty());
        }
        write_errors.iter().for_each(|(_, error)| console.report(error));
        Ok(write_errors.is_empty())
    }

    fn reports(
        &self,
        console: &Console,
        contest: &PlayedContest,
        folder: &Path,
        names: &FileNames,
    ) -> anyhow::Result<()> {
        let call = console.engine.call();
        plot::contest_reports(&call, contest, names, self.readers, |name, page| {
            console.write(&folder.join(name), page).map_err(ReportsError::Write)
        })?;
        Ok(())
    }

    fn results(
        &self,
        console: &Console,
        contest: &PlayedContest,
        path: &Path,
    ) -> anyhow::Result<()> {
        let answer = &contest.answer;
        if is_json(path) {
            let results = answer.results(contest.first());
            return console.write_with(path, |out| format::json(&results, out));
        }
        let names = FileNames::of(answer);
        let rejected = answer.rejected.iter().map(|one| &one.name);
        for entrant in answer.entrants.iter().chain(rejected) {
            let results = answer.results(Some(entrant));
            console
                .write_with(&result(path, &names, entrant), |out| format::json(&results, out))?;
        }
        Ok(())
    }
}

/// Returns the names, without the ending, of the pages that hog wrote in a folder.
fn earlier_pages(console: &Console, folder: &Path) -> Vec<String> {
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let pages = found.filter(|path| has_extension(path, "html") && console.wrote(path));
    pages.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect()
}

/// Checks that the files of all entrants can be written, and notes those of an earlier contest that
/// remain beside them. None of them may be one of the `others` to be written.
fn admit_files<'o>(
    console: &Console,
    folder: &Path,
    extension: &str,
    files: &'o [PathBuf],
    others: impl Iterator<Item = &'o PathBuf>,
) -> anyhow::Result<()> {
    refuse_equal_outputs(&others.chain(files).collect::<Vec<_>>())?;
    console.can_write(files)?;
    let found = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let earlier = found.filter(|path| {
        has_extension(path, extension) && !files.contains(path) && console.wrote(path)
    });
    let mut names: Vec<_> =
        earlier.filter_map(|path| Some(path.file_name()?.display().to_string())).collect();
    names.sort_unstable();
    if let [first, others @ ..] = &names[..] {
        let others =
            if others.is_empty() { String::new() } else { format!(" and {} more", others.len()) };
        console
            .note(&format!("{}: left from an earlier contest: {first}{others}", folder.display()));
    }
    Ok(())
}

/// Returns the path of an entrant's page.
fn page(folder: &Path, names: &FileNames, entrant: &str) -> PathBuf {
    folder.join(names.get(entrant)).with_extension("html")
}

/// Returns the path of an entrant's results.
fn result(folder: &Path, names: &FileNames, entrant: &str) -> PathBuf {
    folder.join(names.get(entrant)).with_extension("json")
}

/// Why reports could not be made.
#[derive(Debug, thiserror::Error)]
enum ReportsError {
    #[error(transparent)]
    Engine(#[from] Error),
    #[error(transparent)]
    Write(anyhow::Error),
}

/// Whether results are written to one file, rather than to a folder.
fn is_json(path: &Path) -> bool {
    has_extension(path, "json")
        && !path.as_os_str().to_string_lossy().ends_with(std::path::is_separator)
}
