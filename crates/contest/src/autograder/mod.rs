//! The archives with which Gradescope and Otter-Grader grade submissions by `hog grade`.
//!
//! Gradescope takes an archive with `setup.sh` and `run_autograder`, unpacks it in
//! `/autograder/source`, and reads `/autograder/results/results.json`:
//! <https://gradescope-autograders.readthedocs.io/en/latest/specs/>. Otter-Grader takes a folder of
//! tests and files that they use, from which `otter generate` makes its own archive:
//! <https://otter-grader.readthedocs.io/en/latest/otter_generate/index.html>.

use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::queries::only_builtin;
use super::{Grade, Grading, Tier, limits};
use crate::engine::{Call, Error};
use crate::files;
use crate::format::{self, Text};
use crate::rules::{Rules, builtin};
use crate::strategy::Strategy;
use crate::strategy::python::DEFAULT_SECONDS;
use hog_engine::queries::{GivenGame, GivenStrategy, Query, Writes};

/// Make an autograder for Gradescope or Otter-Grader
#[derive(Clone, Debug, Deserialize, JsonSchema, clap::Args)]
#[command(
    after_help = "The archive holds hog itself and all that it reads, and needs no network but \
for --packages. On Gradescope, upload it as the autograder of a programming assignment; each \
submission is then graded by `hog grade`, whose help says what students get. The machine that \
grades runs Linux: if this one does not, or has another processor, name a program for it with \
--binary.

Examples:
  hog gradescope fa24 -o autograder.zip
  hog gradescope fa24 -o autograder.zip --points plays=1,baseline:0.6=2 --feedback costs
  hog gradescope fa24 -o autograder.zip --packages numpy,pandas
  hog gradescope mine.toml -o autograder.zip --against always_roll:6 --against bots/five.csv
  hog gradescope fa24 -o otter.zip --for otter       files for `otter generate`"
)]
#[non_exhaustive]
pub struct MakeAutograder {
    /// The game.
    #[serde(flatten)]
    #[command(flatten)]
    pub game: GivenGame,
    /// How it grades.
    #[serde(flatten)]
    #[command(flatten)]
    pub grading: Grading,
    /// What the archive is for
    #[serde(default)]
    #[arg(long = "for", value_enum, value_name = "WHAT", default_value_t)]
    pub kind: AutograderKind,
    /// Packages that submissions may import, as pip names them, as in numpy,pandas: they are
    /// installed when Gradescope builds the image, for which it needs a network
    #[serde(default)]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub packages: Vec<String>,
    /// The program that the archive brings (default: this one)
    #[serde(skip)]
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
}

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

/// An archive of an autograder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AutograderAnswer {
    /// The game's id.
    pub rules: String,
    /// What it is for.
    pub kind: AutograderKind,
    /// The rule of the points.
    pub points: String,
    /// The file's path; `null` if it was not written.
    pub output: Option<String>,
    /// The files in it.
    pub files: Vec<String>,
}

/// An archive to be written.
#[derive(Clone, Debug)]
struct Autograder {
    kind: AutograderKind,
    /// The program, an executable file.
    program: Vec<u8>,
    /// The arguments of `hog grade`.
    arguments: Vec<Word>,
    packages: Vec<String>,
    /// The files that the arguments name, by the paths in the archive.
    files: Vec<(String, Vec<u8>)>,
    /// The goal of the game.
    goal: u32,
    /// The steps of the points, with their names.
    steps: Vec<(String, Tier)>,
}

/// An argument of `hog grade`.
#[derive(Clone, Debug)]
enum Word {
    /// As it is.
    Plain(String),
    /// The path of a file of the archive.
    File(String),
    /// The path of the submission.
    Submission,
}

/// How a program of Linux begins.
const ELF: &[u8] = b"\x7fELF";

/// What stands in the results until hog has written its own.
const STOPPED: &str = "the autograder was ended before it was done, perhaps because the machine \
                       has too little memory";

impl Query for MakeAutograder {
    const NAME: &str = "gradescope";
    const SCHEMA: &str = "autograder";
    const IS_LONG: bool = true;
    const WRITES: Option<Writes> = Some(Writes { contents: "the archive", endings: &["zip"] });
    type Answer = AutograderAnswer;

    fn answer(&self, call: &Call) -> Result<AutograderAnswer, Error> {
        // Without the archive, nobody needs the program.
        Ok(self.made(call, Vec::new())?.0)
    }

    fn answer_in(
        &self,
        call: &Call,
        _ending: &str,
        file: &mut dyn Write,
    ) -> Result<AutograderAnswer, Error> {
        let (answer, autograder) = self.made(call, self.program()?)?;
        let archive = autograder.archive().map_err(Error::Storage)?;
        file.write_all(&archive).map_err(Error::Storage)?;
        Ok(answer)
    }
}

impl MakeAutograder {
    /// Makes the archive with this program.
    fn made(&self, call: &Call, program: Vec<u8>) -> Result<(AutograderAnswer, Autograder), Error> {
        self.admit_packages()?;
        if call.sent_files().is_some() {
            only_builtin(call, &self.grading.against)?;
        }
        let game = call.game(&self.game)?;
        let rules = game.rules();
        self.grading.opponents(rules)?;
        let mut files = Vec::new();
        let mut arguments = vec![self.game_word(rules, &mut files), Word::Submission];
        arguments.extend(self.game.as_options().split_whitespace().map(plain));
        let seconds = call.engine().sources().python_seconds();
        if seconds != DEFAULT_SECONDS {
            arguments.extend([plain("--strategy-seconds"), plain(&seconds.to_string())]);
        }
        for named in &self.grading.against {
            let strategy = call.strategy(&GivenStrategy::Named(named.clone()))?;
            // Refused here rather than in the container.
            call.plan(&game, &strategy)?;
            arguments.extend([plain("--against"), opponent_word(named, &strategy, &mut files)?]);
        }
        let points = self.grading.points.to_string();
        let options = ["--points", &points, "--feedback", self.grading.feedback.name()];
        arguments.extend(options.map(plain));
        let autograder = Autograder {
            kind: self.kind,
            program,
            arguments,
            packages: self.packages.clone(),
            files,
            goal: rules.goal,
            steps: self.grading.steps(rules)?,
        };
        let answer = AutograderAnswer {
            rules: rules.id.clone(),
            kind: self.kind,
            points,
            output: None,
            files: autograder.entries().into_iter().map(|(name, ..)| name).collect(),
        };
        Ok((answer, autograder))
    }

    /// Refuses what is no name of a package, which would be an option of pip.
    fn admit_packages(&self) -> Result<(), Error> {
        if self.kind == AutograderKind::Otter && !self.packages.is_empty() {
            return Err(Error::malformed_by(
                "packages",
                "packages are for Gradescope: name them to Otter, as in `otter generate -r \
                 requirements.txt`",
            ));
        }
        for name in &self.packages {
            let begins_well = name.starts_with(|c: char| c.is_ascii_alphanumeric());
            if !begins_well || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
                let fault =
                    format!("`{name}`: name packages as pip does, as in numpy or pandas==2.2");
                return Err(Error::malformed_by("packages", fault));
            }
        }
        Ok(())
    }

    /// Returns the word that names the game in the archive, which brings the file of rules that
    /// are not built in.
    fn game_word(&self, rules: &Rules, files: &mut Vec<(String, Vec<u8>)>) -> Word {
        let named = self.game.rules.as_deref().unwrap_or(&rules.origin);
        if builtin(named).is_some() {
            return plain(named);
        }
        let name = "rules.toml".to_owned();
        files.push((name.clone(), rules.text.clone().into_bytes()));
        Word::File(name)
    }

    /// Reads the program that the archive brings.
    fn program(&self) -> Result<Vec<u8>, Error> {
        let path = match &self.binary {
            Some(path) => path.clone(),
            None => std::env::current_exe().map_err(Error::Storage)?,
        };
        let program = read(&path)?;
        if program.starts_with(ELF) {
            return Ok(program);
        }
        Err(Error::malformed(format!(
            "{} is not a program of Linux, where submissions are graded: name one with --binary \
             FILE",
            path.display()
        )))
    }
}

fn plain(text: &str) -> Word {
    Word::Plain(text.to_owned())
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    files::read(path, limits::BROUGHT_BYTES).map_err(|error| Error::Other {
        kind: "file",
        parameter: None,
        error: format!("{}: {error}", path.display()).into(),
    })
}

/// Returns the word that names an opponent in the archive, which brings its file if it has one.
fn opponent_word(
    named: &str,
    strategy: &Strategy,
    files: &mut Vec<(String, Vec<u8>)>,
) -> Result<Word, Error> {
    if strategy.is_builtin() {
        return Ok(plain(named));
    }
    let path = Path::new(named);
    if !path.is_file() {
        return Err(Error::malformed(format!(
            "against {named}: name the opponent's file itself; its function is final_strategy"
        )));
    }
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("opponents/{file}");
    if files.iter().any(|(known, _)| *known == name) {
        return Err(Error::malformed(format!(
            "two opponents' files are called {file}: rename one"
        )));
    }
    files.push((name.clone(), read(path)?));
    Ok(Word::File(name))
}

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

    /// Returns the archive: the same bytes for the same files.
    fn archive(&self) -> io::Result<Vec<u8>> {
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
        let output = output.as_deref().unwrap_or("an archive");
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

    fn wrote(&mut self, file: &Path, _size: usize) {
        self.output = Some(file.display().to_string());
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
