//! The full screen, through a pseudo-terminal: the tests send keys and read what a terminal would
//! show.

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

use super::{HOG, played};

/// The program in a terminal.
struct Terminal {
    master: Box<dyn MasterPty>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shown: Arc<Mutex<vt100::Parser>>,
}

/// How long to wait for a screen; far longer than needed.
const PATIENCE: Duration = Duration::from_secs(60);

fn size_of(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).expect("a terminal has cells")
}

impl Terminal {
    fn new(arguments: &[&str]) -> Self {
        Self::in_environment(arguments, &[])
    }

    fn in_environment(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(HOG);
        command.arg("play");
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env_remove("NO_COLOR");
        variables.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let shown = Arc::new(Mutex::new(vt100::Parser::new(size_of(24), size_of(80), 0)));
        let (mut reader, screen) = (pair.master.try_clone_reader().unwrap(), Arc::clone(&shown));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                screen.lock().unwrap().process(&bytes[..count]);
            }
        });
        let keys = pair.master.take_writer().unwrap();
        Self { master: pair.master, keys, child, shown }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    fn text(&self) -> String {
        self.shown.lock().unwrap().screen().contents()
    }

    /// Waits until the screen is as wanted; returns its text.
    fn wait(&self, what: &str, wanted: impl Fn(&str) -> bool) -> String {
        let began = Instant::now();
        loop {
            let text = self.text();
            if wanted(&text) {
                return text;
            }
            assert!(began.elapsed() < PATIENCE, "{what} did not appear:\n{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn wait_for(&self, part: &str) -> String {
        self.wait(part, |text| text.contains(part))
    }

    fn resize(&self, rows: u16, cols: u16) {
        self.shown.lock().unwrap().screen_mut().set_size(size_of(rows), size_of(cols));
        self.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Waits for the end of the program; returns its status and what is left on the terminal.
    fn end(mut self) -> (u32, String) {
        let status = self.child.wait().unwrap();
        // The last output of the program may still be on its way through the terminal.
        self.wait("the normal screen", |_| !self.shown.lock().unwrap().screen().alternate_screen());
        let text = self.wait("the verdict", |text| text.contains(" turn"));
        (status.exit_code(), text)
    }
}

#[test]
fn a_complete_game_is_played_with_a_hint_an_undo_and_a_resize() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.hogplay");
    let path = path.to_str().unwrap();
    let mut terminal = Terminal::new(&["fa21", "--seed", "7", "--delay", "0", "--save", path]);
    let first = terminal.wait_for("you: how many dice, 0 to 10?");
    assert!(
        first.contains("CS 61A, Fall 2021, to 100 points, seed 7")
            && first.contains("final_strategy"),
        "{first}"
    );

    terminal.press("?");
    let hinted = terminal.wait_for("6 dice  0.5344  best");
    assert!(hinted.contains("win rate"), "{hinted}");

    terminal.press("6\r");
    let rolled = terminal.wait_for("final_strategy: ");
    assert!(
        rolled.contains("you: 6 dice, 1 point, 1 to 0") && rolled.contains("Sow Sad"),
        "{rolled}"
    );
    terminal.press("u");
    let undone = terminal.wait_for("turns taken back");
    assert!(!undone.contains("you: 6 dice"), "{undone}");

    let goal =
        |text: &str| text.lines().filter_map(|line| line.chars().position(|c| c == '┃')).max();
    terminal.wait("a track of 80 columns", |text| {
        goal(text).is_some_and(|column| (70..80).contains(&column))
    });
    terminal.resize(40, 120);
    terminal.wait("a track of 120 columns", |text| {
        goal(text).is_some_and(|column| (110..120).contains(&column))
    });
    terminal.resize(6, 20);
    terminal.resize(30, 100);
    terminal.wait("a track of 100 columns", |text| {
        goal(text).is_some_and(|column| (90..100).contains(&column))
    });

    let over = "u undoes, q quits";
    for _ in 0..200 {
        let text =
            terminal.wait("a prompt", |text| text.contains(over) || text.contains("how many dice"));
        if text.contains(over) {
            break;
        }
        terminal.press("6\r");
        std::thread::sleep(Duration::from_millis(2));
    }
    let text = terminal.wait_for(over);
    assert!(
        text.contains(" after ")
            && (text.contains("you win") || text.contains("final_strategy wins")),
        "{text}"
    );
    terminal.press("q");
    let (status, left) = terminal.end();
    assert_eq!(status, 0);
    assert!(left.contains("points of win rate given away a roll"), "{left}");
    assert!(played(&["--replay", path], "").contains(" after "));
}

#[test]
fn quitting_restores_the_terminal() {
    for quit in ["q", "\u{3}", "\u{1b}"] {
        let mut terminal = Terminal::new(&["su15", "--seed", "1", "--against", "always_roll:5"]);
        terminal.wait_for("you: how many dice");
        terminal.press("12\u{7f}\u{7f}x");
        terminal.wait_for("no such key");
        terminal.press(quit);
        let (status, left) = terminal.end();
        assert_eq!(status, 0, "{quit:?}");
        assert!(left.contains("the game is left at 0 to 0 after 0 turns"), "{left}");
    }
}

#[test]
fn two_strategies_are_watched_to_the_end() {
    let arguments = [
        "sp15",
        "--as",
        "always_roll:5",
        "--against",
        "always_roll:6",
        "--seed",
        "4",
        "--delay",
        "0",
    ];
    let mut terminal = Terminal::new(&arguments);
    terminal.wait_for("u undoes, q quits");
    terminal.press("q");
    assert!(terminal.end().1.contains(" wins: "));
}

#[test]
fn an_interrupt_restores_the_terminal() {
    let terminal = Terminal::new(&["fa21", "--seed", "1"]);
    terminal.wait_for("you: how many dice");
    let process = terminal.child.process_id().unwrap();
    let killed =
        std::process::Command::new("kill").args(["-INT", &process.to_string()]).status().unwrap();
    assert!(killed.success());
    let mut terminal = terminal;
    assert_eq!(terminal.child.wait().unwrap().exit_code(), 130);
    terminal
        .wait("the normal screen", |_| !terminal.shown.lock().unwrap().screen().alternate_screen());
}

#[test]
fn help_rules_and_turns_are_shown_completely() {
    let mut terminal = Terminal::new(&["fa23", "--seed", "1", "--against", "always_roll:5"]);
    let start = terminal.wait_for("you: how many dice");
    assert!(
        start.contains("Sus Fuss") && start.contains("it becomes the next"),
        "the rules before the first roll: {start}"
    );
    terminal.press("h");
    let help = terminal.wait_for("q ends the game");
    assert!(help.contains("a number rolls that many dice"), "{help}");
    terminal.press("6\r");
    terminal.wait("the first turn", |text| {
        text.contains("you: 6 dice") && !text.contains("Sus Fuss  After")
    });
    terminal.resize(24, 40);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    terminal.wait("the remark in two rows", |text| {
        words(text).contains("gave away 1.0 points of win rate; 4 were best")
    });
    terminal.resize(24, 80);
    // A key that comes together with the signal of a new size waits for the next one.
    terminal.wait("the remark in one row", |text| {
        text.contains("gave away 1.0 points of win rate; 4 were best")
    });
    terminal.press("r");
    terminal.wait("the rules again", |text| text.contains("Sus Fuss  After"));
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}

#[test]
fn styles_are_shown_unless_no_color_is_set() {
    for (variables, styled) in [(&[][..], true), (&[("NO_COLOR", "1")][..], false)] {
        let mut terminal = Terminal::in_environment(&["fa21", "--seed", "1"], variables);
        terminal.wait_for("you: how many dice");
        let title_is_bold = terminal.shown.lock().unwrap().screen().cell(0, 0).unwrap().bold();
        assert_eq!(title_is_bold, styled, "{variables:?}");
        terminal.press("q");
        assert_eq!(terminal.end().0, 0);
    }
}

#[test]
fn keys_typed_after_the_end_are_not_entered_after_an_undo() {
    let mut terminal =
        Terminal::new(&["fa23", "--goal", "1", "--seed", "1", "--against", "always_roll:5"]);
    terminal.wait_for("you: how many dice");
    terminal.press("6\r");
    terminal.wait_for("u undoes, q quits");
    terminal.press("99u");
    let text = terminal.wait_for("1 turn taken back");
    assert!(text.contains("how many dice, 0 to 10? _"), "{text}");
    terminal.press("q");
    assert_eq!(terminal.end().0, 0);
}
