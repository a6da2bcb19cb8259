//! Rolls by pairs of scores, as Python and JSON write them: `{(0, 0): 6, (0, 1): 5}`, `{"0,0": 6}`
//! or `{0: {0: 6, 1: 5}}`, also after `NAME =`.

use super::columns::Rolls;
use super::numbers::whole;
use crate::files::escape::shortened;
use crate::game::{Game, Plan};

/// Whether a text begins like a dictionary.
pub(super) fn begins(text: &str) -> bool {
    let Some((before, _)) = text.split_once('{') else { return false };
    let before = before.trim();
    let name = before.strip_suffix('=').map(str::trim);
    before.is_empty()
        || name.is_some_and(|name| name.chars().all(|c| c.is_alphanumeric() || c == '_'))
}

/// Reads a dictionary of rolls.
///
/// # Errors
/// Returns a message with the number of the line.
pub(super) fn read(text: &str, game: &Game) -> Result<Plan, String> {
    let uncommented: String = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default().to_owned() + "\n")
        .collect();
    let mut reader =
        DictionaryReader { rest: &uncommented, rolls: Rolls::new(game, false), score: None };
    let read = reader.read();
    let left = reader.rest.len();
    let line = uncommented[..uncommented.len() - left].lines().count().max(1);
    read.map_err(|reason| format!("line {line}: {reason}"))?;
    reader.rolls.plan()
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
        let numbers: Option<Vec<i64>> = key.split(',').map(|part| whole(bare(part))).collect();
        let numbers = numbers.unwrap_or_default();
        self.rest = self.rest.trim_start();
        let scores = match (self.score, &numbers[..], self.rest.strip_prefix('{')) {
            (None, [score], Some(rest)) => {
                self.score = Some(*score);
                self.rest = rest;
                return Ok(());
            }
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

    /// Takes the text before the next mark, and the mark.
    fn until(&mut self, mark: char) -> Result<&'t str, String> {
        let (before, rest) = self.rest.split_once(mark).ok_or(NO_END)?;
        self.rest = rest;
        Ok(before)
    }
}

/// A number without the brackets and quotation marks around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || "()[]'\"".contains(c))
}
