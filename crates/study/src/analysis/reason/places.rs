//! The reason that lies in where the rolls lead.

use std::collections::BTreeMap;

use super::{NOTABLE, RollProspect, apart, often, often_not, prospect, roll_does};
use crate::analysis::sum;
use crate::game::{Game, Successor};
use crate::solve::{Values, successor_value};

/// Two rolls, the worse one first, and where they may lead.
struct Leads<'g> {
    game: &'g Game,
    after: &'g Values,
    /// The worse roll.
    dice: i32,
    /// What each wins.
    win_rates: [f64; 2],
    all: Vec<Lead>,
}

/// Where one of two rolls may lead: the worse one, the better one.
struct Lead {
    to: Successor,
    /// The mover's win rate there, and by how much it is above that of its points.
    win_rate: f64,
    beyond: f64,
    /// The chances of it.
    shares: [f64; 2],
}

/// Returns the reason if more of the difference between two rolls comes from where they lead than
/// from their points; `None` in games with memories, as of those a turn may leave others with the
/// same points.
pub(super) fn of_places(
    game: &Game,
    own: &Values,
    after: &Values,
    state: usize,
    rolls: [i32; 2],
) -> Option<String> {
    if !game.rules().memories.is_empty() {
        return None;
    }
    let fitted = by_points(game, own, after, state, rolls);
    let mut leads: Vec<Lead> = Vec::new();
    let mut win_rates = [0.0; 2];
    for (side, dice) in rolls.into_iter().enumerate() {
        let distribution = game.distribution(state, game.space().action(dice)?);
        for outcome in &distribution.outcomes {
            let to = game.successor(state, outcome);
            let win_rate = successor_value(own, after, to);
            let beyond = win_rate - fitted[&outcome.points];
            let share = distribution.chance(outcome);
            win_rates[side] += share * win_rate;
            let known = leads.iter().position(|lead| lead.to == to && lead.beyond == beyond);
            let at = known.unwrap_or(leads.len());
            if known.is_none() {
                leads.push(Lead { to, win_rate, beyond, shares: [0.0; 2] });
            }
            leads[at].shares[side] += share;
        }
    }
    let leads = Leads { game, after, dice: rolls[0], win_rates, all: leads };
    let half = (win_rates[1] - win_rates[0]) / 2.0;
    if sum(leads.all.iter().map(Lead::adds)) <= half {
        return None;
    }
    let main = leads.all.iter().max_by(|a, b| a.adds().total_cmp(&b.adds()))?;
    match main.adds() > half {
        true if main.is_notable() => leads.in_words(main),
        true => None,
        false => leads.of_many(),
    }
}

impl Lead {
    /// How much of the difference between the rolls it makes beyond its points.
    fn adds(&self) -> f64 {
        (self.shares[1] - self.shares[0]) * self.beyond
    }

    /// Whether one roll leads there notably more often than the other.
    fn is_notable(&self) -> bool {
        (self.shares[0] - self.shares[1]).abs() > NOTABLE
    }
}

impl Leads<'_> {
    /// Says how often a roll scores points after which one wins less than after fewer, or more than
    /// after more; `None` if they differ little in that.
    fn of_many(&self) -> Option<String> {
        // Of those that win less, and of those that win more: what they add, and how often they
        // occur.
        let mut adds = [0.0; 2];
        let mut shares = [[0.0; 2]; 2];
        for lead in self.all.iter().filter(|lead| lead.beyond != 0.0) {
            let side = usize::from(lead.beyond > 0.0);
            adds[side] += lead.adds();
            for (sum, share) in shares[side].iter_mut().zip(lead.shares) {
                *sum += share;
            }
        }
        let side = usize::from(adds[1] > adds[0]);
        // One that makes most of it is told alone.
        let alike = self.all.iter().filter(|lead| (lead.beyond > 0.0) == (side == 1));
        let main = alike.max_by(|a, b| a.adds().total_cmp(&b.adds()))?;
        if main.adds() > adds[side] / 2.0 && main.is_notable() {
            return self.in_words(main);
        }
        let [worse, better] = shares[side];
        if [worse - better, better - worse][side] <= NOTABLE {
            return None;
        }
        let often = often_not(worse.max(better), worse.min(better));
        let leaves = match side {
            1 => "it scores points that leave you better off than more would".to_owned(),
            _ => {
                roll_does(self.dice, "score") + " points that leave you worse off than fewer would"
            }
        };
        Some(format!("{leaves}, {often}"))
    }

    /// Says how often a roll leads to a place, and what follows; `None` if the game ends.
    fn in_words(&self, lead: &Lead) -> Option<String> {
        let Successor::Next { to, again } = lead.to else { return None };
        let next = self.game.position(to);
        let place = match again {
            true => format!("{} to {}", next.score, next.opponent),
            false => format!("{} to {}", next.opponent, next.score),
        };
        let [worse, better] = lead.shares;
        let often = often(worse.max(better), worse.min(better));
        if better > worse {
            let [rate, not] = apart(lead.win_rate, self.win_rates[0]);
            return Some(format!(
                "it leads to {place}{often}, from where you win {rate}, not {not}"
            ));
        }
        let follows = self.answer(lead).unwrap_or_else(|| {
            let [rate, not] = apart(lead.win_rate, self.win_rates[1]);
            format!("from where you win only {rate}, not {not}")
        });
        Some(format!("{} to {place}{often}, {follows}", roll_does(self.dice, "lead")))
    }

    /// What the opponent does at a place to which the worse roll leads, if that is notably more
    /// often than where the better one mostly leads.
    fn answer(&self, lead: &Lead) -> Option<String> {
        let mostly = self.all.iter().max_by(|a, b| a.shares[1].total_cmp(&b.shares[1]))?;
        let there = self.opponent_at(lead)?;
        let gain = there.of_opponent()?;
        let usual = self.opponent_at(mostly).map_or(0.0, |other| other.chance_of(gain));
        let is_more = there.chance_of(gain) - usual > NOTABLE;
        is_more.then(|| format!("where {}", there.opponent_in_words(gain)))
    }

    /// The best roll of the opponent at a place.
    fn opponent_at(&self, lead: &Lead) -> Option<RollProspect> {
        let Successor::Next { to, again: false } = lead.to else { return None };
        let best = self.game.space().dice_in(self.game.choices_in(to, self.after.best[to]));
        prospect(self.game, &self.game.position(to), *best.first()?)
    }
}

/// The mover's win rate after each number of points that a turn in a state may have, as far as more
/// points mean a higher one.
fn by_points(
    game: &Game,
    own: &Values,
    after: &Values,
    state: usize,
    rolls: [i32; 2],
) -> BTreeMap<usize, f64> {
    let space = game.space();
    let mut all = BTreeMap::<usize, Vec<f64>>::new();
    // A strategy may ask for a number of dice that is forced to be another one.
    let asked = rolls.into_iter().filter_map(|dice| space.action(dice));
    for action in space.actions_in(game.choices(state)).chain(asked) {
        for outcome in &game.distribution(state, action).outcomes {
            let win_rate = successor_value(own, after, game.successor(state, outcome));
            all.entry(outcome.points).or_default().push(win_rate);
        }
    }
    let means = all.values().map(|rates| sum(rates.iter().copied()) / rates.len() as f64);
    let fitted = never_falling(means);
    all.keys().copied().zip(fitted).collect()
}

/// Neighbours that are fitted by their mean.
struct Pool {
    mean: f64,
    count: usize,
}

/// Fits numbers by the nearest ones that never fall (isotonic regression by pooling neighbours:
/// Barlow and others, Statistical Inference under Order Restrictions, 1972).
fn never_falling(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut pools: Vec<Pool> = Vec::new();
    for mean in values {
        let mut pool = Pool { mean, count: 1 };
        while let Some(below) = pools.pop_if(|below| below.mean > pool.mean) {
            let count = below.count + pool.count;
            let total = below.mean * below.count as f64 + pool.mean * pool.count as f64;
            pool = Pool { mean: total / count as f64, count };
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|pool| std::iter::repeat_n(pool.mean, pool.count)).collect()
}

#[cfg(test)]
mod tests {
    use super::never_falling;

    /// Pools by hand: 3 and 1 fall, 2 does not fall after their mean.
    #[test]
    fn numbers_are_fitted_by_ones_that_never_fall() {
        let fitted = never_falling([0.0, 3.0, 1.0, 2.0, 5.0, 1.0].into_iter());
        assert_eq!(fitted, [0.0, 2.0, 2.0, 2.0, 3.0, 3.0]);
    }
}
