//! Measures how many games per second the simulator plays. Every timed run also checks its win
//! rate.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hog::game::Game;
use hog::rules::load;
use hog::sim::{Estimate, simulate};
use hog::solve::{Arithmetic, Watch, evaluate};
use hog::strategy::Strategy;

const GAMES: u64 = 1_000_000;

fn playing(c: &mut Criterion) {
    let mut group = c.benchmark_group("a million games of always_roll:5 against itself");
    group
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(5));
    group.throughput(Throughput::Elements(GAMES));
    for id in ["fa21", "nju21", "su15", "sp15", "fa19"] {
        let game =
            Game::new(load(id, Default::default()).expect("a built-in game")).expect("sound rules");
        let five: Strategy = "always_roll:5".parse().expect("a strategy");
        let plan = five.plan(&game, &Watch::silent()).expect("a game that fits in memory");
        let plans = [&plan, &plan];
        let exact = evaluate(&game, plans, Arithmetic::Float, &Watch::silent())
            .expect("a game that fits in memory")
            .first();
        let mut seed = 0;
        group.bench_function(id, |b| {
            b.iter(|| {
                seed += 1;
                let [first, _] = simulate(&game, plans, [GAMES, 0], seed, &Watch::silent())
                    .expect("a simulation that is not cancelled");
                let played = Estimate::of_share(first.win_rate(), GAMES, 6.0);
                assert!(played.holds(exact), "{id}: {played:?} does not contain the exact {exact}");
            });
        });
    }
}

criterion_group!(benches, playing);
criterion_main!(benches);
