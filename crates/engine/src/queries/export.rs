//! The files of solved games: tables of hog's own form, and what other programs read.

use std::io::{self, Write};
use std::path::Path;

use hog_study::export::{AboutTable, Mover, ScoreTable, SolvedTable};

use super::solve::{ObjectiveKind, Sight, Solve, SolveAnswer, SolveResult};
use super::{GameTable, GivenGame};
use crate::engine::{ArithmeticKind, Call, Error, of_usual_kind};
use crate::files::has_extension;
use crate::game::{Game, Order};
use crate::partial::HiddenSearch;

/// The endings of the files; the first is a table of hog's own form.
pub(super) const ENDINGS: &[&str] = &["hog", "py", "csv", "json", "npy", "txt", "drn"];

impl Solve {
    /// Refuses options of a file that say nothing about one with this ending; `None` is no file.
    pub(super) fn admit_form(&self, ending: Option<&str>) -> Result<(), Error> {
        if self.packed && ending != Some("hog") {
            let fault = "only a .hog table can be `packed`: leave it out";
            return Err(Error::malformed_by("packed", fault));
        }
        if self.fix.is_some() && ending != Some("drn") {
            let fault = "`fix` chooses a player of a .drn model: leave it out";
            return Err(Error::malformed_by("fix", fault));
        }
        Ok(())
    }

    /// Returns the table that is named in place of rules, with what it says; `None` if rules are
    /// named.
    pub(super) fn given_table(
        &self,
        call: &Call,
    ) -> Result<Option<(SolveAnswer, GameTable)>, Error> {
        let Some(name) = self.game.rules.as_deref().filter(|name| has_extension(name, "hog"))
        else {
            return Ok(None);
        };
        if self.game.is_changed() || self.against.is_some() || self.says_how() {
            return Err(Error::SolvedAlready { name: name.to_owned() });
        }
        let (game, table) = call.read_table(Path::new(name))?;
        let table = call.game_table(name, game, table)?;
        Ok(Some((SolveAnswer::of_table(call, &table, "a table that was read"), table)))
    }

    /// Whether it says how to solve the game.
    fn says_how(&self) -> bool {
        self.sees != Sight::State || self.arithmetic.is_some() || self.fraction
    }

    /// Solves the game and writes it to `file`.
    ///
    /// # Errors
    /// As [`Solve::solved`], and if the form of the file cannot hold this game.
    pub(super) fn written(
        &self,
        call: &Call,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<SolveAnswer, Error> {
        self.admit_form(Some(ending))?;
        if let Some((answer, table)) = self.solved_before(call, ending)? {
            self.write_table(call, &answer, &table, ending, file)?;
            return Ok(answer);
        }
        let game = self.game(call)?;
        self.admit_game(&game, ending)?;
        let solved = Self { game: GivenGame::from(&game), ..self.clone() }.solved(call)?;
        match &solved.result {
            SolveResult::Plan(plan) => {
                let command = self.command(&solved.answer, ending);
                let table = ScoreTable { about: about(&game, &solved.answer, &command), plan };
                let written = table.write(ending, file);
                written.map_err(|error| self.unwritten(&game, &solved.answer, error))?;
            }
            SolveResult::Solution(..) => {
                let table = solved.table(&game).expect("a solution has a table");
                let win_rates = table.stored_win_rates().to_vec();
                let win_rate = solved.answer.win_rate;
                let table = GameTable { game, table, win_rates, win_rate };
                self.write_table(call, &solved.answer, &table, ending, file)?;
            }
        }
        Ok(solved.answer)
    }

    /// Returns the table that is there already: the one that is named in place of rules, or that
    /// comes with hog. A table of hog's own form is made anew.
    fn solved_before(
        &self,
        call: &Call,
        ending: &str,
    ) -> Result<Option<(SolveAnswer, GameTable)>, Error> {
        if let Some(given) = self.given_table(call)? {
            return Ok(Some(given));
        }
        if ending == "hog" || self.against.is_some() || self.says_how() {
            return Ok(None);
        }
        let game = self.game(call)?;
        let Some(table) = call.shipped_table(&game) else { return Ok(None) };
        let table = call.game_table(&game.rules().id.clone(), game, table)?;
        Ok(Some((SolveAnswer::of_table(call, &table, "the table that comes with hog"), table)))
    }

    /// Refuses a form that cannot hold a game, before it is solved.
    fn admit_game(&self, game: &Game, ending: &str) -> Result<(), Error> {
        if ending == "drn" {
            of_usual_kind(game.rules())?;
        }
        if self.searches(game) && !ScoreTable::ENDINGS.contains(&ending) {
            return Err(Error::malformed(
                "a table that sees only scores is written as .py, .csv or .txt",
            ));
        }
        Ok(())
    }

    fn write_table(
        &self,
        call: &Call,
        answer: &SolveAnswer,
        solved: &GameTable,
        ending: &str,
        file: &mut dyn Write,
    ) -> Result<(), Error> {
        call.check()?;
        let GameTable { game, table, win_rates, .. } = solved;
        if ending == "hog" {
            let table = if self.packed { &table.clone().packed() } else { table };
            return file.write_all(&table.to_bytes()).map_err(Error::Storage);
        }
        self.admit_game(game, ending)?;
        let command = self.command(answer, ending);
        let written = SolvedTable {
            about: about(game, answer, &command),
            win_rates,
            best: table.best(),
            fixed: self.fix.map_or(Mover::Second, Mover::from),
        };
        written.write(ending, file).map_err(|error| self.unwritten(game, answer, error))
    }

    /// Returns the command that prints this file.
    fn command(&self, answer: &SolveAnswer, ending: &str) -> String {
        let mut command = format!("hog solve {}", self.named(&answer.rules));
        if self.sees == Sight::Scores {
            command += " --sees scores";
        }
        if let Some(against) = &self.against {
            command += &format!(" --against {against}");
        }
        command += &self.game.as_options();
        if let Some(arithmetic) = self.arithmetic {
            command += &format!(" --arithmetic {}", arithmetic.name());
        }
        if self.fraction {
            command += " --fraction";
        }
        if answer.search.is_some() {
            command += &format!(" --tries {} --seed {}", self.tries, self.seed);
        }
        command += &format!(" --to {ending}");
        if ending == "drn" {
            let fixed = self.fix.map_or(Mover::Second, Mover::from);
            command += &format!(" --fix {}", fixed.name());
        }
        command
    }

    /// Returns the game as the request names it.
    fn named<'a>(&'a self, id: &'a str) -> &'a str {
        self.game.rules.as_deref().unwrap_or(id)
    }

    /// Returns why a file cannot be written.
    fn unwritten(&self, game: &Game, answer: &SolveAnswer, error: io::Error) -> Error {
        if error.kind() != io::ErrorKind::Unsupported {
            return Error::Storage(error);
        }
        // Where a turn goes on, its sum is what matters, and a table of scores is no strategy.
        let searches = game.space().per_cell() > 1
            && game.order() == Order::Acyclic
            && HiddenSearch::applies(game);
        let against = answer.against.as_deref().unwrap_or("STRATEGY");
        let id = &game.rules().id;
        let named = self.named(id);
        let rules = if has_extension(named, "hog") { id } else { named };
        let options = self.game.as_options();
        let search = format!("hog solve {rules}{options} --sees scores --against {against}");
        let search = format!("{search} -o final.py");
        Error::FormCannotHold { reason: error.to_string(), search: searches.then_some(search) }
    }
}

/// Returns what a file says about its table.
fn about<'a>(game: &'a Game, answer: &'a SolveAnswer, command: &'a str) -> AboutTable<'a> {
    AboutTable { game, win_rate: answer.win_rate, against: answer.against.as_deref(), command }
}

impl SolveAnswer {
    /// What a table says that was solved before; `method` is where it is from.
    fn of_table(call: &Call, solved: &GameTable, method: &str) -> Self {
        let GameTable { game, table, win_rate, .. } = solved;
        let start = game.start();
        // Those of a packed table were computed from its best rolls.
        let arithmetic = match table.stored_win_rates() {
            [] => ArithmeticKind::Float,
            _ => table.arithmetic().into(),
        };
        let objective = match table.against() {
            Some(_) => ObjectiveKind::BestResponse,
            None => ObjectiveKind::Equilibrium,
        };
        Self {
            objective,
            against: table.against().map(str::to_owned),
            method: method.to_owned(),
            first_roll: game.space().dice_in(game.choices_in(start, table.best()[start])),
            ties: table.ties(),
            loops: table.loops(),
            ..Self::of(call, game, arithmetic, *win_rate)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hog_study::export::{AboutTable, Mover, SolvedTable};

    use super::*;
    use crate::Engine;
    use crate::queries::{Try, WinRates};
    use crate::rules::{Overrides, load, rules_from_text};
    use crate::solve::{Arithmetic, Watch, equilibrium};

    /// Returns the columns of all exports of a game without memories.
    fn columns() -> Vec<String> {
        let rules = load("fa21", Overrides { goal: Some(5), max_dice: Some(2) }).unwrap();
        let game = Arc::new(Game::new(rules).unwrap());
        let solved = equilibrium(&game, Arithmetic::Exact, &Watch::silent()).unwrap();
        let table = SolvedTable {
            about: AboutTable {
                game: &game,
                win_rate: WinRates::new([0.5; 3], [0.0; 2], 0.0),
                against: None,
                command: "hog",
            },
            win_rates: &solved.own.win_rates,
            best: &solved.own.best,
            fixed: Mover::Second,
        };
        let mut csv = Vec::new();
        table.write("csv", &mut csv).unwrap();
        let mut json = Vec::new();
        table.write("json", &mut json).unwrap();
        let mut losses = Vec::new();
        let engine = Engine::builder().build();
        let query = Try::of(&game, "optimal").against("optimal");
        query.losses(&engine.call()).unwrap().csv(&mut losses).unwrap();
        let document: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let mut names: Vec<String> =
            document["states"][0].as_object().unwrap().keys().cloned().collect();
        for text in [csv, losses] {
            let text = String::from_utf8(text).unwrap();
            names.extend(text.lines().next().unwrap().split(',').map(str::to_owned));
        }
        names
    }

    /// A memory is a column beside these, so a memory of the same name would be lost.
    #[test]
    fn no_memory_has_the_name_of_a_column() {
        let rules = |name: &str, of: &str| {
            let memory =
                format!("[[memory]]\nname = \"{name}\"\nof = \"{of}\"\nmax = 1\nnext = \"0\"\n");
            rules_from_text(&format!("id = \"own\"\n{memory}"), "own", Overrides::default())
        };
        assert!(rules("pot", "player").is_ok());
        let names = columns();
        assert!(names.len() > 15, "{names:?}");
        for name in &names {
            for of in ["player", "game"] {
                let faults = rules(name, of).unwrap_err().to_string();
                assert!(faults.contains(&format!("the name `{name}` is taken")), "{faults}");
            }
        }
        assert!(rules("before", "game").is_ok());
        let faults = rules("before", "player").unwrap_err().to_string();
        assert!(faults.contains("the name `opponent_before` is taken"), "{faults}");
    }
}
