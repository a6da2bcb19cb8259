//! Strategies as text: display, parsing, and the message for a text that is not a strategy.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::python::{PythonFile, is_notebook};
use super::{Course, ENDINGS, Jeopardy, Strategy, StrategyError, mix};
use crate::files::has_extension;
use crate::limits;
use crate::rules::fault::edits;

/// The forms in which strategies are written, for messages and help.
const KNOWN: &str = "optimal, final_strategy, baseline, beat:STRATEGY, always_roll:N, \
                         hold_at:N, bank_at:N,N,..., a strategy of the course \
                         (bacon_strategy:8,6, ...), or a file (.py, .ipynb, .csv, .npy, .txt, \
                         .strat, .json, .hog)";

/// The name of what a program reads from its standard input.
pub const INPUT: &str = "-";

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Optimal => f.write_str("optimal"),
            Self::Final => f.write_str("final_strategy"),
            Self::Baseline => f.write_str("baseline"),
            Self::MostPoints => f.write_str("most_points"),
            Self::Beat(other) => write!(f, "beat:{other}"),
            Self::BeatField(field) => write!(f, "beat:{}", mix::MixName(field)),
            Self::AlwaysRoll(dice) => write!(f, "always_roll:{dice}"),
            Self::Course(course) => course.fmt(f),
            Self::Jeopardy(jeopardy) => jeopardy.fmt(f),
            Self::Table(path) => write!(f, "table:{}", path.display()),
            Self::Python(file) => write!(f, "{file}"),
            Self::Input => f.write_str(INPUT),
            Self::Function(function) => f.write_str(function.name()),
            Self::Given { name, .. } => f.write_str(name),
        }
    }
}

/// Says what is too much of a name, before it is parsed.
fn refuse_long(text: &str) -> Result<(), &'static str> {
    if text.len() > limits::NAME_BYTES {
        return Err("it is too long");
    }
    if text.matches("beat:").count() > limits::NESTED_BEATS
        || text.matches('(').count() > limits::NAME_BRACKETS
    {
        return Err("it is nested too deeply");
    }
    Ok(())
}

impl FromStr for Strategy {
    type Err = StrategyError;

    fn from_str(text: &str) -> Result<Self, StrategyError> {
        let unknown = |reason: &str| StrategyError::Unknown {
            text: text.to_owned(),
            reason: reason.to_owned(),
        };
        refuse_long(text).map_err(unknown)?;
        let (name, arguments) =
            text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        if let Some(course) = Course::read(name, arguments) {
            return course.map(Self::Course).map_err(|reason| unknown(&reason));
        }
        if let Some(jeopardy) = Jeopardy::read(name, arguments) {
            return jeopardy.map(Self::Jeopardy).map_err(|reason| unknown(&reason));
        }
        match text.split_once(':') {
            None if text == "optimal" => Ok(Self::Optimal),
            None if text == "final_strategy" => Ok(Self::Final),
            None if text == "baseline" => Ok(Self::Baseline),
            None if text == "most_points" => Ok(Self::MostPoints),
            None if text == INPUT => Ok(Self::Input),
            Some(("beat", field)) if field.starts_with("mix(") => {
                mix::parse(field).map(Self::BeatField)
            }
            Some(("beat", other)) => Ok(Self::Beat(Box::new(other.parse()?))),
            Some(("always_roll" | "always", dice)) => dice
                .parse()
                .map(Self::AlwaysRoll)
                .map_err(|_| unknown("always_roll needs a whole number of dice")),
            Some(("table", "")) => Err(unknown("table needs a path")),
            Some(("table", path)) => Ok(Self::Table(path.into())),
            Some(("python", file)) => PythonFile::parse(file)
                .map(Self::Python)
                .ok_or_else(|| unknown("python needs a file")),
            Some(("seeded", file)) => {
                let file =
                    PythonFile::parse(file).ok_or_else(|| unknown("seeded needs a Python file"));
                file.map(|file| Self::Python(file.seeded()))
            }
            None if text == "always_roll" || text == "always" => {
                Err(unknown("always_roll needs a number of dice, as in always_roll:4"))
            }
            _ => Self::of_path(text)
                .or_else(|| always_roll_n(text))
                .ok_or_else(|| unknown(&not_known(text))),
        }
    }
}

impl Strategy {
    /// Recognises a file by its extension: `.py` or `.ipynb` (with `:FUNCTION` if it is not
    /// `final_strategy`), or a table's.
    fn of_path(text: &str) -> Option<Self> {
        let python = PythonFile::parse(text)
            .filter(|file| has_extension(&file.path, "py") || is_notebook(&file.path));
        match python {
            Some(file) => Some(Self::Python(file)),
            None => may_hold_rolls(text).then(|| Self::Table(text.into())),
        }
    }

    /// Reads a name on a command line, where a file without an ending is a table.
    ///
    /// # Errors
    /// Returns an error if it names nothing.
    pub fn on_command_line(text: &str) -> Result<Self, StrategyError> {
        let path = Path::new(text);
        match text.parse() {
            Err(_) if path.extension().is_none() && path.is_file() => Ok(Self::Table(path.into())),
            parsed => parsed,
        }
    }
}

/// Whether a file with this ending may hold rolls: any short word but the endings of Python, of
/// rules, and of files that are not text.
fn may_hold_rolls(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        ending.len() <= LONGEST_ENDING
            && ending.starts_with(char::is_alphabetic)
            && ending.chars().all(char::is_alphanumeric)
            && !ending.starts_with("py")
            && !NOT_ROLLS.iter().any(|other| ending.eq_ignore_ascii_case(other))
    })
}

/// The longest ending of a file of rolls, in characters.
const LONGEST_ENDING: usize = 5;

const NOT_ROLLS: [&str; 10] =
    ["toml", "zip", "gz", "tar", "tgz", "rar", "7z", "doc", "docx", "pdf"];

/// Parses `always_roll_5`, another spelling of `always_roll:5` in the starter code of some
/// semesters.
fn always_roll_n(text: &str) -> Option<Strategy> {
    text.strip_prefix("always_roll_")?.parse().ok().map(Strategy::AlwaysRoll)
}

/// Explains why a text is not a strategy, with the likely intended spelling where there is one.
fn not_known(text: &str) -> String {
    let (name, arguments) =
        text.split_once(':').map_or((text, ""), |(name, _)| (name, &text[name.len()..]));
    if crate::rules::builtin(text).is_some() || has_extension(text, "toml") {
        return "it is a game; the game is named before any strategy".into();
    }
    // A Python call: `always_roll(4)`.
    let call = text.strip_suffix(')').and_then(|call| call.split_once('('));
    let meant = call.map(|(name, arguments)| match name {
        "mix" => format!("beat:{text}"),
        _ => format!("{name}:{}", arguments.replace(' ', "")),
    });
    if let Some(meant) =
        meant.filter(|meant| meant.parse::<Strategy>().is_ok_and(|meant| meant.file().is_none()))
    {
        return format!("did you mean `{meant}`?");
    }
    if name.starts_with("mix(") {
        return "a mix is something to beat: write beat:mix(A*2,B)".into();
    }
    if Path::new(name).extension().is_some() || text.contains(std::path::is_separator) {
        return "a strategy's file ends in .py, .ipynb, .csv, .npy, .txt, .strat, .json or .hog"
            .into();
    }
    similar(text, &name.to_lowercase(), arguments).unwrap_or_else(one_of_known)
}

/// The reason for a name that resembles none.
fn one_of_known() -> String {
    format!("write one of {KNOWN}")
}

/// Suggests a strategy with a similar name, or says what the arguments of that strategy must be.
fn similar(text: &str, name: &str, arguments: &str) -> Option<String> {
    // `always_roll4`
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &name[bare.len()..];
    let name = bare.trim_end_matches(['_', '-']);
    let with_arguments =
        ["beat", "table", "python", "seeded"].into_iter().filter(|_| !arguments.is_empty());
    let names = ["optimal", "final_strategy", "baseline", "most_points", "always_roll"]
        .into_iter()
        .chain(with_arguments);
    let known = names.chain(Course::names()).chain(Jeopardy::NAMES);
    let (edits, known) = known
        .map(|known| (edits(name, known).min(edits(name, without_strategy(known))), known))
        .min()?;
    // More edits than half of the letters are not a typing error. Those of `_strategy` do not
    // count.
    if edits? * 2 >= without_strategy(known).len() {
        return None;
    }
    let arguments = if arguments.is_empty() && !digits.is_empty() {
        format!(":{digits}")
    } else {
        arguments.into()
    };
    let candidates = [format!("{known}{arguments}"), known.to_owned()];
    let meant = candidates
        .iter()
        .find(|candidate| *candidate != text && candidate.parse::<Strategy>().is_ok());
    match meant {
        Some(meant) => Some(format!("did you mean `{meant}`?")),
        None => match known.parse::<Strategy>() {
            Err(StrategyError::Unknown { reason, .. }) => Some(reason),
            _ => None,
        },
    }
}

fn without_strategy(name: &str) -> &str {
    name.strip_suffix("_strategy").unwrap_or(name)
}

/// Returns the file that a text means if a dot were put before its extension, or `.py` after it.
/// This looks for files: use it only where they may be opened.
pub fn similar_file(text: &str) -> Option<String> {
    let mut candidates = vec![format!("{text}.py")];
    for ending in ["py"].into_iter().chain(ENDINGS) {
        if let Some(name) = text.strip_suffix(ending) {
            candidates.push(format!("{}.{ending}", name.trim_end_matches('.')));
        }
    }
    candidates.into_iter().find(|candidate| Path::new(candidate).is_file())
}

/// The reason for a path that does not exist.
const NO_SUCH_FILE: &str = "there is no such file or folder";

/// Returns why a text that is not a strategy is not a strategy's file either, if it is a folder or
/// looks like a path that does not exist. This looks for files: use it only where they may be
/// opened.
pub fn not_a_file(text: &str) -> Option<&'static str> {
    let path = Path::new(text);
    if path.is_dir() {
        return Some("it is a folder; name a file in it");
    }
    let ending = path.extension().filter(|ending| !ending.eq_ignore_ascii_case("toml"));
    let is_ending =
        ending.is_some_and(|ending| ending.to_string_lossy().chars().all(char::is_alphanumeric));
    (!path.exists() && (is_ending || text.contains(std::path::is_separator)))
        .then_some(NO_SUCH_FILE)
}

impl StrategyError {
    /// This error for a text that may also be the path of a file: says what is wrong with that, if
    /// the text is not the name of a strategy. This looks for files: use it only where they may be
    /// opened.
    #[must_use]
    pub fn of_name_or_file(self) -> Self {
        let Self::Unknown { text, reason } = self else { return self };
        let reason = match not_a_file(&text) {
            Some(fault) => fault.to_owned(),
            None if reason == one_of_known() => {
                format!("{NO_SUCH_FILE} of this name either; {reason}")
            }
            None => reason,
        };
        Self::Unknown { text, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without limits, each bracket would be parsed within the last one, until the stack is full.
    #[test]
    fn names_of_strangers_are_refused_at_once() {
        for (text, count) in [
            ("a(", 20_000),
            ("mix(", 20_000),
            ("beat:mix(", 60),
            ("(", 5_000_000),
            ("beat:", 10_000),
        ] {
            let name = text.repeat(count) + &")".repeat(count);
            let refused = name.parse::<Strategy>().unwrap_err().to_string();
            assert!(
                refused.contains("it is too long") || refused.contains("it is nested too deeply"),
                "{text}"
            );
        }
        assert!("a(".repeat(60).parse::<Strategy>().is_err());
    }

    #[test]
    fn a_misspelt_name_is_refused_with_a_suggestion() {
        let refused = |text: &str| text.parse::<Strategy>().unwrap_err().to_string();
        for (text, meant) in [
            ("optimum", "did you mean `optimal`?"),
            ("susstrategy:9,6", "did you mean `sus_strategy:9,6`?"),
            ("always-roll:4", "did you mean `always_roll:4`?"),
            ("always_roll(4)", "did you mean `always_roll:4`?"),
            ("bacon_strategy(8, 6)", "did you mean `bacon_strategy:8,6`?"),
            ("FA24", "it is a game; the game is named before any strategy"),
            ("mine.toml", "it is a game"),
            ("plugh", "write one of optimal"),
            ("OPTIMAL", "did you mean `optimal`?"),
            ("optimal:3", "did you mean `optimal`?"),
            ("always_roll4", "did you mean `always_roll:4`?"),
            ("always_rol", "as in always_roll:4"),
            ("bakon:8", "did you mean `bacon_strategy:8`?"),
            ("my_strategy", "write one of optimal"),
            ("beat", "write one of optimal"),
            ("mix(optimal*2,always_roll:4)", "did you mean `beat:mix(optimal*2,always_roll:4)`?"),
            ("mix(A*2,B)", "write beat:mix(A*2,B)"),
            ("mine.pyc", "ends in .py"),
        ] {
            assert!(refused(text).contains(meant), "{}", refused(text));
        }
        assert_eq!(
            ["always:4", "always_roll_4"].map(|s| s.parse::<Strategy>().unwrap()),
            [(); 2].map(|()| Strategy::AlwaysRoll(4))
        );
    }
}
