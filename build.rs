//! Lists the rule files under `src/rules/games`, so that adding a game means adding one file.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn main() {
    let folder = Path::new("src/rules/games");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(folder).expect("src/rules/games is in the package");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let root = std::env::current_dir().expect("cargo runs this in the package's folder");
    let mut list = String::from("const GAMES: &[Builtin] = &[\n");
    for file in &files {
        let id = file.file_stem().and_then(|stem| stem.to_str()).expect("file names are ASCII");
        let path = root.join(file);
        writeln!(list, "    Builtin {{ id: {id:?}, text: include_str!({path:?}) }},").expect("writing to a string");
    }
    list.push_str("];\n");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("games.rs"), list).expect("a writable build folder");
}
