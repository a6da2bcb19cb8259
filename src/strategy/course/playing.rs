//! What the course's strategies play at a game: one of them, or many that differ in their numbers alone.

use crate::dice::Die;
use crate::game::{Game, Plan, Policy, PolicyError, Position, Turn, dice_rolled, take_turn};
use crate::rules::Rules;
use crate::strategy::Strategy;

use super::{Course, Lure};

/// A strategy of the course at a game.
pub(super) struct Playing<'a> {
    pub lure: Lure,
    pub threshold: i64,
    pub num_rolls: i32,
    pub rules: &'a Rules,
}

impl Playing<'_> {
    /// The highest threshold with which it rolls no dice there; `None` where it rolls some with any.
    fn lured_up_to(&self, position: &Position) -> Result<Option<i64>, PolicyError> {
        let fault = |error: String| PolicyError::at(position, error);
        let before = Position::new(self.rules, position.score, position.opponent).map_err(|e| fault(e.to_string()))?;
        let turn = take_turn(self.rules, &before, &[], 0).map_err(|e| fault(e.to_string()))?;
        self.highest(&before, &turn).map_err(fault)
    }

    /// The same from the turn without dice.
    fn highest(&self, before: &Position, turn: &Turn) -> Result<Option<i64>, String> {
        let trouble = self.lure == Lure::Mean && self.leaves_trouble(turn)?;
        const ANY: Option<i64> = Some(i64::MAX);
        let any_if = |lured: bool| if lured { ANY } else { None };
        let enough = Some(turn.points);
        let (gain, added) = (turn.score - i64::from(before.score), i64::from(before.score) + turn.points);
        Ok(match self.lure {
            Lure::Points => enough,
            // A swap of equal scores is neutral.
            Lure::Swap if turn.swapped && turn.score != turn.opponent => any_if(turn.score > turn.opponent),
            Lure::Swap => enough,
            Lure::SwineSwap => Some(gain).filter(|_| turn.swapped),
            Lure::Pile if turn.score > added => ANY,
            Lure::Pile => enough,
            Lure::Gain => Some(gain),
            Lure::Prime if turn.score != added || turn.opponent != i64::from(before.opponent) => {
                any_if(turn.score > added)
            }
            Lure::Prime => enough,
            Lure::ExtraTurn if turn.again => ANY,
            Lure::ExtraTurn => enough,
            Lure::Mean => enough.filter(|_| trouble),
            Lure::Comeback => None,
        })
    }

    /// Whether the opponent must go on with other dice than six-sided ones, or may roll fewer.
    fn leaves_trouble(&self, turn: &Turn) -> Result<bool, String> {
        let (Ok(score), Ok(opponent)) = (u32::try_from(turn.opponent), u32::try_from(turn.score)) else {
            return Ok(false);
        };
        // Past the goal there is no next turn.
        let Ok(next) = Position::new(self.rules, score, opponent) else { return Ok(false) };
        let (most, die) = dice_rolled(self.rules, &next, self.rules.max_dice).map_err(|error| error.to_string())?;
        let six = Die::fair(6).map_err(|error| error.to_string())?;
        Ok(die != six && most > 0 || (most as i32) < self.rules.max_dice)
    }
}

impl Policy for Playing<'_> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        if self.lure == Lure::Comeback {
            let behind = i64::from(position.opponent) - i64::from(position.score);
            return Ok(self.num_rolls + i32::from(behind >= self.threshold));
        }
        let lured = self.lured_up_to(position)?.is_some_and(|highest| self.threshold <= highest);
        Ok(if lured { 0 } else { self.num_rolls })
    }
}

/// What rolling no dice brings everywhere in a game, for all strategies of one name: they differ in how much is enough.
pub struct Lures {
    course: Course,
    /// By cell: the highest threshold that rolls none.
    highest: Vec<Option<i64>>,
}

impl Lures {
    /// Those of a strategy's name; `None` if it is none of the course's that looks at turns without dice, or does not fit.
    pub fn of(strategy: &Strategy, game: &Game) -> Option<Self> {
        let Strategy::Course(course) = strategy else { return None };
        let playing = course.playing(game.rules()).ok().filter(|playing| playing.lure != Lure::Comeback)?;
        let cells = (0..game.space().states()).step_by(game.space().per_cell());
        let highest = cells.map(|state| playing.lured_up_to(&game.position(state)));
        Some(Self { course: *course, highest: highest.collect::<Result<_, _>>().ok()? })
    }

    /// What a strategy of this name plays; `None` if it has another, or rolls a number of dice that the game does not allow.
    pub fn plan(&self, strategy: &Strategy, game: &Game) -> Option<Plan> {
        let Strategy::Course(course) = strategy else { return None };
        if course.entry != self.course.entry {
            return None;
        }
        let playing = course.playing(game.rules()).ok()?;
        let (none, some) = (game.space().action(0)?, game.space().action(playing.num_rolls)?);
        let lured = |highest: &Option<i64>| highest.is_some_and(|highest| playing.threshold <= highest);
        let actions = self.highest.iter().map(|highest| if lured(highest) { none as u8 } else { some as u8 });
        Some(Plan::of_scores(game, actions.collect()))
    }
}
