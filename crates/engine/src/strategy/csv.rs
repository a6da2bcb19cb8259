//! Strategies in CSV files: columns score, opponent and dice, and a column for each memory that the strategy sees.

use crate::files::escape::shortened;
use crate::game::{Game, Plan, Position, memory_names};

/// Reads a plan. Every state of the game must have a roll; a file without columns of memories gives one for each pair
/// of scores.
///
/// # Errors
/// Returns a message, with the number of the line where possible, if a column or a roll is missing or invalid.
pub fn read_csv(bytes: &[u8], game: &Game) -> Result<Plan, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(bytes);
    let columns = Columns::find(reader.headers().map_err(describe)?, game)?;
    let space = game.space();
    let mut actions: Vec<Option<u8>> = vec![None; space.states()];
    for record in reader.records() {
        let record = record.map_err(describe)?;
        let line = record.position().map_or(0, csv::Position::line);
        let (position, dice) = columns.row(&record, game).map_err(|e| format!("line {line}: {e}"))?;
        let action = i32::try_from(dice).ok().and_then(|dice| space.action(dice)).ok_or_else(|| {
            let (min, max) = (space.min_dice, space.dice(space.actions - 1));
            format!("line {line}: {dice} dice; the game allows {min} to {max}")
        })?;
        let state = game.state(&position);
        let same_scores = state - state % space.per_cell();
        let states =
            if columns.memories.is_empty() { same_scores..same_scores + space.per_cell() } else { state..state + 1 };
        for known in &mut actions[states] {
            if known.is_some_and(|known| usize::from(known) != action) {
                let (score, opponent) = (position.score, position.opponent);
                return Err(format!("line {line}: a second roll for {score}-{opponent}; keep one"));
            }
            *known = Some(action as u8);
        }
    }
    match actions.iter().position(Option::is_none) {
        None => Ok(Plan::from_actions(actions.into_iter().flatten().collect())),
        Some(state) => {
            let Position { score, opponent, .. } = game.position(state);
            Err(format!("it has no roll for {score}-{opponent}; give one for every position"))
        }
    }
}

/// Describes an error of the CSV reader to the user.
fn describe(error: csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { pos, .. } => {
            format!(
                "line {}: it is not UTF-8 text; save the file as UTF-8",
                pos.as_ref().map_or(1, csv::Position::line)
            )
        }
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            format!("line {line}: it has {len} columns; the first line has {expected_len}")
        }
        _ => error.to_string(),
    }
}

/// The indices of the columns; `memories` are pairs of an index and a memory's name.
struct Columns {
    score: usize,
    opponent: usize,
    dice: usize,
    memories: Vec<(usize, String)>,
}

impl Columns {
    fn find(header: &csv::StringRecord, game: &Game) -> Result<Self, String> {
        let column = |name: &str| header.iter().position(|title| title.eq_ignore_ascii_case(name));
        let found =
            || header.iter().take(20).map(|title| format!("`{}`", shortened(title))).collect::<Vec<_>>().join(", ");
        let needed = |name: &str| {
            column(name).ok_or_else(|| format!("it has no column `{name}`: its first line has {}", found()))
        };
        let memories = memory_names(game.rules()).into_iter().filter_map(|name| Some((column(&name)?, name))).collect();
        Ok(Self { score: needed("score")?, opponent: needed("opponent")?, dice: needed("dice")?, memories })
    }

    fn row(&self, record: &csv::StringRecord, game: &Game) -> Result<(Position, i64), String> {
        let cell = |column: usize| record.get(column).unwrap_or_default();
        let number = |column: usize| {
            cell(column).parse::<i64>().map_err(|_| format!("`{}` is not a whole number", shortened(cell(column))))
        };
        let score = |column| u32::try_from(number(column)?).map_err(|_| format!("`{}` is not a score", cell(column)));
        let mut position =
            Position::new(game.rules(), score(self.score)?, score(self.opponent)?).map_err(|e| e.to_string())?;
        for (column, name) in &self.memories {
            position = position.with_memory(game.rules(), name, number(*column)?).map_err(|e| e.to_string())?;
        }
        Ok((position, number(self.dice)?))
    }
}
