//! The Python that runs strategies, and the errors about one that cannot.

use super::*;

#[test]
fn a_missing_old_or_wrong_interpreter_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("strategy.py");
    std::fs::write(&file, body("pass")).unwrap();
    let old = folder.path().join("old");
    write_script(&old, "echo number 3 6; echo program /bin/sh");
    let other = folder.path().join("other");
    write_script(&other, "echo hello");
    for (python, words) in [
        (folder.path().join("nowhere"), "cannot run"),
        (old, "it is Python 3.6, and 3.8 or later is needed"),
        (other, "it is not Python 3"),
        (PathBuf::from("/bin/false"), "it is not Python 3"),
    ] {
        let python = python.to_str().unwrap();
        for trust in [&["--python", python][..], &["--python", python, "--trust"]] {
            let output = hog(&[&[file.to_str().unwrap()], trust].concat(), folder.path());
            let message = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{message}");
            let expected = [words, python, "cannot be run here", "HOG_PYTHON", "--python PATH"];
            assert!(
                expected.iter().all(|word| message.contains(word)) && !message.contains("--trust"),
                "{message}"
            );
        }
    }
}

/// A launcher that cannot set up the sandbox says so before it starts the strategy, and its message
/// is reported.
#[test]
fn an_error_of_the_launcher_is_reported() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("strategy.py");
    std::fs::write(&file, body("pass")).unwrap();
    let program = folder.path().join("launcher");
    let refused = |script: &str| {
        write_script(&program, script);
        planned(&format!("python:{}", file.display()), Launcher::new(&program)).unwrap_err()
    };
    for (script, words) in [
        ("echo Landlock is switched off >&2", "Landlock is switched off"),
        ("printf 'ready\\npython cannot be run' >&2", "python cannot be run"),
        ("exit 1", "without a message"),
        ("printf 'ready\\n' >&2; exec 2>&-; echo 'no module ctypes' >&0", "no module ctypes"),
        ("printf 'ready\\n' >&2; exec 2>&-; exit 1", "without a message"),
    ] {
        let error = refused(script);
        assert!(
            matches!(&error, StrategyError::NotConfined(reason) if reason.contains(words)),
            "{script}: {error}"
        );
    }
}

/// The packages of an environment are found, but its `.pth` files are not executed.
#[test]
fn a_virtual_environment_can_be_used() {
    if without_python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let made = Command::new("python3")
        .args(["-m", "venv", "--without-pip"])
        .arg(folder.path().join("venv"))
        .output();
    if !made.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED: python3 makes no virtual environments");
        return;
    }
    let library = folder.path().join("venv/lib");
    let version = std::fs::read_dir(&library).unwrap().next().unwrap().unwrap().path();
    let packages = version.join("site-packages");
    std::fs::write(packages.join("installed.py"), "dice = 5\n").unwrap();
    std::fs::write(
        packages.join("evil.pth"),
        format!("{0}\nimport os; os.mkdir('{0}/ran')\n", folder.path().display()),
    )
    .unwrap();
    let own = folder.path().join("own");
    std::fs::create_dir(&own).unwrap();
    let file = own.join("strategy.py");
    std::fs::write(&file, "from installed import dice\ndef final_strategy(a, b): return dice\n")
        .unwrap();
    let name = format!("python:{}", file.display());
    assert!(
        planned(&name, launcher()).unwrap_err().to_string().contains("No module named 'installed'")
    );
    for python in ["venv", "venv/bin/python"] {
        let launcher = launcher().with_interpreter(folder.path().join(python));
        assert!(always(&planned(&name, launcher).unwrap(), 5), "{python}");
    }
    std::fs::write(
        &file,
        body(&format!("open('{}/own/../venv/pyvenv.cfg')", folder.path().display())),
    )
    .unwrap();
    let launcher = launcher().with_interpreter(folder.path().join("venv"));
    assert!(planned(&name, launcher).is_err());
    assert!(!folder.path().join("ran").exists());
}

/// The command line reads the environment; the library does not.
#[test]
fn the_environment_names_an_interpreter_unless_an_option_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("strategy.py");
    std::fs::write(&file, body("pass")).unwrap();
    let message = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
        command
            .args(["rate", "fa21", "--goal", "20", "--no-cache", file.to_str().unwrap()])
            .args(options);
        let output = command.env("HOG_PYTHON", "/nowhere/of_environment").output().unwrap();
        String::from_utf8(output.stderr).unwrap()
    };
    let of_environment = message(&[]);
    assert!(of_environment.contains("cannot run /nowhere/of_environment: "), "{of_environment}");
    let of_option = message(&["--python", "/nowhere/of_option"]);
    assert!(of_option.contains("cannot run /nowhere/of_option: "), "{of_option}");
}
