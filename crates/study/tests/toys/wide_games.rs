//! Random games with goals up to 70 and up to 10 dice, or 25 to 30: floats against exact
//! arithmetic, the checker, and each other.

use super::claims::claim;
use hog_check::{CheckError, check};
use hog_solve::game::{Game, Order, Plan};
use hog_solve::pairs::rate;
use hog_solve::solve::{
    Arithmetic, Solution, SolveError, Solver, Watch, best_response, endless, equilibrium, evaluate,
    reach, separate,
};
use hog_study::analysis::explain;
use hog_study::sim::simulate;
use hog_study::table::Table;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

use super::toy::game;
use super::wide_generator::{WideGame, usual_dice, wide_game};

/// The rounding error of an exact win rate, half a unit in the last place of 1.
const ROUNDED: f64 = f64::EPSILON / 4.0;

/// Returns a plan that rolls by a hash of the state, few dice more often than many.
fn scattered(game: &Game, seed: usize) -> Plan {
    let (states, actions) = (game.space().states(), game.space().actions);
    let hash = |state: usize| (state + 31 * seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    Plan::from_actions(
        (0..states)
            .map(|state| (hash(state) % (2 * actions)).saturating_sub(actions) as u8)
            .collect(),
    )
}

/// Returns the plan that always rolls the most dice, which may rarely leave a position.
fn most_dice(game: &Game) -> Plan {
    Plan::from_actions(vec![(game.space().actions - 1) as u8; game.space().states()])
}

/// Returns a plan that depends on the scores alone.
fn of_scores(game: &Game, seed: usize) -> Plan {
    let actions = game.space().actions;
    let hash = |cell: usize| (cell / 5 + 17 * seed + 3).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    Plan::of_scores(
        game.states(),
        (0..game.space().goal.pow(2)).map(|cell| (hash(cell) % actions) as u8).collect(),
    )
}

/// Returns plans of which the second depends on the scores alone.
fn three_plans(game: &Game) -> [Plan; 3] {
    [scattered(game, 1), of_scores(game, 2), scattered(game, 3)]
}

/// A game under test, and its rule text for error messages.
struct Subject {
    game: Game,
    text: String,
    /// Whether exact values are computed quickly.
    exactly: bool,
}

impl Subject {
    /// Asserts that with more digits the only best roll is found.
    fn separates(&self, float: &Solution, exact: &Solution, against: Option<&Plan>) {
        let mut found = float.clone();
        separate(&self.game, against, &mut found, &Watch::silent())
            .expect("a search that is not cancelled");
        let Some(known) = found.near_ties else { return };
        for (state, (best, exact)) in found.own.best.iter().zip(&exact.own.best).enumerate() {
            let alone = exact.count_ones() == 1;
            let (holds, is) = (best & exact == *exact, best == exact);
            assert!(
                !alone || holds && (known.open > 0 || is),
                "state {state}: {best:b}, not {exact:b}\n{}",
                self.text
            );
        }
        self.checked(&found, against);
    }

    fn solved(&self, arithmetic: Arithmetic, against: Option<&Plan>) -> Solution {
        let watch = &Watch::silent();
        let solved = match against {
            None => equilibrium(&self.game, arithmetic, watch),
            Some(plan) => best_response(&self.game, plan, arithmetic, watch),
        };
        solved.unwrap_or_else(|e| panic!("{e}\n{}", self.text))
    }

    /// Returns whether floats prove a bound for all queries of the test: turns that lower the sum
    /// of scores may prevent it.
    fn is_proven(&self, plans: &[Plan; 3]) -> bool {
        let watch = &Watch::silent();
        let float = Arithmetic::Float;
        let proven =
            |solved: Result<Solution, SolveError>| !matches!(solved, Err(SolveError::Unproven(_)));
        self.game.order() != Order::Recurrent
            || (proven(equilibrium(&self.game, float, watch))
                && plans[..2]
                    .iter()
                    .all(|plan| proven(best_response(&self.game, plan, float, watch)))
                && plans
                    .iter()
                    .all(|plan| proven(evaluate(&self.game, [plan, plan], float, watch)))
                && [[0, 1], [2, 0]].map(|[first, second]| {
                    proven(evaluate(&self.game, [&plans[first], &plans[second]], float, watch))
                }) == [true; 2])
    }

    fn rated(&self, plans: [&Plan; 2], arithmetic: Arithmetic) -> Solution {
        evaluate(&self.game, plans, arithmetic, &Watch::silent())
            .unwrap_or_else(|e| panic!("{e}\n{}", self.text))
    }

    /// Asserts that a float solution is within its bound of the exact one in all states and both
    /// seats, and that it lists all exactly best dice.
    fn close(&self, what: &str, float: &Solution, exact: &Solution) {
        let bound = float.error_bound + exact.error_bound + ROUNDED;
        let sides =
            [Some((&float.own, &exact.own)), float.other.as_ref().zip(exact.other.as_ref())];
        for (side, (float, exact)) in sides.into_iter().flatten().enumerate() {
            for (state, (found, expected)) in
                float.win_rates.iter().zip(&exact.win_rates).enumerate()
            {
                let error = (found - expected).abs();
                let at = || self.game.position(state);
                assert!(
                    error <= bound,
                    "{what}: {found}, not {expected}, side {side} at {:?}\n{}",
                    at(),
                    self.text
                );
                // A player who is ahead in a cycle may win in several ways, each of which is safe
                // alone but not all together, so that no set of them is the only
                // right one: see `drop_stalling`.
                let ahead = *expected > 0.5 && self.game.order() != Order::Acyclic;
                let missing = if ahead { 0 } else { exact.best[state] & !float.best[state] };
                assert_eq!(
                    missing,
                    0,
                    "{what}: best of side {side} at {:?}, worth {expected}\n{}",
                    at(),
                    self.text
                );
            }
        }
    }

    fn checked(&self, solution: &Solution, against: Option<&Plan>) {
        let report = match check(&claim(&self.game, solution, against), &|_, _| true) {
            Ok(report) => report,
            Err(CheckError::TooLarge(_)) if self.game.order() == Order::Recurrent => return,
            // Of play that lasts very long, floats bring no bounds.
            Err(CheckError::NoBounds) => return,
            Err(error) => panic!("{error}\n{}", self.text),
        };
        assert!(
            report.ok(),
            "{:?}, against a plan: {}: {report:#?}\n{}",
            solution.arithmetic,
            against.is_some(),
            self.text
        );
    }

    fn kept(&self, solution: &Solution) {
        let table = Table::new(&self.game, solution, None);
        let again =
            Table::from_bytes(&table.to_bytes()).unwrap_or_else(|e| panic!("{e}\n{}", self.text));
        assert!(again.to_bytes() == table.to_bytes(), "the table changed\n{}", self.text);
        let same =
            again.best() == table.best() && again.stored_win_rates() == solution.own.win_rates;
        assert!(same, "the solution in the table changed\n{}", self.text);
        again.fits(&self.game).unwrap_or_else(|e| panic!("{e}\n{}", self.text));
    }

    /// Asserts that a best response reaches its reported value, within the bounds.
    fn reaches(&self, best: &Solution, against: &Plan) {
        let found = self.rated([&best.plan(), against], Arithmetic::Float);
        let bound = 2.0 * (best.error_bound + found.error_bound);
        for (promised, found) in [(best.first(), found.first()), (best.second(), found.second())] {
            assert!(
                (promised - found).abs() <= bound,
                "best response: {promised}, reached {found}\n{}",
                self.text
            );
        }
    }

    fn pair(&self, plans: [&Plan; 2]) {
        let watch = &Watch::silent();
        let float = self.rated(plans, Arithmetic::Float);
        if self.exactly {
            self.close("two plans", &float, &self.rated(plans, Arithmetic::Exact));
        }
        let (fast, bound) = rate(&self.game, plans, watch).unwrap();
        let error = (fast.first - float.first()).abs().max((fast.second - float.second()).abs());
        let (found, bound) = ([float.first(), float.second()], bound + float.error_bound);
        assert!(error <= bound, "a pair: {fast:?}, not {found:?}\n{}", self.text);
        let itself =
            Solver::new(&self.game, Arithmetic::Float).evaluate_itself(plans[0], watch).unwrap();
        self.close("against itself", &itself, &self.rated([plans[0], plans[0]], Arithmetic::Float));
        self.never_ends(plans, &float);
    }

    /// Asserts that simulated games agree with the win rates, within six standard deviations.
    fn simulated(&self, plans: [&Plan; 2], rate: &Solution) {
        const GAMES: u64 = 2000;
        let tallies = simulate(&self.game, plans, [GAMES; 2], 1, &Watch::silent()).unwrap();
        for (tally, expected) in tallies.into_iter().zip([rate.first(), rate.second()]) {
            let error = (tally.win_rate() - expected).abs();
            let deviation = (expected * (1.0 - expected) / GAMES as f64).max(0.0).sqrt() + 1e-4;
            assert!(
                error <= 6.0 * deviation,
                "played {}, not {expected}\n{}",
                tally.win_rate(),
                self.text
            );
        }
    }

    /// Asserts that the ends that are reached agree with the win rates, and the share of endless
    /// games with `endless`.
    fn never_ends(&self, plans: [&Plan; 2], rate: &Solution) {
        let watch = &Watch::silent();
        let endless = endless(&self.game, plans, watch).unwrap();
        let close = 1e-12 + 2.0 * rate.error_bound;
        let mut turns = 0.0;
        let starts = [([1.0, 0.0], rate.first()), ([0.0, 1.0], rate.second())];
        for (seat, (start, expected)) in starts.into_iter().enumerate() {
            let reach = reach(&self.game, plans, start, &|_, _| false, watch).unwrap();
            let never: f64 = reach.endless.iter().map(|(.., chance)| chance).sum();
            let found = reach.won + (reach.tied + never) / 2.0;
            assert!(
                (found - expected).abs() <= close,
                "reached {found}, not {expected}\n{}",
                self.text
            );
            assert!(
                (never - endless[seat]).abs() <= close,
                "endless {}, not {never}\n{}",
                endless[seat],
                self.text
            );
            turns += reach.visits.iter().flatten().sum::<f64>();
        }
        if turns < 1000.0 {
            self.simulated(plans, rate);
        }
        let explanation = explain(&self.game, plans, watch).unwrap();
        for seat in 0..3 {
            let gap = explanation.best[seat] - explanation.rate[seat];
            let error = (explanation.loss[seat] - gap).abs();
            assert!(
                error <= 1e-9 + close,
                "explained {} of {gap}\n{}",
                explanation.loss[seat],
                self.text
            );
        }
    }
}

/// Returns the largest number of states of a game, and of one that is solved exactly, for a test of
/// a fraction of a second.
fn most_states(game: &Game) -> [usize; 2] {
    match game.order() {
        Order::Acyclic => [20_000, 2500],
        Order::Cyclic { random: false } => [20_000, 400],
        Order::Cyclic { random: true } | Order::Recurrent => [1000, 400],
    }
}

fn holds(random: &WideGame) -> bool {
    let text = random.text();
    let Some(game) = random.game() else { return false };
    let (states, [most, most_exactly]) = (game.space().states(), most_states(&game));
    if states > most {
        return false;
    }
    let subject = Subject { exactly: states <= most_exactly, game, text };
    let plans = three_plans(&subject.game);
    if !subject.is_proven(&plans) {
        return false;
    }
    for against in [None, Some(&plans[0]), Some(&plans[1])] {
        let float = subject.solved(Arithmetic::Float, against);
        if subject.exactly {
            let exact = subject.solved(Arithmetic::Exact, against);
            subject.close("solved", &float, &exact);
            subject.checked(&exact, against);
            subject.separates(&float, &exact, against);
        }
        subject.checked(&float, against);
        subject.kept(&float);
        if let Some(plan) = against {
            subject.reaches(&float, plan);
        }
    }
    subject.pair([&plans[0], &plans[1]]);
    subject.pair([&plans[2], &plans[0]]);
    if subject.exactly && subject.game.order() != Order::Recurrent {
        let most_dice = most_dice(&subject.game);
        for pair in [[&most_dice, &most_dice], [&most_dice, &plans[0]]] {
            let [float, exact] =
                [Arithmetic::Float, Arithmetic::Exact].map(|numbers| subject.rated(pair, numbers));
            subject.close("the most dice", &float, &exact);
        }
    }
    true
}

/// A roll that ends far beyond the goal loses, and there are random cycles: near certain results,
/// rounding leads beyond 0 and 1.
const TOO_FAR: &str = r#"
goal = 5
max_dice = 10
[[rule]]
name = "Dice"
die = "(score * 7 + opponent * 13) % 11 + 2"
bust = "0"
[[rule]]
name = "Too Far"
opponent_score = "score >= goal + 5 ? 2 * score : opponent"
"#;

/// Turns lower the sum of scores, and some states are almost certainly lost.
const STEPS_BACK: &str = r#"
goal = 10
max_dice = 10
[[memory]]
name = "mine"
max = 1
next = "busted ? 1 : 0"
[[rule]]
name = "Dice"
zero_dice = "opponent % 3"
bust = "min(sum, 4)"
[[rule]]
name = "Steps back"
score = "score_before < 9 && score > 9 ? 9 : score"
opponent_score = "points > 2 ? max(0, opponent - 1) : opponent"
[[rule]]
name = "Feral"
points = "abs(dice - mine) == 2 ? points + 3 : points"
"#;

/// A turn may lower the sum of scores, and play that can no longer end still has turns that cost
/// the best response.
const CAPPED: &str = r#"
goal = 15
max_dice = 1
[[rule]]
name = "Dice"
die = "(score + opponent) % 7 == 0 ? 4 : 6"
zero_dice = "0"
bust = "opponent % 3"
[[rule]]
name = "Swap"
swap = "score % 2 == opponent % 2 && points > 3"
[[rule]]
name = "Cap"
score = "score == opponent ? 2 * score : score"
[[rule]]
name = "Steps back"
score = "score_before < 9 && score > 9 ? 9 : score"
"#;

#[test]
fn losses_in_play_that_can_no_longer_end_are_counted_once() {
    let subject = Subject { exactly: true, game: game(CAPPED), text: CAPPED.to_owned() };
    let plans = three_plans(&subject.game);
    subject.pair([&plans[0], &plans[1]]);
    subject.pair([&plans[2], &plans[0]]);
}

#[test]
fn win_rates_of_a_best_response_stay_from_0_to_1() {
    for text in [TOO_FAR, STEPS_BACK] {
        let subject = Subject { exactly: false, game: game(text), text: text.to_owned() };
        for plan in three_plans(&subject.game) {
            let answer = subject.solved(Arithmetic::Float, Some(&plan));
            subject.kept(&answer);
            subject.checked(&answer, Some(&plan));
        }
    }
}

/// A loop that is solved with more digits is left for what turns lead to, not for its double.
#[test]
fn bounds_of_loops_in_more_digits_prove_themselves() {
    let game = game(
        "goal = 12\nmin_dice = 0\nmax_dice = 3\n[[rule]]\nname = 'Dice'\n\
         die = '(score + opponent) % 7 == 0 ? 4 : 6'\nzero_dice = 'opponent % 3'\nbust = '0'\n\
         [[rule]]\nname = 'Past'\nscore = 'score > goal ? score_before : score'\n",
    );
    for seed in [3, 36, 140, 181] {
        let plan = scattered(&game, seed);
        let best = best_response(&game, &plan, Arithmetic::Float, &Watch::silent()).unwrap();
        let report = check(&claim(&game, &best, Some(&plan)), &|_, _| true).unwrap();
        assert!(report.ok(), "against plan {seed}: {report:#?}");
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 24,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 200,
        ..Config::default()
    })]

    #[test]
    fn random_small_games_agree_in_every_way(random in wide_game(5..=16, usual_dice())) {
        prop_assume!(holds(&random));
    }

    #[test]
    fn random_wide_games_agree_in_every_way(random in wide_game(17..=70, usual_dice())) {
        prop_assume!(holds(&random));
    }

    #[test]
    fn random_games_of_more_rolls_than_64_bits_agree_in_every_way(
        random in wide_game(2..=10, (25..=30i32).boxed())
    ) {
        prop_assume!(!random.looks_at_faces() && holds(&random));
    }
}

/// Random cycles, floats against fractions; `HOG_GAMES` gives the number of games.
#[test]
fn random_games_with_random_cycles_agree_in_every_way() {
    let cases = std::env::var("HOG_GAMES")
        .ok()
        .map_or(24, |games| games.parse().expect("HOG_GAMES is a number"));
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 200,
        max_global_rejects: 100 * cases + 1000,
        ..Config::default()
    };
    let by_chance =
        |game: &Game| matches!(game.order(), Order::Cyclic { random: true } | Order::Recurrent);
    let tried = |random: WideGame| {
        prop_assume!(random.game().as_ref().is_some_and(by_chance) && holds(&random));
        Ok(())
    };
    TestRunner::new(config).run(&wide_game(2..=20, usual_dice()), tried).unwrap();
}
