//! A brute-force solver of small games: it plays every roll of faces through `take_turn`, without
//! state space, distributions or the library's solver.

use std::collections::HashMap;

use dashu_int::UBig;
use dashu_ratio::RBig;
use hog_rules::rules::Rules;
use hog_solve::game::{Position, TurnError, take_turn};

/// The weights of the faces of the die that is rolled at a position.
pub type Die<'a> = &'a dyn Fn(&Position) -> Vec<u32>;

/// The result of a turn.
#[derive(Clone, Debug)]
pub enum Next {
    /// The game is over, and this is the number of half wins of the mover.
    Over(u8),
    /// The game continues at a position, as its mover sees it; `again` if the same player moves.
    At { position: Position, again: bool },
}

/// A game that is played by its rules.
pub struct Table<'a> {
    pub rules: &'a Rules,
    pub die: Die<'a>,
}

impl Table<'_> {
    /// Returns the numbers of dice that may be requested.
    pub fn actions(&self) -> std::ops::RangeInclusive<i32> {
        self.rules.min_dice..=self.rules.max_dice
    }

    /// Returns the results of requesting a number of dice, with the weight of each roll. A request
    /// outside of what the rules allow at the position is moved to the nearest allowed number.
    pub fn outcomes(&self, position: &Position, dice: i32) -> Vec<(u64, Next)> {
        let faces = usize::try_from(dice).unwrap_or(0);
        match take_turn(self.rules, position, &vec![2; faces], dice) {
            Err(TurnError::TooManyDice { most, .. }) => {
                return self.outcomes(position, most.max(0) as i32);
            }
            Err(TurnError::TooFewDice { least, .. }) => {
                return self.outcomes(position, least as i32);
            }
            _ => {}
        }
        let weights = if faces == 0 { Vec::new() } else { (self.die)(position) };
        let weight =
            |roll: &[u32]| roll.iter().map(|face| u64::from(weights[*face as usize - 1])).product();
        rolls(&weights, faces)
            .iter()
            .map(|roll| (weight(roll), self.next(position, roll, dice)))
            .collect()
    }

    fn next(&self, position: &Position, faces: &[u32], dice: i32) -> Next {
        let turn = take_turn(self.rules, position, faces, dice)
            .unwrap_or_else(|e| panic!("{e} at {position:?}"));
        let goal = i64::from(self.rules.goal);
        if turn.score >= goal || turn.opponent >= goal {
            return Next::Over(match turn.score.cmp(&turn.opponent) {
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            });
        }
        let (score, opponent) = (turn.score as u32, turn.opponent as u32);
        let position = match turn.again {
            true => Position { score, opponent, memory: turn.memory },
            false => {
                Position { score: opponent, opponent: score, memory: self.exchanged(&turn.memory) }
            }
        };
        Next::At { position, again: turn.again }
    }

    /// Returns the memories as the other player sees them.
    fn exchanged(&self, memory: &[i64]) -> Vec<i64> {
        let mut seen = memory.to_vec();
        let mut place = 0;
        for kept in &self.rules.memories {
            if kept.of_player {
                seen.swap(place, place + 1);
            }
            place += if kept.of_player { 2 } else { 1 };
        }
        seen
    }
}

/// The value of a position, and its best numbers of dice.
#[derive(Clone, Debug)]
pub struct Solved {
    pub value: RBig,
    pub best: Vec<i32>,
}

/// Solves a game in which every turn raises the sum of scores, by playing out everything in reduced
/// fractions; solved positions are remembered.
pub struct GameTree<'a> {
    table: Table<'a>,
    known: HashMap<Position, Solved>,
}

impl<'a> GameTree<'a> {
    pub fn new(table: Table<'a>) -> Self {
        Self { table, known: HashMap::new() }
    }

    /// Returns the value of a position to the player to move, and its best numbers of dice.
    pub fn solve(&mut self, position: &Position) -> Solved {
        if let Some(known) = self.known.get(position) {
            return known.clone();
        }
        let values: Vec<(i32, RBig)> =
            self.table.actions().map(|dice| (dice, self.action_value(position, dice))).collect();
        let value = values.iter().map(|(_, value)| value).max().expect("an action").clone();
        let best =
            values.iter().filter(|(_, other)| *other == value).map(|(dice, _)| *dice).collect();
        let solved = Solved { value, best };
        self.known.insert(position.clone(), solved.clone());
        solved
    }

    fn action_value(&mut self, position: &Position, dice: i32) -> RBig {
        let outcomes = self.table.outcomes(position, dice);
        let total: u64 = outcomes.iter().map(|(weight, _)| weight).sum();
        let mut sum = RBig::ZERO;
        for (weight, next) in outcomes {
            let value = match next {
                Next::Over(halves) => RBig::from_parts(halves.into(), 2u8.into()),
                Next::At { position: after, again } => {
                    assert!(
                        after.score + after.opponent > position.score + position.opponent,
                        "the turn must raise the sum of scores"
                    );
                    let value = self.solve(&after).value;
                    if again { value } else { RBig::ONE - value }
                }
            };
            sum += value * RBig::from(UBig::from(weight));
        }
        sum / RBig::from(UBig::from(total))
    }
}

/// Returns all rolls of dice whose faces have these weights, without faces of weight 0.
fn rolls(weights: &[u32], dice: usize) -> Vec<Vec<u32>> {
    let faces: Vec<u32> =
        (1..=weights.len() as u32).filter(|face| weights[*face as usize - 1] > 0).collect();
    (0..dice).fold(vec![Vec::new()], |rolls, _| {
        rolls
            .iter()
            .flat_map(|roll| faces.iter().map(move |face| [&roll[..], &[*face]].concat()))
            .collect()
    })
}

/// Returns all positions of a game: every pair of scores with every combination of memories.
pub fn positions(rules: &Rules) -> Vec<Position> {
    let maxima = rules.memories.iter().flat_map(|m| vec![m.max; if m.of_player { 2 } else { 1 }]);
    let memories = maxima.fold(vec![Vec::new()], |all: Vec<Vec<i64>>, max| {
        all.iter()
            .flat_map(|known| (0..=max).map(move |value| [&known[..], &[value]].concat()))
            .collect()
    });
    let scores =
        (0..rules.goal).flat_map(|score| (0..rules.goal).map(move |opponent| (score, opponent)));
    scores
        .flat_map(|(score, opponent)| {
            memories.iter().map(move |memory| Position { score, opponent, memory: memory.clone() })
        })
        .collect()
}
