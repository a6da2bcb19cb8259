//! The game line by line: for scripts, pipes and plain terminals.

use std::io::{BufRead, IsTerminal};
use std::time::Duration;

use hog::report::{EndView, HintsView, PlayTurnView, ScoresView};
use hog::sim::session::{Command, Session, Taken};
use serde_json::json;

use super::super::Format;
use super::super::context::{Context, Outcome};
use super::Record;

/// Plays to the end of the game, or of the input.
pub fn play(session: &mut Session, record: &Record, pause: Duration, context: &Context) -> anyhow::Result<Outcome> {
    let mut input = std::io::stdin().lock();
    // A terminal shows what is typed; a pipe does not.
    let echoed = input.is_terminal();
    introduce(session, context)?;
    while session.mover().is_some() {
        if let Some(taken) = session.play_on()?.cloned() {
            show_turn(session, &taken, context)?;
            record.keep(session)?;
            std::thread::sleep(pause);
            continue;
        }
        ask(session, context)?;
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            if context.format == Format::Text {
                say(context, "")?;
            }
            break;
        }
        let line = String::from_utf8_lossy(&line);
        if !echoed && context.format == Format::Text {
            say(context, line.trim_end())?;
        }
        match Command::read(&line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => break,
            Ok(Some(command)) => obey(session, command, record, context)?,
            Err(reason) => complain(context, &reason)?,
        }
    }
    context.show(&EndView::new(session))?;
    context.finish()?;
    Ok(Outcome::Done)
}

/// Shows every turn of a game played before.
pub fn show_again(session: &Session, pause: Duration, context: &Context) -> anyhow::Result<Outcome> {
    introduce(session, context)?;
    for taken in session.taken() {
        show_turn(session, taken, context)?;
        std::thread::sleep(pause);
    }
    context.show(&EndView::new(session))
}

fn introduce(session: &Session, context: &Context) -> anyhow::Result<()> {
    let rules = session.game().rules();
    let [first, second] = session.seats().each_ref().map(|seat| seat.name.as_str());
    let seed = session.seed();
    if context.format == Format::Json {
        let head = json!({ "rules": rules.id, "goal": rules.goal, "names": [first, second], "seed": seed });
        return say(context, &head.to_string());
    }
    say(context, &format!("{}: {first} against {second}, to {} points, seed {seed}", rules.id, rules.goal))
}

fn ask(session: &Session, context: &Context) -> anyhow::Result<()> {
    context.show(&ScoresView::new(session))?;
    if let (Format::Text, Some(mover)) = (context.format, session.mover()) {
        let (least, most) = session.choices();
        let name = &session.seats()[mover].name;
        let prompt = format!("{name}: how many dice, {least} to {most}? (h for help) ");
        context.print(|out| write!(out, "{prompt}"))?;
    }
    context.finish()
}

fn obey(session: &mut Session, command: Command, record: &Record, context: &Context) -> anyhow::Result<()> {
    match command {
        Command::Roll(dice) => match session.roll(dice).cloned() {
            Ok(taken) => {
                show_turn(session, &taken, context)?;
                record.keep(session)
            }
            Err(error) => complain(context, &error.to_string()),
        },
        Command::Hint => context.show(&HintsView { hints: session.hints() }).map(|_| ()),
        Command::Undo => {
            let undone = session.undo();
            record.keep(session)?;
            match context.format {
                Format::Json => say(context, &json!({ "undone": undone }).to_string()),
                Format::Text if undone == 0 => say(context, "nothing to take back"),
                Format::Text => say(context, &format!("{undone} turns taken back")),
            }
        }
        Command::Help if context.format == Format::Json => say(context, &json!({ "help": Command::HELP }).to_string()),
        Command::Help => say(context, Command::HELP),
        Command::Quit => Ok(()),
    }
}

fn show_turn(session: &Session, taken: &Taken, context: &Context) -> anyhow::Result<()> {
    context.show(&PlayTurnView::new(taken, &session.seats()[taken.player].name))?;
    context.finish()
}

fn complain(context: &Context, reason: &str) -> anyhow::Result<()> {
    match context.format {
        Format::Json => say(context, &json!({ "error": reason }).to_string()),
        Format::Text => say(context, reason),
    }
}

fn say(context: &Context, text: &str) -> anyhow::Result<()> {
    context.print(|out| writeln!(out, "{text}"))
}
