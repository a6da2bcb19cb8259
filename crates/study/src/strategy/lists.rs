//! Lists of rolls as JSON, Python and NumPy write them: `[[6, 5], [4, 0]]`, also with round
//! brackets, without commas, in `array(...)`, or after `NAME =`.

use super::FileFault;
use super::numbers::{NumberArray, whole};
use crate::files::escape::shortened;

/// The deepest nesting: scores, and the classes of memories.
const DEEPEST: usize = 5;

/// Whether a text begins like a list.
pub(super) fn begins(text: &str) -> bool {
    start(text).is_some()
}

/// Returns the index of the first bracket, if only the name of a variable or of `array` is before
/// it.
fn start(text: &str) -> Option<usize> {
    let place = text.find(['[', '('])?;
    let before = text[..place].trim();
    let is_assigned = before.strip_suffix('=').is_some_and(is_name);
    let array = before.rsplit('=').next().unwrap_or_default().trim();
    let is_array = array == "array" || array.ends_with(".array");
    let is_named = is_array && before.split_once('=').is_none_or(|(variable, _)| is_name(variable));
    match () {
        () if is_named => text[place + 1..].find(['[', '(']).map(|inner| place + 1 + inner),
        () => (before.is_empty() || is_assigned).then_some(place),
    }
}

fn is_name(text: &str) -> bool {
    text.trim().chars().all(|c| c.is_alphanumeric() || "_.".contains(c))
}

/// The lists that are open, and what is known of their shape.
#[derive(Default)]
struct ListReader {
    /// The number of items so far of each open list.
    open: Vec<usize>,
    /// The number of items of the lists at each depth; 0 if none has ended.
    lengths: Vec<usize>,
    values: Vec<i64>,
}

/// Whether each line is a list.
fn is_a_list_a_line(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    !text.trim_start().starts_with("[[")
        && lines.clone().count() > 1
        && lines.all(|line| line.starts_with('[') && line.trim_end_matches(',').ends_with(']'))
}

/// Reads a list of numbers, nested lists of equal lengths, or such lists line by line.
///
/// # Errors
/// Returns a message with the number of the line.
pub(super) fn read(text: &str) -> Result<NumberArray, FileFault> {
    if is_a_list_a_line(text) {
        return read(&format!("[{text}]"));
    }
    let start = start(text).unwrap_or(0);
    let mut reader = ListReader::default();
    for (number, line) in text.lines().enumerate() {
        let end = (line.as_ptr() as usize - text.as_ptr() as usize) + line.len();
        if end <= start {
            continue;
        }
        let line = &line[line.len() - (end - start).min(line.len())..];
        let is_end = reader
            .line(line.split('#').next().unwrap_or_default())
            .map_err(|reason| FileFault::at(number + 1, reason))?;
        if is_end {
            return Ok(NumberArray { shape: reader.lengths, values: reader.values });
        }
    }
    Err("its list has no end: a `]` is missing".to_owned().into())
}

impl ListReader {
    /// Reads a line; returns whether the list ends in it.
    fn line(&mut self, mut rest: &str) -> Result<bool, String> {
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
            let Some(next) = rest.chars().next() else { return Ok(false) };
            match next {
                '[' | '(' => {
                    if self.open.len() == DEEPEST {
                        return Err("its lists are nested too deeply".into());
                    }
                    if self.open.len() == self.lengths.len() {
                        if !self.values.is_empty() {
                            return Err("a list stands where others have a number".into());
                        }
                        self.lengths.push(0);
                    }
                    self.open.push(0);
                    rest = &rest[1..];
                }
                ']' | ')' => {
                    self.close()?;
                    if self.open.is_empty() {
                        return Ok(true);
                    }
                    rest = &rest[1..];
                }
                _ => {
                    let end = rest
                        .find(|c: char| c.is_whitespace() || "[](),".contains(c))
                        .unwrap_or(rest.len());
                    self.number(&rest[..end])?;
                    rest = &rest[end..];
                }
            }
        }
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(count) = self.open.pop() else {
            return Err("a list ends that did not begin".into());
        };
        let known = &mut self.lengths[self.open.len()];
        if *known != 0 && *known != count {
            let numbers = if count == 1 { "1 number".into() } else { format!("{count} numbers") };
            return Err(format!("a list has {numbers}; the first has {known}"));
        }
        *known = count;
        self.open.last_mut().into_iter().for_each(|outer| *outer += 1);
        Ok(())
    }

    fn number(&mut self, text: &str) -> Result<(), String> {
        if text == "..." || text == "…" {
            return Err("it is cut off with `...`; write all rolls, with np.savetxt".into());
        }
        let number =
            whole(text).ok_or_else(|| format!("`{}` is not a whole number", shortened(text)))?;
        if self.open.len() < self.lengths.len() {
            return Err(format!("`{number}` stands where others have a list"));
        }
        self.open.last_mut().into_iter().for_each(|list| *list += 1);
        self.values.push(number);
        Ok(())
    }
}
