//! Makes results for autograders: the `results.json` of one entrant, in the format of Gradescope,
//! which Otter-Grader also uses.

use serde_json::{Value, json};

use crate::RankBy;
use crate::answer::ContestAnswer;
use crate::format::style::counted;
use crate::limits;

/// Marks the file as written by hog, so that a later run may replace it.
const COMMAND: &str = "hog contest";

/// The test that tells whether a strategy could be played.
const TAKES_PART: &str = "Takes part";

impl ContestAnswer {
    /// Returns the `results.json` of an admitted or rejected entrant: a score by the ranking's
    /// rule, a test for each opponent if there are few, and a line of the leaderboard. `None`
    /// means that no strategy was handed in.
    pub fn results(&self, entrant: Option<&str>) -> Value {
        let standing = self.ranking.iter().find(|row| Some(row.name.as_str()) == entrant);
        let Some(own) = standing else {
            let rejected = self.rejected.iter().find(|one| Some(one.name.as_str()) == entrant);
            let reason = rejected.map_or("no strategy was handed in", |one| one.reason.as_str());
            return json!({
                "extra_data": { "command": COMMAND, "rules": self.rules, "rejected": rejected },
                "score": 0.0,
                "output": format!("Your strategy could not take part: {reason}"),
                "tests": [{
                    "name": TAKES_PART,
                    "score": 0.0,
                    "max_score": 1.0,
                    "status": "failed",
                    "output": reason,
                }],
            });
        };
        let score = own.points.unwrap_or(match self.scoring.rank_by {
            RankBy::Wins => own.wins as f64,
            RankBy::Points => own.wins as f64 + own.ties as f64 / 2.0,
            RankBy::Mean => own.mean,
        });
        let worst = own.worst_against.as_deref().zip(own.worst_win_rate);
        let worst = worst
            .map(|(name, rate)| format!(" It wins least against {name}: {rate:.6}."))
            .unwrap_or_default();
        let output = format!(
            "Rank {} of {}: {}, {}, {}, mean win rate {:.6}.{worst} {}",
            own.rank,
            self.ranking.len(),
            counted(own.wins as u64, "win"),
            counted(own.losses as u64, "loss"),
            counted(own.ties as u64, "tie"),
            own.mean,
            self.how_it_is_scored()
        );
        json!({
            "score": score,
            "output": output,
            "tests": self.tests(&own.name),
            "leaderboard": [
                { "name": "Wins", "value": own.wins },
                { "name": "Mean win rate", "value": own.mean },
                { "name": "Rank", "value": own.rank, "order": "asc" },
            ],
            "extra_data": { "command": COMMAND, "rules": self.rules, "standing": own },
        })
    }

    /// Returns a test that it takes part, which is all that there is of those who do not, and one
    /// for each opponent, by rank, unless there are too many.
    fn tests(&self, own: &str) -> Vec<Value> {
        let mut tests = vec![json!({
            "name": TAKES_PART,
            "score": 1.0,
            "max_score": 1.0,
            "status": "passed",
            "output": "Your strategy was read, and has played.",
        })];
        if self.ranking.len() > limits::TESTED_OPPONENTS + 1 {
            return tests;
        }
        let Some(own) = self.place(own) else { return tests };
        for row in &self.ranking {
            let Some(other) = self.place(&row.name).filter(|other| *other != own) else { continue };
            let rate = self.matrix[own][other];
            let first = self.first[own][other];
            let second = 2.0 * rate - first;
            let wins = rate > self.winning.max(0.5 + self.error_bound);
            tests.push(json!({
                "name": format!("against {}", self.entrants[other]),
                "score": f64::from(wins),
                "max_score": 1.0,
                "status": if wins { "passed" } else { "failed" },
                "output": format!(
                    "win rate {rate:.6}: {first:.6} moving first, {second:.6} moving second"
                ),
            }));
        }
        tests
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.entrants.iter().position(|entrant| entrant == name)
    }
}
