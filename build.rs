//! Lists the files in `page`, so that adding a file is enough to embed it.

use std::path::PathBuf;

fn main() {
    let folder =
        PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("page");
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = std::fs::read_dir(&folder).expect("a readable folder");
    let mut files: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    let lines: String = files
        .iter()
        .map(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).expect("names are ASCII");
            format!("    ({name:?}, include_bytes!({path:?})),\n")
        })
        .collect();
    let list = format!("const PAGE: &[(&str, &[u8])] = &[\n{lines}];\n");
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets it"));
    std::fs::write(out.join("page.rs"), list).expect("a writable build folder");
}
