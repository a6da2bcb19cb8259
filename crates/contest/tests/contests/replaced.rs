//! Submissions that their owners replace while a contest is read.

use std::path::Path;
use std::sync::Once;

use hog_contest::{Field, Invitation, field};
use hog_rules::rules::{Overrides, load};
use hog_solve::game::{Game, USUAL_MEMORY};
use hog_study::strategy::Sources;

/// Reads the submissions of bob and eve, in folders of their own. When hers is about to be read,
/// she replaces a path by a link.
fn field_with_replaced(path: &str, target: &str) -> Field {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join("class").join(path);
    for (name, dice) in [("bob", 3), ("eve", 1)] {
        std::fs::create_dir_all(at(name)).unwrap();
        std::fs::write(at(name).join("rolls.csv"), format!("{0},{0},{0},{0}\n", dice).repeat(4))
            .unwrap();
    }
    let replaced = Once::new();
    let replace = || {
        std::fs::rename(at(path), folder.path().join("before")).unwrap();
        std::os::unix::fs::symlink(Path::new(target), at(path)).unwrap();
    };
    let rules = load("fa21", Overrides { goal: Some(4), max_dice: Some(3) }).unwrap();
    let invitation = Invitation { each_in: vec![at("")], ..Invitation::default() };
    let on_read = |_: usize, _: usize, name: &str| {
        if name == "eve" {
            replaced.call_once(replace);
        }
        true
    };
    field(
        &Game::new(rules).unwrap(),
        &invitation,
        &Sources::files(),
        USUAL_MEMORY,
        &on_read,
        &|_, _| (),
    )
    .unwrap()
}

#[test]
fn what_is_replaced_by_a_link_to_anothers_work_is_refused() {
    for (path, target) in [("eve/rolls.csv", "../bob/rolls.csv"), ("eve", "bob")] {
        let field = field_with_replaced(path, target);
        let entrants: Vec<&str> = field.entrants.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(entrants, ["bob"], "{path}");
        assert!(field.rejected[0].reason.contains("a link"), "{:?}", field.rejected);
    }
}
