//! States of one sum of scores that can lead to one another; a game that never ends is worth half a win to each player.
//!
//! Strongly connected states are solved together, those first that the others lead to. Two states that surely pass to
//! each other (or one to itself) have a closed form: with `x` and `y` the worth of leaving, `x + y >= 1` makes both
//! leave; otherwise one is worth the median of `x`, 1/2 and `1 - y`, and the other the rest to 1.

use std::collections::HashMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::game::DiceSet;

use super::cell::{Board, Cell, Exit, Found, SharedDraw, Spot, View};
use super::chooser::Chooser;
use super::contraction::Contracted;
use super::numbers::Numbers;
use super::sweep::Pending;
use super::{CheckError, component, contraction};

/// The largest loop that is solved in fractions where doubles will do.
const MOST_IN_FRACTIONS: usize = 16;

/// What solving the loops of a stage took.
pub(super) struct Loops {
    /// How many there are.
    pub count: usize,
    /// The largest error of the values of any that was solved in doubles.
    pub error: f64,
}

/// Solves the pending states of a stage.
pub(super) fn solve<A: Numbers>(
    board: &mut Board<'_, A>,
    sum: usize,
    cells: &[Cell],
    pending: &[Pending],
) -> Result<Loops, CheckError> {
    let number: HashMap<Spot, usize> = pending.iter().enumerate().map(|(i, state)| (state.spot, i)).collect();
    let mut graph: DiGraph<(), ()> = DiGraph::new();
    let nodes: Vec<_> = pending.iter().map(|_| graph.add_node(())).collect();
    for (state, node) in pending.iter().zip(&nodes) {
        let theirs = board.theirs(state.place);
        for view in state.draws.iter().map(|(_, draw)| &cells[state.cell].views[*draw]) {
            for exit in view.exits.iter().filter(|exit| exit.sum == sum) {
                if let Some(next) = number.get(&board.spot(state.spot.side, exit, theirs)) {
                    graph.update_edge(*node, nodes[*next], ());
                }
            }
        }
    }
    let mut loops = Loops { count: 0, error: 0.0 };
    for mut members in kosaraju_scc(&graph) {
        // In the order in which they were found: memories ascending in each cell.
        members.sort_unstable();
        let states: Vec<&Pending> = members.iter().map(|node| &pending[node.index()]).collect();
        let place_of = states.iter().enumerate().map(|(place, state)| (state.spot, place)).collect();
        let group = Group { board, sum, cells, states, place_of };
        let in_loop = members.len() > 1 || graph.contains_edge(members[0], members[0]);
        let found = if in_loop { group.in_loop(&mut loops)? } else { group.alone()? };
        let spots: Vec<Spot> = group.states.iter().map(|state| state.spot).collect();
        for (spot, found) in spots.into_iter().zip(found) {
            board.sides[spot.side].stages[sum].set(spot.index, found);
        }
    }
    Ok(loops)
}

/// States of one sum of scores that are solved together.
pub(super) struct Group<'b, 'a, A: Numbers> {
    pub board: &'b Board<'a, A>,
    pub sum: usize,
    pub cells: &'b [Cell<'a>],
    pub states: Vec<&'b Pending>,
    place_of: HashMap<Spot, usize>,
}

/// The worth of leaving a pass loop in a state, with which actions, and the actions that pass.
struct Leaving<N> {
    worth: Option<N>,
    draws: Vec<(DiceSet, N)>,
    passing: DiceSet,
}

impl<A: Numbers> Group<'_, '_, A> {
    /// Which of the group's states an exit leads to from `state`.
    pub fn member(&self, state: &Pending, exit: &Exit) -> Option<usize> {
        if exit.sum != self.sum {
            return None;
        }
        let spot = self.board.spot(state.spot.side, exit, self.board.theirs(state.place));
        self.place_of.get(&spot).copied()
    }

    /// The view of a draw in a state.
    pub fn view(&self, state: &Pending, draw: &SharedDraw) -> &View {
        &self.cells[state.cell].views[draw.1]
    }

    /// What the claim's worst wrongly listed action costs: the actions with their worth, against the best.
    pub fn shortfall(&self, best: &A::Number, wrong: impl Iterator<Item = A::Number>) -> f64 {
        let height = self.board.height(self.sum);
        wrong.map(|worth| self.board.numbers.short_of(height, best, &worth)).fold(0.0, f64::max)
    }

    /// Says that the group does not settle.
    pub fn unsettled(&self) -> CheckError {
        let per_cell = self.board.reading.space.per_cell();
        let state = self.states.first().map_or(0, |s| self.cells[s.cell].number * per_cell + s.place);
        CheckError::Unsettled { state }
    }

    fn in_loop(&self, loops: &mut Loops) -> Result<Vec<Found<A::Number>>, CheckError> {
        loops.count += 1;
        if self.is_pass_loop() {
            return self.pass_loop();
        }
        if !A::EXACT
            && self.states.len() > MOST_IN_FRACTIONS
            && let Some(Contracted { found, error }) = contraction::solve(self)?
        {
            loops.error = loops.error.max(error);
            return Ok(found);
        }
        component::solve(self)
    }

    /// The only state of the group, which does not lead to itself.
    fn alone(&self) -> Result<Vec<Found<A::Number>>, CheckError> {
        let [state] = self.states.as_slice() else { return Err(self.unsettled()) };
        let found = Chooser::new(self.board, &self.cells[state.cell], state.spot.side)
            .find(&state.draws, state.place, state.claimed)
            .ok_or_else(|| self.unsettled())?;
        Ok(vec![found])
    }

    /// True if every turn that may stay surely passes to the other state (to itself, if there is one).
    fn is_pass_loop(&self) -> bool {
        let partner = |i: usize| if self.states.len() == 1 { 0 } else { 1 - i };
        self.states.len() <= 2
            && self.states.iter().enumerate().all(|(i, state)| {
                state.draws.iter().map(|draw| self.view(state, draw)).all(|view| {
                    let mut stays = view.exits.iter().filter_map(|exit| Some((exit, self.member(state, exit)?)));
                    stays.all(|(exit, to)| exit.passed && to == partner(i) && exit.weight == view.total)
                })
            })
    }

    fn leaving(&self, state: &Pending) -> Leaving<A::Number> {
        let (mut draws, mut passing) = (Vec::new(), 0);
        for draw in &state.draws {
            let view = self.view(state, draw);
            if view.exits.iter().any(|exit| self.member(state, exit).is_some()) {
                passing |= draw.0;
            } else {
                let theirs = self.board.theirs(state.place);
                draws.push((draw.0, self.board.exact(state.spot.side, self.sum, view, theirs)));
            }
        }
        let worth = draws.iter().map(|(_, worth)| worth).fold(None, |most: Option<&A::Number>, worth| match most {
            Some(most) if most >= worth => Some(most),
            _ => Some(worth),
        });
        Leaving { worth: worth.cloned(), draws, passing }
    }

    fn pass_loop(&self) -> Result<Vec<Found<A::Number>>, CheckError> {
        let leaving: Vec<Leaving<A::Number>> = self.states.iter().map(|state| self.leaving(state)).collect();
        let (Some(one), Some(other)) = (leaving.first(), leaving.last()) else { return Err(self.unsettled()) };
        let height = self.board.height(self.sum);
        let passed = |n: &A::Number| self.board.numbers.passed(height, n);
        let half = self.board.numbers.half(height);
        let nothing = self.board.numbers.number(height, &dashu_ratio::RBig::ZERO).unwrap_or_else(|| half.clone());
        let x = one.worth.clone().unwrap_or_else(|| nothing.clone());
        let y = other.worth.clone().unwrap_or(nothing);
        let rest = passed(&y);
        let values = if x >= rest {
            [x, y]
        } else {
            let median = if x >= half {
                x
            } else if rest <= half {
                rest
            } else {
                half.clone()
            };
            let other = passed(&median);
            [median, other]
        };
        let mut found = Vec::with_capacity(self.states.len());
        for (i, state) in self.states.iter().enumerate() {
            let partner = &values[if self.states.len() == 1 { 0 } else { 1 - i }];
            found.push(self.best_in_pass_loop(state, &leaving[i], (&values[i], &passed(partner), &half)));
        }
        Ok(found)
    }

    /// The best actions in a state of a pass loop: whoever is ahead must not pass, the other would pass back for ever.
    fn best_in_pass_loop(
        &self,
        state: &Pending,
        leaving: &Leaving<A::Number>,
        (value, by_passing, half): (&A::Number, &A::Number, &A::Number),
    ) -> Found<A::Number> {
        let ahead = value > half;
        let mut best = leaving.draws.iter().filter(|(_, worth)| worth == value).fold(0, |sets, (set, _)| sets | set);
        if (by_passing == value && !ahead) || best == 0 {
            best |= leaving.passing;
        }
        let wrong = state.claimed & !best;
        let left = leaving.draws.iter().filter(|(set, _)| set & wrong != 0).map(|(_, worth)| worth.clone());
        let passed = (leaving.passing & wrong != 0).then(|| if ahead { half.clone() } else { by_passing.clone() });
        let shortfall = self.shortfall(value, left.chain(passed));
        let near = self.board.numbers.nearest(self.board.height(self.sum), value);
        Found { value: value.clone(), near, best, shortfall }
    }
}
