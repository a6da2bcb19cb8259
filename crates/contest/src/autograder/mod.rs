//! The archives with which Gradescope and Otter-Grader grade submissions by `hog grade`.
//!
//! Gradescope takes an archive with `setup.sh` and `run_autograder`, unpacks it in
//! `/autograder/source`, and reads `/autograder/results/results.json`:
//! <https://gradescope-autograders.readthedocs.io/en/latest/specs/>. Otter-Grader takes a folder of
//! tests and files that they use, from which `otter generate` makes its own archive:
//! <https://otter-grader.readthedocs.io/en/latest/otter_generate/index.html>.

use std::io::{self, Cursor, Write};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Grade, Tier};
use crate::format::{self, Text};

/// What an archive is for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "snake_case")]
pub enum AutograderKind {
    /// An archive to upload as the autograder of a programming assignment
    #[default]
    Gradescope,
    /// An archive with a test and its files for `otter generate -t tests hog`
    Otter,
}

/// An archive to be written.
#[derive(Clone, Debug)]
pub struct Autograder {
    /// What it is for.
    pub kind: AutograderKind,
    /// The program, an executable file.
    pub program: Vec<u8>,
    /// The arguments of `hog grade`.
    pub arguments: Vec<Word>,
    /// Packages that submissions may import, as `pip` names them: Gradescope installs them when it
    /// builds the image. Otter-Grader has its own list (`otter generate -r`).
    pub packages: Vec<String>,
    /// The files that they name, by the paths in the archive.
    pub files: Vec<(String, Vec<u8>)>,
    /// The goal of the game.
    pub goal: u32,
    /// The steps of the points, with their names.
    pub steps: Vec<(String, Tier)>,
}

/// An argument of `hog grade`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// As it is.
    Plain(String),
    /// The path of a file of the archive.
    File(String),
    /// The path of the submission.
    Submission,
}

/// An archive that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AutograderAnswer {
    /// The game's id.
    pub rules: String,
    /// What it is for.
    pub kind: AutograderKind,
    /// The rule of the points.
    pub points: String,
    /// The file's path.
    pub output: String,
    /// The files in it.
    pub files: Vec<String>,
}

impl AutograderAnswer {
    /// The result of writing an archive with these files to `output`.
    pub fn new(
        rules: &str,
        kind: AutograderKind,
        points: &str,
        output: &Path,
        files: Vec<String>,
    ) -> Self {
        let rules = rules.to_owned();
        let points = points.to_owned();
        Self { rules, kind, points, output: output.display().to_string(), files }
    }
}

/// What stands in the results until hog has written its own.
const STOPPED: &str = "the autograder was ended before it was done, perhaps because the machine \
                       has too little memory";

impl Word {
    fn in_shell(&self) -> String {
        match self {
            Self::Plain(text) => quoted(text),
            Self::File(name) => format!("\"$source\"/{}", quoted(name)),
            Self::Submission => "\"$root/submission\"".to_owned(),
        }
    }

    /// Returns it for `otter.py`, which replaces the names.
    fn in_python(&self) -> String {
        match self {
            Self::Plain(text) => text.clone(),
            Self::File(name) => format!("$source/{name}"),
            Self::Submission => "$submission".to_owned(),
        }
    }
}

impl Autograder {
    /// Returns the files of the archive by their paths, and which of them are programs.
    fn entries(&self) -> Vec<(String, Vec<u8>, bool)> {
        let folder = match self.kind {
            AutograderKind::Gradescope => "",
            AutograderKind::Otter => "hog/",
        };
        let mut entries = match self.kind {
            AutograderKind::Gradescope => {
                let setup = include_str!("setup.sh").replace("@PACKAGES@\n", &self.installing());
                let run =
                    include_str!("run_autograder.sh").replace("@ARGUMENTS@", &self.in_shell());
                let mut stopped = Vec::new();
                format::json(&Grade::not_graded(STOPPED), &mut stopped)
                    .expect("memory can be written");
                vec![
                    ("setup.sh".to_owned(), setup.into_bytes(), true),
                    ("run_autograder".to_owned(), run.into_bytes(), true),
                    ("not_graded.json".to_owned(), stopped, false),
                ]
            }
            AutograderKind::Otter => {
                vec![("tests/final_strategy.py".to_owned(), self.otter_test().into_bytes(), false)]
            }
        };
        entries.push((format!("{folder}hog"), self.program.clone(), true));
        for (name, bytes) in &self.files {
            entries.push((format!("{folder}{name}"), bytes.clone(), false));
        }
        entries
    }

    /// Returns the paths of the files in the archive.
    pub fn names(&self) -> Vec<String> {
        self.entries().into_iter().map(|(name, ..)| name).collect()
    }

    /// Returns the archive: the same bytes for the same files.
    ///
    /// # Errors
    /// Returns an error if it grows too large for an archive.
    pub fn archive(&self) -> io::Result<Vec<u8>> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes, is_program) in self.entries() {
            let mode = if is_program { 0o755 } else { 0o644 };
            writer.start_file(name, SimpleFileOptions::default().unix_permissions(mode))?;
            writer.write_all(&bytes)?;
        }
        Ok(writer.finish()?.into_inner())
    }

    /// Returns the arguments as words of a shell.
    fn in_shell(&self) -> String {
        let mut words: Vec<String> = self.arguments.iter().map(Word::in_shell).collect();
        if !self.packages.is_empty() {
            words.push("--python \"$root/python\"".to_owned());
        }
        words.join(" ")
    }

    /// Returns the commands that install the packages, for a virtual environment of their own.
    fn installing(&self) -> String {
        if self.packages.is_empty() {
            return String::new();
        }
        let packages: Vec<String> = self.packages.iter().map(|name| quoted(name)).collect();
        include_str!("packages.sh").replace("@NAMES@", &packages.join(" "))
    }

    /// Returns the test file of Otter-Grader: a test for each step of the points.
    fn otter_test(&self) -> String {
        let words: Vec<String> = self.arguments.iter().map(Word::in_python).collect();
        let mut text = include_str!("otter.py")
            .replace("@GOAL@", &self.goal.to_string())
            .replace("@ARGUMENTS@", &literal(&words));
        for (place, (name, step)) in self.steps.iter().enumerate() {
            let name = literal(name);
            let points = step.points;
            text += &format!(
                "\n\n@test_case(name={name}, points={points})\n\
                 def step_{place}(final_strategy):\n    check(final_strategy, {place})\n"
            );
        }
        text
    }
}

/// Quotes a word for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Returns a text or a list of texts in Python, which writes them as JSON does.
fn literal<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("texts can be written")
}

impl Text for AutograderAnswer {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { rules, kind, points, output, files } = self;
        writeln!(out, "{output}: grades {rules} with points {points}")?;
        match kind {
            AutograderKind::Gradescope => {
                writeln!(out, "upload it as the autograder of a programming assignment")?;
            }
            AutograderKind::Otter => {
                writeln!(out, "unpack it, and run `otter generate -t tests hog`")?;
            }
        }
        writeln!(out, "  {}", files.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_the_program_as_they_are() {
        let autograder = Autograder {
            kind: AutograderKind::Gradescope,
            program: Vec::new(),
            arguments: vec![
                Word::File("it's.toml".into()),
                Word::Submission,
                Word::Plain("$(x) 'y'".into()),
            ],
            packages: Vec::new(),
            files: Vec::new(),
            goal: 100,
            steps: Vec::new(),
        };
        assert_eq!(
            autograder.in_shell(),
            r#""$source"/'it'\''s.toml' "$root/submission" '$(x) '\''y'\'''"#
        );
        assert_eq!(autograder.installing(), "");
        let packages = vec!["numpy>=2".into()];
        let with_packages = Autograder { packages, ..autograder.clone() };
        assert!(with_packages.installing().contains("pip install --quiet 'numpy>=2'\n"));
        assert!(with_packages.in_shell().ends_with("'\\''y'\\''' --python \"$root/python\""));
        let test = autograder.otter_test();
        assert!(test.contains(r#"["$source/it's.toml","$submission","$(x) 'y'"]"#), "{test}");
    }
}
