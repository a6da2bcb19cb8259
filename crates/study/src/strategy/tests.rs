//! Tests of how strategies are written, and of what they may open.

use super::*;

#[test]
fn parsing_and_display_are_inverse() {
    for text in [
        "optimal",
        "final_strategy",
        "beat:beat:always_roll:6",
        "always_roll:0",
        "swap_strategy:-3,4",
        "sus_strategy",
        "table:a:b.csv",
        "python:a.py:best",
        "seeded:a.py",
        "baseline",
    ] {
        assert_eq!(text.parse::<Strategy>().unwrap().to_string(), text);
    }
}

#[test]
fn a_file_is_recognised_by_its_extension_and_opened_only_if_allowed() {
    let read = |text: &str| text.parse::<Strategy>().unwrap();
    assert_eq!(read("a/mine.py:best").to_string(), "python:a/mine.py:best");
    assert_eq!(
        [read("mine.py"), read("b.CSV")].map(|s| s.to_string()),
        ["python:mine.py", "table:b.CSV"]
    );
    let game = Game::new(crate::rules::load("fa21", Default::default()).unwrap()).unwrap();
    for text in ["mine.py", "table:/dev/zero", "beat:mine.csv", "beat:mix(always_roll:4,a.npy)"] {
        let error = read(text).plan(&game, &Watch::silent()).unwrap_err();
        assert!(matches!(error, StrategyError::Closed { .. }), "{text}: {error}");
    }
}

#[test]
fn a_given_plan_is_accepted_for_its_game_and_refused_for_others() {
    let game = |id: &str| Game::new(crate::rules::load(id, Default::default()).unwrap()).unwrap();
    let (fa21, fa19) = (game("fa21"), game("fa19"));
    let four = "always_roll:4".parse::<Strategy>().unwrap().plan(&fa21, &Watch::silent()).unwrap();
    let given = Strategy::Given { name: "mine".into(), plan: Arc::new(four.clone()) };
    assert_eq!(given.plan(&fa21, &Watch::silent()).unwrap(), four);
    let error = given.plan(&fa19, &Watch::silent()).unwrap_err().to_string();
    assert_eq!(error, "the strategy mine is not for fa19: it has other states or numbers of dice");
}

#[test]
fn unknown_names_are_refused_with_the_list_of_known_ones() {
    let long = "beat:".repeat(9);
    let texts = [
        "",
        "optimum",
        "always_roll",
        "always_roll:x",
        "beat:",
        "table:",
        "optimal:3",
        "prime_strategy:",
        "bacon_strategy:8,x",
        "bacon_strategy:8,6,4",
        &long,
    ];
    for text in texts {
        let error = text.parse::<Strategy>().unwrap_err().to_string();
        assert!(error.starts_with("unknown strategy `"), "{text}: {error}");
    }
    assert!("nobody".parse::<Strategy>().unwrap_err().to_string().contains("always_roll:N"));
}
