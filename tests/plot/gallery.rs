//! The gallery of pictures, `docs/gallery.md`: each picture must be what its command draws now.
//!
//! `HOG_GALLERY=write cargo test --release --locked --test program plot::gallery` draws all pictures and
//! writes the page.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::colours;
use super::svg::fault;

/// The pictures: the name of the file, the command without `hog plot`, and the caption.
const PICTURES: [(&str, &str, &str); 15] = [
    (
        "best",
        "plot best fa21",
        "How many dice to roll at each pair of scores. Zero dice are black, a dot marks ties, \
         large areas show their number of dice, and the bars of the legend show how often each \
         number is best.",
    ),
    (
        "best-memory",
        "plot best fa16 --memory dice_exchanged=1",
        "In a game with memories, a picture shows one value of each memory, chosen by `--memory \
         NAME=V`.",
    ),
    (
        "best-dark",
        "plot best fa20 --theme dark",
        "The same kind of picture with `--theme dark`, in which zero dice are white.",
    ),
    (
        "win",
        "plot win fa21",
        "The win rate of the player to move at each pair of scores, with a contour line at each \
         tenth.",
    ),
    (
        "hold",
        "plot hold pig",
        "When to hold in Pig, after Neller and Presser: the pot at which it is best to stop \
         rolling. In the upper left the opponent is about to win, so a player must roll until the \
         turn wins.",
    ),
    (
        "loss",
        "plot loss fa21 always_roll:6",
        "What a strategy loses at each pair of scores: on the left each time the position occurs, \
         on the right in total, which is what a better roll there would gain. The positions that \
         cost most are numbered.",
    ),
    (
        "visits",
        "plot visits fa21 optimal --against optimal",
        "Which positions occur: how often a player is to move at each pair of scores.",
    ),
    (
        "diff",
        "plot diff fa21 optimal always_roll:6",
        "Where two strategies roll different numbers of dice, and which.",
    ),
    (
        "points",
        "plot points fa21 20 36",
        "The distribution of the points of one turn, for each number of dice.",
    ),
    (
        "choices",
        "best fa21 20 36",
        "One position: the win rate of each number of dice, and the probabilities of the win rates \
         after the turn. Heights on the right are square roots, so that rare outcomes are visible.",
    ),
    (
        "length",
        "plot length fa21",
        "How many turns a game takes: best play, the baseline, and best play against the baseline.",
    ),
    ("goal", "vary fa21", "Key figures of the game as a function of its goal."),
    (
        "vary",
        "vary fa21 goal=20..100:10 max_dice=2..10",
        "The first player's win rate for all pairs of values of two numbers, as `hog vary` prints \
         them; a frame marks the fairest.",
    ),
    (
        "families",
        "tune fa21 bacon_strategy:0..20,0..10",
        "All strategies of a family, as `hog tune` rates them; a frame marks the best.",
    ),
    (
        "survey",
        "survey fa21 fa20 sp22 pig",
        "Several games side by side; without names, all built-in ones.",
    ),
];

const HEAD: &str = "[//]: # (Made by HOG_GALLERY=write cargo test --release --locked --test \
program plot::gallery; do not edit.)

# Pictures

This page is for people who want pictures for a course, a paper or a talk. It shows one of each \
kind.

`-o FILE.svg` (or `.png`) draws the answer of `best`, `tune`, `vary` and `survey`; `hog plot KIND \
RULES ... -o FILE.svg` draws
what needs a picture to be seen. `--theme dark` is for dark pages.
`--size` is `column` (460 pixels wide), `page` (760) or `slide` (1280 by 720); a PNG has 3, 2 or \
1.5 times as many pixels,
respectively. Text in an SVG stays text. Each picture names its game, the source of its numbers, \
and its command.
`hog plot KIND --help` lists the options of a kind.

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
            .args(command.split(' '))
            .arg("-o")
            .arg(&file)
            .stdout(std::process::Stdio::null())
            .status()
            .unwrap();
        assert!(status.success(), "hog {command}");
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
        "these commands draw other pictures than docs/gallery has; HOG_GALLERY=write updates it: \
         {differing:?}"
    );
}

#[test]
fn the_page_of_the_gallery_shows_every_picture() {
    let mut page = HEAD.to_owned();
    for (name, command, words) in PICTURES {
        page += &format!("\n## `hog {command}`\n\n{words}\n\n![{words}](gallery/{name}.svg)\n");
    }
    page += "\n## Colours\n\n";
    page += "The colours of one to ten dice become darker with each die, while the hue changes \
             from pale green through blue to dark red; they are those of the page. Neighbouring colours can also be distinguished by people who lack one kind of \
             cone. The table has \
             their distances (CIEDE2000; 2.3 is just noticeable) for full colour vision, and for \
             the colour deficiencies \
             as simulated by Machado, Oliveira and Fernandes (2009).\n\n";
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
