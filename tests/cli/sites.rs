//! `hog site`: where its files are written, and where not.

use super::hog;

#[cfg(unix)]
#[test]
fn a_site_is_not_written_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (place, target) in
        [("data", "others"), ("page", "others"), ("index.html", "pipe"), ("data/games.json", "no")]
    {
        std::fs::create_dir_all(at("others")).unwrap();
        std::fs::create_dir_all(at("site").join(place).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(at(target), at("site").join(place)).unwrap();
        let output = hog(&["site", "-o", "site", "fa21", "--force"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && message.contains(&format!("site/{place} is a link")),
            "{message}"
        );
        assert_eq!(std::fs::read_dir(at("others")).unwrap().count(), 0);
        std::fs::remove_dir_all(at("site")).unwrap();
    }
}

#[test]
fn the_id_of_a_game_cannot_place_files_outside_the_site() {
    let folder = tempfile::tempdir().unwrap();
    for (file_name, id) in
        [("a.toml", "../../x"), ("b.toml", "games"), ("c.toml", "\"><img src=x>")]
    {
        let text = format!(
            "id = '{id}'\ngoal = 5\nmax_dice = 1\n\n[[rule]]\nname = \"One\"\nzero_dice = \"1\"\n"
        );
        std::fs::write(folder.path().join(file_name), text).unwrap();
    }
    let mut command = hog(&["site", "-o", "in/site", "a.toml", "b.toml", "c.toml"]);
    let output = command.current_dir(folder.path()).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed.matches("not a valid file name").count(), 3, "{printed}");
    assert!(!folder.path().join("x.json").exists() && !folder.path().join("in/x.json").exists());
}
