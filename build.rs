//! Lists the files in `page`, so that adding a file is enough to embed it, and the engine for the
//! tab, if there is one to embed.

use std::path::{Path, PathBuf};

/// The folder made by `scripts/site` whose engine the program is to contain.
const TAB: &str = "HOG_TAB";

/// The modules with the system calls of that engine, which `scripts/site` takes from npm.
const SYSTEM: [&str; 5] =
    ["wasi-debug.js", "wasi-fd.js", "wasi-fs_mem.js", "wasi-wasi.js", "wasi-wasi_defs.js"];

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let folder = root.join("page");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("a readable folder");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    println!("cargo::rerun-if-env-changed={TAB}");
    let tab = std::env::var_os(TAB).filter(|folder| !folder.is_empty());
    let engine = tab.map_or_else(Vec::new, |folder| engine_in(&root.join(folder)));
    let lists = list("PAGE", &files) + &list("TAB", &engine);
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("page.rs"), lists).expect("a writable build folder");
}

/// Returns the files of the engine in a site, which must be of this version.
fn engine_in(site: &Path) -> Vec<PathBuf> {
    let described = site.join("engine.json");
    let mut files = vec![described.clone(), site.join("engine.wasm.gz")];
    for name in SYSTEM {
        files.push(site.join("page").join(name));
    }
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    let described = std::fs::read_to_string(described)
        .unwrap_or_else(|error| panic!("{TAB}: {}: {error}", site.display()));
    let version = std::env::var("CARGO_PKG_VERSION").expect("cargo sets it");
    assert!(
        described.contains(&format!("\"version\": \"{version}\"")),
        "{TAB}: {} is not of version {version}: run scripts/site again",
        site.display()
    );
    files
}

/// A constant with the name and the bytes of each file.
fn list(name: &str, files: &[PathBuf]) -> String {
    let lines: String = files
        .iter()
        .map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).expect("names are ASCII");
            format!("    ({name:?}, include_bytes!({path:?})),\n")
        })
        .collect();
    format!("const {name}: &[(&str, &[u8])] = &[\n{lines}];\n")
}
