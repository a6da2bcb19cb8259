//! The text of `hog tune`: a table with bars, a heat map, or a list of the best.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, bar, paint, thousands};
use crate::queries::rounded_up;
use crate::view::{TuneView, TunedView};

/// The widest line, in columns.
const WIDTH: usize = 79;

/// Shades from the lowest rate to the highest.
const SHADES: [char; 9] = ['·', '░', '░', '▒', '▒', '▓', '▓', '█', '█'];

/// How many of the best strategies are listed if more than two numbers vary.
const LISTED: usize = 20;

impl Text for TuneView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{}",
            paint(TITLE, format!("{}: {} against {}", self.rules, self.strategy, self.against))
        )?;
        match &self.parameters[..] {
            [name] => self.table(out, name)?,
            [rows, columns] => self.map(out, rows, columns)?,
            _ => self.list(out)?,
        }
        let named = self
            .parameters
            .iter()
            .zip(&self.best.values)
            .map(|(name, value)| format!("{name} {value}"));
        let named: Vec<String> = named.collect();
        let others = match self.others_as_good() {
            0 => String::new(),
            1 => ", as does 1 other".to_owned(),
            others => format!(", as do {} others", thousands(others as u64)),
        };
        writeln!(
            out,
            "best: {} wins {}{others}",
            paint(BEST, named.join(", ")),
            paint(BEST, self.best.average)
        )?;
        let members = thousands(self.rates.len() as u64);
        let note = format!(
            "{members} strategies, averages of moving first and second, within {}",
            rounded_up(self.error_bound)
        );
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl TuneView {
    /// Scales a rate from 0 (the lowest) to 1 (the highest).
    fn share(&self, rate: f64) -> f64 {
        let lowest = self.rates.iter().map(|rate| rate.average).fold(f64::INFINITY, f64::min);
        if self.best.average > lowest {
            (rate - lowest) / (self.best.average - lowest)
        } else {
            1.0
        }
    }

    fn mark(&self, rate: &TunedView) -> &'static str {
        if self.is_best(rate) { "*" } else { " " }
    }

    fn table(&self, out: &mut dyn Write, name: &str) -> io::Result<()> {
        let width = name.len().max(6);
        writeln!(out, "  {name:>width$}  win rate")?;
        for rate in &self.rates {
            let bar = bar(self.share(rate.average), WIDTH - width - 28);
            let row = format!(
                "{:>width$}  {:<20} {}{bar}",
                rate.values[0],
                rate.average,
                self.mark(rate)
            );
            let style = if self.mark(rate) == "*" { BEST } else { anstyle::Style::new() };
            writeln!(out, "  {}", paint(style, row.trim_end()))?;
        }
        Ok(())
    }

    /// Writes rows for the first number and columns for the second: rates to three decimals if they
    /// fit, else shades.
    fn map(&self, out: &mut dyn Write, rows: &str, columns: &str) -> io::Result<()> {
        let across: Vec<i64> = self.columns();
        let head = rows.len().max(5);
        let digits = head + 2 + 6 * across.len() <= WIDTH;
        let cell = if digits { 6 } else { ((WIDTH - head - 2) / across.len()).clamp(1, 4) };
        writeln!(out, "{:>head$}  {columns}{}", rows, if digits { "" } else { " across" })?;
        let label = |place: usize| {
            if digits || place.is_multiple_of(5) {
                across[place].to_string()
            } else {
                String::new()
            }
        };
        let mut labels = String::new();
        for place in 0..across.len() {
            // A label may extend over columns that have no label.
            let gap = (place * cell).saturating_sub(labels.chars().count());
            let label = if digits { format!("{:>5} ", label(place)) } else { label(place) };
            labels += &format!("{}{label}", " ".repeat(gap));
        }
        writeln!(out, "{:>head$}  {}", "", labels.trim_end())?;
        for row in self.rates.chunks(across.len()) {
            let cells: String = row.iter().map(|rate| self.cell(rate, digits, cell)).collect();
            writeln!(out, "{:>head$}  {}", row[0].values[0], cells.trim_end())?;
        }
        Ok(())
    }

    fn cell(&self, rate: &TunedView, digits: bool, width: usize) -> String {
        let best = self.mark(rate) == "*";
        if digits {
            let text = format!("{:.3}", rate.average);
            let text = text.strip_prefix('0').unwrap_or(&text).to_owned() + self.mark(rate);
            return if best { paint(BEST, format!("{text:>6}")) } else { format!("{text:>6}") };
        }
        let shade = SHADES[(self.share(rate.average) * (SHADES.len() - 1) as f64).round() as usize];
        let text = if best { paint(BEST, "*") } else { shade.to_string() };
        text + &" ".repeat(width - 1)
    }

    /// Returns the values of the second number.
    fn columns(&self) -> Vec<i64> {
        let first = self.rates[0].values[0];
        let alike = self.rates.iter().take_while(|rate| rate.values[0] == first);
        alike.map(|rate| rate.values[1]).collect()
    }

    fn list(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut ranked: Vec<&TunedView> = self.rates.iter().collect();
        ranked.sort_by(|a, b| b.average.total_cmp(&a.average));
        writeln!(out, "  win rate              {}", self.parameters.join(", "))?;
        for rate in ranked.iter().take(LISTED) {
            let values: Vec<String> = rate.values.iter().map(i64::to_string).collect();
            writeln!(out, "  {:<20}  {}", rate.average, values.join(", "))?;
        }
        if ranked.len() > LISTED {
            let note = format!("  the best {LISTED}; -o FILE writes all");
            writeln!(out, "{}", paint(FAINT, note))?;
        }
        Ok(())
    }
}
