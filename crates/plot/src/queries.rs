//! Questions whose answers are pictures or pages.

use std::io::{self, Cursor, Write};

use base64::Engine as _;
use hog_contest::queries::Contest;
use hog_contest::{Audience, ContestError, FileNames};
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
    PlotAnswer, PlotBest, PlotDiff, PlotHold, PlotLength, PlotLoss, PlotPoints, PlotVisits, PlotWin,
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
    QueryEntry::command::<PlotVisits>(),
    QueryEntry::command::<PlotWin>(),
];

/// The reports of a contest as a zip archive: a page for each entrant, and the ranking
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ContestReports {
    /// The contest.
    #[serde(flatten)]
    pub contest: Contest,
}

impl Query for ContestReports {
    const NAME: &str = "contest/reports";
    const SCHEMA: &str = "archive";
    const IS_LONG: bool = true;
    const OTHER_FILES: &'static [&'static str] = Contest::OTHER_FILES;
    type Answer = ContestReportsAnswer;

    fn answer(&self, call: &Call) -> Result<ContestReportsAnswer, Error> {
        let contest = self.contest.played(call)?;
        let mut archive = Packing::new();
        let names = FileNames::of(&contest.answer);
        contest_reports(call, &contest, &names, Audience::Staff, |name, page| {
            archive.add(name, page)
        })?;
        Ok(archive.finish(&format!("contest-{}.zip", contest.answer.rules)))
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

    fn finish(self, name: &str) -> ContestReportsAnswer {
        let bytes = self.zip.finish().expect("writing to memory").into_inner();
        let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
        ContestReportsAnswer { name: name.to_owned(), files: self.files, base64 }
    }
}
