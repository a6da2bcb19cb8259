//! The exported `final_strategy` in Python: it is run for every position.

use std::process::Command;

/// Prints `score,opponent,dice` for all positions, as the strategy in the given file answers.
const ASK_ALL: &str = "
import sys
names = {}
exec(open(sys.argv[1]).read(), names)
for score in range(100):
    for opponent in range(100):
        print(score, opponent, names['final_strategy'](score, opponent), sep=',')
";

#[test]
fn exported_python_and_csv_agree_in_every_position() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!(
            "SKIPPED: there is no python3 on this machine, so the exported Python was not run"
        );
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("final.py");
    hog(&["solve", "fa21", "--to", "python", "-o", file.to_str().unwrap()]);
    let python = Command::new("python3").args(["-c", ASK_ALL]).arg(&file).output().unwrap();
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    let answers = String::from_utf8(python.stdout).unwrap();

    let csv = hog(&["solve", "fa21", "--to", "csv"]);
    let without_win_rate = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[0], cells[1], cells[3]].join(",")
    };
    let expected: Vec<String> = csv.lines().skip(1).map(without_win_rate).collect();
    assert_eq!(expected.len(), 10_000);
    let differing = answers.lines().zip(&expected).find(|(answer, expected)| answer != expected);
    assert_eq!((answers.lines().count(), differing), (10_000, None));
}

fn hog(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_hog")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
