//! A closure is a strategy: how often it wins, and where it loses most.

use hog::Engine;
use hog::queries::{Rate, Try, TryAnswer};
use hog::strategy::Strategy;

/// Two dice near the goal, seven when far behind, else five.
fn careful() -> Strategy {
    let strategy = Strategy::from_scores(|score, opponent| {
        if score >= 90 {
            2
        } else if opponent > score + 20 {
            7
        } else {
            5
        }
    });
    strategy.named("careful")
}

fn tried(engine: &Engine) -> Result<TryAnswer, hog::Error> {
    engine.ask(&Try::of("fa21", careful()).top(3))
}

fn main() -> Result<(), hog::Error> {
    let engine = Engine::builder().build();
    let rate = engine.ask(&Rate::of("fa21", careful()).against("always_roll:6"))?;
    println!("{} wins {:.6} against {}", rate.strategy, rate.win_rate.average, rate.against);
    for place in tried(&engine)?.worst {
        println!("{} to {}: it rolls {}", place.score, place.opponent, place.dice);
    }
    Ok(())
}

#[test]
fn it_loses_something_to_the_best_response() {
    main().unwrap();
    let answer = tried(&Engine::builder().build()).unwrap();
    assert_eq!(answer.strategy, "careful");
    assert!(answer.loss.average > 0.0 && answer.worst.len() == 3);
}
