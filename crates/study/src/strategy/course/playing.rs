//! The course's strategies as policies of a game: one strategy, or many that differ only in their
//! numbers.

use crate::dice::Die;
use crate::game::{Game, Plan, Policy, PolicyError, Position, TurnResult, dice_rolled, take_turn};
use crate::rules::Rules;
use crate::strategy::Strategy;

use super::{Course, Criterion};

/// A strategy of the course as a policy of a game.
pub(super) struct Playing<'a> {
    pub criterion: Criterion,
    pub threshold: i64,
    pub num_rolls: i32,
    pub rules: &'a Rules,
}

impl Playing<'_> {
    /// Returns the highest threshold with which the strategy rolls no dice at a position; `None` if
    /// it rolls some with any threshold.
    fn zero_dice_threshold(&self, position: &Position) -> Result<Option<i64>, PolicyError> {
        let before = Position::new(self.rules, position.score, position.opponent)
            .map_err(|error| PolicyError::at(position, error.to_string()))?;
        let turn = take_turn(self.rules, &before, &[], 0)
            .map_err(|error| PolicyError::at(position, error.to_string()))?;
        self.highest(&before, &turn).map_err(|error| PolicyError::at(position, error))
    }

    /// Returns the same, given the turn without dice.
    fn highest(&self, before: &Position, turn: &TurnResult) -> Result<Option<i64>, String> {
        let restricts = self.criterion == Criterion::Mean && self.restricts_opponent(turn)?;
        const ANY: Option<i64> = Some(i64::MAX);
        let any_if = |met: bool| if met { ANY } else { None };
        let enough = Some(turn.points);
        let gain = turn.score - i64::from(before.score);
        let added = i64::from(before.score) + turn.points;
        Ok(match self.criterion {
            Criterion::Points => enough,
            // A swap of equal scores is neutral.
            Criterion::Swap if turn.swapped && turn.score != turn.opponent => {
                any_if(turn.score > turn.opponent)
            }
            Criterion::Swap => enough,
            Criterion::SwineSwap => Some(gain).filter(|_| turn.swapped),
            Criterion::Pile if turn.score > added => ANY,
            Criterion::Pile => enough,
            Criterion::Gain => Some(gain),
            Criterion::Prime
                if turn.score != added || turn.opponent != i64::from(before.opponent) =>
            {
                any_if(turn.score > added)
            }
            Criterion::Prime => enough,
            Criterion::ExtraTurn if turn.again => ANY,
            Criterion::ExtraTurn => enough,
            Criterion::Mean => enough.filter(|_| restricts),
            Criterion::Comeback => None,
        })
    }

    /// Whether the opponent's next turn has other dice than six-sided ones, or fewer than the
    /// largest number.
    fn restricts_opponent(&self, turn: &TurnResult) -> Result<bool, String> {
        let [Ok(score), Ok(opponent)] = [turn.opponent, turn.score].map(u32::try_from) else {
            return Ok(false);
        };
        // At the goal the game is over.
        let Ok(next) = Position::new(self.rules, score, opponent) else { return Ok(false) };
        let (most, die) = dice_rolled(self.rules, &next, self.rules.max_dice)
            .map_err(|error| error.to_string())?;
        let six = Die::fair(6).map_err(|error| error.to_string())?;
        Ok(die != six && most > 0 || (most as i32) < self.rules.max_dice)
    }
}

impl Policy for Playing<'_> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        if self.criterion == Criterion::Comeback {
            let behind = i64::from(position.opponent) - i64::from(position.score);
            return Ok(self.num_rolls + i32::from(behind >= self.threshold));
        }
        let met =
            self.zero_dice_threshold(position)?.is_some_and(|highest| self.threshold <= highest);
        Ok(if met { 0 } else { self.num_rolls })
    }
}

/// For every pair of scores, the thresholds with which the strategies of one name roll no dice.
/// Computed once, it gives the plans of all strategies of that name, which differ only in their
/// numbers.
pub struct ZeroDiceThresholds {
    course: Course,
    /// By cell: the highest threshold with which no dice are rolled; `None` if there is no such
    /// threshold.
    highest: Vec<Option<i64>>,
}

impl ZeroDiceThresholds {
    /// Computes the thresholds for a strategy's name. Returns `None` if it is not a strategy of the
    /// course, its criterion does not depend on the turn without dice, or it does not fit the
    /// game.
    pub fn of(strategy: &Strategy, game: &Game) -> Option<Self> {
        let Strategy::Course(course) = strategy else { return None };
        let playing = course
            .playing(game.rules())
            .ok()
            .filter(|playing| playing.criterion != Criterion::Comeback)?;
        let cells = (0..game.space().states()).step_by(game.space().per_cell());
        let highest = cells.map(|state| playing.zero_dice_threshold(&game.position(state)));
        Some(Self { course: *course, highest: highest.collect::<Result<_, _>>().ok()? })
    }

    /// Returns the plan of a strategy; `None` if its name is another, or if the game does not allow
    /// its number of dice.
    pub fn plan(&self, strategy: &Strategy, game: &Game) -> Option<Plan> {
        let Strategy::Course(course) = strategy else { return None };
        if course.entry != self.course.entry {
            return None;
        }
        let playing = course.playing(game.rules()).ok()?;
        let none = game.space().action(0)?;
        let some = game.space().action(playing.num_rolls)?;
        let actions = self.highest.iter().map(|highest| match highest {
            Some(highest) if playing.threshold <= *highest => none as u8,
            _ => some as u8,
        });
        Some(Plan::of_scores(game.states(), actions.collect()))
    }
}
