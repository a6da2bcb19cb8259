//! Why one roll is better than another, in words: what the rules do after each, how often, what
//! each scores, and where it leads.
//!
//! A reason makes at least half of the difference between two rolls. A rule does if so much were
//! lost without it, in this turn. Otherwise more points mostly win more often, and as far as they
//! do, they are the reason: the win rates after a turn are fitted by ones that never fall as the
//! points rise (isotonic regression). Where more of the difference comes from what the fit leaves,
//! the reason is where the rolls lead: a score that the opponent makes use of, or one that the
//! opponent cannot.

mod added;
mod places;

use std::collections::BTreeMap;

pub use self::added::AddedPoints;
use self::places::of_places;
use super::explain::ROUNDING;
use super::sum;
use crate::dice::double_of;
use crate::game::{End, Game, Outcome, Position, StateParts, Successor, dice_rolled, settle};
use crate::rules::Hook;
use crate::solve::{Values, action_value, best_successors, successor_value};

/// The prospects of a roll.
struct RollProspect {
    dice: i32,
    /// The chance of winning in this turn.
    wins: f64,
    /// The chance that the game ends level in this turn.
    ties: f64,
    /// The chance of a 1 among the dice.
    ones: f64,
    /// The mean points of the turn.
    points: f64,
    /// The mean points that rules on totals add to the mover's score.
    raised: f64,
    /// The chance of each number of points by which the mover's score rises, after all rules but
    /// swaps.
    gains: BTreeMap<i64, f64>,
    /// The chance of each effect of rules on totals.
    effects: [f64; EFFECTS.len()],
    /// The first rule that has each effect.
    rules: [Option<String>; EFFECTS.len()],
    outcomes: Vec<PossibleScore>,
    /// What a rule on points adds to all of them, if one does.
    added: Option<AddedPoints>,
}

/// What a roll may score.
struct PossibleScore {
    share: f64,
    points: usize,
    to: Successor,
    /// Where it leads without the points that a rule adds.
    less: Successor,
    /// The mover's total after all rules.
    total: i64,
    /// Which effects rules on totals have after it.
    effects: [bool; EFFECTS.len()],
}

/// An effect of a rule on totals that helps or hurts the mover.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    SwapGained,
    Again,
    Raised,
    SwapLost,
    OtherRaised,
    /// The opponent must continue with dice of fewer sides, or may roll fewer dice.
    WorseDice,
}

const EFFECTS: [Effect; 6] = [
    Effect::SwapGained,
    Effect::Again,
    Effect::Raised,
    Effect::SwapLost,
    Effect::OtherRaised,
    Effect::WorseDice,
];

/// What an opponent may gain in a turn by more than points.
#[derive(Clone, Copy)]
enum OpponentGain {
    Wins,
    Swaps,
    MovesAgain,
    Raised,
}

/// The place of [`Effect::WorseDice`].
const WORSE_DICE: usize = EFFECTS.len() - 1;

/// The smallest difference of chances that is told.
const NOTABLE: f64 = 0.1;

/// Returns why `best` dice are better than `dice` in a position, as the end of a sentence; `(own,
/// after)` as for [`choices`](crate::solve::choices).
pub fn reason(
    game: &Game,
    own: &Values,
    after: &Values,
    position: &Position,
    [dice, best]: [i32; 2],
) -> String {
    let state = game.state(position);
    if game.rules().keeps_dice() {
        return of_risk(game, own, after, state, [dice, best]);
    }
    let [Some(worse), Some(better)] = [dice, best].map(|dice| prospect(game, position, dice))
    else {
        return "it wins more often".into();
    };
    let win_rates = [dice, best].map(|dice| {
        let action = game.space().action(dice);
        action.map_or(0.0, |action| action_value(game, own, after, state, action))
    });
    if let Some(end) = of_end(&worse, &better, win_rates) {
        return end;
    }
    if game.rules().pot().is_some() && (dice == 0 || best == 0) {
        return of_risk(game, own, after, state, [dice, best]);
    }
    let least = (win_rates[1] - win_rates[0]) / 2.0;
    let effect = main_effect(game, own, after, state, [&worse, &better]);
    let added = better.of_added(own, after) - worse.of_added(own, after);
    if let Some(by) = &better.added
        && added >= effect.as_ref().map_or(least, |effect| effect.adds.max(least))
    {
        let points = if by.points == 1 { "point" } else { "points" };
        return format!("{} adds {} {points}", by.rule, by.points);
    }
    if let Some(effect) = effect.filter(|effect| effect.adds >= least) {
        return of_rule(&effect, &worse, &better);
    }
    of_places(game, own, after, state, [dice, best]).unwrap_or_else(|| of_points(&worse, &better))
}

/// Returns the reason if at least half of the difference between two rolls, with these `win_rates`,
/// comes from the end of the game: if the worse one ended it as often as the better one and did
/// otherwise what it does.
fn of_end(own: &RollProspect, better: &RollProspect, win_rates: [f64; 2]) -> Option<String> {
    let [worse, best] = win_rates;
    let half = (best - worse) / 2.0;
    let [more_wins, more_ties] = [better.wins - own.wins, better.ties - own.ties];
    let else_wins = (worse - own.wins) / (1.0 - own.wins);
    if more_wins > 0.0 && (better.wins == 1.0 || more_wins * (1.0 - else_wins) >= half) {
        return Some(match better.wins {
            1.0 => "it wins at once".into(),
            wins => format!("it wins at once {}", often_not(wins, own.wins)),
        });
    }
    let else_wins = (worse - own.ties / 2.0) / (1.0 - own.ties);
    if more_ties > 0.0 && more_ties * (0.5 - else_wins) >= half {
        return Some(match better.ties {
            1.0 => "it ends the game level".into(),
            ties => format!("it ends the game level {} of the time", percent(ties)),
        });
    }
    None
}

/// The effect of rules on totals that makes the greatest part of the difference between two rolls.
struct MainEffect {
    place: usize,
    /// This part: what is lost where the rules have no such effect in this turn.
    adds: f64,
    /// Where the score is raised: the total that adds most, if the better roll has it more often.
    raised_to: Option<RaisedTotal>,
}

/// A total to which rules raise the mover's score, and how often: after the worse roll, and after
/// the better one.
#[derive(Default)]
struct RaisedTotal {
    total: i64,
    adds: f64,
    shares: [f64; 2],
}

/// Returns the main effect of rules on totals, if one has effects that differ.
fn main_effect(
    game: &Game,
    own: &Values,
    after: &Values,
    state: usize,
    rolls: [&RollProspect; 2],
) -> Option<MainEffect> {
    let all = rolls.iter().flat_map(|roll| &roll.outcomes);
    let usual: BTreeMap<usize, f64> = all
        .filter(|outcome| !outcome.effects[WORSE_DICE])
        .map(|outcome| (outcome.points, successor_value(own, after, outcome.to)))
        .collect();
    let mut adds = [0.0; EFFECTS.len()];
    let mut totals: BTreeMap<i64, RaisedTotal> = BTreeMap::new();
    for (side, roll) in rolls.into_iter().enumerate() {
        for outcome in &roll.outcomes {
            let win_rate = successor_value(own, after, outcome.to);
            for place in (0..EFFECTS.len()).filter(|place| outcome.effects[*place]) {
                let without = match EFFECTS[place] {
                    Effect::WorseDice if outcome.effects[..WORSE_DICE].contains(&true) => win_rate,
                    // What the opponent may roll is not of this turn: nearly the same points leave
                    // the usual dice.
                    Effect::WorseDice => near(&usual, outcome.points).unwrap_or(win_rate),
                    _ => successor_value(own, after, outcome.without_rules(game, state)),
                };
                let gain = [-outcome.share, outcome.share][side] * (win_rate - without);
                adds[place] += gain;
                if EFFECTS[place] == Effect::Raised {
                    let raised = totals.entry(outcome.total).or_default();
                    raised.total = outcome.total;
                    raised.adds += gain;
                    raised.shares[side] += outcome.share;
                }
            }
        }
    }
    let [worse, better] = rolls;
    let most = totals.into_values().max_by(|a, b| a.adds.total_cmp(&b.adds));
    let raised_to = most.filter(|raised| raised.shares[1] > raised.shares[0]);
    let told = (0..EFFECTS.len()).filter(|place| match EFFECTS[*place] {
        Effect::Raised if raised_to.is_some() => true,
        Effect::SwapLost | Effect::OtherRaised => worse.effects[*place] > better.effects[*place],
        _ => better.effects[*place] > worse.effects[*place],
    });
    let main = told.max_by(|a, b| adds[*a].total_cmp(&adds[*b]).then(b.cmp(a)));
    main.map(|place| MainEffect { place, adds: adds[place], raised_to })
}

/// The mean of the win rates after the next fewer and the next more points.
fn near(win_rates: &BTreeMap<usize, f64>, points: usize) -> Option<f64> {
    let fewer = win_rates.range(..points).next_back();
    let more = win_rates.range(points..).next();
    let both = [fewer, more].map(|one| one.map(|(_, rate)| *rate));
    match both {
        [Some(fewer), Some(more)] => Some((fewer + more) / 2.0),
        [fewer, more] => fewer.or(more),
    }
}

impl PossibleScore {
    /// Where it leads from a state if no rule on totals holds: the opponent is to move, with the
    /// same memories.
    fn without_rules(&self, game: &Game, state: usize) -> Successor {
        let space = game.space();
        let before = StateParts::of(state, &space);
        let total = before.score + self.points;
        if total >= space.goal {
            return Successor::End(End::Won);
        }
        let (mut memories, is_own) = match self.to {
            Successor::Next { to, again } => (StateParts::of(to, &space).memories, again),
            Successor::End(_) => (before.memories, true),
        };
        if is_own {
            std::mem::swap(&mut memories.mine, &mut memories.theirs);
        }
        let to = StateParts { score: before.opponent, opponent: total, memories };
        Successor::Next { to: to.state(&space), again: false }
    }
}

/// A share in percent: without decimals, or with as many as one close to 0 or 1 needs.
fn percent(share: f64) -> String {
    let rest = share.min(1.0 - share);
    let digits =
        if rest > ROUNDING && rest < 0.005 { -(rest * 100.0).log10().floor() } else { 0.0 };
    format!("{:.1$}%", share * 100.0, digits as usize)
}

/// Two shares in percent, with the digits that tell them apart.
fn apart(one: f64, other: f64) -> [String; 2] {
    let both = [one, other].map(percent);
    if both[0] != both[1] || (one - other).abs() <= ROUNDING {
        return both;
    }
    let digits = -((one - other).abs() * 100.0).log10().floor().min(0.0) as usize;
    [one, other].map(|share| format!("{:.digits$}%", share * 100.0))
}

/// Returns the reason where a turn goes on roll by roll until the player stops: what stopping wins,
/// and what a roll wins if the turn goes on after it or else.
fn of_risk(game: &Game, own: &Values, after: &Values, state: usize, rolls: [i32; 2]) -> String {
    let space = game.space();
    let [stop, roll] = [rolls[0].min(rolls[1]), rolls[0].max(rolls[1])];
    let actions = [stop, roll].map(|dice| space.action(dice));
    let [Some(stop), Some(roll)] = actions else { return "it wins more often".into() };
    let mut sums = [0.0; 2];
    let mut shares = [0.0; 2];
    for (weight, to) in best_successors(game, own, after, state, roll) {
        let ends = usize::from(matches!(to, Successor::Next { again: false, .. }));
        shares[ends] += double_of(weight);
        sums[ends] += double_of(weight) * successor_value(own, after, to);
    }
    let ended = percent(shares[1] / (shares[0] + shares[1]));
    let [on, not] = [0, 1].map(|ends| percent(sums[ends] / shares[ends]));
    let stopped = percent(action_value(game, own, after, state, stop));
    let word = if game.rules().keeps_dice() { "banking" } else { "holding" };
    let rolled = match shares.map(|share| share > 0.0) {
        [true, true] => format!("{on} if the turn goes on, {not} if it ends ({ended} of rolls)"),
        [true, false] => on,
        _ => not,
    };
    match rolls[1] > rolls[0] {
        true => format!("a roll wins {rolled}; {word} {stopped}"),
        false => format!("{word} wins {stopped}; a roll {rolled}"),
    }
}

/// Returns the reason if a rule on totals makes the difference.
fn of_rule(effect: &MainEffect, own: &RollProspect, better: &RollProspect) -> String {
    let MainEffect { place, raised_to, .. } = effect;
    let place = *place;
    let [less, more] = [own.effects[place], better.effects[place]];
    let chance = often(more, less);
    let against = often(less, more);
    match EFFECTS[place] {
        Effect::SwapGained => format!("it swaps you ahead{chance}"),
        Effect::Again => format!("you move again{chance}"),
        Effect::Raised => match raised_to.as_ref().filter(|_| more <= less) {
            Some(RaisedTotal { total, shares: [less, more], .. }) => {
                let chance = often(*more, *less);
                format!("{} raises your score to {total}{chance}", better.rule(place))
            }
            None => format!("{} raises your score{chance}", better.rule(place)),
        },
        Effect::SwapLost => format!("{} your lead away{against}", roll_does(own.dice, "swap")),
        Effect::WorseDice => format!("it leaves your opponent worse dice{chance}"),
        Effect::OtherRaised => {
            format!(
                "with {} {} raises your opponent's score{against}",
                roll(own.dice),
                own.rule(place)
            )
        }
    }
}

/// `3 dice`, `1 die` or `move -1`.
fn roll(dice: i32) -> String {
    match dice {
        1 => "1 die".into(),
        _ if dice < 0 => format!("move {dice}"),
        _ => format!("{dice} dice"),
    }
}

/// What a roll does, in the number of its dice: `3 dice lead`, `1 die leads`.
fn roll_does(dice: i32, does: &str) -> String {
    let ending = if dice == 1 || dice < 0 { "s" } else { "" };
    format!("{} {does}{ending}", roll(dice))
}

/// `17% of the time, not 6%`.
fn often_not(share: f64, other: f64) -> String {
    let [often, not] = apart(share, other);
    format!("{often} of the time, not {not}")
}

/// ` 17% of the time`, and how often with the other roll, if ever; nothing if it is always.
fn often(share: f64, other: f64) -> String {
    match share {
        0.9995.. => String::new(),
        _ if other > 0.0 => format!(" {}", often_not(share, other)),
        _ => format!(" {} of the time", percent(share)),
    }
}

/// Returns the reason if the points and the risk of a 1 make the difference.
fn of_points(own: &RollProspect, better: &RollProspect) -> String {
    if better.dice <= 0 {
        let points = better.gain().round();
        let scored = format!("it scores {points} point{}", if points == 1.0 { "" } else { "s" });
        return if own.ones > 0.0 { format!("{scored} without the risk of a 1") } else { scored };
    }
    let mean = format!("{:.1} points on average, not {:.1}", better.gain(), own.gain());
    if own.ones - better.ones > 0.01 {
        return format!("less risk: a 1 shows {}", often_not(better.ones, own.ones));
    }
    if better.gain() > own.gain() + 0.05 {
        return if better.dice > own.dice { format!("more points: {mean}") } else { mean };
    }
    // The mean is not the reason.
    if better.dice > own.dice && own.dice > 0 && better.ones < 1.0 {
        return format!("more points if no 1 shows, {} of the time", percent(1.0 - better.ones));
    }
    let certain = own.gain().round() as i64;
    let above = sum(better.gains.range(certain + 1..).map(|(_, share)| *share));
    if own.dice <= 0 && above > NOTABLE {
        return format!("more than {certain} points {} of the time", percent(above));
    }
    "it leaves you a better position".into()
}

/// Returns whether a player must continue with dice of fewer than six sides, or may roll fewer than
/// the game's most dice.
fn has_worse_dice(game: &Game, score: i64, opponent: i64) -> bool {
    let rules = game.rules();
    // Most games have no such rule, and this is asked after each possible turn.
    if [Hook::MaxDice, Hook::Die].iter().all(|hook| rules.hooked(*hook).next().is_none()) {
        return false;
    }
    let scores = u32::try_from(score).ok().zip(u32::try_from(opponent).ok());
    // Past the goal there is no next turn.
    let next = scores.and_then(|(score, opponent)| Position::new(rules, score, opponent).ok());
    let rolled = next.and_then(|next| dice_rolled(rules, &next, rules.max_dice).ok());
    rolled
        .is_some_and(|(most, die)| (most as i32) < rules.max_dice || (most > 0 && die.sides() < 6))
}

/// Returns the prospects of a roll; `None` if the game does not allow it there.
fn prospect(game: &Game, position: &Position, dice: i32) -> Option<RollProspect> {
    let rules = game.rules();
    let space = game.space();
    let state = game.state(position);
    let distribution = game.distribution(state, space.action(dice)?);
    let (rolled, die) = dice_rolled(rules, position, dice).ok()?;
    let none_of_one = (1.0 - f64::from(die.weight(1)) / die.total() as f64).powi(rolled as i32);
    let mut found = RollProspect {
        dice,
        wins: 0.0,
        ties: 0.0,
        ones: 1.0 - none_of_one,
        points: 0.0,
        raised: 0.0,
        gains: BTreeMap::new(),
        effects: [0.0; EFFECTS.len()],
        rules: std::array::from_fn(|_| None),
        outcomes: Vec::with_capacity(distribution.outcomes.len()),
        added: AddedPoints::of(game, position, dice),
    };
    let added = found.added.as_ref().map_or(0, |added| added.points);
    for outcome in &distribution.outcomes {
        let share = distribution.chance(outcome);
        let to = game.successor(state, outcome);
        let points = outcome.points;
        found.points += share * points as f64;
        found.wins += if to == Successor::End(End::Won) { share } else { 0.0 };
        found.ties += if to == Successor::End(End::Tied) { share } else { 0.0 };
        let without = points.saturating_sub(added);
        let less = game.successor(state, &Outcome { points: without, ..*outcome });
        let effects = [false; EFFECTS.len()];
        found.add(game, position, PossibleScore { share, points, to, less, total: 0, effects });
    }
    Some(found)
}

impl RollProspect {
    fn rule(&self, place: usize) -> &str {
        self.rules[place].as_deref().unwrap_or("a rule")
    }

    /// What the opponent, whose roll this is, most often gains by more than points; `None` if that
    /// is less often than not.
    fn of_opponent(&self) -> Option<OpponentGain> {
        let all = [
            OpponentGain::Wins,
            OpponentGain::Swaps,
            OpponentGain::MovesAgain,
            OpponentGain::Raised,
        ];
        let main = all
            .into_iter()
            .rev()
            .max_by(|one, other| self.chance_of(*one).total_cmp(&self.chance_of(*other)))?;
        (self.chance_of(main) > 0.5).then_some(main)
    }

    fn chance_of(&self, gain: OpponentGain) -> f64 {
        let [swaps, again, raised, ..] = self.effects;
        match gain {
            OpponentGain::Wins => self.wins,
            OpponentGain::Swaps => swaps,
            OpponentGain::MovesAgain => again,
            OpponentGain::Raised => raised,
        }
    }

    fn opponent_in_words(&self, gain: OpponentGain) -> String {
        let often = often(self.chance_of(gain), 0.0);
        match gain {
            OpponentGain::Wins => format!("your opponent wins at once{often}"),
            OpponentGain::Swaps => format!("your opponent swaps{often}"),
            OpponentGain::MovesAgain => format!("your opponent moves again{often}"),
            OpponentGain::Raised => format!("{} raises your opponent's score{often}", self.rule(2)),
        }
    }

    /// How much a rule on points adds to what the roll wins.
    fn of_added(&self, own: &Values, after: &Values) -> f64 {
        sum(self.outcomes.iter().map(|outcome| {
            let [with, without] =
                [outcome.to, outcome.less].map(|to| successor_value(own, after, to));
            outcome.share * (with - without)
        }))
    }

    /// The mean points by which the mover's score rises, after all rules.
    fn gain(&self) -> f64 {
        self.points + self.raised
    }

    /// Adds an outcome, with the effects of the rules on totals after it.
    fn add(&mut self, game: &Game, position: &Position, mut outcome: PossibleScore) {
        let PossibleScore { share, points, to, .. } = outcome;
        let total = position.score + points as u32;
        if let Ok(turn) = settle(game.rules(), total, position.opponent, points as u32) {
            outcome.total = turn.score;
            let again = matches!(to, Successor::Next { again: true, .. });
            // At the end of the game a score may count as the goal.
            let goes_on = turn.score.max(turn.opponent) < i64::from(game.rules().goal);
            let is_kept = goes_on && !turn.swapped;
            let raised = if is_kept { turn.score - i64::from(total) } else { 0 };
            self.raised += share * raised as f64;
            if !turn.swapped {
                *self.gains.entry(points as i64 + raised).or_default() += share;
            }
            outcome.effects = [
                turn.swapped && turn.score > turn.opponent,
                again,
                raised > 0,
                turn.swapped && turn.score < turn.opponent,
                is_kept && turn.opponent > i64::from(position.opponent),
                !again && has_worse_dice(game, turn.opponent, turn.score),
            ];
            for (place, _) in outcome.effects.iter().enumerate().filter(|(_, has)| **has) {
                self.effects[place] += share;
                if self.rules[place].is_none() {
                    self.rules[place] = turn.steps.first().map(|step| step.rule.clone());
                }
            }
        }
        self.outcomes.push(outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{self, Overrides};
    use crate::solve::{Arithmetic, Solver, Watch};

    fn reason_at(game: &str, scores: (u32, u32), dice: i32, best: i32) -> String {
        let game = Game::new(rules::load(game, Default::default()).unwrap()).unwrap();
        of_rolls(&game, scores, [dice, best])
    }

    fn of_rolls(game: &Game, scores: (u32, u32), rolls: [i32; 2]) -> String {
        let solver = Solver::new(game, Arithmetic::Float);
        let solution = solver.equilibrium(&Watch::silent()).unwrap();
        let (own, after) = solution.values();
        let position = Position::new(game.rules(), scores.0, scores.1).unwrap();
        reason(game, own, after, &position, rolls)
    }

    /// The expected reasons are worked out by hand from the rules.
    #[test]
    fn the_reason_names_the_rule_that_makes_the_difference() {
        // Free Bacon against 43: 1 + 4 to 34, whose digits are reversed in 43.
        assert_eq!(reason_at("su15", (29, 43), 5, 0), "it swaps you ahead");
        // Picky Piggy at 36 scores 7: 29 + 7 = 36, doubled.
        assert_eq!(reason_at("fa21", (29, 36), 6, 0), "Hog Pile raises your score");
        // 3 + 9 (9 is the fifth decimal of pi) neither swaps nor gives another turn; 98 + 12 is
        // past the goal.
        assert_eq!(reason_at("fa20", (98, 5), 4, 0), "it wins at once");
        // Piggy Points at 17 against 36: 4 points to 21, and 2 < 3, 1 < 6.
        assert_eq!(reason_at("sp21", (17, 36), 5, 0), "you move again");
        // Conversely, Free Bacon of 1 + 4 at 38 against 34 makes 43, which is swapped away.
        assert_eq!(reason_at("su15", (38, 34), 0, 4), "0 dice swap your lead away");
        // One die makes 41 of 38 in one of six cases.
        assert_eq!(reason_at("su15", (38, 14), 1, 5), "1 die swaps your lead away 17% of the time");
    }

    /// No dice draw level with the opponent, which ends the game; dice of two faces do so half the
    /// time. The score that counts as the goal is none that a rule raises.
    #[test]
    fn the_end_of_a_game_is_a_reason_and_raises_no_score() {
        let text = "id = \"draw\"\ngoal = 20\nmax_dice = 1\n[[rule]]\nname = \"Draw\"\n\
                    die = \"2\"\nbust = \"0\"\nzero_dice = \"3\"\nend = \"opponent == 5\"\n";
        let rules = rules::rules_from_text(text, "draw", Default::default()).unwrap();
        let game = Game::new(rules).unwrap();
        assert_eq!(of_rolls(&game, (2, 5), [1, 0]), "it ends the game level");
        let scores = "it scores 3 points without the risk of a 1";
        assert_eq!(of_rolls(&game, (1, 5), [1, 0]), scores);
    }

    /// In fa24, four dice bring 8.57 points on average, of which Sus Fuss adds less than half a
    /// point (all 1,296 rolls counted).
    #[test]
    fn a_rule_that_adds_less_than_the_turn_is_not_the_reason() {
        let reason = reason_at("fa24", (0, 0), 0, 4);
        assert_eq!(reason, "more points: 8.6 points on average, not 1.0");
    }

    /// In fa24 at 2 to 2, Boar Brawl scores 6, and Sus Fuss makes 11 of 8; four dice bring 8.52
    /// points on average, and more than 9 in 620 of 1,296 rolls.
    #[test]
    fn points_are_counted_after_all_rules() {
        let rules = rules::load("fa24", Default::default()).unwrap();
        let game = Game::new(rules).unwrap();
        let position = Position::new(game.rules(), 2, 2).unwrap();
        let [none, four] = [0, 4].map(|dice| prospect(&game, &position, dice).unwrap());
        assert_eq!(of_points(&none, &four), "more than 9 points 48% of the time");
    }

    /// In fa21, 0 dice make 53 of 45. With one point the opponent at 52 draws level, which Hog Pile
    /// doubles to 106: ten dice show a 1 in 1 - (5/6)^10 of rolls, or else, seldom, 48 points.
    #[test]
    fn where_a_roll_leads_is_the_reason_if_points_are_not() {
        let leads = "0 dice lead to 53 to 52, where your opponent wins at once 85% of the time";
        assert_eq!(reason_at("fa21", (45, 52), 0, 7), leads);
        // At 83 to 82 a 1 draws level as well, and nine dice without one have 18 points at least.
        let leads = "0 dice lead to 83 to 82, where your opponent wins at once";
        assert_eq!(reason_at("fa21", (75, 82), 0, 7), leads);
        // Of 81, five dice make 93 to 99 in an eighth of rolls, and six seldom: 12 points at least.
        let score = "5 dice score points that leave you worse off than fewer would, 12% of the \
                     time, not 2%";
        assert_eq!(reason_at("sp21", (81, 71), 5, 6), score);
        // A 1 makes 63 to 63, which Hog Pile doubles, and ten dice without one mostly 38 points.
        let ends = "it wins at once 95% of the time, not 60%";
        assert_eq!(reason_at("fa21", (62, 63), 5, 10), ends);
    }

    /// In Pig 5/6 of 72.7% and 1/6 of 33.2% are the 66.1% that a roll wins at 66 to 74 with 20
    /// points at risk; the opponent wins 1 - 0.551 from 74 to 86.
    #[test]
    fn a_roll_is_weighed_against_holding_by_what_each_wins() {
        let game = Game::new(rules::load("pig", Overrides::default()).unwrap()).unwrap();
        let solution = Solver::new(&game, Arithmetic::Float).equilibrium(&Watch::silent()).unwrap();
        let (own, after) = solution.values();
        let start = Position::new(game.rules(), 66, 74).unwrap();
        let reason = reason(&game, own, after, &Position { memory: vec![20], ..start }, [0, 1]);
        assert_eq!(
            reason,
            "a roll wins 73% if the turn goes on, 33% if it ends (17% of rolls); holding 55%"
        );
    }

    /// In fa19 six dice leave other memories than five with the same points, so that no score is
    /// the reason; in fa21 at 50 to 95 winning at once is more than half of what ten dice win more
    /// than nine. A rule is judged by what is won without it in this turn.
    #[test]
    fn a_reason_makes_half_of_the_difference() {
        assert_eq!(
            reason_at("fa19", (60, 60), 5, 6),
            "more points: 8.7 points on average, not 8.6"
        );
        assert_eq!(reason_at("fa21", (50, 95), 9, 10), "it wins at once 1% of the time, not 0.2%");
        // Two dice are two more than none before; without the 3 points five dice are better.
        assert_eq!(reason_at("fa19", (20, 36), 5, 2), "Feral Hogs adds 3 points");
        // As rarely as to two digits.
        let finely = "it wins at once 15.40% of the time, not 15.36%";
        assert_eq!(reason_at("fa23", (67, 97), 9, 10), finely);
        // Six dice win 0.1467, of which Sus Fuss makes 0.0017; none win 0.0816.
        assert_eq!(reason_at("fa23", (30, 59), 0, 6), "more than 15 points 33% of the time");
    }

    #[test]
    fn points_and_risk_are_the_reason_where_no_rule_matters() {
        assert_eq!(reason_at("fa21", (0, 4), 6, 0), "it scores 8 points without the risk of a 1");
        // 5/6 to the power 3 and 8: 58 % and 23 % of rolls show no 1.
        assert_eq!(
            reason_at("fa21", (0, 50), 8, 3),
            "less risk: a 1 shows 42% of the time, not 77%"
        );
        assert!(reason_at("fa21", (0, 50), 2, 5).starts_with("more points: "));
        // Many dice have a higher mean than most dice have, and are best where only many points
        // help.
        let many = reason_at("fa21", (0, 95), 5, 9);
        assert!(many.starts_with("more points if no 1 shows, 19% of the time"), "{many}");
        // Free Bacon gives 9 points at 4 against 8: the sum becomes 21, a multiple of seven.
        assert_eq!(reason_at("su15", (4, 8), 5, 0), "it leaves your opponent worse dice");
    }
}
