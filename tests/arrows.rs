//! Data flows down the list of rooms: no room of `src` names a later one, and each keeps to its own task.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The rooms, in the order in which data flows.
const ROOMS: [&str; 25] = [
    "files", "rules", "dice", "linear", "turn", "game", "kernel", "solve", "pairs", "partial", "bid", "check", "table",
    "strategy", "sim", "contest", "analysis", "survey", "view", "engine", "format", "plot", "site", "web", "cli",
];
/// The rooms of the solver.
const SOLVER: [&str; 5] = ["linear", "kernel", "solve", "pairs", "partial"];
/// The room of the binary, the only one that prints, exits and reads arguments.
const COMMAND_LINE: &str = "cli";
/// Functions that read the environment.
const ENVIRONMENT: [&str; 2] = ["var", "var_os"];
/// Types of globals that can change.
const CHANGING: [&str; 3] = ["Mutex", "RwLock", "Atomic"];
/// Crates and names that belong to the command line.
const COMMAND_LINE_NAMES: [&str; 9] =
    ["clap", "clap_complete", "anstream", "anyhow", "ctrlc", "indicatif", "stdout", "stderr", "stdin"];
/// Files that may name standard streams: those of the processes that they start, not the library's own.
const STARTING_PROCESSES: [&str; 3] =
    ["strategy/python/confine.rs", "strategy/python/interpreter.rs", "strategy/python/process.rs"];
/// The room of the command line's output, which may name commands.
const OUTPUT: &str = "format";
const PRINTING: [&str; 5] = ["println", "eprintln", "print", "eprint", "dbg"];

type Rule = fn(&Source) -> Vec<String>;
const RULES: [Rule; 8] = [
    upward,
    solver_in_the_checker,
    printing_or_exiting,
    command_line_names,
    process_state,
    bincode,
    game_names,
    commands_in_messages,
];

#[test]
fn every_source_file_keeps_the_rules() {
    let of_source = |source: &Source| -> Vec<String> {
        let faults = RULES.iter().flat_map(|rule| rule(source));
        faults.map(|fault| format!("src/{}: {fault}", source.path.display())).collect()
    };
    let faults: Vec<String> = sources().iter().flat_map(of_source).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_folder_of_the_source_is_in_the_list_of_rooms() {
    let rooms: BTreeSet<String> = sources().into_iter().filter_map(|source| source.room).collect();
    let unlisted: Vec<&String> = rooms.iter().filter(|room| !ROOMS.contains(&room.as_str())).collect();
    assert!(unlisted.is_empty(), "not in the list of rooms: {unlisted:?}");
    assert!(rooms.contains("rules") && rooms.contains(COMMAND_LINE), "only these rooms were found: {rooms:?}");
}

/// Each rule finds a planted fault, and none in sound code.
#[test]
fn every_rule_finds_planted_faults_and_none_in_sound_code() {
    let faulty: [(Rule, &str, &str); 22] = [
        (upward, "game/mod.rs", "use crate::solve::Watch;"),
        (upward, "game/mod.rs", "use super::table::Table;"),
        (upward, "game/a/b.rs", "fn f() { super::super::super::format::json() }"),
        (upward, "game/a.rs", "use crate::{dice::Die, rules::{Hook, Rules}, strategy::Strategy};"),
        (upward, "game/a.rs", "const C: char = '\"'; use crate::solve::Watch; // \""),
        (upward, "game/a.rs", "fn f() { assert!(matches!(x, crate::solve::Method::Rows)) }"),
        (solver_in_the_checker, "check/mod.rs", "use crate::solve::Watch;"),
        (solver_in_the_checker, "check/mod.rs", "use crate::solve;"),
        (solver_in_the_checker, "check/mod.rs", "use crate::pairs::rate;"),
        (solver_in_the_checker, "check/mod.rs", "use super::solve::equilibrium;"),
        (printing_or_exiting, "game/mod.rs", "fn f() { println!(\"a\") }"),
        (printing_or_exiting, "lib.rs", "fn f() { ::std::process::exit(1) }"),
        (printing_or_exiting, "game/mod.rs", "use std::process::{Command, exit};"),
        (command_line_names, "format/mod.rs", "fn f() { std::io::stdout(); }"),
        (process_state, "strategy/a.rs", "fn f() { std::env::var_os(\"HOG_PYTHON\"); }"),
        (process_state, "strategy/a.rs", "use std::env::{self, var};"),
        (process_state, "sim/a.rs", "static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());"),
        (process_state, "sim/a.rs", "fn f() { static NEXT: std::sync::atomic::AtomicUsize = AtomicUsize::new(0); }"),
        (bincode, "table/mod.rs", "use bincode::serde;"),
        (game_names, "solve/mod.rs", "fn f(id: &str) -> bool { id == \"fa21\" }"),
        (commands_in_messages, "bid/mod.rs", "#[error(\"no bids; `hog rules show {game}`\")] struct E;"),
        (
            commands_in_messages,
            "web/guard.rs",
            "const C: &str = \"the host must be known; hog serve --name adds one\";",
        ),
    ];
    for (rule, path, text) in faulty {
        assert!(!rule(&Source::new(path, text)).is_empty(), "no fault found in {path}: {text}");
    }
    let sound: [(Rule, &str, &str); 17] = [
        (upward, "game/a.rs", "//! [`crate::solve`]\nuse crate::{dice::Die, rules}; use super::b;"),
        (upward, "game/a.rs", "#[cfg(test)]\nmod tests { use crate::solve::Watch; }"),
        (upward, "game/a.rs", "const C: &str = \"crate::solve\"; /* crate::solve /* */ crate::table */"),
        (upward, "game/a/b.rs", "use super::super::format;"),
        (solver_in_the_checker, "check/mod.rs", "//! use hog::solve::Watch;\nuse crate::game::Game;"),
        (printing_or_exiting, "game/a.rs", "/// println!(\"a\")\nfn print() -> &'static str { r#\"dbg!\"#; print() }"),
        (printing_or_exiting, "cli/mod.rs", "fn f() { std::process::exit(1) }"),
        (command_line_names, "cli/mod.rs", "use clap::Args;"),
        (process_state, "cli/a.rs", "static WRITING: Mutex<()> = Mutex::new(()); fn f() { std::env::var(\"A\"); }"),
        (process_state, "sim/a.rs", "static FACES: [u8; 2] = [1, 2]; struct A { b: &'static Mutex<()> }"),
        (process_state, "sim/a.rs", "const A: &str = env!(\"CARGO_PKG_VERSION\"); fn f() { std::env::temp_dir(); }"),
        (bincode, "table/codec.rs", "use bincode::serde;"),
        (game_names, "solve/mod.rs", "//! hog::rules::load(\"fa21\")\nconst HELP: &str = \"hog best fa21\";"),
        (game_names, "solve/tests.rs", "const ID: &str = \"fa21\";"),
        (game_names, "solve/mod.rs", "#[cfg(test)] mod tests { const ID: &str = \"fa21\"; }"),
        (
            commands_in_messages,
            "bid/mod.rs",
            "/// As `hog bid --goal 20` prints it.\nconst C: &str = \"hog transcript 1\";",
        ),
        (commands_in_messages, "format/text/rules.rs", "const C: &str = \"`hog rules check` runs them\";"),
    ];
    for (rule, path, text) in sound {
        assert_eq!(rule(&Source::new(path, text)), [""; 0], "{path}: {text}");
    }
}

fn upward(source: &Source) -> Vec<String> {
    let place = |room: &str| ROOMS.iter().position(|known| *known == room);
    let own = source.room.as_deref().filter(|room| *room != COMMAND_LINE).and_then(place).unwrap_or(ROOMS.len());
    let below = source.crate_paths().filter(|path| path.first().and_then(|room| place(room)) > Some(own));
    below.map(|path| format!("names {}, which is later in the list", path.join("::"))).collect()
}

fn solver_in_the_checker(source: &Source) -> Vec<String> {
    let code = |path: &&[String]| SOLVER.contains(&path[0].as_str());
    let named = source.crate_paths().filter(|path| !path.is_empty() && source.room.as_deref() == Some("check"));
    named.filter(code).map(|path| format!("names {}, which is code of the solver", path.join("::"))).collect()
}

fn printing_or_exiting(source: &Source) -> Vec<String> {
    let exits = source.paths.iter().filter(|path| path.starts_with(&["process".to_owned(), "exit".to_owned()]));
    let printing = source.macros.iter().filter(|name| PRINTING.contains(&name.as_str()));
    let all = printing.map(|name| format!("prints: {name}!")).chain(exits.map(|_| "exits: process::exit".to_owned()));
    all.filter(|_| !source.is_of_the_binary()).collect()
}

fn command_line_names(source: &Source) -> Vec<String> {
    let excused = source.is_of_the_binary() || STARTING_PROCESSES.iter().any(|path| source.path == Path::new(path));
    let names = COMMAND_LINE_NAMES.iter().filter(|name| !excused && source.names(name));
    names.map(|name| format!("names {name}, which belongs to src/{COMMAND_LINE}")).collect()
}

/// The library has no state of the process: it neither reads the environment nor has globals that change.
fn process_state(source: &Source) -> Vec<String> {
    let reads = |path: &&Vec<String>| path[0] == "env" && path.get(1).is_some_and(|f| ENVIRONMENT.contains(&&**f));
    let reads = source.paths.iter().filter(reads).map(|path| format!("reads the environment: {}", path.join("::")));
    let changes = |words: &&Vec<String>| words.iter().any(|word| CHANGING.iter().any(|start| word.starts_with(start)));
    let globals = source.globals.iter().filter(changes).map(|words| format!("has a global that changes: {}", words[0]));
    reads.chain(globals).filter(|_| !source.is_of_the_binary()).collect()
}

fn bincode(source: &Source) -> Vec<String> {
    let named = source.names("bincode") && source.path != Path::new("table/codec.rs");
    named.then(|| "names bincode, which belongs to src/table/codec.rs".to_owned()).into_iter().collect()
}

fn game_names(source: &Source) -> Vec<String> {
    let found = hog::rules::builtins().iter().filter(|game| source.texts.contains(&format!("{:?}", game.id)));
    found.map(|game| format!("has the name {:?} in its code: ask the rules for a fact instead", game.id)).collect()
}

fn commands_in_messages(source: &Source) -> Vec<String> {
    let excused = source.is_of_the_binary() || source.room.as_deref() == Some(OUTPUT);
    let found = source.texts.iter().filter(|text| !excused && (text.contains("`hog ") || text.contains(" --")));
    found.map(|text| format!("names a command or an option: {text}")).collect()
}

/// Returns all Rust files under `src`.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut sources, mut folders) = (Vec::new(), vec![root.clone()]);
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

/// The names that one file uses, outside of its comments and tests; empty for a room's `tests.rs`.
struct Source {
    /// The path below `src`.
    path: PathBuf,
    /// The folder directly below `src`; `None` for `lib.rs` and `main.rs`.
    room: Option<String>,
    /// The number of `super::`s that lead from its module to the crate's root.
    depth: usize,
    /// Every path, and its remainder from each name on; each branch of `{...}` is a path of its own.
    paths: Vec<Vec<String>>,
    /// The names of macros that are called.
    macros: Vec<String>,
    /// The literals outside of documentation, as they are written.
    texts: Vec<String>,
    /// The name of each `static` item, and the names in its type.
    globals: Vec<Vec<String>>,
}

impl Source {
    fn new(path: impl AsRef<Path>, text: &str) -> Self {
        let path = path.as_ref().to_owned();
        let folders: Vec<_> = path.parent().into_iter().flatten().map(|name| name.to_string_lossy().into()).collect();
        let own_module = usize::from(!folders.is_empty() && !path.ends_with("mod.rs"));
        let (room, depth) = (folders.first().cloned(), folders.len() + own_module);
        let (paths, macros, texts, globals) = Default::default();
        let mut source = Self { path, room, depth, paths, macros, texts, globals };
        if !source.path.ends_with("tests.rs") {
            source.read(text.parse().expect("sound Rust"));
        }
        source
    }

    fn read(&mut self, tokens: TokenStream) {
        let trees = without_tests(tokens.into_iter().collect());
        for (place, tree) in trees.iter().enumerate() {
            let continued = place >= 2 && begins(&trees[place - 2..place], "::");
            match tree {
                TokenTree::Ident(name) if name == "super" && continued => {}
                TokenTree::Ident(name) => {
                    self.globals.extend((name == "static").then(|| global(&trees[place + 1..])).flatten());
                    self.paths.extend(path_tree(&trees[place..]));
                    self.macros.extend(begins(&trees[place + 1..], "!").then(|| name.to_string()));
                }
                TokenTree::Literal(text) => self.texts.push(text.to_string()),
                TokenTree::Group(group) if is_doc(group) => {}
                TokenTree::Group(group) => self.read(group.stream()),
                TokenTree::Punct(_) => {}
            }
        }
    }

    fn is_of_the_binary(&self) -> bool {
        self.room.as_deref() == Some(COMMAND_LINE) || self.path == Path::new("main.rs")
    }

    fn names(&self, name: &str) -> bool {
        self.paths.iter().any(|path| path[0] == name)
    }

    /// Returns all paths from the crate's root, written with `crate::` or with the `super::`s that lead there.
    fn crate_paths(&self) -> impl Iterator<Item = &[String]> {
        let up = vec!["super".to_owned(); self.depth];
        self.paths.iter().filter_map(move |path| match path.strip_prefix(&["crate".to_owned()]) {
            None if up.is_empty() => None,
            None => path.strip_prefix(&up[..]),
            rest => rest,
        })
    }
}

/// Returns whether a group is `[doc = "..."]`, which is how a comment of documentation is parsed.
fn is_doc(group: &Group) -> bool {
    group.delimiter() == Delimiter::Bracket
        && matches!(group.stream().into_iter().next(), Some(TokenTree::Ident(name)) if name == "doc")
}

/// Returns whether a list of tokens begins with these punctuation marks.
fn begins(trees: &[TokenTree], marks: &str) -> bool {
    let is = |(tree, c): (&TokenTree, char)| matches!(tree, TokenTree::Punct(found) if found.as_char() == c);
    trees.len() >= marks.len() && trees.iter().zip(marks.chars()).all(is)
}

/// Reads `a::b`, `a::{b, c::d}` or `{...}` up to the end of the path.
fn path_tree(trees: &[TokenTree]) -> Vec<Vec<String>> {
    match trees {
        [TokenTree::Ident(name), rest @ ..] => {
            let ends = if begins(rest, "::") { path_tree(&rest[2..]) } else { Vec::new() };
            let ends = if ends.is_empty() { vec![Vec::new()] } else { ends };
            ends.into_iter().map(|end| [vec![name.to_string()], end].concat()).collect()
        }
        [TokenTree::Group(group), ..] if group.delimiter() == Delimiter::Brace => {
            let inside: Vec<TokenTree> = group.stream().into_iter().collect();
            inside.split(|tree| begins(std::slice::from_ref(tree), ",")).flat_map(path_tree).collect()
        }
        _ => Vec::new(),
    }
}

/// Reads the names in `NAME: TYPE = ...`; `None` for the lifetime `'static`, which no name and colon follow.
fn global(trees: &[TokenTree]) -> Option<Vec<String>> {
    let [TokenTree::Ident(_), colon, ..] = trees else { return None };
    let head = trees.iter().take_while(|tree| !begins(std::slice::from_ref(*tree), "="));
    let names = head.filter_map(|tree| if let TokenTree::Ident(name) = tree { Some(name.to_string()) } else { None });
    begins(std::slice::from_ref(colon), ":").then(|| names.collect())
}

/// Removes every item marked `#[cfg(test)]`.
fn without_tests(mut trees: Vec<TokenTree>) -> Vec<TokenTree> {
    let is_mark = |tree: &TokenTree| tree.to_string().split_whitespace().collect::<String>() == "[cfg(test)]";
    let closes = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        other => begins(std::slice::from_ref(other), ";"),
    };
    while let Some(mark) = trees.iter().position(|tree| matches!(tree, TokenTree::Group(_)) && is_mark(tree)) {
        let length = trees[mark..].iter().position(closes).map_or(trees.len() - mark, |last| last + 1);
        trees.drain(mark - 1..mark + length);
    }
    trees
}
