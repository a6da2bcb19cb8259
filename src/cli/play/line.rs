//! Plays the game line by line, for scripts, pipes and plain terminals.

use std::io::IsTerminal;
use std::time::Duration;

use crate::game::TurnError;
use crate::queries::{
    PlayEnd, PlayEvent, PlayHints, PlayScores, PlayStart, PlayTurn, RulesShowAnswer,
};
use crate::sim::session::{PastTurn, PlayerRequest, Session};

use super::super::console::{Console, Status};
use super::super::input::read_line;
use super::super::shared::Format;
use super::{FAINT, SaveFile, prompt, rule_texts};

/// Plays to the end of the game or of the input.
pub fn play(
    session: &mut Session,
    save_file: &SaveFile,
    pause: Duration,
    console: &Console,
) -> anyhow::Result<Status> {
    let mut input = std::io::stdin().lock();
    // A terminal echoes what is typed; a pipe does not.
    let is_echoed = input.is_terminal();
    introduce(session, console)?;
    while session.mover().is_some() {
        if let Some(taken) = session.play_on()?.cloned() {
            show_turn(session, &taken, console)?;
            save_file.save(session)?;
            std::thread::sleep(pause);
            continue;
        }
        ask(session, console)?;
        let Some(line) = read_line(&mut input, "roll")? else {
            if console.format == Format::Text {
                print_line(console, "")?;
            }
            break;
        };
        let line = String::from_utf8_lossy(&line);
        if !is_echoed && console.format == Format::Text {
            print_line(console, line.trim_end())?;
        }
        match PlayerRequest::read(&line, session.rolled(), session.game().rules()) {
            Ok(None) => {}
            Ok(Some(PlayerRequest::Quit)) => break,
            Ok(Some(command)) => carry_out(session, command, save_file, console)?,
            Err(reason) => show(console, PlayEvent::error(reason))?,
        }
    }
    show(console, PlayEvent::End(PlayEnd::new(session)))?;
    console.flush()?;
    Ok(Status::Done)
}

/// Shows every turn of a recorded game.
pub fn replay(session: &Session, pause: Duration, console: &Console) -> anyhow::Result<Status> {
    introduce(session, console)?;
    for taken in session.taken() {
        show_turn(session, taken, console)?;
        std::thread::sleep(pause);
    }
    console.show(&PlayEvent::End(PlayEnd::new(session)))
}

fn introduce(session: &Session, console: &Console) -> anyhow::Result<()> {
    show(console, PlayEvent::Start(PlayStart::new(session)))?;
    if console.format == Format::Json {
        return Ok(());
    }
    for (name, text) in rule_texts(session.game().rules()) {
        console.print_lines(&format!("{FAINT}  {name}: {text}{FAINT:#}\n"))?;
    }
    Ok(())
}

fn ask(session: &Session, console: &Console) -> anyhow::Result<()> {
    show(console, PlayEvent::Scores(PlayScores::new(session)))?;
    if let (Format::Text, Some(mover)) = (console.format, session.mover()) {
        let text = format!("{} (h for help) ", prompt(session, mover));
        console.print(|out| write!(out, "{text}"))?;
    }
    console.flush()
}

fn carry_out(
    session: &mut Session,
    command: PlayerRequest,
    save_file: &SaveFile,
    console: &Console,
) -> anyhow::Result<()> {
    match command {
        PlayerRequest::Roll(dice) => {
            let taken = session.roll(dice).map(|taken| taken.cloned());
            show_taken(session, taken, save_file, console)
        }
        PlayerRequest::Keep(faces) => {
            let taken = session.keep(&faces).cloned().map(Some);
            show_taken(session, taken, save_file, console)
        }
        PlayerRequest::Hint => show(console, PlayEvent::Hints(PlayHints::new(session.hints()))),
        PlayerRequest::Undo => {
            let undone = session.undo();
            save_file.save(session)?;
            show(console, PlayEvent::Undone { undone })
        }
        PlayerRequest::Rules => {
            show(console, PlayEvent::Rules(RulesShowAnswer::new(session.game().rules())))
        }
        PlayerRequest::Help => show(
            console,
            PlayEvent::Help { help: PlayerRequest::help(session.game().rules()).into() },
        ),
        PlayerRequest::Quit => Ok(()),
    }
}

/// Shows what a person's move has led to: nothing yet, if dice are to be kept.
fn show_taken(
    session: &Session,
    taken: Result<Option<PastTurn>, TurnError>,
    save_file: &SaveFile,
    console: &Console,
) -> anyhow::Result<()> {
    match taken {
        Ok(Some(taken)) => {
            show_turn(session, &taken, console)?;
            save_file.save(session)
        }
        Ok(None) => Ok(()),
        Err(error) => show(console, PlayEvent::error(error.to_string())),
    }
}

fn show_turn(session: &Session, taken: &PastTurn, console: &Console) -> anyhow::Result<()> {
    let name = &session.seats()[taken.player].name;
    let turn = PlayTurn::new(session.game().rules(), taken, name);
    show(console, PlayEvent::Turn(turn))?;
    console.flush()
}

pub(super) fn show(console: &Console, event: PlayEvent) -> anyhow::Result<()> {
    console.show(&event)?;
    Ok(())
}

fn print_line(console: &Console, text: &str) -> anyhow::Result<()> {
    console.print(|out| writeln!(out, "{text}"))
}
