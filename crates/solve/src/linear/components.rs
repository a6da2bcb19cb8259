//! Strongly connected components of a graph.

/// Marks a node whose component is complete.
const COMPLETE: u32 = u32::MAX;

/// A node on the path of the search.
struct OnPath {
    node: u32,
    /// Its place in the order of visits.
    place: u32,
    /// The least place that is known to be reached from it, among nodes without a component.
    least: u32,
    /// The number of targets, and of finished nodes, when it was entered.
    targets: usize,
    finished: usize,
}

/// Calls `each` with each strongly connected component, after all that it leads to (Tarjan, 1972).
/// The nodes of a component are in the order in which a depth-first search leaves them, so that
/// most of a node's successors come before it. `append_targets` appends the nodes that a node
/// leads to. Without recursion, because paths may visit millions of nodes.
///
/// # Errors
/// Returns the first error of `each`.
pub fn each_component<E>(
    count: usize,
    append_targets: &dyn Fn(usize, &mut Vec<u32>),
    each: &mut dyn FnMut(&[u32]) -> Result<(), E>,
) -> Result<(), E> {
    // By node: 0 before its visit, then its place or the least one known, at last `COMPLETE`.
    let mut seen = vec![0; count];
    let mut path = Vec::<OnPath>::new();
    let mut targets = Vec::new();
    let mut finished = Vec::new();
    let mut visits = 0;
    for root in 0..count as u32 {
        let mut entered = (seen[root as usize] == 0).then_some(root);
        loop {
            if let Some(node) = entered.take() {
                visits += 1;
                seen[node as usize] = visits;
                let counts = (targets.len(), finished.len());
                path.push(OnPath {
                    node,
                    place: visits,
                    least: visits,
                    targets: counts.0,
                    finished: counts.1,
                });
                append_targets(node as usize, &mut targets);
            }
            let Some(last) = path.last_mut() else { break };
            if targets.len() > last.targets {
                let to = targets.pop().expect("there are more targets");
                match seen[to as usize] {
                    0 => entered = Some(to),
                    COMPLETE => {}
                    place => last.least = last.least.min(place),
                }
                continue;
            }
            let OnPath { node, place, least, finished: first, .. } =
                path.pop().expect("it has a last node");
            finished.push(node);
            seen[node as usize] = least;
            if least == place {
                each(&finished[first..])?;
                finished[first..].iter().for_each(|node| seen[*node as usize] = COMPLETE);
                finished.truncate(first);
            } else if let Some(before) = path.last_mut() {
                before.least = before.least.min(least);
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components(next: &[&[u32]]) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        each_component::<()>(
            next.len(),
            &|node, targets| targets.extend(next[node]),
            &mut |component| {
                found.push(component.to_vec());
                Ok(())
            },
        )
        .expect("no call fails");
        found
    }

    #[test]
    fn components_follow_all_that_they_lead_to() {
        // 0 and 2 form a cycle that leads to 1, and 3 leads to both.
        assert_eq!(components(&[&[2, 1], &[], &[0], &[1, 0]]), [vec![1], vec![2, 0], vec![3]]);
    }

    #[test]
    fn nodes_joined_by_two_cycles_are_one_component() {
        let found = components(&[&[1], &[2, 0], &[3], &[1]]);
        assert_eq!(found, [vec![3, 2, 1, 0]], "in the order in which the search leaves them");
    }

    #[test]
    fn a_path_of_a_million_nodes_is_searched_without_recursion() {
        let count = 1_000_000;
        let mut sizes = Vec::new();
        each_component::<()>(
            count,
            &|node, targets| targets.extend((node + 1 < count).then_some(node as u32 + 1)),
            &mut |component| {
                sizes.push(component.len());
                Ok(())
            },
        )
        .expect("no call fails");
        assert_eq!((sizes.len(), sizes.iter().max()), (count, Some(&1)));
    }
}
