//! There is a file for every published set of rules, which is found by the names of all its
//! semesters.

use hog_rules::rules::{Overrides, Rules, builtins, load, rules_from_text};

/// Each id with the other semesters of the same rules, from the course pages; `c` stands for a
/// course's contest.
const BUILT_IN: &[(&str, &[&str])] = &[
    ("fa12", &[]),
    ("sp13", &[]),
    ("su13", &[]),
    ("fa13", &["sp14"]),
    ("fa13c", &["sp14c"]),
    ("fa14", &[]),
    ("sp15", &[]),
    ("sp15c", &[]),
    ("su15", &[]),
    ("su15c", &[]),
    ("fa15", &["sp16"]),
    ("sp16c", &[]),
    ("fa16", &[]),
    ("su16", &[]),
    ("sp17", &[]),
    ("su17", &[]),
    ("fa17", &[]),
    ("fa17c", &[]),
    ("sp18", &[]),
    ("su18", &[]),
    ("su18c", &[]),
    ("fa18", &[]),
    ("fa18c", &[]),
    ("sp19", &[]),
    ("sp19c", &[]),
    ("su19", &[]),
    ("su19c", &[]),
    ("fa19", &["fa19c"]),
    ("sp20", &["nju20"]),
    ("su20", &[]),
    ("fa20", &[]),
    ("fa20c", &[]),
    ("sp21", &[]),
    ("sp21c", &[]),
    ("su21", &[]),
    ("fa21", &[]),
    ("sp22", &[]),
    ("su22", &[]),
    ("fa22", &["sp23"]),
    ("su23", &[]),
    ("fa23", &["sp24", "su24", "fa24", "sp25", "su25", "fa25", "sp26", "su26"]),
    ("nju21", &[]),
    ("nju23", &["nju24", "nju25"]),
    ("kcd", &[]),
    ("big_pig", &[]),
    ("boyan_moore_pig", &[]),
    ("double_trouble", &[]),
    ("great_rolled_ones", &[]),
    ("neller_hog", &[]),
    ("pass_the_pigs", &[]),
    ("pig", &[]),
    ("piglet", &[]),
    ("two_dice_pig", &[]),
    ("two_dice_pig_mild", &[]),
];

/// The groups of semesters; other games are in groups of their own choice.
const COURSES: [&str; 3] = ["CS 61A", "CS 61A contest", "Nanjing University SICP"];

fn is_of_a_course(rules: &Rules) -> bool {
    COURSES.contains(&rules.group())
}

fn all() -> impl Iterator<Item = Rules> {
    builtins().iter().map(|game| {
        rules_from_text(game.text, game.id, Default::default()).unwrap_or_else(|e| panic!("{e}"))
    })
}

#[test]
fn every_published_game_is_found_by_each_of_its_names() {
    for (id, aliases) in BUILT_IN {
        for name in [id].into_iter().chain(*aliases) {
            let rules = load(name, Default::default()).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(rules.id, **id, "{name}");
        }
    }
    let published: Vec<&str> = BUILT_IN.iter().map(|(id, _)| *id).collect();
    let unlisted: Vec<String> =
        all().map(|rules| rules.id).filter(|id| !published.contains(&id.as_str())).collect();
    assert!(unlisted.is_empty(), "games that this test does not know: {unlisted:?}");
}

#[test]
fn the_source_of_every_semester_says_how_its_rules_were_checked() {
    for rules in all().filter(is_of_a_course) {
        let source = rules.source.unwrap_or_default();
        let ways = ["grader", "starter", "page only"].map(|way| format!("; checked by the {way}"));
        assert!(ways.iter().any(|way| source.ends_with(way)), "{}: {source}", rules.id);
    }
}

#[test]
fn no_two_games_share_a_name() {
    let mut names: Vec<String> =
        all().flat_map(|rules| [vec![rules.id], rules.aliases].concat()).collect();
    names.sort();
    let twice: Vec<&[String]> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

#[test]
fn every_file_has_a_source_texts_and_at_least_four_examples() {
    for rules in all() {
        let id = &rules.id;
        assert!(rules.source.is_some(), "{id}: no source");
        assert!(rules.baseline.is_some() || !is_of_a_course(&rules), "{id}: no baseline");
        assert!(
            rules.rules.iter().all(|rule| rule.text.is_some()),
            "{id}: a rule without its sentence"
        );
        assert!(
            rules.examples.iter().all(|example| example.name.is_some()),
            "{id}: an example without a name"
        );
        assert!(rules.examples.len() >= 4, "{id}: {} examples", rules.examples.len());
    }
}

#[test]
fn games_are_grouped_by_course() {
    // The ids of semesters: fa21, su15c, nju21.
    let is_semester = |id: &str| {
        ["fa", "sp", "su", "nju"].iter().any(|term| {
            id.strip_prefix(term).is_some_and(|year| year.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    for rules in all() {
        let (id, group) = (&rules.id, rules.group());
        assert_eq!(is_of_a_course(&rules), is_semester(id), "{id} is in the group {group}");
    }
}

#[test]
fn the_starter_file_is_sound() {
    let text = hog_rules::rules::starter("my_game");
    let rules = rules_from_text(&text, "my_game.toml", Default::default())
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((rules.id.as_str(), rules.goal, rules.rules.len()), ("my_game", 100, 2));
    hog_solve::game::examples::check_examples(&rules, &|| true).unwrap_or_else(|e| panic!("{e}"));
    hog_solve::game::Game::new(rules).unwrap_or_else(|e| panic!("{e}"));
}

/// Every part that the file offers in a comment is sound when the comment marks are removed.
#[test]
fn the_commented_parts_of_the_starter_file_are_sound() {
    let text = hog_rules::rules::starter("my_game");
    let is_part = |line: &str| {
        [
            "[[", "name", "text", "die", "swap", "again", "of", "start", "max", "next", "points",
            "source",
        ]
        .iter()
        .any(|key| {
            line.starts_with(key)
                && (line.starts_with("[[") || line[key.len()..].starts_with(" = "))
        })
    };
    let mut offered = 0;
    let uncommented: Vec<&str> = text
        .lines()
        .map(|line| match line.strip_prefix("# ").filter(|rest| is_part(rest)) {
            Some(part) => {
                offered += 1;
                part
            }
            None => line,
        })
        .collect();
    assert!(offered > 15, "{offered} lines");
    let rules = rules_from_text(&uncommented.join("\n"), "my_game.toml", Default::default());
    let rules = rules.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!((rules.rules.len(), rules.memories.len()), (6, 1));
    hog_solve::game::examples::check_examples(&rules, &|| true).unwrap_or_else(|e| panic!("{e}"));
    hog_solve::game::Game::new(rules).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn the_games_with_a_pot_are_pig_and_its_kin() {
    let rules: Vec<Rules> =
        builtins().iter().map(|game| load(game.id, Overrides::default()).unwrap()).collect();
    let mut with_pot: Vec<&str> =
        rules.iter().filter(|rules| rules.pot().is_some()).map(|rules| &*rules.id).collect();
    let expected = [
        "big_pig",
        "boyan_moore_pig",
        "double_trouble",
        "great_rolled_ones",
        "kcd",
        "pass_the_pigs",
        "pig",
        "piglet",
        "two_dice_pig",
        "two_dice_pig_mild",
    ];
    with_pot.sort_unstable();
    assert_eq!(with_pot, expected);
    assert!(rules.iter().filter_map(Rules::pot).all(|pot| pot.name == "pot"));
}
