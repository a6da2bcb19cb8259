//! `hog describe`, `hog compare` and `hog vary`, as a designer of games uses them.

use std::path::Path;

use serde_json::Value;

use super::{assert_refused, json, number, text};

const MINE: &str = r#"id = "mine"
title = "Mine"
goal = 40
max_dice = 6
baseline = "always_roll:4"

[[rule]]
name = "Free Bacon"
zero_dice = "ones(opponent) + 2"
"#;

const PILE: &str =
    "\n[[rule]]\nname = \"Hog Pile\"\nscore = \"score == opponent ? 2 * score : score\"\n";

fn save(folder: &Path, name: &str, rules: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, rules).unwrap();
    path.display().to_string()
}

#[test]
fn a_description_agrees_with_the_other_commands() {
    let found = json(&["describe", "fa21"]);
    let optimal = json(&["rate", "fa21", "optimal", "optimal"]);
    assert_eq!(found["win_rate"], optimal["win_rate"]);
    assert_eq!(found["play"], serde_json::json!(["optimal", "optimal"]));
    let chances: Vec<f64> =
        found["turns"]["distribution"].as_array().unwrap().iter().map(number).collect();
    assert!((chances.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let mean: f64 =
        chances.iter().enumerate().map(|(place, chance)| (place + 1) as f64 * chance).sum();
    assert!((mean - number(&found["turns"]["mean"])).abs() < 1e-9);
    // Simulated games take as many turns on average.
    let played = json(&["simulate", "fa21", "optimal", "optimal", "--games", "200000"]);
    assert!((number(&played["turns"]) - mean).abs() < 0.05, "{} against {mean}", played["turns"]);
    // The winner's win rate was once at most 0.5 in about half of the games or more, and lower
    // thresholds are rarer.
    let shares: Vec<f64> =
        found["comebacks"].as_array().unwrap().iter().map(|row| number(&row["share"])).collect();
    assert!(
        shares.windows(2).all(|pair| pair[0] > pair[1]) && shares[0] > 0.4 && shares[0] < 1.0,
        "{shares:?}"
    );
    // From a win rate of at most 0.01 at most one game in a hundred is won.
    assert!(shares[4] < 0.02, "{shares:?}");
    let skill: Vec<f64> = found["skill"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| number(&row["against_optimal"]["average"]))
        .collect();
    assert_eq!(skill.len(), 5);
    assert!(
        skill[..4].iter().all(|rate| *rate < 0.5) && skill[4] == 0.5 && skill[0] < skill[3],
        "{skill:?}"
    );
    let rules: Vec<&str> = found["rule_uses"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["name"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["Sow Sad", "Picky Piggy", "Hog Pile"]);
}

/// One die with a single face: the first player needs ten turns of one point to reach 10, and the
/// other is a turn behind.
#[test]
fn a_game_without_chance_is_described_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "id = \"one\"\ntitle = \"One\"\ngoal = 10\nmin_dice = 1\nmax_dice = 1\n\
                 [[rule]]\nname = \"One\"\ndie = \"[1, 0]\"\n";
    let one = save(folder.path(), "one.toml", rules);
    let found = json(&["describe", &one]);
    assert_eq!(number(&found["win_rate"]["first"]), 1.0);
    assert_eq!(number(&found["first_mover_edge"]), 1.0);
    let turns = &found["turns"];
    assert_eq!([&turns["mean"], &turns["median"], &turns["p95"]].map(number), [19.0; 3]);
    // Before each turn of the first player the scores are equal, and it takes the lead; the other
    // only draws level.
    assert_eq!(number(&found["lead_changes"]["mean"]), 10.0);
    assert!(found["comebacks"].as_array().unwrap().iter().all(|row| number(&row["share"]) == 0.0));
    assert_eq!(number(&found["choices"]["mean_spread"]), 0.0);
    assert_eq!(number(&found["rule_uses"][0]["per_game"]), 19.0);
}

/// One coin each, the higher wins: half of the games are level. Each of the others is won from 1/2
/// by who moves first, and by the second from 3/4.
#[test]
fn games_that_end_level_have_no_winner_who_came_back() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "id = \"level\"\ngoal = 10\nmin_dice = 1\nmax_dice = 1\n\
                 [[memory]]\nname = \"second\"\nof = \"game\"\nmax = 1\nnext = \"1 - second\"\n\
                 [[rule]]\nname = \"Coin\"\ndie = \"2\"\nbust = \"0\"\n\
                 points = \"busted ? 0 : 1\"\nend = \"second == 1\"\n";
    let level = save(folder.path(), "level.toml", rules);
    let found = json(&["describe", &level]);
    let shares: Vec<f64> =
        found["comebacks"].as_array().unwrap().iter().map(|row| number(&row["share"])).collect();
    assert_eq!(shares, [0.5, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(number(&found["tied"]["mean"]), 0.5);
    let compared = json(&["compare", &level, &level]);
    assert_eq!(compared["games"][0]["comebacks"], found["comebacks"]);
    let played = json(&["simulate", &level, "optimal", "optimal", "--games", "20000"]);
    assert!((number(&played["tied"]) / 20_000.0 - 0.5).abs() < 0.02, "{played}");
}

/// The start of Drop Dead is exactly even, and a game that is not tied is won by who was at 1/2
/// then: rounding must not decide it.
#[test]
fn every_game_that_is_won_from_an_even_start_is_won_from_at_most_one_half() {
    for goal in ["12", "15", "30"] {
        let found = json(&["describe", "docs/games/drop_dead.toml", "--goal", goal]);
        let [won, tied] = [&found["comebacks"][0]["share"], &found["tied"]["mean"]].map(number);
        assert!(tied > 0.0 && (won + tied - 1.0).abs() < 1e-9, "{goal}: {won} and {tied}");
    }
}

/// Where positions may recur, random play is simulated, and its figures have intervals.
#[test]
fn games_with_a_memory_or_with_cycles_are_described_too() {
    let found = json(&["describe", "fa19", "--goal", "30"]);
    assert_eq!(found["skill"].as_array().unwrap().len(), 5);
    assert!(
        found["rule_uses"].as_array().unwrap().iter().any(|rule| number(&rule["per_game"]) > 0.1)
    );
    let cyclic = json(&["describe", "nju21", "--goal", "20"]);
    assert!(
        cyclic["skill"][0]["interval"].is_array(),
        "random play in a game with cycles is simulated, not computed"
    );
    let rate = number(&cyclic["skill"][0]["against_optimal"]["average"]);
    assert!((0.0..0.5).contains(&rate));
}

/// In Pig a turn is all rolls until the other player is to move, in Hog it is one roll.
#[test]
fn turns_of_games_with_a_pot_have_several_rolls() {
    let pig = json(&["describe", "pig", "--goal", "20"]);
    let (turns, rolls) = (number(&pig["turns"]["mean"]), number(&pig["rolls"]["mean"]));
    assert!(
        pig["turns"]["interval"].is_null() && turns * 2.0 < rolls,
        "{turns} turns, {rolls} rolls"
    );
    let levels: Vec<&str> = pig["skill"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["level"].as_str().unwrap())
        .collect();
    assert_eq!(levels, ["random", "greedy", "threshold", "pace", "optimal"]);
    let played =
        json(&["simulate", "pig", "optimal", "optimal", "--goal", "20", "--games", "20000"]);
    assert!((number(&played["turns"]) - turns).abs() < 0.2, "{} against {turns}", played["turns"]);
    let hog = json(&["describe", "fa21", "--goal", "20"]);
    assert!(
        hog["rolls"].is_null()
            && hog["skill"].as_array().unwrap().iter().all(|step| step["level"] != "pace")
    );
    assert!(text(&["compare", "pig", "fa21", "--goal", "20"]).contains("pace against optimal"));
}

/// The pot decides whether to hold: games that agree before the first roll of each turn may differ
/// later.
#[test]
fn games_with_a_pot_are_compared_with_each_pot() {
    let found = json(&["compare", "pig", "piglet", "--goal", "15", "--top", "1000000"]);
    let positions = found["positions"].as_array().unwrap();
    assert!(!positions.is_empty() && found["differing"] == positions.len());
    assert!(number(&found["compared"]) > 225.0, "{}", found["compared"]);
    let first = &positions[0];
    let [score, opponent, pot] = ["score", "opponent", "pot"].map(|key| first[key].to_string());
    for (game, best) in ["pig", "piglet"].into_iter().zip(first["best"].as_array().unwrap()) {
        let memory = format!("pot={pot}");
        let there = json(&["best", game, &score, &opponent, "--memory", &memory, "--goal", "15"]);
        assert_eq!(there["best"], *best, "{first}");
    }
}

#[test]
fn games_with_the_same_id_are_told_apart_by_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let edited = save(folder.path(), "short.toml", &MINE.replace("\"mine\"", "\"fa21\""));
    let found = json(&["compare", &edited, "fa21", "--goal", "15"]);
    assert_eq!(
        [&found["games"][0]["game"], &found["games"][1]["game"]],
        ["short.toml", "fa21"],
        "{found}"
    );
}

#[test]
fn choices_of_another_kind_are_not_compared() {
    // Where dice are kept, and where no dice score a pot.
    for (other, goal) in [("kcd", "100"), ("pig", "15")] {
        let found = json(&["compare", other, "fa21", "--goal", goal]);
        assert_eq!((&found["compared"], &found["differing"]), (&0.into(), &0.into()), "{other}");
    }
}

#[test]
fn two_rule_files_are_checked_compared_and_varied() {
    let folder = tempfile::tempdir().unwrap();
    let calm = save(folder.path(), "calm.toml", MINE);
    let wild = save(folder.path(), "wild.toml", &(MINE.replace("\"mine\"", "\"wild\"") + PILE));
    text(&["rules", "check", &calm, &wild]);
    let found = json(&["compare", &calm, &wild]);
    assert_eq!([&found["games"][0]["game"], &found["games"][1]["game"]], ["mine", "wild"]);
    assert_eq!(found["compared"], 1600);
    let positions = found["positions"].as_array().unwrap();
    assert!(
        !positions.is_empty()
            && positions.len() <= 10
            && found["differing"].as_u64().unwrap() as usize >= positions.len()
    );
    for position in positions {
        let at = |game: &str| {
            let scores = [&position["score"], &position["opponent"]].map(ToString::to_string);
            json(&["best", game, &scores[0], &scores[1]])
        };
        let [ours, theirs] = [at(&calm), at(&wild)];
        assert_eq!([&position["best"][0], &position["best"][1]], [&ours["best"], &theirs["best"]]);
    }
    let same = json(&["compare", &calm, &calm]);
    assert_eq!((&same["differing"], same["positions"].as_array().unwrap().len()), (&0.into(), 0));
    let varied = json(&["vary", &calm, "goal=10..40:15"]);
    let values: Vec<u64> = varied["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["values"][0].as_u64().unwrap())
        .collect();
    assert_eq!(values, [10, 25, 40]);
    let solved = json(&["solve", &calm, "--goal", "25", "--arithmetic", "float"]);
    assert_eq!(varied["rows"][1]["figures"]["win_rate"], solved["win_rate"]);
    let csv = folder.path().join("goals.csv");
    text(&["vary", &calm, "max_dice=2..4", "-o", csv.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(csv).unwrap().lines().count(), 4);
}

#[test]
fn what_cannot_be_varied_is_refused() {
    assert_refused(&["vary", "fa21", "die=4..8"], &["goal", "max_dice"]);
    assert_refused(&["vary", "goal=10..20"], &["`hog vary fa24 goal=10..20`"]);
    // The last value is refused before the first ones, which take minutes, are solved.
    assert_refused(&["vary", "fa21", "goal=19000..20001:1001"], &["error: goal=20001: goal 20001"]);
    assert_refused(&["vary", "fa21", "goal=0..2"], &["error: goal=0: goal 0 is out of range"]);
    assert_refused(&["vary", "fa21", "goal=-1..2"], &["goal=-1..2: goal cannot be -1"]);
    assert_refused(&["vary", "fa21", "goal=20..30:0"], &["`20..30:0` has the step 0"]);
}

#[test]
fn a_baseline_that_is_not_a_strategy_is_a_fault_of_the_rule_file() {
    let folder = tempfile::tempdir().unwrap();
    for (baseline, hint) in
        [("always_rol:4", "did you mean `always_roll:4`?"), ("baseline", "names itself")]
    {
        let file = save(folder.path(), "bad.toml", &MINE.replace("always_roll:4", baseline));
        for command in [&["rules", "check", &file][..], &["solve", &file]] {
            assert_refused(command, &["bad.toml:5:12", baseline, hint]);
        }
    }
}

#[test]
fn rules_functions_lists_the_hooks_that_see_each_name() {
    let language = json(&["rules", "functions"]);
    let seen = |name: &str| {
        let rows = language["seen_by"].as_array().unwrap();
        rows.iter().find(|row| row[0] == name).unwrap_or_else(|| panic!("no {name}"))[1].clone()
    };
    assert_eq!(seen("face"), serde_json::json!(["face_points"]));
    assert_eq!(seen("bid"), serde_json::json!(["bid"]));
    assert_eq!(seen("again"), serde_json::json!(["next"]));
    assert_eq!(seen("goal").as_array().unwrap().len(), 16);
    // The list is true: a hook accepts each name that it is listed to see, and rejects the others.
    let folder = tempfile::tempdir().unwrap();
    let hooks: Vec<&str> =
        language["hooks"].as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect();
    // Those of dice that are kept need such dice.
    let usual = hooks.iter().filter(|hook| !["keep", "worth"].contains(hook));
    for (hook, name) in usual.flat_map(|hook| {
        ["score", "dice", "sum", "points", "score_before"].map(|name| (hook, name))
    }) {
        let test = ["swap", "again", "end"].contains(hook);
        let formula = if test { format!("{name} < -1") } else { format!("6 + 0 * {name}") };
        let rules = format!(
            "id = \"a\"\ntitle = \"A\"\ngoal = 10\nmax_dice = 2\n[[rule]]\nname = \"A\"\n\
             {hook} = \"{formula}\"\n"
        );
        let file = save(folder.path(), "a.toml", &rules);
        let output = super::hog(&["rules", "check", &file]).output().unwrap();
        let unknown = String::from_utf8(output.stderr).unwrap().contains(&format!("`{name}`"));
        let sees = seen(name).as_array().unwrap().contains(&(*hook).into());
        assert_eq!(unknown, !sees, "{hook} and {name}");
    }
}

#[test]
fn a_weighted_die_is_described_by_its_faces_and_weights() {
    let printed = text(&["turn", "fa16", "10", "11", "--dice", "5,2"]);
    assert!(printed.contains("faces 1, 2 (3 times), 3, 4 (3 times), 5, 6 (3 times)"), "{printed}");
}

#[test]
fn long_and_endless_games_are_described_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // A turn ends a game with probability 1/501, so that it takes 501 turns in the mean.
    let rare = save(
        folder.path(),
        "rare.toml",
        "id = \"rare\"\ngoal = 2\nmin_dice = 1\nmax_dice = 1\n[[rule]]\nname = \"Rare\"\n\
         bust = \"0\"\ndie = \"[500, 1]\"\n",
    );
    let turns = json(&["describe", &rare])["turns"].clone();
    assert!(
        (number(&turns["mean"]) - 501.0).abs() < 1e-6 && turns["interval"].is_null(),
        "{turns}"
    );
    // The median m is the least with (500/501)^m <= 1/2.
    assert_eq!([&turns["median"], &turns["p95"]].map(number), [347.0, 1500.0]);
    assert!(text(&["describe", &rare]).contains("\n      1-145   25.2%  "), "all lengths are rare");
    let never = save(
        folder.path(),
        "never.toml",
        "id = \"never\"\ngoal = 8\nmax_dice = 1\n[[rule]]\nname = \"Rest\"\nbust = \"0\"\n\
         zero_dice = \"0\"\n",
    );
    let found = json(&["describe", &never, "--play", "always_roll:0"]);
    assert_eq!(
        found["turns"],
        serde_json::json!({"mean": null, "median": null, "p95": null, "distribution": [], "interval": null})
    );
    assert!(
        found["comebacks"].as_array().unwrap().iter().all(|row| number(&row["share"]) == 0.0),
        "nobody wins"
    );
    assert_eq!(
        [&found["rules"][0], &found["choices"]].map(|of| &of["interval"]),
        [&Value::Null; 2],
        "{found}"
    );
    let told = text(&["describe", &never, "--play", "always_roll:0"]);
    assert!(told.contains("no game ends") && !told.contains("inf"), "{told}");
}

/// A pot game of very many turns: a flip wins with p = 1/100,001, and optimal play always flips;
/// the random player flips in every second turn. Both chances are worked out by hand.
#[test]
fn figures_of_very_long_games_are_computed_and_games_are_played_as_moves_allow() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"id = "seldom"
goal = 1
max_dice = 1
[[memory]]
name = "pot"
of = "game"
max = 1
next = "again ? min(pot + 1, 1) : 0"
[[rule]]
name = "Coin"
die = "[100000, 1]"
bust = "0"
zero_dice = "pot"
points = "dice == 0 ? points : !busted && score + pot + 1 >= goal ? pot + 1 : 0"
again = "dice == 1 && !busted"
"#;
    let seldom = save(folder.path(), "seldom.toml", rules);
    let found = json(&["describe", &seldom]);
    for figure in ["turns", "rolls"] {
        assert!((number(&found[figure]["mean"]) - 100_001.0).abs() < 1e-4, "{}", found[figure]);
        assert!(found[figure]["interval"].is_null(), "it is computed: {}", found[figure]);
    }
    let p = 1.0 / 100_001.0;
    let of_random = p / 2.0;
    let either = of_random + p - of_random * p;
    let random = &found["skill"][0];
    assert!(random["interval"].is_null(), "it is computed: {random}");
    let against = &random["against_optimal"];
    let bound = number(&against["error_bound"]);
    assert!(bound > 0.0 && bound < 1e-8, "{against}");
    assert!((number(&against["first"]) - of_random / either).abs() <= bound, "{against}");
    assert!((number(&against["second"]) - (of_random - of_random * p) / either).abs() <= bound);
    // A million moves are less than 20 such games; some are given up after 100,000.
    let games = number(&found["games"]);
    let given_up = number(&found["given_up"]);
    assert!(games < 40.0 && given_up >= 1.0 && given_up < games, "{games}, {given_up}");
    assert!(text(&["describe", &seldom]).contains("no more, as they had 1,000,000 moves"));
}

/// A turn that goes on for ever has no end to be counted: the moves in it are.
#[test]
fn turns_without_end_are_played_for_a_number_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"id = "endless"
goal = 5
min_dice = 0
max_dice = 3
[[memory]]
name = "pot"
of = "game"
max = 4
next = "again ? min(pot + rolled, 4) : 0"
[[rule]]
name = "a"
die = "2"
bust = "0"
zero_dice = "pot"
points = "dice == 0 ? points : 0"
again = "dice > 0 && !busted || busted && (rolled + pot) % 5 % 4 == 0"
"#;
    let endless = save(folder.path(), "endless.toml", rules);
    let random = &json(&["describe", &endless])["skill"][0];
    assert_eq!(number(&random["games"]), 100.0, "of 10,000 moves each: {random}");
    assert!(text(&["describe", &endless]).contains("(played 100 games: "));
}

/// One die with a single face and no rule for zero dice: whoever moves first needs three points and
/// gets one a turn. Only the very first choice matters, in five turns.
#[test]
fn spreads_are_those_of_all_turns_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let first_wins = save(
        folder.path(),
        "first_wins.toml",
        "id = \"first_wins\"\ngoal = 3\nmax_dice = 1\n[[rule]]\nname = \"One\"\ndie = \"1\"\n\
         bust = \"1\"\n",
    );
    let found = json(&["describe", &first_wins]);
    assert_eq!(found["turns"]["mean"], 5.0);
    let choices = &found["choices"];
    assert!(choices["interval"].is_null(), "it is computed: {choices}");
    for figure in ["mean_spread", "share_that_matter"] {
        assert!((number(&choices[figure]) - 0.2).abs() < 1e-12, "{choices}");
    }
}

#[test]
fn games_of_the_random_player_that_never_end_count_as_half_a_win() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "id = \"never\"\ngoal = 10\nmax_dice = 1\n[[memory]]\nname = \"lock\"\n\
     of = \"game\"\nmax = 1\nstart = 1\n\
                 next = \"lock\"\n[[rule]]\nname = \"Locked\"\n\
                 points = \"lock == 1 ? 0 : points\"\n";
    let found = json(&["describe", &save(folder.path(), "never.toml", rules)]);
    let random = &found["skill"][0];
    assert_eq!(
        (&random["level"], number(&random["against_optimal"]["average"])),
        (&"random".into(), 0.5),
        "{random}"
    );
    assert_eq!(number(&random["against_optimal"]["endless"]), 1.0);
}

/// A rule raises moves below 0 to a roll. Value iteration of an independent program gives the
/// random player 0.06300.
#[test]
fn moves_that_a_rule_raises_to_a_roll_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let rules = r#"id = "tokens"
goal = 20
min_dice = -2
max_dice = 2
[[memory]]
name = "tokens"
start = 2
max = 2
next = "dice < 0 ? max(tokens - 1, 0) : tokens"
[[rule]]
name = "Special"
bust = "0"
zero_dice = "1"
min_dice = "tokens == 0 ? 1 : -2"
points = "dice == -2 && tokens > 0 ? 3 : points"
opponent_score = "dice == -2 && tokens > 0 ? max(0, opponent - 3) : opponent"
swap = "dice == -1 && tokens > 0"
"#;
    let path = save(folder.path(), "tokens.toml", rules);
    let random = &json(&["describe", &path])["skill"][0];
    let interval = [0, 1].map(|end| number(&random["interval"][end]));
    assert!(interval[0] < 0.0630 && 0.0630 < interval[1], "{random}");
    assert!(interval[1] - interval[0] < 0.017, "4,000 games are played: {random}");
}

/// Whoever begins with points has the win rates of that position, by each method, and the checker
/// proves it: in a game of scores alone, with memories, and with a pot.
#[test]
fn a_game_starts_with_points_as_from_that_position() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("t.hog").display().to_string();
    for (game, strategy) in
        [("fa21", "always_roll:4"), ("fa19", "always_roll:4"), ("pig", "hold_at:9")]
    {
        let start = ["--goal", "20", "--set", "first_start=3", "--set", "second_start=7"];
        let asked = |command: &[&str]| json(&[command, &start].concat());
        let solved = asked(&["solve", game, "-o", &table, "--force"]);
        let best = json(&["best", game, "3", "7", "--goal", "20"]);
        let close = |one: &Value, other: &Value| (number(one) - number(other)).abs() < 1e-12;
        assert!(close(&solved["win_rate"]["first"], &best["win_rate"]), "{game}: {solved}");
        assert!(text(&["check", &table]).starts_with("proven"));
        let rated = asked(&["rate", game, "optimal", strategy]);
        let entered = asked(&["contest", game, "optimal", strategy]);
        assert!(
            close(&entered["matrix"][0][1], &rated["win_rate"]["average"]),
            "{game}: {entered}"
        );
        let described = asked(&["describe", game]);
        let edge = 2.0 * number(&best["win_rate"]) - 1.0;
        assert!((number(&described["first_mover_edge"]) - edge).abs() < 1e-9, "{game}");
    }
    let varied = json(&["vary", "fa21", "second_start=0..4:2", "max_dice=5,6", "--goal", "20"]);
    let best = json(&["best", "fa21", "0", "4", "--goal", "20", "--max-dice", "5"]);
    assert_eq!(varied["rows"][4]["values"], serde_json::json!([4, 5]));
    assert_eq!(varied["rows"][4]["figures"]["win_rate"]["first"], best["win_rate"]);
    assert_refused(
        &["solve", "fa21", "--set", "first_start=100"],
        &["first_start is 100", "0 to 99"],
    );
    let auction = ["solve", "fa14", "--set", "first_start=1"];
    assert_refused(&auction, &["a bid decides the start"]);
}

/// The page says how a sweep becomes Parquet; that is tried where Python has DuckDB.
#[test]
fn a_sweep_in_csv_becomes_parquet_as_the_page_says() {
    let page = std::fs::read_to_string("docs/researchers.md").unwrap();
    let line = page.lines().find(|line| line.starts_with("python3 -c \"import duckdb")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("family.csv").display().to_string();
    text(&["vary", "fa21", "goal=20..22", "-o", &csv]);
    let run = |program: &str, command: &str| {
        let mut run = std::process::Command::new(program);
        run.args(["-c", command]).current_dir(folder.path()).status().unwrap().success()
    };
    if run("python3", "import duckdb") {
        let sum = "duckdb.sql(\"SELECT sum(goal) FROM 'family.parquet'\").fetchall()";
        assert!(run("sh", line));
        assert!(run("python3", &format!("import duckdb; assert {sum} == [(63,)]")));
    }
}

/// A number of the file is what would be written in its place, whatever its value.
#[test]
fn numbers_of_a_rule_file_vary_as_if_they_were_written() {
    let folder = tempfile::tempdir().unwrap();
    let with = |numbers: &str, points: &str| {
        MINE.replace("\n[[rule]]", &format!("{numbers}\n[[rule]]")).replace("+ 2", points)
    };
    let named = with("\n[numbers]\nhunger = 2 # points\nthirst = -1\n", "+ hunger * -thirst");
    let named = save(folder.path(), "named.toml", &named);
    let varied = json(&["vary", &named, "hunger=1..3"]);
    let rows = varied["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        let points = format!("+ {}", row["values"][0]);
        let literal = save(folder.path(), "literal.toml", &with("", &points));
        let survey = json(&["survey", &literal]);
        let rate = |row: &Value| number(&row["win_rate"]["first"]);
        let difference = rate(&row["figures"]) - rate(&survey["games"][0]);
        assert!(difference.abs() < 1e-12, "{row}");
    }
    let negative = json(&["vary", &named, "thirst=-2..-1"]);
    assert_eq!(negative["rows"][0]["values"][0], -2);
    let rate = |varied: &Value| varied["rows"][1]["figures"]["win_rate"].clone();
    assert_eq!(rate(&negative), rate(&varied));
    assert_refused(&["vary", &named, "hungr=1..3"], &["no number `hungr`", "hunger"]);
    // Values without a game are told beside the others.
    let share = save(folder.path(), "share.toml", &with("\n[numbers]\nshare = 2\n", "/ share"));
    let found = json(&["vary", &share, "share=-1..2"]);
    let values = |list: &str| {
        let rows = found[list].as_array().unwrap();
        rows.iter().map(|row| row["values"][0].clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        (values("rows"), values("refused")),
        (vec![1.into(), 2.into()], vec![(-1).into(), 0.into()])
    );
    assert!(found["refused"][1]["reason"].as_str().unwrap().contains("divides by 0"), "{found}");
    assert!(text(&["vary", &share, "share=0..1"]).contains("no game with share 0: "));
    assert_refused(&["vary", &share, "share=0"], &["share=0", "divides by 0"]);
    // With one side every roll is a 1: games that never end are half a win each, but not fair.
    let pig = text(&["rules", "new", "mine", "--from", "pig", "-o", "-"]);
    let sides = "[numbers]\nsides = 6\n\n[[rule]]\nname = \"Sides\"\ndie = \"sides\"\n\n[[";
    let sides = save(folder.path(), "sides.toml", &pig.replacen("[[", sides, 1));
    let told = text(&["vary", &sides, "sides=1..3", "--goal", "10"]);
    assert!(told.contains("fairest: sides 2,"), "{told}");
    for (numbers, words) in [
        ("[numbers]\nscore = 2", &["the name `score` is taken"][..]),
        ("[numbers]\nones = 2", &["the name `ones` is taken"]),
        ("[numbers]\nA = 2", &["`A` is not a valid name of a number"]),
        ("[numbers]\na = 2000000", &["a is 2000000", "-1000000 to 1000000"]),
        ("[numbers]\na = \"2\"", &["whole number"]),
        ("numbers = 3", &["a table headed [numbers]"]),
        ("[numbers]\na = 2\nmax_dice = 3", &["max_dice belongs to the game", "below this line"]),
    ] {
        let faulty = save(folder.path(), "faulty.toml", &with(&format!("\n{numbers}\n"), "+ 2"));
        assert_refused(&["survey", &faulty], words);
    }
}

/// A die with `sides` faces; a 1 scores `spare`, any other face wins, as does a second 1 if it
/// scores. With q = 1 / sides the first player wins with 1 / (1 + q) if a 1 scores nothing, with
/// (1 - q) + q² if it scores 1, and always if it scores 2.
const SPARE: &str = r#"id = "spare"
goal = 2
max_dice = 1
baseline = "always_roll:0"

[numbers]
spare = 0
sides = 3
idle = 7

[[memory]]
name = "turn"
of = "game"
max = "spare + 1"
next = "0"

[[rule]]
name = "Sides"
die = "sides"

[[rule]]
name = "Spare"
bust = "spare"
"#;

#[test]
fn any_command_plays_by_other_values_of_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let spare = save(folder.path(), "spare.toml", SPARE);
    let set = ["--set", "spare=1", "--set", "sides=4"];
    let first = |arguments: &[&str]| json(&[arguments, &set].concat());
    let expected = 0.8125;
    for found in [
        &first(&["solve", &spare])["win_rate"]["first"],
        &first(&["best", &spare, "0", "0"])["win_rate"],
        &first(&["rate", &spare, "optimal", "optimal"])["win_rate"]["first"],
        &first(&["survey", &spare])["games"][0]["win_rate"]["first"],
        &first(&["vary", &spare, "idle=5"])["rows"][0]["figures"]["win_rate"]["first"],
    ] {
        assert!((number(found) - expected).abs() < 1e-12, "{found}");
    }
    assert_refused(&["solve", &spare, "--set", "spar=1"], &["no number `spar`", "spare, sides"]);
    let higher = json(&["solve", &spare, "--set", "goal=3,sides=2"]);
    assert_eq!(higher["goal"], 3);
    let both = json(&["compare", &spare, &spare, "--set", "spare=2"]);
    assert_eq!(both["differing"], 0);
    let same = json(&["compare", &spare, &spare]);
    assert_ne!(both["games"], same["games"], "the numbers are set in both games");
    assert_refused(&["solve", &spare, "--goal", "2", "--set", "goal=3"], &["set twice"]);
    let both = "turns=1..2,edge=..0.05";
    assert_refused(&["vary", &spare, "spare=0", "--where", both], &["--where edge=..0.05"]);
    let exactly = json(&["vary", &spare, "spare=0", "--where", "edge=0.5..0.5"]);
    assert_eq!(exactly["rows"].as_array().unwrap().len(), 1, "but for rounding: {exactly}");
    assert_refused(&["solve", "fa21", "--set", "spare=1"], &["no number `spare`"]);
    assert_refused(&["vary", &spare, "spare=0..2", "--set", "spare=1"], &["both set and varied"]);
    assert_refused(&["dice", "2", "--set", "spare=1"], &["--set"]);
    assert_refused(&["solve", &spare, "--set", "spare"], &["NAME=V"]);
}

#[test]
fn two_numbers_vary_together_as_worked_out_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let spare = save(folder.path(), "spare.toml", SPARE);
    let both = ["vary", &spare, "spare=0..2", "sides=2..4"];
    let varied = json(&both);
    assert_eq!(varied["vary"], serde_json::json!(["spare", "sides"]));
    let rows = varied["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    for row in rows {
        let [points, sides] = [0, 1].map(|place| number(&row["values"][place]));
        let q = 1.0 / sides;
        let expected = [1.0 / (1.0 + q), 1.0 - q + q * q, 1.0][points as usize];
        let found = number(&row["figures"]["win_rate"]["first"]);
        assert!((found - expected).abs() < 1e-12, "{row}");
    }
    // As text: the first number across, the second down, in at most 80 columns.
    let told = text(&both);
    let lines: Vec<Vec<&str>> =
        told.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[1], ["sides", "0", "1", "2"]);
    assert_eq!(lines[2], ["2", "0.6667", "0.7500", "1.0000"]);
    assert_eq!(lines[4], ["4", "0.8000", "0.8125", "1.0000"]);
    assert_eq!(lines[5].last(), Some(&"0.6666666667"), "the fairest: {told}");
    let wide = text(&["vary", &spare, "sides=2..30", "spare=0..2"]);
    assert!(wide.lines().skip(1).all(|line| line.chars().count() <= 80), "{wide}");
    assert_eq!(wide.lines().filter(|line| line.starts_with("spare ")).count(), 4, "{wide}");
    let csv = folder.path().join("both.csv");
    text(&[&both[..], &["-o", csv.to_str().unwrap()]].concat());
    let csv = std::fs::read_to_string(csv).unwrap();
    assert_eq!(csv.lines().count(), 10);
    assert!(csv.starts_with("spare,sides,first_player,") && csv.contains("\n1,2,0.75,1,"), "{csv}");
    let picture = folder.path().join("both.svg");
    text(&[&both[..], &["-o", picture.to_str().unwrap()]].concat());
    let picture = std::fs::read_to_string(picture).unwrap();
    assert!(picture.contains("spare 1, sides 3: 0.7777777778"), "{picture}");
}

/// Where no game has all that is asked, it is told what each figure excludes, and which is nearest.
#[test]
fn the_nearest_game_is_told_if_none_has_what_is_asked() {
    let vary = ["vary", "fa21", "goal=20..30:5", "--where", "edge=..0.0001"];
    let turns = ["--where", "turns=4..5"];
    let none = json(&[&vary[..], &turns].concat());
    assert_eq!(none["rows"], serde_json::json!([]));
    let all =
        json(&["vary", "fa21", "goal=20..30:5", "--where", "turns=0..", "--where", "edge=0.."]);
    let rows = all["rows"].as_array().unwrap();
    let having = rows.iter().filter(|row| (4.0..=5.0).contains(&number(&row["where"][0])));
    assert_eq!(none["having"], serde_json::json!([0, having.count()]));
    assert_eq!(none["nearest"]["where"].as_array().unwrap().len(), 2);
    assert_eq!(all["nearest"], Value::Null);
    assert_refused(
        &["vary", "fa21", "goal=20..21", "--where", "turn=3..4"],
        &["error: fa21 has no figure `turn`; did you mean `turns`?"],
    );
}

/// Skill is one thing, whichever command tells it.
#[test]
fn skill_is_what_effects_tells() {
    let varied =
        json(&["vary", "fa21", "goal=20,21", "--where", "skill=-1..", "--where", "spread=0.."]);
    let of_rules = json(&["effects", "fa21", "--goal", "20"]);
    let skill = number(&varied["rows"][0]["where"][0]) - number(&of_rules["whole"]["skill"]);
    assert!(skill.abs() < 1e-12, "{varied}");
}

#[test]
fn two_numbers_that_cannot_vary_together_are_refused() {
    let vary = ["vary", "fa21", "goal=10..12"];
    assert_refused(&[&vary[..], &["goal=3..5"]].concat(), &["goal varies twice"]);
    assert_refused(
        &[&vary[..], &["max_dice=30..31"]].concat(),
        &["goal=10: max_dice=31: max_dice 31"],
    );
    assert_refused(&["vary", "fa21", "goal=1..500", "max_dice=1..30"], &["15000 combinations"]);
}

/// The figures of [`SPARE`] without each rule, by hand: without `Sides` the die has six sides;
/// without `Spare` a 1 scores 1, so that two of them win.
#[test]
fn what_each_rule_does_is_as_worked_out_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let spare = save(folder.path(), "spare.toml", SPARE);
    let found = json(&["effects", &spare]);
    let close = |figures: &Value, expected: [f64; 3]| {
        for (key, expected) in ["first_mover_edge", "turns", "skill"].into_iter().zip(expected) {
            assert!((number(&figures[key]) - expected).abs() < 1e-9, "{key}: {figures}");
        }
    };
    let whole = [0.5, 1.5, 0.5];
    close(&found["whole"], whole);
    let without = [("Sides", [5.0 / 7.0, 6.0 / 5.0, 0.5]), ("Spare", [5.0 / 9.0, 13.0 / 9.0, 0.5])];
    for (effect, (rule, expected)) in found["without"].as_array().unwrap().iter().zip(without) {
        assert_eq!(effect["rule"], rule);
        close(&effect["figures"], expected);
        close(&effect["change"], [0, 1, 2].map(|figure| expected[figure] - whole[figure]));
    }
    assert_eq!(found["without"].as_array().unwrap().len(), 2);
    // Rolling none wins at once, for the baseline too: there is no skill but with this rule left
    // out.
    let gift = SPARE.to_owned() + "\n[[rule]]\nname = \"Gift\"\nzero_dice = \"2\"\n";
    let found = json(&["effects", &save(folder.path(), "gift.toml", &gift)]);
    close(&found["whole"], [1.0, 1.0, 0.0]);
    close(&found["without"][2]["figures"], whole);
    let told = text(&["effects", &save(folder.path(), "gift.toml", &gift)]);
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
}

#[test]
fn a_game_without_a_rule_is_the_game_of_the_file_without_it() {
    let folder = tempfile::tempdir().unwrap();
    let wild = save(folder.path(), "wild.toml", &(MINE.to_owned() + PILE));
    let effect = json(&["effects", &wild])["without"][1].clone();
    assert_eq!(effect["rule"], "Hog Pile");
    let calm = json(&["describe", &save(folder.path(), "calm.toml", MINE)]);
    let figures = &effect["figures"];
    assert_eq!(figures["first_mover_edge"], calm["first_mover_edge"]);
    assert!((number(&figures["turns"]) - number(&calm["turns"]["mean"])).abs() < 1e-9);
    let against = number(&calm["skill"][1]["against_optimal"]["average"]);
    assert!((number(&figures["skill"]) - (0.5 - against)).abs() < 1e-12);
    // In a game in which only one rule scores, nothing is left without it.
    let only =
        "id = \"only\"\ngoal = 3\nmax_dice = 0\n[[rule]]\nname = \"One\"\nzero_dice = \"1\"\n";
    let effect = json(&["effects", &save(folder.path(), "only.toml", only)])["without"][0].clone();
    assert!(effect["figures"].is_null() && effect["change"].is_null(), "{effect}");
    assert!(effect["reason"].as_str().unwrap().contains("end"), "{effect}");
}

#[test]
fn numbers_of_a_rule_file_are_shown_with_where_they_are_used() {
    let folder = tempfile::tempdir().unwrap();
    let spare = save(folder.path(), "spare.toml", SPARE);
    let shown = json(&["rules", "show", &spare]);
    let expected = serde_json::json!([
        {"name": "spare", "value": 0, "used_in": [{"of": "turn", "key": "max"}, {"of": "Spare", "key": "bust"}]},
        {"name": "sides", "value": 3, "used_in": [{"of": "Sides", "key": "die"}]},
        {"name": "idle", "value": 7, "used_in": []},
    ]);
    assert_eq!(shown["numbers"], expected);
    let told = text(&["rules", "show", &spare]);
    assert!(told.contains("spare = 0  in turn (max), Spare (bust)"), "{told}");
    assert!(told.contains("idle = 7  in no formula"), "{told}");
    assert!(json(&["rules", "show", "fa21"])["numbers"].is_null());
}
