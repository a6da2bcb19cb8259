//! The checker agrees with the solver on complete games, and finds and locates every fault planted
//! in a solution.

mod claims;
mod kept;
mod refusals;

use claims::claim;
use hog_check::{CheckError, Claim, Method, Report, check};
use hog_rules::rules::{Overrides, load, rules_from_text};
use hog_solve::game::{DiceSet, Game, Plan, Position};
use hog_solve::solve::{Arithmetic, Solution, Watch, best_response, equilibrium};

const BUILT_IN: [&str; 5] = ["fa21", "nju21", "fa19", "su15", "sp15"];
const BOTH: [Arithmetic; 2] = [Arithmetic::Exact, Arithmetic::Float];

/// Returns a built-in game with a small goal and at most four dice.
fn small(id: &str, goal: u32) -> Game {
    let overrides = Overrides { goal: Some(goal), max_dice: Some(4) };
    Game::new(load(id, overrides).expect("a built-in game")).expect("a sound game")
}

/// Returns the game of a user's rule text, which is given without its id.
fn own(text: &str) -> Game {
    let rules = rules_from_text(&format!("id = \"own\"\n{text}"), "own", Overrides::default());
    Game::new(rules.unwrap_or_else(|faults| panic!("{faults}")))
        .unwrap_or_else(|faults| panic!("{faults}"))
}

fn rule(hook: &str, formula: &str) -> String {
    format!("[[rule]]\nname = \"{hook}\"\n{hook} = \"{formula}\"\n")
}

/// Returns the plan that takes the same action everywhere.
fn always(game: &Game, action: usize) -> Plan {
    Plan::from_actions(vec![action as u8; game.space().states()])
}

fn solve(game: &Game, arithmetic: Arithmetic, against: Option<&Plan>) -> Solution {
    let solved = match against {
        None => equilibrium(game, arithmetic, &Watch::silent()),
        Some(plan) => best_response(game, plan, arithmetic, &Watch::silent()),
    };
    solved.expect("small enough to solve")
}

fn report(claim: &Claim) -> Report {
    check(claim, &|_, _| true).unwrap_or_else(|error| panic!("{error}"))
}

/// Solves a game in each arithmetic, as an equilibrium and against a plan, and checks every
/// solution. Returns the last report.
fn agrees(game: &Game, arithmetics: &[Arithmetic]) -> Report {
    let plan = always(game, game.space().actions / 2);
    let mut last = None;
    for arithmetic in arithmetics {
        for against in [Some(&plan), None] {
            let solution = solve(game, *arithmetic, against);
            let report = report(&claim(game, &solution, against));
            let id = &game.rules().id;
            assert!(
                report.ok(),
                "{id}, {arithmetic:?}, against a plan: {}: {report:#?}",
                against.is_some()
            );
            assert_eq!(
                (report.states, report.loops),
                (game.space().states(), solution.loops),
                "{id}"
            );
            last = Some(report);
        }
    }
    last.expect("at least one arithmetic")
}

#[test]
fn solutions_of_built_in_games_are_confirmed() {
    for id in BUILT_IN {
        let report = agrees(&small(id, if id == "fa19" { 20 } else { 30 }), &BOTH);
        assert_eq!(report.method, Method::Scaled, "{id}");
    }
}

#[test]
fn complete_games_are_confirmed_to_the_last_bit() {
    for id in ["fa21", "nju21"] {
        let game = Game::new(load(id, Overrides::default()).unwrap()).unwrap();
        let solution = solve(&game, Arithmetic::Exact, None);
        let report = report(&claim(&game, &solution, None));
        assert!(
            report.ok() && report.worst_difference == 0.0 && report.worst_at.is_none(),
            "{id}: {report:?}"
        );
    }
}

#[test]
fn games_whose_busts_score_nothing_are_confirmed_with_their_cycles() {
    let bust = rule("bust", "0");
    let one_way = own(&format!("min_dice = 1\nmax_dice = 3\ngoal = 8\n{bust}"));
    assert_eq!(agrees(&one_way, &[Arithmetic::Exact]).method, Method::Fractions);
    assert_eq!(agrees(&one_way, &[Arithmetic::Float]).method, Method::Bounds);
    let passing = format!("max_dice = 2\ngoal = 8\n{bust}{}", rule("zero_dice", "opponent % 2"));
    for (arithmetic, method) in BOTH.into_iter().zip([Method::Fractions, Method::Bounds]) {
        let report = agrees(&own(&passing), &[arithmetic]);
        assert!(report.loops > 0 && report.method == method, "{report:?}");
    }
    let large = own(&format!("min_dice = 1\nmax_dice = 3\ngoal = 50\n{bust}"));
    let report = agrees(&large, &[Arithmetic::Float]);
    assert!(report.method == Method::Bounds && report.bound > 0.0, "{report:?}");
}

#[test]
fn solutions_in_fractions_are_confirmed_where_turns_lower_the_sum() {
    let around = rule("score", "score > goal ? score - goal : score");
    let game = own(&format!(
        "max_dice = 1\ngoal = 7\n{around}{}",
        rule("points", "min(9, score + 7 * rolled)")
    ));
    let report = agrees(&game, &BOTH);
    assert!(report.method == Method::Bounds && report.loops > 0, "{report:?}");
}

#[test]
fn large_random_cycles_are_verified_by_their_bounds() {
    let last = "[[memory]]\nname = \"last\"\nmax = \"max_dice\"\nnext = \"dice\"\n";
    let bonus = rule("points", "abs(dice - last) == 2 ? points + 3 : points");
    let game =
        own(&format!("min_dice = 1\nmax_dice = 6\ngoal = 12\n{last}{}{bonus}", rule("bust", "0")));
    let report = agrees(&game, &[Arithmetic::Float]);
    assert_eq!(report.method, Method::Bounds);
}

#[test]
fn merged_values_of_a_memory_are_confirmed_to_play_alike() {
    let points = "[[memory]]\nname = \"last\"\nmax = \"20\"\nnext = \"min(rolled, 20)\"\n";
    let feral = rule("points", "abs(dice - last) == 2 ? points + 3 : points");
    let game = own(&format!("max_dice = 3\ngoal = 15\n{points}{}{feral}", rule("zero_dice", "1")));
    assert!(game.space().mine < 21, "values that play alike are merged");
    agrees(&game, &BOTH);
    // Here a rule on totals reads the memory, but only whether it is below 3.
    let swap = rule("swap", "last < 3 && score == 2 * opponent");
    let game = own(&format!("max_dice = 3\ngoal = 15\n{points}{}{swap}", rule("zero_dice", "1")));
    assert_eq!(game.space().mine, 2);
    agrees(&game, &BOTH);
}

#[test]
fn games_with_hooks_of_every_kind_are_confirmed() {
    let shared = "[[memory]]\nname = \"flip\"\nof = \"game\"\nmax = \"1\"\nnext = \"points % 2 == \
                  0 ? 1 - flip : flip\"\n";
    let games = [
        format!(
            "goal = 14\nmax_dice = 3\nmin_dice = -1\n{shared}{}",
            rule("die", "flip == 1 ? [1, 3, 1, 3] : 4")
        ),
        format!(
            "goal = 14\nmax_dice = 4\n{}",
            rule("max_dice", "(score + opponent) % 10 == 7 ? 1 : 4")
        ),
        format!(
            "goal = 14\nmax_dice = 3\n{}{}",
            rule("bust", "min(ones_rolled, sum / 3)"),
            rule("zero_dice", "2")
        ),
        format!(
            "goal = 14\nmax_dice = 3\n{}",
            rule("score", "score - score_before > 6 ? score + 1 : score")
        ),
        format!(
            "goal = 14\nmax_dice = 4\n{}{}",
            rule("min_dice", "score % 3"),
            rule("bust", "count(1) == pairs ? 3 : 1")
        ),
        format!(
            "goal = 14\nmax_dice = 4\n{}{}",
            rule("points", "straight > 2 ? points + highest - lowest : points"),
            rule("zero_dice", "2")
        ),
        format!(
            "goal = 14\nmax_dice = 3\n{}{}",
            rule("score", "of_a_kind > 1 ? score + distinct : score"),
            rule("again", "count(4) == 2")
        ),
        format!(
            "goal = 14\nmax_dice = 3\n{}{}",
            rule("end", "score + opponent >= 10"),
            rule("swap", "points % 2 == 0")
        ),
    ];
    games.iter().for_each(|text| drop(agrees(&own(text), &BOTH)));
}

/// Returns games in which a turn without points changes the totals or the next mover.
fn games_with_effects_without_points() -> Vec<Game> {
    let piggy_back = "[[rule]]\nname = \"Piggy Back\"\nbust = \"0\"\nopponent_score = \"points == \
                      0 ? opponent + dice : opponent\"\n";
    let once_more = [
        rule("bust", "0"),
        rule("score", "score == opponent ? 2 * score : score"),
        rule("again", "score < opponent"),
    ];
    let zero = rule("zero_dice", "1");
    let passing =
        format!("{}{}", rule("zero_dice", "ones(opponent)"), rule("again", "points == 0"));
    let texts = [format!("{piggy_back}{zero}"), format!("{}{zero}", once_more.concat()), passing];
    texts.iter().map(|text| own(&format!("goal = 8\nmax_dice = 2\n{text}"))).collect()
}

#[test]
fn turns_without_points_that_have_effects_are_confirmed() {
    games_with_effects_without_points().iter().for_each(|game| drop(agrees(game, &BOTH)));
}

#[test]
fn games_with_extra_turns_are_confirmed() {
    let again = rule("again", "gcd(score, opponent) > 4");
    agrees(&own(&format!("goal = 20\nmax_dice = 3\n{}{again}", rule("zero_dice", "3"))), &BOTH);
}

#[test]
fn a_packed_table_is_checked_by_its_rolls_and_rates() {
    let game = small("sp15", 20);
    let solution = solve(&game, Arithmetic::Exact, None);
    let mut claim = claim(&game, &solution, None);
    claim.win_rates = &[];
    assert!(report(&claim).ok());
    claim.rates[0] = claim.rates[0].next_up();
    assert_eq!(report(&claim).wrong_rates, 1);
}

/// A solution, with a state that is to be falsified.
struct Plant {
    game: Game,
    against: Option<Plan>,
    solution: Solution,
    state: usize,
}

impl Plant {
    /// Selects the middle one of the states whose number of best actions satisfies `best`.
    fn new(id: &str, arithmetic: Arithmetic, answering: bool, best: impl Fn(u32) -> bool) -> Self {
        let game = small(id, 20);
        let against = answering.then(|| always(&game, 3));
        let solution = solve(&game, arithmetic, against.as_ref());
        let fit = |state: &usize| best(solution.own.best[*state].count_ones());
        let states: Vec<usize> = (0..game.space().states()).filter(fit).collect();
        let state = states[states.len() / 2];
        Self { game, against, solution, state }
    }

    fn position(&self) -> Position {
        self.game.position(self.state)
    }

    fn all_actions(&self) -> DiceSet {
        (1 << self.game.space().actions) - 1
    }

    /// Returns the report on the solution with other best actions in the state.
    fn with_best(&mut self, best: DiceSet) -> Report {
        self.solution.own.best[self.state] = best;
        report(&claim(&self.game, &self.solution, self.against.as_ref()))
    }

    /// Returns the report on the solution with another win rate in the state.
    fn with_win_rate(&mut self, win_rate: f64) -> Report {
        self.solution.own.win_rates[self.state] = win_rate;
        report(&claim(&self.game, &self.solution, self.against.as_ref()))
    }

    fn assert_found(&self, report: &Report) {
        let place = report.first_wrong_roll.as_ref().map(|(position, _)| position);
        assert_eq!((report.wrong_rolls, place), (1, Some(&self.position())), "{report:#?}");
        assert!(!report.ok() && report.wrong_values == 0 && report.wrong_rates == 0, "{report:#?}");
    }
}

#[test]
fn a_wrong_best_roll_is_found_and_located() {
    for id in BUILT_IN {
        for (arithmetic, answering) in BOTH.iter().flat_map(|a| [(*a, false), (*a, true)]) {
            let mut plant = Plant::new(id, arithmetic, answering, |count| count == 1);
            let best = plant.solution.own.best[plant.state];
            let other = if best & 1 == 0 { best >> 1 } else { 2 };
            let report = plant.with_best(other);
            plant.assert_found(&report);
            let (_, message) = report.first_wrong_roll.expect("found");
            assert!(message.contains("the worst of those listed costs"), "{message}");
        }
    }
}

#[test]
fn a_missing_tie_and_a_false_tie_are_found_in_exact_solutions() {
    for id in ["fa21", "nju21", "su15"] {
        let mut plant = Plant::new(id, Arithmetic::Exact, false, |count| count > 1);
        let best = plant.solution.own.best[plant.state];
        let report = plant.with_best(best & (best - 1));
        plant.assert_found(&report);
        let mut plant = Plant::new(id, Arithmetic::Exact, true, |count| count == 1);
        let best = plant.solution.own.best[plant.state];
        let more = best | if best & 1 == 0 { 1 } else { 2 };
        let report = plant.with_best(more);
        plant.assert_found(&report);
    }
}

#[test]
fn empty_sets_and_sets_with_unknown_rolls_are_found() {
    for arithmetic in BOTH {
        let mut plant = Plant::new("fa21", arithmetic, false, |count| count == 1);
        let report = plant.with_best(0);
        plant.assert_found(&report);
        let unknown = plant.all_actions() + 1;
        let best = plant.solution.own.best[0] | unknown;
        let report = plant.with_best(best);
        plant.assert_found(&report);
    }
}

#[test]
fn an_exact_win_rate_off_by_one_double_is_found_and_located() {
    for id in BUILT_IN {
        for answering in [false, true] {
            let mut plant = Plant::new(id, Arithmetic::Exact, answering, |_| true);
            let true_rate = plant.solution.own.win_rates[plant.state];
            for wrong in [true_rate.next_up(), true_rate.next_down()] {
                let report = plant.with_win_rate(wrong);
                let (position, _) = report.first_wrong_value.clone().expect("found");
                assert_eq!((report.wrong_values, position), (1, plant.position()), "{id}");
                assert_eq!(report.worst_at, Some(plant.position()), "{id}");
                assert!(
                    !report.ok() && report.worst_difference == (wrong - true_rate).abs(),
                    "{id}"
                );
            }
        }
    }
}

#[test]
fn a_float_win_rate_is_wrong_outside_its_bound_and_right_within() {
    for id in BUILT_IN {
        let mut plant = Plant::new(id, Arithmetic::Float, false, |_| true);
        let (rate, bound) = (plant.solution.own.win_rates[plant.state], plant.solution.error_bound);
        let inside = plant.with_win_rate(rate - 0.9 * bound);
        assert!(inside.ok(), "{id}: {inside:?}");
        let outside = plant.with_win_rate(rate - 1.1 * bound);
        assert!(!outside.ok() && outside.wrong_values == 1, "{id}: {outside:?}");
        assert_eq!(outside.worst_at, Some(plant.position()), "{id}");
    }
}

#[test]
fn win_rates_and_bounds_that_are_nan_are_wrong() {
    for arithmetic in BOTH {
        let mut plant = Plant::new("su15", arithmetic, false, |_| true);
        let report = plant.with_win_rate(f64::NAN);
        assert!(!report.ok() && report.worst_difference == f64::INFINITY, "{report:?}");
        assert_eq!(report.worst_at, Some(plant.position()));
        let mut plant = Plant::new("su15", arithmetic, false, |_| true);
        plant.solution.error_bound = f64::NAN;
        let report = plant.with_win_rate(0.123);
        assert!(!report.ok(), "a bound of NaN confirms nothing: {report:?}");
    }
}

#[test]
fn wrong_rates_are_counted() {
    for (arithmetic, error) in [(Arithmetic::Exact, f64::EPSILON), (Arithmetic::Float, 1e-9)] {
        let game = small("nju21", 20);
        let plan = always(&game, 4);
        let solution = solve(&game, arithmetic, Some(&plan));
        let mut claim = claim(&game, &solution, Some(&plan));
        claim.rates[1] -= error;
        claim.rates[2] += error;
        let report = report(&claim);
        assert!(!report.ok() && report.wrong_rates == 2 && report.wrong_values == 0, "{report:?}");
        assert!((report.rates[0] - solution.first()).abs() <= solution.error_bound);
    }
}

/// In positions of nju21 such as 7-13, zero dice change nothing, and the other player can answer in
/// the same way.
#[test]
fn passing_is_wrong_where_the_other_player_would_pass_back_for_ever() {
    let game = small("nju21", 30);
    let solution = solve(&game, Arithmetic::Exact, None);
    let zero: DiceSet = 1;
    let may_pass = |position: &Position| position.opponent % 6 == 1;
    let (mut endless, mut ahead) = (0, 0);
    for state in 0..game.space().states() {
        let position = game.position(state);
        let back =
            Position { score: position.opponent, opponent: position.score, memory: Vec::new() };
        let (own, rate) = (solution.own.best[state], solution.own.win_rates[state]);
        let both_pass = own == zero && rate == 0.5 && solution.own.best[game.state(&back)] == zero;
        let leads = rate > 0.5 && may_pass(&position) && may_pass(&back) && own & zero == 0;
        if !both_pass && !leads {
            continue;
        }
        let mut false_one = solution.clone();
        false_one.own.best[state] |= if leads { zero } else { 0b10 };
        let found = report(&claim(&game, &false_one, None));
        assert_eq!(found.first_wrong_roll.map(|(position, _)| position), Some(position));
        endless += usize::from(both_pass);
        ahead += usize::from(leads);
    }
    assert!(
        endless > 0 && ahead > 0,
        "found {endless} positions in which both pass, and {ahead} in which one must not"
    );
}

#[test]
fn complemented_best_sets_are_found_in_every_state_of_a_game_with_cycles() {
    let text = format!(
        "max_dice = 2\ngoal = 8\n{}{}",
        rule("bust", "0"),
        rule("zero_dice", "opponent % 2")
    );
    let game = own(&text);
    for arithmetic in BOTH {
        let solution = solve(&game, arithmetic, None);
        for state in 0..game.space().states() {
            let mut false_one = solution.clone();
            false_one.own.best[state] = !solution.own.best[state] & 0b111;
            let found = report(&claim(&game, &false_one, None));
            assert_eq!(
                found.wrong_rolls,
                1,
                "{arithmetic:?} at {:?}: {found:?}",
                game.position(state)
            );
            assert_eq!(
                found.first_wrong_roll.map(|(position, _)| position),
                Some(game.position(state))
            );
        }
    }
}
