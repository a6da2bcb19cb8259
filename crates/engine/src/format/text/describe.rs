//! The text of `hog describe` and `hog compare`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, bar, either, paint, thousands};
use crate::view::{CompareView, DescribeView};

/// The widest line, in columns.
const WIDTH: usize = 79;

/// The largest number of bars in the distribution of lengths.
const ROWS: usize = 16;

/// Formats the interval after a figure that is the mean of played games.
fn played(interval: Option<[f64; 2]>) -> String {
    interval.map_or_else(String::new, |[low, high]| format!("  (played: {low:.3} to {high:.3})"))
}

fn percent(share: f64) -> String {
    format!("{:.1}%", share * 100.0)
}

impl Text for DescribeView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = &self.play;
        writeln!(out, "{}", paint(TITLE, format!("{}: {a} against {b}", self.game)))?;
        writeln!(out, "  first player wins  {}", self.win_rate.first)?;
        writeln!(out, "  first mover's edge {:+.6}", self.first_mover_edge)?;
        if self.win_rate.endless > 0.0 {
            writeln!(out, "  endless games      {}", self.win_rate.endless)?;
        }
        let turns = &self.turns;
        let mean = turns
            .mean
            .map_or_else(|| "no game ends".into(), |mean| format!("{mean:.2} in the mean"));
        writeln!(out, "  turns in a game    {mean}{}", played(turns.interval))?;
        if let Some(median) = turns.median {
            let p95 = turns.p95.map_or_else(
                || format!("over {}", turns.distribution.len()),
                |p95| p95.to_string(),
            );
            writeln!(
                out,
                "                     {median} or fewer in half of the games, {p95} in 95 of 100"
            )?;
        }
        if let Some(rolls) = &self.rolls {
            writeln!(
                out,
                "  rolls in a game    {:.2} in the mean{}",
                rolls.mean,
                played(rolls.interval)
            )?;
        }
        writeln!(
            out,
            "  lead changes       {:.3}{}",
            self.lead_changes.mean,
            played(self.lead_changes.interval)
        )?;
        if turns.mean.is_some() {
            writeln!(out, "\n{}", paint(TITLE, "how long it lasts (turns of both)"))?;
            lengths(out, &turns.distribution)?;
        }
        writeln!(out, "\n{}", paint(TITLE, "comebacks: the winner once had no more than"))?;
        for comeback in &self.comebacks {
            let share = format!("{:>7} of games", percent(comeback.share));
            writeln!(out, "  {:>5.2}  {share}{}", comeback.win_rate, played(comeback.interval))?;
        }
        writeln!(out, "\n{}", paint(TITLE, "how often each rule acts in a game"))?;
        for rule in &self.rules {
            writeln!(out, "  {:<20} {:>8.3}{}", rule.name, rule.per_game, played(rule.interval))?;
        }
        self.skill(out)?;
        let note = match self.turns.interval {
            None => format!(
                "computed, except for figures marked as played: the mean of {} games, seed 0",
                thousands(self.games)
            ),
            Some(_) => format!(
                "too large to compute everything: {} games were played, seed 0",
                thousands(self.games)
            ),
        };
        writeln!(out, "{}", paint(FAINT, note))
    }
}

impl DescribeView {
    fn skill(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "\n{}",
            paint(TITLE, "how far skill carries: win rate against optimal play")
        )?;
        for step in &self.skill {
            let rate = step.against_optimal.average;
            let bar = bar(rate * 2.0, 20);
            let name = match step.level == step.strategy {
                true => step.level.clone(),
                false => format!("{}: {}", step.level, step.strategy),
            };
            writeln!(out, "  {name:<32} {rate:.6}  {}{}", paint(BEST, bar), played(step.interval))?;
        }
        let choices = &self.choices;
        let worst = format!(
            "the best roll wins {:.4} more than the worst{}",
            choices.mean_spread,
            played(choices.interval)
        );
        writeln!(
            out,
            "\n  {worst};\n  in {} of {} it wins 0.01 more than any other",
            percent(choices.share_that_matter),
            if self.rolls.is_some() { "choices to roll or hold" } else { "turns" }
        )
    }
}

/// Writes a bar for each number of turns, or for ranges of turns if there are many.
fn lengths(out: &mut dyn Write, distribution: &[f64]) -> io::Result<()> {
    // Numbers of turns that are too rare for a visible bar are left out; in long games all are
    // rare.
    let rare =
        distribution.iter().fold(0.0_f64, |most, chance| most.max(*chance / 100.0)).min(5e-4);
    let first = distribution.iter().position(|chance| *chance > rare).unwrap_or(0);
    let last = distribution.iter().rposition(|chance| *chance > rare).unwrap_or(0);
    let together = (last + 1 - first).div_ceil(ROWS);
    let rows: Vec<(usize, f64)> = (first..=last)
        .step_by(together)
        .map(|row| (row, distribution[row..(row + together).min(distribution.len())].iter().sum()))
        .collect();
    let most = rows.iter().map(|(_, share)| *share).fold(f64::MIN_POSITIVE, f64::max);
    // Two numbers and a dash.
    let wide = (2 * last.to_string().len() + 1).max(9);
    for (row, share) in rows {
        let turns = match together {
            1 => format!("{}", row + 1),
            _ => format!("{}-{}", row + 1, row + together),
        };
        let bar = paint(BEST, bar(share / most, WIDTH - 13 - wide));
        writeln!(out, "  {turns:>wide$}  {:>6}  {bar}", percent(share))?;
    }
    Ok(())
}

/// Lists numbers of dice as `3`, `3 or 4` or `4 to 10`.
fn dice(best: &[i32]) -> String {
    match best {
        [first, .., last] if best.len() > 2 && (last - first) as usize + 1 == best.len() => {
            format!("{first} to {last}")
        }
        best if best.len() > 3 => format!("{} of them", best.len()),
        best => either(best),
    }
}

impl Text for CompareView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = &self.games;
        writeln!(out, "{}", paint(TITLE, format!("{:<30}{:>20}  {:>20}", "", a.game, b.game)))?;
        let mut row = |name: &str, of: &dyn Fn(&DescribeView) -> String| {
            writeln!(out, "{name:<30}{:>20}  {:>20}", of(a), of(b))
        };
        row("first player wins", &|game| format!("{:.9}", game.win_rate.first))?;
        row("first mover's edge", &|game| format!("{:+.6}", game.first_mover_edge))?;
        row("turns in the mean", &|game| {
            game.turns.mean.map_or_else(|| "-".into(), |mean| format!("{mean:.3}"))
        })?;
        row("turns, 95 of 100", &|game| {
            game.turns.p95.map_or_else(|| "-".into(), |p95| p95.to_string())
        })?;
        if self.games.iter().any(|game| game.rolls.is_some()) {
            let rolls = |game: &DescribeView| {
                game.rolls.map_or_else(|| "-".into(), |rolls| format!("{:.3}", rolls.mean))
            };
            row("rolls in the mean", &rolls)?;
        }
        row("lead changes", &|game| format!("{:.3}", game.lead_changes.mean))?;
        for place in 0..a.comebacks.len() {
            let name = format!("comebacks from {}", a.comebacks[place].win_rate);
            row(&name, &|game| percent(game.comebacks[place].share))?;
        }
        row("best less worst roll", &|game| format!("{:.4}", game.choices.mean_spread))?;
        let choices =
            if self.games.iter().any(|game| game.rolls.is_some()) { "choices" } else { "turns" };
        row(&format!("{choices} that matter"), &|game| percent(game.choices.share_that_matter))?;
        let level = |game: &DescribeView, level: &str| {
            let found = game.skill.iter().find(|step| step.level == level);
            found.map_or_else(|| "-".into(), |step| format!("{:.4}", step.against_optimal.average))
        };
        let has_level = |level: &str| {
            self.games.iter().any(|game| game.skill.iter().any(|step| step.level == level))
        };
        for name in ["random", "baseline", "greedy", "threshold", "pace"] {
            if name == "pace" && !has_level(name) {
                continue;
            }
            row(&format!("{name} against optimal"), &|game| level(game, name))?;
        }
        let mut rules: Vec<&str> = a.rules.iter().map(|rule| rule.name.as_str()).collect();
        rules.extend(
            b.rules
                .iter()
                .map(|rule| rule.name.as_str())
                .filter(|name| a.rules.iter().all(|r| r.name != *name)),
        );
        for name in rules {
            let of = |game: &DescribeView| {
                let found = game.rules.iter().find(|rule| rule.name == name);
                found.map_or_else(|| "-".into(), |rule| format!("{:.2}", rule.per_game))
            };
            row(&format!("{name}, times a game"), &of)?;
        }
        self.positions(out)
    }
}

impl CompareView {
    fn positions(&self, out: &mut dyn Write) -> io::Result<()> {
        let [a, b] = &self.games;
        let (differing, all) = (thousands(self.differing as u64), thousands(self.compared as u64));
        writeln!(
            out,
            "\n{}",
            paint(TITLE, format!("the best roll differs in {differing} of {all} positions"))
        )?;
        if self.positions.is_empty() {
            return Ok(());
        }
        let has_pots = self.positions.iter().any(|position| position.pot.is_some());
        let pots = if has_pots { "pot  " } else { "" };
        writeln!(
            out,
            "  scores     {pots}{:<16}{:<16}  what the other's best roll costs in each",
            a.game, b.game
        )?;
        for position in &self.positions {
            let scores = format!("{}-{}", position.score, position.opponent);
            let pot = position.pot.map_or_else(String::new, |pot| format!("{pot:>3}  "));
            let [ours, theirs] = position.best.each_ref().map(|best| dice(best));
            let cost = |cost: Option<f64>| {
                cost.map_or_else(|| "not allowed".into(), |cost| format!("{cost:.6}"))
            };
            let costs = position.costs.map(cost);
            writeln!(
                out,
                "  {scores:<9}  {pot}{ours:<16}{theirs:<16}  {:<11}  {}",
                costs[0], costs[1]
            )?;
        }
        Ok(())
    }
}
