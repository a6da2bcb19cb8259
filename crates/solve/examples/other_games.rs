//! Games that are no rule files, solved by hand-made components: a race on a board, an offer that
//! goes to and fro, and a game that hardly ever ends. Each value comes with a proven bound on its
//! error.
//!
//! `cargo run --release -p hog-solve --example other_games`

// An example prints.
#![allow(clippy::disallowed_macros)]

use hog_solve::component::{Component, Number, Solved, Twofold};

/// The last square of the board.
const GOAL: usize = 6;

fn main() {
    let solved = solved(&race());
    show("race, moving first", solved.values[0], solved.errors[0], f64::EPSILON / 2.0);
    assert!(solved.values[0] > 0.5, "who moves first is ahead");

    let solved = offer();
    show("offer, first", solved.values[0], solved.errors[0], f64::EPSILON / 2.0);
    assert_eq!(solved.values, [0.5, 0.5], "neither takes it, for ever");

    // v = chance + (1 - chance) (1 - v)
    let chance = 2f64.powi(-40);
    let solved = rare::<Twofold>();
    let unit = Twofold::units(1.0).to_double();
    show("rare, moving first", solved.values[0].to_double(), solved.errors[0], unit);
    assert!((solved.values[0].to_double() - 1.0 / (2.0 - chance)).abs() < 1e-15);
}

/// Prints a value with its bound.
fn show(name: &str, value: f64, [below, above]: [f64; 2], unit: f64) {
    let bound = below.max(above) * unit;
    println!("{name}: {value:.12}, within {bound:.1e}");
    assert!(bound < 1e-12, "{name}: the bound is {bound}");
}

fn solved<N: Number>(game: &Component<N>) -> Solved<N> {
    game.solve(None, &|| true).expect("it is small")
}

/// Both players move a piece from square 0 to the last square, by one coin (1 or 2 squares) or two
/// (2 to 4). Who would go beyond the last square stays; who comes to the other's square sends it
/// back to 0.
fn race() -> Component<f64> {
    let mut game = Component::new();
    for own in 0..GOAL {
        for other in 0..GOAL {
            for coins in [&[(1, 1), (2, 1)][..], &[(2, 1), (3, 2), (4, 1)]] {
                game.begin_choice(coins.iter().map(|(_, weight)| weight).sum());
                for (squares, weight) in coins {
                    let to = if own + squares > GOAL { own } else { own + squares };
                    let other = if to == other { 0 } else { other };
                    match to {
                        GOAL => game.end(*weight, 2),
                        // The other player moves, whose square comes first then.
                        _ => game.lead(GOAL * other + to, *weight, false),
                    }
                }
                game.end_choice();
            }
            game.end_node();
        }
    }
    game
}

/// Two players may take an offer, which wins 0.4 for the one and 0.3 for the other, or pass it on.
fn offer() -> Solved<f64> {
    let mut game = Component::new();
    for (player, taken) in [0.4, 0.3].into_iter().enumerate() {
        game.begin_choice(1);
        game.leave(1, &taken, 0.0, true);
        game.end_choice();
        game.begin_choice(1);
        game.lead(1 - player, 1, false);
        game.end_choice();
        game.end_node();
    }
    solved(&game)
}

/// The players throw 40 coins in turn; the first who throws only heads wins.
fn rare<N: Number>() -> Solved<N> {
    let mut game = Component::<N>::new();
    game.begin_choice(1 << 40);
    game.end(1, 2);
    game.lead(0, (1 << 40) - 1, false);
    game.end_choice();
    game.end_node();
    solved(&game)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_games_are_solved() {
        super::main();
    }

    /// Value iteration from a loss of everybody, which a game that ends with certainty forgets.
    #[test]
    fn the_race_has_the_value_that_rounds_of_play_lead_to() {
        let solved = super::solved(&super::race());
        let mut values = vec![0.0_f64; super::GOAL * super::GOAL];
        for _ in 0..2000 {
            let before = values.clone();
            for (node, value) in values.iter_mut().enumerate() {
                let own = node / super::GOAL;
                let other = node % super::GOAL;
                let reach = |squares: usize| {
                    let to = if own + squares > super::GOAL { own } else { own + squares };
                    let other = if to == other { 0 } else { other };
                    if to == super::GOAL { 1.0 } else { 1.0 - before[super::GOAL * other + to] }
                };
                let one = (reach(1) + reach(2)) / 2.0;
                let two = (reach(2) + 2.0 * reach(3) + reach(4)) / 4.0;
                *value = one.max(two);
            }
        }
        for (value, expected) in solved.values.iter().zip(values) {
            assert!((value - expected).abs() < 1e-12, "{value}, {expected}");
        }
    }
}
