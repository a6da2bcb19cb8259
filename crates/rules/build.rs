//! Lists the rule files in `games`, so that adding a file is enough to embed it.

// A build script speaks to Cargo.
#![allow(clippy::disallowed_macros, clippy::disallowed_methods)]

use std::path::PathBuf;

fn main() {
    let folder =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("games");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("a readable folder");
    let mut games: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    games.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    games.sort();
    let lines: String = games
        .iter()
        .map(|path| {
            let id = path.file_stem().and_then(|stem| stem.to_str()).expect("names are ASCII");
            format!("    Builtin {{ id: {id:?}, text: include_str!({path:?}) }},\n")
        })
        .collect();
    let list = format!("const GAMES: &[Builtin] = &[\n{lines}];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("games.rs"), list).expect("a writable build folder");
}
