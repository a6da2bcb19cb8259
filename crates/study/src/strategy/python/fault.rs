//! The faults of strategies in Python files in words: one line each, with the scores at which it
//! occurred and what helps.

use std::fmt;
use std::path::Path;

use hog_sandbox::{At, Fault, InnerLine, limits};

use crate::rules::fault::edits;
use crate::strategy::handout::is_of_handout;

/// The names of the two arguments of a function, as in the handouts.
pub(super) const SCORES: &str = "score, opponent_score";

/// Why the answers of a strategy in a Python file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonFault(pub Fault);

impl std::error::Error for PythonFault {}

impl fmt::Display for PythonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Fault::Syntax { line, message, .. } => {
                if *line > 0 {
                    write!(f, "line {line}: ")?;
                }
                write!(f, "it is not valid Python: {message}")
            }
            Fault::Arguments { takes, given, .. } if given == SCORES || given.ends_with(']') => {
                let by_place = if takes.contains('*') {
                    ", and the scores are given by their places, not by their names"
                } else {
                    ""
                };
                write!(f, "it takes ({takes}){by_place}; take ({given})")
            }
            Fault::Arguments { takes, given, .. } => {
                write!(f, "it takes ({takes}), and is called with ({given})")
            }
            Fault::NoModule { at, error, line } => {
                let at = place(*at);
                let line = in_line(*line);
                let advice = module_advice(error);
                write!(f, "{at}: {error}{line}; {advice}")
            }
            Fault::Missing { name, known, found } => {
                write!(f, "it defines no function `{name}`{}", others(name, known, found))
            }
            Fault::Raised { at, error, line } => {
                let advice = advice_on(error);
                write!(f, "{}: it raises {error}{}{advice}", place(*at), in_line(*line))
            }
            Fault::Forbidden { at, error, line, .. } if lacking_file(error).is_some() => write!(
                f,
                "{}: {error}{}; define it in {}, or leave out the import if that is this file",
                place(*at),
                in_line(*line),
                lacking_file(error).unwrap_or_default()
            ),
            Fault::Forbidden { at, error, line, reads_its_folder } => write!(
                f,
                "{}: {error}{}; a strategy may read {}, and may not write, start processes or use \
                 the network",
                place(*at),
                in_line(*line),
                readable(*reads_its_folder)
            ),
            Fault::NotWhole { at, shown, kind } => write!(
                f,
                "{}: it returns {shown}, a {kind}; return a whole number of dice (an int){}",
                place(*at),
                if kind == "NoneType" { "; is a `return` missing?" } else { "" }
            ),
            Fault::OutOfRange { at, shown, min, max } => {
                write!(f, "{}: it rolls {shown} dice; the game allows {min} to {max}", place(*at))
            }
            Fault::Impure { at, first, then } => write!(
                f,
                "{}: it is not pure: asked again, in another order, it rolls {then} dice instead \
                 of {first}",
                place(*at)
            ),
            Fault::Random { at, call, line, first, then } => write!(
                f,
                "{}: it uses random numbers ({call}{}): {first} dice, asked again {then}",
                place(*at),
                in_line(*line)
            ),
            Fault::Changing { at, first, then } => write!(
                f,
                "{}: it is not pure: started again, it rolls {then} dice instead of {first}; it \
                 may depend on the clock, the order of a set, or random numbers of its own",
                place(*at)
            ),
            Fault::Endless { at, line } => write!(
                f,
                "{}: it never ends: nothing in the `while` loop{} changes its condition",
                place(*at),
                in_line(*line)
            ),
            Fault::TooLong { at, line, inner, seconds } => write!(
                f,
                "{}: it was stopped after {seconds} s{}{}; a strategy may compute that long for \
                 all scores",
                place(*at),
                in_line(*line),
                in_function(inner.as_ref())
            ),
            Fault::Waits { at, line, inner, seconds } => write!(
                f,
                "{}: it was stopped after {seconds} s of waiting and computing{}{}; a strategy \
                 must not wait",
                place(*at),
                in_line(*line),
                in_function(inner.as_ref())
            ),
            Fault::Memory { at, mebibytes } => {
                write!(f, "{}: it takes more than {mebibytes} MiB of memory", place(*at))
            }
            Fault::Ended { at, how } => {
                write!(f, "{}: it ends the program ({how}) instead of answering", place(*at))
            }
            Fault::ForgedOutput { at } => {
                write!(f, "{}: it writes into files that it has not opened", place(*at))
            }
        }
    }
}

impl PythonFault {
    /// Whether the function uses random numbers, which a fixed seed allows.
    pub fn is_random(&self) -> bool {
        matches!(self.0, Fault::Random { .. })
    }

    /// Whether the interpreter lacks a package, and another interpreter may have it.
    pub fn lacks_package(&self) -> bool {
        matches!(&self.0, Fault::NoModule { error, .. } if missing_module(error).1.is_none())
    }

    /// Returns what to write instead of `path`, to be put after the message.
    pub fn advice(&self, path: &Path) -> String {
        let Fault::Missing { name, known, .. } = &self.0 else { return String::new() };
        let known = of_the_file(known);
        match known.last() {
            Some(last) if similar(name, &known).is_none() => {
                format!("; name one, as in {}:{last}", path.display())
            }
            _ => String::new(),
        }
    }
}

fn place(at: At) -> String {
    match at {
        At::Loading => "while its file is loaded".into(),
        At::Call(score, opponent) => format!("at {score}-{opponent}"),
        At::AfterCall(score, opponent) => format!("at or after {score}-{opponent}"),
    }
}

fn in_line(line: usize) -> String {
    if line == 0 { String::new() } else { format!(" in line {line}") }
}

/// Where it was in a function that it called: ", in `boar_brawl`, line 21".
fn in_function(inner: Option<&InnerLine>) -> String {
    inner.map_or_else(String::new, |InnerLine { function, line }| {
        format!(", in `{function}`, line {line}")
    })
}

/// What to do about an exception that the sandbox causes, although Python has other words for it.
fn advice_on(error: &str) -> &'static str {
    const NETWORK: [&str; 4] =
        ["name resolution", "Name or service not known", "getaddrinfo", "Network is unreachable"];
    let says = |words: &str| error.contains(words);
    match () {
        () if says("EOF when reading a line") => "; nobody answers `input()` here: leave it out",
        () if says("can't start new thread") => "; a strategy may not start threads or processes",
        () if NETWORK.into_iter().any(says) => "; a strategy may not use the network",
        () => "",
    }
}

/// Describes what a strategy may read.
fn readable(reads_its_folder: bool) -> String {
    if reads_its_folder {
        format!(
            "Python's library and the files in its folder and its subfolders (up to {}, {} \
             deep; no hidden ones, no links)",
            limits::FILES,
            limits::DEPTH
        )
    } else {
        "Python's library and its own file (more if it comes in a folder or .zip archive of its \
         own)"
            .into()
    }
}

/// Modules that the course hands out with its project and with its contest, apart from those that
/// hog replaces.
const OF_PROJECT: [&str; 7] =
    ["hog", "hog_eval", "hog_gui", "hog_ui", "hog_contest", "calc", "play_hog"];
const OF_CONTEST: [&str; 3] = ["compare_strategies", "hoglib", "hogconv"];

/// Returns a module that is not found, which the exception names in quotation marks, and what it
/// comes with if it is one of the course.
fn missing_module(error: &str) -> (&str, Option<&'static str>) {
    let module = error.split('\'').nth(1).unwrap_or_default().split('.').next().unwrap_or_default();
    let origin = match module {
        _ if OF_PROJECT.contains(&module) => Some("project"),
        _ if OF_CONTEST.contains(&module) => Some("contest"),
        _ => None,
    };
    (module, origin)
}

/// What to do about a module that is missing; in a tab there is no interpreter to choose.
const NO_MODULE: &str = if cfg!(target_family = "wasm") {
    "in this tab there is Python's own library, and the files beside yours: drop them together"
} else {
    "leave it out, or use an interpreter or a virtual environment that has it; if it is a file of \
     yours, it goes beside this one (on the page, drop both)"
};

fn module_advice(error: &str) -> String {
    match missing_module(error) {
        (module, Some(origin)) => format!(
            "{module} comes with the starter files of the course's {origin}: hand it in together \
             with the strategy, or leave out the import"
        ),
        (_, None) => NO_MODULE.into(),
    }
}

/// Returns the name of the file from which a name cannot be imported, as in `ImportError: cannot
/// import name 'boar_brawl' from 'hog' (hog.py)`.
fn lacking_file(error: &str) -> Option<&str> {
    let (_, path) = error.strip_suffix(')')?.rsplit_once('(')?;
    let is_file = error.contains("cannot import name") && path.ends_with(".py");
    is_file.then(|| path.rsplit('/').next().unwrap_or(path))
}

/// Returns the functions of a file but for those of the handouts, if it has others.
fn of_the_file(known: &str) -> Vec<&str> {
    let all: Vec<&str> = known.split(", ").filter(|name| !name.is_empty()).collect();
    let own: Vec<&str> = all.iter().copied().filter(|name| !is_of_handout(name)).collect();
    if own.is_empty() { all } else { own }
}

/// Returns the function whose name is nearest to a mistyped one.
fn similar<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let known = known.iter().filter_map(|known| Some((edits(name, known)?, *known)));
    let (edits, nearest) = known.min_by_key(|(edits, _)| *edits)?;
    (edits * 3 <= name.chars().count()).then_some(nearest)
}

fn others(name: &str, known: &str, found: &str) -> String {
    match found {
        "" | "method" => {}
        "dict" | "list" | "tuple" | "ndarray" => {
            return format!(
                ": it is a {found}; rename it, and return its entries from `def \
                 {name}({SCORES})`"
            );
        }
        _ => return format!(": it is of type {found}; write it as `def {name}({SCORES})`"),
    }
    let known = of_the_file(known);
    if let Some(meant) = similar(name, &known) {
        // Nobody named the function, so the file has the typing error.
        if name == super::FUNCTION {
            return format!("; it defines {meant}: rename it to {name}");
        }
        return format!("; did you mean `{meant}`?");
    }
    let method = match found {
        "method" => "; it is a method of a class: define it outside of the class",
        _ if known.is_empty() => "; it has no functions at all",
        _ => "",
    };
    if known.is_empty() { method.into() } else { format!("{method}; it has {}", known.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_says_where_and_what_helps() {
        let raised = Fault::Raised { at: At::Call(0, 1), error: "ValueError: x".into(), line: 7 };
        let outside =
            Fault::OutOfRange { at: At::AfterCall(2, 3), shown: "11".into(), min: 0, max: 10 };
        let empty = Fault::Missing { name: "f".into(), known: String::new(), found: String::new() };
        let typed = Fault::Missing {
            name: "final_strategy".into(),
            known: "final_stategy, g".into(),
            found: String::new(),
        };
        let table = Fault::Missing {
            name: "final_strategy".into(),
            known: String::new(),
            found: "dict".into(),
        };
        let of_course = Fault::NoModule {
            at: At::Loading,
            error: "ModuleNotFoundError: No module named 'hog_eval'".into(),
            line: 1,
        };
        for (fault, message) in [
            (raised, "at 0-1: it raises ValueError: x in line 7"),
            (outside, "at or after 2-3: it rolls 11 dice; the game allows 0 to 10"),
            (empty, "it defines no function `f`; it has no functions at all"),
            (
                table,
                "it defines no function `final_strategy`: it is a dict; rename it, and \
                 return its entries from `def final_strategy(score, opponent_score)`",
            ),
            (
                typed,
                "it defines no function `final_strategy`; it defines final_stategy: rename it to \
                 final_strategy",
            ),
            (
                of_course,
                "while its file is loaded: ModuleNotFoundError: No module named 'hog_eval' in \
                 line 1; hog_eval comes with the starter files of the course's project: hand it \
                 in together with the strategy, or leave out the import",
            ),
        ] {
            assert_eq!(PythonFault(fault).to_string(), message);
        }
    }
}
