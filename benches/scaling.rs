//! Measures how the time to solve grows with the goal. Every timed run also checks its answer.
//! Takes a minute and 1.3 GB of memory.

use std::time::Instant;

use hog::game::Game;
use hog::rules::{Overrides, load};
use hog::solve::{Arithmetic, Solver, Watch};

/// Goals of fa21 and the first player's win rate at each, certified by its error bound; at goals
/// 100 and 300 also by exact arithmetic.
const GOALS: [(u32, f64); 5] = [
    (100, 0.5344347262683916),
    (300, 0.5184405293185324),
    (1_000, 0.5090462301287894),
    (3_000, 0.5043879708850039),
    (10_000, 0.5017044495166312),
];

/// The number of runs whose median is reported; see [`median`].
const RUNS: usize = 25;

fn main() {
    println!("{} threads\n", rayon::current_num_threads());
    println!("| goal | states | ready | solved | ns a state |\n|---|---|---|---|---|");
    for (goal, answer) in GOALS {
        let began = Instant::now();
        let rules =
            load("fa21", Overrides { goal: Some(goal), max_dice: None }).expect("a built-in game");
        let game = Game::new(rules).expect("sound rules");
        let solver = Solver::new(&game, Arithmetic::Float);
        let ready = began.elapsed().as_secs_f64();
        let seconds = median(|| {
            let solution =
                solver.equilibrium(&Watch::silent()).expect("a game that fits in memory");
            let first = solution.first();
            assert!((first - answer).abs() <= solution.error_bound, "goal {goal}: {first}");
        });
        let states = f64::from(goal).powi(2);
        let each = seconds / states * 1e9;
        println!(
            "| {goal} | {states:.0e} | {:.2} ms | {:.2} ms | {each:.0} |",
            ready * 1e3,
            seconds * 1e3
        );
    }
}

/// Returns the median time of [`RUNS`] runs, in seconds: of fewer runs if they take more than 10 s
/// in total, and of more if they take less than half a second, since a shared machine is slow at
/// moments.
fn median(mut run: impl FnMut()) -> f64 {
    let (mut seconds, mut all) = (Vec::new(), 0.0);
    while all < 0.5 || (seconds.len() < RUNS && all < 10.0) {
        let began = Instant::now();
        run();
        seconds.push(began.elapsed().as_secs_f64());
        all += seconds[seconds.len() - 1];
    }
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}
