//! The variables of formulas: names, sets of variables, and their values in one cell; the types of
//! values.

use crate::limits;
use std::fmt;

/// The type of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// A whole number.
    Integer,
    /// A truth value (1 or 0 when evaluated).
    Boolean,
    /// A die: a number of sides, or a list of weights (see
    /// [`die_weights`](super::Formula::die_weights)).
    Die,
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Integer => "a whole number",
            Self::Boolean => "a yes or no",
            Self::Die => "a die (a number of sides, or a list of weights)",
        })
    }
}

/// A variable of a formula: a property of the turn, or a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(u8);

macro_rules! variables {
    ($($index:literal $constant:ident $name:literal $meaning:literal;)*) => {
        impl Variable {
            $(#[doc = $meaning] pub const $constant: Self = Self($index);)*
        }
        /// The name and meaning of each variable of a turn, by index.
        pub const TURN_VARIABLES: &[(&str, &str)] = &[$(($name, $meaning)),*];
    };
}

variables! {
    0 SCORE "score" "The mover's score: before the turn, or in hooks on totals the current total.";
    1 OPPONENT "opponent" "The opponent's score, likewise.";
    2 GOAL "goal" "The goal of the game.";
    3 MAX_DICE "max_dice" "The most dice a turn may roll.";
    4 DICE "dice" "How many dice this turn rolls.";
    5 FACE "face" "The face of one die.";
    6 ONES_ROLLED "ones_rolled" "How many dice show a 1.";
    7 SUM "sum" "The sum of all dice, ones included.";
    8 POINTS "points" "The turn's points so far.";
    9 ROLLED "rolled" "The turn's points before any rule on points.";
    10 BUSTED "busted" "Whether a die shows a 1; where dice are kept, whether none may be.";
    11 SCORE_BEFORE "score_before" "The mover's score before the turn.";
    12 OPPONENT_BEFORE "opponent_before" "The opponent's score before the turn.";
    13 AGAIN "again" "Whether the same player moves once more.";
    14 BID "bid" "A player's bid for the start.";
    15 OPPONENT_BID "opponent_bid" "The opponent's bid.";
    16 HIGHEST "highest" "The highest face shown (0 without dice, like all that follow).";
    17 LOWEST "lowest" "The lowest face shown.";
    18 DISTINCT "distinct" "How many different faces are shown.";
    19 OF_A_KIND "of_a_kind" "The most dice that show one face.";
    20 PAIRS "pairs" "How many disjoint pairs of equal dice there are.";
    21 STRAIGHT "straight" "The length of the longest run of consecutive faces shown: 3 for 2, 3, \
                            4, 6.";
    22 KEPT "kept" "How many of the dice rolled are kept, in games in which dice are kept; there \
                    the variables from `highest` to `straight`, `count` and `sum` mean the dice \
                    kept.";
    23 LEFT "left" "How many dice are left to be rolled, in games in which dice are kept.";
}

/// The variables that only games have in which dice are kept.
const OF_KEEPING: [Variable; 2] = [Variable::KEPT, Variable::LEFT];

/// The number of variables of a turn that have names of their own.
const TURN_COUNT: u8 = TURN_VARIABLES.len() as u8;

/// The highest face that `count` accepts.
pub const FACES_COUNTED: u8 = 20;

/// The first of the numbers of dice that showed a face, of those left of a kind, and the number of
/// variables before the memories.
const FIRST_SHOWN: u8 = TURN_COUNT + FACES_COUNTED;
const FIRST_KIND: u8 = FIRST_SHOWN + FACES_COUNTED;
const BEFORE_MEMORIES: u8 = FIRST_KIND + limits::HAND_KINDS;

/// The largest number of variables.
const SLOTS: usize = BEFORE_MEMORIES as usize + 2 * limits::MEMORIES;

impl Variable {
    /// `count(face)`: the number of dice that show a face from 1 to [`FACES_COUNTED`].
    pub const fn count(face: u8) -> Self {
        debug_assert!(1 <= face && face <= FACES_COUNTED);
        Self(TURN_COUNT + face - 1)
    }

    /// `shown(face)`: the number of dice rolled that show a face, whether they are kept or not.
    pub const fn shown(face: u8) -> Self {
        debug_assert!(1 <= face && face <= FACES_COUNTED);
        Self(FIRST_SHOWN + face - 1)
    }

    /// The number of dice of a kind, by its index in the hand, that are left to be rolled.
    pub fn left_of(kind: usize) -> Self {
        Self(FIRST_KIND + kind as u8)
    }

    /// The mover's memory with this index in the rules, or the shared memory.
    pub fn memory(index: usize) -> Self {
        Self(BEFORE_MEMORIES + 2 * index as u8)
    }

    /// The opponent's memory with this index in the rules.
    pub fn opponent_memory(index: usize) -> Self {
        Self(BEFORE_MEMORIES + 2 * index as u8 + 1)
    }

    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Hash)]
pub struct VariableSet(u128);

impl VariableSet {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// The patterns: the variables that read the faces of the dice, other than their sum and the
    /// number of ones, and those of the dice that are kept.
    pub fn patterns() -> Self {
        Self((Variable::HIGHEST.0..BEFORE_MEMORIES).fold(0, |set, index| set | 1 << index))
    }

    /// The set of these variables.
    pub fn of(variables: &[Variable]) -> Self {
        Self(variables.iter().fold(0, |set, v| set | 1 << v.index()))
    }

    /// Whether the set contains `variable`.
    pub fn holds(self, variable: Variable) -> bool {
        self.0 >> variable.index() & 1 == 1
    }

    /// The union of both sets.
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The intersection of both sets.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// The variables of this set that are not in the other.
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the sets have no variable in common.
    pub fn is_disjoint(self, other: Self) -> bool {
        self.0 & other.0 == 0
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the variables in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Variable> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let first = (left != 0).then(|| Variable(left.trailing_zeros() as u8))?;
            left &= left - 1;
            Some(first)
        })
    }
}

/// The names that a game's formulas may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    names: Vec<String>,
    /// The numbers that have names.
    numbers: Vec<(String, i64)>,
    /// Whether the name of some memory is unknown, because it has a fault.
    incomplete: bool,
}

impl Vocabulary {
    /// Creates the names for a game with these memories, each with its name and whether each player
    /// has one. The opponent's memory has the prefix `opponent_`.
    pub fn new(memories: &[(String, bool)]) -> Self {
        let mut names: Vec<String> =
            TURN_VARIABLES.iter().map(|(name, _)| (*name).to_owned()).collect();
        for of_keeping in OF_KEEPING {
            names[of_keeping.index()].clear();
        }
        names.extend((1..=FACES_COUNTED).map(|face| format!("count({face})")));
        names.extend((1..=FACES_COUNTED).map(|face| format!("shown({face})")));
        names.extend((0..limits::HAND_KINDS).map(|_| String::new()));
        for (name, of_player) in memories {
            names.push(name.clone());
            names.push(if *of_player { format!("opponent_{name}") } else { String::new() });
        }
        Self { names, numbers: Vec::new(), incomplete: false }
    }

    /// The names of all variables but memories, also those of games in which dice are kept.
    pub fn of_all() -> Self {
        Self::new(&[]).with_keeping(&[], FACES_COUNTED)
    }

    /// Adds the names of a game in which dice are kept, of these kinds. No die has more than
    /// `faces` faces.
    pub(in crate::rules) fn with_keeping(mut self, kinds: &[String], faces: u8) -> Self {
        for face in (1..=FACES_COUNTED).filter(|face| *face > faces) {
            self.names[Variable::count(face).index()].clear();
            self.names[Variable::shown(face).index()].clear();
        }
        for of_keeping in OF_KEEPING {
            self.names[of_keeping.index()] = TURN_VARIABLES[of_keeping.index()].0.to_owned();
        }
        for (kind, name) in kinds.iter().enumerate() {
            self.names[Variable::left_of(kind).index()] = format!("left_{name}");
        }
        self
    }

    /// The largest face that formulas may count.
    pub(super) fn faces(&self) -> u8 {
        let named =
            (1..=FACES_COUNTED).filter(|face| !self.name(Variable::count(*face)).is_empty());
        named.count() as u8
    }

    /// Whether dice are kept in the game.
    pub fn keeps(&self) -> bool {
        !self.name(Variable::KEPT).is_empty()
    }

    /// Adds numbers with names, which formulas may use everywhere.
    pub(in crate::rules) fn with_numbers(self, numbers: Vec<(String, i64)>) -> Self {
        Self { numbers, ..self }
    }

    /// The value of the number with this name.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.numbers.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    /// Declares that the name of some memory is unknown: formulas may then use any name.
    pub(in crate::rules) fn incomplete(mut self) -> Self {
        self.incomplete = true;
        self
    }

    /// Whether the names of all memories are known.
    pub(super) fn is_complete(&self) -> bool {
        !self.incomplete
    }

    /// Finds the variable with this name.
    pub fn find(&self, name: &str) -> Option<Variable> {
        let index = self.names.iter().position(|n| n == name && !n.is_empty())?;
        Some(Variable(index as u8))
    }

    /// The name of a variable.
    pub fn name(&self, variable: Variable) -> &str {
        &self.names[variable.index()]
    }

    /// The variables of all memories: both players' and the shared ones.
    pub fn memories(&self) -> VariableSet {
        let all =
            (usize::from(BEFORE_MEMORIES)..self.names.len()).filter(|i| !self.names[*i].is_empty());
        VariableSet(all.fold(0, |set, i| set | 1 << i))
    }

    /// The names of the variables in `allowed`, except the counts of faces, which are written
    /// `count(face)`, and those of one kind of dice.
    pub fn names_in(&self, allowed: VariableSet) -> Vec<&str> {
        let named = allowed.iter().filter(|v| !(TURN_COUNT..BEFORE_MEMORIES).contains(&v.0));
        let names = named.filter_map(|v| self.names.get(v.index())).map(String::as_str);
        let mut found = Vec::new();
        for name in names.filter(|name| !name.is_empty()) {
            // The dice left of a hand may have the name of the dice rolled.
            if !found.contains(&name) {
                found.push(name);
            }
        }
        found
    }

    /// The names of the numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = &str> {
        self.numbers.iter().map(|(name, _)| name.as_str())
    }
}

/// The values of all variables in one cell; a variable that was not set is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    values: [i64; SLOTS],
}

impl Default for Scope {
    fn default() -> Self {
        Self { values: [0; SLOTS] }
    }
}

impl Scope {
    /// The value of `variable`.
    pub fn get(&self, variable: Variable) -> i64 {
        self.values[variable.index()]
    }

    /// Sets `variable`.
    pub fn set(&mut self, variable: Variable, value: i64) {
        self.values[variable.index()] = value;
    }
}
