//! The table of questions: where each is asked, with which words, and what answers it.

use super::answers::{self, Call};
use super::refusal::Refusal;

/// A question that can be asked.
pub(super) struct Endpoint {
    /// Its path below `/api/v1/`, which is the command's name.
    pub name: &'static str,
    pub meaning: &'static str,
    /// The words it takes.
    pub words: &'static [&'static str],
    /// Those it cannot do without.
    pub required: &'static [&'static str],
    /// The schema of its answer, by name.
    pub answer: &'static str,
    /// Whether it may take long: such work is done in turn.
    pub long: bool,
    /// Asks the engine; the answer is a JSON document.
    pub ask: fn(&Call) -> Result<Vec<u8>, Refusal>,
}

/// The path of a question.
pub(super) fn path(endpoint: &Endpoint) -> String {
    format!("/api/v1/{}", endpoint.name)
}

const POSITION: &[&str] = &["rules", "file", "goal", "max_dice", "score", "opponent", "memory", "against"];

/// Every question.
pub(super) const ENDPOINTS: &[Endpoint] = &[
    Endpoint {
        name: "best",
        meaning: "The best roll in a position, and what each number of dice is worth",
        words: POSITION,
        required: &["score", "opponent"],
        answer: "best",
        long: false,
        ask: answers::best,
    },
    Endpoint {
        name: "bid",
        meaning: "How to bid for the start",
        words: &["rules", "file", "goal", "max_dice"],
        required: &[],
        answer: "bid",
        long: true,
        ask: answers::bid,
    },
    Endpoint {
        name: "contest",
        meaning: "An exact round robin: every strategy against every other",
        words: &["rules", "file", "goal", "max_dice", "entrants", "files"],
        required: &[],
        answer: "contest",
        long: true,
        ask: answers::contest,
    },
    Endpoint {
        name: "contest/reports",
        meaning: "The reports of a contest as a zip archive: a page for each entrant, and the ranking",
        words: &["rules", "file", "goal", "max_dice", "entrants", "files"],
        required: &[],
        answer: "archive",
        long: true,
        ask: answers::contest_reports,
    },
    Endpoint {
        name: "describe",
        meaning: "What a game is like: its length, its leads, its rules, and how far skill carries",
        words: &["rules", "file", "goal", "max_dice", "players", "files"],
        required: &[],
        answer: "describe",
        long: true,
        ask: answers::describe,
    },
    Endpoint {
        name: "dice",
        meaning: "The exact distribution of some dice",
        words: &["number", "die"],
        required: &["number"],
        answer: "dice",
        long: false,
        ask: answers::dice,
    },
    Endpoint {
        name: "explain",
        meaning: "Where a strategy loses",
        words: &["rules", "file", "goal", "max_dice", "strategy", "against", "files", "top"],
        required: &["strategy"],
        answer: "explain",
        long: true,
        ask: answers::explain,
    },
    Endpoint {
        name: "map",
        meaning: "Best rolls and win rates of every pair of scores",
        words: &["rules", "file", "goal", "max_dice", "memory", "against", "strategy", "files", "layers"],
        required: &[],
        answer: "map",
        long: false,
        ask: answers::map,
    },
    Endpoint {
        name: "play",
        meaning: "A game from its beginning to where a person is to move",
        words: &[
            "rules", "file", "goal", "max_dice", "score", "opponent", "memory", "players", "seed", "rolls", "files",
        ],
        required: &["players", "seed"],
        answer: "play",
        long: false,
        ask: answers::play,
    },
    Endpoint {
        name: "rate",
        meaning: "Exact win rates of a strategy against another or the game's baseline",
        words: &["rules", "file", "goal", "max_dice", "strategy", "against", "files"],
        required: &["strategy"],
        answer: "rate",
        long: true,
        ask: answers::rate,
    },
    Endpoint {
        name: "rules/list",
        meaning: "The games that come with hog",
        words: &[],
        required: &[],
        answer: "rules-list",
        long: false,
        ask: answers::rules_list,
    },
    Endpoint {
        name: "rules/show",
        meaning: "One game's rules as sentences and formulas",
        words: &["rules", "file", "goal", "max_dice"],
        required: &[],
        answer: "rules-show",
        long: false,
        ask: answers::rules_show,
    },
    Endpoint {
        name: "rules/text",
        meaning: "The text of a game's rule file",
        words: &["rules", "file"],
        required: &[],
        answer: "rules-text",
        long: false,
        ask: answers::rules_text,
    },
    Endpoint {
        name: "rules/check",
        meaning: "Every fault of a rule file, then its worked examples",
        words: &["rules", "file", "goal", "max_dice"],
        required: &[],
        answer: "rules-check",
        long: true,
        ask: answers::rules_check,
    },
    Endpoint {
        name: "rules/functions",
        meaning: "The hooks, variables and functions that rule files may use",
        words: &[],
        required: &[],
        answer: "rules-functions",
        long: false,
        ask: answers::rules_functions,
    },
    Endpoint {
        name: "solve",
        meaning: "A game solved: the first player's win rate, the first roll, how it was computed",
        words: &["rules", "file", "goal", "max_dice", "against", "fraction"],
        required: &[],
        answer: "solve",
        long: true,
        ask: answers::solve,
    },
    Endpoint {
        name: "turn",
        meaning: "One turn with given dice, each rule's effect in words",
        words: &["rules", "file", "goal", "max_dice", "score", "opponent", "memory", "dice"],
        required: &["score", "opponent", "dice"],
        answer: "turn",
        long: false,
        ask: answers::turn,
    },
    Endpoint {
        name: "why",
        meaning: "Two rolls compared: what may follow, and what makes the difference",
        words: &["rules", "file", "goal", "max_dice", "score", "opponent", "memory", "against", "rolls"],
        required: &["score", "opponent"],
        answer: "why",
        long: false,
        ask: answers::why,
    },
];
