//! `hog site`: the page as plain files.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use hog::engine::GameQuery;
use hog::files;
use hog::web::{SITE_MARK, site};
use serde_json::json;

use super::Format;
use super::console::{Console, Status, cannot_write};

/// The page as plain files, for any web server: Explore and Play of some games
#[derive(Args, Debug)]
#[command(
    after_help = "What needs a solver (rules, coach, contest) is left out, and the page says so. Games with memories are told
in many files, which the page loads when it needs them. A site that is there already is replaced, other files in its folder are left alone.

Examples:
  hog site -o public fa21                  the game of a semester, for a course's page
  hog site -o public                       all games whose tables come with hog
  hog site -o public fa21 my_game.toml
  python3 -m http.server -d public         to look at it"
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
        if !console.is_forced() && !is_free(&self.output) {
            bail!(
                "{} holds something else than a site of hog's: name another folder, or write into it with --force",
                self.output.display()
            );
        }
        // What they lead to is not the site's, whatever is forced.
        refuse_links(["page", "data"].map(|name| self.output.join(name)))?;
        let shipped = || console.engine.shipped_games().into_iter().map(str::to_owned).collect();
        let names: Vec<String> = if self.rules.is_empty() { shipped() } else { self.rules.clone() };
        let games: Vec<GameQuery> = names.iter().map(|name| console.query(name)).collect();
        let site = site(&console.engine, &games)?;
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
                let told = json!({ "output": self.output, "files": files, "explore": site.explored, "play": site.played,
                    "left_out": left_out });
                writeln!(out, "{told}")
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

/// The largest document of a site, in bytes.
const LARGEST_PAGE: u64 = 1 << 20;

/// Whether a folder is not there, empty, or a site that hog wrote.
fn is_free(folder: &Path) -> bool {
    let empty = std::fs::read_dir(folder).map_or(!folder.exists(), |mut entries| entries.next().is_none());
    empty || files::read_text(&folder.join("index.html"), LARGEST_PAGE).is_ok_and(|html| html.contains(SITE_MARK))
}
