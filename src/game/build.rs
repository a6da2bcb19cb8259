//! From rules to a game: cells and memories in classes, lotteries, arrivals, and the order of states.

use std::num::TryFromIntError;

use crate::rules::formula::Lookups;
use crate::rules::{Faults, Hook, Rules};

use super::arrival::{ArrivalTable, Context, MOST_DENSE};
use super::classes;
use super::facts::{self, Order};
use super::grid::ScoreGrid;
use super::intern::Interner;
use super::lottery::{LotteryMaker, LotteryTable, RawLottery, RawOutcome, summed};
use super::memory::Classes;
use super::offering::{LandingLottery, PanelMaker};
use super::panels::PanelIndex;
use super::tabulate::Tabulation;
use super::{Game, Landing, Panel, Space};

/// The most states of a game that is tabulated.
const MOST_STATES: usize = 2_000_000_000;
/// How many states at most are hoped to become one where memories behave alike.
const MOST_JOINED: usize = 20;
/// The most combinations of one player's memories, or of the shared ones, before they are joined in classes.
const MOST_COMBINATIONS: usize = 4096;

pub(super) fn build(rules: Rules) -> Result<Game, Faults> {
    refuse_large_memories(&rules)?;
    refuse_large_goal(&rules)?;
    let (dice_classes, sides) = dice(&rules)?;
    let mut maker = LotteryMaker::new(&rules);
    let zero_classes = classes::zero_dice_classes(&rules);
    let roll_classes = classes::roll_classes(&rules, &dice_classes, sides);
    let zero = maker.table(&zero_classes, (rules.min_dice..=rules.max_dice.min(0)).collect())?;
    let roll = maker.table(&roll_classes, (rules.min_dice.max(1)..=rules.max_dice).collect())?;
    let (mine, shared) = (maker.mine, maker.shared);
    let lotteries = maker.lotteries.into_items();
    let (arrivals, table_of_context) = arrivals(&rules, &maker.contexts.into_items(), maker.by_points, &lotteries)?;
    let tables = Tables { lotteries, table_of_context, zero, roll, zero_classes, roll_classes };
    let (mine_classes, shared_classes) = tables.join_memories(mine.count(), shared.count());
    let space = Space {
        goal: rules.goal as usize,
        mine: mine_classes.count(),
        shared: shared_classes.count(),
        actions: (rules.max_dice - rules.min_dice + 1) as usize,
        min_dice: rules.min_dice,
    };
    let theirs_matter = maker.depends.theirs;
    let panels = tables.panels(&space, &mine_classes, &shared_classes, theirs_matter);
    let Panels { index, panels, ladders } = panels.map_err(|_| {
        let message = "a pair of scores has more than 65,536 kinds of turns or of what they lead to".to_owned();
        rules.fault(None, message, "lower the memories' max")
    })?;
    if (space.goal * space.goal).checked_mul(space.per_cell()).is_none_or(|states| states > MOST_STATES) {
        let message = format!("the game has more than {MOST_STATES} states");
        return Err(rules.fault(None, message, "lower the goal or the memories' max"));
    }
    let mut game = Game {
        rules,
        space,
        mine: (mine, mine_classes),
        shared: (shared, shared_classes),
        panel_index: index,
        panels,
        ladders,
        arrivals,
        order: Order::Rising,
        growths: Vec::new(),
        longest_chains: Vec::new(),
        reach: 1,
    };
    let stays;
    (game.order, stays) = facts::order(&mut game)?;
    game.growths = facts::growths(&game);
    game.reach = facts::reach(&game);
    if game.order != Order::Rising {
        facts::refuse_endless(&game)?;
        game.longest_chains = facts::longest_chains(&game, &stays);
    }
    Ok(game)
}

fn refuse_large_memories(rules: &Rules) -> Result<(), Faults> {
    for of_player in [true, false] {
        let sizes = rules.memories.iter().filter(|m| m.of_player == of_player).map(|m| m.max as usize + 1);
        let combinations = sizes.fold(1usize, usize::saturating_mul);
        if combinations > MOST_COMBINATIONS {
            let message = format!("the memories have {combinations} combinations of values");
            return Err(rules.fault(None, message, &format!("lower their max: at most {MOST_COMBINATIONS} are held")));
        }
    }
    Ok(())
}

/// Before anything is tabulated: a game whose states would be too many even if most memories behave alike.
fn refuse_large_goal(rules: &Rules) -> Result<(), Faults> {
    let player: f64 = rules.memories.iter().filter(|m| m.of_player).map(|m| m.max as f64 + 1.0).product();
    let shared: f64 = rules.memories.iter().filter(|m| !m.of_player).map(|m| m.max as f64 + 1.0).product();
    let states = f64::from(rules.goal).powi(2) * player * player * shared;
    if states > (MOST_STATES * MOST_JOINED) as f64 {
        let message = format!("the game has about {states:.0e} states, far more than {MOST_STATES:.0e} are solved");
        return Err(rules.fault(None, message, "lower the goal or the memories' max"));
    }
    Ok(())
}

/// Classes of cells by the dice rolled there, and the most sides of one.
fn dice(rules: &Rules) -> Result<(ScoreGrid, i64), Faults> {
    let (rule, formula) = match rules.hooked(Hook::Die).next() {
        Some((rule, formula)) => (Some(rule), Some(formula)),
        None => (None, None),
    };
    let dice = classes::dice(rules).map_err(|(score, opponent)| {
        let message = format!("the die has no value at {score}-{opponent}");
        rules.fault(rule, message, "guard it, as in `opponent == 0 ? 6 : ...`")
    })?;
    let mut sides = 1;
    for code in dice.codes {
        let die = formula.map_or_else(|| crate::dice::Die::fair(code), |formula| super::turn::die_of(formula, code));
        let die = die.map_err(|error| rules.fault(rule, error.to_string(), "give the die other sides"))?;
        sides = sides.max(die.sides() as i64);
    }
    Ok((dice.classes, sides))
}

/// Tables of arrivals, equal ones kept once, and which table each context uses.
fn arrivals(
    rules: &Rules,
    contexts: &[Context],
    by_points: bool,
    lotteries: &[RawLottery],
) -> Result<(Vec<ArrivalTable>, Vec<u16>), Faults> {
    let points = lotteries.iter().flat_map(|lottery| &lottery.outcomes).map(|(outcome, _)| outcome.points);
    let most_points = points.max().unwrap_or(0) as usize;
    let tabulation = Tabulation { rules, by_points, most_points, lookups: Lookups::default() };
    let mut tables: Vec<ArrivalTable> = Vec::new();
    let mut table_of_context = Vec::with_capacity(contexts.len());
    for context in contexts {
        let table = tabulation.table(context)?;
        let number = tables.iter().position(|known| *known == table).unwrap_or_else(|| {
            tables.push(table);
            tables.len() - 1
        });
        let number = u16::try_from(number).map_err(|_| {
            let message = "the rules on totals tell apart more than 65,536 kinds of turns".to_owned();
            rules.fault(None, message, "let them read fewer variables")
        })?;
        table_of_context.push(number);
    }
    tables.iter_mut().for_each(|table| table.spread(MOST_DENSE));
    Ok((tables, table_of_context))
}

/// The panels of all cells.
struct Panels {
    index: PanelIndex,
    panels: Vec<Panel>,
    ladders: Vec<Vec<(u32, u64)>>,
}

/// Lotteries before memories are joined.
struct Tables {
    lotteries: Vec<RawLottery>,
    table_of_context: Vec<u16>,
    zero: LotteryTable,
    roll: LotteryTable,
    zero_classes: ScoreGrid,
    roll_classes: ScoreGrid,
}

impl Tables {
    fn landing(&self, outcome: &RawOutcome, mine: &Classes, shared: &Classes) -> Landing {
        Landing {
            table: self.table_of_context[outcome.context as usize],
            mine: outcome.mine.map(|value| mine.class_of[value as usize] as u16),
            shared: outcome.shared.map(|value| shared.class_of[value as usize] as u16),
            points: outcome.points,
        }
    }

    /// Every lottery with memories replaced by their classes; equal ones get equal numbers.
    fn by_classes(&self, mine: &Classes, shared: &Classes) -> (Vec<u32>, Vec<LandingLottery>) {
        let mut interner = Interner::new();
        let joined = |lottery: &RawLottery| {
            let outcomes = lottery.outcomes.iter();
            let landed = outcomes.map(|(outcome, weight)| (self.landing(outcome, mine, shared), *weight));
            let outcomes = summed(landed.collect());
            LandingLottery { outcomes, total: lottery.total, clean: lottery.clean.clone() }
        };
        let numbers = self.lotteries.iter().map(|lottery| interner.number(joined(lottery))).collect();
        (numbers, interner.into_items())
    }

    /// Joins memories that behave alike: the coarsest classes within which all lotteries agree. Starting from one
    /// class, classes are split until nothing changes (partition refinement; Moore, 1956).
    fn join_memories(&self, mine_values: usize, shared_values: usize) -> (Classes, Classes) {
        let (mut mine, mut shared) = (Classes::joined(mine_values), Classes::joined(shared_values));
        if mine_values == 1 && shared_values == 1 {
            return (mine, shared);
        }
        loop {
            let (numbers, _) = self.by_classes(&mine, &shared);
            let more_mine = mine.refine(|value| self.player_signature(&numbers, value));
            let more_shared = shared.refine(|value| self.shared_signature(&numbers, value));
            if !more_mine && !more_shared {
                return (mine, shared);
            }
        }
    }

    /// All lotteries in which a player's memory takes part: as the mover's, then as the opponent's.
    fn player_signature(&self, numbers: &[u32], value: usize) -> Vec<u32> {
        let mut signature = Vec::new();
        for table in [&self.zero, &self.roll] {
            let (i_count, j_count, g_count) = table.counts();
            let as_mine = (0..j_count).flat_map(|j| (0..g_count).map(move |g| (value, j, g)));
            // Where the opponent's memory does not matter, there is nothing to compare.
            let theirs = if j_count > 1 { i_count } else { 0 };
            let as_theirs = (0..theirs).flat_map(|i| (0..g_count).map(move |g| (i, value, g)));
            for memories in as_mine.chain(as_theirs) {
                table.push_row(memories, numbers, &mut signature);
            }
        }
        signature
    }

    /// All lotteries in which a value of the shared memories takes part.
    fn shared_signature(&self, numbers: &[u32], value: usize) -> Vec<u32> {
        let mut signature = Vec::new();
        for table in [&self.zero, &self.roll] {
            let (i_count, j_count, _) = table.counts();
            for memories in (0..i_count).flat_map(|i| (0..j_count).map(move |j| (i, j, value))) {
                table.push_row(memories, numbers, &mut signature);
            }
        }
        signature
    }

    /// The panel of each cell, equal ones kept once.
    ///
    /// # Errors
    /// See [`PanelMaker::panel`].
    fn panels(
        &self,
        space: &Space,
        mine: &Classes,
        shared: &Classes,
        theirs_matter: bool,
    ) -> Result<Panels, TryFromIntError> {
        let (numbers, lotteries) = self.by_classes(mine, shared);
        let theirs = if theirs_matter { &mine.representative[..] } else { &mine.representative[..1] };
        let of_shared = |g| mine.representative.iter().flat_map(move |i| theirs.iter().map(move |j| (*i, *j, g)));
        let memories: Vec<(usize, usize, usize)> = shared.representative.iter().flat_map(|g| of_shared(*g)).collect();
        let on_offer = |(score, opponent): (usize, usize)| -> Vec<u32> {
            let (zero, roll) = (self.zero_classes.at(score, opponent), self.roll_classes.at(score, opponent));
            let ids = memories.iter().flat_map(|memories| {
                self.zero.row(zero as usize, *memories).iter().chain(self.roll.row(roll as usize, *memories))
            });
            ids.map(|id| numbers[*id as usize]).collect()
        };
        let grid = self.zero_classes.joined(&self.roll_classes);
        let mut kinds = Interner::new();
        let kind_of: Vec<u32> = grid.representatives().into_iter().map(|cell| kinds.number(on_offer(cell))).collect();
        let mut maker = PanelMaker::new(space.shared, theirs_matter, &lotteries);
        let panels = kinds.into_items().iter().map(|lotteries| maker.panel(lotteries)).collect::<Result<_, _>>()?;
        Ok(Panels { index: PanelIndex::new(grid.renamed(&kind_of)), panels, ladders: maker.into_ladders() })
    }
}

impl LotteryTable {
    /// Appends the lotteries of all classes of cells and all actions for the same memories.
    fn push_row(&self, memories: (usize, usize, usize), numbers: &[u32], row: &mut Vec<u32>) {
        for class in 0..self.classes {
            row.extend(self.row(class, memories).iter().map(|id| numbers[*id as usize]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Successor;
    use super::*;

    /// Where all landings on offer lead from every cell.
    fn successors(game: &Game) -> Vec<Successor> {
        let cells = 0..game.space.goal * game.space.goal;
        let of_cell = |cell: usize| {
            let landings = game.panel(cell).offers.iter().flat_map(|offer| &offer.landings);
            landings.map(move |landing| game.successor(cell, landing))
        };
        cells.flat_map(of_cell).collect()
    }

    #[test]
    fn cells_with_the_same_on_offer_share_a_panel() {
        let rule = "[[rule]]\nname = \"Seven\"\npoints = \"score + opponent == 7 ? points + 1 : points\"";
        let text = format!("id = \"seven\"\ngoal = 30\nmax_dice = 2\n{rule}");
        let game = build(crate::rules::rules_from_text(&text, "seven", Default::default()).expect("sound rules"));
        let game = game.expect("sound rules");
        assert_eq!(game.panels().len(), 2);
        assert!((0..900).all(|cell| game.panel_number(cell) == usize::from(cell / 30 + cell % 30 == 7)));
    }

    #[test]
    fn a_game_whose_totals_have_no_entries_of_their_own_leads_where_one_with_entries_does() {
        for id in ["fa21", "nju21", "su15", "sp15", "fa20", "su18c", "fa15"] {
            let overrides = crate::rules::Overrides { goal: Some(34), max_dice: Some(6) };
            let mut game = build(crate::rules::load(id, overrides).expect("a built-in game")).expect("sound rules");
            assert!(game.arrivals.iter().all(|table| !table.dense.is_empty()), "{id}");
            let dense = successors(&game);
            game.arrivals.iter_mut().for_each(|table| table.dense = Vec::new());
            assert!(successors(&game) == dense, "{id}");
        }
    }
}
