//! How far skill carries in a game: simple ways to play against optimal play, and what each choice is worth.

use crate::game::{DistributionSet, Game, Order, OutcomeDistribution, Plan};
use crate::solve::{Solution, SolveError, Watch};

/// The most states for which every roll of every state is looked at.
const MOST_STATES: usize = 50_000;

/// What is found by looking at every roll of every state.
pub(super) struct EveryRoll {
    /// The win rate of rolling any number of dice, each as likely, against optimal play: first, second.
    pub random: [f64; 2],
    /// By state: the best roll's win rate less the worst's, and less the second best's, if all play on optimally.
    pub spreads: Vec<[f64; 2]>,
}

/// Looks at every roll of every state; `None` if the game is too large, or may go round.
pub(super) fn every_roll(game: &Game, optimal: &Solution, watch: &Watch) -> Result<Option<EveryRoll>, SolveError> {
    let space = game.space();
    if game.order() != Order::Acyclic || space.states() > MOST_STATES {
        return Ok(None);
    }
    let plan = optimal.plan();
    let values = &optimal.own.win_rates;
    // The win rates of the random player where it moves, and of the optimal player where that moves.
    let (mut random, mut other) = (vec![0.0; space.states()], vec![0.0; space.states()]);
    let mut spreads = vec![[0.0; 2]; space.states()];
    for stage in (0..space.stages()).rev() {
        if !watch.step(space.stages() - stage, space.stages()) {
            return Err(SolveError::Cancelled);
        }
        for state in space.stage(stage).flat_map(|cell| cell * space.per_cell()..(cell + 1) * space.per_cell()) {
            let (mut sum, mut worth) = (0.0, Vec::with_capacity(space.actions));
            for action in 0..space.actions {
                let [of_random, of_best] = mean(game, (state, action), [(&random, &other), (values, values)]);
                sum += of_random;
                worth.push(of_best);
            }
            random[state] = sum / space.actions as f64;
            let [of_plan] = mean(game, (state, plan.action(state)), [(&other, &random)]);
            other[state] = of_plan;
            worth.sort_by(|a, b| b.total_cmp(a));
            let second = worth.get(1).unwrap_or(&worth[0]);
            spreads[state] = [worth[0] - worth[worth.len() - 1], worth[0] - second];
        }
    }
    let start = game.start();
    Ok(Some(EveryRoll { random: [random[start], 1.0 - other[start]], spreads }))
}

/// The mean of an action under several pairs of values: those of the mover, and of whoever moves after it.
fn mean<const N: usize>(game: &Game, (state, action): (usize, usize), values: [(&Vec<f64>, &Vec<f64>); N]) -> [f64; N] {
    let mut sums = [0.0; N];
    for (weight, successor) in game.weighted_successors(state, action) {
        for (sum, (own, after)) in sums.iter_mut().zip(&values) {
            *sum += weight as f64
                * match successor {
                    Ok((to, true)) => own[to],
                    Ok((to, false)) => 1.0 - after[to],
                    Err(end) => 1.0 - end.lost(),
                };
        }
    }
    let total = game.distribution(state, action).1.total as f64;
    sums.map(|sum| sum / total)
}

/// The most expected points of the turn, whatever they lead to; of equals the fewest dice.
pub(super) fn greedy(game: &Game) -> Plan {
    let space = game.space();
    let mut actions = Vec::with_capacity(space.states());
    for cell in 0..space.goal * space.goal {
        let set = game.action_set(cell);
        // States of a cell share their distributions: the mean of each is found once.
        let mean = |distributions: &DistributionSet| -> Vec<f64> {
            distributions.distributions.iter().map(|distribution| mean_points(distributions, distribution)).collect()
        };
        let means: Vec<Vec<f64>> = set.by_shared.iter().map(mean).collect();
        for state in cell * space.per_cell()..(cell + 1) * space.per_cell() {
            let memories = space.parts(state).1;
            let of_actions = set.distributions(&space, memories);
            let points = |action: &usize| means[memories.0][usize::from(of_actions[*action])];
            let best = (0..space.actions).rev().max_by(|a, b| points(a).total_cmp(&points(b)));
            actions.push(best.unwrap_or(0) as u8);
        }
    }
    Plan::from_actions(actions)
}

/// No dice for so many points or more, else a number of dice: all such plans with their numbers, or every fixed number of dice
/// where nothing is gained without dice.
pub(super) fn thresholds(game: &Game) -> Vec<(Option<i64>, i32, Plan)> {
    let space = game.space();
    let cells = space.goal * space.goal;
    let dice: Vec<usize> = (0..space.actions).filter(|action| space.dice(*action) > 0).collect();
    let Some(zero) = space.action(0) else {
        let always = |action: &usize| (None, space.dice(*action), Plan::of_scores(game, vec![*action as u8; cells]));
        return dice.iter().map(always).collect();
    };
    let gained: Vec<f64> = (0..cells).map(|cell| points(game, cell, zero)).collect();
    let most = gained.iter().fold(0.0_f64, |most, gained| most.max(*gained)).min(30.0) as i64;
    let plan = |threshold: i64, action: usize| {
        let roll = |gained: &f64| if *gained >= threshold as f64 { zero } else { action } as u8;
        // Past what is ever gained it is only a fixed number of dice.
        let told = Some(threshold).filter(|threshold| *threshold <= most);
        (told, space.dice(action), Plan::of_scores(game, gained.iter().map(roll).collect()))
    };
    dice.iter()
        .flat_map(|action| (0..=most + 1).map(move |threshold| (threshold, *action)))
        .map(|(threshold, action)| plan(threshold, action))
        .collect()
}

/// The mean points of a turn from a pair of scores, with the memories as they start.
fn points(game: &Game, cell: usize, action: usize) -> f64 {
    let (set, distribution) = game.distribution(cell * game.space().per_cell() + game.start(), action);
    mean_points(set, distribution)
}

fn mean_points(set: &DistributionSet, distribution: &OutcomeDistribution) -> f64 {
    let points = distribution.outcomes.iter().map(|(outcome, weight)| {
        f64::from(set.outcomes[usize::from(*outcome)].points) * (*weight as f64 / distribution.total as f64)
    });
    points.sum()
}
