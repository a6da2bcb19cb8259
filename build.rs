//! Generates lists of the rule files in `src/rules/games`, the tables in `tables` and the files in `page`, so that
//! adding a file is enough to embed it. `hog-core` embeds games and tables, `hog-shell` the page: an edit of the page
//! does not build the solver again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    match std::env::var("CARGO_PKG_NAME").as_deref() {
        Ok("hog-core") => games_and_tables(),
        _ => page(),
    }
}

fn games_and_tables() {
    let games = files("src/rules/games", "toml")
        .into_iter()
        .map(|(id, path)| format!("    Builtin {{ id: {id:?}, text: include_str!({path:?}) }},"));
    list("games.rs", "const GAMES: &[Builtin] = &[", games);
    let tables =
        files("tables", "hog").into_iter().map(|(id, path)| format!("    ({id:?}, include_bytes!({path:?})),"));
    list("tables.rs", "const TABLES: &[(&str, &[u8])] = &[", tables);
}

fn page() {
    let page = files("page", "").into_iter().map(|(_, path)| {
        let name = path.file_name().and_then(|name| name.to_str()).expect("names are ASCII");
        format!("    ({name:?}, include_bytes!({path:?})),")
    });
    list("page.rs", "const PAGE: &[(&str, &[u8])] = &[", page);
}

/// Returns the files in `folder` with the extension `ending` (all files if it is empty), sorted by path: each file's
/// stem and its full path.
fn files(folder: &str, ending: &str) -> Vec<(String, PathBuf)> {
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let found = package.ancestors().take(3).map(|root| root.join(folder)).find(|folder| folder.is_dir());
    let folder = found.expect("the folder is in the repository");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(folder).expect("a readable folder");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|path| ending.is_empty() || path.extension().is_some_and(|extension| extension == ending));
    files.sort();
    let stem = |path: &PathBuf| path.file_stem().and_then(|stem| stem.to_str()).expect("names are ASCII").to_owned();
    files.into_iter().map(|path| (stem(&path), path)).collect()
}

/// Writes the generated file `name`: the line `head`, the entries `lines` and the closing bracket.
fn list(name: &str, head: &str, lines: impl Iterator<Item = String>) {
    let mut text = format!("{head}\n");
    for line in lines {
        writeln!(text, "{line}").expect("writing to a string");
    }
    text.push_str("];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join(name), text).expect("a writable build folder");
}
