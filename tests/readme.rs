//! README.md and the pages in docs show what the program prints: every command is run, and every
//! number is computed.
//!
//! A block marked `console` holds commands, each after `$ `, and what they print on both outputs. A
//! line `...` stands for any number of lines, and the digits of a time (`in 0.3 s`) for any others.
//! A block `py` or `toml` that begins with a comment of one word is a file of that name, and so is
//! a block with a name after its mark (```` ```csv roster.csv ````). All commands of a page run in
//! one folder, in the order of the page; `export NAME=VALUE` applies to those that follow.
//!
//! `HOG_README=write cargo test --release --locked --test program readme` updates the pages with
//! what is printed.

use std::path::{Path, PathBuf};
use std::process::Command;

use hog::game::Game;
use hog::rules::load;
use hog::solve::{Arithmetic, Watch, equilibrium, evaluate};
use hog::strategy::Strategy;
use tempfile::TempDir;

/// The programs with which commands of a page may begin; they run in a temporary folder.
const PROGRAMS: [&str; 10] =
    ["hog", "cat", "cp", "head", "ls", "mkdir", "mv", "printf", "sort", "touch"];

/// In expected output: stands for any number of lines.
const ANY_LINES: &str = "...";

#[test]
fn every_page_shows_what_its_commands_print() {
    let pages = pages();
    let ran: Vec<Ran> = std::thread::scope(|scope| {
        let running: Vec<_> = pages.iter().map(|page| scope.spawn(|| run_page(page))).collect();
        running.into_iter().map(|page| page.join().unwrap()).collect()
    });
    let differing: Vec<&str> =
        ran.iter().flat_map(|page| &page.differing).map(String::as_str).collect();
    assert!(differing.is_empty(), "{}", differing.join("\n\n"));
    let shown =
        |command: &str| ran.iter().flat_map(|page| &page.commands).any(|line| uses(line, command));
    for command in commands() {
        assert!(shown(&command), "no page has an example of hog {command}");
    }
}

/// Returns the paths of README.md and the pages in docs.
fn pages() -> Vec<String> {
    let files = std::fs::read_dir(path("docs"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> =
        files.filter(|file| file.ends_with(".md")).map(|file| format!("docs/{file}")).collect();
    pages.push("README.md".to_owned());
    pages
}

/// Returns the names of all commands, from the program's own help.
fn commands() -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_hog")).arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    let list = help
        .lines()
        .skip_while(|line| !line.starts_with("Usage"))
        .take_while(|line| !line.starts_with("Options"));
    let named = list.filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    named.map(str::to_owned).collect()
}

/// Returns whether a line of a page runs a command of hog, perhaps at the end of a pipe.
fn uses(line: &str, command: &str) -> bool {
    line.split('|').any(|part| {
        let mut words = part.split_whitespace().skip_while(|word| word.contains('='));
        words.next() == Some("hog") && words.next() == Some(command)
    })
}

/// The commands of a page, and what they print other than the page shows.
struct Ran {
    commands: Vec<String>,
    differing: Vec<String>,
}

/// Runs every command of a page; with `HOG_README=write`, writes what they print into it.
fn run_page(page: &str) -> Ran {
    let shown = text(page);
    let mut shell = Shell { folder: tempfile::tempdir().unwrap(), variables: Vec::new() };
    let mut ran = Ran { commands: Vec::new(), differing: Vec::new() };
    let mut written = Vec::new();
    for part in parts(&shown) {
        match part {
            Part::Prose(line) => written.push(line.to_owned()),
            Part::File { name, lines } => {
                let file = shell.folder.path().join(name);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, lines.join("\n") + "\n").unwrap();
                written.extend(lines.into_iter().map(str::to_owned));
            }
            Part::Command { command, expected } => {
                let printed = shell.run(command);
                // What `cut` cuts may end anywhere.
                let blank = printed.iter().find(|line| line.ends_with(' '));
                if let Some(line) = blank.filter(|_| !command.contains("cut ")) {
                    ran.differing
                        .push(format!("$ {command}\nprints a blank at the end of `{line}`"));
                }
                let printed: Vec<String> =
                    printed.iter().map(|line| line.trim_end().into()).collect();
                written.push(format!("$ {command}"));
                let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
                let agrees = matches(&expected, &printed);
                if !agrees {
                    let (expected, printed) = (expected.join("\n"), printed.join("\n"));
                    ran.differing.push(format!(
                        "$ {command}\n{page} shows:\n{expected}\nit prints:\n{printed}"
                    ));
                }
                written.extend(if agrees { expected } else { printed });
                ran.commands.push(as_hog(command));
            }
        }
    }
    if std::env::var("HOG_README").as_deref() == Ok("write") {
        let written = written.join("\n") + "\n";
        if written != shown {
            std::fs::write(path(page), written).unwrap();
        }
        ran.differing.clear();
    }
    ran
}

/// Checks the rows `| game | equilibrium | baseline | final_strategy | best response | target |`,
/// to ten digits.
#[test]
fn the_win_rates_on_the_page_of_proofs_are_those_of_the_library() {
    let page = text("docs/proofs.md");
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
        let row =
            format!("| `{id}` | {first:.10} | `{baseline}` | {ours:.10} | {most:.10} | {target} |");
        assert!(page.lines().any(|line| line == row), "docs/proofs.md lacks this row:\n{row}");
    }
}

/// A piece of a page.
enum Part<'a> {
    Prose(&'a str),
    /// A file that a fenced block holds.
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

fn parts(page: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut fence = "";
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        if let Some(opened) = line.strip_prefix("```") {
            fence = opened.split(' ').next().unwrap_or_default();
            parts.push(Part::Prose(line));
            let name = opened.split_once(' ').map(|(_, name)| name);
            if let Some(name) =
                name.or_else(|| lines.peek().and_then(|first| name_in_comment(fence, first)))
            {
                fence = "file";
                parts.push(Part::File { name, lines: Vec::new() });
            }
            continue;
        }
        match (fence, parts.last_mut()) {
            ("console", _) if line.starts_with("$ ") => {
                parts.push(Part::Command { command: &line[2..], expected: Vec::new() });
            }
            ("console", Some(Part::Command { expected, .. })) => expected.push(line),
            ("console", _) => panic!("output before the first command: {line}"),
            ("file", Some(Part::File { lines, .. })) => lines.push(line),
            _ => parts.push(Part::Prose(line)),
        }
    }
    parts
}

/// Returns the name of a file that begins with it, as a comment of one word.
fn name_in_comment<'a>(language: &str, first: &'a str) -> Option<&'a str> {
    let name = first.strip_prefix("# ")?;
    (name.ends_with(&format!(".{language}")) && !name.contains(' ')).then_some(name)
}

/// Returns a command of a page with the program called as it is after its installation.
fn as_hog(command: &str) -> String {
    command.replace("cargo run --release --locked -- ", "hog ")
}

/// The folder and the variables with which the commands of a page run.
struct Shell {
    folder: TempDir,
    /// The variables that the page has exported.
    variables: Vec<(String, String)>,
}

impl Shell {
    /// Runs a command; returns the lines that it prints on both outputs.
    fn run(&mut self, command: &str) -> Vec<String> {
        if let Some((name, value)) =
            command.strip_prefix("export ").and_then(|set| set.split_once('='))
        {
            self.variables.push((name.to_owned(), value.to_owned()));
            return Vec::new();
        }
        let command = as_hog(command);
        let program = command.split(' ').find(|word| !word.contains('='));
        assert!(
            program.is_some_and(|name| PROGRAMS.contains(&name)),
            "only {PROGRAMS:?} are run: {command}"
        );
        let built = Path::new(env!("CARGO_BIN_EXE_hog")).parent().unwrap();
        let others = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths(
            std::iter::once(built.to_owned()).chain(std::env::split_paths(&others)),
        );
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}; }} 2>&1")])
            .env("PATH", path.unwrap())
            .env_remove("HOG_RULES")
            .env("XDG_CACHE_HOME", self.folder.path())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        printed.lines().filter(|line| !is_progress(line)).map(str::to_owned).collect()
    }
}

/// Whether a line tells the progress of slow work, as in `solving: 12 % after 10 s, 80 s left`: how
/// slow it is depends on the machine.
pub(crate) fn is_progress(line: &str) -> bool {
    line.split_once(" after ").is_some_and(|(_, rest)| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && (rest.ends_with(" s") || rest.ends_with(" left"))
    })
}

fn matches(expected: &[String], printed: &[String]) -> bool {
    match expected {
        [] => printed.is_empty(),
        [any, rest @ ..] if any == ANY_LINES => {
            (0..=printed.len()).any(|skipped| matches(rest, &printed[skipped..]))
        }
        [line, rest @ ..] => {
            printed.first().is_some_and(|first| timeless(first) == timeless(line))
                && matches(rest, &printed[1..])
        }
    }
}

/// Returns a line without what differs from run to run: the digits of a time, as in `solved in 0.3
/// s`.
fn timeless(line: &str) -> String {
    let mut words: Vec<&str> = line.split_whitespace().collect();
    let is_time = |three: &[&str]| {
        three[0] == "in" && three[1].parse::<f64>().is_ok() && three[2].starts_with('s')
    };
    match words.windows(3).position(is_time) {
        Some(place) => {
            words[place + 1] = "";
            words.join(" ")
        }
        None => line.trim_end().to_owned(),
    }
}

fn text(page: &str) -> String {
    std::fs::read_to_string(path(page)).unwrap()
}

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

#[test]
fn outputs_that_differ_only_in_times_match() {
    let agree = |expected: &str, printed: &str| {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<String>>();
        matches(&lines(expected), &lines(printed))
    };
    assert!(
        agree("a\n...\nd", "a\nb\nc\nd")
            && agree("a\n...", "a")
            && agree("  solved in 0.1 s", "  solved in 22.5 s")
    );
    assert!(!agree("a\nb", "a") && !agree("a", "a\nb") && !agree("win rate 0.1", "win rate 0.2"));
    assert!(!agree("a\n...\nd", "a\nb\nc"));
    assert!(!agree("solved in 0.1 s, 5 ties", "solved in 0.1 s, 6 ties"));
}

#[test]
fn the_version_and_the_address_are_the_same_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    assert!(text("CITATION.cff").contains(&format!("\nversion: {version}\n")));
    let newest =
        text("CHANGELOG.md").lines().find(|line| line.starts_with("## [")).map(str::to_owned);
    assert!(newest.is_some_and(|line| line.starts_with(&format!("## [{version}]"))));
    // A package index shows these addresses alone, so they are complete.
    let (page, project) = (text("python/README.md"), text("python/pyproject.toml"));
    let urls = project.split("[project.urls]\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut links: Vec<&str> =
        page.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    links.extend(urls.lines().map(|line| line.split('"').nth(1).unwrap()));
    assert!(!links.is_empty());
    for link in links {
        let inside = link.strip_prefix(env!("CARGO_PKG_REPOSITORY")).unwrap_or_else(|| {
            panic!("{link} does not begin with {}", env!("CARGO_PKG_REPOSITORY"))
        });
        let file = inside.trim_start_matches("/blob/main/");
        assert!(path(file).exists(), "{link}");
    }
}
