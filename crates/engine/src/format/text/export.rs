//! The text of `hog export -o FILE`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::thousands;
use crate::view::ExportView;

impl Text for ExportView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, goal, form, output, .. } = self;
        let what = match &self.against {
            None => "equilibrium".to_owned(),
            Some(opponent) => format!("best response to {opponent}"),
        };
        writeln!(
            out,
            "{output}: {rules}, goal {goal}, {what}, {} states, as {form}",
            thousands(self.states as u64)
        )
    }
}
