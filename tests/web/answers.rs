//! The answers of the API: the documents of the command line, and those that only the page needs.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::process::Command;

use serde_json::{Value, json};

use super::Server;

/// Returns the document that a command prints.
fn printed(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    let output = command.args(arguments).args(["--format", "json"]).output().expect("it runs");
    serde_json::from_slice(&output.stdout).expect("one document")
}

#[test]
fn requests_have_the_names_and_documents_of_the_command_line() {
    let server = Server::start();
    let memory = json!({ "rules": "fa19", "score": 20, "opponent": 36, "memory": { "last_dice": 4 }, "goal": 40 });
    let pairs = [
        ("best", memory, "best fa19 20 36 --memory last_dice=4 --goal 40"),
        (
            "turn",
            json!({ "rules": "fa21", "score": 20, "opponent": 36, "dice": [2, 5] }),
            "turn fa21 20 36 --dice 2,5",
        ),
        (
            "rate",
            json!({ "rules": "FA21", "strategy": "always_roll:4", "goal": 30 }),
            "rate fa21 always_roll:4 --goal 30",
        ),
        (
            "try",
            json!({ "rules": "su15", "strategy": "always_roll:3", "goal": 20 }),
            "try su15 always_roll:3 --goal 20",
        ),
        ("dice", json!({ "number": 3, "die": 4 }), "dice 3 --die 4"),
        ("dice", json!({ "number": 5, "of": "pairs" }), "dice 5 --of pairs"),
        ("fair", json!({ "rules": "fa21", "goal": 20 }), "fair fa21 --goal 20"),
        ("rules/list", json!({}), "rules list"),
        ("rules/show", json!({ "rules": "fa19" }), "rules show fa19"),
        ("rules/check", json!({ "rules": "fa21" }), "rules check fa21"),
        ("rules/functions", json!({}), "rules functions"),
    ];
    for (name, request, command) in pairs {
        let arguments: Vec<&str> = command.split(' ').collect();
        assert_eq!(server.ask(name, &request), printed(&arguments), "{command}");
    }
    let solved = server
        .ask("solve", &json!({ "rules": "fa21", "goal": 12, "max_dice": 3, "fraction": true }));
    let model =
        json!({ "rules": "fa21", "goal": 6, "arithmetic": "float", "to": "drn", "fix": "first" });
    let model = server.ask("solve", &model);
    assert_eq!(model["arithmetic"], "float");
    assert!(model["file"].as_str().unwrap().contains("the first player uses the table"), "{model}");
    assert_eq!(solved["fraction"], "579534317256121/914039610015744");
}

#[test]
fn a_query_string_is_answered_like_a_body() {
    let server = Server::start();
    let body = json!({ "rules": "fa19", "score": 3, "opponent": 4, "memory": { "last_dice": 1, "opponent_last_dice": 2 } });
    let query =
        server.get("/api/v1/best?rules=fa19&score=3&opponent=4&memory=last_dice=1&memory=opponent_last_dice%3D2");
    assert_eq!(query.json(), server.ask("best", &body));
    let turn = server.get("/api/v1/turn?rules=fa18&score=3&opponent=4&dice=2,5");
    assert_eq!(turn.json()["points"], 7);
    assert_eq!(
        server.get("/api/v1/play?rules=fa21&players=person&players=optimal&seed=3").json()["mover"],
        0
    );
}

#[test]
fn a_map_of_when_to_hold_agrees_with_best_at_both_sides_of_each_threshold() {
    let server = Server::start();
    let map = server.ask("map", &json!({ "rules": "pig", "goal": 20, "layers": ["hold"] }));
    assert_eq!(map["hold"]["over"], "pot");
    for (score, opponent) in [(0, 0), (0, 19), (7, 3), (12, 18), (19, 19)] {
        let holds = |pot: i64| {
            let memory = json!({ "pot": pot });
            let position = json!({ "rules": "pig", "goal": 20, "score": score, "opponent": opponent, "memory": memory });
            let best = server.ask("best", &position);
            best["best"].as_array().unwrap().contains(&json!(0))
        };
        // With what is missing nobody has to hold.
        let missing = 20 - score as i64;
        match map["hold"]["first"][score * 20 + opponent].as_i64() {
            Some(first) => assert!(
                first < missing && holds(first) && (0..first).all(|pot| !holds(pot)),
                "{score} to {opponent}: {first}"
            ),
            None => assert!((0..missing).all(|pot| !holds(pot)), "{score} to {opponent}"),
        }
    }
    // At 40 to 50 of Pig to 100, only 28 of 22 and more is better rolled on with.
    let map = server.ask("map", &json!({ "rules": "pig", "layers": ["hold"] }));
    let hold = ["first", "last", "again"].map(|name| map["hold"][name][4050].as_i64());
    assert_eq!(hold, [Some(22), Some(27), Some(29)]);
    server.assert_refused(
        "map",
        &json!({ "rules": "fa21", "layers": ["hold"] }),
        422,
        &["nothing to hold"],
    );
}

#[test]
fn a_map_agrees_with_best_at_each_pair_of_scores() {
    let server = Server::start();
    let map = server.ask(
        "map",
        &json!({ "rules": "fa21", "layers": ["spread", "met"], "strategy": "always_roll:4" }),
    );
    for (score, opponent) in [(0, 0), (20, 36), (99, 99), (36, 20)] {
        let best =
            server.ask("best", &json!({ "rules": "fa21", "score": score, "opponent": opponent }));
        let cell = score * 100 + opponent;
        assert_eq!(map["sets"][map["best"][cell].as_u64().unwrap() as usize], best["best"]);
        let rates = best["choices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|choice| choice["win_rate"].as_f64().unwrap());
        let spread = best["win_rate"].as_f64().unwrap() - rates.fold(1.0, f64::min);
        assert!(
            (map["win_rate"][cell].as_f64().unwrap() - best["win_rate"].as_f64().unwrap()).abs()
                < 1e-6
        );
        assert!((map["spread"][cell].as_f64().unwrap() - spread).abs() < 1e-6);
        assert_eq!(map["strategy"]["dice"][cell], 4);
    }
    assert!(
        (map["met"][0].as_f64().unwrap() - 0.5).abs() < 1e-9,
        "every other game begins at 0-0 with this player, and none returns there"
    );
}

#[test]
fn the_parts_of_a_difference_sum_to_it() {
    let server = Server::start();
    for (rules, rolls) in [
        ("fa21", json!([8, 5])),
        ("fa19", json!([])),
        ("su15", json!([0, 10])),
        ("sp17", json!([])),
    ] {
        let why = server
            .ask("why", &json!({ "rules": rules, "score": 20, "opponent": 36, "rolls": rolls }));
        let number = |value: &Value| value.as_f64().unwrap();
        let difference = number(&why["win_rate"][0]) - number(&why["win_rate"][1]);
        let shares: f64 =
            why["parts"].as_array().unwrap().iter().map(|part| number(&part["share"])).sum();
        assert!((shares - difference).abs() < 1e-9, "{rules}: {shares} for {difference}");
        for side in 0..2 {
            let of = |outcome: &Value| number(&outcome["chance"][side]);
            let chances: f64 = why["outcomes"].as_array().unwrap().iter().map(of).sum();
            assert!((chances - 1.0).abs() < 1e-9, "{rules}: {chances}");
        }
    }
}

#[test]
fn the_same_seed_and_rolls_give_the_same_game() {
    let server = Server::start();
    let game = |rolls: &[i32]| {
        let players = json!(["person", "always_roll:4"]);
        server.ask(
            "play",
            &json!({ "rules": "fa21", "players": players, "seed": 7, "rolls": rolls, "goal": 30 }),
        )
    };
    let (one, two) = (game(&[5]), game(&[5, 4]));
    assert_eq!(
        one["turns"].as_array().unwrap()[..2],
        two["turns"].as_array().unwrap()[..2],
        "a turn is taken back by sending one roll less"
    );
    assert_eq!(one["turns"][0]["player"], 0);
    assert_eq!(one["turns"][1]["name"], "always_roll:4");
    assert!(one["turns"][0]["said"][0].as_str().unwrap().contains("Player 0 takes the lead"));
    assert_eq!(one["hints"].as_array().unwrap().len(), 11);
    let mut rolls = vec![6];
    let mut over = game(&rolls);
    while !over["mover"].is_null() {
        rolls.push(6);
        over = game(&rolls);
    }
    assert!(over["summaries"][0]["moves"].as_u64().unwrap() > 0);
    let (rolls, players) = (vec![5; 500], ["person", "optimal"]);
    let long = json!({ "rules": "fa21", "players": players, "seed": 1, "rolls": rolls });
    server.assert_refused("play", &long, 422, &["over after", "leave it out"]);
    let watched = json!({ "rules": "fa21", "players": ["optimal", "baseline"], "seed": 1, "score": 90, "opponent": 80 });
    assert_eq!(server.ask("play", &watched)["turns"][0]["from"], json!([90, 80]));
}

#[test]
fn dice_that_a_person_keeps_are_sent_and_a_bust_is_no_record() {
    let server = Server::start();
    let kcd = |keeps: &[[u32; 6]]| {
        let players = ["person", "optimal"];
        let game = json!({ "rules": "kcd", "goal": 500, "players": players, "seed": 7,
            "rolls": [1], "keeps": keeps });
        server.ask("play", &game)
    };
    let waiting = kcd(&[]);
    assert_eq!(waiting["roll"], json!([2, 5, 6, 3, 3, 1]));
    let kept = kcd(&[[0, 0, 0, 0, 0, 1]]);
    assert_eq!(kept["turns"][0]["keep"], json!([0, 0, 0, 0, 0, 1]));
    assert_eq!(kept["memory"], json!({ "dice": 5, "pot": 100 }));
    let hog = json!({ "rules": "fa21", "players": ["person", "optimal"], "seed": 3, "rolls": [8] });
    let turns = &server.ask("play", &hog)["turns"];
    assert_eq!((&turns[0]["points"], &turns[1]["points"]), (&json!(1), &json!(16)));
    assert_eq!(turns[0]["said"], json!(["Player 0 takes the lead by 1"]));
    assert_eq!(turns[1]["said"].as_array().unwrap().len(), 2);
}

#[test]
fn a_rule_file_in_a_request_is_used_and_its_faults_have_their_line() {
    let server = Server::start();
    let text =
        server.ask("rules/text", &json!({ "rules": "fa21" }))["text"].as_str().unwrap().to_owned();
    assert_eq!(
        server.ask("map", &json!({ "file": text }))["best"],
        server.ask("map", &json!({ "rules": "fa21" }))["best"]
    );
    let faulty = text.replace("bust = \"1\"", "bust = \"scor\"").replace("2 * score", "2 *");
    let answer = server.post("map", &json!({ "file": faulty }));
    answer.assert_refusal(422, &["2 faults"]);
    let faults = answer.json()["error"]["faults"].clone();
    assert_eq!(faults.as_array().unwrap().len(), 2);
    assert_eq!([&faults[0]["line"], &faults[0]["file"]], [&json!(12), &json!("rules")]);
}

/// Regression: `goal: 0` was a panic, larger numbers were accepted, and only queries noticed a
/// faulty baseline.
#[test]
fn every_request_about_a_rule_file_makes_the_same_checks() {
    let server = Server::start();
    let text = "id = \"x\"\ngoal = 9\nbaseline = \"always_roll:2\"\n";
    let place = json!({ "score": 0, "opponent": 0 });
    let turn = json!({ "score": 0, "opponent": 0, "dice": [2, 3] });
    for (name, parameters) in
        [("rules/check", &json!({})), ("rules/show", &json!({})), ("turn", &turn), ("best", &place)]
    {
        let request = |text: &str, key: &str, value: u32| {
            let mut request = parameters.clone();
            (request["file"], request[key]) = (json!(text), json!(value));
            request
        };
        for (key, value) in [("goal", 0), ("goal", u32::MAX), ("max_dice", 31)] {
            server.assert_refused(name, &request(text, key, value), 422, &[key, "out of range"]);
        }
        for baseline in ["nonsense", "baseline", "python:/tmp/a.py", "beat:a.csv"] {
            let faulty = text.replace("always_roll:2", baseline);
            server.assert_refused(
                name,
                &request(&faulty, "goal", 8),
                422,
                &["rules:3:12", baseline],
            );
        }
        server.ask(name, &request(text, "goal", 8));
    }
}

#[test]
fn strategies_in_a_request_are_rated_under_their_own_names() {
    let server = Server::start();
    let rows: String = (0..900).map(|cell| format!("{},{},3\n", cell / 30, cell % 30)).collect();
    let csv = json!([{ "name": "mine/three.csv", "text": format!("score,opponent,dice\n{rows}") }]);
    let request = json!({ "rules": "fa21", "goal": 30, "strategy": "mine/three.csv", "files": csv, "top": 5 });
    let (sent, named) =
        (server.ask("try", &request), printed(&["try", "fa21", "always_roll:3", "--goal", "30"]));
    assert_eq!(sent["strategy"], "mine/three.csv");
    assert_eq!([&sent["win_rate"], &sent["mistakes"]], [&named["win_rate"], &named["mistakes"]]);
    assert_eq!(sent["worst"].as_array().unwrap().len(), 5);
    let broken = json!([{ "name": "three.csv", "text": "score,opponent,dice\n0,0,99\n" }]);
    let request = json!({ "rules": "fa21", "goal": 30, "strategy": "three.csv", "files": broken });
    server.assert_refused("rate", &request, 422, &["three.csv"]);
}

#[test]
fn an_uploaded_opponent_cannot_read_the_strategy() {
    let server = Server::start();
    let spying = "import os\ntry:\n    open(os.path.join(os.path.dirname(__file__), \
     'mine.py'))\n    DICE = 1\n\
                  except OSError:\n    DICE = 3\n\n\n\
                  def final_strategy(score, opponent_score):\n    return DICE\n";
    let files = json!([
        { "name": "mine.py", "text": "def final_strategy(score, opponent_score):\n    return 4\n" },
        { "name": "spy.py", "text": spying },
    ]);
    for name in ["map", "rate", "try"] {
        let mut request =
            json!({ "rules": "fa21", "goal": 20, "strategy": "mine.py", "against": "spy.py" });
        request["files"] = files.clone();
        let (sent, answer) = (server.ask(name, &request), |against: &str| {
            let request = json!({ "rules": "fa21", "goal": 20, "strategy": "always_roll:4", "against": against });
            server.ask(name, &request)["win_rate"].clone()
        });
        assert_eq!(sent["win_rate"], answer("always_roll:3"), "{name}");
        assert_ne!(sent["win_rate"], answer("always_roll:1"), "{name}");
    }
}

#[test]
fn a_contest_reports_its_progress_line_by_line() {
    let server = Server::start();
    let request = json!({ "rules": "fa21", "goal": 40, "entrants": ["always_roll:3", "always_roll:4", "optimal", "baseline"] });
    let answer = server.post_text(
        "contest",
        &request.to_string(),
        "Content-Type: application/json\r\nAccept: application/x-ndjson\r\n",
    );
    let lines: Vec<Value> = answer
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    let last = lines.last().expect("a line");
    assert_eq!([&lines[0]["type"], &last["type"]], ["progress", "result"]);
    assert_eq!(last["result"]["ranking"][0]["name"], "optimal");
    assert_eq!(last["result"]["pairs"], 6);
    let partial =
        lines.iter().rfind(|line| !line["progress"]["matrix"].is_null()).expect("the matrix");
    assert_eq!(
        (&partial["progress"]["done"], &partial["progress"]["of"]),
        (&json!(10), &json!(10))
    );
    for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).filter(|(a, b)| a != b) {
        let near = |row: &Value| row[a][b].as_f64().expect("a rate");
        assert!(
            (near(&partial["progress"]["matrix"]) - near(&last["result"]["matrix"])).abs() < 1e-12,
            "{a} {b}"
        );
    }
}

#[test]
fn a_contest_tells_the_fate_of_each_entrant_and_goes_on_without_those_that_cannot_take_part() {
    let server = Server::start();
    let rows = |dice: &str| format!("{}\n", vec![dice; 20].join(" ")).repeat(20);
    let mut files = vec![
        json!({ "name": "good.txt", "text": rows("3") }),
        json!({ "name": "bad.txt", "text": rows("99") }),
        json!({ "name": "short.txt", "text": "4\n" }),
    ];
    let has_python = Command::new("python3").arg("--version").output().is_ok();
    if has_python {
        let text = "def final_strategy(score, opponent_score):\n    while True:\n        pass\n";
        files.push(json!({ "name": "loops.py", "text": text }));
    }
    let request =
        json!({ "rules": "fa21", "goal": 20, "entrants": ["always_roll:4"], "files": files });
    let answer = server.post_text(
        "contest",
        &request.to_string(),
        "Content-Type: application/json\r\nAccept: application/x-ndjson\r\n",
    );
    let lines: Vec<Value> = answer
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    let result = &lines.last().expect("a line")["result"];
    let fates = lines.iter().filter_map(|line| line["progress"]["entrants"].as_array()).flatten();
    let fates: Vec<(&str, bool)> =
        fates.map(|fate| (fate["name"].as_str().unwrap(), fate["rejected"].is_null())).collect();
    assert!(fates.contains(&("good", true)) && fates.contains(&("bad", false)), "{fates:?}");
    let of = |list: &Value| {
        list.as_array().unwrap().iter().map(|row| row["name"].to_string()).collect::<BTreeSet<_>>()
    };
    assert_eq!(
        of(&result["ranking"]),
        BTreeSet::from(["\"always_roll:4\"".into(), "\"good\"".into()])
    );
    assert_eq!(
        of(&result["rejected"]).len(),
        if has_python { 3 } else { 2 },
        "{}",
        result["rejected"]
    );
}

#[test]
fn uploads_of_equal_names_are_told_apart_by_what_was_sent() {
    let server = Server::start();
    let sent = |names: &[&str]| {
        let files = names.iter().zip(3..).map(|(name, dice)| {
            let row = format!("{}\n", vec![dice.to_string(); 20].join(" "));
            json!({ "name": name, "text": row.repeat(20) })
        });
        let request = json!({ "rules": "fa21", "goal": 20, "entrants": ["optimal"], "files": files.collect::<Vec<_>>() });
        let ranking = server.ask("contest", &request)["ranking"].clone();
        let rows = ranking.as_array().unwrap();
        let mut found: Vec<&str> = rows.iter().filter_map(|row| row["file"].as_str()).collect();
        found.sort_unstable();
        let mut sorted = names.to_vec();
        sorted.sort_unstable();
        assert_eq!(found, sorted, "each entrant has the name of its file as it was sent");
        let mut names: Vec<String> =
            rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(sent(&["eve.txt", "eve.strat"]), ["eve.strat", "eve.txt", "optimal"]);
    assert_eq!(sent(&["hog.txt", "b/hog.txt"]), ["b", "hog.txt", "optimal"]);
    assert_eq!(sent(&["a/hog.txt", "b/hog.txt"]), ["a", "b", "optimal"]);
    assert_eq!(sent(&["optimal.txt"]), ["optimal", "optimal.txt"]);
    let notebook = json!([{ "name": "hog.ipynb", "text": r#"{"cells": []}"# }]);
    let contest = server.ask("contest", &json!({ "rules": "fa21", "files": notebook }));
    let reason = contest["rejected"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("no cell of the notebook defines `final_strategy`"), "{reason}");
}

#[test]
fn folders_of_submissions_are_named_by_the_export_and_the_roster() {
    let server = Server::start();
    let rolls = |dice: u32| format!("{}\n", vec![dice.to_string(); 20].join(" ")).repeat(20);
    let metadata = "submission_7:\n  :submitters:\n  - :name: Ada Lovelace\n    :sid: '11'\n    \
     :email: ada@example.edu\nsubmission_9:\n  :submitters:\n  - :name: Grace Hopper\n    \
     :sid: '12'\n    :email: grace@example.edu\n";
    let roster = "Name,Email,SID\nLovelace Ada,ada@example.edu,11\n\
                  Hopper Grace,grace@example.edu,12\nTuring Alan,alan@example.edu,13\n";
    let files = json!([
        { "name": "submission_metadata.yml", "text": metadata },
        { "name": "submission_7/hog.txt", "text": rolls(4) },
        { "name": "submission_8/hog.txt", "text": rolls(5) },
        { "name": "roster.csv", "text": roster },
        { "name": "late.txt", "text": rolls(3) },
        { "name": "11.txt", "text": rolls(6) },
    ]);
    let request = |roster: &str| json!({ "rules": "fa21", "goal": 20, "files": files, "each_in": true, "roster": roster });
    let answer = server.ask("contest", &request("roster.csv"));
    let names: BTreeSet<&str> = answer["ranking"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["name"].as_str().unwrap())
        .collect();
    assert!(names.contains("submission_8") && names.contains("late"), "{names:?}");
    assert!(names.iter().any(|name| name.contains("Ada")), "{names:?}");
    assert_eq!(answer["absent"], json!(["Turing Alan"]));
    // Of her submission there is no file that is sent, and it was handed in.
    let rejected = &answer["rejected"][0];
    assert!(rejected["name"].to_string().contains("Grace"), "{rejected}");
    assert!(rejected["reason"].to_string().contains("no file that can be a strategy"));
    assert_eq!(answer["skipped"], json!([]), "those beside the export take part");
    let twice = answer["unclear"].to_string();
    assert!(twice.contains("Lovelace Ada has handed in") && twice.contains("none of them counts"));
    assert!(!answer.to_string().contains("/tmp"), "no path of the server's is shown");
    let refused = server.post("contest", &request("other.csv"));
    refused.assert_refusal(400, &["other.csv"]);
}

#[test]
fn an_error_names_the_parameter_and_the_line_that_it_is_about() {
    let server = Server::start();
    let contest = json!({ "rules": "fa21", "entrants": ["optimal"] });
    for (question, mut request, parameter, value) in [
        ("contest", contest.clone(), "points", json!("plays=1,luck=2")),
        ("contest", contest.clone(), "deadline", json!("tomorrow")),
        ("contest", contest.clone(), "win_above", json!(0.4)),
        ("contest", contest.clone(), "win_above", json!(1)),
        ("contest", contest.clone(), "rank_by", json!("luck")),
        ("contest", contest.clone(), "roster", json!("nobody.csv")),
        ("contest", contest, "default_roll", json!(11)),
        ("contest", json!({ "rules": "fa21" }), "entrants", json!([])),
        ("best", json!({ "rules": "fa21", "opponent": 0 }), "score", json!(100)),
        ("best", json!({ "rules": "fa21", "score": 0 }), "opponent", json!("many")),
        ("best", json!({ "rules": "kcd", "score": 0 }), "opponent", json!(70)),
        ("solve", json!({ "rules": "fa21" }), "goal", json!(0)),
        ("solve", json!({ "rules": "fa21" }), "numbers", json!({ "luck": 1 })),
        ("rate", json!({ "rules": "fa21", "strategy": "optimal" }), "luck", json!(1)),
    ] {
        request[parameter] = value;
        let error = server.post(question, &request).json()["error"].take();
        assert_eq!(error["parameter"], parameter, "{request}: {error}");
        assert_eq!(error["faults"], json!([]), "{error}");
    }
    let rows = format!("{}4 4 many\n", "4 ".repeat(100) + "\n");
    let table = json!([{ "name": "mine.txt", "text": rows }]);
    let request = json!({ "rules": "fa21", "strategy": "mine.txt", "files": table });
    let error = server.post("rate", &request).json()["error"].take();
    let fault = &error["faults"][0];
    let wanted = [&json!("mine.txt"), &json!("file"), &json!(2)];
    assert_eq!([&fault["file"], &fault["kind"], &fault["line"]], wanted, "{error}");
    assert_eq!(error["parameter"], json!(null), "{error}");
}

#[test]
fn a_submission_is_graded_by_the_files_that_are_sent() {
    let server = Server::start();
    let text = "def final_strategy(score, opponent_score):\n    return 5\n";
    let request =
        json!({ "rules": "fa21", "goal": 20, "files": [{ "name": "hog.py", "text": text }] });
    let with = |key: &str, value: Value| {
        let mut request = request.clone();
        request[key] = value;
        request
    };
    let grade = server.ask("grade", &request);
    assert_eq!(grade["score"], json!(0.0), "{grade}");
    assert!(grade["output"].as_str().unwrap().contains("0.482931"), "{grade}");
    server.assert_refused("grade", &with("files", json!([])), 400, &["send its `files`"]);
    let named = with("submission", json!("/etc/passwd"));
    server.assert_refused("grade", &named, 400, &["leave out `submission`"]);
    server.assert_refused("grade", &with("against", json!(["/etc/passwd"])), 422, &[]);
}

#[test]
fn the_openapi_document_is_served_and_its_references_resolve() {
    let server = Server::start();
    let document = server.get("/api/v1/openapi.json").json();
    assert_eq!(document, hog::web::openapi());
    let page = include_str!("../../docs/page.md");
    for path in document["paths"].as_object().unwrap().keys() {
        let name = format!("`{}`", path.trim_start_matches("/api/v1/"));
        assert!(
            page.lines().any(|line| line.starts_with('|') && line.contains(&name)),
            "docs/page.md lacks {name}"
        );
    }
    let mut references = BTreeSet::new();
    collect(&document, &mut references);
    assert!(references.len() > 15);
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference}");
    }
    let paths = document["paths"].as_object().unwrap().keys();
    // A survey of all games takes longer than a request may.
    for path in paths.filter(|path| !path.ends_with("/survey")) {
        let status = server.get(path).status;
        assert!([200, 400].contains(&status), "{path}: {status}");
    }
}

fn collect(value: &Value, references: &mut BTreeSet<String>) {
    match value {
        Value::Object(entries) => {
            references.extend(entries.get("$ref").and_then(Value::as_str).map(str::to_owned));
            entries.values().for_each(|inner| collect(inner, references));
        }
        Value::Array(items) => items.iter().for_each(|inner| collect(inner, references)),
        _ => {}
    }
}

#[test]
fn the_engine_for_the_tab_is_sent_as_it_was_packed_and_allowed_only_if_it_is_there() {
    let server = Server::start();
    let module = server.get_with("/engine.wasm.gz", "Accept-Encoding: gzip\r\n");
    let index = server.get("/");
    let allowed = "script-src 'self' 'wasm-unsafe-eval'; worker-src blob:;";
    assert_eq!(index.head.contains(allowed), module.status == 200);
    assert_eq!(index.text().contains("data-engine=\"both\""), module.status == 200);
    assert_eq!(server.get("/engine.json").status, module.status);
    if module.status == 200 {
        assert!(!module.head.contains("content-encoding"));
        let mut bytes = Vec::new();
        flate2::read::GzDecoder::new(&module.body[..]).read_to_end(&mut bytes).unwrap();
        assert!(bytes.starts_with(b"\0asm"));
    } else {
        assert_eq!(module.status, 404);
        assert!(index.head.contains("script-src 'self';"));
    }
}

#[test]
fn the_page_is_complete_and_has_no_inline_code_and_its_first_view_is_small() {
    let server = Server::start();
    let index = server.get("/explore/fa21/20/36?last_dice=4");
    assert_eq!(index.status, 200);
    assert!(index.head.contains("content-security-policy: default-src 'none'; script-src 'self'"));
    let html = index.text();
    assert!(!html.contains("<style") && !html.contains(" style=") && !html.contains("javascript:"));
    assert!(
        html.split("<script")
            .skip(1)
            .all(|rest| rest.starts_with(" src=") || rest.starts_with(" type=\"module\" src="))
    );
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
    let mut first_view = html.len();
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let answer = server.get_with(&format!("/page/{name}"), "Accept-Encoding: gzip\r\n");
        assert_eq!(answer.status, 200, "{name}");
        assert!(answer.head.contains("content-encoding: gzip"), "{name}");
        let mut text = String::new();
        flate2::read::GzDecoder::new(&answer.body[..]).read_to_string(&mut text).unwrap();
        // The document is told that it has a server.
        let file = std::fs::read_to_string(format!("{folder}/{name}")).unwrap();
        assert!(name == "index.html" || text == file, "{name}");
        // Other views load what they need when they are opened.
        if html.contains(&format!("\"page/{name}\"")) {
            first_view += answer.body.len();
        }
        let tag =
            answer.head.split("etag: ").nth(1).unwrap().split('\r').next().unwrap().to_owned();
        assert_eq!(
            server.get_with(&format!("/page/{name}"), &format!("If-None-Match: {tag}\r\n")).status,
            304
        );
    }
    assert!(first_view < 68_000, "{first_view} bytes, packed");
}

#[test]
fn a_start_is_written_into_rules_and_told_in_pictures() {
    let server = Server::start();
    let request = json!({ "rules": "fa21", "goal": 20, "numbers": { "second_start": 8 } });
    let drawn = server.ask("plot/win", &request)["svg"].as_str().unwrap().to_owned();
    assert!(drawn.contains(" at 0 to 8; above one half"), "{drawn}");
    let request = json!({ "rules": "fa21", "numbers": { "second_start": 8 } });
    let text = server.ask("rules/text", &request)["text"].as_str().unwrap().to_owned();
    assert!(text.contains("\n[numbers]\nsecond_start = 8\n"), "{text}");
    let other = json!({ "file": text, "numbers": { "second_start": 4 } });
    let text = server.ask("rules/text", &other)["text"].as_str().unwrap().to_owned();
    assert!(text.contains("\n[numbers]\nsecond_start = 4\n"), "{text}");
}

#[test]
fn reports_of_a_contest_equal_those_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("pages").display().to_string();
    printed(&["contest", "fa21", "optimal", "always_roll:4", "--goal", "20", "--reports", &pages]);
    let server = Server::start();
    let request = json!({ "rules": "fa21", "goal": 20, "entrants": ["optimal", "always_roll:4"] });
    let view = server.ask("contest/reports", &request);
    assert_eq!(
        (&view["name"], view["files"].as_array().unwrap().len()),
        (&json!("contest-fa21.zip"), 6)
    );
    let bytes = base64::Engine::decode(
        &base64::engine::general_purpose::STANDARD,
        view["base64"].as_str().unwrap(),
    );
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes.unwrap())).unwrap();
    for file in ["optimal.html", "always-roll-4.html"] {
        let mut page = String::new();
        archive.by_name(file).unwrap().read_to_string(&mut page).unwrap();
        assert_eq!(page, std::fs::read_to_string(format!("{pages}/{file}")).unwrap(), "{file}");
    }
}

/// The files of an archive that the server sends, by their names.
fn unpacked(view: &Value) -> Vec<(String, String)> {
    let coded = view["base64"].as_str().unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, coded);
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(bytes.unwrap())).unwrap();
    let mut files = Vec::new();
    for at in 0..archive.len() {
        let mut text = String::new();
        let mut file = archive.by_index(at).unwrap();
        file.read_to_string(&mut text).unwrap();
        files.push((file.name().unwrap().into_owned(), text));
    }
    files
}

#[test]
fn points_go_into_a_column_of_the_roster_that_is_sent() {
    let roster = "Student,ID,SIS Login ID,Hog Contest (881)\n    Points Possible,,,3\n\
                  \"Lovelace, Ada\",4713,ada,\n\"Small, Eve\",4714,eve,\n";
    let table = format!("{}\n", "4 ".repeat(20)).repeat(20);
    let files = json!([
        { "name": "ada.txt", "text": table },
        { "name": "broken.txt", "text": "no table" },
        { "name": "roster.csv", "text": roster },
    ]);
    let mut request = json!({
        "rules": "fa24", "goal": 20, "files": files, "roster": "roster.csv",
        "points": "plays=2", "without_pages": true, "grade_column": "Hog Contest (881)",
    });
    let server = Server::start();
    let view = server.ask("contest/reports", &request);
    assert_eq!(view["name"], "contest-fa24.zip", "as it was asked for");
    let files = unpacked(&view);
    let (_, graded) = files.iter().find(|(name, _)| name == "roster-with-points.csv").unwrap();
    assert_eq!(graded, &roster.replace("ada,\n", "ada,2\n"));
    request["grade_column"] = json!("Pig");
    server.assert_refused("contest/reports", &request, 400, &["Pig", "Hog Contest (881)"]);
    request["grade_column"] = json!("Hog");
    request.as_object_mut().unwrap().remove("points");
    server.assert_refused("contest/reports", &request, 400, &["grade_column"]);
    // A page for each, also for one that could not be played; names only if they are wanted.
    let mut pages = json!({ "audience": "students" });
    let own =
        ["rules", "goal", "files", "roster"].map(|key| (key.to_owned(), request[key].clone()));
    pages.as_object_mut().unwrap().extend(own);
    let index = |request: &Value| {
        let files = unpacked(&server.ask("contest/reports", request));
        assert!(files.iter().any(|(name, _)| name.starts_with("broken--")), "{files:?}");
        files.into_iter().find(|(name, _)| name == "index.html").unwrap().1
    };
    assert!(!index(&pages).contains("Lovelace") && index(&pages).contains("Mean win rate"));
    pages["feedback"] = json!("points");
    assert!(!index(&pages).contains("Mean win rate"), "their win rates are not shown");
    pages["show_names"] = json!(true);
    assert!(index(&pages).contains("Lovelace"));
    // Made again, they are called the same, and the gradebook says whose they are.
    let names = |request: &Value| server.ask("contest/reports", request)["files"].clone();
    pages["earlier"] = names(&pages);
    assert_eq!(names(&pages), pages["earlier"]);
    let page = pages["earlier"][0].as_str().unwrap().to_owned();
    pages.as_object_mut().unwrap().extend([
        ("audience".to_owned(), json!("staff")),
        ("without_pages".to_owned(), json!(true)),
    ]);
    let files = unpacked(&server.ask("contest/reports", &pages));
    let (_, book) = files.iter().find(|(name, _)| name == "gradebook.csv").unwrap();
    assert!(book.contains(",Report,") && book.contains(&page), "{book}");
}

#[test]
fn a_loss_is_a_number_in_a_body_and_in_a_query() {
    let server = Server::start();
    let asked = json!({ "rules": "fa21", "goal": 20, "within": 0.05 });
    let answer = server.ask("simplify", &asked);
    assert_eq!(answer["within"], 0.05);
    let by_query = server.get("/api/v1/simplify?rules=fa21&goal=20&within=0.05").json();
    assert_eq!(by_query["strategies"], answer["strategies"]);
    for within in [json!("0.05"), json!(0.6), json!(-0.1), json!([])] {
        let asked = json!({ "rules": "fa21", "goal": 20, "within": within });
        server.assert_refused("simplify", &asked, 400, &["`within` must be a number from 0"]);
    }
}
