//! The numbering of a game's states: two scores, and classes of memories that behave alike.
//!
//! That the memories of one class behave alike is a claim of whoever makes the numbering
//! (`hog-solve` joins them by partition refinement, `hog-check` proves that they do).

use std::ops::Range;

use crate::rules::Rules;
use crate::rules::formula::{Scope, Variable};
pub use crate::turn::DiceSet;
use crate::turn::position::Position;

/// The dimensions of a game's state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// The goal: scores run from 0 to `goal - 1`.
    pub goal: usize,
    /// The number of classes of one player's memories.
    pub mine: usize,
    /// The number of classes of the shared memories.
    pub shared: usize,
    /// The number of actions; action 0 rolls `min_dice` dice.
    pub actions: usize,
    /// The fewest dice that may be requested.
    pub min_dice: i32,
}

/// The memory classes of a state, seen by its mover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StateMemories {
    /// The class of the shared memories.
    pub shared: usize,
    /// The class of the mover's memories.
    pub mine: usize,
    /// The class of the opponent's memories.
    pub theirs: usize,
}

impl Space {
    /// The number of states.
    pub fn states(&self) -> usize {
        self.goal * self.goal * self.per_cell()
    }

    /// The number of states of one cell.
    pub fn per_cell(&self) -> usize {
        self.shared * self.mine * self.mine
    }

    /// The index of a state. The mover's own memory varies fastest, so the possible successors of a
    /// turn, which differ only in the next mover's memory, are adjacent.
    #[inline(always)]
    pub fn state(&self, cell: usize, memories: StateMemories) -> usize {
        let StateMemories { shared, mine, theirs } = memories;
        ((cell * self.shared + shared) * self.mine + theirs) * self.mine + mine
    }

    /// The cell of a state and its memory classes: the inverse of [`Self::state`].
    #[inline(always)]
    pub fn parts(&self, state: usize) -> (usize, StateMemories) {
        let mine = state % self.mine;
        let quotient = state / self.mine;
        let theirs = quotient % self.mine;
        let quotient = quotient / self.mine;
        let shared = quotient % self.shared;
        (quotient / self.shared, StateMemories { shared, mine, theirs })
    }

    /// The mover's and the opponent's score in a cell.
    #[inline(always)]
    pub fn scores(&self, cell: usize) -> (usize, usize) {
        // Cells fit 32 bits, in which division is cheaper than in 64.
        let cell = cell as u32;
        let goal = self.goal as u32;
        ((cell / goal) as usize, (cell % goal) as usize)
    }

    /// The sum of the scores of a cell.
    #[inline(always)]
    pub fn sum(&self, cell: usize) -> usize {
        let (score, opponent) = self.scores(cell);
        score + opponent
    }

    /// The scores that a player may have in one stage (sum of the scores).
    #[inline(always)]
    pub fn scores_in(&self, sum: usize) -> Range<usize> {
        (sum + 1).saturating_sub(self.goal)..self.goal.min(sum + 1)
    }

    /// The cells of one stage (sum of the scores), in ascending order of the mover's score.
    pub fn stage(
        &self,
        sum: usize,
    ) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + use<> {
        let goal = self.goal;
        self.scores_in(sum).map(move |score| score * goal + sum - score)
    }

    /// The number of stages: sums of the scores from 0 to `2 * goal - 2`.
    pub fn stages(&self) -> usize {
        2 * self.goal - 1
    }

    /// The number of dice of an action.
    pub fn dice(&self, action: usize) -> i32 {
        self.min_dice + action as i32
    }

    /// The action of a number of dice, if there is one.
    pub fn action(&self, dice: i32) -> Option<usize> {
        usize::try_from(dice.checked_sub(self.min_dice)?)
            .ok()
            .filter(|action| *action < self.actions)
    }

    /// The actions in a set, ascending.
    pub fn actions_in(&self, set: DiceSet) -> impl Iterator<Item = usize> + use<> {
        (0..self.actions).filter(move |action| set >> action & 1 == 1)
    }

    /// The numbers of dice in a set, ascending.
    pub fn dice_in(&self, set: DiceSet) -> Vec<i32> {
        self.actions_in(set).map(|action| self.dice(action)).collect()
    }
}

/// A memory, by its index in the rules, with its number of values and their step.
#[derive(Clone, Debug)]
struct Part {
    memory: usize,
    size: usize,
    step: i64,
}

/// A numbering of all combinations of values of some memories.
#[derive(Clone, Debug, Default)]
pub struct Combinations {
    /// The memories, the last of which varies fastest.
    parts: Vec<Part>,
}

impl Combinations {
    /// The combinations of one player's memories.
    pub fn of_players(rules: &Rules) -> Self {
        Self::of(rules, true)
    }

    /// The combinations of the shared memories.
    pub fn of_game(rules: &Rules) -> Self {
        Self::of(rules, false)
    }

    fn of(rules: &Rules, of_player: bool) -> Self {
        let mut parts = Vec::new();
        for (memory, of) in rules.memories.iter().enumerate() {
            if of.of_player == of_player {
                let size = (of.max / of.step) as usize + 1;
                parts.push(Part { memory, size, step: of.step });
            }
        }
        Self { parts }
    }

    /// The number of combinations.
    pub fn count(&self) -> usize {
        self.parts.iter().map(|part| part.size).product()
    }

    /// The index of the combination in which each memory has the value given by `value_of`.
    pub fn index(&self, value_of: impl Fn(usize) -> i64) -> usize {
        self.parts
            .iter()
            .fold(0, |index, part| index * part.size + (value_of(part.memory) / part.step) as usize)
    }

    /// Sets the variables of a combination in `scope`; `variable` maps the index of a memory to its
    /// variable.
    pub fn write(&self, mut index: usize, scope: &mut Scope, variable: fn(usize) -> Variable) {
        for part in self.parts.iter().rev() {
            scope.set(variable(part.memory), (index % part.size) as i64 * part.step);
            index /= part.size;
        }
    }
}

/// A partition of values into classes that behave alike, numbered in the order of their smallest
/// values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    class_of: Vec<u32>,
    representative: Vec<usize>,
}

impl Classes {
    /// Creates the partition in which each value has the class given.
    ///
    /// # Panics
    /// Panics if the classes are not numbered in the order of their smallest values.
    pub fn new(class_of: Vec<u32>) -> Self {
        let mut representative = Vec::new();
        for (value, class) in class_of.iter().enumerate() {
            if *class as usize == representative.len() {
                representative.push(value);
            }
            assert!(
                (*class as usize) < representative.len(),
                "class {class} comes before a lower one"
            );
        }
        Self { class_of, representative }
    }

    /// Creates a single class that holds all values.
    pub fn joined(values: usize) -> Self {
        Self::new(vec![0; values])
    }

    /// The number of classes.
    pub fn count(&self) -> usize {
        self.representative.len()
    }

    /// The number of values.
    pub fn values(&self) -> usize {
        self.class_of.len()
    }

    /// The class of a value.
    #[inline]
    pub fn class_of(&self, value: usize) -> u32 {
        self.class_of[value]
    }

    /// The smallest value of each class.
    pub fn representatives(&self) -> &[usize] {
        &self.representative
    }
}

/// The numbering of a game's states.
#[derive(Clone, Debug)]
pub struct States {
    space: Space,
    /// The step of all scores.
    step: u32,
    /// The memories of a position, in its order.
    memories: Vec<Variable>,
    /// The memories of the dice left of a hand, and the dice of the hand.
    hand: Vec<(Variable, i64)>,
    start: Position,
    mine: Memories,
    shared: Memories,
}

/// The combinations of values of some memories, and their classes.
#[derive(Clone, Debug)]
struct Memories {
    combinations: Combinations,
    classes: Classes,
}

impl States {
    /// Numbers the states of a game, given the classes of one player's memories and of the shared
    /// ones.
    ///
    /// # Panics
    /// Panics if the classes are not those of all combinations of the memories of `rules`.
    pub fn new(rules: &Rules, mine: Classes, shared: Classes) -> Self {
        let mine = Memories { combinations: Combinations::of_players(rules), classes: mine };
        let shared = Memories { combinations: Combinations::of_game(rules), classes: shared };
        for memories in [&mine, &shared] {
            assert_eq!(
                memories.combinations.count(),
                memories.classes.values(),
                "a class for each combination"
            );
        }
        let space = Space {
            goal: (rules.goal / rules.step) as usize,
            mine: mine.classes.count(),
            shared: shared.classes.count(),
            actions: (rules.max_dice - rules.min_dice + 1) as usize,
            min_dice: rules.min_dice,
        };
        let [first, second] = rules.start;
        let start = Position::new(rules, first, second).expect("scores of a start are checked");
        let hand = rules.hand.iter().enumerate().map(|(kind, of_kind)| {
            (Variable::memory(rules.memory_of_kind(kind)), i64::from(of_kind.count))
        });
        Self {
            space,
            hand: hand.collect(),
            step: rules.step,
            memories: rules.vocabulary().memories().iter().collect(),
            start,
            mine,
            shared,
        }
    }

    /// The same numbering for positions whose scores and memories are counted in steps; `counted`
    /// are the rules in steps.
    #[must_use]
    pub fn in_steps(&self, counted: &Rules) -> Self {
        Self::new(counted, self.mine.classes.clone(), self.shared.classes.clone())
    }

    /// The dimensions of the state space.
    #[inline(always)]
    pub fn space(&self) -> Space {
        self.space
    }

    /// The state of a position.
    pub fn state(&self, position: &Position) -> usize {
        let mine = self
            .mine
            .combinations
            .index(|memory| self.value_in(position, Variable::memory(memory)));
        let theirs = self
            .mine
            .combinations
            .index(|memory| self.value_in(position, Variable::opponent_memory(memory)));
        let shared = self
            .shared
            .combinations
            .index(|memory| self.value_in(position, Variable::memory(memory)));
        let [score, opponent] =
            [position.score, position.opponent].map(|score| (score / self.step) as usize);
        let cell = score * self.space.goal + opponent;
        let memories = StateMemories {
            shared: self.shared.classes.class_of(shared) as usize,
            mine: self.mine.classes.class_of(mine) as usize,
            theirs: self.mine.classes.class_of(theirs) as usize,
        };
        self.space.state(cell, memories)
    }

    /// The value of a memory in a position.
    fn value_in(&self, position: &Position, memory: Variable) -> i64 {
        let place = self.memories.iter().position(|known| *known == memory);
        position.memory[place.expect("a memory of the game")]
    }

    /// The state in which the game starts.
    pub fn start(&self) -> usize {
        self.state(&self.start)
    }

    /// A position of a state. Memories are the smallest values of their class; no dice left of a
    /// hand are all dice.
    pub fn position(&self, state: usize) -> Position {
        let (cell, at) = self.space.parts(state);
        let (score, opponent) = self.space.scores(cell);
        let [score, opponent] = [score, opponent].map(|steps| steps as u32 * self.step);
        if self.memories.is_empty() {
            return Position { score, opponent, memory: Vec::new() };
        }
        let mut scope = Scope::default();
        for (memories, class, variable) in [
            (&self.mine, at.mine, Variable::memory as fn(usize) -> Variable),
            (&self.mine, at.theirs, Variable::opponent_memory),
            (&self.shared, at.shared, Variable::memory),
        ] {
            memories.combinations.write(
                memories.classes.representatives()[class],
                &mut scope,
                variable,
            );
        }
        if self.hand.iter().all(|(left, _)| scope.get(*left) == 0) {
            self.hand.iter().for_each(|(left, count)| scope.set(*left, *count));
        }
        let memory = self.memories.iter().map(|variable| scope.get(*variable)).collect();
        Position { score, opponent, memory }
    }
}
