//! Tests the page in a real browser: runs `tests/browser` if Chromium, Node and its two packages
//! are installed.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn the_page_works_in_a_browser() {
    if std::env::var_os("HOG_BROWSER").is_some_and(|value| value == "beside") {
        println!("skipped: .ci/run runs this test beside the others");
        return;
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let browser = std::env::var_os("CHROMIUM")
        .map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    let node =
        Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !browser.exists() || !node || !folder.join("node_modules").exists() {
        println!(
            "skipped: this needs {}, node, and `npm ci --prefix tests/browser`, which .ci/run \
             installs",
            browser.display()
        );
        return;
    }
    let shots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser");
    // Made by `scripts/site target/site`, which .ci/run does before.
    let site = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../site-of-tests");
    if !site.join("engine.json").exists() {
        println!("the tests of the tab are skipped: run scripts/site {}", site.display());
    }
    let output = Command::new("node")
        .arg("run.mjs")
        .current_dir(&folder)
        .env("HOG", env!("CARGO_BIN_EXE_hog"))
        .env("HOG_SHOTS", &shots)
        .env("CHROMIUM", browser)
        .env(
            "HOG_SITE",
            if site.join("engine.json").exists() { site.as_os_str() } else { "".as_ref() },
        )
        .output()
        .expect("node runs");
    let (printed, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    println!("{printed}");
    assert!(output.status.success(), "{printed}\n{errors}");
}
