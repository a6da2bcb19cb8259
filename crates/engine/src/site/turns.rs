//! Tables of turns, computed in advance: from faces to points, and from totals to the scores that
//! the rules make of them. With them a page without a solver can play by lookup.
//!
//! The tables split a turn into two steps. The dice that are rolled, their points and the memories
//! after the turn depend only on the class of the state; the effect of the rules on totals depends
//! only on the totals. This is true of most games, not of all, so thousands of turns from the
//! tables are compared with real ones; a game for which any differs gets no tables.

use std::collections::HashMap;

use rayon::prelude::*;
use serde::Serialize;

use super::memories::{own_values, with_own};
use crate::dice::Die;
use crate::game::{EffectKind, Game, Position, RuleEffect, dice_rolled, settle, take_turn};
use crate::rules::formula::VariableSet;
use crate::rules::{Hook, Rules};

/// The steps of a turn: a rule's name, its effect, and whether the turn's points become 0.
type TurnSteps = Vec<(String, String, bool)>;

/// A game's turns as tables, for all states.
#[derive(Debug, Default, Serialize)]
pub(super) struct TurnTables {
    /// All different lists of steps.
    steps: Vec<TurnSteps>,
    /// All different values of the mover's and the shared memories after a turn.
    after: Vec<Vec<i64>>,
    /// For each class of states the indices of its kind of dice and of its table of rolls.
    classes: Vec<[usize; 2]>,
    kinds: Vec<DiceKind>,
    tables: Vec<RollTable>,
    /// The moves that roll no dice.
    moves: Vec<i32>,
    /// The totals on which the rules have an effect: `[total, opponent's score, both scores
    /// afterwards, 1 if the same player moves again, index of the steps]`.
    totals: Vec<[i64; 6]>,
}

/// The tables of turns, with the data of each state.
pub(super) struct Turns {
    pub tables: TurnTables,
    /// The class of each state.
    classes: Vec<u16>,
    /// For each move that rolls nothing, columns over all states: its points, and the indices of
    /// its steps and memories.
    moves: Vec<[Vec<u16>; 3]>,
}

/// The dice that are rolled in a state.
#[derive(Debug, PartialEq, Eq, Hash, Clone, Serialize)]
struct DiceKind {
    /// The weights of the faces 1, 2, ...
    weights: Vec<u32>,
    /// The number of dice that are rolled, for each action.
    rolled: Vec<usize>,
}

/// Columns over all rolls of 1, 2, ... dice, with faces ascending and in lexicographic order for
/// each number of dice: the points, and the indices of the steps and of the memories afterwards.
#[derive(Debug, Default, PartialEq, Eq, Hash, Clone, Serialize)]
struct RollTable {
    points: Vec<i64>,
    steps: Vec<u32>,
    after: Vec<u32>,
    /// The indices of the rolls after which the same player moves again.
    again: Vec<usize>,
}

/// The most rolls of one table, and of the tables of all classes together.
const MOST_ROLLS: usize = 10_000;
const MOST_ENTRIES: usize = 2_000_000;

/// The number of turns that are compared with real ones.
const COMPARED: usize = 20_000;

/// The most sides of dice that the page can roll.
const SIDES: u32 = 6;

impl Turns {
    /// Returns the tables of a game, or `None` if tables cannot represent its turns.
    pub fn of(game: &Game) -> Option<Self> {
        if totals_see_faces(game.rules()) {
            return None;
        }
        let most = game.rules().max_dice as usize;
        let rolls = rolls(most);
        if rolls.len() > MOST_ROLLS {
            return None;
        }
        let turns = Self { tables: TurnTables::default(), classes: Vec::new(), moves: Vec::new() };
        let mut builder =
            TableBuilder { game, turns, steps: HashMap::new(), after: HashMap::new() };
        builder.classes(&rolls)?;
        builder.moves()?;
        builder.totals()?;
        let few = |places: usize| places <= usize::from(u16::MAX);
        let turns = builder.turns;
        (few(turns.tables.steps.len())
            && few(turns.tables.after.len())
            && turns.match_real_turns(game, &rolls))
        .then_some(turns)
    }

    /// Returns the columns for the files of states.
    pub fn columns(&self) -> impl Iterator<Item = &Vec<u16>> {
        std::iter::once(&self.classes).chain(self.moves.iter().flatten())
    }
}

/// Whether rules on totals depend on single faces, which the tables cannot represent.
fn totals_see_faces(rules: &Rules) -> bool {
    let hooks = [Hook::Score, Hook::OpponentScore, Hook::Swap];
    let mut formulas = hooks.iter().flat_map(|hook| rules.hooked(*hook));
    formulas.any(|(_, formula)| !formula.reads().is_disjoint(VariableSet::patterns()))
}

/// Returns all rolls of 1 to `most` dice with faces ascending, or more than [`MOST_ROLLS`] of them.
fn rolls(most: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    let mut last: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..most {
        let longer = |roll: &Vec<u32>| {
            let from = roll.last().copied().unwrap_or(1);
            (from..=SIDES).map(|face| [roll.as_slice(), &[face]].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
        if all.len() > MOST_ROLLS {
            break;
        }
    }
    all
}

/// Returns the steps without those that the page shows by itself: the dice, and who moves next.
fn rule_steps(steps: &[RuleEffect]) -> TurnSteps {
    let of_rules =
        steps.iter().filter(|step| step.rule != "Roll" && step.kind != EffectKind::MovesAgain);
    let told = |step: &RuleEffect| {
        (step.rule.clone(), step.text.clone(), step.kind == EffectKind::LosesPoints)
    };
    of_rules.map(told).collect()
}

/// A turn before the rules on totals.
#[derive(PartialEq)]
struct ScoredTurn {
    points: i64,
    steps: TurnSteps,
    after: Vec<i64>,
    /// Whether the same player moves again for a reason other than the totals.
    again: bool,
}

/// Returns a turn before the rules on totals; `None` if their effect depends on more than the
/// totals.
fn scored_turn(
    game: &Game,
    position: &Position,
    faces: &[u32],
    request: i32,
) -> Option<ScoredTurn> {
    let turn = take_turn(game.rules(), position, faces, request).ok()?;
    let total = u32::try_from(i64::from(position.score) + turn.points).ok()?;
    let settled = settle(game.rules(), total, position.opponent, 0).ok()?;
    if (turn.score, turn.opponent) != (settled.score, settled.opponent) {
        return None;
    }
    let steps = rule_steps(&turn.steps).strip_suffix(&rule_steps(&settled.steps)[..])?.to_vec();
    let again = turn.again && !settled.again;
    Some(ScoredTurn { points: turn.points, steps, after: own_values(game, &turn.memory), again })
}

struct TableBuilder<'g> {
    game: &'g Game,
    turns: Turns,
    steps: HashMap<TurnSteps, u32>,
    after: HashMap<Vec<i64>, u32>,
}

impl TableBuilder<'_> {
    fn step_place(&mut self, steps: TurnSteps) -> u32 {
        let all = &mut self.turns.tables.steps;
        *self.steps.entry(steps).or_insert_with_key(|steps| {
            all.push(steps.clone());
            all.len() as u32 - 1
        })
    }

    fn after_place(&mut self, after: Vec<i64>) -> u32 {
        let all = &mut self.turns.tables.after;
        *self.after.entry(after).or_insert_with_key(|after| {
            all.push(after.clone());
            all.len() as u32 - 1
        })
    }

    /// Sorts the states into classes with the same kind of dice and the same distributions, and
    /// makes their tables.
    fn classes(&mut self, rolls: &[Vec<u32>]) -> Option<()> {
        let (game, space) = (self.game, self.game.space());
        let mut kinds: HashMap<DiceKind, usize> = HashMap::new();
        let mut classes = HashMap::new();
        let plain = self.fixed_kind();
        for state in 0..space.states() {
            let kind = if let Some(plain) = &plain {
                plain.clone()
            } else {
                dice_kind(game, &game.position(state))?
            };
            let next = kinds.len();
            let kind = *kinds.entry(kind).or_insert(next);
            let number = |action: usize| game.actions(state)[action] as usize;
            let rolling = (0..space.actions).filter(|action| space.dice(*action) > 0);
            let key: Vec<usize> = std::iter::once(kind).chain(rolling.map(number)).collect();
            let next = classes.len();
            let class = *classes.entry(key).or_insert((next, state, kind));
            if (class.0 + 1) * rolls.len() > MOST_ENTRIES {
                return None;
            }
            self.turns.classes.push(u16::try_from(class.0).ok()?);
        }
        let mut listed: Vec<(usize, DiceKind)> =
            kinds.into_iter().map(|(kind, place)| (place, kind)).collect();
        listed.sort_by_key(|(place, _)| *place);
        self.turns.tables.kinds = listed.into_iter().map(|(_, kind)| kind).collect();
        let mut classes: Vec<(usize, usize, usize)> = classes.into_values().collect();
        classes.sort_unstable();
        let mut known = HashMap::new();
        for (_, state, kind) in classes {
            let table = self.table(&game.position(state), kind, rolls)?;
            let tables = &mut self.turns.tables.tables;
            let place = *known.entry(table).or_insert_with_key(|table: &RollTable| {
                tables.push(table.clone());
                tables.len() - 1
            });
            self.turns.tables.classes.push([kind, place]);
        }
        Some(())
    }

    /// Returns the kind of dice of all states, if no rule changes the dice.
    fn fixed_kind(&self) -> Option<DiceKind> {
        let rules = self.game.rules();
        let mut others = [Hook::Die, Hook::MaxDice, Hook::MinDice]
            .into_iter()
            .flat_map(|hook| rules.hooked(hook));
        if others.next().is_some() {
            None
        } else {
            dice_kind(self.game, &self.game.position(self.game.start()))
        }
    }

    /// Makes the table of the class to which `position` belongs; rolls that cannot occur in it
    /// score nothing.
    fn table(&mut self, position: &Position, kind: usize, rolls: &[Vec<u32>]) -> Option<RollTable> {
        let kind = &self.turns.tables.kinds[kind];
        let can_be = |faces: &[u32]| {
            kind.rolled.contains(&faces.len())
                && faces.iter().all(|face| {
                    kind.weights.get(*face as usize - 1).is_some_and(|weight| *weight > 0)
                })
        };
        let of = |faces: &Vec<u32>| match can_be(faces) {
            true => scored_turn(self.game, position, faces, faces.len() as i32).map(Some),
            false => Some(None),
        };
        let all: Vec<Option<ScoredTurn>> = rolls.par_iter().map(of).collect::<Option<_>>()?;
        let mut table = RollTable::default();
        for (place, scored) in all.into_iter().enumerate() {
            let nothing =
                ScoredTurn { points: 0, steps: Vec::new(), after: Vec::new(), again: false };
            let scored = scored.unwrap_or(nothing);
            table.points.push(scored.points);
            table.steps.push(self.step_place(scored.steps));
            table.after.push(self.after_place(scored.after));
            if scored.again {
                table.again.push(place);
            }
        }
        Some(table)
    }

    /// Tabulates the moves that roll nothing, in every state that has them.
    fn moves(&mut self) -> Option<()> {
        let (game, space) = (self.game, self.game.space());
        let plain = self.fixed_kind();
        for (action, dice) in (0..space.actions)
            .map(|action| (action, space.dice(action)))
            .filter(|(_, dice)| *dice <= 0)
        {
            self.turns.tables.moves.push(dice);
            let mut columns = [const { Vec::new() }; 3];
            let rolls_nothing = |position: &Position| match &plain {
                Some(kind) => kind.rolled[action] == 0,
                None => {
                    dice_rolled(game.rules(), position, dice).is_ok_and(|(rolled, _)| rolled == 0)
                }
            };
            for cell in 0..space.goal * space.goal {
                let of = |state: usize| {
                    let position = game.position(state);
                    match rolls_nothing(&position) {
                        true => scored_turn(game, &position, &[], dice)
                            .filter(|turn| !turn.again)
                            .map(Some),
                        false => Some(None),
                    }
                };
                let states = cell * space.per_cell()..(cell + 1) * space.per_cell();
                for scored in states.into_par_iter().map(of).collect::<Option<Vec<_>>>()? {
                    let (points, steps, after) =
                        scored.map_or_else(Default::default, |s| (s.points, s.steps, s.after));
                    columns[0].push(u16::try_from(points).ok()?);
                    columns[1].push(u16::try_from(self.step_place(steps)).ok()?);
                    columns[2].push(u16::try_from(self.after_place(after)).ok()?);
                }
            }
            self.turns.moves.push(columns);
        }
        Some(())
    }

    /// Tabulates the totals on which the rules have an effect.
    fn totals(&mut self) -> Option<()> {
        let goal = self.game.rules().goal;
        let of_rolls =
            self.turns.tables.tables.iter().flat_map(|table| table.points.iter().copied());
        let of_moves = self
            .turns
            .moves
            .iter()
            .flat_map(|[points, ..]| points.iter().map(|points| i64::from(*points)));
        let most = of_rolls.chain(of_moves).max()?;
        for total in 0..goal + u32::try_from(most).ok()? {
            for opponent in 0..goal {
                let turn = settle(self.game.rules(), total, opponent, 0).ok()?;
                let plain = (turn.score, turn.opponent, turn.again)
                    == (total.into(), opponent.into(), false);
                if !plain || !rule_steps(&turn.steps).is_empty() {
                    let steps = self.step_place(rule_steps(&turn.steps));
                    let (before, again) = ([total, opponent].map(i64::from), i64::from(turn.again));
                    self.turns.tables.totals.push([
                        before[0],
                        before[1],
                        turn.score,
                        turn.opponent,
                        again,
                        steps.into(),
                    ]);
                }
            }
        }
        Some(())
    }
}

/// Returns the kind of dice in a position; `None` if the page cannot roll them: more sides, or
/// different dice by action.
fn dice_kind(game: &Game, position: &Position) -> Option<DiceKind> {
    let space = game.space();
    let mut die: Option<Die> = None;
    let mut rolled = Vec::new();
    for action in 0..space.actions {
        let (number, own) = dice_rolled(game.rules(), position, space.dice(action)).ok()?;
        rolled.push(number);
        if number > 0 && *die.get_or_insert_with(|| own.clone()) != own {
            return None;
        }
    }
    let sides = die.as_ref().map_or(0, Die::sides) as u32;
    let weights = |die: &Die| (1..=sides).map(|face| die.weight(face)).collect();
    (sides <= SIDES)
        .then(|| DiceKind { weights: die.as_ref().map(weights).unwrap_or_default(), rolled })
}

impl Turns {
    /// Whether the tables agree with real turns from states and rolls all over the game. Moves that
    /// roll nothing need no check: they were computed in every state.
    fn match_real_turns(&self, game: &Game, rolls: &[Vec<u32>]) -> bool {
        let tables = &self.tables;
        let states = game.space().states();
        // Multiples of two primes spread the pairs over all states and all rolls.
        (0..COMPARED).into_par_iter().all(|i| {
            let (state, roll) =
                ((i * 7919 + i / states) % states, (i * 4057 + i / 13) % rolls.len());
            let (position, faces) = (game.position(state), &rolls[roll]);
            let [kind, table] = tables.classes[usize::from(self.classes[state])];
            let (kind, table) = (&tables.kinds[kind], &tables.tables[table]);
            let fits =
                |face: &u32| kind.weights.get(*face as usize - 1).is_some_and(|weight| *weight > 0);
            if !kind.rolled.contains(&faces.len()) || !faces.iter().all(fits) {
                return true;
            }
            scored_turn(game, &position, faces, faces.len() as i32).is_some_and(|real| {
                let after = &tables.after[table.after[roll] as usize];
                let same = |values: &[i64]| game.state(&with_own(game, &position, values));
                (real.points, &real.steps)
                    == (table.points[roll], &tables.steps[table.steps[roll] as usize])
                    && real.again == table.again.contains(&roll)
                    && same(&real.after) == same(after)
            })
        })
    }
}
