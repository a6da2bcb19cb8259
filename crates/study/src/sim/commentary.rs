//! The handouts' commentary on a game: who takes the lead (`announce_lead_changes`), and who gains
//! more in a turn than ever before (`announce_highest`).
//!
//! ```
//! use hog_study::sim::Commentary;
//! let mut commentary = Commentary::new([0, 0]);
//! assert_eq!(commentary.lead([10, 0]).unwrap(), "Player 0 takes the lead by 10");
//! let records = commentary.records([10, 0]);
//! assert_eq!(records, ["10 point(s)! That's a record gain for Player 0!"]);
//! assert_eq!(commentary.lead([10, 8]), None);
//! ```

use std::cmp::Ordering;

/// What was known of a game after its last turn.
#[derive(Clone, Debug)]
pub struct Commentary {
    /// The scores of Player 0 and Player 1.
    scores: [i64; 2],
    /// The most that each has gained in a turn.
    highest: [i64; 2],
}

impl Commentary {
    /// The commentary on a game that begins with these scores of Player 0 and Player 1.
    pub fn new(scores: [i64; 2]) -> Self {
        Self { scores, highest: [0; 2] }
    }

    /// Says who takes the lead by a turn that leads to these scores.
    pub fn lead(&self, scores: [i64; 2]) -> Option<String> {
        let leader = leader(scores)?;
        if self::leader(self.scores) == Some(leader) {
            return None;
        }
        Some(format!("Player {leader} takes the lead by {}", scores[0].abs_diff(scores[1])))
    }

    /// Says who gains more than ever by a turn that leads to these scores, which are then those of
    /// the last turn.
    pub fn records(&mut self, scores: [i64; 2]) -> Vec<String> {
        let mut said = Vec::new();
        for (player, score) in scores.into_iter().enumerate() {
            let gain = score - self.scores[player];
            if gain > self.highest[player] {
                self.highest[player] = gain;
                said.push(format!("{gain} point(s)! That's a record gain for Player {player}!"));
            }
        }
        self.scores = scores;
        said
    }
}

/// Returns the player with the higher of two scores.
fn leader(scores: [i64; 2]) -> Option<usize> {
    match scores[0].cmp(&scores[1]) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal => None,
    }
}
