//! The text of `hog plot`.

use std::io::{self, Write};

use crate::format::Text;
use crate::view::PlotView;

impl Text for PlotView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}: {}", self.output, self.title)
    }
}
