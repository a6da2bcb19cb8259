//! How often a player is to move at each pair of scores, in a game between two strategies.

use std::collections::BTreeMap;

use hog_engine::format::{counted, thousands};
use hog_engine::queries::Losses;

use super::board::{Board, step_note};
use super::figure::Figure;
use super::legend::Decades;
use super::theme::Look;
use super::{Caption, Picture};

/// The number of limits between the colour steps.
const STEPS: usize = 8;

/// Draws the expected number of times per game at which the strategy is to move, by pair of scores.
pub fn visits(look: Look, caption: &Caption, losses: &Losses) -> Picture {
    let goal = losses.game.space().goal;
    let mut visits: BTreeMap<usize, f64> = BTreeMap::new();
    for reached in &losses.explanation.reached {
        let cell = reached.position.score as usize * goal + reached.position.opponent as usize;
        *visits.entry(cell).or_default() += reached.average_met();
    }
    let (title, notes) = heading(losses, &visits);
    let mut figure = Figure::new(look, caption, &title, &notes);
    let board = Board::alone(&figure, goal);
    // All games begin at 0 to 0 and then spread out. The few pairs at the beginning, above the
    // 99.5th percentile, share the last step.
    let mut times: Vec<f64> = visits.values().copied().filter(|times| *times > 0.0).collect();
    times.sort_by(f64::total_cmp);
    let most = times.get(times.len() * 995 / 1000).copied().unwrap_or(1.0);
    let decades = Decades::below(most, STEPS, &[5.0, 2.0, 1.0]);
    let grid = board.grid(|score, opponent| {
        let times = visits.get(&(score * goal + opponent)).copied().unwrap_or(0.0);
        decades.step(times) as i32
    });
    let mut colours = vec![figure.theme.faint];
    for step in 1..decades.count() {
        let share = (step - 1) as f64 / (decades.count() - 2) as f64;
        colours.push(figure.theme.loss(share));
    }
    board.fill(&mut figure, &grid, |step| {
        (colours[step as usize], format!("{} times a game", decades.range(step as usize, 1.0)))
    });
    board.axes(&mut figure);
    let entries = decades.entries(&colours, &grid.counts(), "never");
    board.finish(figure, "times a game", &entries)
}

fn heading(losses: &Losses, visits: &BTreeMap<usize, f64>) -> (String, Vec<String>) {
    let game = &losses.game;
    let title = format!(
        "Where {} is to move against {} in {}",
        losses.strategy,
        losses.against,
        game.rules().called()
    );
    let goal = game.space().goal;
    let turns: f64 = visits.values().sum();
    let mut shares: Vec<f64> = visits.values().copied().collect();
    shares.sort_by(|a, b| b.total_cmp(a));
    let mut sum = 0.0;
    let half = shares
        .iter()
        .take_while(|share| {
            sum += **share;
            sum < turns / 2.0
        })
        .count()
        + 1;
    // A turn may be several rolls.
    let rules = game.rules();
    let (met, all) = match rules.has_turns_of_rolls() {
        false => (format!("It has {turns:.2} turns in a game"), "turns are taken"),
        true if rules.pot().is_some() => {
            (format!("It rolls or holds {turns:.2} times in a game"), "choices are made")
        }
        true => (format!("It rolls {turns:.2} times in a game"), "rolls are made"),
    };
    let note = format!(
        "{met}, on average of moving first and second. {} can come up, of {}; half of all {all} \
         in {}.{}",
        counted(visits.values().filter(|times| **times > 0.0).count() as u64, "pair")
            + " of scores",
        thousands((goal * goal) as u64),
        thousands(half as u64),
        step_note(goal),
    );
    (title, vec![note])
}
