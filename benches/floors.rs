//! What this machine takes at the least for what the solver does, beside what it takes: prints the second table of
//! `benches/README.md`. A minute.
//!
//! A floor is operations over the rate at which one core does them with all numbers in its first-level cache. The
//! operations are those of the method (see `operations`), not those that the program happens to take.

mod machine;

use std::process::Command;

use hog::game::{Game, Plan};
use hog::rules::load;
use hog::solve::{Arithmetic, Rater, Solver, Watch};
use machine::{additions_a_second, die, duration, median, operations};

const GAMES: [&str; 5] = ["fa21", "su15", "nju21", "sp15", "fa19"];

/// The medians of these many runs.
const RUNS: usize = 15;

fn main() {
    let (additions, limbs) = (additions_a_second(), limbs_a_second());
    println!("a core adds {:.1} G doubles a second in vectors, and multiplies and adds", additions / 1e9);
    println!("{:.2} G limbs of 64 bits, all numbers in its first-level cache\n", limbs / 1e9);
    println!("| what | game | measured | operations | floor | times the floor |");
    println!("|---|---|---|---|---|---|");
    let row = |what: &str, id: &str, seconds: f64, (count, rate): (f64, f64)| {
        let (floor, times) = (count / rate, seconds * rate / count);
        println!("| {what} | {id} | {} | {:.2} M | {} | {times:.1} |", duration(seconds), count / 1e6, duration(floor));
    };
    let games = GAMES.map(|id| (id, Game::new(load(id, Default::default()).expect("built in")).expect("sound rules")));
    for (id, game) in &games {
        row("equilibrium, floats", id, solved(game, Arithmetic::Float), (operations(game), additions));
    }
    for (id, game) in &games {
        let cores = rayon::current_num_threads() as f64;
        row("equilibrium, exact", id, solved(game, Arithmetic::Exact), (limb_steps(game), limbs * cores));
    }
    for (id, game) in &games {
        row("pair of a contest", id, rated(game), (pair_operations(game), additions));
    }
    let start = process(&["--version"]);
    for arguments in [&["best", "fa21", "20", "36"][..], &["best", "fa19", "20", "36"]] {
        let seconds = process(arguments);
        let command = format!("hog {}", arguments.join(" "));
        println!("| {command} | | {} | | {} | {:.1} |", duration(seconds), duration(start), seconds / start);
    }
}

fn solved(game: &Game, arithmetic: Arithmetic) -> f64 {
    let solver = Solver::new(game, arithmetic);
    median(RUNS, || {
        let first = solver.equilibrium(&Watch::silent()).expect("it fits").first();
        assert!((0.5..0.55).contains(&first), "moving first is worth a little: {first}");
    })
}

/// A pair with its contenders ready: four dice against six.
fn rated(game: &Game) -> f64 {
    let cells = game.space().goal * game.space().goal;
    let plans = [4, 6].map(|dice| Plan::of_scores(game, vec![dice; cells]));
    let rater = Rater::new(game);
    let [four, six] = [0, 1].map(|plan| rater.contender(&plans[plan]));
    let mut room = rater.room();
    median(RUNS, || {
        let average = room.rate(&four, &six).expect("it fits").average();
        assert!((0.4..0.5).contains(&average), "six dice win more often than four: {average}");
    })
}

/// The operations of that pair: of each cell and plan one lottery, the clean rolls of fewer dice with it, against each class
/// of the opponent's memories that is met after such a plan: one.
fn pair_operations(game: &Game) -> f64 {
    let of_cell = |cell: usize| {
        let panel = game.action_set(cell);
        let plan = |dice: i32| {
            let action = game.space().action(dice).expect("within 10 dice");
            let lottery = panel.distributions(&game.space(), (0, 0, 0))[action];
            let lottery = &panel.by_shared[0].distributions[usize::from(lottery)];
            let convolution = lottery.convolution.as_ref().expect("clean rolls land alike");
            convolution.dice * die(&game.die_sums()[convolution.die]) + 2 * convolution.remainder.len() + 2
        };
        (plan(4) + plan(6)) as f64
    };
    let space = game.space();
    (0..space.goal * space.goal).map(of_cell).sum()
}

/// The products with a word, each added to a number of many limbs, that exact means take, as long as the numbers of their layer
/// are. In games without memories clean rolls are shared: one product for each number of dice and points of a die, and one for
/// each lottery and other outcome. In all others: one for each outcome of each lottery and class of the opponent's memories.
fn limb_steps(game: &Game) -> f64 {
    let space = game.space();
    let distributions =
        |number: usize| game.action_sets()[number].by_shared.iter().flat_map(|offer| &offer.distributions);
    let products = |number: usize| -> usize {
        if space.per_cell() > 1 {
            let outcomes = distributions(number).map(|lottery| lottery.outcomes.len());
            return space.mine * outcomes.filter(|outcomes| *outcomes > 1).sum::<usize>();
        }
        let climbs = || distributions(number).filter_map(|lottery| lottery.convolution.as_ref());
        let steps =
            climbs().map(|convolution| convolution.dice * game.die_sums()[convolution.die].len()).max().unwrap_or(0);
        steps + climbs().map(|convolution| 1 + convolution.remainder.len()).sum::<usize>()
    };
    let of_panel: Vec<usize> = (0..game.action_sets().len()).map(products).collect();
    // Each layer multiplies the denominator by its largest total, a multiple of all others in these games.
    let (mut bits, mut steps) = (1.0, 0.0);
    for sum in (0..space.stages()).rev() {
        let panels = || space.stage(sum).map(|cell| game.action_set_number(cell));
        let totals = panels().flat_map(distributions).map(|lottery| lottery.total);
        bits += (totals.max().expect("a lottery") as f64).log2();
        steps += panels().map(|number| of_panel[number] as f64).sum::<f64>() * (bits / 64.0).ceil();
    }
    steps
}

/// Limbs of a long number that one core multiplies by a word and adds to another long number.
fn limbs_a_second() -> f64 {
    let (mut sum, number) = (vec![1u64; 40], vec![u64::MAX / 3; 40]);
    let rounds = 2_000_000;
    let began = std::time::Instant::now();
    for round in 0..rounds {
        let mut carry = 0u128;
        for (limb, other) in std::hint::black_box(&mut sum).iter_mut().zip(std::hint::black_box(&number)) {
            carry += u128::from(*limb) + u128::from(*other) * (round | 1);
            (*limb, carry) = (carry as u64, carry >> 64);
        }
    }
    f64::from(rounds as u32) * number.len() as f64 / began.elapsed().as_secs_f64()
}

/// The seconds of a whole process.
fn process(arguments: &[&str]) -> f64 {
    median(RUNS, || {
        let output = Command::new(env!("CARGO_BIN_EXE_hog")).args(arguments).output().expect("hog runs");
        assert!(output.status.success(), "{arguments:?}");
    })
}
