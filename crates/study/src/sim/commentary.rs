//! Commentary: functions that are called after each turn, and return a text and the function for
//! the next turn.
//!
//! ```
//! use hog_study::sim::{announce_lead_changes, both, say_scores};
//! let h0 = both(say_scores(), announce_lead_changes(None));
//! let (said, h1) = h0.say(10, 0);
//! assert_eq!(said, "Player 0 now has 10 and Player 1 now has 0\nPlayer 0 takes the lead by 10\n");
//! assert_eq!(h1.say(10, 8).0, "Player 0 now has 10 and Player 1 now has 8\n");
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A commentary function of the scores of Player 0 and Player 1. The same scores always give the
/// same text.
#[derive(Clone)]
pub struct Commentary(Arc<Said>);

/// Returns the text (complete lines, or nothing), and the commentary to call after the next turn.
type Said = dyn Fn(i64, i64) -> (String, Commentary) + Send + Sync;

impl Commentary {
    /// Creates a commentary from a function.
    pub fn new(say: impl Fn(i64, i64) -> (String, Self) + Send + Sync + 'static) -> Self {
        Self(Arc::new(say))
    }

    /// Returns the text after a turn that led to these scores, and the commentary for the next
    /// turn.
    pub fn say(&self, score0: i64, score1: i64) -> (String, Self) {
        self.0(score0, score1)
    }
}

impl fmt::Debug for Commentary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Commentary")
    }
}

/// Says nothing.
pub fn silence() -> Commentary {
    Commentary::new(|_, _| (String::new(), silence()))
}

/// `say_scores`: says both players' scores.
pub fn say_scores() -> Commentary {
    Commentary::new(|score0, score1| {
        (format!("Player 0 now has {score0} and Player 1 now has {score1}\n"), say_scores())
    })
}

/// `announce_lead_changes`: says who takes the lead, and by how much.
pub fn announce_lead_changes(last_leader: Option<usize>) -> Commentary {
    Commentary::new(move |score0, score1| {
        let leader = match score0.cmp(&score1) {
            Ordering::Greater => Some(0),
            Ordering::Less => Some(1),
            Ordering::Equal => None,
        };
        let said = match leader {
            Some(leader) if last_leader != Some(leader) => {
                format!("Player {leader} takes the lead by {}\n", score0.abs_diff(score1))
            }
            _ => String::new(),
        };
        (said, announce_lead_changes(leader))
    })
}

/// `announce_highest` as in Fall 2021 and Nanjing 2021: says when a player gains more in a turn
/// than ever before. The first call is `announce_highest(who, 0, 0)`.
pub fn announce_highest(who: usize, last_score: i64, running_high: i64) -> Commentary {
    record(Record { who, last_score, running_high }, |gain, who| {
        format!("{gain} point(s)! That's a record gain for Player {who}!\n")
    })
}

/// `announce_highest` as in Fall 2019, with other words.
pub fn announce_highest_gain(who: usize, last_score: i64, running_high: i64) -> Commentary {
    record(Record { who, last_score, running_high }, |gain, who| {
        format!("{gain} point(s)! That's the biggest gain yet for Player {who}\n")
    })
}

/// A player's last score and largest gain so far.
#[derive(Clone, Copy)]
struct Record {
    who: usize,
    last_score: i64,
    running_high: i64,
}

fn record(known: Record, words: fn(i64, usize) -> String) -> Commentary {
    Commentary::new(move |score0, score1| {
        let score = if known.who == 0 { score0 } else { score1 };
        let gain = score - known.last_score;
        let said = if gain > known.running_high { words(gain, known.who) } else { String::new() };
        let next = Record {
            who: known.who,
            last_score: score,
            running_high: known.running_high.max(gain),
        };
        (said, record(next, words))
    })
}

/// `both`: says what `f` says, then what `g` says.
pub fn both(f: Commentary, g: Commentary) -> Commentary {
    Commentary::new(move |score0, score1| {
        let (first, f) = f.say(score0, score1);
        let (second, g) = g.say(score0, score1);
        (first + &second, both(f, g))
    })
}
