//! Finished pairs in a file: kept rates equal those computed again, and invalid files are refused.

use std::path::{Path, PathBuf};

use hog_contest::{Entrant, KeepError, KeptPairs, Robin, round_robin};
use hog_rules::rules::{Overrides, load, rules_from_text};
use hog_solve::game::Game;
use hog_solve::pairs::PairRate;
use hog_solve::solve::Watch;
use hog_study::strategy::Strategy;
use serde_json::{Value, json};

fn game() -> Game {
    Game::new(load("fa21", Overrides { goal: Some(30), max_dice: None }).unwrap()).unwrap()
}

fn entrants(game: &Game, names: &[&str]) -> Vec<Entrant> {
    let plan = |name: &str| name.parse::<Strategy>().unwrap().plan(game, &Watch::silent()).unwrap();
    names
        .iter()
        .enumerate()
        .map(|(place, name)| Entrant::new(format!("{place}"), plan(name)))
        .collect()
}

/// Resumes from the pairs kept in a file and keeps all pairs in it, until this many pairs are done.
fn played(game: &Game, entrants: &[Entrant], file: &Path, most: usize) -> Option<Robin> {
    let mut kept = KeptPairs::read(file, game.rules()).unwrap();
    let keeps_going = |done: usize, _: usize| done < most;
    round_robin(game, entrants, &mut kept, &Watch::new(&keeps_going), |kept| kept.write(file)).ok()
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pairs.json");
    (folder, file)
}

/// Entrants that play alike are rated once: otherwise a run that is stopped between two such pairs
/// would give other last digits, and keep other pairs, than one that is not stopped.
#[test]
fn a_contest_with_entrants_that_play_alike_has_the_same_result_wherever_it_was_stopped() {
    let game = game();
    let names = [
        "always_roll:4",
        "bacon_strategy",
        "always_roll:4",
        "always_roll:0",
        "bacon_strategy",
        "always_roll:4",
    ];
    let entrants = entrants(&game, &names);
    let (_folder, file) = folder();
    let whole = played(&game, &entrants, &file, usize::MAX).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    assert_eq!(
        serde_json::from_slice::<Value>(&bytes).unwrap()["pairs"].as_array().unwrap().len(),
        6
    );
    for most in 1..21 {
        std::fs::remove_file(&file).unwrap();
        let _ = played(&game, &entrants, &file, most);
        let resumed = played(&game, &entrants, &file, usize::MAX).unwrap();
        assert_eq!(resumed.rates, whole.rates, "stopped at {most}");
        assert_eq!(std::fs::read(&file).unwrap(), bytes, "stopped at {most}");
    }
    for (a, b) in
        (0..6).flat_map(|a| (0..6).map(move |b| (a, b))).filter(|(a, b)| names[*a] != names[*b])
    {
        let like = names.iter().position(|name| *name == names[a]).unwrap();
        assert_eq!(whole.rates[a][b], whole.rates[like][b], "{a} {b}");
    }
}

/// Writes a file with these entrants and pairs.
fn write(file: &Path, game: &Game, bound: &Value, entrants: &[String], pairs: &Value) {
    let rules = format!("{:016x}", game.rules().fingerprint());
    let text = json!({
        "hog_contest": 3,
        "rules": rules,
        "error_bound": bound,
        "entrants": entrants,
        "pairs": pairs,
    });
    std::fs::write(file, text.to_string()).unwrap();
}

#[test]
fn a_kept_rate_is_used_from_either_side_with_its_bound() {
    let (game, (_folder, file)) = (game(), folder());
    let entrants = entrants(&game, &["always_roll:4", "always_roll:5"]);
    let digests: Vec<String> =
        entrants.iter().map(|entrant| entrant.digest().to_string()).collect();
    write(&file, &game, &json!(0.001), &digests, &json!([[1, 0, 0.7, 0.625]]));
    let robin = played(&game, &entrants, &file, usize::MAX).unwrap();
    assert_eq!(robin.rates[1][0], PairRate { first: 0.7, second: 0.625 });
    assert_eq!(robin.rates[0][1], PairRate { first: 0.375, second: 1.0 - 0.7 });
    assert_eq!(
        (robin.kept, robin.error_bound),
        (1, 0.001),
        "the bound is that of the kept pair, which is larger than that of new pairs"
    );
    write(&file, &game, &json!(0.0), &[], &json!([]));
    let bound = played(&game, &entrants, &file, usize::MAX).unwrap().error_bound;
    assert!(bound > 0.0 && bound < 1e-9, "{bound}");
}

/// The rate of two bids depends on the rule for them.
#[test]
fn pairs_of_a_game_with_other_bids_are_refused() {
    let rules = load("fa14", Overrides { goal: Some(30), max_dice: None }).unwrap();
    let text =
        rules.text.replace("first = \"bid > opponent_bid\"", "first = \"bid < opponent_bid\"");
    let other =
        rules_from_text(&text, "other", Overrides { goal: Some(30), max_dice: None }).unwrap();
    assert_eq!(rules.fingerprint(), other.fingerprint(), "the games differ only in their bids");
    let (_folder, file) = folder();
    KeptPairs::new(&rules).write(&file).unwrap();
    assert!(KeptPairs::read(&file, &rules).is_ok());
    assert!(matches!(KeptPairs::read(&file, &other), Err(KeepError::Strange { .. })));
}

#[test]
fn pairs_are_written_in_the_same_order_every_time() {
    let (game, (_folder, file)) = (game(), folder());
    let names = [
        "always_roll:0",
        "always_roll:1",
        "always_roll:2",
        "always_roll:3",
        "always_roll:4",
        "optimal",
    ];
    played(&game, &entrants(&game, &names), &file, usize::MAX).unwrap();
    let bytes = std::fs::read(&file).unwrap();
    for _ in 0..5 {
        KeptPairs::read(&file, game.rules()).unwrap().write(&file).unwrap();
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    }
}

#[test]
fn invalid_pairs_are_refused() {
    let (game, (folder, file)) = (game(), folder());
    let digests = ["1", "2"].map(|digit| digit.repeat(64));
    let refused_with = |bound: Value, entrants: &[String], pairs: Value| {
        write(&file, &game, &bound, entrants, &pairs);
        match KeptPairs::read(&file, game.rules()) {
            Err(KeepError::Strange { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let refused = |bound: Value, pairs: Value| refused_with(bound, &digests, pairs);
    for bound in [json!(-1e-9), json!(1.0), json!(1e300)] {
        assert!(refused(bound, json!([])).contains("bound"));
    }
    for rates in [[1.5, 0.5], [0.5, 1.5], [-0.5, 0.5], [0.5, -0.5]] {
        assert!(
            refused(json!(0.0), json!([[0, 1, rates[0], rates[1]]])).contains("win rate"),
            "{rates:?}"
        );
    }
    for pair in [json!([2, 0, 0.5, 0.5]), json!([0, 2, 0.5, 0.5])] {
        assert!(refused(json!(0.0), json!([pair])).contains("unknown entrant"), "{pair}");
    }
    for digest in ["x".repeat(64), "1".repeat(63), "-1".repeat(32)] {
        assert!(
            refused_with(json!(0.0), std::slice::from_ref(&digest), json!([])).contains("digest"),
            "{digest}"
        );
    }
    refused(json!(null), json!([]));
    for pair in [json!([0, 1, 0.5]), json!([0, -1, 0.5, 0.5]), json!(["0", "1", 0.5, 0.5])] {
        refused(json!(0.0), json!([pair]));
    }
    // The version before this one had short hashes, for which strangers could compute a plan.
    let old =
        json!({ "hog_contest": 2, "rules": "0", "error_bound": 0.0, "pairs": [] }).to_string();
    std::fs::write(&file, old).unwrap();
    let error = KeptPairs::read(&file, game.rules()).unwrap_err().to_string();
    assert!(error.contains("another version of hog; name another file"), "{error}");
    // A path that exists and cannot be read is an error, not an empty file.
    assert!(matches!(
        KeptPairs::read(folder.path(), game.rules()),
        Err(KeepError::Unreadable { .. })
    ));
}
