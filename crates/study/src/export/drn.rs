//! DRN, the explicit format of the model checker Storm: a Markov decision process with
//! probabilities as fractions.
//!
//! One player uses the table (the fewest of the best dice in each state), and the other chooses
//! freely. The highest win rate that the free player can reach is that of a best response to the
//! table. If the table is an equilibrium, this is the value of the game: the maximal probability of
//! `first_wins` if the second player is fixed, and the minimal one if the first is fixed. A tie
//! counts half: its state leads to each player's win with probability one half.

use std::io::{self, Write};
use std::ops::Range;

use dashu_base::Gcd;

use super::{SolvedTable, unsupported};
use crate::dice::Weight;
use crate::files::escape::line;
use crate::game::{End, Order, Successor, memory_names};

/// The player who moves first, or second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mover {
    /// The player who moves first.
    First,
    /// The player who moves second.
    Second,
}

use Mover::{First, Second};

impl Mover {
    /// Returns `first` or `second`.
    pub fn name(self) -> &'static str {
        match self {
            First => "first",
            Second => "second",
        }
    }

    fn other(self) -> Self {
        match self {
            First => Second,
            Second => First,
        }
    }
}

/// Writes the reachable states, ordered by the sum of scores, so that play begins in state 0 and
/// each turn leads to a state with a higher number.
pub(super) fn write(solved: &SolvedTable, out: &mut dyn Write) -> io::Result<()> {
    let rules = solved.about.game.rules();
    if solved.about.game.order() != Order::Acyclic {
        return Err(unsupported(format!(
            "a DRN model needs a game in which every turn raises the sum of scores: in {} a \
             turn may leave it unchanged, so a game may never end, which counts half a win \
             here and no win in Storm",
            rules.id
        )));
    }
    let process = Process { solved, fixed: solved.fixed };
    let numbers = process.numbers();
    process.write_head(&numbers, out)?;
    for place in process.places() {
        if let Some(number) = numbers[place] {
            process.write_state(place, number, &numbers, out)?;
        }
    }
    Ok(())
}

/// The decision process of a game in which one player uses the table.
///
/// Its states are called places until the reachable ones are numbered. Place `2 * state + mover` is
/// a state of the game with its mover; the ends follow after all of them.
struct Process<'a> {
    solved: &'a SolvedTable<'a>,
    fixed: Mover,
}

/// The meaning of a place.
enum DrnPlace {
    /// The mover, and the state of the game.
    State(Mover, usize),
    /// The index of an end in [`ENDS`].
    End(usize),
}

/// The labels of the ends, in the order of their places.
const ENDS: [&str; 3] = ["tied", "first_wins", "second_wins"];
/// Indices into [`ENDS`].
const TIED: usize = 0;
const FIRST_WINS: usize = 1;
const SECOND_WINS: usize = 2;

impl Process<'_> {
    fn place(&self, mover: Mover, state: usize) -> usize {
        2 * state + mover as usize
    }

    /// Returns the place of an end.
    fn end(&self, end: usize) -> usize {
        2 * self.solved.about.game.space().states() + end
    }

    fn at(&self, place: usize) -> DrnPlace {
        match place.checked_sub(self.end(0)) {
            Some(end) => DrnPlace::End(end),
            None => DrnPlace::State([First, Second][place % 2], place / 2),
        }
    }

    /// Returns all places; each comes before those to which its actions lead.
    fn places(&self) -> impl Iterator<Item = usize> + use<> {
        let space = self.solved.about.game.space();
        let width = 2 * space.per_cell();
        let cells = (0..space.stages()).flat_map(move |stage| space.stage(stage));
        cells
            .flat_map(move |cell| cell * width..(cell + 1) * width)
            .chain(self.end(0)..self.end(ENDS.len()))
    }

    /// Returns the actions of a place. An end has one action, which stays there or splits the tie.
    fn actions(&self, place: usize) -> Range<usize> {
        match self.at(place) {
            DrnPlace::State(mover, state) if mover == self.fixed => {
                let best = self.solved.best[state].trailing_zeros() as usize;
                best..best + 1
            }
            DrnPlace::State(..) => 0..self.solved.about.game.space().actions,
            DrnPlace::End(_) => 0..1,
        }
    }

    /// Returns the places to which an action leads, with integer weights.
    fn outcomes(&self, place: usize, action: usize) -> Vec<(usize, Weight)> {
        let (mover, state) = match self.at(place) {
            DrnPlace::State(mover, state) => (mover, state),
            DrnPlace::End(TIED) => {
                return vec![(self.end(FIRST_WINS), 1), (self.end(SECOND_WINS), 1)];
            }
            DrnPlace::End(_) => return vec![(place, 1)],
        };
        let mut outcomes = Vec::new();
        for (weight, to) in self.solved.about.game.weighted_successors(state, action) {
            let place = match to {
                Successor::Next { to, again } => {
                    self.place(if again { mover } else { mover.other() }, to)
                }
                Successor::End(End::Tied) => self.end(TIED),
                Successor::End(End::Won) => {
                    self.end(if mover == First { FIRST_WINS } else { SECOND_WINS })
                }
                Successor::End(End::Lost) => {
                    self.end(if mover == First { SECOND_WINS } else { FIRST_WINS })
                }
            };
            outcomes.push((place, weight));
        }
        outcomes
    }

    /// Returns the numbers of the reachable places and of both players' wins, indexed by place;
    /// `None` for the others.
    fn numbers(&self) -> Vec<Option<usize>> {
        let mut reached = vec![false; self.end(ENDS.len())];
        let start = self.place(First, self.solved.about.game.start());
        for place in [start, self.end(FIRST_WINS), self.end(SECOND_WINS)] {
            reached[place] = true;
        }
        let mut numbers = vec![None; reached.len()];
        let mut count = 0;
        for place in self.places() {
            if reached[place] {
                let outcomes = self.actions(place).flat_map(|action| self.outcomes(place, action));
                outcomes.for_each(|(next, _)| reached[next] = true);
                numbers[place] = Some(count);
                count += 1;
            }
        }
        numbers
    }

    fn write_head(&self, numbers: &[Option<usize>], out: &mut dyn Write) -> io::Result<()> {
        let rules = self.solved.about.game.rules();
        let fixed = self.fixed;
        let states = numbers.iter().flatten().count();
        let numbered = (0..numbers.len()).filter(|place| numbers[*place].is_some());
        let choices: usize = numbered.map(|place| self.actions(place).len()).sum();
        writeln!(out, "// Made by {}", line(self.solved.about.command))?;
        writeln!(
            out,
            "// {}, goal {}: the {} player uses the table, the {} chooses freely. An action is a \
             number of dice.",
            line(&rules.title),
            rules.goal,
            fixed.name(),
            fixed.other().name()
        )?;
        let property = if fixed == Second { "Pmax" } else { "Pmin" };
        writeln!(out, "// The first player's win rate: {property}=? [F \"first_wins\"]")?;
        writeln!(
            out,
            "@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n{states}\n@nr_choices\n\
             {choices}\n@model"
        )
    }

    fn write_state(
        &self,
        place: usize,
        number: usize,
        numbers: &[Option<usize>],
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match self.at(place) {
            DrnPlace::State(mover, state) => {
                self.write_position(mover, state, out)?;
                let init = mover == First && state == self.solved.about.game.start();
                writeln!(out, "state {number}{}", if init { " init" } else { "" })?;
            }
            DrnPlace::End(end) => writeln!(out, "state {number} {}", ENDS[end])?,
        }
        for action in self.actions(place) {
            match self.at(place) {
                DrnPlace::State(..) => {
                    writeln!(out, "\taction {}", self.solved.about.game.space().dice(action))?
                }
                DrnPlace::End(_) => writeln!(out, "\taction end")?,
            }
            let mut outcomes = self.outcomes(place, action);
            outcomes.iter_mut().for_each(|(next, _)| {
                *next = numbers[*next].expect("successors of reachable places are reachable")
            });
            write_outcomes(outcomes, out)?;
        }
        Ok(())
    }

    /// Writes a comment that describes a state.
    fn write_position(&self, mover: Mover, state: usize, out: &mut dyn Write) -> io::Result<()> {
        let position = self.solved.about.game.position(state);
        write!(out, "// {} to move at {}-{}", mover.name(), position.score, position.opponent)?;
        let names = memory_names(self.solved.about.game.rules());
        names
            .iter()
            .zip(&position.memory)
            .try_for_each(|(name, value)| write!(out, ", {name} {value}"))?;
        writeln!(out)
    }
}

/// Writes the probability of each successor as a reduced fraction; successors are ascending and
/// distinct.
fn write_outcomes(mut outcomes: Vec<(usize, Weight)>, out: &mut dyn Write) -> io::Result<()> {
    let total: Weight = outcomes.iter().map(|(_, weight)| weight).sum();
    outcomes.sort_unstable();
    for same in outcomes.chunk_by(|one, next| one.0 == next.0) {
        let weight: Weight = same.iter().map(|(_, weight)| weight).sum();
        let common = weight.gcd(total);
        match total / common {
            1 => writeln!(out, "\t\t{} : 1", same[0].0)?,
            denominator => writeln!(out, "\t\t{} : {}/{denominator}", same[0].0, weight / common)?,
        }
    }
    Ok(())
}
