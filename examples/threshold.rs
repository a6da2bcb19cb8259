//! The best of a family of closures: from how many points on to roll fewer dice.

use hog::Engine;
use hog::queries::Rate;
use hog::strategy::Strategy;

/// Six dice below a score, and two from there on.
fn from(threshold: u32) -> Strategy {
    Strategy::from_scores(move |score, _| if score < threshold { 6 } else { 2 })
}

/// The threshold that wins most against six dice every time, and its win rate.
fn best() -> Result<(u32, f64), hog::Error> {
    let engine = Engine::builder().build();
    let game = engine.game("fa21")?;
    let mut best = 0;
    let mut most = 0.0;
    for threshold in (60..=100).step_by(4) {
        let question = Rate::of(&game, from(threshold)).against("always_roll:6");
        let average = engine.ask(&question)?.win_rate.average;
        if average > most {
            best = threshold;
            most = average;
        }
    }
    Ok((best, most))
}

fn main() -> Result<(), hog::Error> {
    let (threshold, average) = best()?;
    println!("two dice from {threshold} points on win {average:.6}");
    Ok(())
}

#[test]
fn fewer_dice_near_the_goal_win_more() {
    main().unwrap();
    let (threshold, average) = best().unwrap();
    assert!(threshold < 100 && average > 0.5);
}
