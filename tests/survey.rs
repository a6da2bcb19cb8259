//! The survey: `docs/survey.md` agrees with what the library computes, for every game that is
//! solved quickly.

use hog::plot::{self, Caption, Look};
use hog::queries::{Survey, SurveyRow};
use hog::rules::builtins;

const PAGE: &str = include_str!("../docs/survey.md");

fn row(id: &str) -> SurveyRow {
    let engine = hog::Engine::builder().build();
    let game = engine.game(id).unwrap();
    engine.call().figures(&game).unwrap()
}

/// Returns the cells of a game's row on the page.
fn on_the_page(id: &str) -> Vec<&'static str> {
    let head = format!("| `{id}` |");
    let line = PAGE.lines().find(|line| line.starts_with(&head)).unwrap_or_else(|| {
        panic!("docs/survey.md lacks {id}; write it by: hog survey --force -o docs/survey.md")
    });
    line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
}

#[test]
fn the_page_of_the_survey_has_every_game_and_begins_with_its_command() {
    assert!(PAGE.starts_with("[//]: # (Made by hog survey"));
    let ids = builtins().iter().map(|game| game.id);
    ids.for_each(|id| assert_eq!(on_the_page(id).len(), 10, "{id}"));
}

#[test]
fn the_page_of_the_survey_has_the_figures_of_the_library() {
    // The games that take longest, by their states, tabulation or cycles, are not compared.
    let slow = [
        ["fa19", "sp20", "su20", "su15c", "su18c", "fa18c", "sp19c", "su19c", "sp16c"].as_slice(),
        &[
            "neller_hog",
            "big_pig",
            "boyan_moore_pig",
            "double_trouble",
            "great_rolled_ones",
            "pass_the_pigs",
            "pig",
            "two_dice_pig",
            "two_dice_pig_mild",
        ],
    ]
    .concat();
    for id in builtins().iter().map(|game| game.id).filter(|id| !slow.contains(id)) {
        let (page, now) = (on_the_page(id), row(id).columns());
        // Ties on the page are from exact arithmetic where that is quick, and times from another
        // day.
        for column in [0, 1, 2, 3, 4, 5, 7, 8] {
            assert_eq!(page[column], now[column], "{id}, column {column}");
        }
    }
}

#[test]
fn the_page_of_the_survey_has_the_bids_of_the_library() {
    for (id, bids) in [("fa14", 11), ("sp15c", 7)] {
        let head = format!("| bid in `{id}` | share |\n|---|---|\n");
        let rest = PAGE
            .split_once(&head)
            .unwrap_or_else(|| panic!("docs/survey.md lacks the bids of {id}"))
            .1;
        let shares: Vec<String> =
            row(id).bids.iter().map(|bid| format!("| {} | {:.10} |", bid.bid, bid.share)).collect();
        assert_eq!(shares.len(), bids, "{id}");
        assert!(rest.starts_with(&shares.join("\n")), "{id}: {shares:?}");
    }
}

/// The page of times is measured by `scripts/times.py`; its values are those of the survey.
#[test]
fn the_page_of_times_has_every_game_with_the_value_of_the_survey() {
    let page = include_str!("../docs/times.md");
    let files = std::fs::read_dir("docs/games").unwrap().map(|file| file.unwrap().path());
    for id in builtins().iter().map(|game| game.id) {
        let row = format!("| `{id}` | {} |", on_the_page(id)[1]);
        assert!(page.contains(&row), "docs/times.md lacks {row}: write it by scripts/times.py");
    }
    for file in files {
        let id = file.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        if text.contains("[[dice]]") {
            // Surveys and times of games in which dice are kept are not made yet.
            continue;
        }
        let row = format!("| [`{id}`](games/{id}.toml) | ");
        assert!(page.contains(&row), "docs/times.md lacks {row}: write it by scripts/times.py");
    }
}

/// The list of semesters is written by hand, and ends the page.
#[test]
fn the_semesters_of_the_survey_name_games_that_exist() {
    let semesters = include_str!("../crates/engine/src/queries/semesters.md");
    assert!(
        PAGE.ends_with(semesters),
        "docs/survey.md is older than crates/engine/src/queries/semesters.md"
    );
    let rows = semesters.lines().filter(|line| line.starts_with("| "));
    let named: Vec<&str> = rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect();
    assert!(named.len() > 8, "{named:?}");
    for id in named.into_iter().filter(|name| !name.contains(' ')) {
        assert!(builtins().iter().any(|game| game.id == id), "{id} is the id of no game");
    }
}

#[test]
fn the_picture_of_a_survey_shows_each_of_its_games() {
    let view = hog::ask(&Survey::of(["fa21", "piglet"])).unwrap();
    let svg = plot::survey(Look::default(), &Caption::default(), &view).svg();
    for id in ["fa21", "piglet"] {
        assert!(svg.contains(&format!(">{id}</text>")), "no row of {id}");
    }
    // Each game has a bar and a stack of the numbers of dice, and rates against its baseline if it
    // has one.
    assert_eq!(svg.matches("the first player wins").count(), 2);
    assert_eq!(
        svg.matches("against the baseline</title>").count(),
        2 * usize::from(view.games[1].baseline.is_some()) + 2
    );
}
