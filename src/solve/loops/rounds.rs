//! Loops that are more than passes, as recursive games between a first and a second player.

use std::collections::HashMap;

use dashu_ratio::RBig;

use super::super::arithmetic::{Arithmetic, Payoff};
use super::super::recursive::{self, Owner};
use super::{Choice, LayerLoops, chance};

impl<A: Arithmetic> LayerLoops<'_, A> {
    /// Any other loop, as a recursive game between a first and a second player.
    pub(super) fn settle_recursive(&mut self, component: &[usize]) {
        let members = self.members(component);
        let index_of: HashMap<(usize, usize), usize> =
            members.iter().enumerate().map(|(index, member)| (*member, index)).collect();
        let nodes: Vec<recursive::Node> = members
            .iter()
            .map(|(node, player)| recursive::Node {
                owner: if *player == 0 { Owner::First } else { Owner::Second },
                actions: self.nodes[*node].choices.iter().map(|c| self.action(c, *player, *node, &index_of)).collect(),
            })
            .collect();
        let (values, best) = match self.payoff {
            Payoff::WinRate => {
                let slack = RBig::try_from(self.board.arithmetic.slack(self.layer)).expect("a bound is finite");
                let solved = recursive::solve(&nodes, &slack);
                (solved.values, solved.best)
            }
            Payoff::Endless => (recursive::endless(&nodes), vec![vec![0]; nodes.len()]),
        };
        for ((index, (node, player)), best) in members.iter().enumerate().zip(best) {
            let own = match (self.payoff, player) {
                (Payoff::WinRate, 1) => RBig::ONE - &values[index],
                _ => values[index].clone(),
            };
            let set = best.iter().fold(0, |set, choice| set | self.nodes[*node].choices[*choice].actions);
            self.values[*node] = Some((self.board.arithmetic.nearest(&own, self.layer), set));
        }
    }

    /// The nodes of a component with the player who moves there. Where both sides share their numbers, the players
    /// take turns along the loop; a state may then appear once for each of them.
    fn members(&self, component: &[usize]) -> Vec<(usize, usize)> {
        let two_sided = self.nodes.iter().any(|node| node.side == 1);
        if two_sided {
            return component.iter().map(|node| (*node, self.nodes[*node].side)).collect();
        }
        let mut members = vec![(component[0], 0)];
        let mut next = 0;
        while let Some((node, player)) = members.get(next).copied() {
            for (to, again, _) in self.nodes[node].choices.iter().flat_map(|choice| &choice.stays) {
                let member = (*to, if *again { player } else { 1 - player });
                if component.contains(to) && !members.contains(&member) {
                    members.push(member);
                }
            }
            next += 1;
        }
        members
    }

    fn action(
        &self,
        choice: &Choice<A::Word>,
        player: usize,
        node: usize,
        index_of: &HashMap<(usize, usize), usize>,
    ) -> recursive::Action {
        let two_sided = self.nodes.iter().any(|node| node.side == 1);
        let member = |to: usize, again: bool| {
            let mover = match (two_sided, again) {
                (true, _) => self.nodes[to].side,
                (false, true) => player,
                (false, false) => 1 - player,
            };
            index_of.get(&(to, mover)).copied()
        };
        debug_assert!(index_of.contains_key(&(node, player)), "the node itself is a member");
        let inside = |to: usize, again: bool| member(to, again).is_some();
        let mut stay: Vec<(usize, RBig)> = Vec::new();
        let mut staying = RBig::ZERO;
        for (to, again, weight) in &choice.stays {
            if let Some(index) = member(*to, *again) {
                let chance = chance(*weight, choice.total);
                staying += &chance;
                match stay.iter_mut().find(|(known, _)| *known == index) {
                    Some((_, sum)) => *sum += chance,
                    None => stay.push((index, chance)),
                }
            }
        }
        let agains: HashMap<usize, bool> = choice.stays.iter().map(|(to, again, _)| (*to, *again)).collect();
        let own = self.settled_part(choice, |to| !inside(to, agains[&to]));
        let leave = match (self.payoff, player) {
            (Payoff::Endless, _) => own,
            (Payoff::WinRate, 0) => own - staying,
            (Payoff::WinRate, _) => RBig::ONE - own,
        };
        recursive::Action { leave, stay }
    }
}
