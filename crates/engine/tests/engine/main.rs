//! The `Engine`: what it answers, what it caches, what it refuses, and how it is cancelled.

// A test may print.
#![allow(clippy::disallowed_macros)]

mod kept;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hog_engine::Engine;
use hog_engine::engine::{Cancel, Error, Limits, Progress, Sources};
use hog_engine::queries::{
    Best, Check, Describe, Effects, GivenGame, GivenPlayers, ObjectiveKind, Play, Rate, RulesCheck,
    Sight, Simulate, Solve, SolveAnswer, Try, TryAnswer, Turn, TurnDice, Vary, VaryAnswer,
};
use hog_rules::rules::{Overrides, RulesError, rules_from_text};
use hog_solve::game::{Game, USUAL_MEMORY, fewest_states};
use hog_solve::solve::{Arithmetic, SolveError, Watch, best_response};
use hog_study::sim::session::Seat;
use hog_study::sim::{Trials, average_win_rate};
use hog_study::strategy::python::Launcher;
use hog_study::strategy::{Strategy, StrategyError};

fn engine() -> Engine {
    Engine::builder().build()
}

fn strategy(text: &str) -> Strategy {
    text.parse().unwrap()
}

fn small(engine: &Engine) -> Arc<Game> {
    engine.game(GivenGame::named("fa21").goal(20)).unwrap()
}

#[test]
fn an_engine_and_its_types_are_send_and_sync() {
    fn sendable<T: Send + Sync + 'static>() {}
    sendable::<Engine>();
    sendable::<Error>();
    sendable::<hog_study::sim::session::Session>();
    sendable::<hog_study::sim::Judge>();
}

#[test]
fn a_game_is_found_by_its_id_in_any_case_and_cached() {
    let engine = engine();
    let game = engine.game("fa21").unwrap();
    assert!(Arc::ptr_eq(&game, &engine.clone().game("FA21").unwrap()), "clones share their cache");
    assert!(!Arc::ptr_eq(&game, &small(&engine)));
    let alias = engine.game("SP23").unwrap();
    assert!(Arc::ptr_eq(&alias, &engine.game("sp23").unwrap()));
    assert_eq!((alias.rules().id.as_str(), alias.rules().called()), ("fa22", "sp23"));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn({
                let engine = engine.clone();
                move || engine.ask(&Best::at("fa21", 20, 36)).unwrap()
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().unwrap().best, [8]);
    }
}

#[test]
fn without_a_cache_the_answers_are_the_same() {
    let mut limits = Limits::default();
    limits.cache = 0;
    let forgetful = Engine::builder().limits(limits).build();
    assert!(!Arc::ptr_eq(&small(&forgetful), &small(&forgetful)));
    let answer = |engine: &Engine| {
        engine.ask(&Best::at(&small(engine), 3, 4).against("always_roll:3")).unwrap()
    };
    assert_eq!(answer(&forgetful), answer(&engine()));
}

#[test]
fn best_against_a_strategy_is_the_best_response() {
    let engine = engine();
    let game = small(&engine);
    let plan = engine.plan(&game, &strategy("always_roll:6")).unwrap();
    let solution = best_response(&game, &plan, Arithmetic::Float, &Watch::silent()).unwrap();
    let view = engine.ask(&Best::at(&game, 0, 0).against("always_roll:6")).unwrap();
    assert_eq!(
        (view.win_rate, &view.best),
        (solution.first(), &game.space().dice_in(solution.first_roll()))
    );
    assert!(matches!(
        engine.ask(&Best::at(&game, 0, 0).against("nobody")),
        Err(Error::Strategy(StrategyError::Unknown { .. }))
    ));
    assert!(matches!(engine.ask(&Best::at(&game, 20, 0)), Err(Error::Position(_))));
}

#[test]
fn the_default_opponent_of_a_rate_is_the_baseline() {
    let engine = engine();
    let game = small(&engine);
    let rate = |against: Option<&str>| {
        let mut query = Rate::of(&game, "optimal");
        query.opponent.against = against.map(Into::into);
        engine.ask(&query).unwrap().win_rate
    };
    assert_eq!(rate(None), rate(Some("always_roll:6")));
    assert_eq!(rate(None), rate(Some("baseline")));
    let nobody = engine.ask(&Rate::of("neller_hog", "optimal"));
    assert!(matches!(nobody, Err(Error::Strategy(StrategyError::NoBaseline { .. }))));
}

fn first_players(answer: &VaryAnswer) -> Vec<f64> {
    answer.rows.iter().map(|row| row.figures.win_rate.first).collect()
}

#[test]
fn the_numbers_of_a_tabulated_game_vary() {
    let engine = engine();
    let game = engine.game("fa21").unwrap();
    let named = first_players(&engine.ask(&Vary::goals("fa21").number("goal=20..22")).unwrap());
    assert_eq!(
        first_players(&engine.ask(&Vary::goals(&game).number("goal=20..22")).unwrap()),
        named
    );
    let about = engine.clone().about(game);
    let none = GivenGame::default();
    assert_eq!(first_players(&about.ask(&Vary::goals(none).number("goal=20..22")).unwrap()), named);
}

/// The mean number of turns and the edge are those that `describe` computes, and what is out of
/// range is left out.
#[test]
fn games_are_found_by_their_figures() {
    let engine = engine();
    let mut question = Vary::goals("fa21").number("goal=20..24");
    question.wanted = vec!["turns=3.1..".into(), "edge=..0.2".into(), "Hog Pile=0..9".into()];
    let answer = engine.ask(&question).unwrap();
    assert_eq!((answer.tried, answer.rows.len()), (5, 4));
    for row in &answer.rows {
        let game =
            engine.ask(&Describe::of(GivenGame::named("fa21").goal(row.values[0] as u32))).unwrap();
        let [turns, edge, uses] = row.wanted[..] else { panic!("{row:?}") };
        assert!((turns - game.turns.mean.unwrap()).abs() < 1e-12);
        assert!((edge - game.first_mover_edge).abs() < 1e-12);
        assert!((3.1..4.0).contains(&turns) && edge <= 0.2 && uses > 0.0, "{row:?}");
    }
    question.wanted = vec!["Hog Pyle=0..9".into()];
    let error = engine.ask(&question).unwrap_err().to_string();
    assert!(error.contains("Hog Pyle") && error.contains("Hog Pile"), "{error}");
    question.wanted = vec!["turns=100..".into()];
    let none = engine.ask(&question).unwrap();
    assert!(none.rows.is_empty() && none.spans[0][0] > 3.0 && none.spans[0][1] < 4.0);
}

#[test]
fn a_solution_names_its_objective_opponent_and_method() {
    let engine = engine();
    let game = small(&engine);
    let view = engine.ask(&Solve::equilibrium(&game).fraction(true)).unwrap();
    assert_eq!((view.objective, view.win_rate.average), (ObjectiveKind::Equilibrium, 0.5));
    assert!(view.method.contains("integers") && view.fraction.is_some(), "{}", view.method);
    let answer = engine.ask(&Solve::best_response(&game, "always_roll:6")).unwrap();
    assert_eq!(
        (answer.objective, answer.against.as_deref()),
        (ObjectiveKind::BestResponse, Some("always_roll:6"))
    );
    let contradiction = Solve::equilibrium(&game).fraction(true).arithmetic(Arithmetic::Float);
    assert!(matches!(engine.ask(&contradiction), Err(Error::FractionInFloats)));
    let with_memory = engine.game(GivenGame::named("fa19").goal(10)).unwrap();
    let nobody = engine.ask(&Solve::equilibrium(&with_memory).sees(Sight::Scores));
    assert!(matches!(nobody, Err(Error::NobodyToAnswer { .. })));
}

#[test]
fn views_are_equal_after_a_round_trip_through_json() {
    let engine = engine();
    let game = small(&engine);
    let solved = engine.ask(&Solve::equilibrium(&game)).unwrap();
    let text = serde_json::to_string(&solved).unwrap();
    assert_eq!(serde_json::from_str::<SolveAnswer>(&text).unwrap(), solved);
    let tried = engine.ask(&Try::of(&game, "always_roll:3").top(5)).unwrap();
    let text = serde_json::to_string(&tried).unwrap();
    assert_eq!(serde_json::from_str::<TryAnswer>(&text).unwrap(), tried);
    let gap = tried.best_response.average - tried.win_rate.average;
    assert!((tried.loss.average - gap).abs() < 1e-12 && tried.worst.len() == 5);
}

#[test]
fn a_turn_is_played_from_the_rules_alone() {
    let engine = engine();
    let mut turn = Turn::at("fa19", 23, 4, TurnDice::Faces(vec![5]));
    turn.position = turn.position.memories([("last_dice".to_owned(), 1)]);
    let taken = engine.ask(&turn).unwrap();
    assert_eq!((taken.score, taken.opponent), (4, 28));
    assert!(matches!(
        engine.ask(&Turn::at("fa19", 23, 4, TurnDice::Move(3))),
        Err(Error::FacesWanted { dice: 3 })
    ));
}

#[test]
fn a_session_outlives_its_engine() {
    let mut session = {
        let engine = engine();
        let game = small(&engine);
        let seat = |name: &str| engine.seat(&game, &strategy(name)).unwrap();
        engine
            .session(&game, [seat("always_roll:3"), Seat { name: "you".into(), plan: None }], 7)
            .unwrap()
    };
    session.play_on().unwrap();
    assert!(session.awaits_person() && !session.hints().is_empty());
}

#[test]
fn shipped_tables_are_checked_by_the_name_of_their_game() {
    let engine = engine();
    let view = engine.ask(&Check::tables(["fa21"])).unwrap();
    assert!(view.ok && view.tables[0].published && view.tables[0].states == 10_000);
    assert!(hog_study::table::shipped_games().contains(&"fa21"));
    assert!(matches!(
        engine.ask(&Check::tables(["fa99"])),
        Err(Error::Rules(RulesError::Unknown { .. }))
    ));
    assert!(matches!(engine.ask(&Check::tables(["neller_hog"])), Err(Error::NoTable { .. })));
}

#[test]
fn an_engine_opens_only_the_sources_it_is_allowed() {
    let engine = engine();
    let game = small(&engine);
    assert!(matches!(engine.game("/etc/hostname.toml"), Err(Error::Closed { .. })));
    assert!(matches!(engine.game("nothing"), Err(Error::Rules(RulesError::Unknown { .. }))));
    assert!(matches!(engine.ask(&Check::tables(["a.hog"])), Err(Error::Closed { .. })));
    assert!(matches!(engine.call().table(&GivenGame::named("a.hog")), Err(Error::Closed { .. })));
    assert!(matches!(engine.replay("a.hogplay".as_ref()), Err(Error::Closed { .. })));
    for name in
        ["a.csv", "table:/etc/passwd", "python:a.py", "beat:a.npy", "beat:mix(a.txt,optimal)"]
    {
        let refused = engine.ask(&Rate::of(&game, name));
        assert!(matches!(refused, Err(Error::Strategy(StrategyError::Closed { .. }))), "{name}");
    }
    let tables_only = Engine::builder().sources(Sources::builtin().with_strategy_files()).build();
    assert!(matches!(tables_only.game("a.toml"), Err(Error::Closed { .. })));
    let refused = tables_only.ask(&Rate::of(&game, "a.py"));
    assert!(matches!(refused, Err(Error::Strategy(StrategyError::Closed { .. }))));
    let missing = tables_only.ask(&Rate::of(&game, "nowhere.csv"));
    assert!(matches!(missing, Err(Error::Strategy(StrategyError::File { .. }))));
}

/// A game whose baseline the rules do not allow can be solved: its author is warned. What is no
/// strategy is a fault.
#[test]
fn a_baseline_that_cannot_be_played_is_a_warning_and_one_that_is_none_a_fault() {
    let engine = Engine::builder().build();
    let text = |baseline: &str| {
        format!(
            "id = \"x\"\ngoal = 9\nbaseline = \"{baseline}\"\n\n[[rule]]\nname = \"One\"\n\
             zero_dice = \"1\"\n"
        )
    };
    for (baseline, words) in [
        ("always_roll:99", "it rolls 99 dice; the game allows 0 to 10"),
        ("beat:always_roll:11", "it rolls 11 dice"),
        ("bacon_strategy:8,12", "it rolls 12 dice"),
        ("swap_strategy:8,5", "swaps the scores"),
        ("hold_at:20", "it needs a pot"),
    ] {
        let game = GivenGame::of_text(text(baseline));
        let checked = engine.ask(&RulesCheck::of(game)).unwrap();
        let warned = |part: &str| checked.warnings.iter().any(|(_, told)| told.contains(part));
        assert!(warned(words) && warned("cannot be played"), "{:?}", checked.warnings);
    }
    let game = GivenGame::of_text(text("always_roll:10"));
    assert!(
        !engine
            .ask(&RulesCheck::of(game))
            .unwrap()
            .warnings
            .iter()
            .any(|(_, told)| { told.contains("cannot be played") })
    );
    let faulty = text("always_roll(99)");
    let error = engine.game_from(faulty, "x.toml".into(), Default::default()).unwrap_err();
    let fault = &error.faults().unwrap().faults[0];
    assert!(fault.line == 3 && fault.message.contains("is not a strategy"), "{fault:?}");
    engine.game(GivenGame::named("fa21").max_dice(2)).unwrap();
}

/// Rules that were not read by an engine may name a file: it is not opened either.
#[test]
fn a_baseline_that_needs_a_file_is_refused_whoever_read_the_rules() {
    let engine = Engine::builder().sources(Sources::files()).build();
    let text = "id = \"x\"\ngoal = 9\nbaseline = \"beat:a.csv\"\n";
    let refused = engine.rules_from(text, "x.toml", Default::default()).unwrap_err().to_string();
    assert!(refused.contains("x.toml:3:12: the baseline `beat:a.csv` needs a file"), "{refused}");
    let game =
        engine.tabulate(rules_from_text(text, "x.toml", Default::default()).unwrap()).unwrap();
    let rate = Rate::of(&game, "optimal");
    for rate in [rate.clone(), rate.against(Strategy::Baseline)] {
        let refused = engine.ask(&rate).unwrap_err();
        assert!(
            matches!(refused, Error::Strategy(StrategyError::BaselineMisfit { .. })),
            "{refused}"
        );
    }
}

#[test]
fn the_text_of_a_rule_file_has_the_limits_of_a_file() {
    let mut limits = Limits::default();
    limits.rule_file = 20;
    let engine = Engine::builder().limits(limits).build();
    let text = "id = \"x\"\ngoal = 9\n";
    engine.rules_from(text, "x", Default::default()).unwrap();
    let long = format!("{text}# a comment\n");
    let refused = engine.rules_from(&long, "x", Default::default()).unwrap_err();
    assert!(matches!(refused, RulesError::TooLong { most: 20, .. }), "{refused}");
    let refused = engine.game_from(long, "x".into(), Default::default()).unwrap_err();
    assert!(matches!(refused, Error::Rules(RulesError::TooLong { .. })), "{refused}");
    engine.game("fa21").unwrap();
    let overrides = Overrides { goal: Some(0), max_dice: None };
    assert!(matches!(
        engine.rules_from(text, "x", overrides),
        Err(RulesError::Override { key: "goal", .. })
    ));
}

#[test]
fn a_table_in_memory_is_read_like_a_file_and_within_the_limits() {
    let bytes = include_bytes!("../../../../tables/fa21.hog");
    let (game, table) = engine().call().table_from(bytes, "mine".as_ref()).unwrap();
    assert_eq!((game.rules().id.as_str(), table.best().len()), ("fa21", 10_000));
    assert_eq!(engine().call().table_win_rates(&game, &table).unwrap().0.len(), 10_000);
    let mut limits = Limits::default();
    limits.states = 100;
    let small = Engine::builder().limits(limits).build();
    assert!(matches!(small.call().table_from(bytes, "mine".as_ref()), Err(Error::TooLarge { .. })));
    let refused =
        engine().call().table_from(&bytes[..500], "mine".as_ref()).unwrap_err().to_string();
    assert!(refused.starts_with("the table mine: it is cut short"), "{refused}");
}

/// Regression: turns of two persons were not counted.
#[test]
fn a_game_of_persons_has_a_limit_on_turns_too() {
    let engine = engine();
    let game =
        engine.game_from("id = \"x\"\ngoal = 9\n".into(), "x".into(), Default::default()).unwrap();
    let play = |turns: usize| engine.ask(&Play::people(&game, 1).rolls(vec![0; turns]));
    assert_eq!(play(2_000).unwrap().turns.len(), 2_000);
    assert!(matches!(play(2_001), Err(Error::TooManyTurns { most: 2_000 })));
}

/// A baseline that refers to itself is a fault in the file, and is not followed for ever.
#[test]
fn a_baseline_that_names_itself_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("self.toml");
    let rules = "id = \"self\"\ngoal = 5\nmax_dice = 1\nbaseline = \"beat:baseline\"\n\n[[rule]]\n\
     name = \"One\"\nzero_dice = \"1\"\n";
    std::fs::write(&path, rules).unwrap();
    let engine = Engine::builder().sources(Sources::files()).build();
    let refused = engine.game(path.to_str().unwrap()).unwrap_err();
    let fault = &refused.faults().expect("a fault of the file").faults[0];
    assert_eq!(
        (fault.line, fault.message.as_str()),
        (4, "the baseline `beat:baseline` names itself")
    );
}

#[test]
fn a_changed_rule_file_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let engine = Engine::builder().sources(Sources::files()).build();
    let goal = |goal: u32| {
        let rules = format!(
            "id = \"mine\"\ngoal = {goal}\nmax_dice = 2\n\n[[rule]]\nname = \"One\"\n\
             zero_dice = \"1\"\n"
        );
        std::fs::write(&path, rules).unwrap();
        engine.game(path.to_str().unwrap()).unwrap().rules().goal
    };
    assert_eq!([goal(5), goal(7), goal(5)], [5, 7, 5]);
    std::fs::write(&path, "#".repeat(2 << 20)).unwrap();
    assert!(matches!(
        engine.game(path.to_str().unwrap()),
        Err(Error::Rules(RulesError::Unreadable { .. }))
    ));
}

#[test]
fn a_game_beyond_the_limits_is_refused_before_it_is_tabulated() {
    let mut limits = Limits::default();
    limits.states = 5000;
    let engine = Engine::builder().limits(limits).build();
    assert!(matches!(engine.game("fa21"), Err(Error::TooLarge { states: 10_000, .. })));
    assert!(engine.game(GivenGame::named("fa21").goal(70)).is_ok());
    // 400 million states; tabulating them would take minutes.
    let mut limits = Limits::default();
    limits.memory = 1 << 30;
    let engine = Engine::builder().limits(limits).build();
    assert!(matches!(
        engine.game(GivenGame::named("fa21").goal(20_000)),
        Err(Error::TooLarge { .. })
    ));
    let out_of_range = engine.game(GivenGame::named("fa21").max_dice(99)).unwrap_err();
    assert!(matches!(out_of_range, Error::Rules(RulesError::Override { .. })));
    assert!(
        !out_of_range.to_string().contains("--"),
        "the library names an option of the command line: {out_of_range}"
    );
}

/// The pots of Pig are told apart before the game is tabulated, which would take half a minute;
/// memories that behave alike are not counted.
#[test]
fn states_that_cannot_be_joined_are_counted_before_the_game_is_tabulated() {
    let fewest = |name: &str, goal: u32| {
        let rules =
            hog_rules::rules::load(name, Overrides { goal: Some(goal), ..Default::default() });
        fewest_states(&rules.unwrap())
    };
    assert_eq!(fewest("pig", 1000), 1000 * 1000 * 1000);
    assert_eq!(fewest("fa21", 100), 100 * 100);
    for name in ["pig", "fa19", "two_dice_pig", "sp21c", "fa24"] {
        let game = engine().game(GivenGame::named(name).goal(30)).unwrap();
        assert!(fewest(name, 30) <= game.space().states() as u64, "{name}");
    }
    let refused = engine().game(GivenGame::named("pig").goal(1000)).unwrap_err();
    assert!(matches!(refused, Error::TooLarge { states: 1_000_000_000, .. }), "{refused}");
}

/// The text of a game to 100 with one rule that has this hook.
fn game_text(hook: &str) -> String {
    format!("id = \"own\"\ngoal = 100\n[[rule]]\nname = \"Own\"\n{hook}\n")
}

#[test]
fn the_limit_on_memory_holds_for_the_tables_of_a_game() {
    let made = |hook: &str, memory: u64| {
        let mut limits = Limits::default();
        limits.memory = memory;
        let engine = Engine::builder().limits(limits).build();
        engine.game_from(game_text(hook), "own.toml".into(), Default::default()).map(|_| ())
    };
    // A table of successors for each of sixty sums; a distribution for each score and number of
    // dice.
    let successors = "score = \"(score + opponent) % 61 < rolled ? score + 1 : score\"";
    let distributions = "points = \"points + 100 * score\"";
    for hook in [successors, distributions] {
        assert!(made(hook, 64 << 20).is_ok(), "{hook}");
        let refused = made(hook, 1 << 20).unwrap_err();
        assert!(matches!(refused, Error::Game(_)), "{refused}");
        assert!(
            refused.to_string().contains("about 2 MiB of memory or more; 1 MiB are allowed"),
            "{refused}"
        );
    }
}

/// A thousand values of a memory are compared before they are merged to few, so that states cannot
/// be counted earlier.
#[test]
fn joining_memories_can_be_stopped_and_merged_values_count_once() {
    let memory = "[[memory]]\nname = \"m\"\nmax = 999\nnext = \"points\"\n";
    let text = format!("{}{memory}", game_text("points = \"m == 999 ? 0 : min(points, 1)\""));
    let rules = || rules_from_text(&text, "own.toml", Default::default()).unwrap();
    let mut limits = Limits::default();
    limits.states = 100 * 100 * 2 * 2;
    let game = Engine::builder().limits(limits).build().tabulate(rules()).unwrap();
    assert_eq!(game.space().states(), 100 * 100 * 2 * 2);

    let asked = AtomicUsize::new(0);
    let ask = |most: usize| {
        asked.store(0, Ordering::Relaxed);
        Game::watched(rules(), USUAL_MEMORY, &|| asked.fetch_add(1, Ordering::Relaxed) < most)
            .is_ok()
    };
    // The distributions of eleven actions for each value; then twice each value, and four times
    // each distribution.
    let distributions = 1000 * 11;
    assert!(ask(usize::MAX) && asked.load(Ordering::Relaxed) > distributions + 2000);
    assert!(!ask(distributions + 2000));
}

#[test]
fn work_is_stopped_by_its_cancel_token_and_by_its_time_limit() {
    let cancel = Cancel::new();
    let engine = engine().cancelled_by(cancel.clone());
    let game = small(&engine);
    engine.ask(&Rate::of(&game, "always_roll:4")).unwrap();
    let rules = engine.rules("fa21").unwrap();
    let check = RulesCheck::of("fa21");
    let checked = check.checked(&engine.call()).unwrap();
    assert_eq!(checked.examples, rules.examples.len());
    cancel.cancel();
    assert!(engine.ask(&check).unwrap_err().is_stop());
    let stopped = engine.ask(&Rate::of(&game, "always_roll:5")).unwrap_err();
    assert!(stopped.is_stop(), "{stopped}");
    assert!(engine.game(GivenGame::named("fa21").goal(30)).unwrap_err().is_stop());

    let mut limits = Limits::default();
    limits.time = Some(Duration::ZERO);
    let hurried = Engine::builder().limits(limits).build();
    let late =
        hurried.game("fa21").and_then(|game| hurried.ask(&Solve::equilibrium(&game)).map(|_| ()));
    assert!(matches!(late, Err(Error::Time { .. })), "{late:?}");
}

/// Two lucky turns in a row end the game: in some 10^10 turns. It is stopped before its end.
#[test]
fn a_game_that_never_comes_to_its_end_is_stopped_while_it_is_simulated() {
    let rules = r#"id = "rare"
goal = 2
min_dice = 1
max_dice = 1
[[memory]]
name = "lucky"
of = "game"
max = 1
next = "busted ? 0 : 1"
[[rule]]
name = "Twice"
die = "[100000, 1]"
bust = "0"
points = "busted || lucky == 0 ? 0 : 2"
"#;
    let game = Game::new(rules_from_text(rules, "x.toml", Overrides::default()).unwrap()).unwrap();
    let plan = strategy("always_roll:1").plan(&game, &Watch::silent()).unwrap();
    let asked = AtomicUsize::new(0);
    let on_step = |_: usize, _: usize| asked.fetch_add(1, Ordering::Relaxed) < 50;
    let trials = Trials { games: 2, seed: 0 };
    let stopped = average_win_rate(&game, [&plan, &plan], trials, &Watch::new(&on_step));
    assert!(matches!(stopped, Err(SolveError::Cancelled)), "{stopped:?}");
}

/// The limit on tables holds wherever a table is named.
#[test]
fn a_table_above_the_limit_is_refused_also_as_a_strategy() {
    let folder = tempfile::tempdir().unwrap();
    let sources = || Engine::builder().sources(Sources::files());
    let game = small(&sources().build());
    let rows = "4 ".repeat(20) + "\n";
    let table = Solve::equilibrium(&game)
        .solved(&engine().call())
        .unwrap()
        .table(&game)
        .unwrap()
        .to_bytes();
    for (name, bytes) in [("a.hog", table), ("a.txt", rows.repeat(20).into_bytes())] {
        let path = folder.path().join(name);
        std::fs::write(&path, &bytes).unwrap();
        let planned = |most: usize| {
            let mut limits = Limits::default();
            limits.table_file = most as u64;
            sources()
                .limits(limits)
                .build()
                .plan(&game, &strategy(path.to_str().unwrap()))
                .map(drop)
        };
        planned(bytes.len()).unwrap();
        let error = planned(bytes.len() - 1).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains("at most"), "{error}");
    }
}

#[derive(Default)]
struct Count {
    steps: AtomicUsize,
    ends: AtomicUsize,
}

impl Progress for Count {
    fn step(&self, _: &'static str, done: usize, of: usize) {
        assert!(done <= of);
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    fn end(&self) {
        self.ends.fetch_add(1, Ordering::Relaxed);
    }
}

/// Records what is done, and to which file.
#[derive(Default)]
struct Names(std::sync::Mutex<Vec<String>>);

impl Progress for Names {
    fn step(&self, what: &'static str, _: usize, _: usize) {
        self.0.lock().unwrap().push(what.to_owned());
    }

    fn named_step(&self, what: &'static str, name: &str, _: usize, _: usize) {
        self.0.lock().unwrap().push(format!("{what} {name}"));
    }
}

/// The launcher does not exist, so the strategy is not run; its progress is reported before that.
#[test]
fn progress_names_the_python_file_that_is_asked() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("SKIPPED: there is no python3 on this machine");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hog.py");
    std::fs::write(&file, "def final_strategy(score, opponent_score):\n    return 5\n").unwrap();
    let names = Arc::new(Names::default());
    let sources = Sources::builtin().with_python(Launcher::new("/nowhere/hog"));
    let engine = Engine::builder().sources(sources).build().reporting_to(names.clone());
    let game = small(&engine);
    engine.plan(&game, &strategy(file.to_str().unwrap())).unwrap_err();
    assert_eq!(names.0.lock().unwrap().last().unwrap(), "asking hog.py");
}

#[test]
fn every_phase_is_announced_by_its_name() {
    let names = Arc::new(Names::default());
    let engine = engine().reporting_to(names.clone());
    engine.ask(&Solve::equilibrium(GivenGame::named("fa21").goal(20))).unwrap();
    let mut phases = names.0.lock().unwrap().clone();
    phases.dedup();
    assert_eq!(phases[..2], ["tabulating ", "solving "]);
    names.0.lock().unwrap().clear();
    engine.ask(&Effects::of(GivenGame::named("fa21").goal(20))).unwrap();
    let phases = names.0.lock().unwrap().clone();
    for phase in ["tabulating", "solving", "describing", "rating"] {
        let about = format!("{phase} without Hog Pile");
        assert!(phases.contains(&about), "no {about} in {phases:?}");
    }
}

#[test]
fn progress_reports_steps_and_their_end() {
    let count = Arc::new(Count::default());
    let engine = engine().reporting_to(count.clone());
    let game = small(&engine);
    engine.ask(&Solve::equilibrium(&game).arithmetic(Arithmetic::Exact)).unwrap();
    assert!(count.steps.load(Ordering::Relaxed) > 0 && count.ends.load(Ordering::Relaxed) > 0);
}

/// Whoever keeps all three coins passes for nothing, which is as good as any other choice where
/// nobody can lose: a player who chooses by win rates might do so for ever.
#[test]
fn where_equal_choices_of_dice_may_stall_nothing_is_claimed() {
    let rules = "id = 'coins'\ngoal = 200\nstep = 50\n[[dice]]\ncount = 3\nsides = 2\n\
                 [[memory]]\nname = 'pot'\nof = 'game'\nmax = 'goal'\nstep = 50\n\
                 next = 'again ? min(pot + rolled, goal) : 0'\n[[rule]]\nname = 'Keep'\n\
                 keep = 'true'\nworth = '50 * kept'\nzero_dice = 'pot'\n\
                 points = 'dice == 0 ? points : 0'\nagain = 'kept > 0 && left > 0'\n";
    let game = GivenGame::of_text(rules);
    let engine = engine();
    let best = "beat:always_roll:1";
    let players: GivenPlayers = "beat:always_roll:1,always_roll:1".parse().unwrap();
    let refused = [
        engine.ask(&Solve::best_response(game.clone(), "always_roll:1")).map(drop),
        engine.ask(&Try::of(game.clone(), best).against("always_roll:1")).map(drop),
        engine.ask(&Simulate::of(game.clone(), best).against("always_roll:1")).map(drop),
        engine.ask(&Describe::of(game).players(players)).map(drop),
    ];
    for answer in refused {
        let stalls = matches!(answer, Err(Error::Strategy(StrategyError::KeepsMayStall { .. })));
        assert!(stalls, "{answer:?}");
    }
}
