//! Games in which dice are kept: analyses agree with each other and with games that are played.

use std::sync::Arc;

use hog_engine::Engine;
use hog_engine::queries::{
    Best, Describe, GivenGame, Play, PlayEnd, Rate, Simplify, Simulate, Try, Tune, Why,
};
use hog_rules::rules::{Overrides, load, rules_from_text};
use hog_solve::game::{Game, TurnError};
use hog_solve::solve::{Arithmetic, Watch, equilibrium};
use hog_study::analysis::compare;
use hog_study::sim::session::{PlayerRequest, Seat, Session, Transcript};

fn kcd(goal: u32) -> GivenGame {
    GivenGame::named("kcd").goal(goal)
}

fn engine() -> Engine {
    Engine::builder().build()
}

/// The losses at all positions add up to what the strategy loses, also by the dice that it keeps.
#[test]
fn losses_by_dice_and_by_rolls_add_up() {
    let question = Try::of(kcd(500), "bank_at:100,300").against("most_points").top(20);
    let answer = engine().ask(&question).unwrap();
    let whole = answer.best_response.average - answer.win_rate.average;
    assert!((answer.loss.average - whole).abs() < 1e-10, "{} {whole}", answer.loss.average);
    let of_kinds: f64 = answer.mistakes.iter().map(|mistake| mistake.loss).sum();
    assert!((of_kinds - whole).abs() < 1e-10);
    let keeps = answer.worst.iter().filter(|loss| !loss.keeps.is_empty());
    for loss in keeps {
        assert!(loss.keeps[0] != loss.keeps[1] && loss.keeps[0].len() == loss.roll.len());
    }
}

#[test]
fn played_games_agree_with_computed_rates_and_lengths() {
    for (first, second) in [("optimal", "most_points"), ("hold_at:200", "optimal")] {
        let question = Simulate::of(kcd(500), first).against(second).games(200_000);
        let played = question.played(&engine().call()).unwrap();
        // Five standard deviations.
        let off = (played.average.win_rate - played.average.exact).abs();
        assert!(off < 0.006, "{first} {second}: {off}");
        let rate = engine().ask(&Rate::of(kcd(500), first).against(second)).unwrap();
        assert!((rate.win_rate.average - played.average.exact).abs() < 1e-11);
    }
    let described = engine().ask(&Describe::of(kcd(500))).unwrap();
    let played = Simulate::of(kcd(500), "optimal").against("optimal").games(200_000);
    let played = played.played(&engine().call()).unwrap();
    assert!((described.turns.mean.unwrap() - played.turns).abs() < 0.02, "{}", played.turns);
}

/// Two games differ where fewer dice than the whole hand are left: with loaded dice one rolls on.
#[test]
fn two_games_are_compared_with_all_dice_that_can_be_left() {
    let overrides = Overrides { goal: Some(700), max_dice: None };
    let text = load("kcd", Overrides::default()).unwrap().text;
    let loaded = text.replace("count = 6", "count = 6\nweights = [4, 1, 1, 1, 1, 1]");
    let games = [text, loaded]
        .map(|text| Game::new(rules_from_text(&text, "toy", overrides).unwrap()).unwrap());
    let watch = Watch::silent();
    let solutions =
        games.each_ref().map(|game| equilibrium(game, Arithmetic::Float, &watch).unwrap());
    let (compared, found) = compare(games.each_ref(), solutions.each_ref(), &watch).unwrap();
    assert_eq!((compared, found.len()), (12_152, 2));
    assert_eq!((found[0].score, found[0].pot, found[0].left["dice"]), (0, Some(550), 2));
    assert_eq!(found[0].best, [[0], [1]]);
}

#[test]
fn a_session_asks_which_dice_are_kept_and_undoes_the_choice() {
    let engine = engine();
    let game = engine.game(kcd(500)).unwrap();
    let seats = ["a", "b"].map(|name| Seat { name: name.into(), plan: None });
    let mut session = engine.session(&game, seats, 7).unwrap();
    assert!(session.keep(&[1]).is_err(), "nothing is rolled");
    assert!(session.roll(1).unwrap().is_none());
    let rolled = session.rolled().unwrap().to_vec();
    assert_eq!(rolled, [2, 5, 6, 3, 3, 1]);
    assert!(session.roll(1).is_err() && session.keep(&[2]).is_err() && session.keep(&[]).is_err());
    assert_eq!(session.hints().len(), 3);
    let taken = session.keep(&[1]).unwrap();
    assert_eq!(taken.rolled.marked(), [0, 0, 0, 0, 0, 1]);
    let remark = taken.remark.clone().unwrap();
    assert!(remark.words.unwrap().contains("keep 1"));
    assert_eq!(session.undo(), 1);
    assert!(session.roll(1).unwrap().is_none());
    assert_eq!(session.rolled().unwrap(), rolled, "the same dice again");
    // The roll is taken back as well.
    assert_eq!((session.undo(), session.rolled()), (1, None));
}

#[test]
fn a_transcript_records_the_dice_kept() {
    let engine = engine();
    let question = Play::between(kcd(500), ["optimal".into(), "most_points".into()], 3);
    let session: Session = question.session(&engine.call()).unwrap();
    let text = Transcript::of(&session).text();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.hogplay");
    std::fs::write(&path, &text).unwrap();
    let sources = hog_study::strategy::Sources::files();
    let replayed = engine.with_sources(sources).replay(&path).unwrap();
    assert_eq!(replayed.scores(), session.scores());
    assert_eq!(Transcript::of(&replayed).text().lines().count(), text.lines().count());
    let wrong = text.replace("\"keep\":[", "\"keep\":[9,");
    assert!(Transcript::read(&wrong).unwrap().replay(session.game()).is_err());
}

/// The same question gives the same game; the dice to keep are answers of their own.
#[test]
fn a_question_about_a_game_stops_where_dice_are_to_be_kept() {
    let question = Play::people(kcd(500), 7).rolls(vec![1]);
    let waiting = engine().ask(&question).unwrap();
    assert_eq!(waiting.roll, [2, 5, 6, 3, 3, 1]);
    assert!(waiting.hints.iter().all(|hint| hint.keep.len() == 6));
    let kept = engine().ask(&question.keeps(vec![vec![0, 5, 0, 0, 0, 1]])).unwrap();
    assert_eq!((kept.turns[0].turn.keep.clone(), kept.roll), (vec![0, 5, 0, 0, 0, 1], vec![]));
    assert_eq!(kept.memory["pot"], 150);
}

#[test]
fn dice_to_keep_are_read_with_and_without_spaces() {
    let rules = load("kcd", Overrides::default()).unwrap();
    let rolled = [1, 1, 5, 6];
    for line in ["115", "1 1 5", "1,1, 5"] {
        assert_eq!(
            PlayerRequest::read(line, Some(&rolled), &rules),
            Ok(Some(PlayerRequest::Keep(vec![1, 1, 5])))
        );
    }
    assert_eq!(
        PlayerRequest::read("12 3", Some(&[12, 3]), &rules),
        Ok(Some(PlayerRequest::Keep(vec![12, 3])))
    );
    assert!(PlayerRequest::read("one", Some(&rolled), &rules).is_err());
    assert_eq!(PlayerRequest::read("roll", None, &rules), Ok(Some(PlayerRequest::Roll(1))));
    assert_eq!(PlayerRequest::read("Bank", None, &rules), Ok(Some(PlayerRequest::Roll(0))));
    let help = PlayerRequest::read("hold", None, &rules).unwrap_err();
    assert!(help.contains("bank"), "{help}");
    assert!(PlayerRequest::read("6", None, &rules).is_err(), "a number of dice is not chosen");
    assert_eq!(PlayerRequest::read("1", None, &rules), Ok(Some(PlayerRequest::Roll(1))));
}

/// A player banks what the pot has, so a turn cannot begin with it; a turn of three rolls is one.
#[test]
fn banking_nothing_is_refused_and_turns_are_counted_not_rolls() {
    let game = engine().game(kcd(500)).unwrap();
    let people = ["you", "another"].map(|name| Seat { name: name.to_owned(), plan: None });
    let mut session = Session::new(game, people, 7);
    assert!(matches!(session.roll(0), Err(TurnError::OnlyMove { .. })));
    assert!(session.roll(1).unwrap().is_none());
    session.keep(&[5]).unwrap();
    assert_eq!(PlayEnd::new(&session).turns, 0);
    session.roll(0).unwrap().unwrap();
    assert_eq!(PlayEnd::new(&session).turns, 1);
}

#[test]
fn a_roll_is_not_compared_with_itself() {
    for why in [
        Why::at(kcd(1000), 100, 200).rolls(0, 1),
        with_pot(Why::at(kcd(1000), 100, 200).rolls(1, 1)),
        Why::at("fa21", 20, 36).rolls(4, 4),
    ] {
        let error = engine().ask(&why).unwrap_err();
        assert_eq!([error.kind(), error.parameter().unwrap()], ["request", "rolls"]);
    }
    assert!(engine().ask(&with_pot(Why::at(kcd(1000), 100, 200).rolls(0, 1))).is_ok());
}

fn with_pot(mut why: Why) -> Why {
    why.position = why.position.memories([("pot".to_owned(), 350)]);
    why
}

/// What the turn had before is assumed if fewer dice than the hand are rolled, and said.
#[test]
fn best_tells_what_it_assumes_and_what_else_may_be_done_then() {
    let best = engine().ask(&Best::at(kcd(1000), 100, 200).roll([1, 1, 4])).unwrap();
    assert_eq!(best.assumed, ["pot"]);
    let mut why = Why::at(kcd(1000), 100, 200);
    why.roll = vec![1, 1, 4];
    assert_eq!(engine().ask(&why).unwrap().assumed, ["pot"]);
    let given = Best::at(kcd(1000), 100, 200).roll([1, 1, 4]).memory("pot", 350);
    let given = engine().ask(&given).unwrap();
    assert!(given.assumed.is_empty());
    let whole = engine().ask(&Best::at(kcd(1000), 100, 200).roll([1, 1, 4, 2, 2, 6])).unwrap();
    assert!(whole.assumed.is_empty());
    for keep in &given.keeps {
        let rates = keep.next.iter().map(|choice| choice.win_rate);
        assert_eq!(rates.fold(0.0, f64::max), keep.win_rate, "{}", keep.kept);
        assert_eq!(keep.next.len(), 2);
    }
}

#[test]
fn reasons_name_dice_and_the_risk_of_the_next_roll() {
    let why = Why::at(kcd(1000), 100, 200);
    let answer = engine().ask(&why).unwrap();
    assert_eq!(answer.means[0], "roll 6 dice");
    let best = Best::at(kcd(1000), 100, 200).roll([1, 1, 5, 2, 3, 3]);
    let best = engine().ask(&best).unwrap();
    // Five dice show no 1, no 5 and no three of a face, 600 in 7776 times.
    let one = best.keeps.iter().find(|keep| keep.keep == [1]).unwrap();
    assert!((one.bust.unwrap() - 600.0 / 7776.0).abs() < 1e-12, "{:?}", one.bust);
}

#[test]
fn thresholds_are_tuned_and_become_a_rule_of_thumb() {
    let tuned = engine().ask(&Tune::of(kcd(500), "bank_at:100..200:50,250")).unwrap();
    assert_eq!(
        (tuned.parameters.as_slice(), tuned.rates.len()),
        (&["with_1".to_owned(), "with_2".to_owned()][..], 3)
    );
    let simple = engine().ask(&Simplify::of(kcd(500))).unwrap();
    let single = engine().ask(&Simplify::of(kcd(500)).lines(1)).unwrap();
    assert_eq!(simple.strategies[0], single.strategies[0]);
    let last = simple.strategies.last().unwrap();
    assert!(last.loss <= simple.strategies[0].loss);
    assert!((0.5 - simple.win_rate.average - last.loss).abs() < 1e-12);
    assert!(last.python.contains("def roll_on(score, opponent_score, pot, dice):"));
}

/// Dice left count: to keep fewer wins more than to take all points.
#[test]
fn a_die_left_counts_what_it_is_said_to() {
    let dice = engine().ask(&Tune::of(kcd(500), "bank_at:200,die=0..100:50")).unwrap();
    assert_eq!(dice.parameters, ["with_1", "die"]);
    let rate = |strategy| engine().ask(&Rate::of(kcd(500), strategy)).unwrap().win_rate.average;
    let [without, with] = ["bank_at:200", "bank_at:200,die=50"].map(rate);
    let rates: Vec<f64> = dice.rates.iter().map(|row| row.average).collect();
    assert_eq!(rates[..2], [without, with]);
    assert!(with > without + 0.005, "{with} {without}");
}

/// In 500, most points win less than best play and more than a fixed threshold.
#[test]
fn most_points_is_a_strategy_between_thresholds_and_optimal_play() {
    let engine = engine();
    let game = Arc::clone(&engine.game(kcd(500)).unwrap());
    let rate = |strategy: &str| {
        let rate = Rate::of(&game, strategy).against("optimal");
        engine.ask(&rate).unwrap().win_rate.average
    };
    let rates = ["hold_at:300", "most_points", "optimal"].map(rate);
    assert!(rates.is_sorted() && rates[2] > rates[1] + 0.01, "{rates:?}");
}

#[test]
fn thresholds_that_no_pot_can_meet_are_refused() {
    for strategy in ["hold_at:330", "bank_at:100,225", "bank_at:100,100,100,100,100,100,100"] {
        let rated = engine().ask(&Rate::of(kcd(500), strategy));
        assert!(rated.unwrap_err().to_string().contains(strategy), "{strategy}");
    }
    assert!(engine().ask(&Tune::of(kcd(500), "hold_at:100..200")).is_err());
}

#[test]
fn where_nothing_is_to_be_chosen_nothing_is_compared() {
    let answer = engine().ask(&Why::at(kcd(500), 0, 0)).unwrap();
    assert!(text(&answer).contains("no other choice"), "{}", text(&answer));
}

fn text(answer: &impl hog_engine::format::Text) -> String {
    let mut out = Vec::new();
    answer.text(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}
