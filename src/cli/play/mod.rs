//! `hog play`: plays a game in the terminal, line by line or on the full screen.

mod bids;
mod line;
mod screen;

use std::hash::{BuildHasher, Hasher};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::engine::numbers::whole;
use crate::game::Game;
use crate::queries::PlayScores;
use crate::queries::RulesShowAnswer;
use crate::rules::Rules;
use crate::sim::session::{Seat, Session, Transcript};
use crate::strategy::Strategy;
use anstyle::Style;
use anyhow::bail;
use clap::Args;

use super::console::{Console, Status};
use super::output::{is_standard_output, refuse_inputs};
use super::shared::Format;

/// The style of text that is less important.
const FAINT: Style = Style::new().dimmed();

/// Play in the terminal, against a strategy or a person
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog play fa21                                    you against final_strategy; ? shows win rates
  hog play su15 --against swap_strategy:8,5 --second
  hog play fa19 --two                              two people at one keyboard
  hog play sp15 --as always_roll:5 --delay 0.5     watch a strategy in your place
  hog play fa21 --seed 7 --save game.hogplay       saved after every turn
  hog play --replay game.hogplay                   show a saved game again
  printf '6\\n?\\nu\\n5\\nq\\n' | hog play fa21 --seed 7

The game is played line by line if input or output is not a terminal, and with --plain. A seed \
rolls the same dice on any machine; a turn that is taken back rolls the same dice when it is \
played again.")]
pub(super) struct PlayCommand {
    /// A built-in game or a rule file
    #[arg(required_unless_present = "replay", conflicts_with = "replay")]
    rules: Option<String>,
    /// The strategy that plays against you (default: final_strategy, or optimal where no table is
    /// shipped)
    #[arg(long, value_name = "STRATEGY", conflicts_with_all = ["two", "replay"])]
    against: Option<Strategy>,
    /// The seed of the dice (default: chosen at random)
    #[arg(long, value_name = "S", conflicts_with = "replay", value_parser = whole::<u64>)]
    seed: Option<u64>,
    /// Let the other side move first, without bids for the start
    #[arg(long, conflicts_with_all = ["two", "replay"])]
    second: bool,
    /// Let two people play at one keyboard
    #[arg(long, conflicts_with_all = ["seat", "replay"])]
    two: bool,
    /// Watch a strategy play in your place (default: final_strategy, or optimal where no table is
    /// shipped)
    #[arg(long = "as", value_name = "STRATEGY", num_args = 0..=1, conflicts_with = "replay")]
    seat: Option<Option<Strategy>>,
    /// Seconds between the turns of strategies (default: 0.7 on the full screen, else 0)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    delay: Option<f64>,
    /// Play line by line, not on the full screen
    #[arg(long, conflicts_with = "replay")]
    plain: bool,
    /// Save the game to this file after every turn
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    save: Option<PathBuf>,
    /// Show a game that was saved to this file
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("write seconds from 0 to 3600, as in 0.5".to_owned()),
    }
}

/// The file that a game is saved to, if any, and the console that writes it.
struct SaveFile<'a>(Option<&'a Path>, &'a Console);

impl SaveFile<'_> {
    /// Saves the game as it stands.
    fn save(&self, session: &Session) -> anyhow::Result<()> {
        match self.0 {
            Some(path) => self.1.write(path, Transcript::of(session).text().as_bytes()),
            None => Ok(()),
        }
    }
}

impl PlayCommand {
    /// Returns whether it reads rules that `--goal` and `--max-dice` can change; a saved game has
    /// its own rules.
    pub fn reads_rules(&self) -> bool {
        self.replay.is_none()
    }

    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if let Some(path) = &self.replay {
            return line::replay(&console.engine.replay(path)?, self.pause(0.0), console);
        }
        let Some(rules) = &self.rules else { bail!("give RULES, or --replay FILE") };
        let game = console.game(rules)?;
        let seed = self.seed.unwrap_or_else(random_seed);
        let save_file = SaveFile(self.save.as_deref(), console);
        // Checked before the first roll, so that no game is lost.
        if self.save.as_deref().is_some_and(is_standard_output) {
            bail!("--save - would mix the saved game with what is shown: name a file");
        }
        refuse_inputs(
            &self.save,
            [Path::new(rules)],
            self.seat.iter().flatten().chain(&self.against),
        )?;
        console.can_write(&self.save)?;
        let mut seats = self.seats(&game, console)?;
        let mut start = game.position(game.start());
        if let Some(rule) = game.rules().bid.as_ref().filter(|_| !self.second) {
            let Some(begun) = bids::collect(&game, rule, seats, seed, console)? else {
                return Ok(Status::Done);
            };
            (seats, start) = begun;
        }
        let mut session = console.engine.session(&game, seats, seed)?.beginning_at(start);
        save_file.save(&session)?;
        if self.on_screen(console) {
            screen::play(&mut session, &save_file, self.pause(0.7), console)
        } else {
            line::play(&mut session, &save_file, self.pause(0.0), console)
        }
    }

    fn on_screen(&self, console: &Console) -> bool {
        let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
        terminal && !self.plain && console.format == Format::Text
    }

    fn pause(&self, default: f64) -> Duration {
        Duration::from_secs_f64(self.delay.unwrap_or(default))
    }

    fn seats(&self, game: &Arc<Game>, console: &Console) -> anyhow::Result<[Seat; 2]> {
        if self.two {
            return Ok(["Player 0", "Player 1"].map(person));
        }
        let engine = &console.engine;
        let strongest = engine.strongest(game);
        let own = match &self.seat {
            Some(watched) => engine.seat(game, watched.as_ref().unwrap_or(&strongest))?,
            None => person("you"),
        };
        let other = engine.seat(game, self.against.as_ref().unwrap_or(&strongest))?;
        let mut seats = [own, other];
        if self.second {
            seats.reverse();
        }
        if seats[0].name == seats[1].name {
            for (player, seat) in seats.iter_mut().enumerate() {
                seat.name += &format!(" (Player {player})");
            }
        }
        Ok(seats)
    }
}

fn person(name: &str) -> Seat {
    Seat { name: name.into(), plan: None }
}

/// Returns the prompt for a person's choice, with the memories that are not 0.
fn prompt(session: &Session, mover: usize) -> String {
    let (least, most) = session.choices();
    let name = &session.seats()[mover].name;
    let kept = PlayScores::new(session).memory.into_iter().filter(|(_, value)| *value != 0);
    let kept: String =
        kept.map(|(name, value)| format!(", {} {value}", name.replace('_', " "))).collect();
    let asked = match (session.rolled(), session.game().rules().keeps_dice()) {
        (Some(_), _) => "which dice do you keep?".to_owned(),
        (None, true) if least < most => "roll (1) or bank (0)?".to_owned(),
        (None, true) => format!("roll ({most})?"),
        (None, false) => format!("how many dice, {least} to {most}?"),
    };
    format!("{name}{kept}: {asked}")
}

/// Returns the names of the rules that have a text, and the texts.
fn rule_texts(rules: &Rules) -> Vec<(String, String)> {
    let rules = RulesShowAnswer::new(rules).rules.into_iter();
    rules.filter_map(|rule| Some((rule.name, rule.text?))).collect()
}

/// Returns a random seed, small enough to type again.
fn random_seed() -> u64 {
    std::hash::RandomState::new().build_hasher().finish() % 1_000_000_000
}
