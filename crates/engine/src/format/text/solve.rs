//! The text of `hog solve`: what was solved, how, and within which error.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, counted, either, paint, thousands};
use crate::queries::{WinRates, rounded_up};
use crate::solve::Method;
use crate::view::{ArithmeticKind, NearTiesView, SearchView, SolveView};

impl Text for SolveView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let what = match (&self.against, &self.search) {
            (None, _) => "equilibrium: both sides play to win".to_owned(),
            (Some(opponent), None) => format!("best response to {opponent}"),
            (Some(opponent), Some(_)) => {
                format!("the best table found against {opponent} that sees only scores")
            }
        };
        writeln!(out, "{}  {what}", paint(TITLE, format!("{}, goal {}", self.rules, self.goal)))?;
        match &self.search {
            None => self.solved(out)?,
            Some(search) => self.searched(search, out)?,
        }
        writeln!(out, "{}", paint(FAINT, format!("  solved in   {:.3} s", self.seconds)))?;
        match &self.output {
            Some(path) => writeln!(out, "  table       {path}"),
            None => Ok(()),
        }
    }
}

impl SolveView {
    fn solved(&self, out: &mut dyn Write) -> io::Result<()> {
        let WinRates { first, second, average, .. } = self.win_rate;
        writeln!(
            out,
            "  win rate    {} moving first, {second} second, {average} on average",
            paint(BEST, first)
        )?;
        if let Some(fraction) = &self.fraction {
            writeln!(out, "  exactly     {fraction}")?;
        }
        writeln!(out, "  first roll  {}", dice(&self.first_roll))?;
        let exact = self.arithmetic == ArithmeticKind::Exact;
        let numbers = match self.method.as_str() {
            method if method == Method::Integers.name() => {
                "exact: integers to the last division, each win rate the nearest double".to_owned()
            }
            method if method == Method::Rationals.name() => {
                "exact: reduced fractions, each win rate the nearest double".to_owned()
            }
            _ => format!(
                "floating point, every win rate within {} of the exact one",
                rounded_up(self.win_rate.error_bound)
            ),
        };
        writeln!(out, "  numbers     {numbers}")?;
        let states = thousands(self.states as u64);
        let proven = exact || self.near_ties.is_some_and(|known| known.open == 0);
        let ties = if proven { "with a tie" } else { "with rolls closer than the bound" };
        writeln!(
            out,
            "  states      {states}, {} {ties}, {}",
            thousands(self.ties),
            counted(self.loops, "loop")
        )?;
        match self.near_ties {
            Some(NearTiesView { digits, open }) if digits > u64::from(f64::DIGITS) => {
                let left = if open == 0 {
                    "none is".to_owned()
                } else {
                    format!("{} are", thousands(open))
                };
                writeln!(out, "  near ties   told apart with {digits} digits; {left} left open")
            }
            _ => Ok(()),
        }
    }

    fn searched(&self, search: &SearchView, out: &mut dyn Write) -> io::Result<()> {
        let WinRates { first, second, average, error_bound, .. } = self.win_rate;
        writeln!(
            out,
            "  win rate    {} on average, {first} moving first, {second} second",
            paint(BEST, average)
        )?;
        writeln!(out, "  at most     {} for anyone who sees everything", search.at_most)?;
        writeln!(out, "  first roll  {}", dice(&self.first_roll))?;
        writeln!(
            out,
            "  numbers     floating point, every win rate within {} of the exact one",
            rounded_up(error_bound)
        )?;
        let (decisions, states) =
            (thousands(search.decisions as u64), thousands(self.states as u64));
        let tries = counted(search.tries as u64, "try");
        let stopped = if search.tried < search.tries {
            format!("stopped after {} of ", search.tried)
        } else {
            String::new()
        };
        writeln!(
            out,
            "  entries     {decisions} for {states} states, {stopped}{tries} from seed {}",
            search.seed
        )
    }
}

/// Formats numbers of dice as `1 die` or `3 or 4 dice`.
fn dice(numbers: &[i32]) -> String {
    format!("{} {}", either(numbers), if numbers == [1] { "die" } else { "dice" })
}
