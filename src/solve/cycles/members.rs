//! Cycles that are more than passes, as recursive games between a first and a second player.

use std::collections::HashMap;

use dashu_ratio::RBig;

use super::recursive::{self, Owner};
use super::{Choice, Cycles, Numbers, Payoff, ZeroGain, chance};

/// A node and the player (0 or 1) who moves there.
type Member = (usize, usize);

impl<N: Numbers> Cycles<'_, N> {
    /// Any other cycle, as a recursive game between a first and a second player.
    pub(super) fn solve_recursive(&mut self, component: &[usize]) {
        let members = self.members(component);
        let index_of: HashMap<Member, usize> =
            members.iter().enumerate().map(|(index, member)| (*member, index)).collect();
        let nodes: Vec<recursive::RecursiveNode> = members
            .iter()
            .map(|(node, player)| recursive::RecursiveNode {
                owner: if *player == 0 { Owner::First } else { Owner::Second },
                actions: self.nodes[*node]
                    .choices
                    .iter()
                    .map(|choice| self.action(choice, *player, &index_of))
                    .collect(),
            })
            .collect();
        let (values, best) = match self.payoff {
            Payoff::WinRate => {
                let tolerance = RBig::try_from(self.numbers.tolerance(self.stage)).expect("a bound is finite");
                let solved = recursive::solve(&nodes, &tolerance);
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
            self.values[*node] = Some((self.numbers.nearest(&own, self.stage), set));
        }
    }

    /// The nodes of a component with the player who moves there. Where both sides share their numbers, the players
    /// take turns along the cycle; a state may then appear once for each of them.
    fn members(&self, component: &[usize]) -> Vec<Member> {
        if self.two_sided {
            return component.iter().map(|node| (*node, self.nodes[*node].side)).collect();
        }
        let mut members = vec![(component[0], 0)];
        let mut next = 0;
        while let Some((node, player)) = members.get(next).copied() {
            for stay in self.nodes[node].choices.iter().flat_map(|choice| &choice.stays) {
                let member = self.after(stay, player);
                if component.contains(&stay.node) && !members.contains(&member) {
                    members.push(member);
                }
            }
            next += 1;
        }
        members
    }

    /// The member that a player's turn leads to.
    fn after(&self, stay: &ZeroGain, player: usize) -> Member {
        let mover = match (self.two_sided, stay.again) {
            (true, _) => self.nodes[stay.node].side,
            (false, true) => player,
            (false, false) => 1 - player,
        };
        (stay.node, mover)
    }

    fn action(&self, choice: &Choice<N::Word>, player: usize, index_of: &HashMap<Member, usize>) -> recursive::Action {
        let (mut inside, mut staying): (Vec<(usize, RBig)>, RBig) = (Vec::new(), RBig::ZERO);
        for stay in &choice.stays {
            if let Some(index) = index_of.get(&self.after(stay, player)) {
                let chance = chance(stay.weight, choice.total);
                staying += &chance;
                match inside.iter_mut().find(|(known, _)| known == index) {
                    Some((_, sum)) => *sum += chance,
                    None => inside.push((*index, chance)),
                }
            }
        }
        let own = self.solved_part(choice, |stay| !index_of.contains_key(&self.after(stay, player)));
        let leave = match (self.payoff, player) {
            (Payoff::Endless, _) => own,
            (Payoff::WinRate, 0) => own - staying,
            (Payoff::WinRate, _) => RBig::ONE - own,
        };
        recursive::Action { leave, stay: inside }
    }
}
