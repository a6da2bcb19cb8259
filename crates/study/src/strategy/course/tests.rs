//! The course's strategies, compared with the test cases of the course's starter code.

use super::*;
use crate::game::{Game, Position};
use crate::rules;

fn rolls(game: &str, strategy: &str, score: u32, opponent: u32) -> i32 {
    let rules = rules::load(game, Default::default()).unwrap();
    let (name, arguments) =
        strategy.split_once(':').map_or((strategy, None), |(name, rest)| (name, Some(rest)));
    let course = Course::read(name, arguments).unwrap().unwrap();
    let position = Position::new(&rules, score, opponent).unwrap();
    course.policy(&rules).unwrap().dice(&position).unwrap()
}

/// Cases from the starter code's unlocking tests and docstrings, and some worked out by hand.
#[test]
fn each_strategy_rolls_as_its_handout_says() {
    // Boar Brawl at 1-46: 3 x |4 - 1| = 9 points; from 1 to 10, which has four divisors: 11 in all,
    // a gain of 10.
    assert_eq!([9, 10].map(|t| rolls("fa24", &format!("boar_strategy:{t},6"), 1, 46)), [0, 6]);
    assert_eq!([10, 11].map(|t| rolls("fa24", &format!("sus_strategy:{t},6"), 1, 46)), [0, 6]);
    // Boar Brawl at 41 against 42: 9, from 41 to 50, which Fuzzy Factors makes 60: a gain of 19.
    assert_eq!([19, 20].map(|t| rolls("su23", &format!("fuzzy_strategy:{t},6"), 41, 42)), [0, 6]);
    // Pig Tail against 8: 17; from 8 to 25, a square: 36, a gain of 28.
    assert_eq!([17, 18].map(|t| rolls("fa22", &format!("tail:{t},6"), 8, 8)), [0, 6]);
    assert_eq!([28, 29].map(|t| rolls("fa22", &format!("square:{t},6"), 8, 8)), [0, 6]);
    // Piggy Points at 24 against 3: 3 + 9 points.
    assert_eq!(rolls("sp21", "more_boar_strategy:8,6", 24, 3), 0);
    // At 17 against 36: 4 points to 21, and 2 < 3, 1 < 6: another turn.
    assert_eq!(["more_boar:100,6", "piggypoints:100,6"].map(|s| rolls("sp21", s, 17, 36)), [0, 6]);
    // 22 and 3 + 3 (the decimal of pi at 24) is 28, no extra turn; Pig Pass at 20: 26 is past 24.
    assert_eq!(rolls("fa20", "extra_turn_strategy:100,6", 22, 24), 6);
    assert_eq!(["hefty_hogs:1,4", "hefty_hogs:8,4"].map(|s| rolls("sp22", s, 20, 0)), [0, 4]);
    assert_eq!(["oink:6,4", "oink:7,4"].map(|s| rolls("su22", s, 20, 42)), [0, 4]);
    // Oink Points at 17 against 42: 6 points to 23, which is prime.
    assert_eq!(rolls("su22", "pigs_on_prime:100,4", 17, 42), 0);
    // Oink Points at 0 against 19: 1 point to 1, which counts as prime.
    assert_eq!(rolls("su22", "pigs_on_prime_strategy:14,10", 0, 19), 0);
    // 15 and 1 + 2 against 29 is 18: the sum is 47, so the opponent is tied to one die.
    assert_eq!(["make_mean_strategy:3,5", "mean:4,5"].map(|s| rolls("fa12", s, 15, 29)), [0, 5]);
    assert_eq!(rolls("fa12", "mean:3,5", 16, 29), 5);
    assert_eq!([(9, 4), (17, 18)].map(|(a, b)| rolls("fa24", "catch_up", a, b)), [5, 6]);
    assert_eq!(
        [(0, 7), (0, 8)].map(|(a, b)| rolls("fa12", "make_comeback_strategy:8,5", a, b)),
        [5, 6]
    );
}

#[test]
fn arguments_left_out_have_the_handouts_values() {
    // Free Bacon against 70: 1 + 7 = 8, the margin of the handouts; 5 dice in 2015, 4 in 2017.
    assert_eq!(
        [("su15", 70), ("su15", 60), ("fa17", 60)].map(|(g, o)| rolls(g, "free_bacon", 0, o)),
        [0, 5, 4]
    );
    assert_eq!(rolls("fa17", "bacon_strategy:7", 0, 60), 0);
    assert_eq!(
        ["bacon", "boar_strategy:9", "sus_strategy:9,5"].map(|text| {
            let (name, rest) =
                text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
            Course::read(name, rest).unwrap().unwrap().to_string()
        }),
        ["bacon_strategy", "boar_strategy:9", "sus_strategy:9,5"]
    );
}

#[test]
fn every_name_is_found_and_is_listed_for_games_with_its_rule() {
    assert!(Course::names().all(|name| find(name).is_some_and(|entry| entry.name == name)));
    let listed = |game: &str| {
        let rules = rules::load(game, Default::default()).unwrap();
        Course::fitting(&rules).iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(listed("fa24"), ["boar_strategy:11,6", "sus_strategy:11,6"][..]);
    assert_eq!(listed("sp15")[0], "bacon_strategy:8,5");
    assert!(listed("sp21").contains(&"more_boar_strategy:8,6".to_owned()));
    // The rules of sp13 have no swap and change no total.
    assert_eq!(listed("sp13"), ["bacon_strategy:8,5", "mean_strategy:3,5"]);
}

#[test]
fn plans_from_shared_thresholds_equal_those_made_one_by_one() {
    for (id, name) in [
        ("su15", "swap_strategy"),
        ("fa24", "boar_strategy"),
        ("fa24", "sus_strategy"),
        ("sp15", "prime_strategy"),
        ("fa21", "hog_pile_strategy"),
        ("fa12", "mean_strategy"),
        ("sp21", "more_boar_strategy"),
        ("fa19", "swine_swap_strategy"),
        ("fa21", "comeback_strategy"),
    ] {
        let game = Game::new(
            rules::load(id, rules::Overrides { goal: Some(40), max_dice: None }).unwrap(),
        )
        .unwrap();
        let strategy = |numbers: &str| format!("{name}:{numbers}").parse::<Strategy>().unwrap();
        let thresholds = ZeroDiceThresholds::of(&strategy("1,1"), &game);
        assert_eq!(thresholds.is_none(), name == "comeback_strategy");
        for numbers in ["-3,4", "0,5", "4,2", "9,6", "30,0"] {
            let shared =
                thresholds.as_ref().map(|found| found.plan(&strategy(numbers), &game).unwrap());
            let alone = strategy(numbers).plan(&game, &crate::solve::Watch::silent()).unwrap();
            assert!(shared.is_none_or(|shared| shared == alone), "{id} {name}:{numbers}");
        }
        assert!(thresholds.is_none_or(|found| found.plan(&strategy("4,11"), &game).is_none()));
    }
}
