//! Rolls in columns score, opponent and dice, and one for each memory that the strategy sees; also
//! as JSON objects.

use serde_json::Value;

use super::FileFault;
use super::grid::cells;
use super::numbers::{READ, misfit, whole};
use crate::files::escape::shortened;
use crate::game::{Game, Plan, Position, memory_names};

/// The names of the columns, as the handouts and `hog solve` write them.
const SCORE: [&str; 4] = ["score", "player_score", "current_score", "my_score"];
const OPPONENT: [&str; 3] = ["opponent", "opponent_score", "other_score"];
const DICE: [&str; 5] = ["dice", "num_rolls", "rolls", "roll", "num_dice"];
/// The best numbers of dice, of which the first is rolled.
const BEST: &str = "best";

/// Whether the first line of a text has headings: words between separators.
pub(super) fn are_headed(text: &str) -> bool {
    let Some(first) = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'))
    else {
        return false;
    };
    cells(first).nth(1).is_some()
        && cells(first).next() != Some("strategy")
        && cells(first).all(|cell| {
            cell.trim_matches('"').starts_with(char::is_alphabetic) && whole(cell).is_none()
        })
}

/// Reads columns of text, separated by commas, semicolons, tabs or spaces.
///
/// # Errors
/// Returns a message, with the number of the line where possible, if a column or a roll is missing
/// or invalid.
pub(super) fn read(text: &str, game: &Game) -> Result<Plan, FileFault> {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .unwrap_or_default();
    let separator =
        [b';', b'\t', b','].into_iter().find(|separator| first.as_bytes().contains(separator));
    let spaced: Option<String> = separator.is_none().then(|| {
        text.lines().map(|line| cells(line).collect::<Vec<_>>().join(",") + "\n").collect()
    });
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .delimiter(separator.unwrap_or(b','))
        .comment(Some(b'#'))
        .from_reader(spaced.as_deref().unwrap_or(text).as_bytes());
    let columns = Columns::find(reader.headers().map_err(describe)?, game)?;
    let mut rolls = Rolls::new(game, !columns.memories.is_empty());
    for record in reader.records() {
        let record = record.map_err(describe)?;
        let line = record.position().map_or(0, csv::Position::line);
        columns.add(&record, &mut rolls).map_err(|reason| FileFault::at(line as usize, reason))?;
    }
    Ok(rolls.plan()?)
}

/// Describes an error of the CSV reader to the user.
fn describe(error: csv::Error) -> FileFault {
    match error.kind() {
        csv::ErrorKind::UnequalLengths { pos, expected_len, len } => {
            let line = pos.as_ref().map_or(0, csv::Position::line);
            let reason = format!("it has {len} columns; the first line has {expected_len}");
            FileFault::at(line as usize, reason)
        }
        _ => error.to_string().into(),
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
        let known = [&SCORE[..], &OPPONENT, &DICE].concat();
        if known.iter().all(|name| column(header, name).is_none()) {
            return Err(format!(
                "it is not a table of rolls: its first line has {}; {READ}",
                listed(header)
            ));
        }
        let memories = memory_names(game.rules())
            .into_iter()
            .filter_map(|name| Some((column(header, &name)?, name)))
            .collect();
        Ok(Self {
            score: needed(header, &SCORE)?,
            opponent: needed(header, &OPPONENT)?,
            dice: needed(header, &DICE)?,
            memories,
        })
    }

    fn add(&self, record: &csv::StringRecord, rolls: &mut Rolls) -> Result<(), String> {
        let mut memory = Vec::with_capacity(self.memories.len());
        for (column, name) in &self.memories {
            memory.push((name.clone(), number(record, *column)?));
        }
        let scores = [number(record, self.score)?, number(record, self.opponent)?];
        rolls.add(scores, &memory, number(record, self.dice)?)
    }
}

fn column(header: &csv::StringRecord, name: &str) -> Option<usize> {
    header.iter().position(|title| title.eq_ignore_ascii_case(name))
}

/// Returns the index of the column with one of these names.
fn needed(header: &csv::StringRecord, names: &[&str]) -> Result<usize, String> {
    names.iter().find_map(|name| column(header, name)).ok_or_else(|| {
        format!(
            "it has no column `{}` (or `{}`): its first line has {}",
            names[0],
            names[1],
            listed(header)
        )
    })
}

fn listed(header: &csv::StringRecord) -> String {
    let titles = header.iter().take(6).map(|title| format!("`{}`", shortened(title)));
    titles.collect::<Vec<_>>().join(", ")
}

fn number(record: &csv::StringRecord, column: usize) -> Result<i64, String> {
    let cell = record.get(column).unwrap_or_default();
    whole(cell).ok_or_else(|| format!("`{}` is not a whole number", shortened(cell)))
}

/// Reads the `states` of `hog solve --to json`, or a list of objects with the names of columns as
/// keys.
///
/// # Errors
/// Returns a message if it is not JSON, or a key or a roll is missing or invalid.
pub(super) fn read_document(text: &str, game: &Game) -> Result<Plan, String> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let states = document.as_array().or_else(|| document.get("states")?.as_array());
    let states = states.ok_or("it has no list `states` of objects")?;
    let memories = memory_names(game.rules());
    let has_memory =
        states.first().is_some_and(|first| memories.iter().any(|name| first.get(name).is_some()));
    let mut rolls = Rolls::new(game, has_memory);
    for (place, state) in states.iter().enumerate() {
        add_state(state, &memories, &mut rolls)
            .map_err(|reason| format!("object {}: {reason}", place + 1))?;
    }
    rolls.plan()
}

/// Adds the roll of an object; `memories` are those of the game.
fn add_state(state: &Value, memories: &[String], rolls: &mut Rolls) -> Result<(), String> {
    let mut memory = Vec::new();
    for name in memories.iter().filter(|_| rolls.has_memory) {
        memory.push((name.clone(), number_of(state, &[name, name])?));
    }
    let best = state.get(BEST).and_then(|best| best.get(0)).and_then(Value::as_i64);
    let dice = best.map_or_else(|| number_of(state, &DICE), Ok)?;
    rolls.add([number_of(state, &SCORE)?, number_of(state, &OPPONENT)?], &memory, dice)
}

/// Returns the number of an object under one of these keys.
fn number_of(state: &Value, names: &[&str]) -> Result<i64, String> {
    let value = names.iter().find_map(|name| state.get(name));
    let value = value.ok_or_else(|| format!("it has no `{}` (or `{}`)", names[0], names[1]))?;
    value
        .as_i64()
        .ok_or_else(|| format!("`{}` is not a whole number", shortened(&value.to_string())))
}

fn read_score(score: i64) -> Result<u32, String> {
    u32::try_from(score).map_err(|_| format!("`{score}` is not a score"))
}

/// The rolls that are known so far.
pub(super) struct Rolls<'g> {
    game: &'g Game,
    /// Whether each gives the values of memories; if not, it is for all of them.
    has_memory: bool,
    actions: Vec<Option<u8>>,
}

impl<'g> Rolls<'g> {
    pub(super) fn new(game: &'g Game, has_memory: bool) -> Self {
        Self { game, has_memory, actions: vec![None; game.space().states()] }
    }

    /// Adds the roll of a position; those past the goal are never asked.
    pub(super) fn add(
        &mut self,
        scores: [i64; 2],
        memory: &[(String, i64)],
        dice: i64,
    ) -> Result<(), String> {
        let rules = self.game.rules();
        let space = self.game.space();
        let score = read_score(scores[0])?;
        let opponent = read_score(scores[1])?;
        if score.max(opponent) as usize >= space.goal {
            return Ok(());
        }
        let mut position = Position::new(rules, score, opponent).map_err(|e| e.to_string())?;
        for (name, value) in memory {
            position = position.with_memory(rules, name, *value).map_err(|e| e.to_string())?;
        }
        let action = i32::try_from(dice).ok().and_then(|dice| space.action(dice));
        let action = action.ok_or_else(|| misfit(dice, self.game))? as u8;
        let state = self.game.state(&position);
        let first = state - state % space.per_cell();
        let states =
            if self.has_memory { state..state + 1 } else { first..first + space.per_cell() };
        for state in states {
            let rolls = self.game.actions(state);
            match self.actions[state] {
                None => self.actions[state] = Some(action),
                Some(known) if rolls[usize::from(known)] == rolls[usize::from(action)] => {}
                Some(_) => return Err(self.second_roll(&position, state)),
            }
        }
        Ok(())
    }

    /// Says that a position, or one that the game does not tell from it, has a roll already.
    fn second_roll(&self, position: &Position, state: usize) -> String {
        let Position { score, opponent, .. } = position;
        let least = self.game.position(state);
        let names = memory_names(self.game.rules());
        let values = names.iter().zip(&position.memory).zip(&least.memory);
        let alike: Vec<String> = values
            .filter(|((_, value), least)| self.has_memory && value != least)
            .map(|((name, value), least)| format!("{name} {value} and {least}"))
            .collect();
        match &alike[..] {
            [] => format!("a second roll for {score}-{opponent}; keep one"),
            alike => format!(
                "another roll for {score}-{opponent} than with other memories, but the game goes \
                 on alike with {}; give them one roll",
                alike.join(", ")
            ),
        }
    }

    pub(super) fn plan(self) -> Result<Plan, String> {
        match self.actions.iter().position(Option::is_none) {
            None => Ok(Plan::from_actions(self.actions.into_iter().flatten().collect())),
            Some(state) => {
                let Position { score, opponent, .. } = self.game.position(state);
                Err(format!("it has no roll for {score}-{opponent}; give one for every position"))
            }
        }
    }
}
