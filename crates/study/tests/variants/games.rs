//! Games with last turns, rounds and fixed turns, built in or in `docs/games`: values computed by
//! `scripts/games.py`, which implements their rules from prose and shares nothing with hog.

use std::path::{Path, PathBuf};

use hog_rules::rules::{Overrides, Rules, builtin, rules_from_text};
use hog_solve::game::examples::check_examples;
use hog_solve::game::{Game, Position};
use hog_solve::solve::{Arithmetic, Watch, equilibrium};

/// The number of rows of the file, so that a truncated file fails.
const ROWS: usize = 45;

/// The values of the file are sums in floats.
const TOLERANCE: f64 = 1e-12;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/games")
}

/// Returns the rules of a built-in game or of a file in the folder.
fn rules(id: &str, overrides: Overrides) -> Rules {
    let text = match builtin(id) {
        Some(game) => game.text.to_owned(),
        None => std::fs::read_to_string(folder().join(format!("{id}.toml"))).unwrap(),
    };
    // Scores count to twice the target in the Great Rolled Ones.
    let target = overrides.goal.map_or(50, |goal| goal / 2);
    let text = text.replace("target = 50", &format!("target = {target}"));
    rules_from_text(&text, id, overrides).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn games_of_last_turns_and_rounds_have_the_values_of_another_program() {
    let rows: Vec<&str> = include_str!("games.csv").lines().skip(1).collect();
    assert_eq!(rows.len(), ROWS);
    let mut solved = None;
    for row in rows {
        let [id, goal, score, opponent, memories, wanted] =
            row.split(',').collect::<Vec<_>>().try_into().unwrap();
        if solved.as_ref().is_none_or(|(known, _, _)| *known != [id, goal]) {
            let overrides = Overrides { goal: Some(goal.parse().unwrap()), max_dice: None };
            let game = Game::new(rules(id, overrides)).unwrap_or_else(|e| panic!("{e}"));
            let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
            solved = Some(([id, goal], game, solution));
        }
        let (_, game, solution) = solved.as_ref().unwrap();
        let rules = game.rules();
        let start =
            Position::new(rules, score.parse().unwrap(), opponent.parse().unwrap()).unwrap();
        let position = memories.split_whitespace().fold(start, |position, memory| {
            let (name, value) = memory.split_once('=').unwrap();
            position.with_memory(rules, name, value.parse().unwrap()).unwrap()
        });
        let (found, wanted) =
            (solution.own.win_rates[game.state(&position)], wanted.parse::<f64>().unwrap());
        assert!((found - wanted).abs() <= solution.error_bound + TOLERANCE, "{row}: {found}");
    }
}

/// With nine tiles it is 0.0976137, as Butler has it (durangobill.com/ShutTheBox.html), but that
/// takes a minute.
#[test]
fn a_lone_player_shuts_a_box_of_six_tiles_as_often_as_another_program_says() {
    let text = std::fs::read_to_string(folder().join("shut_the_box.toml")).unwrap();
    let alone = text.replace("players = 2", "players = 1");
    let overrides = Overrides { goal: Some(21), max_dice: None };
    let game = Game::new(rules_from_text(&alone, "alone", overrides).unwrap()).unwrap();
    let solution = equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap();
    let start = Position::new(game.rules(), 0, 0).unwrap();
    let found = solution.own.win_rates[game.state(&start)];
    let wanted = 370_889.0 / 1_679_616.0;
    assert!((found - wanted).abs() <= solution.error_bound, "{found}");
}

#[test]
fn the_examples_of_the_games_in_files_hold() {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> =
        files.filter(|path| path.extension() == Some("toml".as_ref())).collect();
    assert!(files.len() >= 4, "{files:?}");
    for path in files {
        let id = path.file_stem().and_then(|stem| stem.to_str()).unwrap();
        let rules = rules(id, Overrides::default());
        assert!(rules.examples.len() >= 4 && rules.source.is_some(), "{id}");
        assert_eq!(rules.id, id);
        check_examples(&rules, &|| true).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// The pages are computed by hog; these are the values of Neller's GreatRolledOnesSolver (2023),
/// 0.44955341311566405, and of `scripts/games.py full`.
#[test]
fn the_pages_have_the_values_of_other_programs() {
    let survey = include_str!("../../../../docs/survey.md");
    for row in ["| `great_rolled_ones` | 0.4495534131 |", "| `boyan_moore_pig` | 0.5338613877 |"] {
        assert!(survey.contains(row), "no {row}");
    }
    let times = include_str!("../../../../docs/times.md");
    for (id, value) in [("skunk_in_turns", "0.4228237707"), ("bunco_round", "0.5176661039")] {
        let row = format!("| [`{id}`](games/{id}.toml) | {value} |");
        assert!(times.contains(&row), "no {row}");
    }
}
