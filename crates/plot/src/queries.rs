//! Questions whose answers are pictures or pages.

use std::io::{self, Cursor, Write};

use base64::Engine as _;
use hog_contest::queries::Contest;
use hog_contest::{Audience, ContestError, FileNames, PlayedContest, Readers};
use hog_engine::engine::{Call, Error};
use hog_engine::format::Text;
use hog_engine::queries::{Query, QueryEntry};
use schemars::JsonSchema;
#[cfg(not(target_family = "wasm"))]
use schemars::{Schema, schema_for};
use serde::{Deserialize, Serialize};
use zip::write::{SimpleFileOptions, ZipWriter};

use super::contest_reports;
pub use super::kinds::{
    PlotAnswer, PlotBest, PlotDiff, PlotHold, PlotLength, PlotLoss, PlotPoints, PlotSpread,
    PlotVisits, PlotWin,
};

/// All questions of this crate.
pub const QUERIES: &[QueryEntry] = &[
    QueryEntry::of::<ContestReports>(),
    QueryEntry::command::<PlotBest>(),
    QueryEntry::command::<PlotDiff>(),
    QueryEntry::command::<PlotHold>(),
    QueryEntry::command::<PlotLength>(),
    QueryEntry::command::<PlotLoss>(),
    QueryEntry::command::<PlotPoints>(),
    QueryEntry::command::<PlotSpread>(),
    QueryEntry::command::<PlotVisits>(),
    QueryEntry::command::<PlotWin>(),
];

/// The results of a contest as a zip archive: the ranking, for staff also the tables and the
/// gradebook, and a page for each entrant
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ContestReports {
    /// The contest.
    #[serde(flatten)]
    pub contest: Contest,
    /// The answer of `contest` to the same request, as a text: its entrants take part, and those
    /// that it rejected are not read again.
    #[serde(default)]
    #[schemars(extend("contentMediaType" = "application/json"))]
    pub shown: Option<String>,
    /// For staff: the heading of a column of the roster, into which points go in a copy of the
    /// roster beside the tables, as `hog contest --grade-column` does.
    #[serde(default)]
    pub grade_column: Option<String>,
    /// Who reads the pages.
    #[serde(flatten)]
    pub readers: Readers,
    /// The files of students' pages in an earlier archive of this contest: new ones are called the
    /// same, and for staff the gradebook says whose each is.
    #[serde(default)]
    pub earlier: Vec<String>,
    /// Whether to leave the pages out.
    #[serde(default)]
    pub without_pages: bool,
}

impl Query for ContestReports {
    const NAME: &str = "contest/reports";
    const SCHEMA: &str = "archive";
    const IS_LONG: bool = true;
    const OTHER_FILES: &'static [&'static str] = Contest::OTHER_FILES;
    type Answer = ContestReportsAnswer;

    fn answer(&self, call: &Call) -> Result<ContestReportsAnswer, Error> {
        let contest = self.contest.played(call, self.shown.as_deref())?;
        let mut archive = Packing::new();
        let names = FileNames::of(&contest.answer);
        let is_for_staff = self.readers.audience == Audience::Staff;
        let earlier = self.earlier.iter().filter_map(|file| file.strip_suffix(".html"));
        let earlier: Vec<String> = earlier.map(str::to_owned).collect();
        let names = match is_for_staff && earlier.is_empty() {
            true => names,
            false => names.unguessable(&earlier),
        };
        // The tables are about everybody.
        if is_for_staff {
            archive.tables(&contest, |entrant| {
                let page = format!("{}.html", names.get(entrant));
                let is_there = !self.without_pages || self.earlier.contains(&page);
                is_there.then_some(page)
            })?;
            if let Some(heading) = &self.grade_column {
                archive.graded_roster(&contest, heading)?;
            }
        }
        if !self.without_pages {
            contest_reports(call, &contest, &names, self.readers, |name, page| {
                archive.add(name, page)
            })?;
        }
        Ok(archive.finish(&format!("contest-{}.zip", contest.answer.called())))
    }
}

/// A zip archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ContestReportsAnswer {
    /// A name for the archive's file.
    pub name: String,
    /// The names of the files in it.
    pub files: Vec<String>,
    /// The archive's bytes in base64.
    pub base64: String,
}

impl Text for ContestReportsAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.name)?;
        self.files.iter().try_for_each(|file| writeln!(out, "  {file}"))
    }
}

/// Returns the schema of every document of this crate, by the name of its file in `docs/schema`
/// without `.json`.
#[cfg(not(target_family = "wasm"))]
pub fn schemas() -> Vec<(&'static str, Schema)> {
    vec![("archive", schema_for!(ContestReportsAnswer)), ("plot", schema_for!(PlotAnswer))]
}

/// The largest total size of the files, in bytes: the archive is held in memory.
const LARGEST: usize = 128 << 20;

/// The file of the roster with points.
const GRADED_ROSTER: &str = "roster-with-points.csv";

/// An archive under construction, in memory, which can always be written.
struct Packing {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    files: Vec<String>,
    /// The total size of its files, in bytes.
    size: usize,
}

impl Packing {
    fn new() -> Self {
        Self { zip: ZipWriter::new(Cursor::new(Vec::new())), files: Vec::new(), size: 0 }
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        self.size += bytes.len();
        if self.size > LARGEST {
            return Err(ContestError::ReportsTooLarge.into());
        }
        self.zip.start_file(name, SimpleFileOptions::default()).expect("the name of a page");
        self.zip.write_all(bytes).expect("writing to memory");
        self.files.push(name.to_owned());
        Ok(())
    }

    /// Adds the tables of a contest; `page` returns the file of an entrant's page.
    fn tables(
        &mut self,
        contest: &PlayedContest,
        page: impl Fn(&str) -> Option<String>,
    ) -> Result<(), Error> {
        let mut ranking = Vec::new();
        let mut matrix = Vec::new();
        let mut gradebook = Vec::new();
        contest.answer.csv(&mut ranking).map_err(Error::Storage)?;
        contest.answer.matrix_csv(&mut matrix).map_err(Error::Storage)?;
        contest.gradebook(page).csv(&mut gradebook).map_err(Error::Storage)?;
        self.add("ranking.csv", &ranking)?;
        self.add("matrix.csv", &matrix)?;
        self.add("gradebook.csv", &gradebook)
    }

    /// Adds the roster with the points in one of its columns.
    fn graded_roster(&mut self, contest: &PlayedContest, heading: &str) -> Result<(), Error> {
        if contest.answer.points.is_none() {
            return Err(ContestError::NoPoints.into());
        }
        let Some(column) = contest.field.roster.column(heading) else {
            let known = contest.field.roster.headings.clone();
            return Err(ContestError::NoGradeColumn { heading: heading.into(), known }.into());
        };
        let mut roster = Vec::new();
        contest.graded_roster(column).csv(&mut roster).map_err(Error::Storage)?;
        self.add(GRADED_ROSTER, &roster)
    }

    fn finish(self, name: &str) -> ContestReportsAnswer {
        let bytes = self.zip.finish().expect("writing to memory").into_inner();
        let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
        ContestReportsAnswer { name: name.to_owned(), files: self.files, base64 }
    }
}
