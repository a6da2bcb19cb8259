//! Tables: what a solved game is kept as, and loaded from as `final_strategy`.
//!
//! A table holds the rules it was solved for, so it can be played, exported and proven with nothing else at hand.

mod codec;
mod header;
mod shipped;
mod store;

pub use header::{ANSWER_VERSION, HEADER, MAGIC, VERSION};
pub use shipped::shipped;
pub use store::{LARGEST_FILE, read, read_bytes, read_for, write};

use std::path::PathBuf;

use crate::game::{DiceSet, Game, Plan};
use crate::rules::Rules;
use crate::solve::{Arithmetic, Solution, SolveError, Solver, Watch};
use codec::{Body, BodyHead};
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
    #[error("it has format version {found}, this program reads versions {VERSION} and {ANSWER_VERSION}; {}", advice(.found))]
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
    /// It announces more than a table of its rules has.
    #[error("it announces {announced} bytes, and a table of its rules has at most {most}; solve it again")]
    Oversized {
        /// The bytes that its header announces.
        announced: u64,
        /// The most that its rules call for.
        most: u64,
    },
    /// It was solved for other rules than those asked for.
    #[error("it was solved for {found}, not for {wanted}{}", told(.differences))]
    OtherRules {
        /// The game it was solved for.
        found: Box<str>,
        /// The game asked for.
        wanted: Box<str>,
        /// How its rules differ from those asked for, in words.
        differences: Box<[String]>,
    },
}

fn advice(found: &u32) -> &'static str {
    if *found > ANSWER_VERSION { "update hog" } else { "solve it again" }
}

/// The most differences of rules that are told in one line.
const MOST_TOLD: usize = 5;

fn told(differences: &[String]) -> String {
    let (first, rest) = differences.split_at(differences.len().min(MOST_TOLD));
    let more = if rest.is_empty() { String::new() } else { format!("; and {} more differences", rest.len()) };
    if first.is_empty() { String::new() } else { format!(": {}{more}", first.join("; ")) }
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
    /// A table of a solution. `against` is the strategy it answers, if it is a best response: its name, and what it plays.
    pub fn new(game: &Game, solution: &Solution, against: Option<(String, &Plan)>) -> Self {
        let rules = game.rules();
        let sets = solution.own.best.clone();
        let (palette, packed) = pack(&sets);
        let (against, answered) = against.map_or_else(Default::default, |(name, plan)| {
            let actions = (0..game.space().states()).map(|state| plan.action(state) as u8);
            (Some(name.into_bytes()), actions.collect())
        });
        let body = Body {
            rules: rules.text.clone().into_bytes(),
            goal: rules.goal,
            max_dice: rules.max_dice,
            against,
            exact: solution.arithmetic == Arithmetic::Exact,
            error_bound: solution.error_bound,
            ties: solution.ties as u64,
            loops: solution.loops as u64,
            rates: [solution.first(), solution.second(), solution.average()],
            palette,
            sets: packed,
            win_rates: solution.own.win_rates.clone(),
            answered,
        };
        let answers = body.against.is_some();
        let header = Header { fingerprint: rules.fingerprint(), answers, inflated: 0, id: short_id(&rules.id) };
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
        let body = Body::decode(compressed, header.inflated, header.answers)?;
        let sets = unpack(&body).ok_or(TableFault::Damaged)?;
        if sets.is_empty() {
            return Err(TableFault::Damaged);
        }
        let is_text = |bytes: &[u8]| std::str::from_utf8(bytes).is_ok();
        if !is_text(&body.rules) || !body.against.as_deref().is_none_or(is_text) {
            return Err(TableFault::Damaged);
        }
        if header.answers && (body.against.is_none() || body.answered.len() != sets.len()) {
            return Err(TableFault::Damaged);
        }
        let plausible = |rate: &f64| (0.0..=1.0).contains(rate);
        let values_fit = body.win_rates.is_empty() || body.win_rates.len() == sets.len();
        if !values_fit || !body.win_rates.iter().all(plausible) || !body.rates.iter().all(plausible) {
            return Err(TableFault::Damaged);
        }
        if !(body.error_bound.is_finite() && body.error_bound >= 0.0) {
            return Err(TableFault::Damaged);
        }
        Ok(Self { header, body, sets })
    }

    /// The rules it was solved for.
    ///
    /// # Errors
    /// If the text inside no longer reads as rules, or as other rules than those solved.
    pub fn rules(&self) -> Result<Rules, TableFault> {
        let Body { rules, goal, max_dice, .. } = &self.body;
        let head = BodyHead { rules: rules.clone(), goal: *goal, max_dice: *max_dice, against: None };
        rules_of(&head, &self.header)
    }

    /// The rules inside the bytes of a file, which is all of its body that is read.
    ///
    /// # Errors
    /// If they are no table, or its rules do not hold.
    pub fn rules_inside(bytes: &[u8]) -> Result<Rules, TableFault> {
        let (header, compressed) = Header::open(bytes)?;
        rules_of(&BodyHead::decode(compressed)?, &header)
    }

    /// Reads the bytes of a file as a table of this very game. Of a table of another game only the rules are read.
    ///
    /// # Errors
    /// If they are not a sound table, or one of other rules.
    pub fn for_game(bytes: &[u8], game: &Game) -> Result<Self, TableFault> {
        let (header, _) = Header::open(bytes)?;
        if header.fingerprint != game.rules().fingerprint() {
            return Err(other_rules(&Self::rules_inside(bytes)?, game.rules()));
        }
        let table = Self::from_bytes(bytes)?;
        table.fits(game)?;
        Ok(table)
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
            return Err(other_rules(&self.rules()?, game.rules()));
        }
        let known = (1u64 << game.space().actions) - 1;
        let sound = |set: &DiceSet| *set != 0 && u64::from(*set) & !known == 0;
        let played = |action: &u8| usize::from(*action) < game.space().actions;
        let all_sound = self.body.palette.iter().all(sound) && self.body.answered.iter().all(played);
        if self.sets.len() != game.space().states() || !all_sound {
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

    /// What the strategy plays that it is a best response to; `None` for an equilibrium, and for best responses of format
    /// version 1, which do not hold it.
    pub fn answered(&self) -> Option<Plan> {
        (!self.body.answered.is_empty()).then(|| Plan::from_actions(self.body.answered.clone()))
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
        Ok(Solver::new(game, Arithmetic::Float).evaluate_itself(&plan, watch)?.own.win_rates)
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

/// The rules that a body begins with, as those that a header names.
fn rules_of(head: &BodyHead, header: &Header) -> Result<Rules, TableFault> {
    let rules = head.rules(&header.id)?;
    if rules.fingerprint() != header.fingerprint || short_id(&rules.id) != header.id {
        return Err(TableFault::Rules("they read differently than when it was solved".into()));
    }
    Ok(rules)
}

fn other_rules(found: &Rules, wanted: &Rules) -> TableFault {
    let describe = |rules: &Rules| format!("{} (goal {}, at most {} dice)", rules.id, rules.goal, rules.max_dice);
    let (mut of, mut to) = (describe(found), describe(wanted));
    let mut differences = found.differences(wanted);
    if of == to {
        (of, to) = (format!("other rules that call themselves {}", found.id), "these".into());
    } else {
        // Said already.
        differences.retain(|told| !told.starts_with("the goal is") && !told.starts_with("the most dice are"));
    }
    TableFault::OtherRules { found: of.into(), wanted: to.into(), differences: differences.into() }
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
