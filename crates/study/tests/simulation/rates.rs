//! Win rates of simulated games agree with the exact ones; the seeds are fixed.

use hog_rules::rules::{Overrides, rules_from_text};
use hog_solve::game::{Game, Position};
use hog_solve::solve::{Watch, endless};
use hog_study::sim::{
    Estimate, Trials, average_points, average_win_rate, run_experiments, simulate,
};
use hog_study::strategy::Strategy;

use super::{HANDOUTS, game, plan};

/// Returns whether a value lies within five standard errors of a share of games: by chance fewer
/// than one of a thousand such tests fails.
fn agrees(share: Estimate, games: u64, exact: f64) -> bool {
    Estimate::of_share(share.mean, games, 5.0).holds(exact)
}

fn assert_agreement(game: &Game, strategy: &str, opponent: &str, trials: Trials) {
    let plans = [plan(game, strategy), plan(game, opponent)];
    let rate = average_win_rate(game, [&plans[0], &plans[1]], trials, &Watch::silent()).unwrap();
    let name = format!("{}: {strategy} against {opponent}: {rate:?}", game.rules().id);
    let [first, second, average] = rate.exact;
    assert!(agrees(rate.first, rate.games[0], first), "{name}");
    assert!(agrees(rate.second, rate.games[1], second), "{name}");
    assert!(agrees(rate.average, trials.games, average), "{name}");
    let never = endless(game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
    let found = Estimate::of_share(rate.endless as f64 / trials.games as f64, trials.games, 5.0);
    assert!(found.holds((never[0] + never[1]) / 2.0), "{name}");
}

#[test]
fn simulated_and_exact_win_rates_agree_for_all_handouts_and_strategies() {
    for id in HANDOUTS {
        let game = game(id);
        let baseline = game.rules().baseline.clone().unwrap();
        for (number, strategy) in Strategy::of_the_course(game.rules()).iter().enumerate() {
            let trials = Trials { games: 10_000, seed: number as u64 };
            assert_agreement(&game, &strategy.to_string(), &baseline, trials);
        }
    }
}

#[test]
fn simulated_and_exact_win_rates_agree_in_a_game_with_random_cycles() {
    let game = game("neller_hog");
    assert_agreement(&game, "always_roll:3", "always_roll:6", Trials { games: 20_000, seed: 1 });
}

#[test]
fn endless_games_are_counted_as_half_a_win() {
    let game = game("nju21");
    // Both roll zero dice where neither of them can score by it, and one die elsewhere: some games
    // end in such a cycle.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("passing.csv");
    let passes = |score: usize, opponent: usize| score % 6 == 1 && opponent % 6 == 1;
    let rows = (0..100).flat_map(|score| (0..100).map(move |opponent| (score, opponent)));
    let rows: Vec<String> = rows
        .map(|(score, opponent)| {
            format!("{score},{opponent},{}\n", if passes(score, opponent) { 0 } else { 1 })
        })
        .collect();
    std::fs::write(&path, "score,opponent,dice\n".to_owned() + &rows.concat()).unwrap();
    let passing = format!("table:{}", path.display());
    let trials = Trials { games: 20_000, seed: 5 };
    assert_agreement(&game, &passing, &passing, trials);
    let plan = plan(&game, &passing);
    let [tally, _] = simulate(&game, [&plan, &plan], [10_000, 0], 5, &Watch::silent()).unwrap();
    assert!(tally.endless > 1000, "{tally:?}");
}

/// From 4 and 5 points a turn scores nothing and falls back to 0: the end is reached only by way of
/// lower sums.
#[test]
fn games_that_end_only_by_way_of_lower_sums_are_not_endless() {
    let text = r#"
id = "fall"
goal = 6
max_dice = 1
[[rule]]
name = "Rest"
bust = "1"
points = "score >= 4 ? 0 : points"
[[rule]]
name = "Fall"
score = "score >= 4 && score < 6 && points == 0 ? 0 : score"
"#;
    let rules = rules_from_text(text, "fall.toml", Overrides::default()).unwrap();
    let game = Game::new(rules).unwrap();
    let plan = plan(&game, "always_roll:1");
    let [tally, _] = simulate(&game, [&plan, &plan], [10_000, 0], 1, &Watch::silent()).unwrap();
    assert_eq!(tally.endless, 0, "{tally:?}");
    assert_agreement(&game, "always_roll:1", "always_roll:1", Trials { games: 20_000, seed: 1 });
}

#[test]
fn a_seed_gives_the_same_games_with_any_number_of_threads() {
    let game = game("su15");
    let plans = [plan(&game, "always_roll:5"), plan(&game, "optimal")];
    let played = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            simulate(&game, [&plans[0], &plans[1]], [30_000, 10_001], 42, &Watch::silent()).unwrap()
        })
    };
    let tallies = played(1);
    assert_eq!(tallies, played(2));
    assert_eq!(tallies, played(5));
    assert_eq!([tallies[0].games(), tallies[1].games()], [30_000, 10_001]);
    // These numbers must never change: seeds keep their meaning.
    assert_eq!([tallies[0].won, tallies[1].won, tallies[0].turns], [9298, 3037, 653_523]);
}

#[test]
fn average_points_of_turns_are_near_the_exact_ones() {
    for id in HANDOUTS {
        let game = game(id);
        for scores in [(0, 0), (20, 37)] {
            let from = Position::new(game.rules(), scores.0, scores.1).unwrap();
            for average in average_points(&game, &from, 2000, 3).unwrap() {
                let wide = (average.simulated.high - average.simulated.mean) * 2.5 + 1e-12;
                assert!(
                    (average.simulated.mean - average.exact).abs() <= wide,
                    "{id} {scores:?}: {average:?}"
                );
            }
        }
    }
}

#[test]
fn experiments_find_the_dice_that_score_most() {
    let game = game("su15");
    let baseline: Strategy = "always_roll:5".parse().unwrap();
    let found =
        run_experiments(&game, &baseline, Trials { games: 1000, seed: 2 }, &Watch::silent())
            .unwrap();
    let best = |place: usize| {
        let averages = &found.points[place].2;
        averages.iter().max_by(|a, b| a.exact.total_cmp(&b.exact)).unwrap().dice
    };
    assert_eq!(found.points.iter().map(|(sides, ..)| *sides).collect::<Vec<_>>(), [4, 6]);
    assert_eq!([best(0), best(1)], [4, 6]);
    assert!(found.win_rates.iter().any(|(strategy, _)| strategy == "swap_strategy:8,5"));
}

#[test]
fn a_watch_can_cancel_a_simulation() {
    let game = game("fa21");
    let plan = plan(&game, "always_roll:5");
    let stop = |_, _| false;
    assert!(simulate(&game, [&plan, &plan], [1, 1], 0, &Watch::new(&stop)).is_err());
}
