//! `hog turn`: one turn.

use serde_json::json as value;

use super::json;
use super::json::assert_keys;

#[test]
fn turn_has_the_keys_of_the_contract() {
    let turn = json(&["turn", "fa19", "23", "4", "--dice", "5", "--memory", "last_dice=1"]);
    assert_keys(&turn, &["points", "score", "opponent", "again", "memory", "steps"]);
    assert_eq!(
        value!([turn["points"], turn["score"], turn["opponent"], turn["again"]]),
        value!([5, 4, 28, false])
    );
    assert_eq!(turn["memory"], value!({ "last_dice": 1, "opponent_last_dice": 0 }));
    let steps = turn["steps"].as_array().unwrap();
    steps.iter().for_each(|step| assert_keys(step, &["rule", "text"]));
    assert!(steps.iter().any(|step| step["rule"] == "Swine Swap"), "{turn}");
}

#[test]
fn a_move_below_zero_is_played() {
    let turn = json(&["turn", "fa16", "20", "5", "--dice", "-1"]);
    assert_eq!(
        value!([turn["points"], turn["score"], turn["memory"]["dice_exchanged"]]),
        value!([1, 21, 1])
    );
}

#[test]
fn one_point_is_written_in_the_singular() {
    for (die, step) in [("1", "1 point becomes 0"), ("2", "2 points become 0")] {
        let game = "id = \"kept\"\ngoal = 9\nmax_dice = 1\n[[rule]]\nname = \"Nothing\"\nbust = \"1\"\npoints = \"0\"\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.toml");
        std::fs::write(&path, game).unwrap();
        let turn = json(&["turn", path.to_str().unwrap(), "0", "0", "--dice", die]);
        let steps = turn["steps"].as_array().unwrap();
        assert!(steps.iter().any(|taken| taken["text"] == step), "{turn}");
    }
}
