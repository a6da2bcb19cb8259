//! How the cost of a game grows with its goal, beside what this machine could do at best; prints the table of
//! `benches/README.md` and, with `--svg FILE`, writes its plot. Takes a minute and 1.3 GB.

mod machine;

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use hog::game::Game;
use hog::rules::{Overrides, load};
use hog::solve::{Arithmetic, Solver, Watch};
use machine::{additions_a_second, duration, operations};

/// Goals of fa21 and the win rates of the first player there, certified by their bounds; that of 100 and 300 also
/// exactly.
const GOALS: [(u32, f64); 5] = [
    (100, 0.5344347262683916),
    (300, 0.5184405293185324),
    (1_000, 0.5090462301287894),
    (3_000, 0.5043879708850039),
    (10_000, 0.5017044495166312),
];

/// Bytes of the results of a state: a double and a set of dice.
const BYTES: f64 = 12.0;

/// The medians of these many runs.
const RUNS: usize = 25;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let threads = rayon::current_num_threads() as f64;
    let (additions, bytes) = (additions_a_second(), fresh_bytes_a_second());
    println!(
        "{threads} threads; a core adds {:.1} G doubles a second in vectors from its first-level cache;",
        additions / 1e9
    );
    println!("fresh memory is filled at {:.1} GB a second by one core\n", bytes / 1e9);
    println!("| goal | states | ready | solved | ns a state | floor: operations | floor: memory | times the higher |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut costs = Vec::new();
    for (goal, answer) in GOALS {
        let began = Instant::now();
        let rules = load("fa21", Overrides { goal: Some(goal), max_dice: None }).expect("a built-in game");
        let game = Game::new(rules).expect("sound rules");
        let solver = Solver::new(&game, Arithmetic::Float);
        let ready = began.elapsed().as_secs_f64();
        let seconds = timed(&solver, (goal, answer));
        let states = f64::from(goal).powi(2);
        // One block is solved by one core.
        let cores = if goal > 512 { threads } else { 1.0 };
        let floors = [operations(&game) / additions / cores, states * BYTES / bytes / cores];
        println!(
            "| {goal} | {states:.0e} | {} | {} | {:.0} | {} | {} | {:.0} |",
            duration(ready),
            duration(seconds),
            seconds / states * 1e9,
            duration(floors[0]),
            duration(floors[1]),
            seconds / floors[0].max(floors[1])
        );
        costs.push((states, seconds));
    }
    // Cargo adds arguments of its own.
    if let Some([_, file]) = arguments.windows(2).find(|pair| pair[0] == "--svg") {
        std::fs::write(file, plot(&costs)).expect("a file that can be written");
    }
}

/// The median of the seconds to solve a game.
fn timed(solver: &Solver<&Game>, (goal, answer): (u32, f64)) -> f64 {
    machine::median(RUNS, || {
        let solution = solver.equilibrium(&Watch::silent()).expect("it fits");
        let first = solution.first();
        assert!((first - answer).abs() <= solution.error_bound, "goal {goal}: {first}");
    })
}

/// Bytes that one core writes to memory that the system has just given.
fn fresh_bytes_a_second() -> f64 {
    let size = 256 << 20;
    let began = Instant::now();
    let fresh = black_box(vec![1u8; size]);
    fresh.len() as f64 / began.elapsed().as_secs_f64()
}

/// Seconds against states, both in powers of ten, and the line through the middle that is linear in the states.
fn plot(costs: &[(f64, f64)]) -> String {
    let x = |states: f64| 80.0 + (states.log10() - 4.0) * 130.0;
    let y = |seconds: f64| 360.0 - (seconds.log10() + 4.0) * 60.0;
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 420\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <desc>Made by cargo bench --bench scaling -- --svg benches/cost.svg; do not edit.</desc>\n\
         <rect width=\"640\" height=\"420\" fill=\"white\"/>\n",
    );
    let mut line = |text: String| svg.write_str(&(text + "\n")).expect("a string grows");
    for power in 4..=8 {
        let at = x(10f64.powi(power));
        line(format!("<line x1=\"{at}\" y1=\"60\" x2=\"{at}\" y2=\"360\" stroke=\"#dddddd\"/>"));
        line(format!("<text x=\"{at}\" y=\"380\" text-anchor=\"middle\">10^{power}</text>"));
    }
    for power in -4..=1 {
        let at = y(10f64.powi(power));
        line(format!("<line x1=\"80\" y1=\"{at}\" x2=\"600\" y2=\"{at}\" stroke=\"#dddddd\"/>"));
        line(format!("<text x=\"70\" y=\"{}\" text-anchor=\"end\">10^{power} s</text>", at + 4.0));
    }
    line("<text x=\"340\" y=\"404\" text-anchor=\"middle\">states of fa21</text>".into());
    line("<text x=\"340\" y=\"40\" text-anchor=\"middle\">time to solve in floats; the line is linear in the states</text>".into());
    let (states, seconds) = costs[costs.len() / 2];
    let (least, most) = (costs[0].0, costs[costs.len() - 1].0);
    line(format!(
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"#999999\"/>",
        x(least),
        y(seconds * least / states),
        x(most),
        y(seconds * most / states)
    ));
    for (states, seconds) in costs {
        line(format!("<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"#1b6ca8\"/>", x(*states), y(*seconds)));
        line(format!("<text x=\"{}\" y=\"{}\">{}</text>", x(*states) + 9.0, y(*seconds) + 14.0, duration(*seconds)));
    }
    svg + "</svg>\n"
}
