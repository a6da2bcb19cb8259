//! The gallery: every picture in it is what its command draws.
//!
//! `HOG_GALLERY=write cargo test --release --locked --test plot gallery` draws all pictures again and writes the page.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::colours;
use crate::svg::fault;

/// A picture: its file, the command without `hog plot`, and the caption.
const PICTURES: [(&str, &str, &str); 13] = [
    (
        "best",
        "best fa21",
        "How many dice to roll, over both scores. Zero dice are in ink, ties have a dot, large patches their number, and the \
         bars of the legend say how often each number is best.",
    ),
    (
        "best-memory",
        "best fa16 --memory dice_exchanged=1",
        "A game that remembers something is drawn for one value of each memory; `--memory NAME=V` chooses it.",
    ),
    (
        "best-dark",
        "best fa20 --theme dark",
        "The same on dark paper: `--theme dark`. Zero dice are in ink again, which is white now.",
    ),
    ("win", "win fa21", "What a position is worth to the player to move, with a line at each tenth."),
    (
        "hold",
        "hold pig",
        "Where a turn of Pig is held, after Neller and Presser: the pot at which rolling no more is best. In the upper left \
         the opponent is about to win, and only a turn that wins will do.",
    ),
    (
        "loss",
        "loss fa21 always_roll:6",
        "What a strategy gives away: on the left each time a position is met, on the right in all, which is what a better \
         roll there would bring. The positions that cost most have numbers.",
    ),
    (
        "visits",
        "visits fa21 optimal --against optimal",
        "Where games go: how often a player is to move at each pair of scores.",
    ),
    ("diff", "diff fa21 optimal always_roll:6", "Where two strategies roll differently, and how."),
    ("points", "points fa21 20 36", "The points of one turn, for every number of dice."),
    (
        "choices",
        "choices fa21 20 36",
        "One position: what each number of dice is worth, and how likely each win rate follows. Heights on the right are \
         square roots, so that what is rare can be seen.",
    ),
    ("length", "length fa21", "How many turns a game takes: best play, the baseline, and one against the other."),
    ("goal", "goal fa21", "Figures of the game against its goal."),
    (
        "families",
        "families fa21 bacon_strategy:0..20,0..10",
        "All strategies of a family, as `hog tune` rates them; the best has a frame.",
    ),
];

const HEAD: &str = "[//]: # (Made by HOG_GALLERY=write cargo test --release --locked --test plot gallery; do not edit.)

# Pictures

`hog plot KIND RULES ... -o FILE.svg` (or `.png`) draws what the other commands print. `--theme dark` is for dark pages,
`--size column`, `page` or `slide` for where a picture is shown: 460 pixels wide, 760, or 1280 by 720; a PNG has three, two
and one and a half pixels for each of these. Text in an SVG stays text. Each picture names its game, where its numbers come
from, and its command. `hog plot KIND --help` lists what a kind takes.

```console
$ hog plot best fa21 -o best.svg
best.svg: How many dice to roll in fa21
```
";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/gallery")
}

fn writes() -> bool {
    std::env::var("HOG_GALLERY").as_deref() == Ok("write")
}

#[test]
fn the_gallery_shows_what_the_commands_draw() {
    let drawn = tempfile::tempdir().unwrap();
    let mut differing = Vec::new();
    for (name, command, _) in PICTURES {
        let file = drawn.path().join(name).with_extension("svg");
        let status = Command::new(env!("CARGO_BIN_EXE_hog"))
            .arg("plot")
            .args(command.split(' '))
            .arg("-o")
            .arg(&file)
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "hog plot {command}");
        let svg = std::fs::read_to_string(&file).unwrap();
        assert_eq!(fault(&svg), None, "{command}");
        let shown = folder().join(name).with_extension("svg");
        if writes() {
            std::fs::create_dir_all(folder()).unwrap();
            std::fs::write(&shown, &svg).unwrap();
        }
        if std::fs::read_to_string(&shown).unwrap_or_default() != svg {
            differing.push(command);
        }
    }
    assert!(
        differing.is_empty(),
        "these commands draw other pictures than docs/gallery has; HOG_GALLERY=write updates it: {differing:?}"
    );
}

#[test]
fn the_page_of_the_gallery_shows_every_picture() {
    let mut page = HEAD.to_owned();
    for (name, command, words) in PICTURES {
        page += &format!("\n## `hog plot {command}`\n\n{words}\n\n![{words}](gallery/{name}.svg)\n");
    }
    page += "\n## Colours\n\n";
    page += "One to ten dice grow darker in even steps while the hue turns from yellow over green and blue to red. Neighbours \
             stay apart for eyes that miss one kind of cone: the table has their distances (CIEDE2000; 2.3 is just noticeable) \
             as they are, and as Machado, Oliveira and Fernandes (2009) simulate them.\n\n";
    page += &colours::table();
    let path = folder().with_extension("md");
    if writes() {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(path).unwrap_or_default() == page,
        "docs/gallery.md is out of date; HOG_GALLERY=write updates it"
    );
}
