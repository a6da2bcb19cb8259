//! Strategies that a person can remember: short decision lists that lose little.
//!
//! The loss of a strategy is the highest average win rate against an opponent less its own: against
//! optimal play, which wins half of the games against itself, one half less its own. It is the sum
//! over all states of the visits of the strategy times what its roll there costs (the same sum as
//! in `analysis/explain`), but the visits depend on the strategy. The search therefore takes the
//! visits of earlier strategies, which makes the sum one of fixed costs, finds lists of little cost
//! (`lists`), and repeats this with their own visits. The lists that it returns are rated exactly,
//! as every strategy is.

mod attributes;

use std::collections::BTreeSet;

use rayon::prelude::*;

use crate::files::escape::python_docstring;
use crate::game::{Game, Plan};
use crate::lists::{self, Condition, Costs, List};
use crate::pairs::{PairRate, Rater, rate};
use crate::solve::{SolveError, Values, Watch, action_value, reach};

pub use attributes::Attribute;
use attributes::Attributes;

/// How long a list may become.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The most lines.
    pub lines: usize,
    /// A list that loses no more than this is not made longer.
    pub within: f64,
}

/// A condition of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// What is compared.
    pub attribute: Attribute,
    /// Whether it is at least the number, or at most.
    pub at_least: bool,
    /// The number.
    pub number: i64,
}

/// A line of a decision list: where all conditions hold, so many dice are rolled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The conditions; the last line has none.
    pub conditions: Vec<Comparison>,
    /// The number of dice.
    pub dice: i32,
}

/// A strategy as a list of lines, the first of which that holds decides.
#[derive(Clone, Debug)]
pub struct DecisionList {
    /// The lines.
    pub lines: Vec<Line>,
    /// The strategy's action in every state.
    pub plan: Plan,
    /// Its win rates against the opponent.
    pub rate: PairRate,
    /// A bound on the error of the win rates.
    pub error_bound: f64,
    /// What it loses to the best strategy against the opponent.
    pub loss: f64,
}

/// An opponent, and the best that can be played against it.
#[derive(Clone, Copy, Debug)]
pub struct Benchmark<'a> {
    /// The opponent.
    pub opponent: &'a Plan,
    /// The best strategy against it.
    pub best: &'a Plan,
    /// The values of all states: those in which that strategy moves, and those in which the
    /// opponent does.
    pub values: (&'a Values, &'a Values),
    /// The average win rate of that strategy.
    pub win_rate: f64,
}

/// The lists that were found for a game.
#[derive(Debug)]
pub struct Simplified {
    attributes: Attributes,
    /// The best list of at most one line, of at most two lines, and so on.
    pub lists: Vec<DecisionList>,
}

/// How many lists are improved side by side.
const SIDE_BY_SIDE: usize = 4;
/// The same in games with more states than [`MANY_STATES`].
const SIDE_BY_SIDE_OF_MANY: usize = 2;
/// How often the lists of one length are improved for the visits of the best of them.
const ROUNDS: usize = 3;
/// A game of more states takes seconds to evaluate.
const MANY_STATES: usize = 15_000;
/// How often the numbers of a list are changed a little, by exact rates.
const MOST_POLISHES: usize = 20;
/// A strategy that wins less than this more is not better.
const LEAST_GAIN: f64 = 1e-6;
/// The rounding errors of a win rate are less.
const ROUNDING: f64 = 1e-12;
/// States that are met less often are left out of the search.
const LEAST_VISITS: f64 = 1e-12;
/// Places in which no roll costs more are left out of the search.
const LEAST_COST: f64 = 1e-7;
/// How many of the small changes of a list, by what they save with its own visits, are rated.
const RATED_CHANGES: usize = 24;

/// Finds short lists for a game that lose little to the best strategy against an opponent.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or the values cannot be proven.
pub fn simplify(
    game: &Game,
    benchmark: Benchmark,
    wanted: Wanted,
    watch: &Watch,
) -> Result<Simplified, SolveError> {
    let states = game.space().states();
    let bytes = states * (game.space().actions * size_of::<f64>() + 64);
    watch.admit(bytes as u64, "lower the goal")?;
    let attributes = Attributes::new(game);
    let mut simplifier = Simplifier {
        game,
        benchmark,
        attributes,
        losses: vec![f64::NAN; states * game.space().actions],
        visits: vec![0.0; states],
        watch,
        progress: 0,
        of: 2 * wanted.lines * (ROUNDS + 1),
    };
    let lists = simplifier.lists(wanted)?;
    Ok(Simplified { attributes: simplifier.attributes, lists })
}

struct Simplifier<'a> {
    game: &'a Game,
    benchmark: Benchmark<'a>,
    attributes: Attributes,
    /// By state and action: what the action costs there; not a number if not yet computed.
    losses: Vec<f64>,
    /// By state: the visits of the strategies so far, later ones with more weight.
    visits: Vec<f64>,
    watch: &'a Watch<'a>,
    progress: usize,
    of: usize,
}

/// A list, its average win rate, and how often it meets each state.
#[derive(Clone)]
struct RatedList {
    list: List,
    wins: f64,
    visits: Vec<f64>,
}

impl Simplifier<'_> {
    fn lists(&mut self, wanted: Wanted) -> Result<Vec<DecisionList>, SolveError> {
        self.visits = self.reach(self.benchmark.best)?.visits;
        let mut costs = self.costs()?;
        let mut lists = vec![costs.shortest(&self.attributes.columns)];
        let best_rate = self.benchmark.win_rate;
        let enough = wanted.within + ROUNDING;
        let mut best: Vec<RatedList> = Vec::new();
        for length in 1..=wanted.lines {
            if length > 1 {
                lists = self.grown(&costs, &lists)?;
            }
            if lists.is_empty() {
                break;
            }
            let of_length = self.improved(&mut costs, &mut lists)?;
            let suffices = best_rate - of_length.wins <= enough;
            best.push(of_length);
            if suffices {
                break;
            }
        }
        // A good longer list without one of its lines may be better than the list that grew.
        for at in (0..best.len() - 1).rev() {
            let mut shorter = self.shortened(&mut costs, &best[at + 1].list)?;
            if shorter.is_empty() {
                continue;
            }
            let found = self.improved(&mut costs, &mut shorter)?;
            if found.wins > best[at].wins {
                best[at] = found;
            }
        }
        let mut rated: Vec<DecisionList> = Vec::new();
        let mut most = f64::MIN;
        for list in &best {
            match rated.last() {
                Some(last) if list.wins <= most + LEAST_GAIN => rated.push(last.clone()),
                _ => rated.push(self.rated(&list.list)?),
            }
            most = most.max(list.wins);
            if best_rate - list.wins <= enough {
                break;
            }
        }
        Ok(rated)
    }

    /// Returns the best lists that are left when a line of a list is removed.
    fn shortened(&mut self, costs: &mut Costs, list: &List) -> Result<Vec<List>, SolveError> {
        let visits = self.evaluated(list)?.visits;
        self.add_visits(&visits);
        *costs = self.costs()?;
        let mut shorter: Vec<(f64, List)> = Vec::new();
        for line in 0..list.len() - 1 {
            let mut list = list.clone();
            list.remove(line);
            shorter.push((costs.cost(&list, &self.attributes.columns), list));
        }
        shorter.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        shorter.truncate(self.side_by_side());
        Ok(shorter.into_iter().map(|(_, list)| list).collect())
    }

    /// Counts the visits of a strategy as much as those of all before it.
    fn add_visits(&mut self, visits: &[f64]) {
        for (all, own) in self.visits.iter_mut().zip(visits) {
            *all = (*all + own) / 2.0;
        }
    }

    fn go_on(&self) -> bool {
        self.watch.step(self.progress, self.of)
    }

    fn side_by_side(&self) -> usize {
        if self.game.space().states() > MANY_STATES { SIDE_BY_SIDE_OF_MANY } else { SIDE_BY_SIDE }
    }

    /// Returns the best lists of one line more than these.
    fn grown(&self, costs: &Costs, lists: &[List]) -> Result<Vec<List>, SolveError> {
        let mut grown: Vec<(f64, List)> = Vec::new();
        for list in lists {
            let cost = costs.cost(list, &self.attributes.columns);
            let longer = costs.grown(list, &self.attributes.columns, &|| self.go_on());
            let longer = longer.ok_or(SolveError::Cancelled)?;
            grown.extend(longer.into_iter().map(|(saved, list)| (cost - saved, list)));
        }
        grown.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        let mut distinct: Vec<List> = Vec::new();
        for (_, list) in grown {
            if distinct.len() < self.side_by_side() && !distinct.contains(&list) {
                distinct.push(list);
            }
        }
        Ok(distinct)
    }

    /// Improves lists of one length for the visits of the best of them; returns the best that was
    /// seen.
    fn improved(
        &mut self,
        costs: &mut Costs,
        lists: &mut Vec<List>,
    ) -> Result<RatedList, SolveError> {
        let mut best: Option<RatedList> = None;
        for _ in 0..ROUNDS {
            self.progress += 1;
            let mut distinct: Vec<List> = Vec::new();
            for list in lists.iter() {
                let improved = costs.improve(list, &self.attributes.columns, &|| self.go_on());
                let improved = improved.ok_or(SolveError::Cancelled)?;
                if !distinct.contains(&improved) {
                    distinct.push(improved);
                }
            }
            let is_same = best.is_some() && distinct == *lists;
            *lists = distinct;
            if is_same {
                break;
            }
            let mut of_round: Option<RatedList> = None;
            for list in lists.iter() {
                let candidate = self.evaluated(list)?;
                if of_round.as_ref().is_none_or(|best| candidate.wins > best.wins) {
                    of_round = Some(candidate);
                }
            }
            let of_round = of_round.expect("there is a list");
            self.add_visits(&of_round.visits);
            *costs = self.costs()?;
            if best.as_ref().is_none_or(|best| of_round.wins > best.wins) {
                best = Some(of_round);
            }
        }
        self.progress += 1;
        let best = self.polished(best.expect("there was a round"), costs)?;
        if !lists.contains(&best.list) {
            lists.insert(0, best.list.clone());
            lists.truncate(self.side_by_side());
        }
        Ok(best)
    }

    /// Changes the numbers, the dice and the order of a list a little, as long as that wins more,
    /// where that is quick to find out.
    fn polished(&self, mut best: RatedList, costs: &Costs) -> Result<RatedList, SolveError> {
        if self.game.space().per_cell() > 1 || self.game.space().states() > MANY_STATES {
            return Ok(best);
        }
        let rater = Rater::new(self.game);
        for _ in 0..MOST_POLISHES {
            let mut changed = self.neighbours(&best.list);
            let guess: Vec<f64> =
                changed.par_iter().map(|list| costs.cost(list, &self.attributes.columns)).collect();
            let mut order: Vec<usize> = (0..changed.len()).collect();
            order.sort_by(|a, b| guess[*a].total_cmp(&guess[*b]));
            order.truncate(RATED_CHANGES);
            changed = order.into_iter().map(|at| changed[at].clone()).collect();
            let plans: Vec<Plan> = changed.iter().map(|list| self.plan(list)).collect();
            let groups: Vec<&[Plan]> = plans.chunks(rater.side()).collect();
            let rated = groups.into_par_iter().map(|group| {
                let all: Vec<&Plan> = group.iter().chain([self.benchmark.opponent]).collect();
                let pairs: Vec<(usize, usize)> =
                    (0..group.len()).map(|number| (number, group.len())).collect();
                rater.rate_group(&all, &pairs, &Watch::new(&|_, _| self.go_on()))
            });
            let rated = rated.collect::<Result<Vec<_>, SolveError>>()?;
            let rates = rated.iter().flat_map(|group| &group.rates).map(PairRate::average);
            let most = rates.enumerate().fold(None, |most: Option<(usize, f64)>, (at, rate)| {
                most.filter(|(_, known)| *known >= rate).or(Some((at, rate)))
            });
            match most {
                Some((at, wins)) if wins > best.wins + LEAST_GAIN => {
                    best = RatedList { list: changed[at].clone(), wins, visits: Vec::new() };
                }
                _ => break,
            }
        }
        Ok(best)
    }

    /// Lists that differ a little from a list.
    fn neighbours(&self, list: &List) -> Vec<List> {
        let mut changed = Vec::new();
        let mut add = |change: &dyn Fn(&mut List)| {
            let mut copy = list.clone();
            change(&mut copy);
            changed.push(copy);
        };
        for (at, line) in list.iter().enumerate() {
            for (place, condition) in line.conditions.iter().enumerate() {
                let bins = self.attributes.columns[condition.column].bins;
                for step in [-8_i64, -4, -2, -1, 1, 2, 4, 8] {
                    let bin = condition.bin as i64 + step;
                    if (1..bins as i64).contains(&bin) {
                        add(&|list| list[at].conditions[place].bin = bin as usize);
                    }
                }
                if line.conditions.len() > 1 {
                    add(&|list| {
                        list[at].conditions.remove(place);
                    });
                }
            }
            for action in 0..self.game.space().actions {
                if action.abs_diff(line.action) == 1 {
                    add(&|list| list[at].action = action);
                }
            }
            if at + 2 < list.len() {
                add(&|list| list.swap(at, at + 1));
            }
        }
        changed
    }

    /// The average win rate of a plan, and its visits.
    fn reach(&self, plan: &Plan) -> Result<RatedList, SolveError> {
        let plans = [plan, self.benchmark.opponent];
        let reach = reach(
            self.game,
            plans,
            [0.5, 0.5],
            &|_, _| false,
            &self.watch.of_part(&|_, _| self.go_on()),
        )?;
        let endless: f64 = reach.endless.iter().map(|(.., chance)| chance).sum();
        let wins = reach.won + (reach.tied + endless) / 2.0;
        let [visits, _] = reach.visits;
        Ok(RatedList { list: Vec::new(), wins, visits })
    }

    fn evaluated(&self, list: &List) -> Result<RatedList, SolveError> {
        let found = self.reach(&self.plan(list))?;
        Ok(RatedList { list: list.clone(), ..found })
    }

    /// The costs of all actions in all places, for the visits so far.
    fn costs(&mut self) -> Result<Costs, SolveError> {
        let actions = self.game.space().actions;
        let met: Vec<usize> =
            (0..self.visits.len()).filter(|state| self.visits[*state] > LEAST_VISITS).collect();
        let unknown: Vec<usize> =
            met.iter().copied().filter(|state| self.losses[state * actions].is_nan()).collect();
        let computed: Vec<Option<Vec<f64>>> =
            unknown.par_iter().map(|state| self.go_on().then(|| self.losses_in(*state))).collect();
        for (state, losses) in unknown.iter().zip(computed) {
            let losses = losses.ok_or(SolveError::Cancelled)?;
            self.losses[state * actions..(state + 1) * actions].copy_from_slice(&losses);
        }
        let per_place = self.states_per_place();
        let mut costs = Costs { actions, places: Vec::new(), costs: Vec::new() };
        for state in met {
            let place = state / per_place;
            if costs.places.last() != Some(&place) {
                costs.places.push(place);
                costs.costs.resize(costs.places.len() * actions, 0.0);
            }
            let first = costs.costs.len() - actions;
            let losses = &self.losses[state * actions..(state + 1) * actions];
            for (cost, loss) in costs.costs[first..].iter_mut().zip(losses) {
                *cost += self.visits[state] * loss;
            }
        }
        Ok(costs.above(LEAST_COST))
    }

    /// What each action loses in a state.
    fn losses_in(&self, state: usize) -> Vec<f64> {
        let (own, after) = self.benchmark.values;
        let mut losses = vec![0.0; self.game.space().actions];
        for (action, loss) in losses.iter_mut().enumerate() {
            if own.best[state] >> action & 1 == 0 {
                let value = action_value(self.game, own, after, state, action);
                *loss = (own.win_rates[state] - value).max(0.0);
            }
        }
        losses
    }

    fn states_per_place(&self) -> usize {
        if self.attributes.is_by_state() { 1 } else { self.game.space().per_cell() }
    }

    fn plan(&self, list: &List) -> Plan {
        let places = self.game.space().states() / self.states_per_place();
        let actions = lists::actions(list, &self.attributes.columns, places);
        match self.attributes.is_by_state() {
            true => Plan::from_actions(actions),
            false => Plan::of_scores(self.game.states(), actions),
        }
    }

    /// Rates a list exactly.
    fn rated(&self, list: &List) -> Result<DecisionList, SolveError> {
        let plan = self.plan(list);
        let plans = [&plan, self.benchmark.opponent];
        let (rate, error_bound) =
            rate(self.game, plans, &self.watch.of_part(&|_, _| self.go_on()))?;
        let mut lines = Vec::with_capacity(list.len());
        for line in list {
            let conditions = line.conditions.iter();
            lines.push(Line {
                conditions: conditions.map(|condition| self.comparison(condition)).collect(),
                dice: self.game.space().dice(line.action),
            });
        }
        // Rounding may make it win more than the best.
        let loss = (self.benchmark.win_rate - rate.average()).max(0.0);
        Ok(DecisionList { lines, plan, rate, error_bound, loss })
    }

    fn comparison(&self, condition: &Condition) -> Comparison {
        let scale = &self.attributes.scales[condition.column];
        let least = scale.least(condition.bin);
        let number = if condition.at_least { least } else { least - 1 };
        Comparison { attribute: scale.attribute, at_least: condition.at_least, number }
    }
}

impl Simplified {
    /// The lines of a list as sentences.
    pub fn sentences(&self, game: &Game, list: &DecisionList) -> Vec<String> {
        let mut sentences = Vec::with_capacity(list.lines.len());
        for (at, line) in list.lines.iter().enumerate() {
            let conditions = line.conditions.iter().map(|condition| {
                self.attributes.in_words(condition.attribute, condition.at_least, condition.number)
            });
            let conditions = conditions.collect::<Vec<_>>().join(" and ");
            let roll = rolled(game, line.dice);
            sentences.push(match (conditions.is_empty(), at) {
                (true, 0) => format!("Always {roll}."),
                (true, _) => format!("Otherwise {roll}."),
                (false, _) => format!("If {conditions}, {roll}."),
            });
        }
        sentences
    }

    /// A list as Python: a function `final_strategy`, after the functions that it calls. `about` is
    /// the text of its comment.
    pub fn python(&self, game: &Game, list: &DecisionList, about: &str) -> String {
        let used: BTreeSet<Attribute> =
            list.lines.iter().flat_map(|line| &line.conditions).map(|one| one.attribute).collect();
        let attributes = self.attributes.python(&used);
        let mut text: String = attributes
            .definitions(game.rules().goal)
            .iter()
            .map(|definition| format!("{definition}\n\n"))
            .collect();
        text += &format!("def final_strategy({}):\n", self.attributes.arguments().join(", "));
        text += &format!("    \"\"\"{}\"\"\"\n", python_docstring(about));
        for line in attributes.lines.iter().flat_map(|lines| lines.lines()) {
            text += &format!("    {line}\n");
        }
        for line in &list.lines {
            let conditions: Vec<String> =
                line.conditions.iter().map(|condition| self.in_python(condition)).collect();
            text += &match conditions.is_empty() {
                true => format!("    return {}\n", line.dice),
                false => {
                    format!("    if {}:\n        return {}\n", conditions.join(" and "), line.dice)
                }
            };
        }
        text
    }

    fn in_python(&self, condition: &Comparison) -> String {
        let expression = self.attributes.expression(condition.attribute);
        match (Attributes::is_truth(condition.attribute), condition.at_least) {
            (true, true) => expression,
            (true, false) => format!("not {expression}"),
            (false, true) => format!("{expression} >= {}", condition.number),
            (false, false) => format!("{expression} <= {}", condition.number),
        }
    }
}

/// `roll 6 dice`; in a game with a pot `hold` and `roll`.
fn rolled(game: &Game, dice: i32) -> String {
    let has_pot = game.rules().pot().is_some();
    match dice {
        0 if has_pot => "hold".into(),
        _ if has_pot && game.rules().max_dice == 1 => "roll".into(),
        0 => "roll none".into(),
        1 => "roll 1 die".into(),
        dice if dice < 0 => format!("make the move {dice}"),
        dice => format!("roll {dice} dice"),
    }
}
