//! Menus: choices after chance, of which the mover of the turn takes the best.

use std::sync::Arc;

use crate::dice::Weight;
use crate::linear::{GoOn, Number};

use super::{Component, Near, Solved, Unsolved, sweeps};

/// The menus of a choice: outcomes that lead to several targets, of which the mover takes the best.
/// Choices whose menus differ only in what the targets are share them.
///
/// ```
/// use std::sync::Arc;
/// use hog_solve::component::{Component, Menus};
/// // A coin: heads, and the player may win at once or go on (or win); tails passes the turn.
/// let mut menus = Menus::default();
/// menus.push(1, [0, 1]);
/// let mut game = Component::<f64>::new();
/// game.begin_choice(2);
/// game.lead(0, 1, false);
/// game.begin_menus(&Arc::new(menus));
/// game.target(&1.0, 0.0);
/// game.target_node(0, true);
/// game.end_choice();
/// game.end_node();
/// let solved = game.solve(None, &|| true).expect("it is small");
/// assert!((solved.values[0] - 2.0 / 3.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Menus {
    /// By menu: the weight of its outcomes.
    weights: Vec<Weight>,
    /// By menu: the end of its options.
    ends: Vec<u32>,
    /// By option: a target of the choice.
    options: Vec<u16>,
}

impl Menus {
    /// Adds a menu of these targets of a choice, to which outcomes of some weight lead.
    pub fn push(&mut self, weight: Weight, options: impl IntoIterator<Item = u16>) {
        self.weights.push(weight);
        self.options.extend(options);
        self.ends.push(self.options.len() as u32);
    }

    /// The number of menus.
    pub fn len(&self) -> usize {
        self.weights.len()
    }

    /// Whether there is no menu.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }

    /// The menus: the weight and the targets of each.
    pub fn iter(&self) -> impl Iterator<Item = (Weight, &[u16])> {
        let mut from = 0;
        self.weights.iter().zip(&self.ends).map(move |(weight, end)| {
            let options = &self.options[from..*end as usize];
            from = *end as usize;
            (*weight, options)
        })
    }

    /// The targets of a menu.
    pub fn options(&self, menu: usize) -> &[u16] {
        let from = if menu == 0 { 0 } else { self.ends[menu - 1] };
        &self.options[from as usize..self.ends[menu] as usize]
    }

    /// The memory of the menus, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.weights[..])
            + size_of_val(&self.ends[..])
            + size_of_val(&self.options[..])
    }
}

/// The menus of all choices of a component.
#[derive(Clone, Debug)]
pub(super) struct ComponentMenus<N> {
    tables: Vec<WeightedMenus<N>>,
    /// By choice.
    of_choice: Vec<Option<OfChoice>>,
    /// By target: twice the node it leads to, plus 1 if the same player moves there; [`KNOWN`] and
    /// an index of `known` if it leaves the component.
    targets: Vec<u32>,
    /// The values of targets that leave, to the mover, and bounds on their errors in units.
    known: Vec<N>,
    known_error: Vec<f64>,
    /// The menus of the choice that is being built.
    open: Option<OfChoice>,
}

/// The menus of a choice.
#[derive(Clone, Copy, Debug)]
struct OfChoice {
    table: u32,
    first_target: u32,
    end_of_targets: u32,
}

/// Menus with their probabilities.
#[derive(Clone, Debug)]
struct WeightedMenus<N> {
    menus: Arc<Menus>,
    total: Weight,
    chance: Vec<N>,
}

/// Marks a target that leaves.
const KNOWN: u32 = 1 << 31;

impl<N: Number> ComponentMenus<N> {
    fn new(choices: usize) -> Self {
        Self {
            tables: Vec::new(),
            of_choice: vec![None; choices],
            targets: Vec::new(),
            known: Vec::new(),
            known_error: Vec::new(),
            open: None,
        }
    }

    /// Removes the menus of all choices.
    pub fn clear(&mut self) {
        self.of_choice.clear();
        self.targets.clear();
        self.known.clear();
        self.known_error.clear();
    }

    pub fn end_choice(&mut self) {
        let end_of_targets = self.targets.len() as u32;
        self.of_choice.push(self.open.take().map(|of| OfChoice { end_of_targets, ..of }));
    }

    /// Whether the choice that was ended last has menus.
    pub fn has_any_of_last(&self) -> bool {
        self.of_choice.last().is_some_and(Option::is_some)
    }

    /// The value of a target: see [`Component::value`].
    #[inline(always)]
    fn value<'v>(&'v self, target: u32, both: &'v [N]) -> &'v N {
        match target & KNOWN {
            0 => &both[target as usize],
            _ => &self.known[(target & !KNOWN) as usize],
        }
    }

    fn targets(&self, of: OfChoice) -> &[u32] {
        &self.targets[of.first_target as usize..of.end_of_targets as usize]
    }

    /// Adds the values of the menus of a choice to a sum: in several sums, so that less is rounded.
    #[inline(always)]
    pub fn added(&self, choice: usize, sum: N, both: &[N], values: &mut Vec<N>) -> N {
        let Some(of) = self.of_choice[choice] else { return sum };
        let table = &self.tables[of.table as usize];
        values.clear();
        values.extend(self.targets(of).iter().map(|target| self.value(*target, both).clone()));
        let mut sums = [N::ZERO; SUMS];
        let mut from = 0;
        for (at, (chance, end)) in table.chance.iter().zip(&table.menus.ends).enumerate() {
            let options = &table.menus.options[from..*end as usize];
            from = *end as usize;
            let most = largest(options, values);
            sums[at % SUMS] = sums[at % SUMS].plus(&chance.times(&most));
        }
        for half in (0..SUMS_LOG).rev().map(|log| 1 << log) {
            for at in 0..half {
                sums[at] = sums[at].plus(&sums[at + half]);
            }
        }
        sum.plus(&sums[0])
    }
}

/// The largest of the values that options name.
#[inline(always)]
fn largest<N: Number>(options: &[u16], values: &[N]) -> N {
    // A copy, not a reference: that is no branch, which would be a guess.
    let mut most = values[usize::from(options[0])].clone();
    for option in &options[1..] {
        let value = &values[usize::from(*option)];
        most = if *value > most { value.clone() } else { most };
    }
    most
}

/// The number of sums into which the menus of a choice are distributed, and its logarithm.
const SUMS: usize = 1 << SUMS_LOG;
const SUMS_LOG: usize = 4;

/// The most roundings of a sum over so many menus.
pub(super) fn roundings(menus: usize) -> usize {
    if menus == 0 { 0 } else { menus.div_ceil(SUMS) + SUMS_LOG + 1 }
}

/// An option of a menu, for a proof.
pub(super) struct MenuOption<'m, N> {
    /// Its place among the targets of the choice.
    pub target: u16,
    /// The node as in [`Component::steps`], unless it leaves.
    pub to: Option<usize>,
    pub value: &'m N,
    /// A bound on the error of a known value.
    pub error: f64,
}

/// Room for the menus of one choice after another.
pub(super) struct MenuRoom<'m, N> {
    targets: Vec<MenuOption<'m, N>>,
    values: Vec<N>,
    near: Vec<u16>,
    listed: Vec<MenuOption<'m, N>>,
}

impl<N> Default for MenuRoom<'_, N> {
    fn default() -> Self {
        let targets = Vec::new();
        Self { targets, values: Vec::new(), near: Vec::new(), listed: Vec::new() }
    }
}

// Deriving these would require them of `N`, but the number is only borrowed.
impl<N> Clone for MenuOption<'_, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for MenuOption<'_, N> {}

impl<N: Number> Component<N> {
    /// Says that other outcomes of the choice that is being built lead to menus. All their targets
    /// follow in order: [`Self::target_node`], [`Self::target`].
    pub fn begin_menus(&mut self, menus: &Arc<Menus>) {
        if menus.is_empty() {
            return;
        }
        // The choice that is being built is not ended yet.
        let choices = self.leaving.len() - 1;
        let total = self.open.total;
        let all = self.menus.get_or_insert_with(|| Box::new(ComponentMenus::new(choices)));
        let known = all
            .tables
            .iter()
            .rposition(|known| Arc::ptr_eq(&known.menus, menus) && known.total == total);
        let table = known.unwrap_or_else(|| {
            let weights = menus.weights.iter();
            let chance = weights.map(|weight| N::ratio(*weight, total)).collect();
            all.tables.push(WeightedMenus { menus: Arc::clone(menus), total, chance });
            all.tables.len() - 1
        });
        let first_target = all.targets.len() as u32;
        all.open =
            Some(OfChoice { table: table as u32, first_target, end_of_targets: first_target });
        self.open.staying += menus.weights.iter().sum::<Weight>();
    }

    /// Adds a target of menus that is a node of the component, of the same player or the other.
    pub fn target_node(&mut self, to: usize, again: bool) {
        if let Some(menus) = &mut self.menus {
            menus.targets.push(2 * to as u32 + u32::from(again));
            self.has_edges = true;
        }
    }

    /// Adds a target of menus of a known value to the mover, with a bound on its error in units.
    pub fn target(&mut self, value: &N, error: f64) {
        if let Some(menus) = &mut self.menus {
            menus.targets.push(KNOWN | menus.known.len() as u32);
            menus.known.push(value.clone());
            menus.known_error.push(error);
        }
    }

    pub(super) fn has_menus(&self, choice: usize) -> bool {
        self.menus.as_ref().is_some_and(|menus| menus.of_choice[choice].is_some())
    }

    /// The menus of a choice, with their probabilities and options, given the values of nodes as
    /// in [`Self::value`].
    pub(super) fn menus<'m>(
        &'m self,
        choice: usize,
        both: &'m [N],
    ) -> impl Iterator<Item = (&'m N, impl Iterator<Item = MenuOption<'m, N>> + Clone)> {
        let of_choice = self.menus.as_deref().and_then(|menus| {
            let of = menus.of_choice[choice]?;
            Some((menus, menus.targets(of), &menus.tables[of.table as usize]))
        });
        of_choice.into_iter().flat_map(move |(menus, targets, table)| {
            table.chance.iter().zip(table.menus.iter()).map(move |(chance, (_, options))| {
                let option = move |option: &u16| {
                    let place = *option;
                    let target = targets[usize::from(place)];
                    let is_known = target & KNOWN != 0;
                    let value = menus.value(target, both);
                    let error = match is_known {
                        true => menus.known_error[(target & !KNOWN) as usize],
                        false => 0.0,
                    };
                    let to = (!is_known).then_some(target as usize);
                    MenuOption { target: place, to, value, error }
                };
                (chance, options.iter().map(option))
            })
        })
    }

    /// Calls `see` for each menu of a choice with its probability, its value, and those options
    /// that are worth less by `close` at most, given the values of nodes as in [`Self::value`].
    pub(super) fn each_menu<'m>(
        &'m self,
        choice: usize,
        both: &'m [N],
        close: &N,
        room: &mut MenuRoom<'m, N>,
        mut see: impl FnMut(&N, &N, &[MenuOption<'m, N>]),
    ) {
        let Some(menus) = self.menus.as_deref() else { return };
        let Some(of) = menus.of_choice[choice] else { return };
        let table = &menus.tables[of.table as usize];
        let MenuRoom { targets, values, near, listed } = room;
        targets.clear();
        values.clear();
        for (place, target) in (0..).zip(menus.targets(of)) {
            let known = (target & KNOWN != 0).then_some((target & !KNOWN) as usize);
            let value = menus.value(*target, both);
            values.push(value.clone());
            targets.push(MenuOption {
                target: place,
                to: known.is_none().then_some(*target as usize),
                value,
                error: known.map_or(0.0, |known| menus.known_error[known]),
            });
        }
        for (chance, (_, options)) in table.chance.iter().zip(table.menus.iter()) {
            let most = largest(options, values);
            let least = most.minus(close);
            near.resize(options.len().max(near.len()), 0);
            let mut count = 0;
            for option in options {
                near[count] = *option;
                count += usize::from(values[usize::from(*option)] >= least);
            }
            listed.clear();
            listed.extend(near[..count].iter().map(|option| targets[usize::from(*option)]));
            see(chance, &most, listed);
        }
    }

    /// The number of menus of a choice.
    pub(super) fn count_menus(&self, choice: usize) -> usize {
        let of = self.menus.as_deref().and_then(|menus| Some((menus, menus.of_choice[choice]?)));
        of.map_or(0, |(menus, of)| menus.tables[of.table as usize].chance.len())
    }

    /// A bound on what the menus of a choice add to its error, in units, if those of all nodes and
    /// known values are at most `most`.
    pub(super) fn error_of_menus(&self, choice: usize, most: f64) -> f64 {
        match self.count_menus(choice) {
            0 => 0.0,
            menus => most + 3.0 + roundings(menus) as f64,
        }
    }

    /// The largest error of known values of targets.
    pub(super) fn most_error_of_targets(&self) -> f64 {
        let known = self.menus.as_deref().map_or(&[][..], |menus| &menus.known_error);
        known.iter().copied().fold(0.0, f64::max)
    }

    /// Whether a choice leads to nodes of which all edges, and an option of each menu, are as
    /// wanted.
    pub(super) fn can_lead(&self, choice: usize, wanted: impl Fn(usize) -> bool) -> bool {
        if !self.steps(choice).all(|(to, _)| wanted(to)) {
            return false;
        }
        let Some(menus) = self.menus.as_deref() else { return true };
        let Some(of) = menus.of_choice[choice] else { return true };
        let targets = menus.targets(of);
        menus.tables[of.table as usize].menus.iter().all(|(_, options)| {
            options.iter().any(|option| {
                let target = targets[usize::from(*option)];
                target & KNOWN == 0 && wanted(target as usize)
            })
        })
    }

    /// Appends the nodes that a choice may lead to.
    pub(super) fn append_nodes(&self, choice: usize, nodes: &mut Vec<u32>) {
        nodes.extend(self.steps(choice).map(|(to, _)| to as u32 / 2));
        if let Some(menus) = self.menus.as_deref()
            && let Some(of) = menus.of_choice[choice]
        {
            let targets = menus.targets(of);
            nodes.extend(targets.iter().filter(|to| **to & KNOWN == 0).map(|to| to / 2));
        }
    }

    /// Solves a component with menus: by sweeps in doubles if these converge, else with a node for
    /// each menu.
    pub(super) fn solve_with_menus(
        &self,
        near: Option<Near>,
        go_on: GoOn,
    ) -> Result<Solved<N>, Unsolved> {
        if let Some(doubles) = self.as_doubles() {
            let swept = sweeps::solve_mixed(doubles, near.map(|near| near.values), go_on)?;
            if let Some(proven) = self.of_swept(doubles, &swept, go_on)? {
                return Ok(proven);
            }
        }
        let all = self.expanded(near);
        let mut solved = match near {
            Some(Near { values, off }) => {
                let of_menus = all.menus_near(self, values);
                let values = [values, &of_menus].concat();
                all.solve(Some(Near { values: &values, off }), go_on)?
            }
            None => all.solve(None, go_on)?,
        };
        solved.values.truncate(self.nodes());
        solved.errors.truncate(self.nodes());
        Ok(solved)
    }

    /// The values of menus, as nodes of this component, that follow from those near the values of
    /// the nodes.
    fn menus_near(&self, compressed: &Self, near: &[f64]) -> Vec<f64> {
        let mut values = Vec::new();
        for menu in compressed.nodes()..self.nodes() {
            let mut most: f64 = 0.0;
            for choice in self.choices(menu) {
                let of_choice = match self.steps(choice).next() {
                    Some((to, _)) if to & 1 == 1 => near[to / 2],
                    Some((to, _)) => 1.0 - near[to / 2],
                    None => self.leaving[choice].to_double(),
                };
                most = most.max(of_choice);
            }
            values.push(most);
        }
        values
    }

    /// The same component with a node for each menu, after its own. Where values near those of the
    /// nodes are known, up to some error, options that are worse by more are left out.
    fn expanded(&self, near: Option<Near>) -> Self {
        let mut all = Self::new().with_endless(self.endless.clone());
        let both = self.both_near(near.map(|near| near.values));
        let mut menu_at = self.nodes();
        for node in 0..self.nodes() {
            for choice in self.choices(node) {
                all.leaving.push(self.leaving[choice].clone());
                all.leaving_error.push(self.leaving_error[choice]);
                all.exit.push(self.exit[choice].clone());
                for (to, chance) in self.steps(choice) {
                    all.to.push(to as u32);
                    all.chance.push(chance.clone());
                }
                for (chance, _) in self.menus(choice, &both) {
                    all.to.push(2 * menu_at as u32 + 1);
                    all.chance.push(chance.clone());
                    menu_at += 1;
                }
                all.first_edge.push(all.to.len() as u32);
            }
            all.end_node();
        }
        all.has_edges = true;
        for choice in 0..self.exit.len() {
            for (_, options) in self.menus(choice, &both) {
                let best = options.clone().map(|option| option.value.to_double());
                let least = best.fold(0.0, f64::max);
                for option in options {
                    if near.is_some_and(|near| option.value.to_double() < least - 2.0 * near.off) {
                        continue;
                    }
                    match option.to {
                        Some(to) => {
                            all.to.push(to as u32);
                            all.chance.push(N::ONE);
                            all.push_certain(N::ZERO, N::ZERO, 0.0);
                        }
                        None => all.push_certain(N::ONE, option.value.clone(), option.error),
                    }
                }
                all.end_node();
            }
        }
        all
    }

    /// The values near those of the nodes, or any, in the form that [`Self::value`] reads.
    fn both_near(&self, near: Option<&[f64]>) -> Vec<N> {
        let near = near.map_or_else(|| vec![0.5; self.nodes()], <[f64]>::to_vec);
        let values = near.iter().map(|value| N::from_double(*value));
        self.both(&values.collect::<Vec<N>>())
    }

    /// Ends a choice without chance.
    fn push_certain(&mut self, exit: N, leaving: N, error: f64) {
        self.exit.push(exit);
        self.leaving.push(leaving);
        self.leaving_error.push(error);
        self.first_edge.push(self.to.len() as u32);
    }
}
