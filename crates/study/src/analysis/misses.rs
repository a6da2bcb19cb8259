//! Where a plan loses on average against several opponents: the losses of
//! [`explain`](super::explain), averaged over them.

use std::collections::HashMap;

use crate::game::{DiceSet, Game, Plan, Position};
use crate::limits;
use crate::solve::{Solution, SolveError, Watch, action_value, reach};

/// A plan with the best response to it.
#[derive(Clone, Debug)]
pub struct Answered {
    /// The plan.
    pub plan: Plan,
    /// The best response to it, in floats.
    pub best: Solution,
}

/// A pair of scores at which a plan loses; its figures are averages over the opponents and over
/// moving first and second.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// The costliest position with these scores.
    pub position: Position,
    /// The number of dice rolled there.
    pub dice: i32,
    /// The best numbers of dice there, against the opponent for whom it is costliest.
    pub best: Vec<i32>,
    /// The win rate lost per game at all positions with these scores.
    pub loss: f64,
    /// The mean number of visits to these positions in a game.
    pub met: f64,
    /// The place of the opponent for whom it is costliest.
    pub against: usize,
}

/// The sums over the states of one pair of scores.
struct Gathered {
    loss: f64,
    met: f64,
    /// The costliest state against any one opponent, the loss there, and the best actions.
    worst: (usize, f64, DiceSet),
    /// The place of that opponent.
    against: usize,
}

/// Returns the scores at which a plan loses most, at most [`limits::MISSES`] of them. Losses in
/// games that never end are not included.
///
/// # Errors
/// Returns an error if `watch` cancels the work, or a loop of states is too large to solve.
pub fn misses(
    game: &Game,
    plan: &Plan,
    opponents: &[&Answered],
    watch: &Watch,
) -> Result<Vec<Miss>, SolveError> {
    let space = game.space();
    let share = 1.0 / opponents.len().max(1) as f64;
    let mut cells: HashMap<usize, Gathered> = HashMap::new();
    for (against, Answered { plan: other, best }) in opponents.iter().enumerate() {
        let met = &reach(game, [plan, other], [0.5, 0.5], &|_, _| false, watch)?.visits[0];
        for (state, met) in met.iter().enumerate().filter(|(_, met)| **met > 0.0) {
            watch.report(state, space.states())?;
            let action = plan.action(state);
            let set = best.own.best[state];
            let each = if set >> action & 1 == 1 {
                0.0
            } else {
                let (own, after) = best.values();
                own.win_rates[state] - action_value(game, own, after, state, action)
            };
            let loss = met * each * share;
            let cell = cells.entry(space.parts(state).0).or_insert(Gathered {
                loss: 0.0,
                met: 0.0,
                worst: (state, 0.0, set),
                against,
            });
            cell.loss += loss;
            cell.met += met * share;
            if loss > cell.worst.1 {
                cell.worst = (state, loss, set);
                cell.against = against;
            }
        }
    }
    let mut costly: Vec<Gathered> = cells.into_values().filter(|cell| cell.loss > 0.0).collect();
    costly.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.worst.0.cmp(&b.worst.0)));
    costly.truncate(limits::MISSES);
    let misses =
        costly.into_iter().map(|Gathered { loss, met, worst: (state, _, set), against }| Miss {
            position: game.position(state),
            dice: space.dice(plan.action(state)),
            best: space.dice_in(game.choices_in(state, set)),
            loss,
            met,
            against,
        });
    Ok(misses.collect())
}
