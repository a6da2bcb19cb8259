//! The functions of the handouts' rules: their values by the rules of each semester, for a
//! comparison with those in a student's file, and the semesters that have them, to recognise a file
//! for another one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::python::{Fault, Outline, PythonFault};
use super::{Course, Sources, Strategy, StrategyError};
use crate::game::{Game, Position, take_turn};
use crate::rules::formula::{Scope, Variable};
use crate::rules::{Hook, Rules, builtin, load};
use crate::solve::Watch;

/// The parameters of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Takes {
    /// The opponent's score.
    Opponent,
    /// The mover's total.
    Own,
    /// Both scores, the mover's first.
    Both,
    /// A number of dice, which is 0 here, and both scores.
    NoDiceAndBoth,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    /// The value of a rule's formula.
    Formula(Hook),
    /// The points that a rule adds to the mover's total.
    Added,
    /// The mover's total after a turn.
    TotalAfterTurn,
}

/// A function of a handout.
#[derive(Debug)]
struct RuleFunction {
    name: &'static str,
    takes: Takes,
    gives: Gives,
    /// The name of its rule.
    rule: &'static str,
    /// The games whose handouts have it, where the game has the rule.
    games: &'static [&'static str],
}

const ZERO_DICE: Gives = Gives::Formula(Hook::ZeroDice);
const SWAP: Gives = Gives::Formula(Hook::Swap);
const AGAIN: Gives = Gives::Formula(Hook::Again);
const TOTAL: Gives = Gives::Formula(Hook::Score);

const fn function(
    name: &'static str,
    takes: Takes,
    gives: Gives,
    rule: &'static str,
    games: &'static [&'static str],
) -> RuleFunction {
    RuleFunction { name, takes, gives, rule, games }
}

const WITH_BACON: &[&str] = &[
    "su16", "fa16", "sp17", "su17", "fa17", "sp18", "su18", "fa18", "sp19", "su19", "fa19", "sp20",
    "su20", "fa20",
];
const WITH_SWAP: &[&str] = &[
    "su15", "fa15", "sp17", "su17", "fa17", "sp18", "su18", "fa18", "sp19", "su19", "fa19", "sp20",
    "su20",
];

/// The functions of all handouts. Those that call others of them come last.
static FUNCTIONS: [RuleFunction; 23] = [
    function("free_bacon", Takes::Opponent, ZERO_DICE, "Free Bacon", WITH_BACON),
    function("piggy_points", Takes::Opponent, ZERO_DICE, "Piggy Points", &["sp21"]),
    function("piggy_points", Takes::Opponent, ZERO_DICE, "Free Bacon", &["su21"]),
    function("picky_piggy", Takes::Opponent, ZERO_DICE, "Picky Piggy", &["fa21", "nju21"]),
    function("picky_piggy", Takes::Opponent, ZERO_DICE, "Pig Tail", &["nju23"]),
    function("hefty_hogs", Takes::Both, ZERO_DICE, "Hefty Hogs", &["sp22"]),
    function("oink_points", Takes::Both, ZERO_DICE, "Oink Points", &["su22"]),
    function("tail_points", Takes::Opponent, ZERO_DICE, "Pig Tail", &["fa22"]),
    function("boar_brawl", Takes::Both, ZERO_DICE, "Boar Brawl", &["su23", "fa23"]),
    function("is_swap", Takes::Both, SWAP, "Swine Swap", WITH_SWAP),
    function("swine_swap", Takes::Both, SWAP, "Swine Swap", &["nju21"]),
    function("swine_swap", Takes::Own, SWAP, "Swine Swap", &["nju23"]),
    function("swine_align", Takes::Both, AGAIN, "Swine Align", &["fa20"]),
    function("pig_pass", Takes::Both, AGAIN, "Pig Pass", &["fa20"]),
    function("more_boar", Takes::Both, AGAIN, "More Boar", &["sp21"]),
    function("more_boar", Takes::Both, AGAIN, "Extra turn", &["su21"]),
    function("hog_pile", Takes::Both, Gives::Added, "Hog Pile", &["fa21", "sp22"]),
    function("pigs_on_prime", Takes::Both, Gives::Added, "Pigs on Prime", &["su22"]),
    function("fuzzy_points", Takes::Own, TOTAL, "Fuzzy Factors", &["su23"]),
    function("sus_points", Takes::Own, TOTAL, "Sus Fuss", &["su23", "fa23"]),
    function(
        "fuzzy_update",
        Takes::NoDiceAndBoth,
        Gives::TotalAfterTurn,
        "Fuzzy Factors",
        &["su23"],
    ),
    function(
        "sus_update",
        Takes::NoDiceAndBoth,
        Gives::TotalAfterTurn,
        "Sus Fuss",
        &["su23", "fa23"],
    ),
    function(
        "square_update",
        Takes::NoDiceAndBoth,
        Gives::TotalAfterTurn,
        "Square Swine",
        &["fa22"],
    ),
];

/// The values that a function of the handout has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandoutFunction {
    /// Its name.
    pub name: &'static str,
    /// Whether it returns a truth value.
    pub is_boolean: bool,
    /// Whether it calls other functions of the handout, and so is wrong if they are.
    pub calls_others: bool,
    /// Arguments, and the value.
    pub values: Vec<(Vec<i64>, i64)>,
}

/// How the functions in a student's file compare with those of the handout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct HandoutComparison {
    /// The rule functions that differ from the handout's, at some scores below the goal, without
    /// those that only call another such function.
    pub wrong_functions: Vec<WrongFunction>,
    /// The other semester whose functions the file defines; null if none.
    pub other_semester: Option<OtherSemester>,
    /// A sentence, if the names of the parameters say that the opponent's score comes first.
    pub swapped_scores: Option<String>,
}

/// A rule function that differs from the handout's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct WrongFunction {
    /// Its name.
    pub function: String,
    /// The first arguments for which it differs.
    pub arguments: Vec<i64>,
    /// The handout's value for them, as Python shows it.
    pub expected: String,
    /// A sentence: `your boar_brawl(21, 46) is 14; the handout's is 15`.
    pub words: String,
}

/// Another semester whose functions a file defines, if it defines more of theirs than of the
/// game's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OtherSemester {
    /// The functions.
    pub functions: Vec<String>,
    /// The ids of the games that have them.
    pub rules: Vec<String>,
    /// A sentence that names them.
    pub words: String,
}

/// The most games that are named in a sentence.
const MOST_NAMED: usize = 3;

impl HandoutComparison {
    /// Returns the sentences.
    pub fn sentences(&self) -> impl Iterator<Item = &str> {
        let swapped = self.swapped_scores.iter().map(|words| &**words);
        let other = self.other_semester.iter().map(|other| &*other.words);
        swapped.chain(other).chain(self.wrong_functions.iter().map(|wrong| &*wrong.words))
    }
}

impl RuleFunction {
    /// Whether the handout of a game has it.
    fn is_in(&self, id: &str) -> bool {
        let rule = format!("name = \"{}\"", self.rule);
        self.games.contains(&id)
            && builtin(id).is_some_and(|game| game.id == id && game.text.contains(&rule))
    }

    /// Returns the arguments of every call: scores below the goal; a total is at least 1, the least
    /// points of a turn.
    fn arguments(&self, goal: i64) -> Vec<Vec<i64>> {
        let on_total = !matches!(self.gives, ZERO_DICE | Gives::TotalAfterTurn);
        let own = i64::from(on_total)..goal;
        match self.takes {
            Takes::Opponent => (0..goal).map(|opponent| vec![opponent]).collect(),
            Takes::Own => own.map(|score| vec![score]).collect(),
            Takes::Both | Takes::NoDiceAndBoth => {
                let dice: &[i64] = if self.takes == Takes::Both { &[] } else { &[0] };
                let scores = own.flat_map(|score| (0..goal).map(move |opponent| [score, opponent]));
                scores.map(|scores| [dice, &scores[..]].concat()).collect()
            }
        }
    }

    /// Returns its values by these rules; `None` if they do not have its rule.
    fn values(&self, rules: &Rules) -> Option<HandoutFunction> {
        let mut values = Vec::new();
        for arguments in self.arguments(rules.goal.into()) {
            let value = self.value(rules, &arguments)?;
            values.push((arguments, value));
        }
        let is_boolean = [SWAP, AGAIN].contains(&self.gives);
        let calls_others = self.gives == Gives::TotalAfterTurn;
        Some(HandoutFunction { name: self.name, is_boolean, calls_others, values })
    }

    /// Returns the value that the rules give for these arguments.
    fn value(&self, rules: &Rules, arguments: &[i64]) -> Option<i64> {
        let (score, opponent) = match (self.takes, arguments) {
            (Takes::Opponent, [opponent]) => (0, *opponent),
            (Takes::Own, [score]) => (*score, 0),
            (_, [.., score, opponent]) => (*score, *opponent),
            _ => return None,
        };
        let hook = match self.gives {
            Gives::Formula(hook) => hook,
            Gives::Added => Hook::Score,
            Gives::TotalAfterTurn => {
                let position =
                    Position::new(rules, score.try_into().ok()?, opponent.try_into().ok()?).ok()?;
                return Some(take_turn(rules, &position, &[], 0).ok()?.score);
            }
        };
        let rule = rules.rules.iter().find(|rule| rule.name == self.rule)?;
        let (_, formula) = rule.hooks.iter().find(|(known, _)| *known == hook)?;
        let mut scope = Scope::default();
        let known = [
            (Variable::GOAL, rules.goal.into()),
            (Variable::MAX_DICE, rules.max_dice.into()),
            (Variable::SCORE, score),
            (Variable::OPPONENT, opponent),
        ];
        known.into_iter().for_each(|(variable, value)| scope.set(variable, value));
        let value = formula.value(&scope)?;
        Some(if self.gives == Gives::Added { value - score } else { value })
    }
}

/// Functions of the project that take two numbers or more, besides those of rules and strategies.
const OF_PROJECT: [&str; 6] =
    ["play", "say_scores", "simple_update", "square_update", "take_turn", "winner"];

/// Whether a function of this name is in a handout.
pub(super) fn is_of_handout(name: &str) -> bool {
    OF_PROJECT.contains(&name)
        || FUNCTIONS.iter().any(|function| function.name == name)
        || Course::names_with_rules().any(|(course, _)| course == name)
}

/// Returns the functions of the handout of a published game.
pub fn handout_functions(rules: &Rules) -> Vec<HandoutFunction> {
    if !is_published(rules) {
        return Vec::new();
    }
    let of_game = FUNCTIONS.iter().filter(|function| function.is_in(&rules.id));
    of_game.filter_map(|function| function.values(rules)).collect()
}

/// Whether the rules are those of a published game, perhaps with another goal, and not of a file
/// with its id.
fn is_published(rules: &Rules) -> bool {
    builtin(&rules.id).is_some_and(|game| game.text == rules.text)
}

impl HandoutFunction {
    /// Returns a value as Python shows it.
    fn shown(&self, value: i64) -> String {
        match (self.is_boolean, value) {
            (true, 0) => "False".into(),
            (true, _) => "True".into(),
            (false, value) => value.to_string(),
        }
    }
}

impl Strategy {
    /// Compares the functions of a Python file with those of the handout, at all scores below the
    /// goal. Of a file that cannot be read or run nothing is found.
    pub fn compared_with_handout(
        &self,
        sources: &Sources,
        game: &Game,
        watch: &Watch,
    ) -> HandoutComparison {
        let Self::Python(file) = self else { return HandoutComparison::default() };
        let Some(outline) = file.outline() else { return HandoutComparison::default() };
        let rules = game.rules();
        // A helper of one's own may compute a rule that the handout has no function for.
        let mut functions: Vec<HandoutFunction> = Vec::new();
        for function in
            FUNCTIONS.iter().filter(|one| is_published(rules) && outline.mentions(one.name))
        {
            let is_known = functions.iter().any(|known| known.name == function.name);
            if !is_known || function.is_in(&rules.id) {
                functions.retain(|known| known.name != function.name);
                functions.extend(function.values(rules));
            }
        }
        let mut wrong = Vec::new();
        if !functions.is_empty() {
            let comparing =
                file.clone().calling(COMPARING, &comparison(&functions, game.space().min_dice));
            if let Err(StrategyError::Python {
                fault: PythonFault(Fault::Raised { error, .. }),
                ..
            }) = Self::Python(comparing).plan_from(sources, game, watch)
            {
                wrong = read_differences(&error, &functions).unwrap_or_default();
            }
        }
        let other_semester = other_semester(&outline, rules, |name| {
            // One with other parameters is none of a handout.
            functions.iter().any(|function| function.name == name)
                && !wrong
                    .iter()
                    .any(|wrong| wrong.function == name && !wrong.words.contains(OTHER_PARAMETERS))
        });
        wrong.retain(|wrong| {
            let mut named = FUNCTIONS.iter().filter(|function| function.name == wrong.function);
            named.any(|function| function.is_in(&rules.id))
        });
        let swapped_scores = swapped_scores(&outline, &file.function);
        HandoutComparison { wrong_functions: wrong, other_semester, swapped_scores }
    }

    /// Returns a sentence if the names of a Python function's parameters say that the opponent's
    /// score comes first, although the mover's does.
    pub fn swapped_scores(&self) -> Option<String> {
        let Self::Python(file) = self else { return None };
        swapped_scores(&file.outline()?, &file.function)
    }
}

fn swapped_scores(outline: &Outline, function: &str) -> Option<String> {
    let found = outline.functions().iter().rfind(|one| one.name == function)?;
    let [(first, _), (second, _), ..] = &found.parameters[..] else { return None };
    (is_opponents(first) && !is_opponents(second)).then(|| {
        format!(
            "your {function}({first}, {second}) is called with your own score first: swap the two"
        )
    })
}

/// Whether a parameter has the name of the opponent's score.
fn is_opponents(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.contains("opp") || name.contains("other")
}

/// The name of the function that compares, and of the exception that lists the differences.
const COMPARING: &str = "_compared_with_handout";
const DIFFERENCES: &str = "_HandoutDifferences";

/// What a function is said to do that does not take the handout's arguments.
const OTHER_PARAMETERS: &str = "raises TypeError";

/// The longest text of a value. All differences must fit in one message of an exception.
const LONGEST_VALUE: usize = 32;

/// Returns the Python source of a function that compares the file's functions when it is first
/// called.
fn comparison(functions: &[HandoutFunction], answer: i32) -> String {
    let mut tables = String::new();
    for function in functions {
        let [boolean, calls_others] = [function.is_boolean, function.calls_others]
            .map(|flag| if flag { "True" } else { "False" });
        tables += &format!("        ('{}', {boolean}, {calls_others}, [", function.name);
        for (arguments, value) in &function.values {
            tables += &format!("({arguments:?},{value}),");
        }
        tables += "]),\n";
    }
    format!(
        "\n\n\nclass {DIFFERENCES}(Exception):\n    pass\n\n\n\
         def {COMPARING}(score, opponent_score):\n\
         \x20   if score or opponent_score:\n        return {answer}\n\
         \x20   import json\n    found = []\n\
         \x20   for name, boolean, calls_others, calls in [\n{tables}    ]:\n\
         \x20       function = globals().get(name)\n        if not callable(function) or \
         calls_others and found:\n            continue\n\
         \x20       for arguments, wanted in calls:\n\
         \x20           try:\n                value = function(*arguments)\n                text = \
         repr(value)\n\
         \x20           except Exception as error:\n\
         \x20               found.append([name, arguments, f'raises \
         {{type(error).__name__}}'])\n                break\n\
         \x20           if (bool(value) if boolean else value) != wanted:\n\
         \x20               found.append([name, arguments, 'is ' + \
         text[:{LONGEST_VALUE}]])\n                break\n\
         \x20   if found:\n        raise {DIFFERENCES}(json.dumps(found[:4]))\n    return \
         {answer}\n"
    )
}

/// Parses the message of the exception.
fn read_differences(error: &str, functions: &[HandoutFunction]) -> Option<Vec<WrongFunction>> {
    let list = error.strip_prefix(DIFFERENCES)?.strip_prefix(": ")?;
    let list: Vec<(String, Vec<i64>, String)> = serde_json::from_str(list).ok()?;
    let mut wrong = Vec::new();
    for (name, arguments, found) in list {
        let function = functions.iter().find(|function| function.name == name)?;
        let (_, expected) = function.values.iter().find(|(known, _)| *known == arguments)?;
        let expected = function.shown(*expected);
        let list = arguments.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
        let words = format!("your {name}({list}) {found}; the handout's is {expected}");
        wrong.push(WrongFunction { function: name, arguments, expected, words });
    }
    Some(wrong)
}

/// Returns games in words; a single one with its title.
fn named(games: &[&'static str]) -> String {
    let title = match games {
        [game] => load(game, Default::default()).ok().map(|rules| rules.title),
        _ => None,
    };
    match title {
        Some(title) => format!("{} ({title})", games[0]),
        None if games.len() <= MOST_NAMED => games.join(", "),
        None => format!("{} and others", games[..MOST_NAMED].join(", ")),
    }
}

/// Returns the semesters whose functions a file defines, if those of the game are fewer. Functions
/// that are right by the game's rules, `is_right`, are the game's.
fn other_semester(
    outline: &Outline,
    rules: &Rules,
    is_right: impl Fn(&str) -> bool,
) -> Option<OtherSemester> {
    let is_project = FUNCTIONS.iter().any(|function| function.is_in(&rules.id));
    if !is_published(rules) || !is_project {
        return None;
    }
    let mut own: Vec<&str> = Vec::new();
    let mut known: Vec<&RuleFunction> = Vec::new();
    for function in &FUNCTIONS {
        if !outline.functions().iter().any(|one| one.name == function.name) {
            continue;
        }
        if !is_right(function.name) {
            known.push(function);
        } else if !own.contains(&function.name) {
            own.push(function.name);
        }
    }
    let of_known = known.iter().flat_map(|function| function.games).copied();
    let most = of_known.clone().map(|game| count_in(&known, game)).max()?;
    if most <= own.len() + count_in(&known, &rules.id) {
        return None;
    }
    let mut games: Vec<&'static str> = Vec::new();
    for game in of_known {
        if count_in(&known, game) == most && !games.contains(&game) {
            games.push(game);
        }
    }
    let of_games = known.iter().filter(|function| games.iter().any(|game| function.is_in(game)));
    let mut functions: Vec<&'static str> = of_games.map(|function| function.name).collect();
    functions.dedup();
    if games.is_empty() {
        return None;
    }
    let whose = named(&games);
    let words = format!(
        "your file defines {}, from the handout of {whose}; is it for that semester?",
        functions.join(" and ")
    );
    let [functions, rules] =
        [functions, games].map(|names| names.into_iter().map(str::to_owned).collect());
    Some(OtherSemester { functions, rules, words })
}

fn count_in(functions: &[&RuleFunction], game: &str) -> usize {
    functions.iter().filter(|function| function.is_in(game)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(game: &str, name: &str) -> HandoutFunction {
        let rules = load(game, Default::default()).unwrap();
        let functions = handout_functions(&rules);
        functions
            .into_iter()
            .find(|function| function.name == name)
            .unwrap_or_else(|| panic!("{game}: {name}"))
    }

    /// The examples of the handouts and of their starter files.
    #[test]
    fn the_values_are_those_of_the_handouts() {
        for (game, name, arguments, value) in [
            ("su23", "boar_brawl", &[21, 46][..], 9),
            ("fa24", "boar_brawl", &[45, 52], 1),
            ("fa24", "sus_points", &[25], 29),
            ("fa24", "sus_points", &[21], 23),
            ("fa24", "sus_update", &[0, 2, 5], 11),
            ("fa22", "square_update", &[0, 6, 10], 16),
            ("fa21", "picky_piggy", &[3], 2),
            ("fa21", "hog_pile", &[44, 44], 44),
            ("fa21", "hog_pile", &[43, 44], 0),
            ("sp22", "hog_pile", &[36, 46], 6),
            ("nju23", "swine_swap", &[9], 1),
            ("nju23", "picky_piggy", &[46], 5),
            ("fa20", "pig_pass", &[9, 12], 0),
            ("fa20", "pig_pass", &[10, 12], 1),
            ("fa20", "swine_align", &[30, 45], 1),
            ("fa16", "free_bacon", &[42], 5),
        ] {
            let function = values(game, name);
            let (_, found) = function.values.iter().find(|(known, _)| known == arguments).unwrap();
            assert_eq!(*found, value, "{game}: {name}{arguments:?}");
        }
    }

    #[test]
    fn every_function_has_values_in_every_game_that_has_it() {
        for function in &FUNCTIONS {
            for game in function.games.iter().filter(|game| function.is_in(game)) {
                assert!(
                    values(game, function.name).values.len() >= 99,
                    "{game}: {}",
                    function.name
                );
            }
        }
    }

    #[test]
    fn a_file_for_another_semester_is_recognised_by_its_functions() {
        let other = |source: &str, game: &str| {
            other_semester(&Outline::of(source), &load(game, Default::default()).unwrap(), |_| {
                false
            })
        };
        let boar = "def boar_brawl(a, b):\n    pass\n\n\
         def sus_update(n, a, b, dice=six_sided):\n    pass\n";
        let (found, sus) = (other(boar, "fa21").unwrap(), builtin("fa24").unwrap().id);
        assert_eq!(found.functions, ["boar_brawl", "sus_update"]);
        assert_eq!(found.rules, [sus]);
        let title = load("fa24", Default::default()).unwrap().title;
        assert!(found.words.contains(&title), "{}", found.words);
        assert_eq!(other(boar, "fa24"), None);
        assert_eq!(other("def final_strategy(a, b):\n    return 6\n", "fa21"), None);
        let pile = "def hog_pile(a, b):\n    pass\ndef hefty_hogs(a, b):\n    pass\n";
        assert_eq!(other(pile, "fa21").unwrap().rules, ["sp22"]);
        assert_eq!(other("def hog_pile (a, b):\n    pass\n", "fa21"), None);
        assert!(other("def free_bacon(score): pass\n", "fa21").unwrap().rules.len() > 5);
        assert_eq!(other(boar, "pig"), None);
        assert_eq!(other("    def boar_brawl(a, b): pass\n# def tail_points(a)\n", "fa21"), None);
    }
}
