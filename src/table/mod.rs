//! Tables: what a solved game is kept as, and loaded from as `final_strategy`.
//!
//! A table holds the rules it was solved for, so it can be played, exported and proven with nothing else at hand.

mod codec;
mod header;
mod shipped;
mod store;

pub use header::{HEADER, MAGIC, VERSION};
pub use shipped::shipped;
pub use store::{LARGEST_FILE, read, read_within, write};

use std::path::PathBuf;

use crate::game::{DiceSet, Game, Plan};
use crate::rules::{Faults, Overrides, Rules, rules_from_text};
use crate::solve::{Arithmetic, Solution, SolveError, Watch, evaluate_itself};
use codec::Body;
use header::Header;

/// A solved game: for each state the best numbers of dice and, unless packed, the win rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    header: Header,
    body: Body,
    sets: Vec<DiceSet>,
}

/// What is wrong with the bytes of a table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// The first bytes are those of something else.
    #[error("this is no hog table")]
    Foreign,
    /// Written by another version of the program.
    #[error("it has format version {found}, this program reads version {VERSION}; {}", advice(.found))]
    Version {
        /// The version it has.
        found: u32,
    },
    /// The end is missing.
    #[error("it is cut short; copy or solve it again")]
    Truncated,
    /// The bytes contradict themselves.
    #[error("it is damaged (its checksum or contents do not fit); copy or solve it again")]
    Damaged,
    /// The rules inside cannot be used.
    #[error("the rules inside it do not hold: {0}")]
    Rules(String),
    /// It was solved for other rules than those asked for.
    #[error("it was solved for {found}, not for {wanted}")]
    OtherRules {
        /// The game it was solved for.
        found: String,
        /// The game asked for.
        wanted: String,
    },
}

fn advice(found: &u32) -> &'static str {
    if *found > VERSION { "update hog" } else { "solve it again" }
}

/// Why a table could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file could not be read.
    #[error("cannot read the table {}: {error}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file could not be written.
    #[error("cannot write {}: {error}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file was read and is no sound table.
    #[error("the table {}: {fault}", .path.display())]
    Faulty {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: TableFault,
    },
}

impl Table {
    /// A table of a solution. `against` is the strategy it answers, if it is a best response.
    pub fn new(game: &Game, solution: &Solution, against: Option<String>) -> Self {
        let rules = game.rules();
        let sets = solution.own.best.clone();
        let (palette, packed) = pack(&sets);
        let body = Body {
            rules: rules.text.clone().into_bytes(),
            goal: rules.goal,
            max_dice: rules.max_dice,
            against: against.map(String::into_bytes),
            exact: solution.arithmetic == Arithmetic::Exact,
            error_bound: solution.error_bound,
            ties: solution.ties as u64,
            loops: solution.loops as u64,
            rates: [solution.first(), solution.second(), solution.average()],
            palette,
            sets: packed,
            win_rates: solution.own.win_rates.clone(),
        };
        let header = Header { fingerprint: rules.fingerprint(), inflated: 0, id: short_id(&rules.id) };
        Self { header, body, sets }
    }

    /// The same table without win rates: they follow from the best rolls (see [`Self::win_rates`]). A best response
    /// keeps them, for they follow from the other side's rolls too, which it does not hold.
    #[must_use]
    pub fn packed(mut self) -> Self {
        if self.body.against.is_none() {
            self.body.win_rates = Vec::new();
        }
        self
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (body, inflated) = self.body.encode();
        Header { inflated, ..self.header.clone() }.seal(&body)
    }

    /// Reads the bytes of a file, believing nothing.
    ///
    /// # Errors
    /// If they are not a sound table of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableFault> {
        let (header, compressed) = Header::open(bytes)?;
        let body = Body::decode(compressed, header.inflated)?;
        let sets = unpack(&body).ok_or(TableFault::Damaged)?;
        let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
        if !is_text(&body.rules) || !body.against.as_deref().is_none_or(is_text) {
            return Err(TableFault::Damaged);
        }
        let plausible = |rate: &f64| (0.0..=1.0).contains(rate);
        let values_fit = body.win_rates.is_empty() || body.win_rates.len() == sets.len();
        if !values_fit || !body.win_rates.iter().all(plausible) || !body.rates.iter().all(plausible) {
            return Err(TableFault::Damaged);
        }
        Ok(Self { header, body, sets })
    }

    /// The rules it was solved for.
    ///
    /// # Errors
    /// If the text inside no longer reads as rules, or as other rules than those solved.
    pub fn rules(&self) -> Result<Rules, TableFault> {
        let max_dice = u32::try_from(self.body.max_dice).map_err(|_| TableFault::Damaged)?;
        let overrides = Overrides { goal: Some(self.body.goal), max_dice: Some(max_dice) };
        let faults = |faults: Faults| TableFault::Rules(faults.to_string());
        let text = std::str::from_utf8(&self.body.rules).map_err(|_| TableFault::Damaged)?;
        let rules = rules_from_text(text, &self.header.id, overrides).map_err(faults)?;
        if rules.fingerprint() != self.header.fingerprint {
            return Err(TableFault::Rules("they read differently than when it was solved".into()));
        }
        Ok(rules)
    }

    /// The game it was solved for, ready to be asked.
    ///
    /// # Errors
    /// If its rules do not hold, or it has another number of states than the game.
    pub fn game(&self) -> Result<Game, TableFault> {
        let game = Game::new(self.rules()?).map_err(|faults| TableFault::Rules(faults.to_string()))?;
        self.fits(&game)?;
        Ok(game)
    }

    /// Checks that it was solved for this very game.
    ///
    /// # Errors
    /// If the rules are others, or the number of states is another.
    pub fn fits(&self, game: &Game) -> Result<(), TableFault> {
        if !self.is_for(game.rules()) {
            let describe = |id: &str, goal, dice| format!("{id} (goal {goal}, at most {dice} dice)");
            let rules = game.rules();
            return Err(TableFault::OtherRules {
                found: describe(&self.header.id, self.body.goal, self.body.max_dice),
                wanted: describe(&rules.id, rules.goal, rules.max_dice),
            });
        }
        let known = (1u64 << game.space().actions) - 1;
        let sound = |set: &DiceSet| *set != 0 && u64::from(*set) & !known == 0;
        if self.sets.len() != game.space().states() || !self.body.palette.iter().all(sound) {
            return Err(TableFault::Damaged);
        }
        Ok(())
    }

    /// True if it was solved for rules that play alike.
    pub fn is_for(&self, rules: &Rules) -> bool {
        self.header.fingerprint == rules.fingerprint()
    }

    /// The game's id.
    pub fn id(&self) -> &str {
        &self.header.id
    }

    /// The strategy it is a best response to; `None` for an equilibrium.
    pub fn against(&self) -> Option<&str> {
        self.body.against.as_deref().and_then(|text| std::str::from_utf8(text).ok())
    }

    /// Whether its numbers are exact.
    pub fn arithmetic(&self) -> Arithmetic {
        if self.body.exact { Arithmetic::Exact } else { Arithmetic::Float }
    }

    /// The bound on the error of its win rates.
    pub fn error_bound(&self) -> f64 {
        self.body.error_bound
    }

    /// How many states have more than one best number of dice.
    pub fn ties(&self) -> u64 {
        self.body.ties
    }

    /// How many loops its solution met.
    pub fn loops(&self) -> u64 {
        self.body.loops
    }

    /// The solved side's win rates: moving first, moving second, on average.
    pub fn rates(&self) -> [f64; 3] {
        self.body.rates
    }

    /// The best numbers of dice of each state.
    pub fn best(&self) -> &[DiceSet] {
        &self.sets
    }

    /// The win rates it holds; empty if it is packed.
    pub fn stored_win_rates(&self) -> &[f64] {
        &self.body.win_rates
    }

    /// The mover's win rate of each state. A packed table has them computed from its best rolls, in floats.
    ///
    /// # Errors
    /// If `watch` stops the work.
    pub fn win_rates(&self, game: &Game, watch: &Watch) -> Result<Vec<f64>, SolveError> {
        if !self.body.win_rates.is_empty() {
            return Ok(self.body.win_rates.clone());
        }
        let plan = self.plan();
        Ok(evaluate_itself(game, &plan, Arithmetic::Float, watch)?.own.win_rates)
    }

    /// In each state the fewest dice of the best.
    ///
    /// A table solved in floats lists every action within its tolerance of the best, and the format has no place for which of
    /// them is the largest: this plan may lose the tolerance at each turn, so its own win rate, which
    /// [`Self::win_rates`] of a table without win rates is made of, may lie below the solution's by more than its bound.
    /// [`Solution::plan`](crate::solve::Solution::plan) takes the largest.
    pub fn plan(&self) -> Plan {
        Plan::from_actions(self.sets.iter().map(|set| set.trailing_zeros() as u8).collect())
    }
}

/// The part of an id that the header has room for.
fn short_id(id: &str) -> String {
    let fits = (0..=id.len().min(24)).rev().find(|end| id.is_char_boundary(*end)).unwrap_or(0);
    id[..fits].to_owned()
}

/// The sets that occur, and the index of each state's.
fn pack(sets: &[DiceSet]) -> (Vec<u32>, Vec<u8>) {
    let mut palette: Vec<u32> = sets.to_vec();
    palette.sort_unstable();
    palette.dedup();
    let index = |set: &DiceSet| palette.binary_search(set).expect("in the palette");
    let packed = if palette.len() <= 256 {
        sets.iter().map(|set| index(set) as u8).collect()
    } else {
        sets.iter().flat_map(|set| (index(set) as u16).to_le_bytes()).collect()
    };
    (palette, packed)
}

fn unpack(body: &Body) -> Option<Vec<DiceSet>> {
    let set = |index: usize| body.palette.get(index).copied();
    if body.palette.len() <= 256 {
        return body.sets.iter().map(|index| set(usize::from(*index))).collect();
    }
    let (pairs, rest) = body.sets.as_chunks::<2>();
    if !rest.is_empty() {
        return None;
    }
    pairs.iter().map(|pair| set(usize::from(u16::from_le_bytes(*pair)))).collect()
}
