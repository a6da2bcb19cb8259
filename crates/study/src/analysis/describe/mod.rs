//! Means of a game: its length, lead changes and comebacks, how often each rule acts, and the
//! influence of skill.
//!
//! A turn ends when the other player is to move; only in games without a pot is the extra turn of
//! the same player a turn of its own ([`turn`]).
//!
//! Two plans turn a game into a Markov chain, whose statistics are computed by forward passes
//! ([`chain`]); if the chain is too large, games are simulated ([`played`]). How often a rule acts
//! is always simulated, since the solver's distributions do not record which rule gave which
//! points. Every figure says whether it was computed or simulated.

mod chain;
mod played;
mod skill;
mod turn;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sum;
use crate::WinRates;
use crate::game::{Game, Plan, dice_rolled};
use crate::pairs::PairRate;
use crate::sim::{CONFIDENCE_95, Estimate};
use crate::solve::{
    Arithmetic, Solution, SolveError, Solver, Watch, choices, endless, endless_by_state,
    equilibrium,
};
use crate::strategy::{Jeopardy, Strategy, most_points};

use crate::limits;
use chain::{Rates, Rows, TurnChain};
use played::{Played, Simulation};
use skill::Holding;
pub use turn::turns_begun;
use turn::{HeldTurn, Roller, Turns};

/// A mean over games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The 95% confidence interval; null if the mean is computed.
    pub interval: Option<[f64; 2]>,
}

impl Mean {
    fn exact(mean: f64) -> Self {
        Self { mean, interval: None }
    }

    /// Without an interval if there are too few games to estimate it from.
    fn played(estimate: Estimate) -> Self {
        let interval = Some([estimate.low, estimate.high])
            .filter(|ends| ends.iter().all(|end| end.is_finite()));
        Self { mean: estimate.mean, interval }
    }
}

/// How often the winner was close to losing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Comeback {
    /// A win rate.
    pub win_rate: f64,
    /// The share of games in which the winner's win rate was at most this before some turn.
    pub share: f64,
    /// The 95% confidence interval; null if the share is computed.
    pub interval: Option<[f64; 2]>,
}

/// How often a rule has an effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct RuleUse {
    /// The rule's name.
    pub name: String,
    /// The mean number of turns per game whose result the rule changes.
    pub per_game: f64,
    /// The 95% confidence interval; null if the mean is computed.
    pub interval: Option<[f64; 2]>,
}

/// The win rates of one strategy against optimal play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Skill {
    /// The level of skill: `random`, `baseline`, `greedy`, `threshold` (in a game with a pot the
    /// best `hold_at:N`), `pace` (`end_race_or_keep_pace`, in a game with a pot) or `optimal`.
    pub level: String,
    /// The strategy's name, or a description if it has none.
    pub strategy: String,
    /// The strategy's win rates against optimal play.
    pub against_optimal: WinRates,
    /// The 95% confidence interval of the average win rate; null if it is computed.
    pub interval: Option<[f64; 2]>,
    /// The number of games simulated for it; null if it is computed.
    pub games: Option<u64>,
}

/// How much the choice of a roll matters if both players play optimally otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Choices {
    /// The mean, over the choices of a game, of the best roll's win rate minus the worst roll's.
    /// There is a choice in each turn, where a turn may be several rolls before each roll and when
    /// a player holds.
    pub mean_spread: f64,
    /// The share of choices in which the win rate of the best roll exceeds that of any other roll
    /// by at least 0.01.
    pub share_that_matter: f64,
    /// The 95% confidence interval of the mean spread; null if it is computed.
    pub interval: Option<[f64; 2]>,
}

impl Skill {
    /// A level whose rates are computed.
    fn computed(level: &str, strategy: String, against_optimal: WinRates) -> Self {
        Self { level: level.to_owned(), strategy, against_optimal, interval: None, games: None }
    }
}

/// The statistics of a game between two plans.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The first plan's win rates against the second.
    pub win_rate: WinRates,
    /// The mean number of turns of both players in a game that ends.
    pub turns: Mean,
    /// The probabilities that the game takes 1, 2, 3, ... turns; without the rest of a long list.
    pub lengths: Vec<f64>,
    /// The probability that the game ends.
    pub ends: f64,
    /// The share of games that end with equal scores.
    pub tied: Mean,
    /// The mean number of lead changes.
    pub lead_changes: Mean,
    /// Where a turn may be several rolls: the mean number of times that dice are rolled in a game
    /// that ends.
    pub rolls: Option<Mean>,
    /// For some win rates, the share of games whose winner had at most that win rate before some
    /// turn.
    pub comebacks: Vec<Comeback>,
    /// Each rule's name, and the mean number of turns of a game in which it acts.
    pub rule_uses: Vec<RuleUse>,
    /// Strategies from the simplest to the optimal one.
    pub skill: Vec<Skill>,
    /// How much the choice of a roll matters: by at least [`MATTERS`] or less.
    pub choices: Choices,
    /// The number of simulated games: [`limits::SIMULATED_GAMES`], or as many as
    /// [`limits::SIMULATED_MOVES`] allow.
    pub games: u64,
    /// The number of these that were given up, though they might have ended.
    pub given_up: u64,
}

/// A difference of win rates that matters: one game in a hundred.
pub const MATTERS: f64 = 0.01;

/// The win rates for which comebacks are reported.
const COMEBACKS: [f64; 5] = [0.5, 0.25, 0.1, 0.05, 0.01];

/// Describes a game between two plans.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or the game is too large.
pub fn describe(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<Description, SolveError> {
    let solver = Solver::new(game, Arithmetic::Float);
    let optimal = equilibrium(game, Arithmetic::Float, watch)?;
    let best = optimal.plan();
    let values = match plans[0] == plans[1] {
        true if *plans[0] == best => optimal.clone(),
        true => solver.evaluate_itself(plans[0], watch)?,
        false => solver.evaluate(plans, watch)?,
    };
    let mut turns = Turns::new(game);
    let chain = TurnChain::new(&mut turns, &plans.map(Roller::Plan), watch)?;
    let simulation = Simulation {
        game,
        movers: plans.map(Roller::Plan),
        values: Some(&values),
        chain: chain.as_ref(),
        watch,
    };
    let mut games = simulation.games()?;
    let given_up = games.iter().filter(|game| game.given_up).count() as u64;
    let simulated = games.len() as u64;
    games.retain(|game| game.ended);
    let every = skill::every_roll(game, &optimal, watch)?;
    let analysed = match chain {
        Some(chain) => computed(Analysed::new(&mut turns, plans, chain, &values, watch))?,
        None => None,
    };
    let chained = analysed.as_ref();
    let lengths = match chained {
        Some(chained) => chained.chain.lengths(watch)?,
        None => lengths(&games, simulated),
    };
    let [spread, matter] = spreads(game, &optimal, every.as_ref(), chained, &games);
    Ok(Description {
        win_rate: exact_rate(game, &values, plans, watch)?,
        turns: match chained {
            Some(chained) => Mean::exact(chained.mean_turns()),
            None => Mean::played(played::mean(&games, |game| f64::from(game.turns))),
        },
        rolls: turns.has_rolls().then(|| match chained {
            Some(chained) => Mean::exact(chained.mean_rolls(game, plans)),
            None => Mean::played(played::mean(&games, |game| f64::from(game.rolls))),
        }),
        ends: chained.map_or_else(|| lengths.iter().sum(), Analysed::ends),
        lengths,
        tied: match chained {
            Some(chained) => Mean::exact(chained.chain.chance_of_a_tie(&chained.begun)),
            None => Mean::played(played::share(&games, simulated, |game| {
                f64::from(game.lowest.is_none())
            })),
        },
        lead_changes: match chained {
            Some(chained) => Mean::exact(chained.chain.lead_changes(&chained.begun)),
            None => Mean::played(played::mean(&games, |game| f64::from(game.leads))),
        },
        comebacks: COMEBACKS
            .iter()
            .enumerate()
            .map(|(place, rate)| {
                let Mean { mean, interval } = comeback(chained, &games, simulated, &values, place);
                Comeback { win_rate: *rate, share: mean, interval }
            })
            .collect(),
        rule_uses: of_rules(game, &games),
        skill: Ladder { game, optimal: &optimal, every: every.as_ref(), watch }.rates()?,
        choices: Choices {
            mean_spread: spread.mean,
            share_that_matter: matter.mean,
            interval: spread.interval,
        },
        games: simulated,
        given_up,
    })
}

/// Returns in how many turns of a game each rule acts.
fn of_rules(game: &Game, games: &[Played]) -> Vec<RuleUse> {
    let mut found = Vec::new();
    for (place, rule) in game.rules().rules.iter().enumerate() {
        let acted = played::mean(games, |game| f64::from(game.rules[place]));
        let Mean { mean, interval } = Mean::played(acted);
        found.push(RuleUse { name: rule.name.clone(), per_game: mean, interval });
    }
    found
}

/// Returns the probabilities that a game between two plans takes 1, 2, 3, ... turns: computed if
/// the game is small enough, otherwise from simulated games. Games that never end are left out.
///
/// # Errors
/// Returns an error if `watch` cancels the work.
pub fn game_lengths(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<Vec<f64>, SolveError> {
    let lengths = match TurnChain::new(&mut Turns::new(game), &plans.map(Roller::Plan), watch)? {
        Some(chain) => chain.lengths(watch)?,
        None => {
            let mut games = played_by(game, plans, watch)?;
            let simulated = games.len() as u64;
            games.retain(|game| game.ended);
            lengths(&games, simulated)
        }
    };
    if watch.step(1, 1) { Ok(lengths) } else { Err(SolveError::Cancelled) }
}

/// Returns the mean number of turns of the games between two plans that end: computed if the game
/// is small enough, otherwise from simulated games. It is not a number if no game ends.
///
/// # Errors
/// Returns an error if `watch` cancels the work.
pub fn mean_turns(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<Mean, SolveError> {
    let chain = TurnChain::new(&mut Turns::new(game), &plans.map(Roller::Plan), watch)?;
    if let Some(chain) = chain
        && let Some(mean) = computed(mean_turns_of(&chain, game, plans, watch))?
    {
        return Ok(Mean::exact(mean));
    }
    let mut games = played_by(game, plans, watch)?;
    games.retain(|game| game.ended);
    Ok(Mean::played(played::mean(&games, |game| f64::from(game.turns))))
}

fn mean_turns_of(
    chain: &TurnChain,
    game: &Game,
    plans: [&Plan; 2],
    watch: &Watch,
) -> Result<f64, SolveError> {
    let endless = endless_by_state(game, plans, watch)?;
    let ending = chain.chances_to_end(endless.as_ref());
    let begun = chain.visits(None, &|_| false, watch)?;
    Ok(mean_of_ended(chain, &begun, &ending))
}

/// Returns the probability that a game ends from a state in which `side` moves, given by side and
/// state the probabilities that it never does; without these, each game ends.
fn chance_to_end(endless: Option<&[Vec<f64>; 2]>, side: usize, state: usize) -> f64 {
    endless.map_or(1.0, |endless| 1.0 - endless[side][state])
}

/// Leaves out what cannot be computed, for games to be simulated instead.
fn computed<T>(found: Result<T, SolveError>) -> Result<Option<T>, SolveError> {
    match found {
        Err(SolveError::Cancelled) => Err(SolveError::Cancelled),
        found => Ok(found.ok()),
    }
}

/// Simulates games that are too large for a chain.
fn played_by(game: &Game, plans: [&Plan; 2], watch: &Watch) -> Result<Vec<Played>, SolveError> {
    let movers = plans.map(Roller::Plan);
    Simulation { game, movers, values: None, chain: None, watch }.games()
}

/// Returns the mean number of turns of the games that end, from how often a turn begins at each
/// node and the probability of ending from there; not a number if none does.
fn mean_of_ended(chain: &TurnChain, begun: &[f64], ending: &[f64]) -> f64 {
    sum(begun.iter().zip(ending).map(|(begun, ending)| begun * ending))
        / chain.chance_of_an_end(ending)
}

fn exact_rate(
    game: &Game,
    of: &Solution,
    plans: [&Plan; 2],
    watch: &Watch,
) -> Result<WinRates, SolveError> {
    let rates = [of.first(), of.second(), of.average()];
    Ok(WinRates::new(rates, endless(game, plans, watch)?, of.error_bound))
}

/// Returns the share of games that end after 1, 2, 3, ... turns, given those that end.
fn lengths(games: &[Played], simulated: u64) -> Vec<f64> {
    let longest = games.iter().map(|game| game.turns as usize).max().unwrap_or(0);
    let mut lengths = vec![0.0; longest];
    games.iter().for_each(|game| lengths[game.turns as usize - 1] += 1.0 / simulated as f64);
    lengths
}

/// A choice that a game comes to.
struct MadeChoice {
    side: usize,
    state: usize,
    /// Its expected number in games that end.
    times: f64,
}

/// A chain with its expected visits.
struct Analysed {
    chain: TurnChain,
    /// How often a turn begins at each node.
    begun: Vec<f64>,
    /// The probability of ending from each node.
    ending: Vec<f64>,
    /// The choices of a game.
    choices: Vec<MadeChoice>,
    /// For each of [`COMEBACKS`]: the share of games whose winner had at most this win rate before
    /// some turn.
    comebacks: [f64; COMEBACKS.len()],
}

impl Analysed {
    fn new(
        turns: &mut Turns,
        plans: [&Plan; 2],
        chain: TurnChain,
        values: &Solution,
        watch: &Watch,
    ) -> Result<Self, SolveError> {
        let endless = endless_by_state(turns.game(), plans, watch)?;
        let ending = chain.chances_to_end(endless.as_ref());
        let begun = chain.visits(None, &|_| false, watch)?;
        let choices = choices_made(
            turns,
            plans,
            &chain.nodes,
            &begun,
            &|side, state| chance_to_end(endless.as_ref(), side, state),
            watch,
        )?;
        let mut comebacks = [0.0; COMEBACKS.len()];
        for (share, rate) in comebacks.iter_mut().zip(COMEBACKS) {
            *share = won_from(&chain, values, &begun, rate, watch)?;
        }
        Ok(Self { chain, begun, ending, choices, comebacks })
    }

    /// Returns the probability that a game ends.
    fn ends(&self) -> f64 {
        self.chain.chance_of_an_end(&self.ending)
    }

    /// Returns the mean number of turns of the games that end; not a number if none does.
    fn mean_turns(&self) -> f64 {
        mean_of_ended(&self.chain, &self.begun, &self.ending)
    }

    /// Returns the mean number of times that dice are rolled in the games that end; not a number if
    /// none does.
    fn mean_rolls(&self, game: &Game, plans: [&Plan; 2]) -> f64 {
        let rolled = self.choices.iter().filter(|MadeChoice { side, state, .. }| {
            // A rule may let dice be rolled where none are requested.
            let request = game.space().dice(plans[*side].action(*state));
            dice_rolled(game.rules(), &game.position(*state), request)
                .is_ok_and(|(dice, _)| dice > 0)
        });
        sum(rolled.map(|choice| choice.times)) / self.ends()
    }
}

/// Returns the choices of a game. `begun` says how often a turn begins at each node; `ends` is the
/// probability of ending from a state.
///
/// # Errors
/// Returns an error if `watch` cancels the work.
fn choices_made(
    turns: &mut Turns,
    plans: [&Plan; 2],
    nodes: &[(usize, usize)],
    begun: &[f64],
    ends: &dyn Fn(usize, usize) -> f64,
    watch: &Watch,
) -> Result<Vec<MadeChoice>, SolveError> {
    if !turns.has_rolls() {
        let nodes = nodes.iter().zip(begun);
        let choices = nodes.map(|((side, state), begun)| {
            let times = begun * ends(*side, *state);
            MadeChoice { side: *side, state: *state, times }
        });
        return Ok(choices.collect());
    }
    let mut made = [0, 1].map(|_| vec![0.0; turns.game().space().states()]);
    for ((side, state), begun) in nodes.iter().zip(begun).filter(|(_, begun)| **begun > 0.0) {
        watch.report(0, 1)?;
        turns.from(*state, &Roller::Plan(plans[*side]));
        turns
            .met()
            .iter()
            .for_each(|(state, share)| made[*side][*state] += begun * share * ends(*side, *state));
    }
    let mut choices = Vec::new();
    for (side, made) in made.into_iter().enumerate() {
        for (state, times) in made.into_iter().enumerate() {
            if times > 0.0 {
                choices.push(MadeChoice { side, state, times });
            }
        }
    }
    Ok(choices)
}

/// Returns the share of games whose winner had a win rate of at most `rate` before some turn; one
/// within its error bound of `rate` counts as that. `begun` says how often a turn begins at each
/// node.
///
/// For each player, the chain is stopped where that player's win rate is first at most `rate`: of
/// the games that the player wins, those are left out that are won there without a stop.
fn won_from(
    chain: &TurnChain,
    values: &Solution,
    begun: &[f64],
    rate: f64,
    watch: &Watch,
) -> Result<f64, SolveError> {
    let mut share = 0.0;
    for side in 0..2 {
        let most = rate + values.error_bound;
        let stops = |node: usize| win_rate_before(chain, values, node, side) <= most;
        let before = chain.visits(None, &stops, watch)?;
        let after = (0..begun.len()).map(|node| {
            let unstopped = if stops(node) { 0.0 } else { before[node] };
            (begun[node] - unstopped) * chain.chance_to_win(node, side)
        });
        share += sum(after).max(0.0);
    }
    Ok(share)
}

/// Returns the win rate of a side before the turn at a node.
fn win_rate_before(chain: &TurnChain, values: &Solution, node: usize, side: usize) -> f64 {
    let (mover, state) = chain.nodes[node];
    let of_mover = movers_rate(values, mover, state);
    if mover == side { of_mover } else { 1.0 - of_mover }
}

/// Returns the win rate of the side that moves in a state.
fn movers_rate(values: &Solution, side: usize, state: usize) -> f64 {
    match &values.other {
        Some(other) if side == 1 => other.win_rates[state],
        _ => values.own.win_rates[state],
    }
}

/// Returns a share of [`COMEBACKS`], by its place there.
fn comeback(
    chained: Option<&Analysed>,
    games: &[Played],
    simulated: u64,
    values: &Solution,
    place: usize,
) -> Mean {
    let most = COMEBACKS[place] + values.error_bound;
    match chained {
        Some(chained) => Mean::exact(chained.comebacks[place]),
        None => Mean::played(played::share(games, simulated, |game| {
            f64::from(game.lowest.is_some_and(|lowest| lowest <= most))
        })),
    }
}

/// Returns the mean spread, and the share of choices that matter, over the choices of a game.
fn spreads(
    game: &Game,
    optimal: &Solution,
    every: Option<&skill::EveryRoll>,
    chained: Option<&Analysed>,
    games: &[Played],
) -> [Mean; 2] {
    if let (Some(every), Some(chained)) = (every, chained) {
        return weighted(
            chained.choices.iter().map(|choice| &every.spreads[choice.state]),
            chained,
        );
    }
    if let Some(chained) = chained
        .filter(|chained| chained.choices.len() * game.space().actions <= limits::EVALUATED_ROLLS)
    {
        let choices = chained.choices.par_iter();
        let spreads: Vec<[f64; 2]> =
            choices.map(|choice| spread_in(game, optimal, choice.state)).collect();
        return weighted(spreads.iter(), chained);
    }
    let positions = games.iter().flat_map(|game| &game.met);
    let step = positions.clone().count().div_ceil(limits::SAMPLED_POSITIONS).max(1);
    let found: Vec<[f64; 2]> = positions
        .step_by(step)
        .map(|position| spread_in(game, optimal, game.state(position)))
        .collect();
    let spread = found.iter().map(|spread| spread[0]);
    let matter = found.iter().map(|spread| if spread[1] >= MATTERS { 1.0 } else { 0.0 });
    [
        Mean::played(Estimate::of_results(spread, CONFIDENCE_95)),
        Mean::played(Estimate::of_results(matter, CONFIDENCE_95)),
    ]
}

fn spread_in(game: &Game, optimal: &Solution, state: usize) -> [f64; 2] {
    let (own, after) = optimal.values();
    skill::spread(game, state, &choices(game, own, after, state))
}

/// Returns the mean spread and the share that matters over the choices of the games that end, from
/// the spreads of all choices; 0 if no game ends.
fn weighted<'s>(spreads: impl Iterator<Item = &'s [f64; 2]>, chained: &Analysed) -> [Mean; 2] {
    let mut sums = [0.0; 2];
    let mut all = 0.0;
    for ([spread, lead], MadeChoice { times, .. }) in spreads.zip(&chained.choices) {
        sums[0] += times * spread;
        sums[1] += if *lead >= MATTERS { *times } else { 0.0 };
        all += times;
    }
    sums.map(|sum| Mean::exact(if all > 0.0 { sum / all } else { 0.0 }))
}

/// A strategy that is rated against optimal play as a level of skill.
struct Contender {
    kind: &'static str,
    name: String,
    plan: Plan,
}

/// The win rates of strategies of increasing skill against optimal play.
struct Ladder<'a> {
    game: &'a Game,
    optimal: &'a Solution,
    every: Option<&'a skill::EveryRoll>,
    watch: &'a Watch<'a>,
}

impl Ladder<'_> {
    fn rates(&self) -> Result<Vec<Skill>, SolveError> {
        let game = self.game;
        let best = self.optimal.plan();
        // Random play comes to every state that any play comes to.
        let mut turns = Turns::new(game);
        let random = match game.rules().pot() {
            Some(_) => {
                let rollers = [Roller::Random, Roller::Plan(&best)];
                TurnChain::new(&mut turns, &rollers, self.watch)?
            }
            None => None,
        };
        let chain = random.as_ref();
        let mut levels = vec![self.random(&best, chain)?];
        for Contender { kind, name, plan } in self.contenders(&best, &mut turns, chain)? {
            if let Some(rate) = self.against(&plan, &best, &mut turns, chain)? {
                levels.push(Skill::computed(kind, name, rate));
            }
        }
        let rate = exact_rate(game, self.optimal, [&best, &best], self.watch)?;
        levels.push(Skill::computed("optimal", "optimal".to_owned(), rate));
        Ok(levels)
    }

    /// The contenders between random and optimal play.
    fn contenders(
        &self,
        best: &Plan,
        turns: &mut Turns,
        chain: Option<&TurnChain>,
    ) -> Result<Vec<Contender>, SolveError> {
        let game = self.game;
        let watch = self.watch;
        let baseline = Strategy::baseline(game.rules())
            .and_then(|strategy| Ok((strategy.plan(game, watch)?, strategy)));
        let baseline = baseline.ok();
        let threshold = match game.rules().pot() {
            // All thresholds of such a game take minutes; `tune` finds the best.
            Some(_) if game.rules().keeps_dice() => None,
            Some(_) => self.hold_at(turns, chain)?,
            None => self.threshold(best, baseline.as_ref().map(|(plan, _)| plan))?,
        };
        let mut contenders = Vec::new();
        if let Some((plan, strategy)) = baseline {
            contenders.push(Contender { kind: "baseline", name: strategy.to_string(), plan });
        }
        let plan = most_points(game, watch)?;
        contenders.push(Contender {
            kind: "greedy",
            name: "most expected points".to_owned(),
            plan,
        });
        if let Some((strategy, plan)) = threshold {
            contenders.push(Contender { kind: "threshold", name: strategy.to_string(), plan });
        }
        let pace = Strategy::Jeopardy(Jeopardy::EndRaceOrKeepPace);
        if let Ok(plan) = pace.plan(game, watch) {
            contenders.push(Contender { kind: "pace", name: pace.to_string(), plan });
        }
        Ok(contenders)
    }

    /// Returns the win rates of a plan against optimal play, by the turns of the chain of random
    /// play if there is one; `None` if they cannot be proven.
    fn against(
        &self,
        plan: &Plan,
        best: &Plan,
        turns: &mut Turns,
        chain: Option<&TurnChain>,
    ) -> Result<Option<WinRates>, SolveError> {
        if let Some(chain) = chain
            && let Some(rows) = chain.of_plan(turns, plan, self.watch)?
            && let Some(rate) = self.by_turns(chain, Some(&rows))?
        {
            return Ok(Some(rate));
        }
        let rated = Solver::new(self.game, Arithmetic::Float)
            .evaluate([plan, best], self.watch)
            .and_then(|values| exact_rate(self.game, &values, [plan, best], self.watch));
        proven(rated)
    }

    /// Returns the win rates of side 0 of a chain, or of another player's turns.
    fn by_turns(
        &self,
        chain: &TurnChain,
        player: Option<&Rows>,
    ) -> Result<Option<WinRates>, SolveError> {
        let Some(Rates { rates: [first, second], error_bound }) =
            proven(chain.rates(player, self.watch))?
        else {
            return Ok(None);
        };
        let Some(endless) = proven(chain.endless(player, self.watch))? else { return Ok(None) };
        let rates = [first, second, f64::midpoint(first, second)];
        Ok(Some(WinRates::new(rates, endless, error_bound)))
    }

    /// Returns the win rates of a random number of dice: computed if the game is small, or has a
    /// pot.
    fn random(&self, best: &Plan, chain: Option<&TurnChain>) -> Result<Skill, SolveError> {
        if let Some(every) = self.every {
            let [first, second] = every.random;
            let rates = [first, second, (first + second) / 2.0];
            let error_bound = self.optimal.error_bound * 2.0;
            let rate = WinRates::new(rates, [0.0; 2], error_bound);
            return Ok(Skill::computed("random", "random".to_owned(), rate));
        }
        if let Some(chain) = chain
            && let Some(rate) = self.by_turns(chain, None)?
        {
            return Ok(Skill::computed("random", "random".to_owned(), rate));
        }
        random_played(self.game, best, self.watch)
    }

    /// Returns the best threshold of a game without a pot.
    fn threshold(
        &self,
        best: &Plan,
        baseline: Option<&Plan>,
    ) -> Result<Option<(Strategy, Plan)>, SolveError> {
        let game = self.game;
        let watch = self.watch;
        // Rating against a plan that sees memories takes long; the thresholds are then compared by
        // their rates against the baseline.
        let judge = baseline.filter(|_| game.space().per_cell() > 1).unwrap_or(best);
        let family = skill::ThresholdFamily::of(game);
        let rated = super::rates(
            game,
            judge,
            family.members.len(),
            |number| Ok::<_, SolveError>(family.plan(game, number)),
            &|_| watch.step(0, 1),
        );
        let rates = match rated {
            Err(SolveError::Unproven(_)) => return Ok(None),
            rated => rated?.0,
        };
        let rates: Vec<f64> = rates.iter().map(PairRate::average).collect();
        Ok(first_best(&rates).map(|top| {
            let (threshold, action) = family.members[top];
            // A threshold that is never reached leaves a fixed number of dice.
            let shown = threshold.filter(|threshold| *threshold <= family.most);
            let dice = game.space().dice(action);
            (Strategy::for_points(game.rules(), shown, dice), family.plan(game, top))
        }))
    }

    /// Returns the best `hold_at:N` of a game with a pot, as far as its rates can be computed;
    /// `chain` is that of random against optimal play.
    fn hold_at(
        &self,
        turns: &mut Turns,
        chain: Option<&TurnChain>,
    ) -> Result<Option<(Strategy, Plan)>, SolveError> {
        let game = self.game;
        let watch = self.watch;
        let Some(chain) = chain else { return Ok(None) };
        let Some(holding) = Holding::new(game) else { return Ok(None) };
        // Each turn goes on from where it was held for one point less.
        let begins = chain.nodes.iter().filter(|(side, _)| *side == 0);
        let mut held: Vec<HeldTurn> = begins.map(|(_, state)| HeldTurn::new(*state)).collect();
        let mut rates = Vec::new();
        for points in (1..=game.rules().goal).map(f64::from) {
            let rows = if holding.ends_turn {
                let mut held = held.iter_mut();
                chain.of_player(
                    |_, outcomes| {
                        let turn = held.next()?;
                        turns.raise(turn, &holding.points, points, holding.roll)?;
                        turn.append(game, holding.hold, outcomes);
                        // Only compared: what is found is rated by itself.
                        Some(f64::INFINITY)
                    },
                    watch,
                )?
            } else {
                chain.of_plan(turns, &holding.at(points), watch)?
            };
            let rated = match rows {
                Some(rows) => proven(chain.average(&rows, watch))?,
                None => None,
            };
            rates.push(rated.unwrap_or(f64::NEG_INFINITY));
        }
        let Some(top) = first_best(&rates).filter(|top| rates[*top].is_finite()) else {
            return Ok(None);
        };
        let strategy = Strategy::Jeopardy(Jeopardy::HoldAt(top as i64 + 1));
        Ok(strategy.plan(game, watch).ok().map(|plan| (strategy, plan)))
    }
}

/// Leaves out what cannot be proven.
fn proven<T>(found: Result<T, SolveError>) -> Result<Option<T>, SolveError> {
    match found {
        Err(SolveError::Unproven(_)) => Ok(None),
        found => found.map(Some),
    }
}

/// Returns the place of the highest rate, the first of several.
fn first_best(rates: &[f64]) -> Option<usize> {
    (0..rates.len()).rev().max_by(|a, b| rates[*a].total_cmp(&rates[*b]))
}

fn random_played(game: &Game, best: &Plan, watch: &Watch) -> Result<Skill, SolveError> {
    let movers = [Roller::Random, Roller::Plan(best)];
    let games = Simulation { game, movers, values: None, chain: None, watch }.games()?;
    // A game that is given up counts as half a win, as one that never ends does.
    let average = played::share(&games, games.len() as u64, |game| game.won);
    let mut won = [0.0; 2];
    let mut given_up = [0.0; 2];
    for first in 0..2 {
        let games = games.iter().filter(|game| game.first == first);
        let count = games.clone().count().max(1) as f64;
        won[first] = games.clone().map(|game| game.won).sum::<f64>() / count;
        given_up[first] = games.filter(|game| !game.ended).count() as f64 / count;
    }
    let rate = WinRates::new([won[0], won[1], average.mean], given_up, 0.0);
    Ok(Skill {
        interval: Some([average.low, average.high]),
        games: Some(games.len() as u64).filter(|games| *games > 0),
        ..Skill::computed("random", "random".to_owned(), rate)
    })
}
