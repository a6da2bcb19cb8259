//! Turns written down beforehand: tables from faces to points and from totals to what the rules make of them, so that a
//! page without a solver can play by looking up.
//!
//! The tables tell a turn in two steps, which suits most games and not all: what the dice score must depend on the dice and
//! on the class of the pair of scores, what becomes of the totals on the totals alone. Whether it suits is found by
//! comparing thousands of turns with the real ones; a game that it does not suit has no tables.

use std::collections::HashMap;

use serde::Serialize;

use crate::dice::Die;
use crate::game::{Game, Position, RuleEffect, Turn, dice_rolled, settle, take_turn};
use crate::rules::formula::VariableSet;
use crate::rules::{Hook, Rules};

/// Steps of a turn: rules and what they did.
type Steps = Vec<[String; 2]>;

/// A game's turns as tables.
#[derive(Debug, Default, Serialize)]
pub(super) struct TurnTables {
    /// Every list of steps that comes up.
    steps: Vec<Steps>,
    /// For each pair of scores its class.
    class: Vec<u32>,
    /// For each class its table of rolls.
    rolls: Vec<u32>,
    tables: Vec<RollTable>,
    /// The moves that roll no dice.
    moves: Vec<MoveTable>,
    /// Where rules change the totals: total, opponent's score, both after it, 1 if the same player moves again, steps.
    totals: Vec<[i64; 6]>,
}

/// For each roll of 1, 2, ... dice, faces ascending, in the order of a dictionary: points, and the place of its steps.
#[derive(Debug, Default, PartialEq, Eq, Hash, Clone, Serialize)]
struct RollTable {
    points: Vec<i64>,
    steps: Vec<u32>,
}

/// For each pair of scores: points, and the place of its steps.
#[derive(Debug, Serialize)]
struct MoveTable {
    dice: i32,
    points: Vec<i64>,
    steps: Vec<u32>,
}

/// The most rolls of one table, and the most classes.
const MOST_ROLLS: usize = 10_000;
const MOST_CLASSES: usize = 200;

/// How many turns are compared with real ones.
const COMPARED: usize = 20_000;

impl TurnTables {
    /// The tables of a game, if it can be told by them.
    pub fn of(game: &Game) -> Option<Self> {
        let space = game.space();
        if space.per_cell() > 1 || totals_see_faces(game.rules()) || !rolls_plainly(game) {
            return None;
        }
        let most = space.dice(space.actions - 1).max(0) as usize;
        let rolls = rolls(most);
        if rolls.len() > MOST_ROLLS {
            return None;
        }
        let mut made = Maker { game, tables: Self::default(), places: HashMap::new() };
        made.tables_of_classes(&rolls)?;
        made.moves()?;
        made.totals()?;
        made.is_true(&rolls).then_some(made.tables)
    }
}

/// Whether rules on totals look at single faces: they are told by totals alone.
fn totals_see_faces(rules: &Rules) -> bool {
    let hooks = [Hook::Score, Hook::OpponentScore, Hook::Swap, Hook::Again];
    let mut formulas = hooks.iter().flat_map(|hook| rules.hooked(*hook));
    formulas.any(|(_, formula)| !formula.reads().is_disjoint(VariableSet::patterns()))
}

/// Whether everywhere as many dice are rolled as asked for, and all are fair with six sides.
fn rolls_plainly(game: &Game) -> bool {
    let (rules, space) = (game.rules(), game.space());
    let Ok(fair) = Die::fair(6) else { return false };
    (0..space.states()).all(|state| {
        let position = game.position(state);
        (0..space.actions).map(|action| space.dice(action)).filter(|dice| *dice > 0).all(|dice| {
            dice_rolled(rules, &position, dice).is_ok_and(|(rolled, die)| rolled == dice as usize && die == fair)
        })
    })
}

/// All rolls of 1 to `most` dice, faces ascending.
fn rolls(most: usize) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    let mut last: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..most {
        let longer = |roll: &Vec<u32>| {
            let from = roll.last().copied().unwrap_or(1);
            (from..=6).map(|face| [roll.as_slice(), &[face]].concat()).collect::<Vec<_>>()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend(last.iter().cloned());
        if all.len() > MOST_ROLLS {
            break;
        }
    }
    all
}

struct Maker<'g> {
    game: &'g Game,
    tables: TurnTables,
    places: HashMap<Steps, u32>,
}

/// The steps without what the dice show, which can be seen.
fn told(steps: &[RuleEffect]) -> Steps {
    let of_rules = steps.iter().filter(|step| step.rule != "Roll");
    of_rules.map(|step| [step.rule.clone(), step.text.clone()]).collect()
}

impl Maker<'_> {
    fn place(&mut self, steps: Steps) -> u32 {
        let next = self.tables.steps.len() as u32;
        *self.places.entry(steps).or_insert_with_key(|steps| {
            self.tables.steps.push(steps.clone());
            next
        })
    }

    /// Points and the steps before the totals.
    fn scored(&mut self, position: &Position, faces: &[u32], request: i32) -> Option<(i64, u32)> {
        let turn = take_turn(self.game.rules(), position, faces, request).ok()?;
        let total = u32::try_from(i64::from(position.score) + turn.points).ok()?;
        let settled = settle(self.game.rules(), (total, position.opponent), 0).ok()?;
        let steps = told(&turn.steps);
        let before = steps.strip_suffix(&told(&settled.steps)[..])?.to_vec();
        Some((turn.points, self.place(before)))
    }

    /// Pairs of scores that share an action set are one class; classes that roll alike share a table.
    fn tables_of_classes(&mut self, rolls: &[Vec<u32>]) -> Option<()> {
        let (mut classes, mut known) = (HashMap::new(), HashMap::new());
        for cell in 0..self.game.space().states() {
            let actions: *const _ = self.game.action_set(cell);
            let next = self.tables.rolls.len() as u32;
            let class = *classes.entry(actions).or_insert(next);
            self.tables.class.push(class);
            if class < next {
                continue;
            }
            if classes.len() > MOST_CLASSES {
                return None;
            }
            let (position, mut table) = (self.game.position(cell), RollTable::default());
            for faces in rolls {
                let (points, steps) = self.scored(&position, faces, faces.len() as i32)?;
                table.points.push(points);
                table.steps.push(steps);
            }
            let tables = &mut self.tables.tables;
            let place = *known.entry(table).or_insert_with_key(|table| {
                tables.push(table.clone());
                tables.len() as u32 - 1
            });
            self.tables.rolls.push(place);
        }
        Some(())
    }

    fn moves(&mut self) -> Option<()> {
        let space = self.game.space();
        for dice in (0..space.actions).map(|action| space.dice(action)).filter(|dice| *dice <= 0) {
            let mut table = MoveTable { dice, points: Vec::new(), steps: Vec::new() };
            for cell in 0..space.states() {
                let (points, steps) = self.scored(&self.game.position(cell), &[], dice)?;
                table.points.push(points);
                table.steps.push(steps);
            }
            self.tables.moves.push(table);
        }
        Some(())
    }

    fn totals(&mut self) -> Option<()> {
        let goal = self.game.rules().goal;
        let of_rolls = self.tables.tables.iter().flat_map(|table| &table.points);
        let of_moves = self.tables.moves.iter().flat_map(|table| &table.points);
        let most = of_rolls.chain(of_moves).copied().max()?;
        for total in 0..goal + u32::try_from(most).ok()? {
            for opponent in 0..goal {
                let turn = settle(self.game.rules(), (total, opponent), 0).ok()?;
                let plain = (turn.score, turn.opponent, turn.again) == (total.into(), opponent.into(), false);
                if !plain || !told(&turn.steps).is_empty() {
                    let steps = self.place(told(&turn.steps));
                    let (before, again) = ([total, opponent].map(i64::from), i64::from(turn.again));
                    self.tables.totals.push([before[0], before[1], turn.score, turn.opponent, again, steps.into()]);
                }
            }
        }
        Some(())
    }

    /// Whether turns all over the game are as the tables tell them.
    fn is_true(&self, rolls: &[Vec<u32>]) -> bool {
        let (space, rules) = (self.game.space(), self.game.rules());
        let totals: HashMap<(i64, i64), &[i64; 6]> =
            self.tables.totals.iter().map(|entry| ((entry[0], entry[1]), entry)).collect();
        let agrees = |cell: usize, points: i64, steps: u32, turn: &Turn| {
            let (total, opponent) = ((cell / space.goal) as i64 + points, (cell % space.goal) as i64);
            let own = &self.tables.steps[steps as usize];
            let (after, more) = match totals.get(&(total, opponent)) {
                Some(entry) => ((entry[2], entry[3], entry[4] == 1), &self.tables.steps[entry[5] as usize][..]),
                None => ((total, opponent, false), &[][..]),
            };
            let same_steps = told(&turn.steps) == [own.as_slice(), more].concat();
            turn.points == points && after == (turn.score, turn.opponent, turn.again) && same_steps
        };
        // Numbers without a common factor go through all cells and all rolls.
        let compared = (0..COMPARED).all(|i| {
            let (cell, roll) = ((i * 7919 + i / space.states()) % space.states(), (i * 4057 + i / 13) % rolls.len());
            let table = &self.tables.tables[self.tables.rolls[self.tables.class[cell] as usize] as usize];
            let faces = &rolls[roll];
            let turn = take_turn(rules, &self.game.position(cell), faces, faces.len() as i32);
            turn.is_ok_and(|turn| agrees(cell, table.points[roll], table.steps[roll], &turn))
        });
        compared
            && self.tables.moves.iter().all(|table| {
                (0..space.states()).all(|cell| {
                    let turn = take_turn(rules, &self.game.position(cell), &[], table.dice);
                    turn.is_ok_and(|turn| agrees(cell, table.points[cell], table.steps[cell], &turn))
                })
            })
    }
}
