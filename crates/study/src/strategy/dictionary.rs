//! Rolls by pairs of scores, as Python and JSON write them: `{(0, 0): 6, (0, 1): 5}`, `{"0,0": 6}`,
//! `{0: {0: 6, 1: 5}}` or `{0: [6, 5]}`, also after `NAME =`; and a pair a line, without braces.

use super::FileFault;
use super::columns::Rolls;
use super::numbers::whole;
use crate::files::escape::shortened;
use crate::game::{Game, Plan};

/// Whether a text begins like a dictionary.
pub(super) fn begins(text: &str) -> bool {
    let Some((before, _)) = text.split_once('{') else { return is_a_pair_a_line(text) };
    let before = before.trim();
    let name = before.strip_suffix('=').map(str::trim);
    before.is_empty()
        || name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// Whether the first line is a pair of scores, a colon and a roll.
fn is_a_pair_a_line(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let pair = first.and_then(|line| line.split_once(':'));
    pair.is_some_and(|(scores, _)| numbers(scores).is_some_and(|scores| scores.len() == 2))
}

/// Reads a dictionary of rolls.
///
/// # Errors
/// Returns a message with the number of the line.
pub(super) fn read(text: &str, game: &Game) -> Result<Plan, FileFault> {
    let end = if text.contains('{') { "\n" } else { ",\n" };
    let mut uncommented: String = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().to_owned() + end)
        .collect();
    if !text.contains('{') {
        uncommented = format!("{{{uncommented}}}");
    }
    let mut reader =
        DictionaryReader { rest: &uncommented, rolls: Rolls::new(game, false), score: None };
    let read = reader.read();
    let left = reader.rest.len();
    let line = uncommented[..uncommented.len() - left].lines().count().max(1);
    read.map_err(|reason| FileFault::at(line, reason))?;
    Ok(reader.rolls.plan()?)
}

struct DictionaryReader<'t, 'g> {
    /// What is not read yet.
    rest: &'t str,
    rolls: Rolls<'g>,
    /// The score whose dictionary is open, where they are nested.
    score: Option<i64>,
}

const NO_END: &str = "its dictionary has no end: a `}` is missing";

impl<'t> DictionaryReader<'t, '_> {
    /// Reads to the end of the outer dictionary.
    fn read(&mut self) -> Result<(), String> {
        self.until('{')?;
        loop {
            self.rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            if let Some(rest) = self.rest.strip_prefix('}') {
                self.rest = rest;
                if self.score.take().is_none() {
                    return Ok(());
                }
            } else {
                self.item()?;
            }
        }
    }

    /// Reads a key and its roll, or the beginning of its dictionary.
    fn item(&mut self) -> Result<(), String> {
        let key = self.until(':')?;
        let numbers = numbers(key).unwrap_or_default();
        self.rest = self.rest.trim_start();
        let scores = match (self.score, &numbers[..], self.rest.strip_prefix('{')) {
            (None, [score], Some(rest)) => {
                self.score = Some(*score);
                self.rest = rest;
                return Ok(());
            }
            (None, [score], None) if self.rest.starts_with('[') => return self.row(*score),
            (None, [score, opponent], None) => [*score, *opponent],
            (Some(score), [opponent], None) => [score, *opponent],
            _ => return Err(format!("`{}` is no pair of scores", shortened(key.trim()))),
        };
        let end = self.rest.find([',', '}']).ok_or(NO_END)?;
        let value = bare(&self.rest[..end]);
        let dice =
            whole(value).ok_or_else(|| format!("`{}` is not a whole number", shortened(value)))?;
        self.rolls.add(scores, &[], dice)?;
        self.rest = &self.rest[end..];
        Ok(())
    }

    /// Reads the list of a score's rolls, by the opponent's score.
    fn row(&mut self, score: i64) -> Result<(), String> {
        let row = self.until(']')?;
        let rolls =
            numbers(row).ok_or_else(|| format!("the list of {score} is none of numbers"))?;
        for (opponent, dice) in rolls.into_iter().enumerate() {
            self.rolls.add([score, opponent as i64], &[], dice)?;
        }
        Ok(())
    }

    /// Takes the text before the next mark, and the mark.
    fn until(&mut self, mark: char) -> Result<&'t str, String> {
        let (before, rest) = self.rest.split_once(mark).ok_or(NO_END)?;
        self.rest = rest;
        Ok(before)
    }
}

/// Reads whole numbers between commas.
fn numbers(text: &str) -> Option<Vec<i64>> {
    text.split(',').map(|part| whole(bare(part))).collect()
}

/// A number without the brackets and quotation marks around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "()[]'\"".contains(c))
}
