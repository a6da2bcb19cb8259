//! The page as plain files: what Explore and Play would ask of a server, written down beforehand.

use std::sync::Arc;

use serde::Serialize;

use super::assets;
use super::turns::TurnTables;
use crate::Engine;
use crate::engine::{EngineError, GameQuery, MapLayers, Query};
use crate::game::Game;
use crate::rules::Rules;
use crate::sim::Grade;
use crate::strategy::Strategy;
use crate::view::{MapView, RulesListView, RulesView};

/// A file of the site: its path below the site's folder, and its bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Below the site's folder, with slashes.
    pub path: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// The page as plain files.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Site {
    /// All files.
    pub files: Vec<SiteFile>,
    /// The games that can be explored.
    pub explored: Vec<String>,
    /// Those of them that can be played too.
    pub played: Vec<String>,
    /// Games that were left out, each with the reason.
    pub left_out: Vec<(String, String)>,
}

/// What there is to know of one game.
#[derive(Serialize)]
struct GameFile<'a> {
    show: RulesView,
    map: MapView,
    play: Option<TurnTables>,
    /// Strategies by name: the number of dice at each pair of scores.
    strategies: Vec<(&'a str, Vec<i32>)>,
    /// The most that a roll of each grade loses, from `good` on.
    grades: Vec<(Grade, f64)>,
}

/// What the document of a site has and no other.
pub const SITE_MARK: &str = "data-site=\"static\"";

/// The most pairs of scores of a game that a site holds.
const MOST_CELLS: usize = 40_000;

/// The page with these games; what cannot be told by plain files is left out, and named.
///
/// # Errors
/// If a game cannot be had or solved, or the work is stopped.
pub fn site(engine: &Engine, games: &[GameQuery]) -> Result<Site, EngineError> {
    let mut site = Site { files: Vec::new(), explored: Vec::new(), played: Vec::new(), left_out: Vec::new() };
    let mut listed: Vec<Rules> = Vec::new();
    for query in games {
        let game = engine.game(query)?;
        let (id, space) = (game.rules().id.clone(), game.space());
        if let Some(reason) = no_file_name(&id, &site.explored) {
            site.left_out.push((id, reason.to_owned()));
            continue;
        }
        if space.per_cell() > 1 || space.states() > MOST_CELLS {
            let reason = if space.per_cell() > 1 { "it remembers more than the scores" } else { "it is too large" };
            site.left_out.push((id, reason.to_owned()));
            continue;
        }
        let file = game_file(engine, &game)?;
        if file.play.is_some() {
            site.played.push(id.clone());
        }
        let bytes = serde_json::to_vec(&file).unwrap_or_default();
        site.files.push(SiteFile { path: format!("data/{id}.json"), bytes });
        site.files.push(SiteFile { path: format!("data/{id}.bin"), bytes: choices(engine, &game)? });
        site.explored.push(id);
        listed.push(game.rules().clone());
    }
    let list = serde_json::to_vec(&RulesListView::new(&listed)).unwrap_or_default();
    site.files.push(SiteFile { path: "data/games.json".into(), bytes: list });
    site.files.extend(page(site.explored.first().map_or("", String::as_str)));
    Ok(site)
}

/// Why a game's id cannot be the name of its files, if it cannot.
fn no_file_name(id: &str, explored: &[String]) -> Option<&'static str> {
    let plain = id.len() <= 100 && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    match () {
        () if !plain || id == "games" => Some("its id is no plain name of a file: use letters, digits, _ and -"),
        () if explored.iter().any(|other| other == id) => Some("another game has the same id"),
        () => None,
    }
}

/// The page's own files, its document with addresses that hold in any folder, and the game that it shows first.
fn page(home: &str) -> Vec<SiteFile> {
    let file = |(name, bytes): &(&str, &[u8])| match *name {
        "index.html" => {
            let html =
                String::from_utf8_lossy(bytes).replace("\"/page/", "\"page/").replace("\"/explore/", "\"#/explore/");
            let html = html.replace("<html ", &format!("<html {SITE_MARK} data-home=\"{home}\" "));
            SiteFile { path: "index.html".into(), bytes: html.into_bytes() }
        }
        name => SiteFile { path: format!("page/{name}"), bytes: bytes.to_vec() },
    };
    assets::files().iter().map(file).collect()
}

fn game_file<'a>(engine: &Engine, game: &Arc<Game>) -> Result<GameFile<'a>, EngineError> {
    let rules = game.rules();
    let mut strategies = Vec::new();
    if let Ok(baseline) = Strategy::baseline(rules).map(|strategy| engine.plan(game, &strategy)) {
        let plan = baseline?;
        let dice = (0..game.space().states()).map(|state| game.space().dice(plan.action(state))).collect();
        strategies.push(("baseline", dice));
    }
    let grades = Grade::ALL.into_iter().filter_map(|grade| Some((grade, grade.less_than()?))).collect();
    Ok(GameFile {
        show: RulesView::new(rules),
        map: engine.map(game, &Query::scores(0, 0), &MapLayers::default())?,
        play: TurnTables::of(game),
        strategies,
        grades,
    })
}

/// What each number of dice is worth at each pair of scores: win rates times 65,535, rounded, two bytes each, the low one
/// first.
fn choices(engine: &Engine, game: &Arc<Game>) -> Result<Vec<u8>, EngineError> {
    let judge = engine.judge(game)?;
    let mut bytes = Vec::with_capacity(game.space().states() * game.space().actions * 2);
    for state in 0..game.space().states() {
        for hint in judge.hints(&game.position(state)) {
            let share = (hint.win_rate * f64::from(u16::MAX)).round() as u16;
            bytes.extend(share.to_le_bytes());
        }
    }
    Ok(bytes)
}
