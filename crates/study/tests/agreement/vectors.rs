//! Results have the same bits with any vector instructions: the kernels are compiled for several
//! instruction sets, and one is chosen at run time.
//!
//! The checksums below were computed once. `.ci/run` compares them with the best vector
//! instructions of its machine; `.ci/run portable` with none, in a build with that feature. Whoever
//! changes the order of operations on purpose updates them.

use crc32fast::Hasher;
use hog_rules::files::hash::fnv_64;
use hog_rules::rules::{Overrides, load};
use hog_solve::game::{Game, Plan};
use hog_solve::pairs::Rater;
use hog_solve::partial::{HiddenSearch, OpponentMix, Sees};
use hog_solve::solve::{Arithmetic, Solution, Solver, Watch};
use hog_study::strategy::Strategy;

fn checksum(solution: &Solution) -> u32 {
    let mut hasher = Hasher::new();
    for values in [Some(&solution.own), solution.other.as_ref()].into_iter().flatten() {
        values.win_rates.iter().for_each(|rate| hasher.update(&rate.to_bits().to_le_bytes()));
        values.best.iter().for_each(|set| hasher.update(&set.to_le_bytes()));
    }
    hasher.finalize()
}

/// Returns the checksums of the equilibrium and of the best response to `always_roll:5`, and the
/// win rates of equilibrium play against `always_roll:5`.
fn found(id: &str, goal: u32) -> (u32, u32, [f64; 2]) {
    let watch = Watch::silent();
    let game =
        Game::new(load(id, Overrides { goal: Some(goal), max_dice: None }).unwrap()).unwrap();
    let five: Plan = "always_roll:5".parse::<Strategy>().unwrap().plan(&game, &watch).unwrap();
    let solver = Solver::new(&game, Arithmetic::Float);
    let (equilibrium, response) =
        (solver.equilibrium(&watch).unwrap(), solver.best_response(&five, &watch).unwrap());
    let optimal = equilibrium.plan();
    let rated = Rater::new(&game).rate(&[&optimal, &five], &[(0, 1)], &watch).unwrap();
    let pair = rated.rates[0];
    (checksum(&equilibrium), checksum(&response), [pair.first, pair.second])
}

#[test]
fn floats_have_the_same_bits_with_any_vector_instructions() {
    let expected = [
        ("fa21", 100, (0xc8130984, 0x0a1fb420, [0.6374111418767336, 0.5702478683008482])),
        ("nju21", 100, (0x437ac189, 0x88b53277, [0.7493139439938402, 0.7437829244282949])),
        ("su15", 100, (0xef0332df, 0x76193dd9, [0.6997669610718793, 0.6914066291731144])),
        ("sp15", 100, (0xde822467, 0x6df72db0, [0.6545286696887094, 0.6418639418156173])),
        ("fa15", 50, (0xffa9de05, 0xb2d9c5ee, [0.6818674231004347, 0.7435394709223329])),
        ("fa19", 50, (0xcd85d101, 0xf777f81f, [0.7650128585845465, 0.6955811117369779])),
    ];
    let found = expected.map(|(id, goal, _)| (id, goal, found(id, goal)));
    assert_eq!(found, expected);
}

#[test]
fn a_search_finds_the_same_table_with_any_vector_instructions() {
    let watch = Watch::silent();
    let game =
        Game::new(load("fa19", Overrides { goal: Some(30), max_dice: None }).unwrap()).unwrap();
    let four = "always_roll:4".parse::<Strategy>().unwrap().plan(&game, &watch).unwrap();
    let search = HiddenSearch { sees: Sees::Scores, tries: 3, seed: 7 };
    let found = search.run(&game, &OpponentMix::of_one(four), &watch).unwrap();
    let actions =
        [&found.plan.states_per_action().to_le_bytes()[..], found.plan.actions()].concat();
    assert_eq!(
        (fnv_64(&actions), found.first, found.second),
        (0xfb7136061a2740fa, 0.7660237111771777, 0.6429592002387491)
    );
}
