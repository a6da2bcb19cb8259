//! States whose turns may leave the sum of scores as it is: found, and solved.
//!
//! Within a stage, such states form a graph. Its strongly connected components are solved one after another, those that
//! others lead to first: a single state by its best action, two states that pass to each other in closed form, any other
//! cycle as a recursive game ([`recursive`]).

mod members;
mod recursive;

use std::collections::HashMap;

use dashu_int::UBig;
use dashu_ratio::RBig;
use foldhash::fast::FixedState;

use crate::game::DiceSet;

use super::components::strong_components;
use super::kernel::{Distribution, Outcome};
use super::layout::Memories;
use super::numbers::{Decider, Job, Next, Numbers, Payoff, Side};

/// What a state's action values, or several that never stay and tie.
struct Choice<W> {
    actions: DiceSet,
    /// The one to take of them.
    first: usize,
    /// Its value if every turn that stays in the stage won.
    base: Vec<W>,
    stays: Vec<ZeroGain>,
    total: u64,
}

/// Turns that stay in the stage.
#[derive(Clone, Copy)]
struct ZeroGain {
    node: usize,
    /// Whether the mover goes on.
    again: bool,
    weight: u64,
}

impl<W> Choice<W> {
    /// The node that the move surely passes to, if it does just that.
    fn is_pass(&self) -> bool {
        matches!(self.stays[..], [ZeroGain { again: false, weight, .. }] if weight == self.total)
    }
}

/// A state of the stage: of some whose turns may stay in it, or one that such turns lead to.
struct Node<W> {
    side: usize,
    /// The place of its number in the stage.
    place: usize,
    choices: Vec<Choice<W>>,
}

/// The actions of a state that leave the stage, and their values: memory that is used again.
struct Leaving<W> {
    base: Vec<W>,
    bases: Vec<W>,
    actions: Vec<usize>,
}

// Derived, this would ask for a default number.
impl<W> Default for Leaving<W> {
    fn default() -> Self {
        Self { base: Vec::new(), bases: Vec::new(), actions: Vec::new() }
    }
}

/// A state's value and best actions.
pub(super) struct SolvedState<W> {
    pub side: usize,
    /// The place of its number in the stage.
    pub place: usize,
    pub value: Vec<W>,
    pub set: DiceSet,
    /// The action to take.
    pub choice: u8,
}

/// The cycles of one stage.
struct Cycles<'a, N: Numbers> {
    numbers: &'a N,
    payoff: Payoff,
    stage: usize,
    two_sided: bool,
    nodes: Vec<Node<N::Word>>,
    node_of: HashMap<(usize, usize), usize, FixedState>,
    /// Values and sets of nodes that are solved.
    values: Vec<Option<(Vec<N::Word>, DiceSet)>>,
    count: usize,
    leaving: Leaving<N::Word>,
}

/// Solves all states of a stage whose turns may stay in it; all others are solved. Also tells how many cycles there were.
pub(super) fn solve<'j, N: Numbers>(
    numbers: &N,
    sides: &'j [Side<'j>],
    job: impl Fn(usize, usize) -> Job<'j, N::Word>,
    works: &mut [Vec<N::Work>],
) -> (Vec<SolvedState<N::Word>>, usize)
where
    N::Word: 'j,
{
    let first = job(0, 0);
    let mut cycles = Cycles {
        numbers,
        payoff: first.context.payoff,
        stage: first.stage,
        two_sided: sides.len() > 1,
        nodes: Vec::new(),
        node_of: HashMap::default(),
        values: Vec::new(),
        count: 0,
        leaving: Leaving::default(),
    };
    for (index, works) in works.iter_mut().enumerate() {
        for (task, work) in works.iter_mut().enumerate() {
            cycles.read(&job(index, task), work);
        }
    }
    if cycles.nodes.is_empty() {
        return (Vec::new(), 0);
    }
    let known = |node: &usize| cycles.nodes[*node].choices.is_empty() && cycles.values[*node].is_none();
    let known: Vec<usize> = (0..cycles.nodes.len()).filter(known).collect();
    known.into_iter().for_each(|node| cycles.take_known(node, first.solved));
    for component in cycles.components() {
        cycles.solve_component(&component);
    }
    (cycles.finish(), cycles.count)
}

/// A state of the stage that a turn leads to.
struct StageTarget {
    cell: usize,
    side: usize,
    /// The place of its number.
    place: usize,
    /// Whether the mover goes on.
    again: bool,
}

/// Where an outcome leads, if it stays in the stage.
fn staying<W>(job: &Job<W>, (column, memories): (usize, Memories), outcome: &Outcome) -> Option<StageTarget> {
    match job.next((column, memories.2), outcome) {
        Next::State { cell, side, stage, place, again } if stage == job.stage => {
            Some(StageTarget { cell, side, place, again })
        }
        _ => None,
    }
}

impl<N: Numbers> Cycles<'_, N> {
    /// Reads the states of a task whose turns may stay.
    fn read(&mut self, job: &Job<N::Word>, work: &mut N::Work) {
        let (context, theirs) = (&job.context, job.theirs());
        let rows = context.space().shared * context.space().mine;
        for column in job.columns() {
            if !context.kernel.may_stay(context.game.action_set_number_at(job.stage - column, column)) {
                continue;
            }
            for row in 0..rows {
                let memories = (row / context.space().mine, row % context.space().mine, theirs);
                self.read_state(job, work, (column, memories));
            }
        }
    }

    fn read_state(&mut self, job: &Job<N::Word>, work: &mut N::Work, at: (usize, Memories)) {
        let context = &job.context;
        let set = context.action_set(job.stage, at.0, at.1);
        let actions = match job.side.decider {
            Decider::Best => 0..set.len(),
            Decider::Fixed(plan) => {
                let action = plan.action(context.state(job.stage, at.0, at.1));
                action..action + 1
            }
        };
        let distribution = |action: usize| &context.kernel.distributions[set[action] as usize];
        let stays =
            |action: usize| distribution(action).staying.iter().any(|outcome| staying(job, at, outcome).is_some());
        if !actions.clone().any(stays) {
            return;
        }
        // The choices that never stay, or at states that are solved, are one: the best of them and all that tie.
        let (mut choices, words) = (Vec::new(), self.numbers.words(self.stage));
        let Leaving { mut base, mut bases, actions: mut leaving } = std::mem::take(&mut self.leaving);
        bases.clear();
        leaving.clear();
        for action in actions {
            self.numbers.base(job, work, at, action, &mut base);
            if stays(action) {
                let (stays, total) = (self.stays(job, at, distribution(action)), distribution(action).total);
                let choice = Choice { actions: 1 << action, first: action, base: base.clone(), stays, total };
                if choice.stays.iter().any(|stay| self.values[stay.node].is_none()) {
                    choices.push(choice);
                    continue;
                }
                base = self.value(&choice);
            }
            leaving.push(action);
            bases.extend_from_slice(&base);
        }
        if !leaving.is_empty() {
            let number = |place: usize| &bases[place * words..(place + 1) * words];
            let better = |best: usize, place: usize| {
                if self.numbers.compare(number(place), number(best)).is_gt() { place } else { best }
            };
            let best = (1..leaving.len()).fold(0, better);
            let tied = leaving
                .iter()
                .enumerate()
                .filter(|(place, _)| self.numbers.ties(number(best), number(*place), self.stage));
            let actions = tied.fold(0, |set, (_, action)| set | 1 << action);
            let equal = |place: &usize| self.numbers.equal(number(best), number(*place), self.stage);
            let first = leaving[(0..leaving.len()).find(equal).unwrap_or(best)];
            choices.insert(0, Choice { actions, first, base: number(best).to_vec(), stays: Vec::new(), total: 1 });
        }
        self.leaving = Leaving { base, bases, actions: leaving };
        let node = self.node(job.side.own, context.layout.at(at.0, at.1));
        if let [Choice { actions, base, stays, .. }] = &choices[..]
            && stays.is_empty()
        {
            self.values[node] = Some((base.clone(), *actions));
        }
        self.nodes[node].choices = choices;
    }

    /// The node of a state.
    fn node(&mut self, side: usize, place: usize) -> usize {
        let (nodes, values) = (&mut self.nodes, &mut self.values);
        *self.node_of.entry((side, place)).or_insert_with(|| {
            nodes.push(Node { side, place, choices: Vec::new() });
            values.push(None);
            nodes.len() - 1
        })
    }

    fn stays(&mut self, job: &Job<N::Word>, at: (usize, Memories), distribution: &Distribution) -> Vec<ZeroGain> {
        let next = distribution.staying.iter().filter_map(|outcome| Some((staying(job, at, outcome)?, outcome.weight)));
        let stay = |(target, weight): (StageTarget, u64)| {
            let node = self.node(target.side, target.place);
            if self.values[node].is_none()
                && !job.context.kernel.may_stay(job.context.game.action_set_number(target.cell))
            {
                self.take_known(node, job.solved);
            }
            ZeroGain { node, again: target.again, weight }
        };
        next.map(stay).collect()
    }

    /// Takes in the value of a state that none of its own turns stays in.
    fn take_known(&mut self, node: usize, solved: [&[Vec<N::Word>]; 2]) {
        let (words, Node { side, place, .. }) = (self.numbers.words(self.stage), &self.nodes[node]);
        self.values[node] = Some((solved[*side][self.stage][place * words..][..words].to_vec(), 0));
    }

    /// The strongly connected components, each after all that it leads to; of solved states none.
    fn components(&self) -> Vec<Vec<usize>> {
        if self.values.iter().all(Option::is_some) {
            return Vec::new();
        }
        let next = |node: usize| self.nodes[node].choices.iter().flat_map(|choice| &choice.stays).map(|stay| stay.node);
        strong_components(self.nodes.len(), next)
    }

    fn solve_component(&mut self, component: &[usize]) {
        if component.iter().any(|node| self.values[*node].is_some()) {
            return;
        }
        let inside = |choice: &Choice<N::Word>| choice.stays.iter().any(|stay| component.contains(&stay.node));
        let choices = || component.iter().flat_map(|node| &self.nodes[*node].choices);
        if !choices().any(inside) {
            self.values[component[0]] = Some(self.best(component[0], |_| true));
            return;
        }
        self.count += 1;
        let passes = component.len() <= 2 && choices().all(|choice| choice.is_pass() || !inside(choice));
        if passes && self.payoff == Payoff::WinRate {
            self.solve_passes(component);
        } else {
            self.solve_recursive(component);
        }
    }

    fn known(&self, node: usize) -> &[N::Word] {
        &self.values[node].as_ref().expect("components come in order").0
    }

    /// The value of a choice whose stays are all solved.
    fn value(&self, choice: &Choice<N::Word>) -> Vec<N::Word> {
        match choice.stays[..] {
            [] => choice.base.clone(),
            [stay] if choice.is_pass() => self.numbers.complement(self.known(stay.node), self.stage),
            [stay] if stay.weight == choice.total => self.known(stay.node).to_vec(),
            _ => self.numbers.nearest(&self.solved_part(choice, |_| true), self.stage),
        }
    }

    /// A choice's base with the stays at solved nodes accounted for.
    fn solved_part(&self, choice: &Choice<N::Word>, solved: impl Fn(&ZeroGain) -> bool) -> RBig {
        let mut value = self.numbers.to_rational(&choice.base, self.stage);
        for stay in choice.stays.iter().filter(|stay| solved(stay)) {
            let known = self.numbers.to_rational(self.known(stay.node), self.stage);
            let chance = chance(stay.weight, choice.total);
            match (self.payoff, stay.again) {
                (Payoff::Endless, _) => value += chance * known,
                (Payoff::WinRate, false) => value -= chance * known,
                (Payoff::WinRate, true) => value -= chance * (RBig::ONE - known),
            }
        }
        value
    }

    /// The best of the choices that `allowed` lets in, whose stays are solved, and the set of its ties.
    fn best(&self, node: usize, allowed: impl Fn(&Choice<N::Word>) -> bool) -> (Vec<N::Word>, DiceSet) {
        let choices = self.nodes[node].choices.iter().filter(|choice| allowed(choice));
        let values: Vec<(DiceSet, Vec<N::Word>)> = choices.map(|choice| (choice.actions, self.value(choice))).collect();
        let Some((_, best)) = values.iter().max_by(|(_, a), (_, b)| self.numbers.compare(a, b)) else {
            return (self.numbers.nearest(&RBig::ZERO, self.stage), 0);
        };
        let tied = values.iter().filter(|(_, value)| self.numbers.ties(best, value, self.stage));
        (best.clone(), tied.fold(0, |set, (actions, _)| set | actions))
    }

    /// Two states that pass to each other, or one that passes to itself, where a game that never ends counts half a win.
    ///
    /// Let leaving be worth x at a and y at b (nothing, if there is no leaving). If x + y >= 1 both leave; else a is
    /// worth the median of x, 1/2 and 1 - y, and b the remainder to 1. A player who is ahead must not pass, even where one
    /// step looks the same: the other would pass back for ever.
    fn solve_passes(&mut self, component: &[usize]) {
        let (numbers, stage) = (self.numbers, self.stage);
        let (a, b) = (component[0], component[component.len() - 1]);
        let leaves = |choice: &Choice<N::Word>| choice.stays.iter().all(|stay| stay.node != a && stay.node != b);
        let ((x, x_set), (y, y_set)) = (self.best(a, leaves), self.best(b, leaves));
        let at_most = numbers.complement(&y, stage);
        let half = numbers.nearest(&RBig::from_parts(1.into(), 2u8.into()), stage);
        let (value_a, value_b) = if numbers.compare(&x, &at_most).is_ge() {
            (x.clone(), y.clone())
        } else {
            // x < 1 - y, so the median is one half kept between them.
            let at_least = if numbers.compare(&half, &x).is_lt() { &x } else { &half };
            let median = if numbers.compare(at_least, &at_most).is_gt() { &at_most } else { at_least };
            (median.clone(), numbers.complement(median, stage))
        };
        for (node, own, other, leave, leave_set) in
            [(a, &value_a, &value_b, &x, x_set), (b, &value_b, &value_a, &y, y_set)]
        {
            let mut set = if numbers.ties(own, leave, stage) { leave_set } else { 0 };
            let passing = numbers.complement(other, stage);
            let ahead = numbers.compare(own, &half).is_gt() && !numbers.ties(own, &half, stage);
            if set == 0 || (!ahead && numbers.ties(own, &passing, stage)) {
                let passes = self.nodes[node].choices.iter().filter(|choice| !leaves(choice));
                set = passes.fold(set, |set, choice| set | choice.actions);
            }
            self.values[node] = Some((own.clone(), set));
        }
    }

    /// The states that were not known before.
    fn finish(&self) -> Vec<SolvedState<N::Word>> {
        let nodes = self.nodes.iter().zip(&self.values).filter(|(node, _)| !node.choices.is_empty());
        nodes
            .map(|(node, value)| {
                let (value, set) = value.clone().expect("every component was solved");
                SolvedState { side: node.side, place: node.place, value, set, choice: self.choice(node, set) }
            })
            .collect()
    }

    /// The action to take in a state: the first of the best that is as good as any, all values being known.
    fn choice(&self, node: &Node<N::Word>, set: DiceSet) -> u8 {
        let of_set = node.choices.iter().filter(|choice| choice.actions & set != 0);
        let values: Vec<_> = of_set.map(|choice| (choice.first as u8, self.value(choice))).collect();
        let best = values.iter().max_by(|(_, a), (_, b)| self.numbers.compare(a, b));
        let equal = values
            .iter()
            .filter(|(_, value)| best.is_some_and(|(_, best)| self.numbers.equal(best, value, self.stage)));
        equal.map(|(first, _)| *first).min().unwrap_or(set.trailing_zeros() as u8)
    }
}

fn chance(weight: u64, total: u64) -> RBig {
    RBig::from_parts(UBig::from(weight).into(), UBig::from(total))
}
