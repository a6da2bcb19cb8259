//! `hog play`: a game in the terminal, line by line or on the whole screen.

mod bids;
mod line;
mod screen;

use std::hash::{BuildHasher, Hasher};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use hog::game::Game;
use hog::rules::Rules;
use hog::sim::session::{Seat, Session, Transcript};
use hog::strategy::Strategy;
use hog::view::{RuleView, RulesView, ScoresView};

use super::Format;
use super::console::{Console, Status};

/// A game in the terminal, against a strategy, between two people, or watched
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  hog play fa21                                    you against final_strategy; ? shows what each roll is worth
  hog play su15 --against swap_strategy:8,5 --second
  hog play fa19 --two                              two people at one keyboard
  hog play sp15 --watch always_roll:5 --delay 0.5  a strategy in your place
  hog play fa21 --seed 7 --save game.hogplay       written down after every turn
  hog play --replay game.hogplay
  printf '6\\n?\\nu\\n5\\nq\\n' | hog play fa21 --seed 7

Where input or output is no terminal, or with --plain, the game is played line by line. A seed rolls the same dice on any
machine; taking a turn back takes its dice back too.")]
pub(super) struct PlayCommand {
    /// A built-in game or a rule file
    #[arg(required_unless_present = "replay", conflicts_with = "replay")]
    rules: Option<String>,
    /// Who plays against you (default: final_strategy, or optimal where no table is shipped)
    #[arg(long, value_name = "STRATEGY", conflicts_with_all = ["two", "replay"])]
    against: Option<Strategy>,
    /// Where the dice begin (default: anywhere)
    #[arg(long, value_name = "S", conflicts_with = "replay")]
    seed: Option<u64>,
    /// Let the other side move first
    #[arg(long, conflicts_with_all = ["two", "replay"])]
    second: bool,
    /// Leave out the bids for the start, in games that have them: both start with 0 points (so does --second)
    #[arg(long, conflicts_with = "replay")]
    no_bids: bool,
    /// Two people play
    #[arg(long, conflicts_with_all = ["watch", "replay"])]
    two: bool,
    /// Watch a strategy play in your place (default: final_strategy, or optimal where no table is shipped)
    #[arg(long, value_name = "STRATEGY", num_args = 0..=1, conflicts_with = "replay")]
    watch: Option<Option<Strategy>>,
    /// Seconds between the turns of strategies (default: 0.7 on the whole screen, else 0)
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    delay: Option<f64>,
    /// Play line by line
    #[arg(long)]
    plain: bool,
    /// Write the game to this file after every turn
    #[arg(long, value_name = "FILE", conflicts_with = "replay")]
    save: Option<PathBuf>,
    /// Play a game that was written to this file once more
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let sound = |seconds: &f64| (0.0..=3600.0).contains(seconds);
    text.parse().ok().filter(sound).ok_or_else(|| "seconds from 0 to 3600, as in 0.5".to_owned())
}

/// Where a game is written down, if anywhere.
struct SaveFile<'a>(Option<&'a Path>, &'a Console);

impl SaveFile<'_> {
    /// Writes the game as it stands.
    fn keep(&self, session: &Session) -> anyhow::Result<()> {
        match self.0 {
            Some(path) => self.1.write(path, Transcript::of(session).text().as_bytes()),
            None => Ok(()),
        }
    }
}

impl PlayCommand {
    /// Whether it reads rules that another goal would change; a game that was written down has its own.
    pub fn reads_rules(&self) -> bool {
        self.replay.is_none()
    }

    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if let Some(path) = &self.replay {
            return line::show_again(&console.engine.replay(path)?, self.pause(0.0), console);
        }
        let Some(rules) = &self.rules else { bail!("give RULES, or --replay FILE") };
        let game = console.game(rules)?;
        let seed = self.seed.unwrap_or_else(any_seed);
        let record = SaveFile(self.save.as_deref(), console);
        // Before the first roll: a file that cannot be written is better known now.
        console.can_write(&self.save)?;
        let (mut seats, mut start) = (self.seats(&game, console)?, game.position(game.start()));
        if let Some(rule) = game.rules().bid.as_ref().filter(|_| !self.no_bids && !self.second) {
            let Some(begun) = bids::make(&game, rule, (seats, seed), console)? else { return Ok(Status::Done) };
            (seats, start) = begun;
        }
        let mut session = console.engine.session(&game, seats, seed)?.beginning_at(start);
        record.keep(&session)?;
        if self.on_screen(console) {
            screen::play(&mut session, &record, self.pause(0.7), console)
        } else {
            line::play(&mut session, &record, self.pause(0.0), console)
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
        let person = |name: &str| Seat { name: name.into(), plan: None };
        if self.two {
            return Ok([person("Player 0"), person("Player 1")]);
        }
        let seat = |strategy: &Strategy| console.engine.seat(game, strategy);
        let strongest = console.engine.strongest(game);
        let own = match &self.watch {
            Some(watched) => seat(watched.as_ref().unwrap_or(&strongest))?,
            None => person("you"),
        };
        let mut seats = [own, seat(self.against.as_ref().unwrap_or(&strongest))?];
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

/// What a person is asked, with what the turn has gathered so far.
fn asked(session: &Session, mover: usize) -> String {
    let ((least, most), name) = (session.choices(), &session.seats()[mover].name);
    let kept = ScoresView::new(session).memory.into_iter().filter(|(_, value)| *value != 0);
    let kept: String = kept.map(|(name, value)| format!(", {} {value}", name.replace('_', " "))).collect();
    format!("{name}{kept}: how many dice, {least} to {most}?")
}

/// The rules in sentences: their names and what they say.
fn told_rules(rules: &Rules) -> Vec<(String, String)> {
    let told = |rule: &RuleView| Some((rule.name.clone(), rule.text.clone()?));
    RulesView::new(rules).rules.iter().filter_map(told).collect()
}

/// A seed nobody chose, small enough to be typed again.
fn any_seed() -> u64 {
    std::hash::RandomState::new().build_hasher().finish() % 1_000_000_000
}
