//! What a student's file says about the rules of the semester.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::strategy::{Compared, OtherSemester, WrongFunction};

/// How the functions in a student's file compare with those of the handout.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HandoutView {
    /// The rule functions that differ from the handout's, at some scores below the goal.
    pub wrong_functions: Vec<WrongFunctionView>,
    /// The other semester whose functions the file defines; null if none.
    pub other_semester: Option<OtherSemesterView>,
}

/// A rule function that differs from the handout's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct WrongFunctionView {
    /// Its name.
    pub function: String,
    /// The first arguments for which it differs.
    pub arguments: Vec<i64>,
    /// The handout's value for them, as Python shows it.
    pub expected: String,
    /// A sentence: `your boar_brawl(21, 46) is 14; the handout's is 15`.
    pub words: String,
}

/// Another semester whose functions a file defines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OtherSemesterView {
    /// The functions.
    pub functions: Vec<String>,
    /// The ids of the games that have them.
    pub rules: Vec<String>,
    /// A sentence that names them.
    pub words: String,
}

/// The most games that are named in a sentence.
const MOST_NAMED: usize = 3;

impl From<Compared> for HandoutView {
    fn from(compared: Compared) -> Self {
        Self {
            wrong_functions: compared.wrong.into_iter().map(Into::into).collect(),
            other_semester: compared.other.map(Into::into),
        }
    }
}

impl From<WrongFunction> for WrongFunctionView {
    fn from(wrong: WrongFunction) -> Self {
        let WrongFunction { name, arguments, found, expected } = wrong;
        let list = arguments.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let words = format!("your {name}({list}) {found}; the handout's is {expected}");
        Self { function: name.into(), arguments, expected, words }
    }
}

impl From<OtherSemester> for OtherSemesterView {
    fn from(other: OtherSemester) -> Self {
        let functions = other.functions.join(" and ");
        let whose = match other.title() {
            Some(title) => format!("{} ({title})", other.games[0]),
            None if other.games.len() <= MOST_NAMED => other.games.join(", "),
            None => format!("{} and others", other.games[..MOST_NAMED].join(", ")),
        };
        let words = format!(
            "your file defines {functions}, from the handout of {whose}; is it for that semester?"
        );
        let owned = |texts: Vec<&'static str>| texts.into_iter().map(str::to_owned).collect();
        Self { functions: owned(other.functions), rules: owned(other.games), words }
    }
}

impl HandoutView {
    /// Returns the sentences.
    pub fn sentences(&self) -> impl Iterator<Item = &str> {
        let other = self.other_semester.iter().map(|other| &*other.words);
        other.chain(self.wrong_functions.iter().map(|wrong| &*wrong.words))
    }
}
