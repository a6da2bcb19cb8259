//! Data flows down the list of rooms: no room of `src` names one below it, and each keeps to its own trade.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The rooms in the order that data flows.
const ROOMS: [&str; 19] = [
    "rules", "dice", "game", "solve", "bid", "check", "files", "table", "strategy", "sim", "contest", "analysis",
    "survey", "view", "engine", "format", "plot", "web", "cli",
];

/// The room of the binary: the only one that prints, exits and reads arguments.
const COMMAND_LINE: &str = "cli";

/// What the checker may take from the solver: vocabulary, no code.
const CHECKER_MAY_TAKE: &str = "Watch";

/// Crates and names that belong to the command line.
const OF_THE_COMMAND_LINE: [&str; 9] =
    ["clap", "clap_complete", "anstream", "anyhow", "ctrlc", "indicatif", "stdout", "stderr", "stdin"];

/// The streams named there are those of the processes it starts, not the library's own.
const STARTING_PROCESSES: [&str; 2] = ["strategy/python/interpreter.rs", "strategy/python/process.rs"];

const PRINTING: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];

#[test]
fn no_room_uses_one_below_it() {
    assert_none(&sources(), upward_arrows);
}

#[test]
fn every_folder_of_the_source_is_a_room_on_the_list() {
    let of_files: BTreeSet<String> = sources().into_iter().filter_map(|source| source.room).collect();
    let known: BTreeSet<String> = ROOMS.map(str::to_owned).into();
    let strangers: Vec<&String> = of_files.difference(&known).collect();
    assert!(strangers.is_empty(), "no place in the list of rooms for {strangers:?}");
    assert!(of_files.contains("rules") && of_files.contains(COMMAND_LINE), "rooms were read: {of_files:?}");
}

#[test]
fn the_checker_takes_nothing_but_the_watch_from_the_solver() {
    assert_none(&sources(), solver_code_in_the_checker);
}

#[test]
fn the_library_never_prints_and_never_exits() {
    assert_none(&sources(), printing_or_exiting);
}

#[test]
fn only_the_command_line_names_the_crates_of_terminals() {
    assert_none(&sources(), trade_of_the_command_line);
}

#[test]
fn only_the_codec_names_bincode() {
    let naming: Vec<PathBuf> =
        sources().into_iter().filter(|source| source.names("bincode")).map(|source| source.path).collect();
    assert_eq!(naming, [Path::new("table/codec.rs")]);
}

#[test]
fn no_code_asks_which_game_it_is() {
    assert_none(&sources(), game_names);
}

/// Each rule finds a fault that is planted, and nothing in what is sound.
#[test]
fn planted_faults_are_found() {
    let found = |rule: fn(&Source) -> Vec<String>, path: &str, text: &str| !rule(&Source::new(path, text)).is_empty();

    assert!(found(upward_arrows, "game/mod.rs", "use crate::solve::Watch;"));
    assert!(found(upward_arrows, "game/mod.rs", "use super::table::Table;"));
    assert!(found(upward_arrows, "game/a/b.rs", "fn f() { super::super::super::format::json() }"));
    assert!(found(upward_arrows, "game/a.rs", "use crate::{dice::Die, rules::{Hook, Rules}, strategy::Strategy};"));
    assert!(found(upward_arrows, "game/a.rs", "const C: char = '\"'; use crate::solve::Watch; // \""));
    assert!(!found(upward_arrows, "game/a.rs", "//! [`crate::solve`]\nuse crate::{dice::Die, rules}; use super::b;"));
    assert!(!found(upward_arrows, "game/a.rs", "#[cfg(test)]\nmod tests { use crate::solve::Watch; }"));
    assert!(!found(
        upward_arrows,
        "game/a.rs",
        "const C: &str = \"crate::solve\"; /* crate::solve /* */ crate::table */"
    ));
    assert!(!found(upward_arrows, "game/a/b.rs", "use super::super::format;"));

    assert!(found(solver_code_in_the_checker, "check/mod.rs", "use crate::solve::{Arithmetic, Watch};"));
    assert!(found(solver_code_in_the_checker, "check/mod.rs", "use crate::solve;"));
    assert!(found(solver_code_in_the_checker, "check/mod.rs", "use super::solve::equilibrium;"));
    assert!(!found(solver_code_in_the_checker, "check/mod.rs", "use crate::solve::{Watch}; use crate::solve::Watch;"));

    assert!(found(printing_or_exiting, "game/mod.rs", "fn f() { println!(\"a\") }"));
    assert!(found(printing_or_exiting, "lib.rs", "fn f() { std::process::exit(1) }"));
    assert!(found(printing_or_exiting, "game/mod.rs", "use std::process::{Command, exit};"));
    assert!(!found(
        printing_or_exiting,
        "game/mod.rs",
        "/// println!(\"a\")\nfn print() -> &'static str { r#\"dbg!\"#; print() }"
    ));
    assert!(!found(printing_or_exiting, "cli/mod.rs", "fn f() { std::process::exit(1) }"));

    assert!(found(trade_of_the_command_line, "format/mod.rs", "fn f() { std::io::stdout(); }"));
    assert!(!found(trade_of_the_command_line, "cli/mod.rs", "use clap::Args;"));

    assert!(found(game_names, "solve/mod.rs", "fn f(id: &str) -> bool { id == \"fa21\" }"));
    assert!(!found(
        game_names,
        "solve/mod.rs",
        "//! hog::rules::load(\"fa21\")\nconst HELP: &str = \"hog best fa21\";"
    ));
    assert!(!found(game_names, "solve/mod.rs", "#[cfg(test)] mod tests { const ID: &str = \"fa21\"; }"));
}

fn assert_none(sources: &[Source], rule: fn(&Source) -> Vec<String>) {
    let fault = |source: &Source| -> Vec<String> {
        rule(source).into_iter().map(|fault| format!("src/{}: {fault}", source.path.display())).collect()
    };
    let faults: Vec<String> = sources.iter().flat_map(fault).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn upward_arrows(source: &Source) -> Vec<String> {
    let place = |room: &str| ROOMS.iter().position(|known| *known == room);
    let Some(own) = source.library_room().and_then(place) else {
        return Vec::new();
    };
    let named = source.crate_paths().into_iter().filter_map(|path| Some((place(path.first()?)?, path.join("::"))));
    named.filter(|(room, _)| *room > own).map(|(_, path)| format!("names {path}, further down the list")).collect()
}

fn solver_code_in_the_checker(source: &Source) -> Vec<String> {
    if source.room.as_deref() != Some("check") {
        return Vec::new();
    }
    let of_solver = source.crate_paths().into_iter().filter(|path| path.first().is_some_and(|room| room == "solve"));
    let code = of_solver.filter(|path| path.get(1).is_none_or(|name| name != CHECKER_MAY_TAKE));
    code.map(|path| format!("names {}; it may name solve::{CHECKER_MAY_TAKE} only", path.join("::"))).collect()
}

fn printing_or_exiting(source: &Source) -> Vec<String> {
    if source.is_of_the_binary() {
        return Vec::new();
    }
    let macros = source.tokens.windows(2).filter_map(|pair| match pair {
        [Token::Name(name), Token::Mark('!')] if PRINTING.contains(&name.as_str()) => Some(format!("prints: {name}!")),
        _ => None,
    });
    let exits = source.paths_from("process").into_iter().filter(|path| path.first().is_some_and(|name| name == "exit"));
    macros.chain(exits.map(|_| "exits: process::exit".to_owned())).collect()
}

fn trade_of_the_command_line(source: &Source) -> Vec<String> {
    if STARTING_PROCESSES.iter().any(|path| source.path == Path::new(path)) {
        return Vec::new();
    }
    let names = OF_THE_COMMAND_LINE.iter().filter(|name| !source.is_of_the_binary() && source.names(name));
    names.map(|name| format!("names {name}, which belongs to src/{COMMAND_LINE}")).collect()
}

fn game_names(source: &Source) -> Vec<String> {
    let ids = hog::rules::builtins().iter().map(|game| game.id);
    let asked = ids.filter(|id| source.tokens.iter().any(|token| matches!(token, Token::Text(text) if text == id)));
    asked.map(|id| format!("has the name \"{id}\" in its code: ask the rules for a fact instead")).collect()
}

/// All Rust files under `src`.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a readable folder") {
            let path = entry.expect("a readable entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a readable file");
                sources.push(Source::new(path.strip_prefix(&root).expect("under src"), &text));
            }
        }
    }
    assert!(sources.len() > 50, "only {} files were found", sources.len());
    sources
}

/// One file without its comments and tests.
struct Source {
    /// Below `src`.
    path: PathBuf,
    /// The folder directly below `src`; none for `lib.rs` and `main.rs`.
    room: Option<String>,
    /// How many `super::` lead from its module to the crate's root.
    depth: usize,
    tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// An identifier, a keyword or a number.
    Name(String),
    /// A literal text, with its escapes as written.
    Text(String),
    /// Anything else.
    Mark(char),
}

impl Source {
    fn new(path: impl AsRef<Path>, text: &str) -> Self {
        let path = path.as_ref().to_owned();
        let parts: Vec<&str> = path.iter().map(|part| part.to_str().expect("names are ASCII")).collect();
        let is_root = parts.len() == 1;
        let depth = match parts.last() {
            _ if is_root => 0,
            Some(&"mod.rs") => parts.len() - 1,
            _ => parts.len(),
        };
        let room = (!is_root).then(|| parts[0].to_owned());
        Self { path, room, depth, tokens: without_tests(tokens(text)) }
    }

    fn is_of_the_binary(&self) -> bool {
        self.room.as_deref() == Some(COMMAND_LINE) || self.path == Path::new("main.rs")
    }

    fn library_room(&self) -> Option<&str> {
        self.room.as_deref().filter(|room| *room != COMMAND_LINE)
    }

    fn names(&self, name: &str) -> bool {
        self.tokens.iter().any(|token| matches!(token, Token::Name(found) if found == name))
    }

    /// All paths from the crate's root, written with `crate::` or with `super::`s that lead there.
    fn crate_paths(&self) -> Vec<Vec<String>> {
        let mut paths = self.paths_from("crate");
        let convolution: Vec<Token> = (0..self.depth).flat_map(|_| named("super::")).collect();
        for start in 0..self.tokens.len() {
            let continued = start >= 2 && self.tokens[start - 2..start] == named("super::")[1..];
            if self.tokens[start..].starts_with(&convolution) && !convolution.is_empty() && !continued {
                paths.extend(path_tree(&mut self.tokens[start + convolution.len()..].iter()));
            }
        }
        paths
    }

    /// What follows `root::`, each branch of `{...}` for itself.
    fn paths_from(&self, root: &str) -> Vec<Vec<String>> {
        let root = named(&format!("{root}::"));
        let starts = (0..self.tokens.len()).filter(|start| self.tokens[*start..].starts_with(&root));
        starts.flat_map(|start| path_tree(&mut self.tokens[start + root.len()..].iter())).collect()
    }
}

/// The tokens of `name::`.
fn named(path: &str) -> Vec<Token> {
    tokens(path)
}

/// Reads `a::b`, `a::{b, c::d}` or `{...}` up to where the path ends.
fn path_tree<'a>(tokens: &mut (impl Iterator<Item = &'a Token> + Clone)) -> Vec<Vec<String>> {
    match tokens.next() {
        Some(Token::Name(name)) => {
            let mut ahead = tokens.clone();
            let goes_on = ahead.next() == Some(&Token::Mark(':')) && ahead.next() == Some(&Token::Mark(':'));
            let rest = if goes_on { path_tree(&mut ahead) } else { Vec::new() };
            if goes_on {
                *tokens = ahead;
            }
            let rest = if rest.is_empty() { vec![Vec::new()] } else { rest };
            rest.into_iter().map(|path| std::iter::once(name.clone()).chain(path).collect()).collect()
        }
        Some(Token::Mark('{')) => {
            let mut branches = Vec::new();
            loop {
                branches.extend(path_tree(tokens));
                // After a branch: its new name, a comma, or the end of the list.
                match tokens.find(|token| matches!(token, Token::Mark(',' | '}'))) {
                    Some(Token::Mark(',')) if tokens.clone().next() != Some(&Token::Mark('}')) => {}
                    _ => return branches,
                }
            }
        }
        _ => Vec::new(),
    }
}

/// Leaves out every item marked `#[cfg(test)]`.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    let mark = named("#[cfg(test)]");
    let mut kept = Vec::with_capacity(tokens.len());
    let mut place = 0;
    while place < tokens.len() {
        if tokens[place..].starts_with(&mark) {
            place += mark.len() + item_length(&tokens[place + mark.len()..]);
        } else {
            kept.push(tokens[place].clone());
            place += 1;
        }
    }
    kept
}

/// How many tokens an item has: up to its closing brace, or to a semicolon outside of any.
fn item_length(tokens: &[Token]) -> usize {
    let mut open = 0usize;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::Mark('{') => open += 1,
            Token::Mark('}') if open == 1 => return place + 1,
            Token::Mark('}') => open -= 1,
            Token::Mark(';') if open == 0 => return place + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// Splits Rust code; comments and white space are dropped.
fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let (token, length) = if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            (None, comment_length(rest))
        } else if let Some((text, length)) = literal(rest) {
            (text.map(Token::Text), length)
        } else if is_name(c) {
            let length = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
            (Some(Token::Name(rest[..length].to_owned())), length)
        } else {
            ((!c.is_whitespace()).then_some(Token::Mark(c)), c.len_utf8())
        };
        tokens.extend(token);
        rest = &rest[length..];
    }
    tokens
}

/// The length of the block comment that a text begins with; comments nest.
fn comment_length(text: &str) -> usize {
    let (mut open, mut place) = (0, 0);
    while place < text.len() {
        match text.as_bytes()[place..] {
            [b'/', b'*', ..] => (open, place) = (open + 1, place + 2),
            [b'*', b'/', ..] => (open, place) = (open - 1, place + 2),
            _ => place += 1,
        }
        if open == 0 {
            break;
        }
    }
    place
}

/// The text or character literal that a text begins with (of a character only the length).
fn literal(text: &str) -> Option<(Option<String>, usize)> {
    let prefix = text.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(text.len());
    let (raw, known) = (text[..prefix].ends_with('r'), ["", "b", "c", "r", "br", "cr"].contains(&&text[..prefix]));
    let body = &text[prefix..];
    if !known {
        return None;
    }
    if let Some(inside) = body.strip_prefix('\'') {
        // A character closes with a quote right after it; a lifetime does not.
        let escaped = inside.starts_with('\\');
        let before = inside.chars().take(if escaped { 2 } else { 1 }).map(char::len_utf8).sum();
        let gap = inside.get(before..)?.find('\'').filter(|gap| escaped || *gap == 0)?;
        return Some((None, prefix + 1 + before + gap + 1));
    }
    let hashes = if raw { body.len() - body.trim_start_matches('#').len() } else { 0 };
    let inside = body[hashes..].strip_prefix('"')?;
    let end = if raw {
        inside.find(&format!("\"{}", "#".repeat(hashes)))?
    } else {
        let mut escaped = false;
        let closes = |(_, c): &(usize, char)| {
            let closing = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            closing
        };
        inside.char_indices().find(closes)?.0
    };
    Some((Some(inside[..end].to_owned()), prefix + hashes + 1 + end + 1 + hashes))
}
