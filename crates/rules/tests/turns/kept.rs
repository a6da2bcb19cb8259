//! Games in which dice are kept: faults of their files, and turns that cannot be.

use hog_rules::rules::{Overrides, Rules, RulesError, rules_from_text};
use hog_rules::turn::{Position, PositionError, TurnError, keep_turn, keeps, marked};

const KCD: &str = include_str!("../../games/kcd.toml");

fn faults(text: &str) -> Vec<String> {
    match rules_from_text(text, "file", Overrides::default()) {
        Err(RulesError::Faulty(faults)) => {
            faults.faults.iter().map(|fault| format!("{}; {}", fault.message, fault.fix)).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn kcd() -> Rules {
    rules_from_text(KCD, "kcd", Overrides::default()).unwrap()
}

/// Two kinds of dice, of which evens are kept.
fn two_kinds() -> Rules {
    let text = "id = \"two\"\ngoal = 20\nmin_dice = 1\n\n\
                [[dice]]\nname = \"small\"\ncount = 2\nsides = 4\n\n\
                [[dice]]\nname = \"big\"\ncount = 1\nsides = 8\n\n\
                [[rule]]\nname = \"Evens\"\nkeep = \"sum % 2 == 0\"\n";
    rules_from_text(text, "two", Overrides::default()).unwrap()
}

#[test]
fn a_misspelt_hook_is_one_fault_beside_its_absence() {
    let found =
        faults(&KCD.replace("keep = \"\"\"\n  straight == 6", "keeps = \"\"\"\n  straight == 6"));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].contains("`keeps`"), "{found:?}");
}

#[test]
fn faces_that_no_die_has_are_not_counted() {
    let found = faults(&KCD.replacen("count(2) == 0", "shown(7) == 0", 1));
    assert!(found.len() == 1 && found[0].contains("from 1 to 6"), "{found:?}");
    assert!(!faults(&KCD.replacen("count(2) == 0", "count(7) == 0", 1)).is_empty());
}

#[test]
fn a_memory_without_a_step_is_told_that_it_may_have_one() {
    let found = faults(&KCD.replace("max = \"goal\"\nstep = 50", "max = \"goal\""));
    assert!(found.len() == 1 && found[0].contains("1000, or a `step`"), "{found:?}");
}

#[test]
fn a_goal_or_dice_that_a_game_does_not_allow_are_faults_of_the_setting() {
    for (goal, max_dice) in [(Some(1030), None), (None, Some(8)), (Some(1000), Some(8))] {
        let found = rules_from_text(KCD, "kcd", Overrides { goal, max_dice });
        let Err(RulesError::OverrideMisfit { key, value, .. }) = found else { panic!("{found:?}") };
        let expected = if goal == Some(1030) { ("goal", 1030) } else { ("max_dice", 8) };
        assert_eq!((key, value), expected);
    }
    let broken = KCD.replace("id = \"kcd\"", "");
    let found = rules_from_text(&broken, "kcd", Overrides { goal: Some(1030), max_dice: None });
    assert!(matches!(found, Err(RulesError::Faulty(_))), "the file is faulty by itself");
}

#[test]
fn what_a_file_leaves_out_is_listed_and_no_roll_at_all_is_asked_about() {
    let text = KCD.replace("min_dice = \"pot == 0 ? 1 : 0\"\n", "");
    let text = &text[..text.find("[[example]]").unwrap()];
    let rules = rules_from_text(text, "file", Overrides::default()).unwrap();
    let listed = |rules: &Rules, key: &str| rules.defaults().into_iter().find(|of| of.key == key);
    assert_eq!(listed(&rules, "bust").unwrap().value, "0");
    assert!(listed(&rules, "min_dice").unwrap().warning.unwrap().contains("pot == 0 ? 1 : 0"));
    assert!(listed(&kcd(), "min_dice").is_none(), "a rule says who must roll");
}

#[test]
fn rolls_and_dice_kept_that_cannot_be_are_told_as_what_they_are() {
    let rules = kcd();
    let start = Position::new(&rules, 0, 0).unwrap();
    let roll = [1, 1, 5, 2, 3, 3];
    let error = keeps(&rules, &start, &roll[..5]).unwrap_err();
    assert!(matches!(error, TurnError::NotTheHand { dice: 5, left: 6, .. }), "{error}");
    let error = marked(&rules, &start, &roll, &[0, 0, 5]).unwrap_err();
    assert!(matches!(error, TurnError::NotTheRoll { .. }), "{error}");
    let none_left = start.clone().with_memory(&rules, "dice", 0).unwrap();
    let error = none_left.with_dice_left(&rules).unwrap_err();
    assert!(matches!(error, PositionError::NoDiceLeft { .. }), "{error}");
    let error = Position::new(&rules, 2000, 0).unwrap_err();
    assert!(error.to_string().ends_with("choose 0 to 1950"), "{error}");
    assert_eq!(start.with_rolled(&rules, 9).memory.last(), Some(&6), "no more than there are");
}

#[test]
fn points_between_two_steps_are_no_multiple_rather_than_out_of_range() {
    let text = KCD.replacen("count(1) == 2 ? 100 : 50)", "count(1) == 2 ? 100 : 30)", 1);
    let text = &text[..text.find("[[example]]").unwrap()];
    let rules = rules_from_text(text, "file", Overrides::default()).unwrap();
    let start = Position::new(&rules, 0, 0).unwrap();
    let error = keep_turn(&rules, &start, &[1, 2, 3, 4, 5, 5], &[true; 6]).unwrap_err();
    assert!(matches!(error, TurnError::NoMultiple { value: 530, step: 50, .. }), "{error}");
}

#[test]
fn dice_of_two_kinds_have_their_names() {
    let rules = two_kinds();
    let start = Position::new(&rules, 0, 0).unwrap();
    let words: Vec<String> = keeps(&rules, &start, &[2, 3, 2])
        .unwrap()
        .iter()
        .map(|keep| keep.in_words(&rules, &start, &[2, 3, 2]))
        .collect();
    assert_eq!(words, ["small 2 and big 2", "small 2", "big 2"]);
    let error = keeps(&rules, &start, &[7, 3, 2]).unwrap_err().to_string();
    assert!(error.contains("die 1 of the roll, small"), "{error}");
}
