//! `-o`: the extension determines the format, `-` is standard output, and files that hog did not
//! write are kept.

use std::path::Path;

use hog::export::SolvedTable;

use super::{assert_refused, hog, text};

const MINE: &str = "def final_strategy(score, opponent_score):\n    return 5\n";

fn at(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn a_file_that_hog_did_not_write_is_replaced_only_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| at(folder.path(), name);
    let best = file("best.py");
    let solve = ["solve", "fa21", "--goal", "9", "-o", &best];
    for (name, command) in [
        ("best.py", &solve[..]),
        ("all.csv", &["solve", "fa21", "--goal", "9", "-o", &file("all.csv")]),
        ("lost.csv", &["try", "fa21", "always_roll:6", "--goal", "9", "-o", &file("lost.csv")]),
        ("page.md", &["survey", "fa21", "--goal", "9", "-o", &file("page.md")]),
        ("game.play", &["play", "fa21", "--goal", "9", "--save", &file("game.play")]),
    ] {
        std::fs::write(file(name), MINE).unwrap();
        assert_refused(command, &[name, "hog did not write it", "--force"]);
        assert_eq!(std::fs::read_to_string(file(name)).unwrap(), MINE);
    }
    text(&[&solve[..], &["--force"]].concat());
    assert!(std::fs::read_to_string(&best).unwrap().contains("Made by hog"));
    text(&solve);
}

/// Entrants are read, and conflicts with the user's files found, before any pair is rated:
/// otherwise `pairs.json` would exist.
#[test]
fn pages_of_a_contest_replace_no_files_of_the_user_and_conflicts_are_found_first() {
    let folder = tempfile::tempdir().unwrap();
    let exists = |name: &str| folder.path().join(name).exists();
    let run = |more: &[&str]| {
        let command =
            ["contest", "su15", "--goal", "10", "always_roll:4", "optimal", "--keep", "pairs.json"];
        hog(&[&command[..], more].concat()).current_dir(folder.path()).output().unwrap()
    };
    std::fs::create_dir(folder.path().join("own")).unwrap();
    for (option, page) in
        [("--reports", "own/optimal.html"), ("--results", "own/always-roll-4.json")]
    {
        std::fs::write(folder.path().join(page), "my own words").unwrap();
        let output = run(&[option, "own"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(page), "{output:?}");
        assert!(!exists("pairs.json"), "pairs were rated before the conflict was found");
        assert_eq!(std::fs::read_to_string(folder.path().join(page)).unwrap(), "my own words");
    }
    for option in ["--reports", "--results"] {
        let missing = run(&[option, "new/pages", "no_such_strategy"]);
        assert!(
            missing.status.code() != Some(0) && !exists("new"),
            "a failed command leaves no folder"
        );
        let within_a_file = run(&[option, "own/optimal.html/pages"]);
        assert!(within_a_file.status.code() != Some(0) && !exists("pairs.json"));
    }
    assert_eq!(run(&["--reports", "new/pages", "--results", "new/results"]).status.code(), Some(0));
    assert!(exists("new/pages/optimal.html") && exists("new/results/optimal.json"));
}

#[test]
fn files_that_hog_wrote_are_replaced() {
    let folder = tempfile::tempdir().unwrap();
    for ending in SolvedTable::ENDINGS.iter().chain(&["hog"]) {
        let path = at(folder.path(), &format!("out.{ending}"));
        text(&["solve", "fa21", "--goal", "9", "-o", &path]);
        text(&["solve", "fa21", "--goal", "8", "-o", &path]);
    }
    for ending in ["csv", "txt", "py"] {
        let path = at(folder.path(), &format!("scores.{ending}"));
        let search = [
            "solve",
            "fa19",
            "--goal",
            "9",
            "--sees",
            "scores",
            "--against",
            "always_roll:4",
            "--tries",
            "1",
        ];
        text(&[&search[..], &["-o", &path]].concat());
        text(&[&search[..], &["-o", &path]].concat());
    }
    let page = at(folder.path(), "page.md");
    for _ in 0..2 {
        text(&["survey", "fa21", "--goal", "9", "-o", &page]);
        text(&[
            "try",
            "fa21",
            "always_roll:6",
            "--goal",
            "9",
            "-o",
            &at(folder.path(), "lost.csv"),
        ]);
        let game = at(folder.path(), "game.hogplay");
        hog(&["play", "fa21", "--goal", "9", "--save", &game])
            .write_stdin("q\n")
            .assert()
            .success();
    }
}

#[test]
fn an_extension_that_cannot_be_written_is_refused_before_any_work() {
    let formats: Vec<String> =
        SolvedTable::ENDINGS.iter().map(|ending| format!(".{ending}")).collect();
    let (last, others) = formats.split_last().unwrap();
    let all = &format!("{} or {last}", others.join(", "));
    for (command, endings) in [
        (&["solve", "fa19", "--goal", "60", "-o", "a.docx"][..], &*format!("use .hog, {all}")),
        (&["solve", "fa21", "-o", "table"], ".hog, .py, .csv"),
        (&["try", "fa21", "always_roll:6", "-o", "a.py"], "use .csv"),
        (&["survey", "-o", "a.html"], "use .md"),
        (&["contest", "fa21", "optimal", "--matrix", "a.json"], "use .csv"),
    ] {
        assert_refused(command, &[command.last().unwrap(), endings]);
    }
    let search = ["solve", "fa19", "--sees", "scores", "--against", "baseline", "-o", "a.hog"];
    assert_refused(&search, &[".py, .csv or .txt"]);
    assert_refused(&["solve", "fa21", "--to", "csv", "-o", "a.py"], &["--to", "different forms"]);
}

/// A transcript is written after every turn, into a file of any name.
#[test]
fn a_game_is_saved_turn_by_turn_into_a_file_of_any_ending() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["game.jsonl", "game.json", "game.csv", "game.hogplay", "game"] {
        let path = at(folder.path(), name);
        for seed in ["1", "2"] {
            text(&[
                "play",
                "fa21",
                "--goal",
                "20",
                "--seed",
                seed,
                "--as",
                "always_roll:5",
                "--save",
                &path,
            ]);
            let saved = std::fs::read_to_string(&path).unwrap();
            assert!(
                saved.lines().count() > 2 && saved.contains(&format!("\"seed\":{seed}")),
                "{name}: {saved}"
            );
        }
    }
}

#[test]
fn a_new_rule_file_is_replaced_until_somebody_edits_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(folder.path(), "mine.toml");
    let new = ["rules", "new", "mine", "-o", &path];
    text(&new);
    text(&new);
    let edited = std::fs::read_to_string(&path).unwrap().replace("goal = 100", "goal = 50");
    std::fs::write(&path, &edited).unwrap();
    assert_refused(&new, &["mine.toml", "hog did not write it", "--force"]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), edited);
    text(&[&new[..], &["--force"]].concat());
    assert!(std::fs::read_to_string(&path).unwrap().contains("goal = 100"));
}

#[test]
fn the_format_of_an_export_follows_from_the_extension() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(folder.path(), "final.py");
    text(&["solve", "fa21", "--goal", "9", "-o", &path]);
    let exported = std::fs::read_to_string(path).unwrap();
    let printed = text(&["solve", "fa21", "--goal", "9", "--to", "python", "-o", "-"]);
    // The comment names the command.
    let of_rolls = |text: &str| text.split_once("prints it.").map(|(_, rest)| rest.to_owned());
    assert!(
        of_rolls(&printed).is_some() && of_rolls(&exported) == of_rolls(&printed),
        "{exported}"
    );
}

#[test]
fn an_exported_file_names_the_options_that_made_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(folder.path(), "final.py");
    for options in ["--arithmetic float", "--arithmetic exact --fraction", ""] {
        let words = ["solve", "fa21", "--goal", "9"].into_iter().chain(options.split_whitespace());
        text(&words.chain(["-o", &path]).collect::<Vec<_>>());
        let options = if options.is_empty() { String::new() } else { format!(" {options}") };
        let named = format!("as `hog solve fa21 --goal 9{options} --to py` prints it");
        let exported = std::fs::read_to_string(&path).unwrap();
        assert!(exported.contains(&named), "{named}: {exported}");
    }
}

#[test]
fn a_dash_writes_to_standard_output_and_nothing_else_goes_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(folder.path(), "a.hog");
    text(&["solve", "fa21", "--goal", "9", "-o", &path]);
    let piped = hog(&["solve", "fa21", "--goal", "9", "-o", "-"]).output().unwrap();
    assert!(piped.stdout == std::fs::read(path).unwrap() && piped.stderr.is_empty());
    assert!(
        text(&["try", "fa21", "always_roll:6", "--goal", "9", "-o", "-"])
            .starts_with("score,opponent,")
    );
    let page = text(&["survey", "fa21", "--goal", "9", "-o", "-"]);
    assert!(page.contains("# CS 61A, Fall 2021, solved") && !page.contains("!["), "{page}");
    assert!(
        text(&["solve", "fa21", "--goal", "9", "--to", "csv", "-o", "-"])
            .starts_with("score,opponent,win_rate,")
    );
    assert!(text(&["rules", "new", "zz", "-o", "-"]).starts_with("# zz.toml: "));
    assert!(!Path::new("-").exists() && !Path::new("-.svg").exists());
}

/// The file is read, so its replacement would lose it; this is checked for every spelling, also
/// with `--force`.
#[test]
fn a_file_that_a_command_reads_is_not_its_output() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &[&str]| {
        let output = hog(words).current_dir(folder.path()).output().unwrap();
        super::assert_refusal(output, &["is read by this command"], &format!("{words:?}"));
    };
    std::fs::write(folder.path().join("in.py"), MINE).unwrap();
    let made = hog(&["solve", "fa21", "--goal", "9", "-o", "in.csv"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(made.status.success());
    let read = || std::fs::read_to_string(folder.path().join("in.csv")).unwrap();
    let before = read();
    for command in [
        &["try", "fa21", "in.csv", "-o", "in.csv"][..],
        &["try", "fa21", "optimal", "--against", "beat:in.csv", "-o", "./in.csv"],
        &["contest", "fa21", "table:in.csv", "optimal", "-o", "in.csv"],
        &["contest", "fa21", "in.csv", "optimal", "--matrix", "in.csv"],
        &["contest", "fa21", "optimal", "--roster", "in.csv", "-o", "in.csv"],
        &["solve", "fa21", "--against", "in.py", "-o", "in.py"],
        &["solve", "fa21", "--against", "in.csv", "-o", "in.csv"],
        &["tune", "fa21", "always_roll:1..2", "--against", "in.csv", "-o", "in.csv"],
        &["play", "fa21", "--against", "in.csv", "--save", "in.csv"],
    ] {
        refused(&[command, &["--goal", "9", "--force"]].concat());
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in.csv", folder.path().join("link.csv")).unwrap();
        refused(&["try", "fa21", "in.csv", "--goal", "9", "--force", "-o", "link.csv"]);
        refused(&["try", "fa21", "link.csv", "--goal", "9", "--force", "-o", "in.csv"]);
    }
    assert_eq!(read(), before);
}

#[test]
fn two_outputs_to_one_file_are_refused_and_so_is_a_dash_that_cannot_be_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    for (words, message) in [
        (
            &["contest", "fa21", "optimal", "-o", "two.csv", "--matrix", "./two.csv"][..],
            "two results",
        ),
        (&["contest", "fa21", "optimal", "-o", "x.html", "-o", "x.html"], "two results"),
        (&["contest", "fa21", "optimal", "-o", "-", "-o", "-"], "two results"),
        (&["contest", "fa21", "optimal", "-o", "x.json", "--keep", "x.json"], "two results"),
        (&["play", "fa21", "--save", "-"], "--save -"),
    ] {
        let output = hog(words).args(["--goal", "9"]).current_dir(folder.path()).output().unwrap();
        super::assert_refusal(output, &[message], &format!("{words:?}"));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is written");
}

/// Edits that leave the head of a file as hog wrote it, and files of the user that have the same
/// head.
#[test]
fn an_edited_file_is_replaced_only_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| {
        hog(words).args(["--goal", "9"]).current_dir(folder.path()).output().unwrap()
    };
    let fourth = ["always_roll:4", "optimal"];
    for (file, command) in [
        ("ed.csv", &["solve", "fa21", "-o", "ed.csv"][..]),
        ("ed.csv", &["tune", "fa21", "always_roll:1..2", "-o", "ed.csv"]),
        ("ed.csv", &["try", "fa21", "always_roll:4", "-o", "ed.csv"]),
        ("ed.json", &["solve", "fa21", "-o", "ed.json"]),
        ("ed.npy", &["solve", "fa21", "-o", "ed.npy"]),
        ("ed.txt", &["solve", "fa21", "-o", "ed.txt"]),
        ("ed.drn", &["solve", "fa21", "-o", "ed.drn"]),
        ("ed.py", &["solve", "fa21", "-o", "ed.py"]),
        ("ed.hog", &["solve", "fa21", "-o", "ed.hog"]),
        ("ed.md", &["contest", "fa21", fourth[0], fourth[1], "-o", "ed.md"]),
        ("ed.html", &["contest", "fa21", fourth[0], fourth[1], "-o", "ed.html"]),
        ("ed.svg", &["plot", "best", "fa21", "-o", "ed.svg"]),
        ("ed.png", &["plot", "best", "fa21", "-o", "ed.png"]),
        (
            "game.save",
            &["play", "fa21", "--as", "always_roll:5", "--seed", "1", "--save", "game.save"],
        ),
    ] {
        let path = folder.path().join(file);
        let _ = std::fs::remove_file(&path);
        for _ in 0..2 {
            let output = run(command);
            assert!(
                output.status.success(),
                "{command:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let edited = [&std::fs::read(&path).unwrap()[..], b"my notes\n"].concat();
        std::fs::write(&path, &edited).unwrap();
        super::assert_refusal(
            run(command),
            &[file, "it was edited", "--force"],
            &format!("{command:?}"),
        );
        assert_eq!(std::fs::read(&path).unwrap(), edited);
        assert!(run(&[command, &["--force"]].concat()).status.success());
        assert_ne!(std::fs::read(&path).unwrap(), edited);
    }
    std::fs::write(
        folder.path().join("own.csv"),
        "score,opponent,win_rate,dice,best\n0,0,0.5,3,3\n",
    )
    .unwrap();
    super::assert_refusal(
        run(&["solve", "fa21", "-o", "own.csv"]),
        &["hog did not write it"],
        "a similar file",
    );
}
