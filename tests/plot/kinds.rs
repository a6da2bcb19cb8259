//! Every kind of picture, for five games, two of them with a memory.

use std::path::Path;
use std::process::Command;

use hog::queries::{GivenStrategy, Map, MapLayer};

use super::svg::{fault, texts};

/// The last two games have a memory.
const GAMES: [&str; 5] = ["fa21", "fa13", "sp22", "fa16", "su17"];

/// The kinds of picture that are drawn here, with arguments that fit all games.
const KINDS: [(&str, &str); 12] = [
    ("plot best", ""),
    ("plot win", ""),
    ("plot loss", "always_roll:4"),
    ("plot spread", ""),
    ("plot visits", "always_roll:4 --against baseline"),
    ("plot diff", "optimal always_roll:5"),
    ("plot points", "31 17"),
    ("plot length", ""),
    ("best", "31 17"),
    ("vary", "goal=10..40:6"),
    ("vary", "goal=10,20,30 max_dice=5,6"),
    ("tune", "bacon_strategy:4..8,3..6"),
];

/// The largest SVG that is allowed, in bytes.
const LARGEST: usize = 150_000;

/// Scores in steps are drawn in points.
#[test]
fn win_rates_of_a_game_with_steps_have_axes_in_points() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    drawn("plot win kcd --goal 1000", &file);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert_eq!(fault(&svg), None);
    assert!(texts(&svg).iter().any(|text| text.replace(',', "") == "1000"), "{:?}", texts(&svg));
    assert!(!svg.contains("1 die") && svg.contains("6 dice"), "{:?}", texts(&svg));
}

fn drawn(arguments: &str, file: &Path) -> String {
    let words = arguments.split_whitespace();
    let output =
        Command::new(env!("CARGO_BIN_EXE_hog")).args(words).arg("-o").arg(file).output().unwrap();
    assert!(
        output.status.success(),
        "hog {arguments}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_kind_is_well_formed_and_small_for_every_game() {
    let folder = tempfile::tempdir().unwrap();
    for game in GAMES {
        for (kind, rest) in KINDS {
            let command = format!("{kind} {game} {rest}");
            let file = folder.path().join("picture.svg");
            drawn(&command, &file);
            let svg = std::fs::read_to_string(&file).unwrap();
            assert_eq!(fault(&svg), None, "hog {command}");
            assert!(svg.len() <= LARGEST, "hog {command}: {} bytes", svg.len());
            assert!(
                !svg.contains("NaN") && !svg.contains("inf"),
                "hog {command}: a number is NaN or infinite"
            );
            let texts = texts(&svg);
            assert!(texts.len() > 10, "hog {command}: {texts:?}");
            assert!(texts[0].contains(game), "hog {command}: the title is {:?}", texts[0]);
            assert!(
                texts.contains(&format!("hog {}", command.trim())),
                "hog {command}: the command is not in the picture"
            );
        }
    }
}

#[test]
fn the_map_depends_on_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let map = |memory: &str| {
        let file = folder.path().join("picture.svg");
        drawn(&format!("plot best fa16 --memory {memory}"), &file);
        std::fs::read_to_string(&file).unwrap()
    };
    let (before, after) = (map("dice_exchanged=0"), map("dice_exchanged=1"));
    assert!(before.contains("dice_exchanged = 0") && after.contains("dice_exchanged = 1"));
    let regions = |svg: &str| {
        svg.lines().filter(|line| line.contains("transform")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_ne!(regions(&before), regions(&after));
}

#[test]
fn pig_is_held_at_less_than_the_points_missing_to_the_goal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    // What a strategy rolls can be drawn where no baseline plays against it.
    drawn("plot best pig hold_at:20 --goal 40", &file);
    drawn("plot hold pig --goal 40", &file);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert_eq!(fault(&svg), None);
    assert_eq!(texts(&svg)[0], "The pot at which to roll no more dice in pig");
    let engine = hog::Engine::builder().build();
    let held = |game: &str, goal: u32| {
        let game = hog::queries::GivenGame::named(game).goal(goal);
        engine.call().hold_map(&hog::queries::GivenMap::of(game))
    };
    let (_, hold) = held("pig", 100).unwrap();
    let (_, trouble) = held("double_trouble", 50).unwrap();
    assert!(trouble.over == "pot" && trouble.first.iter().flatten().any(|pot| *pot > 0));
    assert!(held("su15c", 12).is_err());
    // With the missing points nobody needs to hold: the roll that brings them has won.
    let held = |score: usize, opponent: usize| hold.first[score * 100 + opponent];
    assert!(
        (0..100)
            .flat_map(|a| (0..100).map(move |b| (a, b)))
            .all(|(a, b)| held(a, b).is_none_or(|pot| (1..100 - a as i64).contains(&pot)))
    );
    // Of 10,000 positions; counted where the map had such pots, too.
    assert_eq!(hold.first.iter().filter(|pot| pot.is_none()).count(), 4437);
    // Against an opponent who is about to win, only a turn that wins will do; far ahead, a few
    // points are enough.
    assert_eq!([held(0, 99), held(80, 99)], [None, None]);
    let twenty = GivenStrategy::Named("hold_at:20".into());
    let mut question = Map::of("pig").layer(MapLayer::Hold);
    question.given.strategy = Some(twenty);
    let map = engine.ask(&question).unwrap();
    assert_eq!(map.hold.unwrap().first, hold.first);
    let own = map.strategy.unwrap().hold.unwrap();
    assert!(own.last.iter().all(Option::is_none));
    for (cell, pot) in own.first.into_iter().enumerate() {
        assert_eq!(pot, (cell / 100 < 80).then_some(20), "{cell}");
    }
    // Neller and Presser (2004) hold at 21 first.
    assert_eq!([held(0, 0), held(50, 0), held(70, 0)], [Some(21), Some(15), Some(12)]);
}

#[test]
fn a_picture_that_cannot_be_drawn_is_refused_with_a_reason() {
    let refusals = [
        ("plot best fa21 -o map.jpg", ".svg or .png"),
        ("plot best fa21", "--output"),
        ("plot best fa21 --memory dice=1 -o a.svg", "no memory"),
        ("best fa21 100 0 -o a.svg", "at or above the goal"),
        ("vary fa21 goal=50..20 -o a.svg", "50..20"),
        ("vary fa21 goal=20,30 max_dice=5,6 hogs=1 -o a.svg", "one number or two"),
        ("try fa21 always_roll:4 -o a.svg", ".csv"),
        (
            "plot hold fa21 -o a.svg",
            "so there is nothing to hold (`hog plot best` draws the best rolls)",
        ),
        ("plot hold fa19 -o a.svg", "several memories: last_dice, opponent_last_dice"),
        ("plot hold neller_hog -o a.svg", "at least 1 dice, so there is no holding"),
        ("plot bogus fa21 -o a.svg", "bogus"),
        ("plot best fa21 -o no/such/folder/a.svg", "cannot write"),
    ];
    let folder = tempfile::tempdir().unwrap();
    for (command, words) in refusals {
        let output = Command::new(env!("CARGO_BIN_EXE_hog"))
            .args(command.split(' '))
            .current_dir(folder.path())
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "hog {command}: {message}");
        assert!(message.contains(words), "hog {command}: {message}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn pictures_replace_pictures_and_no_other_files() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.svg", "a.png"] {
        let file = folder.path().join(name);
        drawn("plot points fa21", &file);
        drawn("plot points fa21 --theme dark", &file);
        std::fs::write(&file, "mine").unwrap();
        let again = Command::new(env!("CARGO_BIN_EXE_hog"))
            .args(["plot", "points", "fa21", "-o"])
            .arg(&file)
            .output();
        assert_eq!(again.unwrap().status.code(), Some(2), "{name}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    }
}

#[cfg(unix)]
#[test]
fn the_name_of_a_picture_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"x\xff.svg");
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command
        .args(["plot", "best", "fa21", "--goal", "9", "-o"])
        .arg(name)
        .current_dir(folder.path());
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let drawn = std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(drawn.contains("hog plot best fa21 --goal 9"));
}

#[test]
fn json_names_the_title_the_file_and_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.svg");
    let document: serde_json::Value =
        serde_json::from_str(&drawn("plot points fa21 --format json", &file)).unwrap();
    assert_eq!(document["output"], file.display().to_string());
    assert_eq!(document["size"], std::fs::metadata(&file).unwrap().len());
    assert!(document["title"].as_str().unwrap().contains("fa21"), "{document}");
}

#[test]
fn a_map_of_many_scores_is_thinned_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    drawn("plot best fa21 --goal 500", &file);
    let svg = std::fs::read_to_string(&file).unwrap();
    assert!(svg.len() <= LARGEST, "{} bytes", svg.len());
    assert!(svg.contains("One score in 3 is drawn."), "{:?}", texts(&svg));
}

#[test]
fn the_caption_of_a_narrow_picture_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("picture.svg");
    let arguments = "tune fa24 boar_strategy:6..8,3..5 --size column";
    drawn(arguments, &file);
    let shown = texts(&std::fs::read_to_string(&file).unwrap());
    assert!(shown.join(" ").contains("of the exact one; rules "), "{shown:?}");
    assert!(shown.iter().any(|text| *text == format!("hog {arguments}")), "{shown:?}");
}
