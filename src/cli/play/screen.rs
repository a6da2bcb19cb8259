//! Plays the game on the full screen.

use std::io::{self, Write as _, stdout};
use std::time::Duration;

use crate::files::escape;
use crate::format::{columns_of, fit, paint};
use crate::game::TurnError;
use crate::queries::{PlayEnd, PlayEvent, PlayTurn, dice_drawn, race_track, taken_back};
use crate::sim::Hint;
use crate::sim::session::{PastTurn, PlayerRequest, Session};
use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use crossterm::cursor::MoveTo;
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::queue;
use crossterm::style::Print;
use crossterm::terminal::{self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use textwrap::core::display_width;

use super::super::console::{Console, Status};
use super::super::interrupt::FullScreen;
use super::super::lines::wrapped;
use super::{FAINT, SaveFile, prompt, rule_texts};

const PLAIN: Style = Style::new();
const BOLD: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default();
const NOTE: Style = AnsiColor::Yellow.on_default();
const PLAYERS: [Style; 2] = [AnsiColor::Cyan.on_default(), AnsiColor::Magenta.on_default()];

/// Plays until the player leaves.
pub fn play(
    session: &mut Session,
    save_file: &SaveFile,
    pause: Duration,
    console: &Console,
) -> anyhow::Result<Status> {
    console.progress.stop();
    let played = {
        let _restored_at_the_end = FullScreen::begin()?;
        Screen {
            session,
            save_file,
            input: String::new(),
            message: String::new(),
            hints: false,
            rules: true,
        }
        .run(pause)
    };
    played?;
    console.show(&PlayEvent::End(PlayEnd::new(session)))
}

/// The state of the screen.
struct Screen<'s> {
    session: &'s mut Session,
    save_file: &'s SaveFile<'s>,
    /// The digits typed so far.
    input: String,
    /// The answer to the last command.
    message: String,
    hints: bool,
    /// Whether the rules are shown instead of the turns: before the first turn, and on request.
    rules: bool,
}

/// Whether the game continues after a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AfterKey {
    Continue,
    Leave,
}

impl Screen<'_> {
    fn run(&mut self, pause: Duration) -> anyhow::Result<()> {
        loop {
            self.draw()?;
            let strategy_moves = self.session.mover().is_some() && !self.session.awaits_person();
            if strategy_moves && !event::poll(pause)? {
                self.session.play_on()?;
                // If people play, the rules are shown until the first of them rolls.
                self.rules &= self.session.seats().iter().any(|seat| seat.plan.is_none());
                self.save_file.save(self.session)?;
                continue;
            }
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && self.press(key)? == AfterKey::Leave
            {
                return Ok(());
            }
        }
    }

    fn press(&mut self, key: KeyEvent) -> anyhow::Result<AfterKey> {
        // No number of dice has more characters, and no dice to keep.
        self.input.truncate(if self.session.rolled().is_some() { 40 } else { 3 });
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Ok(AfterKey::Leave);
            }
            KeyCode::Esc => return Ok(AfterKey::Leave),
            // Digits are ignored while no person is to roll: they would reappear when a turn is
            // taken back.
            KeyCode::Char(digit)
                if self.session.awaits_person()
                    && (digit.is_ascii_digit() || [' ', ',', '-'].contains(&digit)) =>
            {
                self.input.push(digit);
            }
            KeyCode::Backspace => {
                self.input.pop();
            }
            KeyCode::Enter => {
                let line = std::mem::take(&mut self.input);
                return self.carry_out(&line);
            }
            KeyCode::Char(command) => return self.carry_out(&command.to_string()),
            _ => {}
        }
        Ok(AfterKey::Continue)
    }

    fn carry_out(&mut self, line: &str) -> anyhow::Result<AfterKey> {
        self.message.clear();
        match PlayerRequest::read(line, self.session.rolled(), self.session.game().rules()) {
            Ok(None) => {}
            Ok(Some(PlayerRequest::Quit)) => return Ok(AfterKey::Leave),
            Ok(Some(PlayerRequest::Hint)) => self.hints = !self.hints,
            Ok(Some(PlayerRequest::Help)) => {
                self.message = PlayerRequest::help(self.session.game().rules()).into()
            }
            Ok(Some(PlayerRequest::Rules)) => self.rules = !self.rules,
            Ok(Some(PlayerRequest::Undo)) => {
                let undone = self.session.undo();
                self.message = taken_back(undone);
                self.input.clear();
                self.save_file.save(self.session)?;
            }
            Ok(Some(PlayerRequest::Roll(_) | PlayerRequest::Keep(_)))
                if !self.session.awaits_person() =>
            {
                self.message = "it is not your turn".into();
            }
            Ok(Some(PlayerRequest::Roll(dice))) => {
                let moved = self.session.roll(dice).map(drop);
                self.moved(moved)?;
            }
            Ok(Some(PlayerRequest::Keep(faces))) => {
                let moved = self.session.keep(&faces).map(drop);
                self.moved(moved)?;
            }
            Err(_) if line.chars().all(char::is_alphabetic) => {
                let help = PlayerRequest::help(self.session.game().rules());
                self.message = format!("no such key; {help}");
            }
            Err(reason) => self.message = reason,
        }
        Ok(AfterKey::Continue)
    }

    /// Goes on after a person's move.
    fn moved(&mut self, moved: Result<(), TurnError>) -> anyhow::Result<()> {
        match moved {
            Ok(()) => {
                self.rules = false;
                self.save_file.save(self.session)?;
            }
            Err(error) => self.message = error.to_string(),
        }
        Ok(())
    }

    /// Draws the complete screen at once.
    fn draw(&self) -> io::Result<()> {
        let (columns, height) = terminal::size()?;
        let colours = AutoStream::choice(&stdout()) != ColorChoice::Never;
        let mut out = Vec::new();
        queue!(out, BeginSynchronizedUpdate)?;
        for (row, text) in (0..).zip(self.rows(columns.into(), height.into())) {
            let text = escape::terminal(&text);
            let text = if colours { text } else { strip_str(&text).to_string() };
            queue!(out, MoveTo(0, row), Clear(ClearType::UntilNewLine), Print(text))?;
        }
        queue!(out, EndSynchronizedUpdate)?;
        stdout().write_all(&out)?;
        stdout().flush()
    }

    /// Returns the rows of the screen from top to bottom. On a small terminal the last ones stay:
    /// the prompt and the keys.
    fn rows(&self, columns: usize, height: usize) -> Vec<String> {
        let mut foot = self.prompt(columns);
        let keeps_dice = self.session.game().rules().keeps_dice();
        let moves = match (keeps_dice, self.session.rolled()) {
            (_, Some(_)) => "faces Enter keep",
            (true, None) => "0 Enter bank  1 Enter roll",
            (false, None) => "0-9 Enter roll",
        };
        let keys = format!("{moves}  ? hints  u undo  r rules  h help  q quit");
        foot.push(paint(FAINT, fit(&keys, columns)));
        foot.drain(..foot.len().saturating_sub(height));
        let mut rows = vec![self.title(columns)];
        rows.extend(self.tracks(columns));
        rows.extend(self.dice(columns));
        rows.truncate(height - foot.len());
        rows.extend(self.middle(columns, height - foot.len() - rows.len()));
        rows.extend(foot);
        rows
    }

    fn title(&self, columns: usize) -> String {
        let rules = self.session.game().rules();
        let title =
            format!("{}, to {} points, seed {}", rules.title, rules.goal, self.session.seed());
        paint(BOLD, fit(&title, columns))
    }

    /// Returns a row for each player: the name, the score, and how far it is to the goal.
    fn tracks(&self, columns: usize) -> [String; 2] {
        let seats = self.session.seats();
        let scores = self.session.scores();
        let goal = self.session.game().rules().goal;
        let name_columns =
            seats.iter().map(|seat| columns_of(&seat.name)).max().unwrap_or(0).min(24);
        let cells = columns.saturating_sub(name_columns + 8).max(1);
        [0, 1].map(|player| {
            let name = fit(&seats[player].name, name_columns);
            let row =
                format!("{name} {:>4} {}", scores[player], race_track(scores[player], goal, cells));
            let style = PLAYERS[player];
            let style = if self.session.mover() == Some(player) { style.bold() } else { style };
            paint(style, fit(&row, columns))
        })
    }

    /// Returns the dice of the last turn, drawn over three rows.
    fn dice(&self, columns: usize) -> Vec<String> {
        let last = self.session.taken().last();
        let last = last.map_or(&[][..], |taken| &taken.rolled.faces);
        let faces = self.session.rolled().unwrap_or(last);
        let ones_are_bad = !self.session.game().rules().keeps_dice();
        let style = if ones_are_bad && faces.contains(&1) { BAD } else { NOTE };
        let mut rows = dice_drawn(faces);
        rows.resize(3, String::new());
        rows.into_iter().map(|row| paint(style, fit(&row, columns))).collect()
    }

    /// Returns the rules or the last turns under a line, beside the hints if they are shown.
    fn middle(&self, columns: usize, height: usize) -> Vec<String> {
        let hints = self.session.hints();
        let aside = if self.hints && !hints.is_empty() { 32.min(columns / 2) } else { 0 };
        let columns = columns - aside;
        let mut rows = vec!["─".repeat(columns)];
        rows.extend(if self.rules {
            self.rules(columns)
        } else {
            self.log(columns, height.saturating_sub(1))
        });
        rows.resize(height, String::new());
        if aside > 0 {
            for (row, hint) in rows.iter_mut().zip(hint_box(&hints, aside, height)) {
                *row += &(" ".repeat(columns.saturating_sub(display_width(row))) + &hint);
            }
        }
        rows
    }

    /// Returns the last turns, as many as fill the height.
    fn log(&self, columns: usize, height: usize) -> Vec<String> {
        let mut rows: Vec<String> = Vec::new();
        for taken in self.session.taken().iter().rev().take(height) {
            rows.splice(..0, self.turn(taken, columns));
        }
        rows.split_off(rows.len().saturating_sub(height))
    }

    /// Returns the rules in sentences.
    fn rules(&self, columns: usize) -> Vec<String> {
        let rules = rule_texts(self.session.game().rules()).into_iter();
        rules
            .flat_map(|(name, text)| {
                fold(PLAIN, &format!("{}  {text}", paint(BOLD, name)), columns)
            })
            .collect()
    }

    /// Returns the rows of a turn: its headline, the effect of each rule, and the judge's remark.
    fn turn(&self, taken: &PastTurn, columns: usize) -> Vec<String> {
        let view = PlayTurn::new(
            self.session.game().rules(),
            taken,
            &self.session.seats()[taken.player].name,
        );
        let mut rows = fold(BOLD, &view.headline(), columns);
        for step in view.shown_steps() {
            rows.extend(fold(
                PLAIN,
                &format!("  {}  {}", paint(FAINT, &step.rule), step.text),
                columns,
            ));
        }
        if let Some(remark) = view.remark {
            let style = if view.loss == Some(0.0) { GOOD } else { BAD };
            rows.extend(fold(style, &format!("  {remark}"), columns));
        }
        rows
    }

    /// Returns what the player is asked, and the answer to the last command.
    fn prompt(&self, columns: usize) -> Vec<String> {
        let first = match self.session.mover() {
            None => PlayEnd::new(self.session).verdict() + "; u undoes, q quits",
            Some(mover) if self.session.awaits_person() => {
                format!("{} {}_", prompt(self.session, mover), self.input)
            }
            Some(mover) => format!("{} is to roll", self.session.seats()[mover].name),
        };
        let mut rows = fold(BOLD, &first, columns);
        match self.message.is_empty() {
            true => rows.push(String::new()),
            false => rows.extend(fold(NOTE, &self.message, columns)),
        }
        rows
    }
}

/// Wraps a text between words and paints its rows.
fn fold(style: Style, text: &str, columns: usize) -> Vec<String> {
    wrapped(text, columns, columns / 3).lines().map(|row| paint(style, row)).collect()
}

/// Returns the win rate of each choice in a box. If not all fit, those around the best are shown,
/// and how many there are besides.
fn hint_box(hints: &[Hint], columns: usize, height: usize) -> Vec<String> {
    let inner = columns.saturating_sub(2);
    let shown = height.saturating_sub(2).max(1);
    let best = hints.iter().position(|hint| hint.best).unwrap_or(0);
    let first = best.saturating_sub(shown / 2).min(hints.len().saturating_sub(shown));
    let mut rows = vec![format!("┌{:─<inner$.inner$}┐", "win rate")];
    rows.extend(hints.iter().skip(first).take(shown).map(|hint| {
        let (style, mark) = if hint.best { (GOOD.bold(), "  best") } else { (PLAIN, "") };
        let what = match &hint.means {
            Some(means) => format!(" {means:<14}"),
            None => format!("{:>4} dice", hint.dice),
        };
        let line = format!("{what}  {:.4}{mark}", hint.win_rate);
        format!("│{}│", paint(style, fit(&line, inner)))
    }));
    let others = match hints.len().saturating_sub(shown) {
        0 => String::new(),
        others => format!("{others} more"),
    };
    rows.push(format!("└{others:─<inner$.inner$}┘"));
    rows
}
