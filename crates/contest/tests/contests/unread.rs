//! Who is not read: files in too little time, and files that were refused before; never a strategy
//! that is given by its name.

use std::time::Instant;

use hog_contest::{Invitation, field};
use hog_solve::game::USUAL_MEMORY;
use hog_study::strategy::Sources;

use super::game;

#[test]
fn files_are_left_out_for_time_and_names_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("five.txt");
    std::fs::write(&file, "5 5\n5 5\n").unwrap();
    let path = file.display().to_string();
    let mut invitation = Invitation {
        entrants: vec![path, "optimal".into(), "baseline".into()],
        until: Some(Instant::now()),
        ..Invitation::default()
    };
    let game = game("fa21", Some(2));
    let read = |invitation: &Invitation| {
        field(&game, invitation, &Sources::files(), USUAL_MEMORY, &|_, _, _| true, &|_, _| ())
            .unwrap()
    };
    let late = read(&invitation);
    assert_eq!(late.entrants.len(), 2);
    assert!(late.rejected[0].is_unread, "{:?}", late.rejected);
    invitation.until = None;
    assert_eq!(read(&invitation).entrants.len(), 3);
    invitation.refused = [("five.txt".to_owned(), "it was slow".to_owned())].into();
    let refused = read(&invitation);
    assert_eq!(refused.entrants.len(), 2);
    assert_eq!(
        (&*refused.rejected[0].reason, refused.rejected[0].is_unread),
        ("it was slow", false)
    );
}
