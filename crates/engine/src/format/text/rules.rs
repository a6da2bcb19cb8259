//! The text of `hog rules`.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, counted, paint};
use crate::view::{
    DefaultView, FunctionsView, MemoryOwner, MemoryView, NewRulesView, RulesCheckView,
    RulesListView, RulesView,
};

/// Returns the headings of groups of games, the largest group first.
pub(super) fn groups<'v>(of_games: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut groups: Vec<(&str, usize)> = Vec::new();
    for name in of_games {
        match groups.iter_mut().find(|(group, _)| *group == name) {
            Some((_, games)) => *games += 1,
            None => groups.push((name, 1)),
        }
    }
    groups.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    groups.into_iter().map(|(group, _)| group).collect()
}

impl Text for RulesListView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.games.iter().map(|game| game.id.len()).max().unwrap_or(0);
        for (place, group) in groups(self.games.iter().map(|game| &*game.group)).iter().enumerate()
        {
            let gap = if place == 0 { "" } else { "\n" };
            writeln!(out, "{gap}{}", paint(TITLE, group))?;
            for game in self.games.iter().filter(|game| game.group == *group) {
                let also = match &game.aliases[..] {
                    [] => String::new(),
                    aliases => format!(" (also {})", aliases.join(", ")),
                };
                writeln!(
                    out,
                    "  {}  {}{also}",
                    paint(BEST, format!("{:<width$}", game.id)),
                    game.title
                )?;
                writeln!(
                    out,
                    "{}",
                    paint(FAINT, format!("  {:width$}  {}", "", game.rules.join(", ")))
                )?;
            }
        }
        Ok(())
    }
}

impl Text for RulesView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}  {}", paint(BEST, &self.id), paint(TITLE, &self.title))?;
        if !self.aliases.is_empty() {
            writeln!(out, "  also called {}", self.aliases.join(", "))?;
        }
        writeln!(
            out,
            "  {} to {} dice a turn, up to {} points",
            self.min_dice, self.max_dice, self.goal
        )?;
        if let Some(source) = &self.source {
            writeln!(out, "  source: {source}")?;
        }
        if let Some(baseline) = &self.baseline {
            let target = self
                .target
                .as_ref()
                .map_or_else(String::new, |target| format!(", target: {target}"));
            writeln!(out, "  baseline: {baseline}{target}")?;
        }
        for memory in &self.memories {
            let whose =
                if memory.of == MemoryOwner::Player { "each player's" } else { "the game's" };
            let MemoryView { name, start, max, next, .. } = memory;
            writeln!(
                out,
                "\n{} {whose} memory, 0 to {max}, at first {start}, then {next}",
                paint(TITLE, name)
            )?;
        }
        for rule in self.bid.iter().chain(&self.rules) {
            writeln!(out, "\n{}", paint(TITLE, &rule.name))?;
            if let Some(text) = &rule.text {
                writeln!(out, "  {text}")?;
            }
            for (hook, formula) in &rule.hooks {
                writeln!(out, "  {}", paint(FAINT, format!("{hook} = {formula}")))?;
            }
        }
        if !self.defaults.is_empty() {
            writeln!(out, "\n{}", paint(TITLE, "Not in the file, so by default"))?;
        }
        for DefaultView { key, value, meaning } in &self.defaults {
            writeln!(out, "  {key} = {value}  {}", paint(FAINT, meaning))?;
        }
        writeln!(
            out,
            "\n{}",
            paint(
                FAINT,
                format!(
                    "{} worked examples; `hog rules check {}` runs them",
                    self.examples, self.origin
                )
            )
        )
    }
}

impl Text for NewRulesView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { path, .. } = self;
        writeln!(
            out,
            "{} is written: edit it, then run `hog rules check {path}`",
            paint(BEST, path)
        )
    }
}

impl Text for RulesCheckView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (id, examples) in &self.checked {
            let hold = if *examples == 1 { "holds" } else { "hold" };
            let examples = counted(*examples as u64, "example");
            writeln!(out, "{}  the rules are sound and {examples} {hold}", paint(BEST, id))?;
            for (_, warning) in self.warnings.iter().filter(|(of, _)| of == id) {
                writeln!(out, "  warning: {warning}")?;
            }
        }
        Ok(())
    }
}

impl Text for FunctionsView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", paint(TITLE, "Hooks, in the order of a turn"))?;
        for (name, meaning) in &self.hooks {
            entry(out, (name, meaning))?;
        }
        writeln!(out, "\n{}", paint(TITLE, "Variables, and the hooks that see them"))?;
        for ((name, meaning), (_, seen_by)) in self.variables.iter().zip(&self.seen_by) {
            entry(out, (name, meaning))?;
            // `next` (a formula of a memory) and `bid` (the formulas of the bid) are listed too,
            // but are not hooks.
            let everywhere = self.hooks.iter().all(|(hook, _)| seen_by.contains(hook));
            let shown: Vec<&str> = match everywhere {
                true => {
                    let others = seen_by
                        .iter()
                        .filter(|name| self.hooks.iter().all(|(hook, _)| hook != *name));
                    std::iter::once("every hook").chain(others.map(String::as_str)).collect()
                }
                false => seen_by.iter().map(String::as_str).collect(),
            };
            writeln!(out, "{}", paint(FAINT, wrapped(&format!("in {}", shown.join(", ")))))?;
        }
        let note = "next is the formula of a memory, and bid stands for the two formulas of the bid; every hook and next \
                    see memories";
        writeln!(out, "{}\n", paint(FAINT, wrapped(note)))?;
        writeln!(out, "{}", paint(TITLE, "Functions"))?;
        self.functions.iter().try_for_each(|meaning| writeln!(out, "  {meaning}"))?;
        writeln!(out, "\nOperators: + - * / %, == != < <= > >=, && || !, a ? b : c, true, false")
    }
}

/// Writes a name and its meaning, indented and wrapped.
fn entry(out: &mut dyn Write, (name, meaning): (&str, &str)) -> io::Result<()> {
    let wrapped = wrapped(meaning);
    writeln!(out, "  {name:<16} {}", wrapped.trim_start())
}

/// Wraps a text at 79 columns, with an indent of 19.
fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + 1 + word.len() > 60 {
            lines.push(std::mem::take(&mut line));
        }
        line += if line.is_empty() { "" } else { " " };
        line += word;
    }
    lines.push(line);
    lines.iter().map(|line| format!("{:19}{line}", "")).collect::<Vec<_>>().join("\n")
}
