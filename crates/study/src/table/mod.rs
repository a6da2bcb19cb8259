//! Tables: solved games in files, which can be loaded as `final_strategy`.
//!
//! A table contains the rules that it was solved for, so that it can be played, exported and
//! checked without any other file.

mod codec;
mod fault;
mod header;
mod sets;
mod shipped;
mod store;
mod version;

pub use fault::TableFault;
pub use header::{HEADER, MAGIC};
pub use shipped::{shipped, shipped_games};
pub use store::{of_bytes_for, read, read_bytes, write};
pub use version::{ANSWER_VERSION, BOUNDS_VERSION, VERSION};

use std::path::PathBuf;

use crate::game::{DiceSet, Game, Plan};
use crate::rules::Rules;
use crate::solve::{self, Arithmetic, Solution, SolveError, Solver, Watch};
use codec::{Body, BodyHead, StoredBounds};
use header::Header;
use hog_check::LoopBounds;

/// A solved game: for each state, the best numbers of dice and, unless the table is packed, the win
/// rate.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    header: Header,
    body: Body,
    sets: Vec<DiceSet>,
}

/// An error of reading or writing a table.
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
    /// The file is not a valid table.
    #[error("the table {}: {fault}", .path.display())]
    Faulty {
        /// The file.
        path: PathBuf,
        /// What is wrong with the table.
        fault: TableFault,
    },
}

impl Table {
    /// Creates a table of a solution. If that is a best response, `against` is the name and the
    /// plan of the strategy that it answers.
    pub fn new(game: &Game, solution: &Solution, against: Option<(String, &Plan)>) -> Self {
        let rules = game.rules();
        let sets = solution.own.best.clone();
        let (palette, packed) = sets::pack(&sets);
        let (against, answered) = against.map_or_else(Default::default, |(name, plan)| {
            let actions = (0..game.space().states()).map(|state| plan.action(state) as u8);
            (Some(name.into_bytes()), actions.collect())
        });
        let mut body = Body {
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
            bounds: None,
        };
        // A best response without the rolls that it answers could not be checked.
        if body.against.is_some() == solution.other.is_some() {
            body.bounds = bounds(solution);
        }
        let header = Header {
            fingerprint: rules.fingerprint(),
            version: body.version(),
            inflated: 0,
            id: short_id(&rules.id),
        };
        Self { header, body, sets }
    }

    /// Removes the win rates of an equilibrium, which can be computed from the best rolls (see
    /// [`Self::win_rates`]). A best response keeps its win rates, since they also depend on the
    /// other side's rolls.
    #[must_use]
    pub fn packed(mut self) -> Self {
        // Which dice to keep follows from the win rates alone.
        let keeps_dice = self.rules().is_ok_and(|rules| rules.keeps_dice());
        if self.body.against.is_none() && !keeps_dice {
            self.body.win_rates = Vec::new();
            self.body.bounds = None;
            self.header.version = self.body.version();
        }
        self
    }

    /// Returns the bytes of the table's file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (body, inflated) = self.body.encode();
        Header { inflated, ..self.header.clone() }.seal(&body)
    }

    /// Reads a table from the bytes of a file, which are not trusted.
    ///
    /// # Errors
    /// Returns an error if they are not a valid table of a known format version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, TableFault> {
        let (header, compressed) = Header::open(bytes)?;
        let body = Body::decode(compressed, header.inflated, header.version)?;
        let sets = sets::unpack(&body.palette, &body.sets).ok_or(TableFault::Damaged)?;
        if sets.is_empty() {
            return Err(TableFault::Damaged);
        }
        for text in [Some(&body.rules), body.against.as_ref()].into_iter().flatten() {
            std::str::from_utf8(text).map_err(|_| TableFault::Damaged)?;
        }
        let answers = header.version == ANSWER_VERSION
            || header.version == BOUNDS_VERSION && body.against.is_some();
        let expected = if answers { sets.len() } else { 0 };
        if body.answered.len() != expected || answers && body.against.is_none() {
            return Err(TableFault::Damaged);
        }
        if !body.bounds.as_ref().is_none_or(|bounds| bounds.fit(sets.len(), answers)) {
            return Err(TableFault::Damaged);
        }
        let values_fit = body.win_rates.is_empty() || body.win_rates.len() == sets.len();
        let mut rates = body.win_rates.iter().chain(&body.rates);
        if !values_fit || !rates.all(|rate| (0.0..=1.0).contains(rate)) {
            return Err(TableFault::Damaged);
        }
        if !(body.error_bound.is_finite() && body.error_bound >= 0.0) {
            return Err(TableFault::Damaged);
        }
        Ok(Self { header, body, sets })
    }

    /// Parses the rules that the table was solved for.
    ///
    /// # Errors
    /// Returns an error if the text inside is not valid, or gives other rules than those that were
    /// solved.
    pub fn rules(&self) -> Result<Rules, TableFault> {
        let Body { rules, goal, max_dice, .. } = &self.body;
        let head =
            BodyHead { rules: rules.clone(), goal: *goal, max_dice: *max_dice, against: None };
        rules_of(&head, &self.header)
    }

    /// Parses the rules inside the bytes of a file, without reading the rest of the body.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a table, or its rules are not valid.
    pub fn rules_inside(bytes: &[u8]) -> Result<Rules, TableFault> {
        let (header, compressed) = Header::open(bytes)?;
        rules_of(&BodyHead::decode(compressed)?, &header)
    }

    /// Reads a table of the given game from the bytes of a file. If it is a table of another game,
    /// only its rules are read.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid table, or a table of other rules.
    pub fn for_game(bytes: &[u8], game: &Game) -> Result<Self, TableFault> {
        let (header, _) = Header::open(bytes)?;
        if header.fingerprint != game.rules().fingerprint() {
            return Err(other_rules(&Self::rules_inside(bytes)?, game.rules()));
        }
        let table = Self::from_bytes(bytes)?;
        table.fits(game)?;
        Ok(table)
    }

    /// Returns the game that the table was solved for.
    ///
    /// # Errors
    /// Returns an error if the table's rules are not valid, or the table does not have the game's
    /// number of states.
    pub fn game(&self) -> Result<Game, TableFault> {
        let game =
            Game::new(self.rules()?).map_err(|faults| TableFault::Rules(faults.to_string()))?;
        self.fits(&game)?;
        Ok(game)
    }

    /// Checks that the table was solved for this game.
    ///
    /// # Errors
    /// Returns an error if the rules or the number of states differ, or the table lists actions
    /// that the game does not have.
    pub fn fits(&self, game: &Game) -> Result<(), TableFault> {
        if !self.is_for(game.rules()) {
            return Err(other_rules(&self.rules()?, game.rules()));
        }
        let actions = game.space().actions;
        let mut palette = self.body.palette.iter();
        let mut answered = self.body.answered.iter();
        if self.sets.len() != game.space().states()
            || !palette.all(|set| *set != 0 && u64::from(*set) >> actions == 0)
            || !answered.all(|action| usize::from(*action) < actions)
        {
            return Err(TableFault::Damaged);
        }
        Ok(())
    }

    /// Returns true if the table was solved for rules that [play alike](Rules::play_like).
    pub fn is_for(&self, rules: &Rules) -> bool {
        self.rules().is_ok_and(|own| own.play_like(rules))
    }

    /// Returns the game's id.
    pub fn id(&self) -> &str {
        &self.header.id
    }

    /// Returns the name of the strategy that the table is a best response to; `None` for an
    /// equilibrium.
    pub fn against(&self) -> Option<&str> {
        self.body.against.as_deref().and_then(|text| std::str::from_utf8(text).ok())
    }

    /// Returns the plan of the strategy that the table is a best response to; `None` for an
    /// equilibrium, and for a best response of format version 1, which does not contain the
    /// plan.
    pub fn answered(&self) -> Option<Plan> {
        (!self.body.answered.is_empty()).then(|| Plan::from_actions(self.body.answered.clone()))
    }

    /// Returns the arithmetic in which the table was solved.
    pub fn arithmetic(&self) -> Arithmetic {
        if self.body.exact { Arithmetic::Exact } else { Arithmetic::Float }
    }

    /// Returns the bound on the error of the win rates.
    pub fn error_bound(&self) -> f64 {
        self.body.error_bound
    }

    /// Returns the number of states in which several requests are best, also if they are one roll.
    pub fn ties(&self) -> u64 {
        self.body.ties
    }

    /// Returns the number of loops in the solution.
    pub fn loops(&self) -> u64 {
        self.body.loops
    }

    /// Returns the solved side's win rates: moving first, moving second, on average.
    pub fn rates(&self) -> [f64; 3] {
        self.body.rates
    }

    /// Returns the best numbers of dice of each state.
    pub fn best(&self) -> &[DiceSet] {
        &self.sets
    }

    /// Returns the win rates in the table; empty if it is packed.
    pub fn stored_win_rates(&self) -> &[f64] {
        &self.body.win_rates
    }

    /// Returns the bounds of the states on loops, if it has any.
    pub fn bounds(&self) -> Option<LoopBounds<'_>> {
        let StoredBounds { other, on_cycles } = self.body.bounds.as_ref()?;
        let solve::Bounds { states, below, above } = &**on_cycles;
        Some(LoopBounds { other, states, below, above })
    }

    /// Returns the mover's win rate in each state, and a bound on their errors. For a packed table,
    /// they are computed from its best rolls, in floats.
    ///
    /// # Errors
    /// Returns an error if `watch` cancels the work.
    pub fn win_rates(&self, game: &Game, watch: &Watch) -> Result<(Vec<f64>, f64), SolveError> {
        if !self.body.win_rates.is_empty() {
            return Ok((self.body.win_rates.clone(), self.error_bound()));
        }
        let plan = self.plan();
        let rated = Solver::new(game, Arithmetic::Float).evaluate_itself(&plan, watch)?;
        Ok((rated.own.win_rates, rated.error_bound.max(self.error_bound())))
    }

    /// Returns the plan that rolls, in each state, the fewest of the best numbers of dice.
    ///
    /// A table solved in floats lists every action within its tolerance of the best, and does not
    /// record which of them has the highest value. The plan may therefore lose the tolerance at
    /// each turn, and its win rate, from which [`Self::win_rates`] is computed for a packed
    /// table, may be lower than the solution's by more than the error
    /// bound. [`Solution::plan`](crate::solve::Solution::plan) takes the action of the highest
    /// value.
    pub fn plan(&self) -> Plan {
        Plan::from_actions(self.sets.iter().map(|set| set.trailing_zeros() as u8).collect())
    }
}

/// Returns the bounds of a solution as a table holds them.
fn bounds(solution: &Solution) -> Option<StoredBounds> {
    let on_cycles = solution.bounds.clone()?;
    let other = solution.other.as_ref().map(|other| other.win_rates.clone());
    Some(StoredBounds { other: other.unwrap_or_default(), on_cycles })
}

impl Body {
    /// The version of the format that holds these fields.
    fn version(&self) -> u32 {
        match (&self.bounds, &self.against) {
            (Some(_), _) => BOUNDS_VERSION,
            (None, Some(_)) => ANSWER_VERSION,
            (None, None) => VERSION,
        }
    }
}

impl StoredBounds {
    /// Whether these are bounds of so many states, for a best response or not. That they hold is
    /// for `hog check` to say.
    fn fit(&self, states: usize, answers: bool) -> bool {
        let sides = if answers { 2 } else { 1 };
        let of_other = if answers { states } else { 0 };
        let solve::Bounds { states: on_cycles, below, above } = &*self.on_cycles;
        self.other.len() == of_other
            && self.other.iter().all(|rate| (0.0..=1.0).contains(rate))
            && on_cycles.is_sorted_by(|one, next| one < next)
            && on_cycles.last().is_none_or(|last| (*last as usize) < sides * states)
            && below.len() == on_cycles.len()
            && above.len() == on_cycles.len()
            && below.iter().chain(above).all(|bound| (-1.0..=1.0).contains(bound))
    }
}

/// Parses the rules of a head, and checks them against the header.
fn rules_of(head: &BodyHead, header: &Header) -> Result<Rules, TableFault> {
    let rules = head.rules(&header.id)?;
    if rules.fingerprint() != header.fingerprint || short_id(&rules.id) != header.id {
        return Err(TableFault::Rules(
            "they do not read as the rules that it was solved for".into(),
        ));
    }
    Ok(rules)
}

fn other_rules(found: &Rules, wanted: &Rules) -> TableFault {
    let [mut of, mut to] = [found, wanted].map(|rules| {
        format!("{} (goal {}, at most {} dice)", rules.id, rules.goal, rules.max_dice)
    });
    let mut differences = found.differences(wanted);
    if of == to {
        (of, to) = (format!("other rules that call themselves {}", found.id), "these".into());
    } else {
        // The descriptions already say these.
        differences.retain(|shown| {
            !shown.starts_with("the goal is") && !shown.starts_with("the most dice are")
        });
    }
    TableFault::OtherRules { found: of.into(), wanted: to.into(), differences: differences.into() }
}

/// Returns the part of an id that fits in the header.
fn short_id(id: &str) -> String {
    let fits = (0..=id.len().min(24)).rev().find(|end| id.is_char_boundary(*end)).unwrap_or(0);
    id[..fits].to_owned()
}
