//! A game in which every pair of scores has points of its own, and so more action sets than 16 bits
//! can count.

use hog_rules::rules::{Overrides, rules_from_text};
use hog_solve::game::{Game, Plan, Policy, PolicyError, Position};
use hog_solve::pairs::rate;
use hog_solve::solve::{Arithmetic, Watch, equilibrium};

const GOAL: usize = 300;

/// The five digits of 300 times the score plus the opponent's, one for each face but the 1.
const RULES: &str = r#"
    id = "own"
    goal = 300
    max_dice = 1
    [[rule]]
    name = "Own Points"
    points = """
        points == 2 ? 1 + ones(300 * score + opponent)
        : points == 3 ? 11 + (300 * score + opponent) / 10 % 10
        : points == 4 ? 21 + (300 * score + opponent) / 100 % 10
        : points == 5 ? 31 + (300 * score + opponent) / 1000 % 10
        : points == 6 ? 41 + (300 * score + opponent) / 10000
        : points"""
    zero_dice = "21"
"#;

struct Always(i32);

impl Policy for Always {
    fn dice(&self, _: &Position) -> Result<i32, PolicyError> {
        Ok(self.0)
    }
}

/// Returns the mover's win rate with zero dice and with one, given the win rates of the next
/// player.
fn chances(next: &[Vec<f64>], score: usize, opponent: usize) -> [f64; 2] {
    let with = |points: usize| {
        if score + points >= GOAL { 1.0 } else { 1.0 - next[opponent][score + points] }
    };
    let cell = GOAL * score + opponent;
    let faces = (0..5).map(|digit| with(1 + 10 * digit + cell / 10_usize.pow(digit as u32) % 10));
    [with(21), (with(1) + faces.sum::<f64>()) / 6.0]
}

/// Returns the win rates of two players, each of whom picks one of its two win rates in every
/// position; computed in floats from the rules above alone.
fn by_hand(choices: [fn([f64; 2]) -> f64; 2]) -> [Vec<Vec<f64>>; 2] {
    let mut chances_of = [vec![vec![0.0; GOAL]; GOAL], vec![vec![0.0; GOAL]; GOAL]];
    for sum in (0..2 * GOAL - 1).rev() {
        for score in (sum + 1).saturating_sub(GOAL)..GOAL.min(sum + 1) {
            for player in 0..2 {
                let chance = choices[player](chances(&chances_of[1 - player], score, sum - score));
                chances_of[player][score][sum - score] = chance;
            }
        }
    }
    chances_of
}

#[test]
fn more_than_65536_different_action_sets_are_solved_and_rated() {
    let rules = rules_from_text(RULES, "own.toml", Overrides::default()).expect("a sound file");
    let game = Game::new(rules).expect("a sound game");
    assert!(game.action_sets().len() > 1 << 16, "only {} action sets", game.action_sets().len());

    let solved = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    let [by_hand_best, _] = by_hand([|[zero, one]| zero.max(one); 2]);
    for (state, (win_rate, expected)) in
        solved.own.win_rates.iter().zip(by_hand_best.iter().flatten()).enumerate()
    {
        assert!((win_rate - expected).abs() <= 1e-12, "state {state}: {win_rate}, not {expected}");
    }

    let plans = [0, 1].map(|dice| Plan::tabulate(game.states(), &Always(dice)).unwrap());
    let (found, bound) = rate(&game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
    let [zero, one] = by_hand([|[zero, _]| zero, |[_, one]| one]);
    let (first, second) = (zero[0][0], 1.0 - one[0][0]);
    assert!(bound < 1e-12, "{bound}");
    assert!((found.first - first).abs() <= 1e-12, "{} first, not {first}", found.first);
    assert!((found.second - second).abs() <= 1e-12, "{} second, not {second}", found.second);
}
