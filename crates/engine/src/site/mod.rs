//! The page as static files: the answers that Explore and Play need from a server, computed in
//! advance.

mod memories;
mod states;
mod turns;

use std::sync::Arc;

use serde::Serialize;

use crate::Engine;
use crate::engine::Error;
use crate::game::{Game, Space};
use crate::queries::{Best, GivenGame, RulesListAnswer, RulesShowAnswer};
use crate::rules::Rules;
use crate::sim::Grade;
use crate::strategy::Strategy;
use memories::SiteMemories;
use states::{MOST_SETS, state_files};
use turns::{TurnTables, Turns};

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// The path relative to the site's folder, with slashes.
    pub path: String,
    /// The contents.
    pub bytes: Vec<u8>,
}

/// The page as static files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Site {
    /// All files.
    pub files: Vec<SiteFile>,
    /// The games that can be explored.
    pub explored: Vec<String>,
    /// Those of the explored games that can also be played.
    pub played: Vec<String>,
    /// The games that were left out, each with the reason.
    pub left_out: Vec<(String, String)>,
}

/// The data of one game, apart from its states.
#[derive(Serialize)]
struct GameFile {
    show: RulesShowAnswer,
    /// The different sets of best numbers of dice.
    sets: Vec<Vec<i32>>,
    mine: SiteMemories,
    shared: SiteMemories,
    /// A description of the source of the numbers.
    numbers: String,
    play: Option<TurnTables>,
    /// Whether the files of states hold the baseline's rolls.
    baseline: bool,
    /// The upper limit of the loss of a roll with each grade, from `good` on.
    grades: Vec<(Grade, f64)>,
}

/// The attribute by which the document of a site differs from that of a server.
pub const SITE_MARK: &str = "data-site=\"static\"";

/// The most pairs of scores, states and files of a game on a site.
const MOST_CELLS: usize = 40_000;
const MOST_STATES: usize = 4 << 20;
const MOST_FILES: usize = 2_000;

/// Makes a site with these games. `page` has the name and contents of each of the page's own files.
/// Games that do not fit into static files are left out and listed.
///
/// # Errors
/// Returns an error if a game cannot be loaded or solved, or the work is stopped.
pub fn site(engine: &Engine, games: &[GivenGame], page: &[(&str, &[u8])]) -> Result<Site, Error> {
    let mut site =
        Site { files: Vec::new(), explored: Vec::new(), played: Vec::new(), left_out: Vec::new() };
    let mut listed: Vec<Rules> = Vec::new();
    for given in games {
        let game = engine.game(given)?;
        let id = game.rules().id.clone();
        if let Some(reason) =
            unusable_id(&id, &site.explored).map(str::to_owned).or_else(|| too_large(&game.space()))
        {
            site.left_out.push((id, reason));
            continue;
        }
        let Some(is_played) = add_game(engine, &game, &mut site.files)? else {
            let reason = format!("it has more than {MOST_SETS} sets of best numbers of dice");
            site.left_out.push((id, reason));
            continue;
        };
        if is_played {
            site.played.push(id.clone());
        }
        site.explored.push(id);
        listed.push(game.rules().clone());
    }
    let list = serde_json::to_vec(&RulesListAnswer::new(&listed)).unwrap_or_default();
    site.files.push(SiteFile { path: "data/games.json".into(), bytes: list });
    let home = site.explored.first().map_or("", String::as_str);
    site.files.extend(page.iter().map(|(name, bytes)| page_file(name, bytes, home)));
    Ok(site)
}

/// Returns the reason why a game is too large for a site, if it is.
fn too_large(space: &Space) -> Option<String> {
    let reason = |has: usize, what: &str, most: usize| {
        (has > most).then(|| format!("it has {has} {what}; a site holds at most {most}"))
    };
    reason(space.goal * space.goal, "pairs of scores", MOST_CELLS)
        .or_else(|| reason(space.states(), "states", MOST_STATES))
        .or_else(|| reason(space.per_cell(), "combinations of memories", MOST_FILES))
}

/// Adds the files of a game, and returns whether it can be played with them; `None` if it has too
/// many sets of best numbers of dice.
fn add_game(
    engine: &Engine,
    game: &Arc<Game>,
    files: &mut Vec<SiteFile>,
) -> Result<Option<bool>, Error> {
    let (rules, judge) = (game.rules(), engine.judge(game)?);
    let baseline =
        Strategy::baseline(rules).ok().map(|strategy| engine.plan(game, &strategy)).transpose()?;
    let turns = Turns::of(game);
    let Some(states) = state_files(game, &judge, baseline.as_deref(), turns.as_ref()) else {
        return Ok(None);
    };
    let played = turns.is_some();
    let file = GameFile {
        show: RulesShowAnswer::new(rules),
        sets: states.sets,
        mine: SiteMemories::of(game, true),
        shared: SiteMemories::of(game, false),
        numbers: engine.ask(&Best::at(game, 0, 0))?.numbers,
        play: turns.map(|turns| turns.tables),
        baseline: baseline.is_some(),
        grades: Grade::ALL
            .into_iter()
            .filter_map(|grade| Some((grade, grade.less_than()?)))
            .collect(),
    };
    let id = &rules.id;
    let bytes = serde_json::to_vec(&file).unwrap_or_default();
    files.push(SiteFile { path: format!("data/{id}.json"), bytes });
    let of_states = |(place, bytes)| SiteFile { path: format!("data/{id}.{place}.bin"), bytes };
    files.extend(states.files.into_iter().enumerate().map(of_states));
    Ok(Some(played))
}

/// Returns the reason why a game's id cannot be the name of its files, if it cannot.
fn unusable_id(id: &str, explored: &[String]) -> Option<&'static str> {
    let plain =
        id.len() <= 100 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    match () {
        () if !plain || id == "games" => {
            Some("its id is not a valid file name: use letters, digits, _ and -")
        }
        () if explored.iter().any(|other| other == id) => Some("another game has the same id"),
        () => None,
    }
}

/// Returns a file of the page. Its document gets relative addresses, and `home` as the game that it
/// shows first.
fn page_file(name: &str, bytes: &[u8], home: &str) -> SiteFile {
    if name != "index.html" {
        return SiteFile { path: format!("page/{name}"), bytes: bytes.to_vec() };
    }
    let html = String::from_utf8_lossy(bytes)
        .replace("\"/page/", "\"page/")
        .replace("\"/explore/", "\"#/explore/");
    let html = html.replace("<html ", &format!("<html {SITE_MARK} data-home=\"{home}\" "));
    SiteFile { path: "index.html".into(), bytes: html.into_bytes() }
}
