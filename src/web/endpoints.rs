//! The table of endpoints: path, parameters, schema of the answer, and the function that answers.

use super::answers::{self, Call};
use super::refusal::Refusal;

/// An endpoint of the API.
pub(super) struct Endpoint {
    /// The path below `/api/v1/`, which is the command's name.
    pub name: &'static str,
    pub meaning: &'static str,
    /// The parameters that it accepts.
    pub parameters: &'static [&'static str],
    /// The parameters that must be given.
    pub required: &'static [&'static str],
    /// The name of the schema of its answer.
    pub answer: &'static str,
    /// Whether it usually takes long; long and short work are limited separately.
    pub long: bool,
    /// Calls the engine and returns a JSON document.
    pub ask: fn(&Call) -> Result<Vec<u8>, Refusal>,
}

/// Returns the path of an endpoint.
pub(super) fn path(endpoint: &Endpoint) -> String {
    format!("/api/v1/{}", endpoint.name)
}

const POSITION: &[&str] =
    &["rules", "file", "goal", "max_dice", "score", "opponent", "memory", "against"];

/// All endpoints.
pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        name: "best",
        meaning: "The best roll in a position, and the win rate of each number of dice",
        parameters: POSITION,
        required: &["score", "opponent"],
        answer: "best",
        long: false,
        ask: answers::best,
    },
    Endpoint {
        name: "bid",
        meaning: "How to bid for the start",
        parameters: &["rules", "file", "goal", "max_dice"],
        required: &[],
        answer: "bid",
        long: true,
        ask: answers::bid,
    },
    Endpoint {
        name: "contest",
        meaning: "An exact round robin: every strategy against every other",
        parameters: &["rules", "file", "goal", "max_dice", "entrants", "files"],
        required: &[],
        answer: "contest",
        long: true,
        ask: answers::contest,
    },
    Endpoint {
        name: "contest/reports",
        meaning: "The reports of a contest as a zip archive: a page for each entrant, and the ranking",
        parameters: &["rules", "file", "goal", "max_dice", "entrants", "files"],
        required: &[],
        answer: "archive",
        long: true,
        ask: answers::contest_reports,
    },
    Endpoint {
        name: "describe",
        meaning: "A description of a game: its length, its lead changes, its rules, and how much skill matters",
        parameters: &["rules", "file", "goal", "max_dice", "players", "files"],
        required: &[],
        answer: "describe",
        long: true,
        ask: answers::describe,
    },
    Endpoint {
        name: "dice",
        meaning: "The exact distribution of the sum of some dice",
        parameters: &["number", "die"],
        required: &["number"],
        answer: "dice",
        long: false,
        ask: answers::dice,
    },
    Endpoint {
        name: "explain",
        meaning: "Where a strategy loses",
        parameters: &["rules", "file", "goal", "max_dice", "strategy", "against", "files", "top"],
        required: &["strategy"],
        answer: "explain",
        long: true,
        ask: answers::explain,
    },
    Endpoint {
        name: "map",
        meaning: "Best rolls and win rates of every pair of scores",
        parameters: &[
            "rules", "file", "goal", "max_dice", "memory", "against", "strategy", "files", "layers",
        ],
        required: &[],
        answer: "map",
        long: false,
        ask: answers::map,
    },
    Endpoint {
        name: "play",
        meaning: "A game from its beginning to its end or to a person's turn",
        parameters: &[
            "rules", "file", "goal", "max_dice", "score", "opponent", "memory", "players", "seed",
            "rolls", "files",
        ],
        required: &["players", "seed"],
        answer: "play",
        long: false,
        ask: answers::play,
    },
    Endpoint {
        name: "rate",
        meaning: "Exact win rates of a strategy against another or the game's baseline",
        parameters: &["rules", "file", "goal", "max_dice", "strategy", "against", "files"],
        required: &["strategy"],
        answer: "rate",
        long: true,
        ask: answers::rate,
    },
    Endpoint {
        name: "rules/list",
        meaning: "The built-in games",
        parameters: &[],
        required: &[],
        answer: "rules-list",
        long: false,
        ask: answers::rules_list,
    },
    Endpoint {
        name: "rules/show",
        meaning: "One game's rules as sentences and formulas",
        parameters: &["rules", "file", "goal", "max_dice"],
        required: &[],
        answer: "rules-show",
        long: false,
        ask: answers::rules_show,
    },
    Endpoint {
        name: "rules/text",
        meaning: "The text of a game's rule file",
        parameters: &["rules", "file"],
        required: &[],
        answer: "rules-text",
        long: false,
        ask: answers::rules_text,
    },
    Endpoint {
        name: "rules/check",
        meaning: "Checks a rule file and its worked examples",
        parameters: &["rules", "file", "goal", "max_dice"],
        required: &[],
        answer: "rules-check",
        long: true,
        ask: answers::rules_check,
    },
    Endpoint {
        name: "rules/functions",
        meaning: "The hooks, variables and functions that rule files may use",
        parameters: &[],
        required: &[],
        answer: "rules-functions",
        long: false,
        ask: answers::rules_functions,
    },
    Endpoint {
        name: "solve",
        meaning: "Solves a game: the first player's win rate, the best first roll, and how they were computed",
        parameters: &["rules", "file", "goal", "max_dice", "against", "fraction"],
        required: &[],
        answer: "solve",
        long: true,
        ask: answers::solve,
    },
    Endpoint {
        name: "turn",
        meaning: "One turn with given dice, each rule's effect in words",
        parameters: &["rules", "file", "goal", "max_dice", "score", "opponent", "memory", "dice"],
        required: &["score", "opponent", "dice"],
        answer: "turn",
        long: false,
        ask: answers::turn,
    },
    Endpoint {
        name: "why",
        meaning: "A comparison of two rolls: the outcomes of each, and which of them make the difference",
        parameters: &[
            "rules", "file", "goal", "max_dice", "score", "opponent", "memory", "against", "rolls",
        ],
        required: &["score", "opponent"],
        answer: "why",
        long: false,
        ask: answers::why,
    },
];
