//! The games, one game's rules, and the language of rule files.

use std::io::{self, Write};

use crate::format::Text;
use crate::format::style::{BEST, FAINT, TITLE, counted, paint};
use crate::view::{FunctionsView, MemoryOwner, MemoryView, NewRulesView, RulesCheckView, RulesListView, RulesView};

impl Text for RulesListView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let width = self.games.iter().map(|game| game.id.len()).max().unwrap_or(0);
        let mut groups: Vec<&str> = Vec::new();
        for game in &self.games {
            if !groups.contains(&game.group.as_str()) {
                groups.push(&game.group);
            }
        }
        for (place, group) in groups.iter().enumerate() {
            let gap = if place == 0 { "" } else { "\n" };
            writeln!(out, "{gap}{}", paint(TITLE, group))?;
            for game in self.games.iter().filter(|game| game.group == *group) {
                let also = match &game.aliases[..] {
                    [] => String::new(),
                    aliases => format!(" (also {})", aliases.join(", ")),
                };
                writeln!(out, "  {}  {}{also}", paint(BEST, format!("{:<width$}", game.id)), game.title)?;
                writeln!(out, "{}", paint(FAINT, format!("  {:width$}  {}", "", game.rules.join(", "))))?;
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
        writeln!(out, "  {} to {} dice a turn, up to {} points", self.min_dice, self.max_dice, self.goal)?;
        if let Some(source) = &self.source {
            writeln!(out, "  source: {source}")?;
        }
        if let Some(baseline) = &self.baseline {
            let target = self.target.as_ref().map_or_else(String::new, |target| format!(", target: {target}"));
            writeln!(out, "  baseline: {baseline}{target}")?;
        }
        for memory in &self.memories {
            let whose = if memory.of == MemoryOwner::Player { "each player's" } else { "the game's" };
            let MemoryView { name, start, max, next, .. } = memory;
            writeln!(out, "\n{} {whose} memory, 0 to {max}, at first {start}, then {next}", paint(TITLE, name))?;
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
        writeln!(
            out,
            "\n{}",
            paint(FAINT, format!("{} worked examples; `hog rules check {}` runs them", self.examples, self.id))
        )
    }
}

impl Text for NewRulesView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { path, .. } = self;
        writeln!(out, "{} is written: change it, then `hog rules check {path}`", paint(BEST, path))
    }
}

impl Text for RulesCheckView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (id, examples) in &self.checked {
            let hold = if *examples == 1 { "holds" } else { "hold" };
            let examples = counted(*examples as u64, "example");
            writeln!(out, "{}  the rules are sound and {examples} {hold}", paint(BEST, id))?;
        }
        Ok(())
    }
}

impl Text for FunctionsView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (title, entries) in [("Hooks, in the order of a turn", &self.hooks), ("Variables", &self.variables)] {
            writeln!(out, "{}", paint(TITLE, title))?;
            for (name, meaning) in entries {
                writeln!(out, "  {name:<16} {meaning}")?;
            }
            writeln!(out)?;
        }
        writeln!(out, "{}", paint(TITLE, "Functions"))?;
        self.functions.iter().try_for_each(|meaning| writeln!(out, "  {meaning}"))?;
        writeln!(out, "\nBeside these: + - * / %, == != < <= > >=, && || !, a ? b : c, true, false")
    }
}
