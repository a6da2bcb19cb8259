//! The text of `hog explain`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, counted, either, paint};
use crate::queries::rounded_up;
use crate::view::ExplainView;

impl Text for ExplainView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let title = format!("{}: {} against {}", self.rules, self.strategy, self.against);
        writeln!(out, "{}", paint(TITLE, title))?;
        for sentence in self.handout.sentences() {
            writeln!(out, "  {}", paint(LOSS, sentence))?;
        }
        writeln!(out, "  it wins            {}", self.win_rate.average)?;
        writeln!(out, "  the best response  {}", paint(BEST, self.best_response.average))?;
        writeln!(out, "  it loses           {}", paint(LOSS, self.loss.average))?;
        if self.mistakes.iter().all(|mistake| mistake.positions == 0) {
            writeln!(out, "nothing is lost: no one plays better against {}", self.against)?;
            return writeln!(out, "{}", paint(FAINT, self.bound()));
        }
        writeln!(out, "\nby kind of mistake")?;
        for mistake in self.mistakes.iter().filter(|mistake| mistake.positions > 0) {
            let positions = counted(mistake.positions as u64, "position");
            writeln!(out, "  {:<34}{:.8}  in {positions}", mistake.kind.in_words(), mistake.loss)?;
        }
        if !self.worst.is_empty() {
            writeln!(out, "\nwhere it costs most")?;
            writeln!(out, "  score  opponent  rolls  best        loss  each time       met")?;
        }
        for row in &self.worst {
            let best = either(&row.best);
            let memory: Vec<String> =
                row.memory.iter().map(|(name, value)| format!("{name} {value}")).collect();
            let memory = if memory.is_empty() {
                String::new()
            } else {
                format!("  ({})", memory.join(", "))
            };
            writeln!(
                out,
                "  {:>5}  {:>8}  {:>5}  {best:<8}{:>8.6}   {:>8.6}  {:>8.6}{memory}",
                row.score, row.opponent, row.dice, row.loss, row.loss_each, row.met
            )?;
        }
        let met = counted(self.positions_met as u64, "position");
        writeln!(
            out,
            "{}",
            paint(FAINT, format!("averages of moving first and second, over all {met} met"))
        )?;
        writeln!(out, "{}", paint(FAINT, self.bound()))
    }
}

impl ExplainView {
    fn bound(&self) -> String {
        let bound = self.win_rate.error_bound.max(self.best_response.error_bound);
        format!(
            "computed over all games, not simulated; both rates within {} of the exact ones",
            rounded_up(bound)
        )
    }
}
