//! Measures the time to prepare a game, to solve it and to rate plans. Every timed run also checks
//! its answer.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use hog::game::{Game, Plan};
use hog::pairs::Rater;
use hog::rules::{Overrides, load};
use hog::solve::{Arithmetic, Solver, Watch};

/// Games and the exact win rate of the first player when both play optimally, rounded to a double.
const GAMES: [(&str, f64); 5] = [
    ("fa21", 0.5344347262683916),
    ("nju21", 0.5090331030118842),
    ("su15", 0.5024804377251512),
    ("sp15", 0.5062143747791595),
    ("fa19", 0.5225964072273849),
];

fn game(id: &str) -> Game {
    Game::new(load(id, Default::default()).expect("a built-in game")).expect("sound rules")
}

fn solving(c: &mut Criterion) {
    for (arithmetic, name) in [(Arithmetic::Float, "float"), (Arithmetic::Exact, "exact")] {
        let mut group = c.benchmark_group(format!("equilibrium, {name}"));
        group
            .sample_size(10)
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(2));
        for (id, answer) in GAMES {
            let game = game(id);
            let solver = Solver::new(&game, arithmetic);
            group.bench_function(id, |b| {
                b.iter(|| {
                    let first = solver
                        .equilibrium(&Watch::silent())
                        .expect("a game that fits in memory")
                        .first();
                    let allowed = if arithmetic == Arithmetic::Exact { 0.0 } else { 1e-12 };
                    assert!((first - answer).abs() <= allowed, "{id}: {first}");
                });
            });
        }
    }
}

/// Games with a million states and random cycles; the time includes the proof of the error bound.
fn random_cycles(c: &mut Criterion) {
    let mut group = c.benchmark_group("random cycles, float");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(Duration::from_secs(1));
    // The first player's win rate as published by Neller and Presser (2004) for Pig.
    for (id, answer) in [("pig", Some(0.5306)), ("two_dice_pig", None)] {
        let game = game(id);
        let solver = Solver::new(&game, Arithmetic::Float);
        group.bench_function(id, |b| {
            b.iter(|| {
                let solution =
                    solver.equilibrium(&Watch::silent()).expect("a game that fits in memory");
                let right =
                    answer.is_none_or(|answer: f64| (solution.first() - answer).abs() < 0.00005);
                assert!(right && solution.error_bound < 1e-9, "{id}: {}", solution.first());
            });
        });
    }
}

/// Returns the plan that always rolls this number of dice.
fn always(game: &Game, dice: u8) -> Plan {
    Plan::of_scores(game.states(), vec![dice; game.space().goal * game.space().goal])
}

fn rating(c: &mut Criterion) {
    let mut group = c.benchmark_group("rate always_roll:4 against always_roll:6");
    // From tests/conformance/rates.csv, computed by another implementation.
    for (id, answer) in [("fa21", 0.4534892432423891), ("fa19", 0.4462083028602364)] {
        let game = game(id);
        let plans = [4, 6].map(|dice| always(&game, dice));
        let solver = Solver::new(&game, Arithmetic::Float);
        group.bench_function(id, |b| {
            b.iter(|| {
                let rated = solver
                    .evaluate([&plans[0], &plans[1]], &Watch::silent())
                    .expect("a game that fits in memory");
                assert!((rated.average() - answer).abs() < 2e-12);
            });
        });
    }
}

/// Rates a group of pairs of a contest on one core; the work that all groups share is done
/// beforehand.
fn pairs(c: &mut Criterion) {
    let mut group = c.benchmark_group("group of pairs of a contest");
    // From tests/conformance/rates.csv, computed by another implementation.
    for (id, answer) in [
        ("fa21", 0.4534892432423891),
        ("nju21", 0.45536806307712535),
        ("su15", 0.45094169101452),
        ("sp15", 0.4896720203563466),
        ("fa19", 0.4462083028602364),
    ] {
        let game = game(id);
        let [four, six] = [4, 6].map(|dice| always(&game, dice));
        let rater = Rater::new(&game);
        let side = rater.side();
        let plans: Vec<&Plan> = [vec![&four; side], vec![&six; side]].concat();
        let pairs: Vec<(usize, usize)> =
            (0..side).flat_map(|a| (side..2 * side).map(move |b| (a, b))).collect();
        group.throughput(criterion::Throughput::Elements(pairs.len() as u64));
        group.bench_function(id, |bench| {
            bench.iter(|| {
                let rated = rater.rate_group(&plans, &pairs, &Watch::silent());
                for rate in rated.expect("a game that fits in memory").rates {
                    assert!((rate.average() - answer).abs() < 2e-12, "{id}: {}", rate.average());
                }
            });
        });
    }
}

/// Measures the way from a rule file to a game that is ready to be solved in floats.
fn preparing(c: &mut Criterion) {
    let mut group = c.benchmark_group("rule file to solver");
    for (id, _) in GAMES {
        group.bench_function(id, |b| b.iter(|| prepare(id, Overrides::default())));
    }
    group.sample_size(10);
    for goal in [1_000, 10_000] {
        let overrides = Overrides { goal: Some(goal), ..Overrides::default() };
        group.bench_function(format!("fa21, goal {goal}"), |b| {
            b.iter(|| prepare("fa21", overrides))
        });
    }
}

fn prepare(id: &str, overrides: Overrides) {
    let game = Game::new(load(id, overrides).expect("a built-in game")).expect("sound rules");
    black_box(Solver::new(&game, Arithmetic::Float));
    assert_eq!(game.space().goal, overrides.goal.unwrap_or(100) as usize);
}

criterion_group!(benches, random_cycles, solving, rating, pairs, preparing);
criterion_main!(benches);
