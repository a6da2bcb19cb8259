//! `hog ask`: answers questions that come as lines of JSON on standard input.

use crate::files::private_folder;
use crate::queries::ErrorAnswer;
use crate::requests::{Questions, Reply};
use anyhow::Context as _;
use clap::Args;

use super::console::{Console, Status};
use super::input::{is_too_long, read_start_of_line, too_long};
use super::interrupt::removed_on_interrupt;

/// Any question as a line of JSON, many in one process
#[derive(Args, Debug)]
#[command(
    after_help = "Each line of standard input is a question with its parameters, those of the API \
of `hog serve`. It is answered in a line before the next one is read. A line that cannot be \
answered gets an error, and the exit status is 1 at the end.

Examples:
  {\"question\":\"best\",\"rules\":\"fa21\",\"score\":20,\"opponent\":36}
  {\"id\":7,\"question\":\"rate\",\"rules\":\"fa21\",\"strategy\":\"mine.py\"}
  {\"question\":\"turn\",\"rules\":\"fa21\",\"score\":20,\"opponent\":36,\"dice\":[2,5]}"
)]
pub(super) struct AskCommand {}

impl AskCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        let folder = removed_on_interrupt(|| private_folder("hog-ask-"));
        let folder = folder.context("cannot make a folder for files sent with questions")?;
        let mut questions = Questions::new(crate::questions());
        let mut input = std::io::stdin().lock();
        let mut all_answered = true;
        for number in 1.. {
            let Some(line) = read_start_of_line(&mut input)? else { break };
            if line.trim_ascii().is_empty() {
                continue;
            }
            let reply = if is_too_long(&line) {
                let answer = ErrorAnswer::new("limit", too_long("question"));
                Reply::error(number.into(), answer)
            } else {
                questions.reply(&line, number, &console.engine, folder.path())
            };
            all_answered &= !reply.is_error;
            console.print(|out| out.write_all(&reply.line))?;
            // The caller may wait for this answer before it asks the next question.
            console.flush()?;
        }
        Ok(Status::of(all_answered))
    }
}
