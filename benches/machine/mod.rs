//! What this machine could do at best, and what a game takes at least: the floors that benchmarks print.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

use hog::game::{DistributionSet, Game};

/// Additions of doubles that one core does in vectors, one number of each from its first-level cache.
pub fn additions_a_second() -> f64 {
    let (mut sums, values) = ([0.0; 64], vec![1e-9; 2048]);
    let rounds = 2_000_000;
    let began = Instant::now();
    for _ in 0..rounds {
        add(black_box(&mut sums), black_box(&values));
    }
    rounds as f64 * values.len() as f64 / began.elapsed().as_secs_f64()
}

#[multiversion::multiversion(targets("x86_64+avx512f", "x86_64+avx2", "x86_64+avx"))]
fn add(sums: &mut [f64; 64], values: &[f64]) {
    let mut own = *sums;
    let (rows, _) = values.as_chunks::<64>();
    for row in rows {
        for place in 0..64 {
            own[place] += row[place];
        }
    }
    *sums = own;
}

pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

/// The median of the seconds of so many runs, fewer where they take long, and more where all take less than half a second:
/// a shared machine is slow for some moments.
pub fn median(runs: usize, mut run: impl FnMut()) -> f64 {
    let (mut seconds, mut all) = (Vec::new(), 0.0);
    while all < 0.5 || (seconds.len() < runs && all < 10.0) {
        let began = Instant::now();
        run();
        seconds.push(began.elapsed().as_secs_f64());
        all += seconds[seconds.len() - 1];
    }
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// Additions, products and comparisons of doubles that the states of a game take: for each cell those of its clean rolls
/// and distributions against each class of the opponent's memories, and for each action of a state two comparisons (is it
/// better, does it tie). What rules on totals cost beside is not counted.
pub fn operations(game: &Game) -> f64 {
    let space = game.space();
    let of_panel = |number: usize| {
        let panel = &game.action_sets()[number];
        let means: f64 = panel.by_shared.iter().map(|offer| means(game, offer)).sum();
        means * space.mine as f64 + (2 * space.actions * space.per_cell()) as f64
    };
    let of_panel: Vec<f64> = (0..game.action_sets().len()).map(of_panel).collect();
    (0..space.goal * space.goal).map(|cell| of_panel[game.action_set_number(cell)]).sum()
}

/// The operations for the means of all distributions on offer.
fn means(game: &Game, offer: &DistributionSet) -> f64 {
    let mut dice = HashMap::new();
    let mut terms = 0;
    for lottery in &offer.distributions {
        match &lottery.convolution {
            Some(convolution) => {
                let most = dice.entry((convolution.die, convolution.at_offset.with_points(0))).or_insert(0);
                *most = convolution.dice.max(*most);
                terms += convolution.remainder.len();
            }
            None if lottery.outcomes.len() > 1 => terms += lottery.outcomes.len(),
            None => {}
        }
    }
    let clean: usize = dice.into_iter().map(|((ladder, _), dice)| dice * die(&game.die_sums()[ladder])).sum();
    // A product and an addition for each term; a quotient and a difference for each lottery.
    (clean + 2 * terms + 2 * offer.distributions.len()) as f64
}

/// The operations of one die more: a sum of what its faces lead to, and products where they have weights.
pub fn die(faces: &[(u32, u64)]) -> usize {
    let products = if faces.iter().all(|(_, weight)| *weight == 1) { 0 } else { faces.len() };
    faces.len() - 1 + products
}
