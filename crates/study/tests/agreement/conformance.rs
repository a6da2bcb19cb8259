//! Win rates agree with reference data made by other implementations (`tests/conformance`), and
//! with figures that the courses published.

use std::path::Path;

use hog_solve::game::{Position, memory_names};

use super::games::{Subject, subject, with_dice};

/// The reference data were computed in floats, by plain summation.
const TOLERANCE: f64 = 2e-12;

/// A line of a file of comma-separated values.
struct Row {
    place: String,
    keys: Vec<String>,
    fields: Vec<String>,
}

impl Row {
    fn get(&self, key: &str) -> &str {
        let index = self
            .keys
            .iter()
            .position(|k| k == key)
            .unwrap_or_else(|| panic!("{}: no column {key}", self.place));
        &self.fields[index]
    }

    fn number<T: std::str::FromStr>(&self, key: &str) -> T {
        let text = self.get(key);
        text.parse().unwrap_or_else(|_| panic!("{}: {key} is {text}, not a number", self.place))
    }
}

fn rows(file: &str) -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/conformance").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text
        .lines()
        .zip(1..)
        .map(|(line, number)| (line.split(',').map(str::to_owned).collect(), number));
    let (keys, _): (Vec<String>, i32) = lines.next().expect("a line of names");
    lines
        .map(|(fields, number)| {
            assert_eq!(fields.len(), keys.len(), "tests/conformance/{file}:{number}: fields");
            Row { place: format!("tests/conformance/{file}:{number}"), keys: keys.clone(), fields }
        })
        .collect()
}

fn state(subject: &Subject, row: &Row) -> usize {
    let rules = subject.game.rules();
    let start = Position::new(rules, row.number("score"), row.number("opponent")).unwrap();
    let named = memory_names(rules).into_iter();
    let position =
        named.fold(start, |at, name| at.with_memory(rules, &name, row.number(&name)).unwrap());
    subject.game.state(&position)
}

#[test]
fn every_reference_value_of_fa21_is_reproduced() {
    reproduces_values_of("fa21", 150);
}

#[test]
fn every_reference_value_of_nju21_is_reproduced() {
    reproduces_values_of("nju21", 155);
}

#[test]
fn every_reference_value_of_fa19_is_reproduced() {
    reproduces_values_of("fa19", 150);
}

#[test]
fn every_reference_value_of_su15_is_reproduced() {
    reproduces_values_of("su15", 150);
}

#[test]
fn every_reference_value_of_sp15_is_reproduced() {
    reproduces_values_of("sp15", 150);
}

/// The file must have `count` lines, so that a truncated file fails.
fn reproduces_values_of(id: &str, count: usize) {
    let subject = subject(id, 100);
    let rows = rows(&format!("values/{id}.csv"));
    assert_eq!(rows.len(), count, "{id}: lines");
    let wrong = rows.iter().filter_map(|row| {
        let (found, expected) =
            (subject.float().own.win_rates[state(&subject, row)], row.number::<f64>("win_rate"));
        ((found - expected).abs() > TOLERANCE)
            .then(|| format!("{}: {found}, not {expected}", row.place))
    });
    assert_none(wrong);
}

fn assert_none(wrong: impl Iterator<Item = String>) {
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{} lines differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_reference_rate_is_reproduced() {
    let rows = rows("rates.csv");
    assert_eq!(rows.len(), 23);
    let wrong = rows.iter().flat_map(|row| {
        let subject = subject(row.get("rules"), 100);
        let rate =
            subject.rate(&subject.plan(row.get("strategy")), &subject.plan(row.get("opponent")));
        let found =
            [("first", rate.first()), ("second", rate.second()), ("average", rate.average())];
        let wrong = found
            .into_iter()
            .filter(|(key, rate)| (rate - row.number::<f64>(key)).abs() > TOLERANCE);
        wrong
            .map(|(key, rate)| format!("{}: {key} is {rate}, not {}", row.place, row.get(key)))
            .collect::<Vec<_>>()
    });
    assert_none(wrong);
}

#[test]
fn every_small_exact_fraction_is_reproduced_to_the_last_digit() {
    let rows = rows("small_exact.csv");
    assert_eq!(rows.len(), 15);
    let wrong = rows.iter().filter_map(|row| {
        let subject = with_dice(row.get("rules"), row.number("goal"), Some(row.number("max_dice")));
        let fraction = subject.exact().first_fraction().expect("exact").to_string();
        let fewest = subject.game.space().dice_in(subject.exact().first_roll())[0];
        let right = fraction == row.get("first_player_win_rate")
            && fewest == row.number::<i32>("lowest_best_first_roll");
        (!right).then(|| format!("{}: {fraction} with {fewest} dice", row.place))
    });
    assert_none(wrong);
}

/// Average win rates of always_roll 0, 3, 6 and 10 against the baseline, as printed by the courses'
/// own evaluators.
const EVALUATORS: &[(&str, [f64; 4])] = &[
    ("su15", [0.3733912534851931, 0.3661435872130193, 0.5105157999826304, 0.3829486183496753]),
    ("fa15", [0.718615634259882, 0.5731919737729199, 0.43016865596717296, 0.21647458363015706]),
    ("fa16", [0.33708381585288916, 0.3933506436969103, 0.4073825636285397, 0.11426720131045878]),
    ("fa17", [0.4054565041015492, 0.4033452704141818, 0.5595731378897657, 0.49642568475922455]),
    ("fa19", [0.2629207432073538, 0.4063344188373449, 0.5537916971397692, 0.43975042331928416]),
];

#[test]
fn win_rates_printed_by_the_courses_evaluators_are_reproduced() {
    for (id, figures) in EVALUATORS {
        for (dice, figure) in [0, 3, 6, 10].into_iter().zip(figures) {
            assert_reproduced(
                id,
                &format!("always_roll:{dice}"),
                &subject(id, 100).baseline(),
                *figure,
            );
        }
    }
}

/// Average win rates `(a, b, rate)` of always_roll:a against always_roll:b, from the published
/// leaderboard of the Fall 2019 contest, in which some entrants are constant strategies.
const LEADERBOARD: &[(u32, u32, f64)] = &[
    (0, 4, 0.2629207432073526),
    (0, 10, 0.4922712316249387),
    (4, 10, 0.5602495766807183),
    (6, 8, 0.5128235539983111),
];

#[test]
fn win_rates_of_the_contest_of_fall_2019_are_reproduced() {
    for (a, b, figure) in LEADERBOARD {
        assert_reproduced(
            "fa19",
            &format!("always_roll:{a}"),
            &format!("always_roll:{b}"),
            *figure,
        );
    }
}

fn assert_reproduced(id: &str, strategy: &str, opponent: &str, figure: f64) {
    let subject = subject(id, 100);
    let average = subject.rate(&subject.plan(strategy), &subject.plan(opponent)).average();
    assert!(
        (average - figure).abs() <= 1e-12,
        "{id}, {strategy} against {opponent}: {average}, not {figure}"
    );
}
