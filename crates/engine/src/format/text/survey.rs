//! The text of `hog survey`, and its page in Markdown.

use std::io::{self, Write};

use crate::files::escape::{markdown, markdown_code};
use crate::format::Text;
use crate::format::style::{FAINT, TITLE, columns_of, either, padded, paint, thousands};
use crate::queries::{ArithmeticKind, BidShare, WinRates, rounded_up};
use crate::rules::builtins;
use crate::view::{SurveyRow, SurveyView};

impl SurveyRow {
    /// Returns the cells of the row: game, first player, first roll, baseline, best response,
    /// equilibrium, ties, endless, states, seconds.
    pub fn columns(&self) -> [String; 10] {
        let rate = |rate: Option<WinRates>| {
            rate.map_or_else(|| "-".to_owned(), |rate| format!("{:.10}", rate.average))
        };
        let endless = if self.win_rate.endless == 0.0 {
            "0".to_owned()
        } else {
            format!("{:.10}", self.win_rate.endless)
        };
        [
            self.rules.clone(),
            format!("{:.10}", self.win_rate.first),
            either(&self.first_roll),
            self.baseline.clone().unwrap_or_else(|| "-".into()),
            rate(self.best_response),
            rate(self.equilibrium),
            thousands(self.ties as u64),
            endless,
            thousands(self.states as u64),
            format!("{:.2}", self.seconds),
        ]
    }
}

const HEADS: [&str; 10] = [
    "game",
    "first player",
    "first roll",
    "baseline",
    "best response",
    "equilibrium",
    "ties",
    "endless",
    "states",
    "seconds",
];

/// The columns of the text, short enough for a terminal of 80 columns: the first of [`HEADS`].
const SHOWN: [&str; 7] =
    ["game", "first player", "roll", "baseline", "best response", "equilibrium", "ties"];

impl SurveyView {
    /// Returns the headings of groups of games, the largest group first.
    pub fn groups(&self) -> Vec<&str> {
        super::rules::groups(self.games.iter().map(|row| &*row.group))
    }

    /// Returns the rows of a group.
    pub fn of<'a>(&'a self, group: &'a str) -> impl Iterator<Item = &'a SurveyRow> {
        self.games.iter().filter(move |row| row.group == group)
    }

    /// Describes the arithmetic and the error bound of the figures.
    fn legend(&self) -> String {
        let exact = self.games.iter().filter(|row| row.arithmetic == ArithmeticKind::Exact).count();
        let bound = self.games.iter().map(SurveyRow::error_bound).fold(0.0, f64::max);
        let solved = match (exact, self.games.len()) {
            (0, _) => {
                "Equilibria are solved in floats; ties are rolls closer than the bound".to_owned()
            }
            (1, 1) => "The equilibrium and its ties are exact".to_owned(),
            (exact, all) if exact == all => "Equilibria and their ties are exact".to_owned(),
            (exact, all) => format!(
                "Equilibria and their ties are exact in {exact} of {all} games, else in floats"
            ),
        };
        format!(
            "{solved}. No win rate here is further than {} from the exact one, before rounding to ten digits.",
            rounded_up(bound)
        )
    }

    /// Writes the page: the command that makes it, the picture if there is one, and the table.
    ///
    /// # Errors
    /// Returns an error if `out` cannot be written.
    pub fn page(&self, picture: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "[//]: # (Made by {}; do not edit.)\n",
            markdown(&self.command).replace(')', "\\)")
        )?;
        writeln!(out, "# {}\n", markdown(&self.title()))?;
        writeln!(
            out,
            "{} made this page, in {:.0} seconds.\n",
            markdown_code(&self.command),
            self.seconds
        )?;
        if let Some(picture) = picture {
            writeln!(out, "![Win rates]({picture})\n")?;
        }
        writeln!(out, "{MEANING}\n\n{}", self.legend())?;
        for group in self.groups() {
            writeln!(out, "\n## {}\n", markdown(group))?;
            writeln!(out, "| {} |\n|{}", HEADS.join(" | "), "---|".repeat(HEADS.len()))?;
            for row in self.of(group) {
                let [id, first, roll, baseline, rest @ ..] = row.columns();
                let baseline = if baseline == "-" { baseline } else { markdown_code(&baseline) };
                let columns =
                    [vec![markdown_code(&id), first, roll, baseline], rest.to_vec()].concat();
                writeln!(out, "| {} |", columns.join(" | "))?;
            }
        }
        self.bids(out)?;
        writeln!(out, "\n## Where the rules come from\n\n| game | also | source |\n|---|---|---|")?;
        for row in &self.games {
            let also =
                row.aliases.iter().map(|alias| markdown_code(alias)).collect::<Vec<_>>().join(" ");
            let source = markdown(row.source.as_deref().unwrap_or(&row.title));
            writeln!(out, "| {} | {also} | {source} |", markdown_code(&row.rules))?;
        }
        if self.has_every_game() {
            write!(out, "\n{SEMESTERS}")?;
        }
        Ok(())
    }

    fn has_every_game(&self) -> bool {
        builtins().iter().all(|game| self.games.iter().any(|row| row.rules == game.id))
    }

    /// Returns the title of the page.
    fn title(&self) -> String {
        match &self.games[..] {
            [one] => format!("{}, solved", one.title),
            _ if self.has_every_game() => "Every published Hog, solved".into(),
            some => format!("{} games of Hog, solved", some.len()),
        }
    }

    /// Writes how to bid in games that begin with bids.
    fn bids(&self, out: &mut dyn Write) -> io::Result<()> {
        let bidding: Vec<&SurveyRow> =
            self.games.iter().filter(|row| !row.bids.is_empty()).collect();
        if !bidding.is_empty() {
            writeln!(out, "\n## Bids for the start\n\n{BIDDING}")?;
        }
        for row in bidding {
            writeln!(out, "\n| bid in {} | share |\n|---|---|", markdown_code(&row.rules))?;
            row.bids
                .iter()
                .try_for_each(|BidShare { bid, share }| writeln!(out, "| {bid} | {share:.10} |"))?;
        }
        Ok(())
    }
}

/// What is known of every semester; `tests/survey.rs` compares it with the rule files.
const SEMESTERS: &str = include_str!("../../survey/semesters.md");

const BIDDING: &str = "\
How often to make each bid, so that no answer wins more than half of the games: the equilibrium of the bids, given the exact
value of every start, with shares proven in fractions (`hog bid`). A bid that is not listed is never made.";

const MEANING: &str = "\
* **first player**: the win rate of the player who moves first, if both play to win.
* **first roll**: the best numbers of dice at 0 to 0.
* **baseline**: the strategy that the course rates against.
* **best response**: the most that any strategy wins against the baseline, on average of moving first and second.
* **equilibrium**: what equilibrium play wins against the baseline, on the same average.
* **ties**: states with more than one best number of dice.
* **endless**: the share of games between equilibrium players that never end; each counts half a win.
* **states**: pairs of scores, times the memories of the game; memories that behave alike are counted once.
* **seconds**: the time to read, tabulate and solve the game.

Equilibrium play and best responses see the whole state, including what a course hides from its strategies (exchanged dice,
the number of the turn). In such games they are upper bounds on what a student can reach.";

impl Text for SurveyView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let rows: Vec<[String; 10]> = self.games.iter().map(SurveyRow::columns).collect();
        let width = |column: usize| {
            rows.iter()
                .map(|row| columns_of(&row[column]))
                .chain([SHOWN[column].len()])
                .max()
                .unwrap_or_default()
        };
        let widths: Vec<usize> = (0..SHOWN.len()).map(width).collect();
        let line = |columns: Vec<&str>| {
            let padded = columns.iter().zip(&widths).map(|(text, width)| padded(text, *width));
            padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
        };
        writeln!(out, "{}", paint(TITLE, line(SHOWN.to_vec())))?;
        for row in &rows {
            writeln!(out, "{}", line(row[..SHOWN.len()].iter().map(String::as_str).collect()))?;
        }
        writeln!(out, "{}", paint(FAINT, format!("{} In {:.1} s.", self.legend(), self.seconds)))
    }
}
