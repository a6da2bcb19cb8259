//! Which dice strategies keep, in games in which dice are kept.

use super::StrategyError;
use crate::game::{Game, Plan, Position};
use crate::rules::Rules;
use crate::rules::formula::Variable;
use crate::solve::{self, Watch};
use crate::table::Table;

/// The share of a point that a die left to be rolled counts in any case: of choices of equal
/// points, the one that leaves more dice is taken.
const OF_A_DIE: f64 = 1e-3;

/// The worth of all states by points: those of the mover, also at risk, less those of the opponent.
/// A die left counts `of_a_die` points.
fn worth_of_points(game: &Game, of_a_die: f64) -> Vec<f64> {
    let rules = game.rules();
    let states = 0..game.space().states();
    states.map(|state| worth(rules, &game.position(state), of_a_die)).collect()
}

fn worth(rules: &Rules, position: &Position, of_a_die: f64) -> f64 {
    let scope = position.scope(rules);
    let at_risk = rules.pot().and_then(|pot| {
        let index = rules.memories.iter().position(|memory| memory.name == pot.name)?;
        Some(scope.get(Variable::memory(index)))
    });
    let kinds = 0..rules.hand.len();
    let left: i64 = kinds.map(|kind| scope.get(Variable::memory(rules.memory_of_kind(kind)))).sum();
    in_shares(rules, position, at_risk.unwrap_or(0) as f64 + left as f64 * of_a_die)
}

/// The worth of all states, given the points that their turns may still score, those at risk
/// included.
pub fn worth_of_turns(game: &Game, mut points: Vec<f64>) -> Vec<f64> {
    for (state, points) in points.iter_mut().enumerate() {
        *points = in_shares(game.rules(), &game.position(state), *points);
    }
    points
}

/// The worth of a position from 0 to 1, given the points that its turn may still score.
fn in_shares(rules: &Rules, position: &Position, points: f64) -> f64 {
    let ahead = f64::from(position.score) - f64::from(position.opponent) + points;
    0.5 + ahead / (4.0 * f64::from(rules.goal))
}

/// Refuses what is told of players who keep dice by win rates if their games may never end; `never`
/// has the shares of such games. If all end, players who always keep what wins most often reach
/// the win rates that they keep by.
pub fn all_end(rules: &Rules, never: [f64; 2]) -> Result<(), StrategyError> {
    if rules.keeps_dice() && never.iter().any(|share| *share > 0.0) {
        return Err(StrategyError::KeepsMayStall { game: rules.id.clone() });
    }
    Ok(())
}

/// Returns the plan of a solution; where dice are kept, only if all of its games end, against
/// `opponent` or itself.
pub fn that_ends(
    game: &Game,
    plan: Plan,
    opponent: Option<&Plan>,
    watch: &Watch,
) -> Result<Plan, StrategyError> {
    if game.rules().keeps_dice() {
        let never = solve::endless(game, [&plan, opponent.unwrap_or(&plan)], watch)?;
        all_end(game.rules(), never)?;
    }
    Ok(plan)
}

/// The plan, which keeps the dice of most points if dice are kept and it does not say which.
#[must_use]
pub fn keeping_points(plan: Plan, game: &Game) -> Plan {
    match game.rules().keeps_dice() && plan.worth().is_none() {
        true => plan.keeping(worth_of_points(game, OF_A_DIE)),
        false => plan,
    }
}

/// The plan, which keeps dice as if each die left counted so many points, if dice are kept.
#[must_use]
pub(super) fn keeping_dice(plan: Plan, game: &Game, die: i64) -> Plan {
    match game.rules().keeps_dice() {
        true => plan.keeping(worth_of_points(game, die as f64 + OF_A_DIE)),
        false => plan,
    }
}

/// The plan of a table, which keeps dice by its win rates.
pub fn plan_of_table(table: &Table, game: &Game) -> Plan {
    let win_rates = table.stored_win_rates();
    match game.rules().keeps_dice() && !win_rates.is_empty() {
        true => table.plan().keeping(win_rates),
        false => table.plan(),
    }
}
