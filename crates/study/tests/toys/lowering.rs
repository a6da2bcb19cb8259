//! Turns that lower the sum of scores, so that play may return to any position.

use super::claims::claim;
use super::toy::{Toy, game};
use hog_check::{Claim, LoopBounds, Report, check};
use hog_rules::rules::rules_from_text;
use hog_solve::game::{Game, Order, Plan};
use hog_solve::solve::{
    Arithmetic, Method, Solution, Watch, best_response, endless, equilibrium, evaluate,
    practical_arithmetic, reach,
};

const COIN: &str =
    "[[rule]]\nname = \"Coin\"\ndie = \"2\"\nbust = \"0\"\npoints = \"busted ? 0 : 1\"\n";
const LOSES_ALL: &str = "score = \"busted ? 0 : score\"\n";

#[test]
fn a_coin_that_takes_the_score_is_solved_by_hand() {
    // Heads score 1 of the 2 points needed, tails lose all. With d = v(1, 1), b = v(1, 0), c = v(0,
    // 1), a = v(0, 0): d = 1/2 + 1/2 (1 - b), b = 1/2 + 1/2 (1 - a), c = 1/2 (1 - d) + 1/2 (1 -
    // b), a = 1/2 (1 - c) + 1/2 (1 - a); so b = 1 - a/2, d = 1/2 + a/4, c = 1/4 + a/8, and 3/2
    // a = 1 - 1/8 - a/16.
    let toy = Toy::new(&format!("goal = 2\nmin_dice = 1\nmax_dice = 1\n{COIN}{LOSES_ALL}"));
    assert_eq!(toy.game.order(), Order::Recurrent);
    toy.start("14/25", &[1]);
    toy.state((1, 0), &[], "18/25", &[1]).state((1, 1), &[], "16/25", &[1]).state(
        (0, 1),
        &[],
        "8/25",
        &[1],
    );
}

/// Two-dice Pig with dice of three sides, a point lost by choice, halving both scores, and a memory
/// of busts.
const GAMES: [&str; 4] = [
    "goal = 6\nmax_dice = 2\n[[memory]]\nname = \"pot\"\nof = \"game\"\nstart = 0\nmax = 5\n\
     next = \"again ? min(pot + rolled, 5) : 0\"\n[[rule]]\nname = \"Roll\"\ndie = \"3\"\n\
     bust = \"0\"\nzero_dice = \"pot\"\n\
     points = \"dice == 0 ? points : 0\"\nagain = \"dice > 0 && !busted\"\n\
     score = \"busted && count(1) == 2 ? 0 : score\"",
    "goal = 12\nmax_dice = 3\n[[rule]]\nname = \"Step back\"\nzero_dice = \"0\"\nbust = \"0\"\n\
     score = \"dice == 0 ? max(score - 1, 0) : score\"",
    "goal = 14\nmax_dice = 4\n[[rule]]\nname = \"Both fall\"\nbust = \"0\"\nzero_dice = \"1\"\n\
     score = \"busted ? score / 2 : score\"\nopponent_score = \"busted ? opponent / 2 : opponent\"",
    "goal = 9\nmax_dice = 2\n[[memory]]\nname = \"bad\"\nof = \"player\"\nstart = 0\nmax = 1\n\
     next = \"busted ? 1 : 0\"\n\
     [[rule]]\nname = \"Twice\"\nbust = \"0\"\nzero_dice = \"1\"\n\
     score = \"busted && bad == 1 ? 0 : score\"",
];

fn assert_close(game: &Game, exact: &Solution, float: &Solution) {
    let sides = [(&exact.own, &float.own)]
        .into_iter()
        .chain(exact.other.as_ref().zip(float.other.as_ref()));
    for (exact, found) in sides {
        for state in 0..game.space().states() {
            let error = (exact.win_rates[state] - found.win_rates[state]).abs();
            assert!(error <= float.error_bound + 1e-16, "state {state} is off by {error:e}");
            // A certain win may be reached in several ways, each of which is safe alone but not all
            // together: see `drop_stalling`.
            let missing = if exact.win_rates[state] == 1.0 {
                0
            } else {
                exact.best[state] & !found.best[state]
            };
            let sets = (
                exact.best[state],
                found.best[state],
                exact.win_rates[state],
                found.win_rates[state],
            );
            assert_eq!(
                missing,
                0,
                "floats miss best dice at {:?}: {sets:?}\n{}",
                game.position(state),
                game.rules().text
            );
        }
    }
}

#[test]
fn floats_are_within_their_bound_of_fractions_and_the_checker_confirms_them() {
    for text in GAMES {
        let game = game(text);
        assert_eq!(game.order(), Order::Recurrent, "{text}");
        let watch = &Watch::silent();
        let [exact, float] = [Arithmetic::Exact, Arithmetic::Float]
            .map(|arithmetic| equilibrium(&game, arithmetic, watch).unwrap());
        assert_close(&game, &exact, &float);
        let claim = |solution: &Solution| {
            let claim = Claim { exact: false, ..claim(&game, solution, None) };
            check(&claim, &|_, _| true).unwrap()
        };
        assert!(claim(&float).ok(), "{text}\n{:?}", claim(&float));
        let mut wrong = float.clone();
        let state = game.space().states() / 2;
        wrong.own.win_rates[state] += if wrong.own.win_rates[state] > 0.5 { -1e-6 } else { 1e-6 };
        assert!(!claim(&wrong).ok(), "a wrong value was not found: {text}");
    }
}

#[test]
fn rates_best_responses_and_reached_ends_of_plans_agree() {
    for text in GAMES {
        let game = game(text);
        let watch = &Watch::silent();
        let best = equilibrium(&game, Arithmetic::Float, watch).unwrap().plan();
        let most =
            Plan::from_actions(vec![(game.space().actions - 1) as u8; game.space().states()]);
        let [exact, float] = [Arithmetic::Exact, Arithmetic::Float]
            .map(|arithmetic| best_response(&game, &most, arithmetic, watch).unwrap());
        assert_close(&game, &exact, &float);
        let rate = evaluate(&game, [&best, &most], Arithmetic::Float, watch).unwrap();
        assert_close(
            &game,
            &evaluate(&game, [&best, &most], Arithmetic::Exact, watch).unwrap(),
            &rate,
        );
        assert!(float.average() >= rate.average() - 1e-9, "a plan beats the best response: {text}");
        let never = endless(&game, [&best, &most], watch).unwrap();
        for (seat, start) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
            let reached = reach(&game, [&best, &most], start, &|_, _| false, watch).unwrap();
            let expected = if seat == 0 { rate.first() } else { rate.second() };
            let found = reached.won + reached.tied / 2.0 + never[seat] / 2.0;
            assert!((found - expected).abs() <= 1e-9, "reached {found}, not {expected}: {text}");
        }
    }
}

/// Games whose turns lower the sum of the scores in ways that are hard to prove in floats: totals
/// past the goal come round to its other end; and a game that is hardly ever left.
const HARD: [&str; 2] = [
    "goal = 7\nmax_dice = 1\n[[rule]]\nname = \"Around\"\n\
     score = \"score > goal ? score - goal : score\"\npoints = \"min(9, score + 7 * rolled)\"\n",
    include_str!("small/hardly_left.toml"),
];

#[test]
fn small_games_that_are_hard_to_prove_have_their_exact_values() {
    for text in HARD {
        let (game, watch) = (game(text), &Watch::silent());
        let exact = equilibrium(&game, Arithmetic::Exact, watch).unwrap();
        let float = equilibrium(&game, Arithmetic::Float, watch).unwrap();
        assert_close(&game, &exact, &float);
        let plan = exact.plan();
        let (rate, _) = hog_solve::pairs::rate(&game, [&plan, &plan], watch).unwrap();
        assert!((rate.first - exact.first()).abs() < 1e-12, "{rate:?}");
    }
}

#[test]
fn a_game_that_is_hardly_ever_left_has_the_value_of_another_program() {
    let solved = equilibrium(&game(HARD[1]), Arithmetic::Float, &Watch::silent()).unwrap();
    assert!((solved.first() - 0.5000199).abs() < 5e-8, "{}", solved.first());
}

#[test]
fn loops_by_rounds_are_solved_one_after_another() {
    // In three turns of one player against a clock, two dice, snake eyes lose the score. A plain
    // value iteration of another program gives 0.259839129677; each round is a loop of its own.
    let text = include_str!("small/in_three_turns.toml");
    let solved = equilibrium(&game(text), Arithmetic::Float, &Watch::silent()).unwrap();
    assert_eq!(solved.method, Method::Graph);
    assert!((solved.first() - 0.259839129677).abs() < 1e-12, "{}", solved.first());
}

/// Small games that were slow or refused: values that only loops keep up, a game that is even for
/// ever, and loops that are seldom left.
#[test]
fn loops_of_small_games_are_proven_as_one_graph() {
    let games = [
        // Exact fractions of this program, in 8 seconds.
        (include_str!("small/loops_kept_up.toml"), 0.5128896361401807),
        (include_str!("small/even_for_ever.toml"), 0.5),
        // Two-sided sweeps by rows.
        (include_str!("small/slow_loops.toml"), 0.500679883790314),
        // Exact fractions, in 20, 3.5 and 1.5 seconds. Play lasts for millions of turns.
        (include_str!("small/rarely_won.toml"), 0.5000000028873202),
        (include_str!("small/rarely_scored.toml"), 0.5000090061344404),
        (include_str!("small/long_play.toml"), 0.5003713261517582),
    ];
    for (text, value) in games {
        let game = game(text);
        // Fractions may take a minute.
        assert_eq!(practical_arithmetic(&game, 1.0), Arithmetic::Float, "{text}");
        let solved = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
        assert_eq!(solved.method, Method::Graph, "{text}");
        assert!(solved.error_bound < 1e-11, "{}: {text}", solved.error_bound);
        let error = (solved.first() - value).abs();
        assert!(error <= solved.error_bound + 5e-11, "{}: {text}", solved.first());
    }
}

/// A natural rule that makes play long: each bust takes all points of the opponent. Pairs of
/// doubles prove what doubles do not.
#[test]
fn games_that_hardly_ever_end_have_their_exact_values() {
    for (goal, most) in [(12, 1), (30, 3), (20, 10)] {
        let game = game(&format!(
            "goal = {goal}\nmin_dice = 1\nmax_dice = {most}\n[[rule]]\nname = \"Takes\"\n\
             opponent_score = \"busted ? 0 : opponent\"\nscore = \"busted ? score / 2 : score\"\n"
        ));
        let watch = &Watch::silent();
        let exact = equilibrium(&game, Arithmetic::Exact, watch).unwrap();
        let float = equilibrium(&game, Arithmetic::Float, watch).unwrap();
        assert!(float.error_bound < 1e-11, "{} to {goal}", float.error_bound);
        assert_close(&game, &exact, &float);
    }
}

/// Floats prove nothing here, and fractions are used.
#[test]
fn only_exact_numbers_are_claimed_to_be_the_nearest_doubles() {
    let game = game(
        "goal = 15\nmin_dice = -1\nmax_dice = 3\n[[rule]]\nname = \"Back to 1\"\n\
         max_dice = \"max(1, opponent <= score ? goal : score)\"\n\
         score = \"count(3) != points * 2 ? 1 : score\"\n",
    );
    let solved = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    let of_rounding = f64::EPSILON / 4.0;
    let is_exact = solved.arithmetic == Arithmetic::Exact;
    assert_eq!(solved.error_bound <= of_rounding, is_exact, "{}", solved.error_bound);
    let report = report(&claim(&game, &solved, None));
    assert!(report.ok(), "{report:?}");
}

/// Pairs of doubles are needed here, and then without the actions that are certainly worse, which
/// close some of the loops.
#[test]
fn loops_are_counted_among_all_actions() {
    let (game, watch) = (game(include_str!("small/many_loops.toml")), &Watch::silent());
    for arithmetic in [Arithmetic::Exact, Arithmetic::Float] {
        let solved = equilibrium(&game, arithmetic, watch).unwrap();
        let report = report(&claim(&game, &solved, None));
        // The strongly connected components of all turns that keep the sum, counted by
        // reachability.
        assert_eq!((solved.loops, report.loops), (91, 91), "{arithmetic:?}");
    }
}

/// A loop that lowers the sum in every round keeps up any values: those of the first player are as
/// good as those of the second.
#[test]
fn endless_loops_have_the_value_of_endless_play_and_other_fixed_points_are_not_proven() {
    let game = game(include_str!("small/endless_loop.toml"));
    let watch = &Watch::silent();
    let solved = [Arithmetic::Exact, Arithmetic::Float].map(|arithmetic| {
        let solved = equilibrium(&game, arithmetic, watch).unwrap();
        // In another program, with a tie after each turn with chance p, the values tend to 7/16 as
        // p tends to 0.
        assert!((solved.first() - 7.0 / 16.0).abs() <= solved.error_bound + 1e-15);
        solved
    });
    // These values, too, are those of each state's best action, but a loop keeps them up.
    let kept_up = [
        0.42707972390679017,
        0.5937546406912697,
        1.0,
        0.586575497902878,
        0.5909344563445791,
        0.4273930777230891,
        0.44747148298746375,
        0.7368421052631605,
        1.0,
        0.5865754979028777,
        0.413424502097122,
        1.0,
        0.3508771929824527,
        0.6842105263157939,
        1.0,
        0.4130612555603139,
        0.41342450209712234,
        5.551115123125783e-17,
        0.31578947368420385,
        0.6842105263157989,
        1.0,
        0.612287903192322,
        0.5858385481869202,
        0.8024691358024691,
        0.7197473684210464,
    ];
    let value = |state: usize, action: usize| -> f64 {
        let total: f64 =
            game.weighted_successors(state, action).map(|(weight, _)| weight as f64).sum();
        let next = game.weighted_successors(state, action).map(|(weight, next)| {
            weight as f64 * next.state().map_or(1.0, |state| 1.0 - kept_up[state])
        });
        next.sum::<f64>() / total
    };
    let best = |state: usize| {
        let is_best = |action: &usize| (value(state, *action) - kept_up[state]).abs() < 1e-9;
        (0..game.space().actions).filter(is_best).fold(0, |set, action| set | 1 << action)
    };
    let sets: Vec<_> = (0..kept_up.len()).map(best).collect();
    assert!(!sets.contains(&0), "each value is that of an action");
    let [exact, float] = &solved;
    for (win_rates, best) in [
        (&kept_up[..], &sets),
        (&exact.own.win_rates[..], &exact.own.best),
        (&float.own.win_rates[..], &float.own.best),
    ] {
        let claim = Claim {
            best,
            win_rates,
            error_bound: 1e-11,
            rates: [win_rates[0], 1.0 - win_rates[0], 0.5],
            ..claim(&game, float, None)
        };
        let is_proven = check(&claim, &|_, _| true).is_ok_and(|report| report.ok());
        assert!(!is_proven || win_rates[0] == exact.own.win_rates[0], "{win_rates:?} is proven");
    }
}

/// The effects of turns on the scores, most of which lower their sum, and the dice.
const EFFECTS: [&str; 9] = [
    "score = \"busted ? 0 : score\"",
    "score = \"score > goal ? score_before : score\"",
    "score = \"dice == 0 ? max(score - 1, 0) : score\"",
    "opponent_score = \"points > 2 ? max(0, opponent - 1) : opponent\"",
    "opponent_score = \"busted ? opponent / 2 : opponent\"",
    "score = \"score % 3 == 1 ? score - 1 : score\"\n\
     opponent_score = \"opponent % 3 == 1 ? 0 : opponent\"",
    "score = \"score > goal ? score - goal : score\"",
    "score = \"opponent\"\nopponent_score = \"max(0, score - 2)\"",
    "again = \"dice > 0 && points == 2\"\nscore = \"points == 2 ? score / 2 : score\"",
];
const DICE: [&str; 6] = [
    "die = \"2\"\nzero_dice = \"0\"\nbust = \"0\"",
    "die = \"3\"\nzero_dice = \"1\"",
    "die = \"2 + (score + opponent) % 2\"\nzero_dice = \"opponent % 3\"",
    "die = \"3\"\nzero_dice = \"0\"\npoints = \"points > 4 ? 0 : points\"",
    "die = \"(score * 7 + opponent * 13) % 5 + 2\"\nzero_dice = \"2 - opponent % 3\"",
    "die = \"4\"\nzero_dice = \"score % 2\"\nbust = \"1\"",
];

fn report(claim: &Claim) -> Report {
    check(claim, &|_, _| true).unwrap_or_else(|error| panic!("{error}"))
}

/// Loops that go on for ever, that only best play ends, or that are hardly ever left.
#[test]
fn the_checker_confirms_games_of_endless_loops() {
    let watch = &Watch::silent();
    let texts = [
        include_str!("small/endless_loop.toml"),
        include_str!("small/even_for_ever.toml"),
        include_str!("small/loops_kept_up.toml"),
        include_str!("small/memories_without_effect.toml"),
        include_str!("small/slow_loops.toml"),
        HARD[0],
        HARD[1],
    ];
    for text in texts {
        let game = game(text);
        let most =
            Plan::from_actions(vec![(game.space().actions - 1) as u8; game.space().states()]);
        let solved = equilibrium(&game, Arithmetic::Float, watch).unwrap();
        let reply = best_response(&game, &most, Arithmetic::Float, watch).unwrap();
        for (solved, against) in [(solved, None), (reply, Some(&most))] {
            let report = report(&claim(&game, &solved, against));
            assert!(report.ok() && report.bound < 1e-9, "{report:?}: {text}");
        }
    }
}

/// Whatever the win rates and bounds of a claim are: what the checker proves is true.
#[test]
fn the_checker_never_proves_what_is_false() {
    let watch = &Watch::silent();
    let mut games = 0;
    let mut proven = 0;
    for (i, one) in EFFECTS.iter().enumerate() {
        for (j, other) in EFFECTS.iter().enumerate().filter(|(j, _)| *j != i) {
            let (dice, most) = (DICE[(i + j) % DICE.len()], 1 + (i + 2 * j) % 3);
            let text = format!(
                "id = \"toy\"\ngoal = 5\nmin_dice = {}\nmax_dice = {most}\n\
                 [[rule]]\nname = \"Dice\"\n{dice}\n[[rule]]\nname = \"One\"\n{one}\n\
                 [[rule]]\nname = \"Other\"\n{other}\n",
                j % 2
            );
            // Some effects are lost, because both set the same number.
            let rules = rules_from_text(&text, "toy", Default::default());
            let Some(game) = rules.ok().and_then(|rules| Game::new(rules).ok()) else { continue };
            if game.order() != Order::Recurrent {
                continue;
            }
            games += 1;
            let exact = equilibrium(&game, Arithmetic::Exact, watch).unwrap();
            let float = equilibrium(&game, Arithmetic::Float, watch).unwrap();
            let honest = report(&claim(&game, &float, None));
            assert!(honest.ok(), "{honest:?}\n{text}");
            let states = game.space().states();
            let scattered =
                |state: usize| ((state * 7919 + games * 104_729) % 1009) as f64 / 1009.0;
            let lowered = |by: f64| {
                let rates = float.own.win_rates.iter();
                rates.map(|rate| if *rate > 0.3 { rate - by } else { *rate }).collect::<Vec<f64>>()
            };
            let claims = [
                vec![0.0; states],
                vec![0.5; states],
                vec![1.0; states],
                (0..states).map(scattered).collect(),
                lowered(1e-15),
                lowered(3e-10),
                lowered(0.01),
            ];
            for win_rates in &claims {
                for factor in [0.0, 1e-6, 1.0, 1e9] {
                    let scale = |bounds: &[f64]| -> Vec<f64> {
                        bounds.iter().map(|bound| (factor * bound).min(1.0)).collect()
                    };
                    let Some(bounds) = &float.bounds else { continue };
                    let (below, above) = (scale(&bounds.below), scale(&bounds.above));
                    let bounds = LoopBounds {
                        other: &[],
                        states: &bounds.states,
                        below: &below,
                        above: &above,
                    };
                    // Any win rate is within this bound: only what is proven counts.
                    let rates = [win_rates[0], 1.0 - win_rates[0], 0.5];
                    let claim = Claim {
                        win_rates,
                        bounds: Some(bounds),
                        rates,
                        error_bound: 1.0,
                        ..claim(&game, &float, None)
                    };
                    let Ok(report) = check(&claim, &|_, _| true) else { continue };
                    if !report.ok() {
                        continue;
                    }
                    proven += 1;
                    for (claimed, exact) in win_rates.iter().zip(&exact.own.win_rates) {
                        let off = (claimed - exact).abs();
                        assert!(off <= report.bound + f64::EPSILON, "{off:e} {report:?}\n{text}");
                    }
                }
            }
        }
    }
    assert!(games > 60 && proven > games, "{proven} claims of {games} games");
}
