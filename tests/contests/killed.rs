//! Contests that are cancelled or killed resume from the pairs in their file.

use super::*;

#[test]
fn a_cancelled_contest_resumes_where_it_was() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("fa21", Some(20)));
    let file = folder.path().join("pairs.json");
    let entrants = entrants(&game, 30);
    let save = |kept: &KeptPairs| kept.write(&file);
    let whole =
        round_robin(&game, &entrants, &mut KeptPairs::new(game.rules()), &Watch::silent(), |_| {
            Ok(())
        })
        .unwrap();

    let stop = |done: usize, _: usize| done < 200;
    let mut kept = KeptPairs::read(&file, game.rules()).unwrap();
    round_robin(&game, &entrants, &mut kept, &Watch::new(&stop), save).unwrap_err();
    let mut kept = KeptPairs::read(&file, game.rules()).unwrap();
    let resumed = round_robin(&game, &entrants, &mut kept, &Watch::silent(), save).unwrap();
    assert!(resumed.kept >= 180 && resumed.kept < 435, "{}", resumed.kept);
    assert_eq!(resumed.rates, whole.rates, "a resumed contest has other bits");

    let reversed: Vec<Entrant> = entrants.into_iter().rev().collect();
    let again = round_robin(&game, &reversed, &mut kept, &Watch::silent(), save).unwrap();
    assert_eq!(again.kept, 435, "all pairs are kept, whatever the order of the entrants");
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "other files are left next to the kept pairs"
    );
}

#[test]
fn a_file_that_holds_no_pairs_of_the_game_is_refused() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("fa21", Some(20)));
    let file = folder.path().join("pairs.json");
    let refused = |file: &Path, text: &str| {
        std::fs::write(file, text).unwrap();
        KeptPairs::read(file, game.rules()).unwrap_err().to_string()
    };
    for text in ["", "[]", "{}", r#"{"hog_contest":9,"rules":"0","error_bound":0.0,"pairs":[]}"#] {
        assert!(refused(&file, text).contains("pairs.json"), "{text}");
    }
    assert!(
        refused(&file, r#"{"hog_contest":1,"rules":"0","pairs":[]}"#)
            .contains("another version of hog")
    );
    KeptPairs::new(&load("su15", Default::default()).unwrap()).write(&file).unwrap();
    assert!(KeptPairs::read(&file, game.rules()).unwrap_err().to_string().contains("other rules"));
}

/// Returns a command that holds a contest of the tables in a folder.
fn contest(folder: &Path, keep: Option<&Path>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(["contest", "fa19", "--format", "json"]).arg(folder);
    keep.map(|file| command.arg("--keep").arg(file));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn outcome(command: &mut Command) -> serde_json::Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_killed_contest_resumes_and_has_the_same_result() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("fa19", None));
    let (tables, file) = (folder.path().join("tables"), folder.path().join("pairs.json"));
    std::fs::create_dir(&tables).unwrap();
    for seed in 0..32 {
        let plan = scattered(&game, seed);
        let cell = |cell: usize| {
            format!(
                "{},{},{}\n",
                cell / 100,
                cell % 100,
                plan.action(cell * game.space().per_cell())
            )
        };
        let rows: String = (0..10_000).map(cell).collect();
        std::fs::write(tables.join(format!("t{seed}.csv")), format!("score,opponent,dice\n{rows}"))
            .unwrap();
    }
    let mut running = contest(&tables, Some(&file)).spawn().unwrap();
    while !file.exists() {
        assert!(
            running.try_wait().unwrap().is_none(),
            "the contest ended before any pair was kept"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    // This sends SIGKILL, which no process can catch.
    running.kill().unwrap();
    assert_eq!(running.wait().unwrap().code(), None, "the contest ended before it was killed");

    let resumed = outcome(&mut contest(&tables, Some(&file)));
    let kept = resumed["kept"].as_u64().unwrap();
    assert!(kept > 0 && kept < 496, "{kept} pairs were kept");
    let whole = outcome(&mut contest(&tables, None));
    for key in ["ranking", "entrants", "matrix", "first", "cycles", "error_bound"] {
        assert_eq!(resumed[key], whole[key], "{key}");
    }
    let again = outcome(&mut contest(&tables, Some(&file)));
    assert_eq!(again["kept"], again["pairs"], "all pairs are kept");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "only the tables and the kept pairs may be there: {left:?}");
}
