//! How the time to solve grows with the goal; every run asserts the answer that it times. A minute, and 1.3 GB.

use std::time::Instant;

use hog::game::Game;
use hog::rules::{Overrides, load};
use hog::solve::{Arithmetic, Solver, Watch};

/// Goals of fa21 and the win rates of the first player there, certified by their bounds; that of 100 and 300 also
/// exactly.
const GOALS: [(u32, f64); 5] = [
    (100, 0.5344347262683916),
    (300, 0.5184405293185324),
    (1_000, 0.5090462301287894),
    (3_000, 0.5043879708850039),
    (10_000, 0.5017044495166312),
];

/// The medians of these many runs.
const RUNS: usize = 25;

fn main() {
    println!("{} threads\n", rayon::current_num_threads());
    println!("| goal | states | ready | solved | ns a state |\n|---|---|---|---|---|");
    for (goal, answer) in GOALS {
        let began = Instant::now();
        let rules = load("fa21", Overrides { goal: Some(goal), max_dice: None }).expect("a built-in game");
        let game = Game::new(rules).expect("sound rules");
        let solver = Solver::new(&game, Arithmetic::Float);
        let ready = began.elapsed().as_secs_f64();
        let seconds = median(|| {
            let solution = solver.equilibrium(&Watch::silent()).expect("it fits");
            let first = solution.first();
            assert!((first - answer).abs() <= solution.error_bound, "goal {goal}: {first}");
        });
        let states = f64::from(goal).powi(2);
        let each = seconds / states * 1e9;
        println!("| {goal} | {states:.0e} | {:.2} ms | {:.2} ms | {each:.0} |", ready * 1e3, seconds * 1e3);
    }
}

/// The median of the seconds of [`RUNS`] runs, fewer where they take long, and more where all take less than half a
/// second: a shared machine is slow for some moments.
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
