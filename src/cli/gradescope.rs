//! `hog gradescope`: makes an autograder for Gradescope or Otter-Grader.

use std::path::{Path, PathBuf};

use crate::contest::{Autograder, AutograderAnswer, AutograderKind, Grading, Word};
use crate::rules::builtin;
use crate::strategy::Strategy;
use crate::strategy::python::DEFAULT_SECONDS;
use anyhow::{Context as _, bail, ensure};
use clap::Args;

use super::console::{Console, Status};
use super::output::{ending, refuse_inputs};

/// Make an autograder for Gradescope or Otter-Grader
#[derive(Args, Debug)]
#[command(
    after_help = "The archive holds hog itself and all that it reads, and needs no network but for \
--packages. On Gradescope, upload it as the autograder of a programming assignment; each \
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
pub(super) struct GradescopeCommand {
    /// A built-in game or a rule file
    rules: String,
    #[command(flatten)]
    grading: Grading,
    /// What the archive is for
    #[arg(long = "for", value_enum, value_name = "WHAT", default_value_t = AutograderKind::default())]
    kind: AutograderKind,
    /// Packages that submissions may import, as pip names them, as in numpy,pandas: they are
    /// installed when Gradescope builds the image, for which it needs a network
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = package)]
    packages: Vec<String>,
    /// The program that the archive brings (default: this one)
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Write the archive to this .zip file
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// The size limit of a file that the archive brings, in bytes.
const LARGEST_FILE: u64 = 256 << 20;

/// How a program of Linux begins.
const ELF: &[u8] = b"\x7fELF";

impl GradescopeCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        ending(&self.output, &["zip"])?;
        ensure!(
            self.packages.is_empty() || self.kind == AutograderKind::Gradescope,
            "--packages is for Gradescope: name packages to Otter, as in `otter generate -r \
             requirements.txt`"
        );
        let rules = &self.rules;
        let names = self.grading.against.iter().chain([rules]).map(Path::new);
        refuse_inputs([&self.output], names.chain(self.binary.as_deref()), [])?;
        console.can_write([&self.output])?;
        let game = console.game(rules)?;
        let mut files = Vec::new();
        let mut arguments = vec![game_word(rules, &mut files)?, Word::Submission];
        arguments.extend(console.changes_as_options().split_whitespace().map(plain));
        if console.strategy_seconds != DEFAULT_SECONDS {
            arguments.extend([
                plain("--strategy-seconds"),
                plain(&console.strategy_seconds.to_string()),
            ]);
        }
        for named in &self.grading.against {
            // Refused here rather than in the container.
            let strategy: Strategy = named.parse()?;
            console.engine.plan(&game, &strategy)?;
            let word = opponent_word(named, &strategy, &mut files)?;
            arguments.extend([plain("--against"), word]);
        }
        let grading = &self.grading;
        grading.opponents(game.rules())?;
        let points = grading.points.to_string();
        let options = ["--points", &points, "--feedback", grading.feedback.name()];
        arguments.extend(options.map(plain));
        let autograder = Autograder {
            kind: self.kind,
            program: self.program()?,
            arguments,
            packages: self.packages.clone(),
            files,
            goal: game.rules().goal,
            steps: grading.steps(game.rules())?,
        };
        console.write(&self.output, &autograder.archive()?)?;
        let id = &game.rules().id;
        let names = autograder.names();
        console.show(&AutograderAnswer::new(id, self.kind, &points, &self.output, names))
    }

    /// Reads the program that the archive brings.
    fn program(&self) -> anyhow::Result<Vec<u8>> {
        let path = match &self.binary {
            Some(path) => path.clone(),
            None => std::env::current_exe().context("this program's file is not known")?,
        };
        let shown = path.display();
        let program = crate::files::read(&path, LARGEST_FILE).with_context(|| shown.to_string())?;
        ensure!(
            program.starts_with(ELF),
            "{shown} is not a program of Linux, where submissions are graded: name one with \
             --binary FILE"
        );
        Ok(program)
    }
}

/// Reads the name of a package; anything else would be an option of pip.
fn package(text: &str) -> Result<String, String> {
    let begins_well = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins_well && !text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        Ok(text.to_owned())
    } else {
        Err("name packages as pip does, as in numpy or pandas==2.2".to_owned())
    }
}

fn plain(text: &str) -> Word {
    Word::Plain(text.to_owned())
}

/// Returns the word that names the game in the archive, which brings the file of rules that are not
/// built in.
fn game_word(rules: &str, files: &mut Vec<(String, Vec<u8>)>) -> anyhow::Result<Word> {
    if builtin(rules).is_some() {
        return Ok(plain(rules));
    }
    let path = Path::new(rules);
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let name = format!("rules.{ending}");
    let text = crate::files::read(path, LARGEST_FILE).with_context(|| rules.to_owned())?;
    files.push((name.clone(), text));
    Ok(Word::File(name))
}

/// Returns the word that names an opponent in the archive, which brings its file if it has one.
fn opponent_word(
    named: &str,
    strategy: &Strategy,
    files: &mut Vec<(String, Vec<u8>)>,
) -> anyhow::Result<Word> {
    if strategy.is_builtin() {
        return Ok(plain(named));
    }
    let path = Path::new(named);
    ensure!(
        path.is_file(),
        "--against {named}: name the opponent's file itself; its function is final_strategy"
    );
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("opponents/{file}");
    if files.iter().any(|(known, _)| *known == name) {
        bail!("two opponents' files are called {file}: rename one");
    }
    let bytes = crate::files::read(path, LARGEST_FILE).with_context(|| named.to_owned())?;
    files.push((name.clone(), bytes));
    Ok(Word::File(name))
}
