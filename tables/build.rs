//! Lists the tables in this folder, so that adding a file is enough to embed it.

use std::path::PathBuf;

fn main() {
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("a readable folder");
    let mut tables: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    tables.retain(|path| path.extension().is_some_and(|extension| extension == "hog"));
    tables.sort();
    let lines: String = tables
        .iter()
        .map(|path| {
            let id = path.file_stem().and_then(|stem| stem.to_str()).expect("names are ASCII");
            format!("    ({id:?}, include_bytes!({path:?})),\n")
        })
        .collect();
    let list = format!(
        "/// The tables, in the order of their ids.\npub const TABLES: &[(&str, &[u8])] = &[\n{lines}];\n"
    );
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("tables.rs"), list).expect("a writable build folder");
}
