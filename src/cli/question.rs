//! A question of the list as a command: `-o` writes its answer to a file, in the form that the
//! file's ending names.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, ValueHint, value_parser};

use crate::format::Verdict;
use crate::plot::{Drawing, PICTURES, PictureEntry};
use crate::queries::{Answer, QueryEntry, Request};

use super::console::{Console, Status};
use super::output::{
    ending, is_standard_output, listed_endings, output_file, refuse_binary_in_terminal,
    refuse_inputs,
};

/// A question that was asked on the command line.
pub(super) struct Question {
    query: &'static QueryEntry,
    request: Box<dyn Request>,
    /// The texts of the arguments: they may name files that are read.
    texts: Vec<PathBuf>,
    /// The game's name.
    game: Option<String>,
    output: Option<PathBuf>,
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
    Some(command.arg(output.required(is_file)))
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
        for id in given.ids().filter(|id| id.as_str() != "output") {
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
        }))
    }

    /// Asks it, writes the file, and prints the answer.
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let Some(path) = output_file(&self.output, console.format) else {
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

    /// Returns the form of the file, which is its ending.
    fn form(&self, path: &Path) -> anyhow::Result<&'static str> {
        let endings = endings(self.query);
        let form = ending(path, &endings)?.unwrap_or(endings[0]);
        if is_standard_output(path) && ["png", "zip"].contains(&form) {
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
