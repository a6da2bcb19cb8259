//! Plays the game on the full screen.

use std::time::Duration;

use hog::format::{columns_of, dice_drawn, padded, race_track};
use hog::sim::Hint;
use hog::sim::session::{Request, Session, Taken};
use hog::view::{EndView, PlayNoteView, PlayTurnView};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::super::console::{Console, Status};
use super::super::interrupt::FullScreen;
use super::{SaveFile, prompt, rule_texts};

/// Plays until the player leaves.
pub fn play(session: &mut Session, save_file: &SaveFile, pause: Duration, console: &Console) -> anyhow::Result<Status> {
    console.progress.stop();
    let played = {
        let _restored_at_the_end = FullScreen::begin();
        let mut terminal = ratatui::try_init()?;
        Screen { session, save_file, input: String::new(), message: String::new(), hints: false, rules: true }
            .run(&mut terminal, pause)
    };
    played?;
    console.show(&EndView::new(session))
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
    fn run(&mut self, terminal: &mut DefaultTerminal, pause: Duration) -> anyhow::Result<()> {
        loop {
            terminal.draw(|frame| self.draw(frame))?;
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
        // No number of dice has more characters.
        self.input.truncate(3);
        match key.code {
            KeyCode::Char('c' | 'd') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(AfterKey::Leave),
            KeyCode::Esc => return Ok(AfterKey::Leave),
            // Digits are ignored while no person is to roll: they would reappear when a turn is taken back.
            KeyCode::Char(digit) if self.session.awaits_person() && (digit.is_ascii_digit() || digit == '-') => {
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
        match Request::read(line) {
            Ok(None) => {}
            Ok(Some(Request::Quit)) => return Ok(AfterKey::Leave),
            Ok(Some(Request::Hint)) => self.hints = !self.hints,
            Ok(Some(Request::Help)) => self.message = Request::HELP.into(),
            Ok(Some(Request::Rules)) => self.rules = !self.rules,
            Ok(Some(Request::Undo)) => {
                let undone = self.session.undo();
                self.message = PlayNoteView::Undone(undone).words();
                self.input.clear();
                self.save_file.save(self.session)?;
            }
            Ok(Some(Request::Roll(_))) if !self.session.awaits_person() => {
                self.message = "it is not your turn".into();
            }
            Ok(Some(Request::Roll(dice))) => match self.session.roll(dice) {
                Ok(_) => {
                    self.rules = false;
                    self.save_file.save(self.session)?;
                }
                Err(error) => self.message = error.to_string(),
            },
            Err(_) => self.message = format!("no such key; {}", Request::HELP),
        }
        Ok(AfterKey::Continue)
    }

    fn draw(&self, frame: &mut Frame) {
        let rows = [
            Constraint::Length(1),
            Constraint::Length(2),
            Constraint::Length(3),
            Constraint::Min(3),
            Constraint::Length(1 + rows_of(&self.message, frame.area().width)),
            Constraint::Length(1),
        ];
        let [title, tracks, dice, middle, message, keys] = Layout::vertical(rows).areas(frame.area());
        frame.render_widget(self.title(), title);
        frame.render_widget(self.tracks(tracks.width), tracks);
        frame.render_widget(self.dice(), dice);
        let hints = self.session.hints();
        let aside = if self.hints && !hints.is_empty() { 32.min(middle.width / 2) } else { 0 };
        let [log, aside] = Layout::horizontal([Constraint::Min(1), Constraint::Length(aside)]).areas(middle);
        if self.rules {
            frame.render_widget(self.rules(), log);
        } else {
            self.draw_log(frame, log);
        }
        if aside.width > 0 {
            frame.render_widget(hint_list(&hints, aside.height), aside);
        }
        frame.render_widget(self.prompt(), message);
        frame.render_widget("0-9 Enter roll  ? hints  u undo  r rules  h help  q quit".dark_gray(), keys);
    }

    fn title(&self) -> Line<'static> {
        let rules = self.session.game().rules();
        let title = format!("{}, to {} points, seed {}", rules.title, rules.goal, self.session.seed());
        Line::from(title).bold()
    }

    fn tracks(&self, width: u16) -> Text<'static> {
        let (seats, scores) = (self.session.seats(), self.session.scores());
        let goal = self.session.game().rules().goal;
        let name_width = seats.iter().map(|seat| columns_of(&seat.name)).max().unwrap_or(0).min(24);
        let cells = usize::from(width).saturating_sub(name_width + 8).max(1);
        let track = |player: usize| {
            let name = padded(&shortened(&seats[player].name, name_width), name_width);
            let line = format!("{name} {:>4} {}", scores[player], race_track(scores[player], goal, cells));
            let colour = if player == 0 { Color::Cyan } else { Color::Magenta };
            let style = Style::new().fg(colour);
            Line::styled(line, if self.session.mover() == Some(player) { style.bold() } else { style })
        };
        Text::from(vec![track(0), track(1)])
    }

    fn dice(&self) -> Text<'static> {
        let last = self.session.taken().last();
        let faces = last.map_or(&[][..], |taken| &taken.rolled.faces);
        let style = if faces.contains(&1) { Style::new().red() } else { Style::new().yellow() };
        Text::from(dice_drawn(faces).into_iter().map(|row| Line::styled(row, style)).collect::<Vec<_>>())
    }

    fn draw_log(&self, frame: &mut Frame, area: Rect) {
        let mut lines: Vec<Line> = Vec::new();
        // The last turns, as many as can fill the area.
        for taken in self.session.taken().iter().rev().take(area.height.into()) {
            let mut turn = self.turn_lines(taken);
            turn.append(&mut lines);
            lines = turn;
        }
        let skipped = lines.len().saturating_sub(area.height.saturating_sub(1).into());
        let shown = Paragraph::new(lines.split_off(skipped));
        frame.render_widget(shown.block(Block::new().borders(ratatui::widgets::Borders::TOP)), area);
    }

    /// Returns the rules in sentences.
    fn rules(&self) -> Paragraph<'static> {
        let rules = rule_texts(self.session.game().rules()).into_iter();
        let lines: Vec<Line> = rules
            .map(|(name, text)| Line::from(vec![Span::from(format!("{name}  ")).bold(), Span::from(text)]))
            .collect();
        let block = Block::new().borders(ratatui::widgets::Borders::TOP);
        Paragraph::new(lines).wrap(Wrap { trim: true }).block(block)
    }

    /// Returns the lines of a turn: its headline, the effect of each rule, and the judge's remark.
    fn turn_lines(&self, taken: &Taken) -> Vec<Line<'static>> {
        let view = PlayTurnView::new(self.session.game().rules(), taken, &self.session.seats()[taken.player].name);
        let mut lines = vec![Line::from(view.headline()).bold()];
        for step in view.shown_steps() {
            let text = Span::from(step.text.clone());
            lines.push(Line::from(vec![Span::from(format!("  {}  ", step.rule)).dark_gray(), text]));
        }
        if let Some(remark) = view.remark {
            let remark = Line::from(format!("  {remark}"));
            lines.push(if view.loss == Some(0.0) { remark.green() } else { remark.red() });
        }
        lines
    }

    fn prompt(&self) -> Paragraph<'static> {
        let first = match self.session.mover() {
            None => EndView::new(self.session).verdict() + "; u undoes, q quits",
            Some(mover) if self.session.awaits_person() => {
                format!("{} {}_", prompt(self.session, mover), self.input)
            }
            Some(mover) => format!("{} is to roll", self.session.seats()[mover].name),
        };
        Paragraph::new(vec![Line::from(first).bold(), Line::from(self.message.clone()).yellow()])
            .wrap(Wrap { trim: true })
    }
}

/// Cuts a text off after `columns` columns.
fn shortened(text: &str, columns: usize) -> String {
    let fits = |end: &usize| columns_of(&text[..*end]) <= columns;
    let ends = text.char_indices().map(|(start, letter)| start + letter.len_utf8());
    text[..ends.take_while(fits).last().unwrap_or(0)].to_owned()
}

/// Returns the number of rows of a text that is wrapped between words.
fn rows_of(text: &str, columns: u16) -> u16 {
    let columns = usize::from(columns.max(1));
    textwrap::wrap(text, columns).len().max(1) as u16
}

/// Returns the win rate of each number of dice.
fn hint_list(hints: &[Hint], height: u16) -> Paragraph<'static> {
    let line = |hint: &Hint| {
        let line = format!("{:>4} dice  {:.4}{}", hint.dice, hint.win_rate, if hint.best { "  best" } else { "" });
        if hint.best { Line::from(line).green().bold() } else { Line::from(line) }
    };
    // If not all fit, those around the best are shown.
    let rows = usize::from(height.saturating_sub(2)).max(1);
    let best = hints.iter().position(|hint| hint.best).unwrap_or(0);
    let first = best.saturating_sub(rows / 2).min(hints.len().saturating_sub(rows));
    let lines: Vec<Line> = hints.iter().skip(first).take(rows).map(line).collect();
    Paragraph::new(lines).block(Block::bordered().title("win rate"))
}
