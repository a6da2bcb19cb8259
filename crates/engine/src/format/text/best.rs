//! The text of `hog best`: a position's choices, one per line.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, LOSS, TITLE, bar, either, paint};
use crate::view::BestView;

/// The width of the longest bar, in columns.
const WIDTH: usize = 24;

impl Text for BestView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let memory: Vec<String> =
            self.memory.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let memory =
            if memory.is_empty() { String::new() } else { format!(" ({})", memory.join(", ")) };
        let place = format!("{}: {} to {}{memory}", self.rules, self.score, self.opponent);
        let opponent = match &self.against {
            None => "against best play".to_owned(),
            Some(strategy) => format!("against {strategy}"),
        };
        writeln!(out, "{}", paint(TITLE, place))?;
        writeln!(
            out,
            "roll {}: win rate {} {opponent}\n",
            paint(BEST, either(&self.best)),
            paint(BEST, self.win_rate)
        )?;
        writeln!(
            out,
            "{}",
            paint(FAINT, format!("{:>6}  {:<12}  {}", "dice", "win rate", "loss"))
        )?;
        for choice in &self.choices {
            let best = self.best.contains(&choice.dice);
            let (mark, style) = if best { ("▶", BEST) } else { (" ", anstyle::Style::new()) };
            let loss = (self.win_rate - choice.win_rate).max(0.0);
            let loss = match best {
                true => paint(BEST, format!("{:<10}", "best")),
                false => paint(LOSS, format!("{loss:<10.8}")),
            };
            let bar = paint(style, bar(choice.win_rate, WIDTH));
            let line = format!("{mark} {:>4}  {:<12.10}", choice.dice, choice.win_rate);
            writeln!(out, "{}  {loss}  {bar}", paint(style, line))?;
        }
        writeln!(out, "\n{}", paint(FAINT, &self.numbers))
    }
}
