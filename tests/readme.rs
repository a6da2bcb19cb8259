//! What README.md, docs/rules.md and docs/ARCHITECTURE.md show is what the program prints: every command is run, every number computed.
//!
//! `HOG_README=write cargo test --release --locked --test readme` writes what is printed now into the files.

use std::path::{Path, PathBuf};
use std::process::Command;

use hog::game::Game;
use hog::rules::load;
use hog::solve::{Arithmetic, Watch, equilibrium, evaluate};
use hog::strategy::Strategy;
use tempfile::TempDir;

/// All sub-commands; the README shows each.
const COMMANDS: [&str; 15] = [
    "solve",
    "best",
    "bid",
    "rate",
    "turn",
    "dice",
    "check",
    "rules",
    "survey",
    "export",
    "simulate",
    "play",
    "explain",
    "contest",
    "completions",
];

/// In expected output: any number of lines.
const ANY_LINES: &str = "...";

#[test]
fn every_command_prints_what_the_readme_shows() {
    let shown = shown_is_printed("README.md");
    for command in COMMANDS {
        assert!(shown.iter().any(|line| line.split(' ').nth(1) == Some(command)), "no example of hog {command}");
    }
}

#[test]
fn every_step_of_the_page_on_rule_files_prints_what_it_shows() {
    assert!(shown_is_printed("docs/rules.md").len() > 8);
}

#[test]
fn the_worked_example_of_the_architecture_prints_what_it_shows() {
    assert!(shown_is_printed("docs/ARCHITECTURE.md").len() >= 4);
}

/// Runs every command of a page; the commands.
fn shown_is_printed(page: &str) -> Vec<String> {
    let readme = text(page);
    let folder = tempfile::tempdir().unwrap();
    let mut differing = Vec::new();
    let mut written = Vec::new();
    let mut shown = Vec::new();
    for part in parts(&readme) {
        match part {
            Part::Prose(line) => written.push(line.to_owned()),
            Part::File { name, lines } => {
                std::fs::write(folder.path().join(name), lines.join("\n") + "\n").unwrap();
                written.extend(lines.into_iter().map(str::to_owned));
            }
            Part::Command { command, expected } => {
                let printed = run(command, &folder);
                shown.push(command.to_owned());
                written.push(format!("$ {command}"));
                let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
                let agrees = matches(&expected, &printed);
                written.extend(if agrees { expected.clone() } else { printed.clone() });
                if !agrees {
                    let (expected, printed) = (expected.join("\n"), printed.join("\n"));
                    differing.push(format!("$ {command}\n{page} shows:\n{expected}\nit prints:\n{printed}"));
                }
            }
        }
    }
    if std::env::var("HOG_README").as_deref() == Ok("write") {
        std::fs::write(path(page), written.join("\n") + "\n").unwrap();
    } else {
        assert!(differing.is_empty(), "{}", differing.join("\n\n"));
    }
    shown
}

/// The rows `| game | equilibrium | baseline | final_strategy | best response | target |`, all to ten digits.
#[test]
fn the_win_rates_of_the_readme_are_those_of_the_library() {
    let readme = text("README.md");
    for id in ["fa19", "fa21", "nju21", "sp15", "su15"] {
        let game = Game::new(load(id, Default::default()).unwrap()).unwrap();
        let baseline = game.rules().baseline.clone().expect("the course names one");
        let target = match game.rules().target.as_deref() {
            Some(target) if target.parse::<f64>().is_ok() => target,
            _ => "none in numbers",
        };
        let watch = Watch::silent();
        let plan = |text: &str| text.parse::<Strategy>().unwrap().plan(&game, &watch).unwrap();
        let against = |strategy: &str| {
            let plans = [plan(strategy), plan(&baseline)];
            evaluate(&game, [&plans[0], &plans[1]], Arithmetic::Float, &watch).unwrap().average()
        };
        let first = equilibrium(&game, Arithmetic::Float, &watch).unwrap().first();
        let (ours, most) = (against("final_strategy"), against(&format!("beat:{baseline}")));
        let row = format!("| `{id}` | {first:.10} | `{baseline}` | {ours:.10} | {most:.10} | {target} |");
        assert!(readme.lines().any(|line| line == row), "README.md lacks this row:\n{row}");
    }
}

/// A piece of the README.
enum Part<'a> {
    Prose(&'a str),
    /// A fenced file whose first line is a comment with its name.
    File {
        name: &'a str,
        lines: Vec<&'a str>,
    },
    /// A command in a console block, and the lines that follow it there.
    Command {
        command: &'a str,
        expected: Vec<&'a str>,
    },
}

fn parts(readme: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut fence = "";
    for line in readme.lines() {
        if let Some(opened) = line.strip_prefix("```") {
            fence = opened;
            parts.push(Part::Prose(line));
            continue;
        }
        match (fence, parts.last_mut()) {
            ("console", _) if line.starts_with("$ ") => {
                parts.push(Part::Command { command: &line[2..], expected: Vec::new() });
            }
            ("console", Some(Part::Command { expected, .. })) => expected.push(line),
            ("toml" | "py", Some(Part::File { lines, .. })) => lines.push(line),
            ("toml" | "py", _) => {
                let name = line.strip_prefix("# ").expect("a file begins with its name");
                parts.push(Part::File { name, lines: vec![line] });
            }
            ("console", _) => panic!("output without a command: {line}"),
            _ => parts.push(Part::Prose(line)),
        }
    }
    parts
}

/// What a command prints on both outputs, line by line.
fn run(command: &str, folder: &TempDir) -> Vec<String> {
    let command = command.replace("cargo run --release --locked -- ", "hog ");
    assert!(command.starts_with("hog "), "only hog is run: {command}");
    let program = Path::new(env!("CARGO_BIN_EXE_hog")).parent().unwrap();
    let path = std::env::join_paths(
        std::iter::once(program.to_owned()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .env("PATH", path.unwrap())
        .current_dir(folder.path())
        .output()
        .unwrap();
    // Space at the end of a line is not seen in a page.
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().to_owned()).collect()
}

fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected {
        [] => printed.is_empty(),
        [any, rest @ ..] if any == ANY_LINES => (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..])),
        [line, rest @ ..] => {
            printed.first().is_some_and(|first| timeless(first) == timeless(line)) && matches(rest, &printed[1..])
        }
    }
}

/// A line without what differs from run to run: the digits of a time.
fn timeless(line: &str) -> String {
    if ["solved in", "checked in", "played in"].iter().any(|timed| line.contains(timed)) {
        line.chars().filter(|c| !c.is_ascii_digit()).collect()
    } else {
        line.trim_end().to_owned()
    }
}

fn text(page: &str) -> String {
    std::fs::read_to_string(path(page)).unwrap()
}

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

#[test]
fn a_difference_is_seen_and_a_time_is_none() {
    let agree = |expected: &str, printed: &str| {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
        matches(&lines(expected), &lines(printed))
    };
    assert!(
        agree("a\n...\nd", "a\nb\nc\nd") && agree("a\n...", "a") && agree("  solved in 0.1 s", "  solved in 22.5 s")
    );
    assert!(!agree("a\nb", "a") && !agree("a", "a\nb") && !agree("win rate 0.1", "win rate 0.2"));
    assert!(!agree("a\n...\nd", "a\nb\nc"));
}
