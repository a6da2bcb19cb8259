//! A game of one's own: a race to 3 points with one die, solved as a fraction and position by
//! position.

use hog::Engine;
use hog::queries::{GivenGame, GivenPosition, Solve};

const RACE: &str = "id = 'race'\ngoal = 3\nmax_dice = 1\n";

/// The first player's win rate, as a fraction.
fn fraction(engine: &Engine) -> Result<Option<String>, hog::Error> {
    let question = Solve::equilibrium(GivenGame::of_text(RACE)).fraction(true);
    Ok(engine.ask(&question)?.fraction)
}

/// The win rate of the player to move, for each score of both.
fn values(engine: &Engine) -> Result<Vec<f64>, hog::Error> {
    let solved = engine.solved(GivenGame::of_text(RACE))?;
    let mut values = Vec::new();
    for score in 0..3 {
        for opponent in 0..3 {
            values.push(solved.value(&GivenPosition::scores(score, opponent))?);
        }
    }
    Ok(values)
}

fn main() -> Result<(), hog::Error> {
    let engine = Engine::builder().build();
    println!("the first player wins {}", fraction(&engine)?.unwrap_or_default());
    for row in values(&engine)?.chunks(3) {
        println!("{row:.4?}");
    }
    Ok(())
}

#[test]
fn the_values_are_those_worked_out_by_hand() {
    main().unwrap();
    let engine = Engine::builder().build();
    assert_eq!(fraction(&engine).unwrap().as_deref(), Some("997/1296"));
    let values = values(&engine).unwrap();
    assert!((values[0] - 997.0 / 1296.0).abs() < 1e-12);
    // At 2 to anything, every face ends the game.
    assert_eq!(values[6..], [1.0; 3]);
}
