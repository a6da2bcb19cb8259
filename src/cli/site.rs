//! `hog site`: writes the page as plain files.

use std::path::{Path, PathBuf};

use crate::files;
use crate::queries::GivenGame;
use crate::site::{SITE_MARK, site};
use crate::web;
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::json;

use super::Format;
use super::console::{Console, Status, cannot_write};
use super::output::is_standard_output;

/// Write the page as plain files, for any web server: Explore and Play for some games
#[derive(Args, Debug)]
#[command(
    after_help = "The parts that need a solver (rules, coach, contest) are left out, and the page says so. A game \
with memories takes many files, which the page loads when it needs them. An existing site is \
replaced; other files in its folder stay.

Examples:
  hog site -o public fa21                  one semester's game, for a course's website
  hog site -o public                       all games whose tables come with hog
  hog site -o public fa21 my_game.toml     also a game of your own
  python3 -m http.server -d public         look at it in a browser"
)]
pub(super) struct SiteCommand {
    /// Built-in games or rule files (default: all games whose tables come with hog)
    rules: Vec<String>,
    /// The folder to write to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
}

impl SiteCommand {
    pub fn run(&self, console: &Console) -> anyhow::Result<Status> {
        if is_standard_output(&self.output) {
            bail!("a site is a folder of files, and -o - is standard output: name a folder");
        }
        if !console.is_forced() && !is_free(&self.output) {
            bail!(
                "{} holds files, but not a site that hog wrote: name another folder, or write into it with --force",
                self.output.display()
            );
        }
        // The target of a link does not belong to the site, even with --force.
        refuse_links(["page", "data"].map(|name| self.output.join(name)))?;
        let shipped = || crate::table::shipped_games().into_iter().map(str::to_owned).collect();
        let names: Vec<String> = if self.rules.is_empty() { shipped() } else { self.rules.clone() };
        let games: Vec<GivenGame> = names.iter().map(|name| console.given(name)).collect();
        let site = site(&console.engine, &games, web::page_files())?;
        refuse_links(site.files.iter().map(|file| self.output.join(&file.path)))?;
        for folder in ["page", "data"] {
            let folder = self.output.join(folder);
            std::fs::create_dir_all(&folder).with_context(|| cannot_write(&folder))?;
        }
        for file in &site.files {
            console.write_inside(&self.output.join(&file.path), &file.bytes)?;
        }
        console.print(|out| match console.format {
            Format::Json => {
                let left_out: Vec<_> =
                    site.left_out.iter().map(|(game, reason)| json!({ "rules": game, "reason": reason })).collect();
                let files = site.files.len();
                let summary = json!({ "output": self.output, "files": files, "explore": site.explored, "play": site.played,
                    "left_out": left_out });
                writeln!(out, "{summary}")
            }
            Format::Text => {
                writeln!(out, "{}: {} files", self.output.display(), site.files.len())?;
                writeln!(out, "explore   {}", site.explored.join(" "))?;
                writeln!(out, "play      {}", site.played.join(" "))?;
                site.left_out.iter().try_for_each(|(game, reason)| writeln!(out, "left out  {game}: {reason}"))
            }
        })?;
        Ok(Status::of(!site.explored.is_empty()))
    }
}

fn refuse_links(paths: impl IntoIterator<Item = PathBuf>) -> anyhow::Result<()> {
    match paths.into_iter().find(|path| path.is_symlink()) {
        Some(link) => bail!("{} is a link: remove it, or name another folder", link.display()),
        None => Ok(()),
    }
}

/// The largest page accepted as a site's, in bytes.
const LARGEST_PAGE: u64 = 1 << 20;

/// Returns whether a folder is missing, empty, or a site that hog wrote.
fn is_free(folder: &Path) -> bool {
    let empty =
        std::fs::read_dir(folder).map_or(!folder.exists(), |mut entries| entries.next().is_none());
    empty
        || files::read_text(&folder.join("index.html"), LARGEST_PAGE)
            .is_ok_and(|html| html.contains(SITE_MARK))
}
