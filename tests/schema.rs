//! The schemas in `docs/schema` are those of the views, and what the program prints fits them.
//!
//! `HOG_SCHEMA=write cargo test --release --test program schema` writes them again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hog::queries::QUERIES;
use serde_json::{Value, json};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema")
}

fn schema(name: &str) -> Value {
    let text = std::fs::read_to_string(folder().join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_files_hold_the_schemas_of_the_views() {
    let mut files = Vec::new();
    for (name, schema) in hog::schemas() {
        let path = folder().join(format!("{name}.json"));
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var("HOG_SCHEMA").as_deref() == Ok("write") {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        let written = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            written == text,
            "{} is out of date; HOG_SCHEMA=write cargo test --release --test program schema \
             updates it",
            path.display()
        );
        files.push(format!("{name}.json"));
    }
    let mut found: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    files.sort();
    assert_eq!(found, files, "the folder must hold a schema of every view, and no other");
}

/// Returns the faults of a document: enough of JSON Schema for what `schemars` writes. Keys that
/// the schema does not name are faults.
fn faults(document: &Value, schema: &Value, root: &Value, place: &str) -> Vec<String> {
    if let Some(path) = schema.get("$ref").and_then(Value::as_str) {
        let target =
            root.pointer(path.trim_start_matches('#')).unwrap_or_else(|| panic!("no {path}"));
        return faults(document, &with_own_keys(target, schema), root, place);
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(branches) = schema.get(key).and_then(Value::as_array) {
            let fits =
                branches.iter().any(|branch| faults(document, branch, root, place).is_empty());
            return if fits {
                Vec::new()
            } else {
                vec![format!("{place}: {document} fits no branch of {schema}")]
            };
        }
    }
    if schema.get("const").is_some_and(|only| only != document)
        || schema.get("enum").and_then(Value::as_array).is_some_and(|all| !all.contains(document))
    {
        return vec![format!("{place}: {document} is not allowed by {schema}")];
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    if !types.is_empty() && !types.iter().any(|name| is(document, name)) {
        return vec![format!("{place}: {document} is not of type {types:?}")];
    }
    let is_open = types.is_empty() && schema.get("properties").is_none();
    match document {
        // Any document.
        _ if is_open => Vec::new(),
        Value::Object(entries) => {
            let properties = schema["properties"].as_object();
            let required =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let missing = required.filter(|key| !entries.contains_key(*key));
            let mut found: Vec<String> =
                missing.map(|key| format!("{place}: no `{key}`")).collect();
            for (key, value) in entries {
                let place = format!("{place}.{key}");
                match (properties.and_then(|all| all.get(key)), schema.get("additionalProperties"))
                {
                    (Some(inner), _) | (None, Some(inner @ Value::Object(_))) => {
                        found.extend(faults(value, inner, root, &place));
                    }
                    _ => found.push(format!("{place}: the schema does not name it")),
                }
            }
            found
        }
        Value::Array(items) => {
            let inner = |index: usize| match schema["prefixItems"].get(index) {
                Some(inner) => inner.clone(),
                None => schema.get("items").cloned().unwrap_or(Value::Bool(true)),
            };
            let each = items.iter().enumerate();
            each.flat_map(|(index, item)| {
                faults(item, &inner(index), root, &format!("{place}[{index}]"))
            })
            .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the schema that another refers to, with the keys that the other adds: `type`, in lines of
/// a stream.
fn with_own_keys(target: &Value, schema: &Value) -> Value {
    let mut target = target.clone();
    if let Some(own) = schema["properties"].as_object() {
        target["properties"].as_object_mut().unwrap().extend(own.clone());
        let required = schema["required"].as_array().unwrap().clone();
        target["required"].as_array_mut().unwrap().extend(required);
    }
    target
}

fn is(document: &Value, name: &str) -> bool {
    match name {
        "null" => document.is_null(),
        "boolean" => document.is_boolean(),
        "integer" => document.is_i64() || document.is_u64(),
        "number" => document.is_number(),
        "string" => document.is_string(),
        "array" => document.is_array(),
        "object" => document.is_object(),
        other => panic!("no type of JSON is called {other}"),
    }
}

/// Returns the lines that a command prints, each a document.
fn printed(command: &str, input: &str) -> Vec<Value> {
    let arguments = command.split(' ').chain(["--format", "json"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_hog"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut after = lines.split("-0.0").skip(1);
    assert!(
        after.all(|rest| rest.starts_with(|c: char| c.is_ascii_digit())),
        "hog {command} prints -0.0: {lines}"
    );
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("hog {command}: {e}")))
        .collect()
}

#[track_caller]
fn assert_fits(document: &Value, name: &str) {
    let schema = schema(name);
    let found = faults(document, &schema, &schema, name);
    assert!(found.is_empty(), "{}\n{document}", found.join("\n"));
}

#[test]
fn what_commands_print_fits_their_schemas() {
    let folder = tempfile::tempdir().unwrap();
    let export = format!(
        "solve su15 --to csv --goal 9 --against always_roll:5 -o {}",
        folder.path().join("a.csv").display()
    );
    let autograder = format!(
        "gradescope su15 --binary {} -o {}",
        env!("CARGO_BIN_EXE_hog"),
        folder.path().join("a.zip").display()
    );
    // A submission without a strategy.
    let class = folder.path().join("class");
    std::fs::create_dir(&class).unwrap();
    let grade = format!("grade fa21 {} --goal 20", class.display());
    let commands = [
        ("best", "best fa19 20 36 --memory last_dice=4 --goal 40 --against always_roll:4"),
        ("check", "check fa21 nju21"),
        ("contest", "contest fa21 always_roll:4 always_roll:6 optimal baseline --goal 20"),
        ("compare", "compare fa21 sp22 --goal 20"),
        ("compare", "compare pig piglet --goal 12"),
        ("describe", "describe fa21 --goal 20"),
        ("describe", "describe piglet"),
        ("describe", "describe nju21 --goal 15 --play baseline,always_roll:2"),
        ("dice", "dice 3"),
        ("dice", "dice 3 --of pairs"),
        ("effects", "effects fa21 --goal 20"),
        ("error", "best fa21 100 0"),
        ("error", "bogus"),
        ("fair", "fair fa21 --goal 20"),
        ("autograder", &autograder),
        ("grade", &grade),
        ("rate", "rate fa21 optimal"),
        ("rules-check", "rules check fa21"),
        ("rules-functions", "rules functions"),
        ("rules-list", "rules list"),
        ("rules-show", "rules show fa19"),
        ("rules-show", "rules show fa14"),
        ("simplify", "simplify fa21 --lines 2 --goal 20"),
        ("simulate", "simulate fa21 always_roll:4 --games 100 --goal 20"),
        ("simulate", "simulate fa21 --games 100 --goal 20"),
        ("solve", "solve fa21 --goal 12 --fraction"),
        ("solve", "solve su15 --goal 12 --against always_roll:5 --arithmetic float"),
        ("solve", &export),
        ("solve", "solve fa19 --goal 12 --sees scores --against always_roll:4 --tries 2"),
        ("survey", "survey fa21 fa14 neller_hog --goal 10"),
        ("vary", "vary fa21 goal=5..7"),
        ("vary", "vary fa21 goal=5..7 max_dice=3,5"),
        ("tune", "tune fa21 always_roll:1..3 --goal 20"),
        ("try", "try fa21 always_roll:4 --goal 20"),
        ("try", "try fa19 bacon_strategy --goal 20"),
        ("turn", "turn fa19 23 4 --dice 5"),
        ("why", "why fa21 20 36 --goal 50"),
        ("why", "why fa19 0 9 --goal 20 --rolls 0,4 --against always_roll:4"),
    ];
    for query in QUERIES.iter().filter(|query| query.command.is_some()) {
        let is_shown = commands.iter().any(|(name, _)| *name == query.schema);
        assert!(is_shown, "no command line above prints the answer of `{}`", query.name);
    }
    for (name, command) in commands {
        let documents = printed(command, "");
        assert_eq!(documents.len(), 1, "hog {command}");
        assert_fits(&documents[0], name);
    }
}

#[test]
fn lines_of_batches_and_games_fit_their_schemas() {
    let question =
        json!({ "question": "turn", "rules": "fa21", "score": 1, "opponent": 2, "dice": [3] });
    let replies = printed("ask", &format!("{question}\nno JSON\n"));
    assert_eq!([&replies[0]["type"], &replies[1]["type"]], ["answer", "error"]);
    replies.iter().for_each(|reply| assert_fits(reply, "ask"));
    assert_fits(&replies[0]["answer"], "turn");
    let lines =
        printed("play fa21 --goal 20 --seed 7 --against always_roll:3", "4\n?\nu\nh\nx\nr\nq\n");
    let bids = printed("play sp15c --goal 20 --two", "4\n5\nq\n");
    let all: Vec<&Value> = lines.iter().chain(&bids).collect();
    all.iter().for_each(|line| assert_fits(line, "play-event"));
    let kinds: Vec<&str> = all.iter().filter_map(|line| line["type"].as_str()).collect();
    for branch in schema("play-event")["oneOf"].as_array().unwrap() {
        let kind = branch["properties"]["type"]["const"].as_str().unwrap();
        assert!(kinds.contains(&kind), "no line is of type {kind}");
    }
}

#[test]
fn every_schema_has_an_id_with_its_version() {
    for (name, schema) in hog::schemas() {
        let id = schema.get("$id").and_then(Value::as_str).unwrap();
        let version = schema.get("version").and_then(Value::as_str).unwrap();
        assert!(id.starts_with(env!("CARGO_PKG_REPOSITORY")), "{id}");
        assert!(id.ends_with(&format!("/{version}/{name}.json")), "{id}");
        assert_eq!(version, env!("CARGO_PKG_VERSION"));
    }
}

#[test]
fn every_question_is_in_the_table_of_endpoints() {
    let page = std::fs::read_to_string("docs/page.md").unwrap();
    let missing: Vec<&str> = hog::questions()
        .map(|query| query.name)
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(missing.is_empty(), "docs/page.md does not have {missing:?}");
}

#[test]
fn faults_are_found() {
    let schema = schema("rate");
    let rate =
        json!({ "first": 0.5, "second": 0.5, "average": 0.5, "endless": 0.0, "error_bound": 0.0 });
    let sound = json!({ "rules": "a", "strategy": "b", "against": "c", "win_rate": rate });
    let faulty = |change: &dyn Fn(&mut Value)| {
        let mut document = sound.clone();
        change(&mut document);
        !faults(&document, &schema, &schema, "rate").is_empty()
    };
    assert!(!faulty(&|_| {}));
    assert!(faulty(&|document| document["rules"] = json!(1)));
    assert!(faulty(&|document| document["win_rate"]["first"] = json!("half")));
    assert!(faulty(&|document| document["more"] = json!(1)));
    assert!(faulty(&|document| drop(document.as_object_mut().unwrap().remove("against"))));
}
