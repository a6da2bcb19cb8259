//! Packs files into a zip archive of limited size for download.

use std::io::{Cursor, Write as _};

use axum::http::StatusCode;
use base64::Engine as _;
use zip::write::{SimpleFileOptions, ZipWriter};

use super::refusal::Refusal;
use crate::view::ArchiveView;

/// The largest total size of the files, in bytes: the archive is held in memory.
const LARGEST: usize = 128 << 20;

/// An archive under construction.
pub(super) struct Archive {
    zip: ZipWriter<Cursor<Vec<u8>>>,
    files: Vec<String>,
    /// The total size of its files, in bytes.
    size: usize,
}

impl Archive {
    pub fn new() -> Self {
        Self { zip: ZipWriter::new(Cursor::new(Vec::new())), files: Vec::new(), size: 0 }
    }

    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Refusal> {
        self.size += bytes.len();
        if self.size > LARGEST {
            let message = "the reports are too large to download: send fewer entrants, or write the reports to a folder";
            return Err(Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, message));
        }
        let options = SimpleFileOptions::default();
        self.zip.start_file(name, options).map_err(|error| Refusal::from_fault(&error))?;
        self.zip.write_all(bytes).map_err(|error| Refusal::from_fault(&error))?;
        self.files.push(name.to_owned());
        Ok(())
    }

    pub fn view(self, name: &str) -> Result<ArchiveView, Refusal> {
        let bytes = self.zip.finish().map_err(|error| Refusal::from_fault(&error))?.into_inner();
        let base64 = base64::engine::general_purpose::STANDARD.encode(bytes);
        Ok(ArchiveView::new(name, self.files, base64))
    }
}
