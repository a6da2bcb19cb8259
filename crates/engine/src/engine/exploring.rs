//! Maps of a game over all scores, and comparisons of two rolls.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::analysis;
use crate::game::{End, Game, Position, Successor, memory_names};
use crate::solve::{self, successor_value};
use crate::strategy::Strategy;
use crate::view::{
    HoldMapView, MapView, OutcomeKind, OutcomeView, PartView, StrategyMapView, WhyView,
};

use super::call::Call;
use super::call::GameValues;
use super::mapping::{first_holding, hold_memory, states_of_cells};
use super::{Engine, EngineError, Query};

/// What a map shows in addition to the best rolls and the win rates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MapLayers {
    /// The difference in win rate between the best and the worst number of dice.
    pub spread: bool,
    /// The expected number of turns per game that start at each pair of scores.
    pub met: bool,
    /// The least value of the pot, or of the game's only memory, at which to roll no dice, as when
    /// holding in Pig.
    pub hold: bool,
    /// The rolls of this strategy.
    pub strategy: Option<Strategy>,
}

impl MapLayers {
    /// Sets [`spread`](Self::spread).
    #[must_use]
    pub fn spread(mut self, spread: bool) -> Self {
        self.spread = spread;
        self
    }

    /// Sets [`met`](Self::met).
    #[must_use]
    pub fn met(mut self, met: bool) -> Self {
        self.met = met;
        self
    }

    /// Sets [`hold`](Self::hold).
    #[must_use]
    pub fn hold(mut self, hold: bool) -> Self {
        self.hold = hold;
        self
    }

    /// Sets the strategy whose rolls are shown.
    #[must_use]
    pub fn strategy(mut self, strategy: Option<Strategy>) -> Self {
        self.strategy = strategy;
        self
    }
}

impl Engine {
    /// Maps all pairs of scores, with the memories and the opponent of `query`; its scores are
    /// ignored.
    ///
    /// # Errors
    /// Returns an error if the game does not have these memories, a strategy cannot be used, or the
    /// work is stopped; with the layer `hold` also if each turn rolls dice or the game has no
    /// pot and not exactly one memory.
    pub fn map(
        &self,
        game: &Arc<Game>,
        query: &Query,
        layers: &MapLayers,
    ) -> Result<MapView, EngineError> {
        let (rules, space, call) = (game.rules(), game.space(), self.call());
        let at = query.position(rules)?;
        let against = query.strategy()?;
        let over = if layers.hold { Some(hold_memory(rules, None)?) } else { None };
        let (verdict, numbers) = call.values(game, against.as_ref())?;
        let own = verdict.sides().0;
        let states: Vec<usize> = states_of_cells(game, &at).collect();
        let mut sets: Vec<u32> = states.iter().map(|state| own.best[*state]).collect();
        sets.sort_unstable();
        sets.dedup();
        let place = |set: u32| sets.binary_search(&set).expect("each set is among them") as u32;
        let strategy = match &layers.strategy {
            None => None,
            Some(strategy) => {
                let plan = call.plan(game, strategy)?;
                let dice = states.iter().map(|state| space.dice(plan.action(*state))).collect();
                Some(StrategyMapView { name: strategy.to_string(), dice })
            }
        };
        let hold = match over {
            None => None,
            Some(over) => {
                let first = first_holding(&call, game, (&at, &over), &own.best)?;
                Some(HoldMapView { over, first })
            }
        };
        Ok(MapView {
            rules: rules.id.clone(),
            goal: rules.goal,
            min_dice: space.min_dice,
            max_dice: space.dice(space.actions - 1),
            memory: memories(game, &at),
            against: against.as_ref().map(ToString::to_string),
            best: states.iter().map(|state| place(own.best[*state])).collect(),
            win_rate: states.iter().map(|state| rounded(own.win_rates[*state])).collect(),
            spread: if layers.spread {
                Some(spreads(&call, game, &verdict, &states)?)
            } else {
                None
            },
            met: if layers.met { Some(self.met(&call, game, against.as_ref())?) } else { None },
            hold,
            strategy,
            sets: sets.iter().map(|set| space.dice_in(*set)).collect(),
            numbers,
        })
    }

    /// Returns how many turns of a game start at each pair of scores, in expectation and averaged
    /// over who moves first. The first score is that of the player to move.
    fn met(
        &self,
        call: &Call,
        game: &Arc<Game>,
        against: Option<&Strategy>,
    ) -> Result<Vec<f64>, EngineError> {
        let best = Strategy::Optimal;
        let own = against
            .map_or_else(|| best.clone(), |strategy| Strategy::Beat(Box::new(strategy.clone())));
        let plans = [call.plan(game, &own)?, call.plan(game, against.unwrap_or(&best))?];
        let reach = call.run("reaching", |watch| {
            solve::reach(game, [&*plans[0], &*plans[1]], [0.5, 0.5], &|_, _| false, watch)
        })?;
        let space = game.space();
        let mut met = vec![0.0; space.goal * space.goal];
        // Under best play of both the turns of both count; against a strategy only those of the
        // player who answers it.
        let begun =
            analysis::turns_begun(game, ([&*plans[0], &*plans[1]], [0.5, 0.5]), &reach.visits);
        let sides = if against.is_some() { &begun[..1] } else { &begun[..] };
        for (state, visits) in sides.iter().flat_map(|visits| visits.iter().enumerate()) {
            met[state / space.per_cell()] += visits;
        }
        Ok(met)
    }

    /// Compares two rolls in one position: the outcomes of each, and how much each group of
    /// outcomes contributes to the difference. With `None` for `dice`, a best roll is compared
    /// with the best of the others.
    ///
    /// # Errors
    /// Returns an error if the game has no such position or roll, the strategy cannot be used, or
    /// the work is stopped.
    pub fn why(
        &self,
        game: &Arc<Game>,
        query: &Query,
        dice: Option<[i32; 2]>,
    ) -> Result<WhyView, EngineError> {
        let position = query.position(game.rules())?;
        let strategy = query.strategy()?;
        let (verdict, _) = self.call().values(game, strategy.as_ref())?;
        let (space, state) = (game.space(), game.state(&position));
        let values = verdict.sides();
        let win_rates = solve::choices(game, values.0, values.1, state);
        let action = |dice: i32| {
            let (least, most) = (space.min_dice, space.dice(space.actions - 1));
            space.action(dice).ok_or(EngineError::NoSuchRoll { dice, least, most })
        };
        let actions = match dice {
            Some(dice) => [action(dice[0])?, action(dice[1])?],
            None => two_best(&win_rates, values.0.best[state].trailing_zeros() as usize),
        };
        let outcomes = outcomes(game, values, state, actions);
        let from = win_rates[actions[1]];
        Ok(WhyView {
            rules: game.rules().id.clone(),
            score: position.score,
            opponent: position.opponent,
            memory: memories(game, &position),
            against: strategy.map(|strategy| strategy.to_string()),
            dice: actions.map(|action| space.dice(action)),
            win_rate: actions.map(|action| win_rates[action]),
            parts: parts(&outcomes, from, position.score),
            outcomes,
        })
    }
}

fn memories(game: &Game, position: &Position) -> BTreeMap<String, i64> {
    memory_names(game.rules()).into_iter().zip(position.memory.iter().copied()).collect()
}

fn rounded(win_rate: f64) -> f64 {
    (win_rate * 1e6).round() / 1e6
}

/// Returns the difference in win rate between the best and the worst number of dice.
fn spreads(
    call: &Call,
    game: &Game,
    verdict: &GameValues,
    states: &[usize],
) -> Result<Vec<f64>, EngineError> {
    let row = |row: &[usize]| {
        call.check()?;
        Ok(row.iter().map(|state| spread(game, verdict, *state)).collect())
    };
    let rows: Vec<Vec<f64>> =
        states.par_chunks(game.space().goal).map(row).collect::<Result<_, EngineError>>()?;
    Ok(rows.concat())
}

/// Returns the spread of a state.
fn spread(game: &Game, verdict: &GameValues, state: usize) -> f64 {
    let (own, after) = verdict.sides();
    let win_rates = solve::choices(game, own, after, state);
    rounded(own.win_rates[state] - win_rates.into_iter().fold(f64::INFINITY, f64::min))
}

/// Returns the best action and the best of the others, or the same action twice if there is no
/// other.
fn two_best(win_rates: &[f64], best: usize) -> [usize; 2] {
    let others = (0..win_rates.len()).filter(|action| *action != best);
    [best, others.max_by(|a, b| win_rates[*a].total_cmp(&win_rates[*b])).unwrap_or(best)]
}

/// Returns the outcomes of both actions, grouped by kind and by the scores after the turn.
fn outcomes(
    game: &Game,
    values: (&solve::Values, &solve::Values),
    state: usize,
    actions: [usize; 2],
) -> Vec<OutcomeView> {
    let (space, goal) = (game.space(), game.space().goal);
    let (from, _) = space.parts(state);
    // For each of the two rolls: the group's probability, and the sum of probability times win
    // rate.
    type Place = (Option<u32>, Option<u32>, OutcomeKind);
    let mut found: BTreeMap<Place, [(f64, f64); 2]> = BTreeMap::new();
    for (side, action) in actions.into_iter().enumerate() {
        let total = game.distribution(state, action).total;
        for (weight, successor) in game.weighted_successors(state, action) {
            let (kind, scores) = match successor {
                Successor::End(End::Won) => (OutcomeKind::Won, None),
                Successor::End(End::Tied) => (OutcomeKind::Tied, None),
                Successor::End(End::Lost) => (OutcomeKind::Lost, None),
                Successor::Next { to, again: true } => {
                    (OutcomeKind::Again, Some((space.parts(to).0 / goal, space.parts(to).0 % goal)))
                }
                Successor::Next { to, again: false } => {
                    let (score, opponent) = (space.parts(to).0 % goal, space.parts(to).0 / goal);
                    let plain = opponent == from % goal && score >= from / goal;
                    (
                        if plain { OutcomeKind::Points } else { OutcomeKind::Changed },
                        Some((score, opponent)),
                    )
                }
            };
            let place = (scores.map(|pair| pair.0 as u32), scores.map(|pair| pair.1 as u32), kind);
            let entry = &mut found.entry(place).or_default()[side];
            let chance = weight as f64 / total as f64;
            // A group's win rate is the mean of its outcomes', which differ only in the memories.
            *entry = (
                entry.0 + chance,
                entry.1 + chance * successor_value(values.0, values.1, successor),
            );
        }
    }
    let outcome = |((score, opponent, kind), sides): (Place, [(f64, f64); 2])| OutcomeView {
        kind,
        score,
        opponent,
        win_rate: sides.map(|(chance, sum)| (chance > 0.0).then(|| sum / chance)),
        chance: sides.map(|(chance, _)| chance),
    };
    found.into_iter().map(outcome).collect()
}

/// Splits the difference in win rate into the shares of its outcomes. An outcome's share is
/// `chance * (win_rate - from)` with the first roll minus the same with the second, where `from` is
/// the win rate of the second roll. The shares sum to the difference, because the chances of each
/// roll sum to 1. Outcomes that only add points are merged while their points are consecutive and
/// their shares have the same sign; those of every other kind are merged into one part.
fn parts(outcomes: &[OutcomeView], from: f64, score: u32) -> Vec<PartView> {
    let mut kinds: Vec<OutcomeKind> = outcomes.iter().map(|outcome| outcome.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut parts: Vec<PartView> = Vec::new();
    for kind in kinds {
        let first = parts.len();
        for outcome in outcomes.iter().filter(|outcome| outcome.kind == kind) {
            let of = |side: usize| {
                outcome.win_rate[side].map_or(0.0, |rate| outcome.chance[side] * (rate - from))
            };
            let share = of(0) - of(1);
            let points =
                outcome.score.filter(|_| kind == OutcomeKind::Points).map(|then| then - score);
            let neighbours = |part: &PartView| match (part.most, points) {
                (Some(last), Some(points)) => {
                    part.share.signum() == share.signum() && points == last + 1
                }
                _ => true,
            };
            match parts[first..].last_mut() {
                Some(part) if neighbours(part) => {
                    part.most = points;
                    part.share += share;
                    part.chance =
                        [part.chance[0] + outcome.chance[0], part.chance[1] + outcome.chance[1]];
                }
                _ => parts.push(PartView {
                    kind,
                    least: points,
                    most: points,
                    chance: outcome.chance,
                    share,
                }),
            }
        }
    }
    parts.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    parts
}
