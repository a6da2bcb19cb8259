//! A toy game solved in both arithmetics, and comparisons of its solutions with those worked out by
//! hand.

use dashu_ratio::RBig;
use hog_rules::rules::rules_from_text;
use hog_solve::game::{Game, Plan, Policy, PolicyError, Position};
use hog_solve::solve::{Arithmetic, Solution, Watch, equilibrium};

/// Returns the game of a rule text, which is given without its id.
pub fn game(text: &str) -> Game {
    let text = format!("id = \"toy\"\n{text}");
    let rules = rules_from_text(&text, "toy", Default::default())
        .unwrap_or_else(|faults| panic!("{faults}\n{text}"));
    Game::new(rules).unwrap_or_else(|faults| panic!("{faults}\n{text}"))
}

/// Reads a fraction such as `6/7`.
pub fn ratio(text: &str) -> RBig {
    text.parse().expect("a fraction")
}

/// Returns the double nearest to a fraction.
pub fn nearest(value: &RBig) -> f64 {
    value.to_f64().value()
}

/// A toy game with its equilibrium in both arithmetics.
pub struct Toy {
    pub game: Game,
    pub exact: Solution,
    pub float: Solution,
}

impl Toy {
    /// Solves the game of a rule text.
    pub fn new(text: &str) -> Self {
        let game = game(text);
        let solved =
            |arithmetic| equilibrium(&game, arithmetic, &Watch::silent()).expect("small enough");
        let (exact, float) = (solved(Arithmetic::Exact), solved(Arithmetic::Float));
        Self { game, exact, float }
    }

    /// Asserts the value of 0-0, and all its best numbers of dice.
    pub fn start(&self, value: &str, dice: &[i32]) -> &Self {
        assert_eq!(self.exact.first_fraction().expect("exact"), &ratio(value), "the value of 0-0");
        self.state((0, 0), &[], value, dice)
    }

    /// Asserts the value of a position, given by scores and memories, and all its best numbers of
    /// dice.
    pub fn state(
        &self,
        scores: (u32, u32),
        memory: &[(&str, i64)],
        value: &str,
        dice: &[i32],
    ) -> &Self {
        let state = self.game.state(&self.position(scores, memory));
        let place = format!("{}-{} {memory:?}", scores.0, scores.1);
        let expected = nearest(&ratio(value));
        assert_eq!(
            self.exact.own.win_rates[state], expected,
            "the exact value of {place}, {value}"
        );
        let error = (self.float.own.win_rates[state] - expected).abs();
        let bound = self.float.error_bound + f64::EPSILON / 4.0;
        assert!(
            error <= bound,
            "the float value of {place} is off by {error:e}, more than {bound:e}"
        );
        let space = self.game.space();
        assert_eq!(space.dice_in(self.exact.own.best[state]), dice, "the best dice of {place}");
        let close = self.float.own.best[state];
        assert_eq!(
            self.exact.own.best[state] & !close,
            0,
            "the best dice of {place} in floats lack some of the exact ones"
        );
        self
    }

    /// Asserts that every state has this value, and that all numbers of dice are best.
    pub fn everywhere(&self, value: &str) {
        let all = (1 << self.game.space().actions) - 1;
        assert_eq!(self.exact.first_fraction().expect("exact"), &ratio(value));
        for state in 0..self.game.space().states() {
            assert_eq!(self.exact.own.win_rates[state], nearest(&ratio(value)), "state {state}");
            let error = (self.float.own.win_rates[state] - nearest(&ratio(value))).abs();
            assert!(error <= self.float.error_bound, "state {state} is off by {error:e}");
            assert_eq!(
                [&self.exact, &self.float].map(|s| s.own.best[state]),
                [all; 2],
                "best dice of state {state}"
            );
        }
    }

    fn position(&self, (score, opponent): (u32, u32), memory: &[(&str, i64)]) -> Position {
        let rules = self.game.rules();
        let start = Position::new(rules, score, opponent).expect("below the goal");
        memory
            .iter()
            .fold(start, |at, (name, value)| at.with_memory(rules, name, *value).expect("a memory"))
    }
}

/// A policy that depends on the two scores alone.
struct ByScores<F>(F);

impl<F: Fn(u32, u32) -> i32 + Sync> Policy for ByScores<F> {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        Ok(self.0(position.score, position.opponent))
    }
}

/// Returns the plan that rolls `dice(score, opponent)` dice.
pub fn plan(game: &Game, dice: impl Fn(u32, u32) -> i32 + Sync) -> Plan {
    Plan::tabulate(game.states(), &ByScores(dice)).expect("allowed")
}
