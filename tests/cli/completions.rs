//! Completions, requested as a shell does, and manual pages.

use super::{hog, text};

/// Returns the completions of the last word.
fn offered(words: &[&str]) -> Vec<String> {
    let output = hog(&[&["--", "hog"], words].concat())
        .env("HOG_COMPLETE", "fish")
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect()
}

#[test]
fn every_shell_has_its_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(text(&["completions", shell]).contains("HOG_COMPLETE"), "{shell}");
    }
}

#[test]
fn commands_games_strategies_and_files_are_completed() {
    let has = |words: &[&str], wanted: &[&str]| {
        let found = offered(words);
        assert!(
            wanted.iter().all(|word| found.iter().any(|one| one == word)),
            "{words:?}: {found:?}"
        );
    };
    has(&["ra"], &["rate"]);
    has(&["rate", "fa2"], &["fa21", "fa24"]);
    has(&["best", "FA2"], &["fa21", "fa24"]);
    has(&["rate", "fa21", "o"], &["optimal"]);
    has(&["try", "fa21", "optimal", "--against", "be"], &["beat:"]);
    has(&["rate", "fa24", "su"], &["sus_strategy"]);
    has(&["rate", "fa21", "crates/sandbox/src/har"], &["crates/sandbox/src/harness.py"]);
    has(&["check", "tables/fa21"], &["tables/fa21.hog"]);
    has(&["solve", "crates/rules/games/fa21"], &["crates/rules/games/fa21.toml"]);
    assert_eq!(offered(&["solve", "Cargo"]), ["Cargo.toml"], "Cargo.lock is no rule file");
}

#[test]
fn manual_pages_are_printed_and_written() {
    let page = text(&["man"]);
    assert!(page.contains(".TH") && page.contains("exact solver"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("man1");
    assert_eq!(text(&["man", inside.to_str().unwrap()]), "");
    for name in ["hog.1", "hog-best.1", "hog-rules-check.1"] {
        assert!(inside.join(name).is_file(), "{name}");
    }
}
