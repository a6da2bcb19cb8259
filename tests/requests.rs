//! Random requests to the server: memory and processor time hold for every endpoint and every
//! strategy. A test of its own, because it measures its process.
//!
//! `HOG_REPLAYS=1000 cargo test --release --test requests` runs for longer.

#![cfg(target_os = "linux")]

#[path = "../fuzz/src/lib.rs"]
#[allow(dead_code)]
mod targets;

/// The next of a sequence of pseudorandom bytes (SplitMix64).
fn next(state: &mut u64) -> u8 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ *state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed >> 40) as u8
}

#[test]
fn no_request_takes_more_memory_or_time_than_the_limits_of_the_server() {
    let replays =
        std::env::var("HOG_REPLAYS").ok().and_then(|number| number.parse().ok()).unwrap_or(20);
    let first: u64 =
        std::env::var("HOG_FIRST").ok().and_then(|number| number.parse().ok()).unwrap_or(0);
    for number in first..first + replays {
        // Shown if the test fails.
        println!("HOG_FIRST={number}");
        let mut state = number;
        let data: Vec<u8> = (0..4000).map(|_| next(&mut state)).collect();
        targets::request(&data);
    }
}

/// An endpoint that nobody thought of here would never be tried.
#[test]
fn every_endpoint_is_asked() {
    let document = hog::web::openapi();
    let paths = document["paths"].as_object().unwrap();
    let mut all: Vec<&str> = paths.keys().map(|path| &path["/api/v1/".len()..]).collect();
    let mut asked: Vec<&str> = targets::requests::endpoints().collect();
    all.sort_unstable();
    asked.sort_unstable();
    assert_eq!(asked, all);
}
