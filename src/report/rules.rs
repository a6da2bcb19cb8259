//! `hog rules`: the games, one game's rules as sentences, and the language of rule files.

use std::io::{self, Write};

use serde::Serialize;

use super::View;
use super::style::{BEST, FAINT, TITLE, counted, paint};
use crate::rules::formula::TURN_VARIABLES;
use crate::rules::formula::functions::FUNCTIONS;
use crate::rules::{Hook, Rules};

/// All games that come with the program.
#[derive(Clone, Debug, Serialize)]
pub struct RulesListView {
    pub games: Vec<GameView>,
}

/// One line of the list.
#[derive(Clone, Debug, Serialize)]
pub struct GameView {
    pub id: String,
    pub title: String,
    /// The heading it is listed under.
    pub group: String,
    pub aliases: Vec<String>,
    pub rules: Vec<String>,
    pub baseline: Option<String>,
}

impl RulesListView {
    /// Of these games.
    pub fn new(games: &[Rules]) -> Self {
        let game = |rules: &Rules| GameView {
            id: rules.id.clone(),
            title: rules.title.clone(),
            group: rules.group().to_owned(),
            aliases: rules.aliases.clone(),
            rules: rules.rules.iter().map(|rule| rule.name.clone()).collect(),
            baseline: rules.baseline.clone(),
        };
        Self { games: games.iter().map(game).collect() }
    }
}

impl View for RulesListView {
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

/// One game's rules.
#[derive(Clone, Debug, Serialize)]
pub struct RulesView {
    pub id: String,
    pub title: String,
    pub aliases: Vec<String>,
    pub source: Option<String>,
    pub goal: u32,
    pub min_dice: i32,
    pub max_dice: i32,
    pub baseline: Option<String>,
    pub target: Option<String>,
    pub memories: Vec<MemoryView>,
    pub rules: Vec<RuleView>,
    /// How the players bid for the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bid: Option<RuleView>,
    pub examples: usize,
    /// The number that tables of this game carry, in hexadecimal.
    pub fingerprint: String,
}

/// One memory.
#[derive(Clone, Debug, Serialize)]
pub struct MemoryView {
    pub name: String,
    pub of: &'static str,
    pub start: i64,
    pub max: i64,
    pub next: String,
}

/// One rule with its formulas by hook.
#[derive(Clone, Debug, Serialize)]
pub struct RuleView {
    pub name: String,
    pub text: Option<String>,
    pub hooks: Vec<(String, String)>,
}

impl RulesView {
    /// Of a game.
    pub fn new(rules: &Rules) -> Self {
        let memory = |memory: &crate::rules::Memory| MemoryView {
            name: memory.name.clone(),
            of: if memory.of_player { "player" } else { "game" },
            start: memory.start,
            max: memory.max,
            next: memory.next().source().to_owned(),
        };
        let rule = |rule: &crate::rules::Rule| RuleView {
            name: rule.name.clone(),
            text: rule.text.clone(),
            hooks: rule.hooks.iter().map(|(hook, formula)| (hook.key().into(), formula.source().into())).collect(),
        };
        let bid = |bid: &crate::rules::Bid| RuleView {
            name: "Bid".into(),
            text: bid.text.clone(),
            hooks: [("score", &bid.score), ("first", &bid.first)]
                .map(|(key, f)| (key.into(), f.source().into()))
                .into(),
        };
        Self {
            id: rules.id.clone(),
            title: rules.title.clone(),
            aliases: rules.aliases.clone(),
            source: rules.source.clone(),
            goal: rules.goal,
            min_dice: rules.min_dice,
            max_dice: rules.max_dice,
            baseline: rules.baseline.clone(),
            target: rules.target.clone(),
            memories: rules.memories.iter().map(memory).collect(),
            rules: rules.rules.iter().map(rule).collect(),
            bid: rules.bid.as_ref().map(bid),
            examples: rules.examples.len(),
            fingerprint: format!("{:016x}", rules.fingerprint()),
        }
    }
}

impl View for RulesView {
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
            let whose = if memory.of == "player" { "each player's" } else { "the game's" };
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

/// A rule file that was written to start from.
#[derive(Clone, Debug, Serialize)]
pub struct NewRulesView {
    pub id: String,
    pub path: String,
}

impl View for NewRulesView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { path, .. } = self;
        writeln!(out, "{} is written: change it, then `hog rules check {path}`", paint(BEST, path))
    }
}

/// Rules that were read, tabulated, and whose examples hold.
#[derive(Clone, Debug, Serialize)]
pub struct RulesCheckView {
    pub checked: Vec<(String, usize)>,
}

impl View for RulesCheckView {
    fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (id, examples) in &self.checked {
            let hold = if *examples == 1 { "holds" } else { "hold" };
            let examples = counted(*examples as i64, "example");
            writeln!(out, "{}  the rules are sound and {examples} {hold}", paint(BEST, id))?;
        }
        Ok(())
    }
}

/// The language of rule files.
#[derive(Clone, Debug, Serialize)]
pub struct FunctionsView {
    pub hooks: Vec<(&'static str, &'static str)>,
    pub variables: Vec<(&'static str, &'static str)>,
    pub functions: Vec<&'static str>,
}

impl FunctionsView {
    /// All hooks, variables and functions.
    pub fn new() -> Self {
        Self {
            hooks: Hook::ALL.iter().map(|hook| (hook.key(), hook.meaning())).collect(),
            variables: TURN_VARIABLES.to_vec(),
            functions: FUNCTIONS.iter().map(|function| function.meaning).collect(),
        }
    }
}

impl Default for FunctionsView {
    fn default() -> Self {
        Self::new()
    }
}

impl View for FunctionsView {
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
