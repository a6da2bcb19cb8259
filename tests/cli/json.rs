//! The JSON documents that scripts rely on: their keys, and doubles that read back as the same
//! doubles.

use hog::game::Game;
use hog::rules::load;
use hog::solve::{Arithmetic, Watch, best_response, equilibrium, evaluate};
use hog::strategy::Strategy;
use hog::table::shipped;
use serde_json::{Value, json as value};

use super::{hog, json};

/// The keys of a strategy's win rates.
const RATE: &[&str] = &["first", "second", "average", "endless", "error_bound"];

#[track_caller]
pub fn assert_keys(document: &Value, keys: &[&str]) {
    let document = document.as_object().expect("an object");
    for key in keys {
        assert!(
            document.contains_key(*key),
            "no `{key}` among {:?}",
            document.keys().collect::<Vec<_>>()
        );
    }
}

/// Asserts that the printed double has the same bits as the computed one.
#[track_caller]
fn assert_same(printed: &Value, computed: f64) {
    let printed = printed.as_f64().expect("a number");
    assert_eq!(printed.to_bits(), computed.to_bits(), "{printed} for {computed}");
}

fn game(id: &str) -> Game {
    Game::new(load(id, Default::default()).expect("sound rules")).expect("a sound game")
}

#[test]
fn solve_has_the_keys_of_the_contract() {
    let solved = json(&["solve", "fa21", "--goal", "12", "--max-dice", "3"]);
    let keys = [
        "rules",
        "goal",
        "max_dice",
        "objective",
        "against",
        "sees",
        "arithmetic",
        "states",
        "win_rate",
    ];
    assert_keys(&solved, &keys);
    assert_keys(&solved, &["first_roll", "ties", "loops", "seconds", "output", "method"]);
    assert_keys(&solved["win_rate"], RATE);
    let fields = [
        "rules",
        "goal",
        "max_dice",
        "objective",
        "against",
        "sees",
        "arithmetic",
        "states",
        "output",
    ];
    let fields = fields.map(|key| solved[key].clone());
    let expected = value!(["fa21", 12, 3, "equilibrium", null, "state", "exact", 144, null]);
    assert_eq!(Value::from(fields.to_vec()), expected);
    assert!(solved.get("fraction").is_none(), "only with --fraction");
}

/// The fraction is that of `tests/conformance/small_exact.csv`, made by another implementation.
#[test]
fn solve_prints_the_fraction_in_lowest_terms() {
    let solved = json(&["solve", "fa21", "--goal", "12", "--max-dice", "3", "--fraction"]);
    assert_eq!(solved["fraction"], "579534317256121/914039610015744");
    assert_same(&solved["win_rate"]["first"], 579_534_317_256_121.0 / 914_039_610_015_744.0);
}

#[test]
fn solve_names_the_opponent_of_a_best_response() {
    let solved = json(&["solve", "su15", "--goal", "20", "--against", "always_roll:5"]);
    assert_eq!([&solved["objective"], &solved["against"]], ["best_response", "always_roll:5"]);
    let [first, second, average] =
        ["first", "second", "average"].map(|key| solved["win_rate"][key].as_f64().unwrap());
    assert!(
        (average - (first + second) / 2.0).abs() < 1e-15 && average > 0.5,
        "{first} {second} {average}"
    );
}

#[test]
fn solve_in_floats_prints_its_arithmetic_and_error_bound() {
    let solved = json(&["solve", "nju21", "--arithmetic", "float"]);
    assert_eq!(solved["arithmetic"], "float");
    let solution = equilibrium(&game("nju21"), Arithmetic::Float, &Watch::silent()).unwrap();
    assert_same(&solved["win_rate"]["first"], solution.first());
    assert_same(&solved["win_rate"]["error_bound"], solution.error_bound);
    assert!(solution.error_bound > 0.0 && solved["loops"].as_u64() > Some(0), "{solved}");
}

#[test]
fn solve_names_the_table_it_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.hog");
    let path = path.to_str().unwrap();
    assert_eq!(json(&["solve", "fa21", "--goal", "9", "-o", path])["output"], path);
}

#[test]
fn best_has_the_keys_of_the_contract() {
    let best = json(&["best", "fa21", "20", "36"]);
    assert_keys(
        &best,
        &["rules", "score", "opponent", "memory", "against", "win_rate", "best", "choices"],
    );
    assert_eq!(
        value!([best["rules"], best["score"], best["opponent"], best["memory"]]),
        value!(["fa21", 20, 36, {}])
    );
    let choices = best["choices"].as_array().unwrap();
    choices.iter().for_each(|choice| assert_keys(choice, &["dice", "win_rate"]));
    let dice: Vec<i64> = choices.iter().map(|choice| choice["dice"].as_i64().unwrap()).collect();
    assert_eq!(dice, (0..=10).collect::<Vec<i64>>());
    let win_rates = choices.iter().map(|choice| choice["win_rate"].as_f64().unwrap());
    assert_same(&best["win_rate"], win_rates.fold(0.0, f64::max));
    assert_eq!(best["best"], value!([8]));
}

#[test]
fn best_prints_the_doubles_of_the_shipped_table() {
    let game = game("fa21");
    let table = shipped(game.rules()).expect("shipped");
    for (score, opponent) in [(0, 0), (20, 36), (99, 99), (0, 99), (42, 17)] {
        let best = json(&["best", "fa21", &score.to_string(), &opponent.to_string()]);
        let state = game.state(&hog::game::Position::new(game.rules(), score, opponent).unwrap());
        assert_same(&best["win_rate"], table.stored_win_rates()[state]);
        assert_eq!(
            best["best"],
            value!(game.space().dice_in(table.best()[state])),
            "{score}-{opponent}"
        );
    }
}

#[test]
fn best_lists_all_tied_rolls() {
    // One point before the goal, every number of dice wins.
    let best = json(&["best", "sp15", "99", "0"]);
    assert_eq!(best["best"], value!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    assert_same(&best["win_rate"], 1.0);
}

#[test]
fn best_repeats_the_memories_it_was_given() {
    let best = json(&["best", "fa19", "20", "36", "--memory", "last_dice=4"]);
    assert_eq!(best["memory"], value!({ "last_dice": 4, "opponent_last_dice": 0 }));
    let other = json(&[
        "best",
        "fa19",
        "20",
        "36",
        "--memory",
        "last_dice=4",
        "--memory",
        "opponent_last_dice=7",
    ]);
    assert_eq!(other["memory"], value!({ "last_dice": 4, "opponent_last_dice": 7 }));
    assert_ne!(best["win_rate"], other["win_rate"]);
}

#[test]
fn best_against_a_strategy_is_the_best_response() {
    let best = json(&["best", "fa21", "0", "0", "--against", "always_roll:6"]);
    let game = game("fa21");
    let watch = Watch::silent();
    let plan = "always_roll:6".parse::<Strategy>().unwrap().plan(&game, &watch).unwrap();
    let solution = best_response(&game, &plan, Arithmetic::Float, &watch).unwrap();
    assert_same(&best["win_rate"], solution.first());
}

#[test]
fn rate_has_the_keys_of_the_contract() {
    let rated = json(&["rate", "su15", "always_roll:3", "always_roll:5"]);
    assert_keys(&rated, &["rules", "strategy", "against", "win_rate"]);
    assert_keys(&rated["win_rate"], RATE);
    assert_eq!(
        [&rated["rules"], &rated["strategy"], &rated["against"]],
        ["su15", "always_roll:3", "always_roll:5"]
    );
    assert_same(&rated["win_rate"]["endless"], 0.0);
    assert_eq!(
        rated,
        json(&["rate", "su15", "always_roll:3"]),
        "the default opponent is the baseline"
    );
    assert_eq!(json(&["rate", "su15", "baseline"])["win_rate"]["average"], 0.5);
}

#[test]
fn rate_prints_the_doubles_of_the_library() {
    let rated = json(&["rate", "fa21", "final_strategy", "always_roll:6"]);
    let game = game("fa21");
    let watch = Watch::silent();
    let plan = |text: &str| text.parse::<Strategy>().unwrap().plan(&game, &watch).unwrap();
    let plans = [plan("final_strategy"), plan("always_roll:6")];
    let solution = evaluate(&game, [&plans[0], &plans[1]], Arithmetic::Float, &watch).unwrap();
    assert_same(&rated["win_rate"]["first"], solution.first());
    assert_same(&rated["win_rate"]["second"], solution.second());
    assert_same(&rated["win_rate"]["average"], solution.average());
}

#[test]
fn rate_prints_the_share_of_games_that_never_end() {
    let rated = json(&["rate", "nju21", "optimal", "optimal"]);
    let endless = rated["win_rate"]["endless"].as_f64().unwrap();
    assert!(endless > 0.09 && endless < 0.1, "{endless}");
    assert_same(&rated["win_rate"]["average"], 0.5);
}

#[test]
fn dice_counts_every_roll() {
    let dice = json(&["dice", "2"]);
    assert_keys(&dice, &["dice", "die", "rolls", "mean", "chance_of_one", "sums"]);
    assert_eq!(value!([dice["rolls"], dice["mean"]]), value!(["36", 7.0]));
    assert_same(&dice["chance_of_one"], 11.0 / 36.0);
    let counts: Vec<&str> =
        dice["sums"].as_array().unwrap().iter().map(|sum| sum["count"].as_str().unwrap()).collect();
    assert_eq!(counts, ["1", "2", "3", "4", "5", "6", "5", "4", "3", "2", "1"]);
}

/// A face of weight 2 counts as two faces; the highest of fifteen is 12 unless all show less.
#[test]
fn dice_may_have_weights_and_many_sides() {
    let dice = json(&["dice", "2", "--die", "2,1"]);
    assert_eq!(value!([dice["rolls"], dice["weights"]]), value!(["9", [2, 1]]));
    assert_same(&dice["mean"], 8.0 / 3.0);
    assert_same(&dice["chance_of_one"], 8.0 / 9.0);
    let highest = json(&["dice", "15", "--die", "12", "--of", "highest"]);
    let count = 12u64.pow(15) - 11u64.pow(15);
    assert_eq!(highest["values"][11]["count"], value!(count.to_string()));
}

#[test]
fn rolls_are_counted_exactly_beyond_what_a_double_holds() {
    let dice = json(&["dice", "49"]);
    let digits = |value: &Value| value.as_str().unwrap().parse::<u128>().unwrap();
    assert_eq!(digits(&dice["rolls"]), 6u128.pow(49));
    let counted: u128 =
        dice["sums"].as_array().unwrap().iter().map(|sum| digits(&sum["count"])).sum();
    assert_eq!(counted, 6u128.pow(49));
}

#[test]
fn check_has_the_keys_of_the_contract() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.hog");
    let path = path.to_str().unwrap();
    json(&["solve", "fa21", "--goal", "20", "-o", path]);
    let checked = json(&["check", path]);
    assert_eq!(checked["ok"], true);
    let table = &checked["tables"][0];
    assert_keys(table, &["worst_difference", "wrong_values", "faults"]);
    let fields = ["table", "rules", "published", "ok", "states", "wrong_rolls"]
        .map(|key| table[key].clone());
    assert_eq!(
        Value::from(fields.to_vec()),
        value!([path, "fa21", false, true, 400, 0]),
        "not published, because the goal differs"
    );
    assert_same(&table["worst_difference"], 0.0);
    let shipped = json(&["check", "fa21", path]);
    assert_eq!(shipped["tables"][0]["published"], true);
}

#[test]
fn rules_commands_print_json() {
    let list = json(&["rules", "list"]);
    let ids: Vec<&str> =
        list["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    assert!(["fa19", "fa21", "nju21", "sp15", "su15"].iter().all(|id| ids.contains(id)), "{ids:?}");
    let fa21 = load("fa21", Default::default()).unwrap();
    let shown = json(&["rules", "show", "fa21"]);
    assert_eq!(shown["fingerprint"], format!("{:016x}", fa21.fingerprint()));
    json(&["rules", "check", "fa21"]);
    json(&["rules", "functions"]);
}

#[test]
fn bid_prints_its_shares_as_json() {
    let bid = json(&["solve", "sp15c", "--goal", "20"])["bid"].clone();
    assert_keys(&bid, &["rules", "text", "win_rate", "shares", "answers"]);
    let shares = bid["shares"].as_array().unwrap();
    let sum: f64 = shares.iter().map(|share| share["share"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
    assert_eq!(bid["answers"].as_array().unwrap().len(), 20);
}

#[test]
fn survey_prints_its_rows_as_json() {
    let survey = json(&["survey", "fa21", "neller_hog", "--goal", "10"]);
    let games = survey["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    assert_keys(&games[0]["win_rate"], RATE);
    assert_same(&games[0]["win_rate"]["first"], solved_first("fa21", 10));
    assert_eq!(
        [&games[0]["baseline"], &games[1]["baseline"]],
        [&value!("always_roll:6"), &Value::Null]
    );
}

fn solved_first(id: &str, goal: u32) -> f64 {
    let rules =
        load(id, hog::rules::Overrides { goal: Some(goal), max_dice: None }).expect("sound rules");
    let game = Game::new(rules).expect("a sound game");
    equilibrium(&game, Arithmetic::Float, &Watch::silent()).unwrap().first()
}

/// Returns the error of a refused command, which prints one document and nothing on standard error.
fn refused(arguments: &[&str]) -> Value {
    let output = hog(&[arguments, &["--format", "json"]].concat()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "hog {}", arguments.join(" "));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "hog {}", arguments.join(" "));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_keys(&document["error"], &["message", "kind", "parameter", "faults"]);
    document["error"].clone()
}

#[test]
fn errors_are_documents_with_format_json() {
    let message = |arguments: &[&str]| refused(arguments)["message"].as_str().unwrap().to_owned();
    assert!(message(&["best", "fa221", "1", "2"]).contains("did you mean `fa21`?"));
    assert!(message(&["best", "fa21", "100", "2"]).contains("0 to 99"));
    assert!(
        message(&["best", "fa21"]).contains("<SCORE>"),
        "errors of the command line are documents too"
    );
    let unknown = message(&["sovle"]);
    assert!(unknown.contains("'sovle'") && unknown.contains("'solve'"), "{unknown}");
    for words in ["Usage:", "--help", "\n"] {
        assert!(!unknown.contains(words), "usage text does not belong in a document: {unknown}");
    }
    assert!(
        message(&["solve", "fa21", "--goal", "0"]).contains("--goal 0"),
        "the message names the option"
    );
    assert!(
        message(&["rate", "neller_hog", "optimal"]).contains("AGAINST"),
        "neller_hog has no baseline"
    );
    let written = message(&["solve", "fa21", "-o", "nowhere/fa21.hog"]);
    assert!(written.contains("cannot write nowhere/fa21.hog"), "{written}");
}

#[test]
fn errors_have_a_kind() {
    for (arguments, kind) in [
        (&["sovle"][..], "request"),
        (&["best", "fa21"], "request"),
        (&["best", "fa221", "1", "2"], "unknown_game"),
        (&["best", "fa21", "100", "2"], "value"),
        (&["best", "fa21", "1", "2", "--goal", "0"], "value"),
        (&["rate", "fa21", "luck"], "strategy"),
        (&["rate", "fa21", "nobody.csv"], "file"),
        (&["plot", "hold", "fa21", "-o", "-"], "game"),
        (&["contest", "fa21", "--each-in", "docs/schema"], "contest"),
        (&["contest", "fa21", "optimal", "--roster", "nobody.csv"], "file"),
        (&["contest", "fa21", "optimal", "--keep", "Cargo.toml"], "file"),
    ] {
        let error = refused(arguments);
        assert_eq!(error["kind"], kind, "{arguments:?}: {error}");
    }
}

#[test]
fn standard_output_gets_one_document_or_the_command_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let view = json(&["solve", "fa21", "--goal", "9", "--to", "csv", "-o", &path("f.csv")]);
    assert!(view["states"] == 81 && view["output"] == path("f.csv"), "{view}");
    assert_eq!(
        json(&["solve", "fa21", "--goal", "9", "--to", "json"])["states"].as_array().unwrap().len(),
        81
    );
    assert!(
        json(&["solve", "fa21", "--goal", "9", "--to", "json", "-o", "-"])["states"].is_array()
    );
    let picture = json(&["plot", "best", "fa21", "--goal", "9", "-o", "-"]);
    assert!(picture["svg"].as_str().unwrap().starts_with("<svg"));
    for (arguments, word) in [
        (&["solve", "fa21", "--to", "csv"][..], "--to json"),
        (&["completions", "bash"], "leave it out"),
        (&["man"], "leave it out"),
        (&["man", &path("man1")], "leave it out"),
        (&["rules", "new", "mine", "-o", "-"], "name a file"),
    ] {
        let message = refused(arguments)["message"].as_str().unwrap().to_owned();
        assert!(message.contains(word), "{arguments:?}: {message}");
    }
    assert!(!folder.path().join("man1").exists());
}

#[test]
fn every_fault_of_a_rule_file_has_its_line_and_column_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broken.toml");
    let text =
        "id = \"broken\"\ngoal = 0\n\n[[rule]]\nname = \"Typing error\"\npoints = \"poinst + 1\"\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let error = refused(&["solve", file]);
    let faults = error["faults"].as_array().unwrap();
    assert_eq!(faults.len(), 2, "{error}");
    let places: Vec<Value> =
        faults.iter().map(|fault| value!([fault["file"], fault["line"]])).collect();
    assert_eq!(places, [value!([file, 2]), value!([file, 6])]);
    assert!(faults[1]["message"].as_str().unwrap().contains("did you mean `points`"), "{error}");
    assert!(faults.iter().all(|fault| fault["column"].as_u64() > Some(1)), "{error}");
}

#[test]
fn a_contest_lists_entrants_that_play_alike() {
    let contest =
        json(&["contest", "fa21", "always_roll:4", "always_roll:6", "baseline", "--goal", "20"]);
    assert_eq!(contest["same"], value!([["always_roll:6", "baseline"]]));
    assert_keys(
        &contest["ranking"][0],
        &["rank", "name", "wins", "losses", "mean", "worst_against", "worst_win_rate"],
    );
    assert_keys(
        &contest,
        &["rules", "entrants", "matrix", "rejected", "cycles", "pairs", "seconds"],
    );
}

#[test]
fn a_try_has_the_keys_of_the_contract() {
    let tried = json(&["try", "nju21", "always_roll:4", "--against", "optimal", "--goal", "20"]);
    assert_keys(&tried, &["rules", "strategy", "against", "mistakes", "worst", "positions_met"]);
    ["win_rate", "best_response", "loss", "optimal"]
        .iter()
        .for_each(|key| assert_keys(&tried[*key], RATE));
    assert_keys(
        &tried["worst"][0],
        &["score", "opponent", "memory", "dice", "best", "loss", "met"],
    );
    assert_keys(&tried["mistakes"][0], &["kind", "positions", "loss"]);
}

#[test]
fn a_game_is_found_in_any_case_and_a_strategy_by_its_file() {
    assert_eq!(json(&["best", "FA21", "20", "36"]), json(&["best", "fa21", "20", "36"]));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rolls.csv");
    let file = file.to_str().unwrap();
    super::text(&["solve", "fa21", "--to", "csv", "--goal", "12", "-o", file]);
    let rate =
        |strategy: &str| json(&["rate", "fa21", strategy, "--goal", "12"])["win_rate"].clone();
    assert_eq!(rate(file), rate("optimal"));
}

/// bacon2 writes `strategy NAME` and a line of rolls for each of the mover's scores.
#[test]
fn a_strat_file_of_the_contest_server_is_a_strategy() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, head: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, head.to_owned() + &"4 4 4 4 4 4 4 4\n".repeat(8)).unwrap();
        path.display().to_string()
    };
    let rate =
        |strategy: &str| json(&["rate", "fa21", strategy, "--goal", "8"])["win_rate"].clone();
    for file in [
        write("ours.strat", "strategy ours\n"),
        write("bare.strat", ""),
        write("kept.txt", "strategy a b\n"),
    ] {
        assert_eq!(rate(&file), rate("always_roll:4"), "{file}");
    }
}

#[test]
fn the_game_may_be_given_in_the_environment() {
    let run = |rules: &str| {
        let output =
            super::hog(&["rate", "boar_strategy"]).env("HOG_RULES", rules).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert_eq!(run("FA24").1, super::text(&["rate", "fa24", "boar_strategy"]));
    assert_eq!(run("nowhere").0, Some(2));
    let (code, out, message) = run("");
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(
        message.contains("hog rate fa24 boar_strategy") && message.contains("HOG_RULES"),
        "{message}"
    );
}

#[test]
fn no_document_holds_a_negative_zero() {
    for arguments in [
        ["try", "fa21", "always_roll:4", "--goal", "20"].as_slice(),
        &["rate", "nju21", "always_roll:4", "--goal", "12"],
        &["describe", "fa21", "--goal", "20"],
    ] {
        let output = hog(&[arguments, &["--format", "json"]].concat()).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(
            printed.contains("rules") && !printed.contains(":-0.0"),
            "hog {}: {printed}",
            arguments.join(" ")
        );
    }
}
