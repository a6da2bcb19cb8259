//! Questions whose answers are pictures or pages.

use std::io::{Cursor, Write as _};

use base64::Engine as _;
use hog_engine::engine::{Call, EngineError};
use hog_engine::format::{Audience, FileNames};
use hog_engine::queries::{Contest, Query, QueryEntry};
use hog_engine::view::ArchiveView;
use schemars::JsonSchema;
use serde::Deserialize;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::contest_reports;

/// All questions of this crate.
pub const QUERIES: &[QueryEntry] = &[QueryEntry::of::<ContestReports>()];

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
    type Answer = ArchiveView;

    fn answer(&self, call: &Call) -> Result<ArchiveView, EngineError> {
        let (game, contest) = self.contest.played(call)?;
        let mut archive = Packing::new();
        let names = (&FileNames::of(&contest.view), Audience::Staff);
        contest_reports(call.engine(), &game, &contest, names, |name, page| {
            archive.add(name, page)
        })?;
        Ok(archive.finish(&format!("contest-{}.zip", game.rules().id)))
    }
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

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), EngineError> {
        self.size += bytes.len();
        if self.size > LARGEST {
            return Err(EngineError::ReportsTooLarge);
        }
        self.zip.start_file(name, SimpleFileOptions::default()).expect("the name of a page");
        self.zip.write_all(bytes).expect("writing to memory");
        self.files.push(name.to_owned());
        Ok(())
    }

    fn finish(self, name: &str) -> ArchiveView {
        let bytes = self.zip.finish().expect("writing to memory").into_inner();
        let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
        ArchiveView::new(name, self.files, base64)
    }
}
