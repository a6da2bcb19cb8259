//! Contests that are cancelled resume from the pairs in their file.

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
