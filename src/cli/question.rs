//! A question of the list as a command: `-o` writes its answer to a file, in the form that the
//! file's ending or `--to` names.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};

use crate::format::Verdict;
use crate::plot::{Drawing, PICTURES, PictureEntry};
use crate::queries::{Answer, QueryEntry, Request, is_text};

use super::console::{Console, Status};
use super::output::{
    ending, is_standard_output, listed_endings, output_file, refuse_binary_in_terminal,
    refuse_inputs,
};
use super::shared::Format;

/// A question that was asked on the command line.
pub(super) struct Question {
    query: &'static QueryEntry,
    request: Box<dyn Request>,
    /// The texts of the arguments: they may name files that are read.
    texts: Vec<PathBuf>,
    /// The game's name.
    game: Option<String>,
    output: Option<PathBuf>,
    /// The form of the file, if it is not that of the ending.
    to: Option<String>,
}

/// Adds the arguments of a question to a command; `None` if it is no command.
pub(super) fn arguments(query: &QueryEntry, command: Command) -> Option<Command> {
    let entry = query.command.as_ref()?;
    let command = (entry.arguments)(command);
    let Some(help) = file_help(query) else { return Some(command) };
    let output = Arg::new("output").short('o').long("output").value_name("FILE").help(help);
    let output = output.value_parser(value_parser!(PathBuf)).value_hint(ValueHint::FilePath);
    // A command whose answer is a picture or an archive has nothing else to say.
    let is_file = query.writes.is_some_and(|writes| matches!(writes.endings, [] | ["zip"]));
    let command = command.arg(output.required(is_file));
    match query.writes {
        Some(writes) if writes.endings.len() > 1 => Some(command.arg(form(writes.endings))),
        _ => Some(command),
    }
}

/// The option that names the form of a file.
fn form(endings: &'static [&'static str]) -> Arg {
    let values = endings.iter().map(|ending| match *ending {
        "py" => PossibleValue::new("py").alias("python"),
        ending => PossibleValue::new(ending),
    });
    Arg::new("to")
        .long("to")
        .value_name("FORM")
        .help("Write it in this form: to standard output, or to the file of -o")
        .value_parser(PossibleValuesParser::new(values))
}

/// The endings of pictures.
const PICTURE: [&str; 2] = ["svg", "png"];

/// Returns how the answers of a question are drawn, if they are.
fn picture_of(query: &QueryEntry) -> Option<&'static PictureEntry> {
    PICTURES.iter().find(|entry| entry.question == query.name)
}

/// Returns the endings of the files that a question can be answered with; the first is for standard
/// output.
fn endings(query: &QueryEntry) -> Vec<&'static str> {
    let mut endings = query.writes.map_or(Vec::new(), |writes| writes.endings.to_vec());
    if picture_of(query).is_some() {
        endings.extend(PICTURE);
    }
    endings
}

/// Says what `-o` writes; `None` if there is nothing to write.
fn file_help(query: &QueryEntry) -> Option<String> {
    let files = query.writes.filter(|writes| !writes.endings.is_empty()).map(|writes| {
        format!("{} to this file: {}", writes.contents, listed_endings(writes.endings))
    });
    match (files, picture_of(query)) {
        (Some(files), Some(_)) => Some(format!("Write {files}; .svg or .png is a picture")),
        (Some(files), None) => Some(format!("Write {files}")),
        (None, Some(_)) => Some("Write the picture to this file: .svg or .png".into()),
        (None, None) => None,
    }
}

/// Whether the answers to the question of a command can be drawn, by the command's name.
pub(super) fn draws(command: &str) -> bool {
    PICTURES.iter().any(|entry| entry.question.rsplit('/').next() == Some(command))
}

impl Question {
    /// Reads the question of a command; `None` if the command is none.
    ///
    /// # Errors
    /// Returns an error if a value cannot be read.
    pub fn read(
        query: &'static QueryEntry,
        given: &ArgMatches,
    ) -> Result<Option<Self>, clap::Error> {
        let Some(command) = &query.command else { return Ok(None) };
        let mut texts = Vec::new();
        for id in given.ids().filter(|id| !["output", "to"].contains(&id.as_str())) {
            // Groups of arguments have no values.
            let values = given.try_get_raw(id.as_str()).ok().flatten();
            texts.extend(values.into_iter().flatten().map(PathBuf::from));
        }
        Ok(Some(Self {
            query,
            request: (command.read)(given)?,
            texts,
            game: given.try_get_one::<String>("rules").ok().flatten().cloned(),
            output: given.try_get_one::<PathBuf>("output").ok().flatten().cloned(),
            to: given.try_get_one::<String>("to").ok().flatten().cloned(),
        }))
    }

    /// Asks it, writes the file, and prints the answer.
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let Some(path) = self.file(console.format)? else {
            let answer = self.request.answer(&console.engine.call())?;
            return self.show(&*answer, console);
        };
        let form = self.form(path)?;
        refuse_inputs(&self.output, self.texts.iter().map(PathBuf::as_path), [])?;
        console.can_write(&self.output)?;
        let (mut answer, file) = self.answer_in(form, console)?;
        if answer.verdict() == Verdict::No {
            // What was sought was not found: nothing is written.
            return self.show(&*answer, console);
        }
        console.write(path, &file)?;
        answer.wrote(path, file.len());
        self.show(&*answer, console)
    }

    /// Returns the answer and the file.
    fn answer_in(
        &self,
        form: &str,
        console: &Console,
    ) -> anyhow::Result<(Box<dyn Answer>, Vec<u8>)> {
        let call = console.engine.call();
        let picture = picture_of(self.query).filter(|_| PICTURE.contains(&form));
        let Some(entry) = picture else {
            let mut file = Vec::new();
            return Ok((self.request.answer_in(&call, form, &mut file)?, file));
        };
        let drawing = Drawing { look: console.look, command: command_line(console) };
        let drawn = (entry.draw)(&*self.request, &call, &drawing)?;
        let picture = drawn.picture;
        let file = if form == "png" { picture.png() } else { picture.svg().into_bytes() };
        Ok((drawn.answer, file))
    }

    /// Returns the file to write; `-` is standard output, `None` means that the answer is printed.
    fn file(&self, format: Format) -> anyhow::Result<Option<&Path>> {
        let Some(to) = &self.to else { return Ok(output_file(&self.output, format)) };
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        if is_standard_output(path) && format == Format::Json && to != "json" {
            bail!(
                "standard output gets one JSON document with --format json, and {to} is not JSON: \
                 leave out --format json{}, or name a file with -o",
                if endings(self.query).contains(&"json") { ", use --to json" } else { "" }
            );
        }
        Ok(Some(path))
    }

    /// Returns the form of the file, which its ending or `--to` names.
    fn form(&self, path: &Path) -> anyhow::Result<&'static str> {
        let endings = endings(self.query);
        let named = ending(path, &endings)?;
        let wanted = self.to.as_deref().map(|to| if to == "python" { "py" } else { to });
        let wanted = endings.iter().copied().find(|known| wanted == Some(known));
        let form = match (named, wanted) {
            (Some(named), Some(wanted)) if named != wanted => bail!(
                "--to {wanted} and -o {} are different forms: leave out one of them",
                path.display()
            ),
            (named, wanted) => wanted.or(named).unwrap_or(endings[0]),
        };
        if is_standard_output(path) && !is_text(form) {
            refuse_binary_in_terminal(&format!("a .{form} file"))?;
        }
        Ok(form)
    }

    fn show(&self, answer: &dyn Answer, console: &Console) -> anyhow::Result<Status> {
        if let Some(game) = &self.game {
            console.note_semester(game)?;
        }
        console.show_judged(answer)
    }
}

/// Returns the command that was given, without `-o` and `--force`.
fn command_line(console: &Console) -> String {
    let mut words = console.words.iter().skip(1);
    let mut command = "hog".to_owned();
    while let Some(word) = words.next() {
        if word == "-o" || word == "--output" {
            words.next();
        } else if word != "--force" && !word.starts_with("--output=") && !word.starts_with("-o") {
            command.push(' ');
            command += word;
        }
    }
    command
}
