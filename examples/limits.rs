//! An engine for questions of others: with limits, an end of time, and a way to stop it.

use std::time::Duration;

use hog::Engine;
use hog::engine::{Cancel, Limits};
use hog::queries::{Best, Solve};

fn engine() -> Engine {
    let mut limits = Limits::default();
    limits.states = 100_000;
    limits.time = Some(Duration::from_secs(10));
    Engine::builder().limits(limits).build()
}

/// The kinds of the errors of a question that is too large, of one about no position, and of one
/// that was stopped.
fn kinds() -> Vec<&'static str> {
    let engine = engine();
    let large = engine.ask(&Solve::equilibrium("fa19")).map(drop);
    let outside = engine.ask(&Best::at("fa21", 100, 36)).map(drop);
    let cancel = Cancel::new();
    cancel.cancel();
    let stopped = engine.cancelled_by(cancel).ask(&Best::at("fa21", 20, 36)).map(drop);
    let results = [large, outside, stopped];
    results.iter().filter_map(|result| Some(result.as_ref().err()?.kind())).collect()
}

fn main() -> Result<(), hog::Error> {
    println!("within its limits: {:?}", engine().ask(&Best::at("fa21", 20, 36))?.best);
    println!("refused: {:?}", kinds());
    Ok(())
}

#[test]
fn each_refusal_has_its_kind() {
    main().unwrap();
    assert_eq!(kinds(), ["limit", "value", "stopped"]);
}
