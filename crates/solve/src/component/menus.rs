//! Menus: choices after chance, of which the mover of the turn takes the best.

use std::ops::Range;

use crate::dice::Weight;
use crate::linear::{GoOn, Number};

use super::{Component, Limits, Solved, Unsolved, sweeps};

/// The menus of a component in compressed rows.
#[derive(Clone, Debug)]
pub(super) struct Menus<N> {
    /// By choice, and the end of the last: its first menu.
    first: Vec<u32>,
    /// By menu: its probability.
    chance: Vec<N>,
    /// By menu: the most of its options that leave the component, 0 if none does, and a bound on
    /// the error of that in units.
    known: Vec<N>,
    known_error: Vec<f64>,
    /// By menu, and the end of the last: the first of its options that lead to nodes.
    first_option: Vec<u32>,
    /// By option: twice the node it leads to, plus 1 if the same player moves there.
    to: Vec<u32>,
}

impl<N: Number> Menus<N> {
    fn new(choices: usize) -> Self {
        Self {
            first: vec![0; choices + 1],
            chance: Vec::new(),
            known: Vec::new(),
            known_error: Vec::new(),
            first_option: vec![0],
            to: Vec::new(),
        }
    }

    pub fn end_choice(&mut self) {
        self.first.push(self.chance.len() as u32);
    }

    /// Whether the choice that was ended last has a menu.
    pub fn has_any_of_last(&self) -> bool {
        self.first.len() > 1 && !self.of(self.first.len() - 2).is_empty()
    }

    fn of(&self, choice: usize) -> Range<usize> {
        self.first[choice] as usize..self.first[choice + 1] as usize
    }

    fn options(&self, menu: usize) -> &[u32] {
        &self.to[self.first_option[menu] as usize..self.first_option[menu + 1] as usize]
    }

    /// The value of a menu: see [`Component::value`].
    #[inline(always)]
    fn value<'v>(&'v self, menu: usize, both: &'v [N]) -> &'v N {
        let mut most = &self.known[menu];
        for to in self.options(menu) {
            let value = &both[*to as usize];
            most = if *value > *most { value } else { most };
        }
        most
    }

    /// Adds the values of the menus of a choice to a sum.
    #[inline(always)]
    pub fn added(&self, choice: usize, mut sum: N, both: &[N]) -> N {
        for menu in self.of(choice) {
            sum = sum.plus(&self.chance[menu].times(self.value(menu, both)));
        }
        sum
    }
}

/// A menu of a choice, for a proof.
pub(super) struct NearMenu<'m, N> {
    pub chance: &'m N,
    /// Its value.
    pub value: &'m N,
    /// The most of the options that leave, with its error.
    pub known: &'m N,
    pub known_error: f64,
    pub options: &'m [u32],
}

impl<N: Number> Component<N> {
    /// Begins a menu of the choice that is being built; [`Self::option_to`] and [`Self::option`]
    /// add its options.
    pub fn begin_menu(&mut self) {
        // The choice that is being built is not ended yet.
        let choices = self.leaving.len() - 1;
        let menus = self.menus.get_or_insert_with(|| Box::new(Menus::new(choices)));
        menus.known.push(N::ZERO);
        menus.known_error.push(0.0);
    }

    /// Adds an option that leads to a node of the component, of the same player or the other.
    pub fn option_to(&mut self, to: usize, again: bool) {
        let menus = self.menus.as_mut().expect("a menu was begun");
        menus.to.push(2 * to as u32 + u32::from(again));
    }

    /// Adds an option of a known value to the mover, with a bound on its error in units.
    pub fn option(&mut self, value: &N, error: f64) {
        let menus = self.menus.as_mut().expect("a menu was begun");
        let at = menus.known.len() - 1;
        if *value > menus.known[at] {
            menus.known[at] = value.clone();
        }
        // Of the largest true value.
        menus.known_error[at] = menus.known_error[at].max(error);
    }

    /// Ends a menu to which so many outcomes lead.
    pub fn end_menu(&mut self, weight: Weight) {
        let menus = self.menus.as_mut().expect("a menu was begun");
        let at = menus.known.len() - 1;
        let first = *menus.first_option.last().expect("there is an end") as usize;
        let is_won = menus.known[at] >= N::ONE && menus.known_error[at] == 0.0;
        if is_won || menus.to.len() == first {
            menus.to.truncate(first);
            let known = menus.known.pop().expect("it was begun");
            let error = menus.known_error.pop().expect("it was begun");
            self.leave(weight, &known, error, true);
            return;
        }
        menus.chance.push(N::ratio(self.precision, weight, self.open.total));
        menus.first_option.push(menus.to.len() as u32);
        self.open.staying += weight;
        self.has_edges = true;
    }

    pub(super) fn has_menus(&self, choice: usize) -> bool {
        self.menus.as_ref().is_some_and(|menus| !menus.of(choice).is_empty())
    }

    /// The menus of a choice, given the values of nodes as in [`Self::value`].
    pub(super) fn menus<'m>(
        &'m self,
        choice: usize,
        both: &'m [N],
    ) -> impl Iterator<Item = NearMenu<'m, N>> {
        let menus = self.menus.as_deref();
        menus.into_iter().flat_map(move |menus| {
            menus.of(choice).map(move |menu| NearMenu {
                chance: &menus.chance[menu],
                value: menus.value(menu, both),
                known: &menus.known[menu],
                known_error: menus.known_error[menu],
                options: menus.options(menu),
            })
        })
    }

    /// The number of menus of a choice, and a bound on what they add to its error in units if those
    /// of all nodes are at most `most`.
    pub(super) fn error_of_menus(&self, choice: usize, most: f64) -> f64 {
        let Some(menus) = self.menus.as_deref() else { return 0.0 };
        let mut error = 0.0;
        for menu in menus.of(choice) {
            let of_options = menus.known_error[menu].max(most);
            error += menus.chance[menu].to_double() * (of_options + 3.0) + 1.0;
        }
        error
    }

    /// Whether a choice leads to nodes of which all edges, and an option of each menu, are as
    /// wanted.
    pub(super) fn can_lead(&self, choice: usize, wanted: impl Fn(usize) -> bool) -> bool {
        self.steps(choice).all(|(to, _)| wanted(to))
            && self.menus.as_deref().is_none_or(|menus| {
                menus.of(choice).all(|menu| {
                    menus.options(menu).iter().any(|option| wanted(*option as usize))
                })
            })
    }

    /// The nodes that a choice may lead to.
    pub(super) fn append_nodes(&self, choice: usize, nodes: &mut Vec<u32>) {
        nodes.extend(self.steps(choice).map(|(to, _)| to as u32 / 2));
        if let Some(menus) = self.menus.as_deref() {
            for menu in menus.of(choice) {
                nodes.extend(menus.options(menu).iter().map(|option| option / 2));
            }
        }
    }

    /// Solves a component with menus: by sweeps in doubles if these converge, else with a node for
    /// each menu.
    pub(super) fn solve_with_menus(
        &self,
        limits: &Limits,
        near: Option<&[f64]>,
        go_on: GoOn,
    ) -> Result<Solved<N>, Unsolved> {
        if let Some(doubles) = self.as_doubles() {
            let swept = sweeps::solve(doubles, limits, go_on)?;
            if let Some(proven) = self.of_swept(doubles, &swept, go_on)? {
                return Ok(proven);
            }
        }
        let all = self.expanded(near, limits.near);
        let near = near.map(|near| {
            let doubles = all.menus_near(self, near);
            near.iter().copied().chain(doubles).collect::<Vec<f64>>()
        });
        let mut solved = all.solve(limits, near.as_deref(), go_on)?;
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
    fn expanded(&self, near: Option<&[f64]>, off: f64) -> Self {
        let menus = self.menus.as_deref().expect("it has menus");
        let mut all = Self::new(self.precision).with_endless(self.endless.clone());
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
                for menu in menus.of(choice) {
                    all.to.push(2 * menu_at as u32 + 1);
                    all.chance.push(menus.chance[menu].clone());
                    menu_at += 1;
                }
                all.first_edge.push(all.to.len() as u32);
            }
            all.end_node();
        }
        all.has_edges = true;
        let value = |to: u32, near: &[f64]| {
            let near = near[to as usize / 2];
            if to & 1 == 1 { near } else { 1.0 - near }
        };
        for menu in 0..menus.chance.len() {
            let options = menus.options(menu);
            let known = menus.known[menu].to_double();
            let of_options = near.into_iter().flat_map(|near| {
                options.iter().map(move |option| value(*option, near))
            });
            let least = of_options.fold(known, f64::max) - 2.0 * off;
            for option in options {
                if near.is_none_or(|near| value(*option, near) >= least) {
                    all.to.push(*option);
                    all.chance.push(N::ONE);
                    all.push_certain(N::ZERO, N::ZERO, 0.0);
                }
            }
            let is_left = all.first_choice.last().is_some_and(|first| {
                all.leaving.len() as u32 == *first
            });
            if is_left || menus.known[menu] > N::ZERO && known >= least {
                all.push_certain(N::ONE, menus.known[menu].clone(), menus.known_error[menu]);
            }
            all.end_node();
        }
        all
    }

    /// Ends a choice without chance.
    fn push_certain(&mut self, exit: N, leaving: N, error: f64) {
        self.exit.push(exit);
        self.leaving.push(leaving);
        self.leaving_error.push(error);
        self.first_edge.push(self.to.len() as u32);
    }
}
