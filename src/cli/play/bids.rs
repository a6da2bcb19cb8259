//! The bids before a game: people enter theirs, strategies draw theirs from the equilibrium.

use std::io::IsTerminal;
use std::sync::Arc;

use crate::engine::Error;
use crate::game::{Game, Position};
use crate::queries::{PlayBids, PlayEvent};
use crate::rules::BidRules;
use crate::sim::opening;
use crate::sim::session::Seat;

use super::super::console::Console;
use super::super::input::read_line;
use super::super::shared::Format;
use super::line::show;

/// Collects the bids. Returns the seats in the order of their moves and the position in which the
/// game begins; `None` if the bids end the game, or a person has left.
pub fn collect(
    game: &Arc<Game>,
    rule: &BidRules,
    mut seats: [Seat; 2],
    seed: u64,
    console: &Console,
) -> anyhow::Result<Option<([Seat; 2], Position)>> {
    if let (Format::Text, Some(text)) = (console.format, &rule.text) {
        console.print_lines(&format!("{text}\n"))?;
    }
    let mut bids = [0; 2];
    for (player, seat) in seats.iter().enumerate() {
        bids[player] = match &seat.plan {
            Some(_) => console.engine.drawn_bid(game, seed, player)?,
            None => match ask(&seat.name, rule.max, console)? {
                Some(bid) => bid,
                None => return Ok(None),
            },
        };
    }
    let opening = opening(game, bids, seed).map_err(Error::from)?;
    let names = seats.each_ref().map(|seat| seat.name.clone());
    show(console, PlayEvent::Bids(PlayBids::new(names, bids, &opening)))?;
    if opening.mover == 1 {
        seats.reverse();
    }
    Ok(opening.position.map(|position| (seats, position)))
}

/// Asks a person for a bid; `None` if the input ends or the person leaves.
fn ask(name: &str, most: i64, console: &Console) -> anyhow::Result<Option<i64>> {
    let mut input = std::io::stdin().lock();
    loop {
        let prompt = format!("{name}: how much do you bid for the start, 0 to {most}? ");
        match console.format {
            Format::Text => console.print(|out| write!(out, "{prompt}"))?,
            Format::Json => show(console, PlayEvent::Help { help: prompt })?,
        }
        console.flush()?;
        let Some(line) = read_line(&mut input, "bid")? else { return Ok(None) };
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        // A terminal echoes what is typed; a pipe does not.
        if console.format == Format::Text && !input.is_terminal() {
            console.print(|out| writeln!(out, "{line}"))?;
        }
        match line.parse().ok().filter(|bid| (0..=most).contains(bid)) {
            Some(bid) => return Ok(Some(bid)),
            None if matches!(line.as_str(), "q" | "quit" | "exit") => return Ok(None),
            None => {
                let reason = format!("`{line}` is not a bid: bid 0 to {most}, or leave with q");
                show(console, PlayEvent::error(reason))?;
            }
        }
    }
}
