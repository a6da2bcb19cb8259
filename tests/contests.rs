//! Round robins and explanations: fast pairs equal slow ones, parts sum to the whole, a killed contest goes on.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use hog::analysis::{Mistake, explain};
use hog::contest::{Entrant, KeptPairs, RankBy, Robin, Scoring, Standings, TieBreak, WINNING, round_robin};
use hog::game::{Game, Order, Plan, Policy, PolicyError, Position};
use hog::rules::{Overrides, builtins, load};
use hog::solve::{Arithmetic, PairRate, Rater, Watch, best_response, evaluate, rate, reach};
use hog::strategy::Strategy;

const GAMES: [&str; 5] = ["fa19", "fa21", "nju21", "sp15", "su15"];

fn game(id: &str, goal: Option<u32>) -> Game {
    Game::new(load(id, Overrides { goal, max_dice: None }).unwrap()).unwrap()
}

fn named(game: &Game, name: &str) -> Plan {
    name.parse::<Strategy>().unwrap().plan(game, &Watch::silent()).unwrap()
}

/// Rolls by a hash of the scores.
struct Scattered(u64);

impl Policy for Scattered {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        let mixed = (u64::from(position.score) << 20 | u64::from(position.opponent) << 4 | self.0) as u128;
        Ok(((mixed * 0x9e37_79b9_7f4a_7c15) >> 30) as i32 & 0xffff).map(|hash| hash % 11)
    }
}

fn scattered(game: &Game, seed: u64) -> Plan {
    Plan::tabulate(game, &Scattered(seed)).unwrap()
}

fn slow(game: &Game, plans: [&Plan; 2]) -> [f64; 2] {
    let rated = evaluate(game, plans, Arithmetic::Float, &Watch::silent()).unwrap();
    [rated.first(), rated.second()]
}

#[test]
fn pairs_rated_fast_equal_pairs_rated_slowly() {
    for id in GAMES {
        let game = game(id, if id == "fa19" { Some(40) } else { None });
        let mut plans: Vec<Plan> = (0..3).map(|seed| scattered(&game, seed)).collect();
        plans.extend(["always_roll:0", "always_roll:4", "optimal"].map(|name| named(&game, name)));
        let rater = Rater::new(&game);
        let contenders: Vec<_> = plans.iter().map(|plan| rater.contender(plan)).collect();
        let mut room = rater.room();
        for (a, b) in (0..plans.len()).flat_map(|a| (0..plans.len()).map(move |b| (a, b))) {
            let fast = room.rate(&contenders[a], &contenders[b]).unwrap();
            let slow = slow(&game, [&plans[a], &plans[b]]);
            let worst = (fast.first - slow[0]).abs().max((fast.second - slow[1]).abs());
            assert!(worst <= 2.0 * rater.error_bound(), "{id} {a} {b}: {fast:?} {slow:?}");
        }
    }
}

/// Whatever way the pairs of a game are rated. Loops of chance have no fast way and take long.
#[test]
fn pairs_of_every_published_game_equal_their_evaluations() {
    for builtin in builtins() {
        let game = game(builtin.id, Some(30));
        if game.order() == (Order::Cyclic { random: true }) {
            continue;
        }
        let (space, cells) = (game.space(), 30 * 30);
        let hashed = |seed: u64| {
            let hash = |cell: usize| (((cell as u64 + 1) << 8) | seed).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            Plan::of_scores(&game, (0..cells).map(|cell| (hash(cell) % space.actions as u64) as u8).collect())
        };
        let most = (space.actions - 1) as u8;
        let plans = [hashed(1), hashed(2), Plan::of_scores(&game, vec![most; cells])];
        let rater = Rater::new(&game);
        let mut room = rater.room();
        let contenders: Vec<_> = plans.iter().map(|plan| rater.contender(plan)).collect();
        for (a, b) in [(0, 1), (1, 2), (2, 0), (0, 0)] {
            let fast = room.rate(&contenders[a], &contenders[b]).unwrap();
            let slow = slow(&game, [&plans[a], &plans[b]]);
            let worst = (fast.first - slow[0]).abs().max((fast.second - slow[1]).abs());
            assert!(worst <= rater.error_bound() + 1e-12, "{} {a} {b}: {fast:?} {slow:?}", builtin.id);
            let again = room.rate(&contenders[a], &contenders[b]).unwrap();
            assert_eq!(fast, again, "{}: a room that was used before changes nothing", builtin.id);
        }
    }
}

/// Where even and odd scores lie apart, columns of either may be all, half or none of a block.
#[test]
fn pairs_of_a_game_whose_scores_alternate_equal_their_evaluations_at_every_goal() {
    for goal in (1..20).chain([31, 32, 33, 34, 65]) {
        let game = game("nju21", Some(goal));
        let plans = [scattered(&game, 1), scattered(&game, 2)];
        let rater = Rater::new(&game);
        let [a, b] = [0, 1].map(|plan| rater.contender(&plans[plan]));
        let fast = rater.room().rate(&a, &b).unwrap();
        let slow = slow(&game, [&plans[0], &plans[1]]);
        let worst = (fast.first - slow[0]).abs().max((fast.second - slow[1]).abs());
        assert!(worst <= rater.error_bound() + 1e-15, "goal {goal}: {fast:?} {slow:?}");
    }
}

/// One pair alone, as `hog rate` asks: by the fast way where both plans fit, and within the bound that comes with it.
#[test]
fn a_pair_alone_is_rated_within_its_bound() {
    for (id, fits) in [("fa21", true), ("nju21", true), ("fa19", false), ("fa20", false)] {
        let game = game(id, Some(25));
        let plans = [named(&game, "optimal"), scattered(&game, 5)];
        let (rated, error_bound) = rate(&game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
        let slow = slow(&game, [&plans[0], &plans[1]]);
        assert!((rated.first - slow[0]).abs() <= error_bound + 1e-13, "{id}: {rated:?} {slow:?}");
        assert!((rated.second - slow[1]).abs() <= error_bound + 1e-13, "{id}: {rated:?} {slow:?}");
        assert!(error_bound < 1e-11, "{id}: {error_bound}");
        if !fits {
            assert_eq!([rated.first, rated.second], slow, "{id}: the same way");
        }
    }
}

#[test]
fn what_is_met_adds_up_to_the_win_rates() {
    for id in GAMES {
        let game = game(id, Some(30));
        let plans = [scattered(&game, 1), scattered(&game, 2)];
        let plans = [&plans[0], &plans[1]];
        let slow = slow(&game, plans);
        for (seat, start) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
            let followed = reach(&game, plans, start, &Watch::silent()).unwrap();
            let endless: f64 = followed.endless.iter().map(|(.., share)| share).sum();
            let rate = followed.won + (followed.tied + endless) / 2.0;
            assert!((rate - slow[seat]).abs() < 1e-13, "{id}: {rate} {}", slow[seat]);
        }
    }
}

#[test]
fn the_parts_of_an_explanation_sum_to_the_whole() {
    for id in GAMES {
        let game = game(id, if id == "fa19" { Some(60) } else { None });
        let pairs = [("always_roll:6", "always_roll:4"), ("optimal", "always_roll:5"), ("always_roll:0", "optimal")];
        for (strategy, opponent) in pairs {
            let plans = [named(&game, strategy), named(&game, opponent)];
            let explanation = explain(&game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
            for seat in 0..3 {
                let gap = explanation.best[seat] - explanation.rate[seat];
                let rest = (explanation.loss[seat] - gap).abs();
                assert!(rest <= 1e-12, "{id}: {strategy} against {opponent}: {} and {gap}", explanation.loss[seat]);
            }
            let kinds: f64 = explanation.by_mistake().iter().map(|(.., loss)| loss).sum();
            assert!((kinds - explanation.loss[2]).abs() <= 1e-12, "{id}: every loss has its kind");
            let costly = explanation.reached.windows(2).all(|two| two[0].average_loss() >= two[1].average_loss());
            assert!(costly, "{id}: the costliest come first");
        }
    }
}

#[test]
fn an_equal_strategy_loses_nothing_at_all() {
    for id in GAMES {
        let game = game(id, Some(40));
        for (strategy, opponent) in [("beat:always_roll:5", "always_roll:5"), ("optimal", "optimal")] {
            let plans = [named(&game, strategy), named(&game, opponent)];
            let explanation = explain(&game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
            assert_eq!(explanation.loss, [0.0; 3], "{id}: {strategy}");
            assert!(explanation.by_mistake().iter().all(|(_, positions, _)| *positions == 0));
        }
    }
}

#[test]
fn a_game_that_goes_round_for_ever_is_a_mistake_of_its_own() {
    // Both pass at 7-13 and the like; whoever could leave with more than a half loses that.
    let game = game("nju21", None);
    let zero = named(&game, "always_roll:0");
    let passers: Vec<Plan> = (0..40).map(|seed| Plan::tabulate(&game, &Mixed(seed)).unwrap()).collect();
    let mut found = 0;
    for passer in &passers {
        let explanation = explain(&game, [&zero, passer], &Watch::silent()).unwrap();
        let gap = explanation.best[2] - explanation.rate[2];
        assert!((explanation.loss[2] - gap).abs() <= 1e-12, "{} {gap}", explanation.loss[2]);
        found += explanation.by_mistake().iter().filter(|(kind, n, _)| *kind == Mistake::NeverEnds && *n > 0).count();
    }
    assert!(found > 0, "no pair went round for ever");
}

/// Zero dice nearly always.
struct Mixed(u64);

impl Policy for Mixed {
    fn dice(&self, position: &Position) -> Result<i32, PolicyError> {
        let roll = Scattered(self.0).dice(position)?;
        Ok(if roll < 8 { 0 } else { roll })
    }
}

fn entrants(game: &Game, count: u64) -> Vec<Entrant> {
    (0..count).map(|seed| Entrant::new(format!("s{seed}"), scattered(game, seed))).collect()
}

#[test]
fn a_round_robin_is_what_its_pairs_are() {
    let game = game("su15", Some(30));
    let entrants = entrants(&game, 9);
    let mut kept = KeptPairs::new(game.rules());
    let robin = round_robin(&game, &entrants, &mut kept, &Watch::silent(), |_| Ok(())).unwrap();
    let standings = Standings::of(&robin, &Scoring::default(), &[]);
    for standing in &standings.ranking {
        let a = standing.entrant;
        let average = |b: usize| {
            let [first, second] = slow(&game, [&entrants[a].plan, &entrants[b].plan]);
            (first + second) / 2.0
        };
        let rates: Vec<f64> = (0..9).filter(|b| *b != a).map(average).collect();
        assert_eq!(standing.wins, rates.iter().filter(|rate| **rate > WINNING).count());
        let worst = rates.iter().copied().fold(1.0, f64::min);
        assert!((standing.worst.unwrap().1 - worst).abs() < 1e-12);
        assert!((robin.average(a, (a + 1) % 9) + robin.average((a + 1) % 9, a) - 1.0).abs() < 1e-15);
    }
    assert!(standings.ranking.windows(2).all(|two| two[0].wins >= two[1].wins));
    for [a, b, c] in &standings.cycles {
        for (x, y) in [(a, b), (b, c), (c, a)] {
            assert!(robin.average(*x, *y) > WINNING, "every link of a circle is a win");
        }
    }
    assert_eq!(standings.cycles.len(), standings.all_cycles.min(Standings::MOST_CYCLES));
}

/// A robin with these average win rates.
fn robin(rates: &[&[f64]]) -> Robin {
    let rate = |average: &f64| PairRate { first: *average, second: *average };
    let rates = rates.iter().map(|row| row.iter().map(rate).collect()).collect();
    Robin { rates, error_bound: 1e-12, kept: 0 }
}

/// A beats B by a hair, B and C tie, C beats A.
#[test]
fn courses_score_the_same_games_in_different_ways() {
    let robin = robin(&[&[0.5, 0.500_000_5, 0.4], &[0.499_999_5, 0.5, 0.5], &[0.6, 0.5, 0.5]]);
    let ranked = |scoring: Scoring| {
        let standings = Standings::of(&robin, &scoring, &[0.7, 0.9, 0.8]);
        let row = |standing: &hog::contest::Standing| {
            (standing.entrant, standing.rank, [standing.wins, standing.losses, standing.ties])
        };
        (standings.ranking.iter().map(row).collect::<Vec<_>>(), standings.all_cycles)
    };
    let course = Scoring::default();
    assert_eq!(ranked(course), (vec![(2, 1, [1, 0, 1]), (1, 2, [0, 0, 2]), (0, 2, [0, 1, 1])], 0));
    let strict = Scoring { win_above: 0.5, ..course };
    assert_eq!(ranked(strict).0, [(2, 1, [1, 0, 1]), (0, 1, [1, 1, 0]), (1, 3, [0, 1, 1])]);
    let decided = Scoring { break_ties: TieBreak::Mean, ..strict };
    assert_eq!(ranked(decided).0.iter().map(|row| row.1).collect::<Vec<_>>(), [1, 2, 3]);
    let by_baseline = Scoring { break_ties: TieBreak::Baseline, ..course };
    assert_eq!(ranked(by_baseline).0.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(), [(2, 1), (1, 2), (0, 3)]);
    let points = Scoring { rank_by: RankBy::Points, ..course };
    assert_eq!(ranked(points).0.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(), [(2, 1), (1, 2), (0, 3)]);
    let mean = Scoring { rank_by: RankBy::Mean, ..course };
    assert_eq!(ranked(mean).0.iter().map(|row| row.0).collect::<Vec<_>>(), [2, 1, 0]);
}

/// A rate that its own bound does not tell from one half is no win, whatever the threshold.
#[test]
fn what_cannot_be_told_from_a_tie_is_none() {
    let robin = robin(&[&[0.5, 0.5 + 1e-13], &[0.5 - 1e-13, 0.5]]);
    let standings = Standings::of(&robin, &Scoring { win_above: 0.5, ..Scoring::default() }, &[]);
    assert!(standings.ranking.iter().all(|standing| (standing.rank, standing.ties) == (1, 1)));
}

/// sp15's contest: equal bids are a tie; a bid exactly 3 higher starts with 10 points against 0 and moves first; else the
/// higher bidder moves first, and each starts with the bid of the other.
#[test]
fn bids_decide_where_games_start() {
    let game = game("sp15c", Some(30));
    let entrant = |name: &str, strategy: &str, bid: i64| {
        let mut entrant = Entrant::new(name, named(&game, strategy));
        entrant.bid = Some(bid);
        entrant
    };
    let entrants = [
        entrant("a", "always_roll:4", 0),
        entrant("b", "always_roll:6", 5),
        entrant("c", "always_roll:4", 8),
        entrant("d", "always_roll:6", 8),
    ];
    let mut kept = KeptPairs::new(game.rules());
    let robin = round_robin(&game, &entrants, &mut kept, &Watch::silent(), |_| Ok(())).unwrap();
    // Who moves first, with which scores, as the rule says it.
    let expected = |mover: usize, other: usize, scores: (u32, u32)| {
        let plans = [&entrants[mover].plan, &entrants[other].plan];
        let solved = evaluate(&game, plans, Arithmetic::Float, &Watch::silent()).unwrap();
        solved.own.win_rates[game.state(&Position::new(game.rules(), scores.0, scores.1).unwrap())]
    };
    for (mover, other, scores) in [(1, 0, (0, 5)), (2, 1, (10, 0)), (2, 0, (0, 8)), (3, 1, (10, 0))] {
        let rate = expected(mover, other, scores);
        assert!((robin.average(mover, other) - rate).abs() < 1e-12, "{mover} {other}");
        assert!((robin.average(other, mover) - (1.0 - rate)).abs() < 1e-12, "{mover} {other}");
    }
    assert_eq!(robin.average(2, 3), 0.5, "equal bids are a tie");
    assert_ne!(entrants[0].digest(), entrants[2].digest(), "the same plan under another bid is another entrant");
    let again = round_robin(&game, &entrants, &mut kept, &Watch::silent(), |_| Ok(())).unwrap();
    assert_eq!((again.kept, again.rates), (10, robin.rates));
}

#[test]
fn a_stopped_contest_goes_on_where_it_was() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("fa21", Some(20)));
    let file = folder.path().join("pairs.json");
    let entrants = entrants(&game, 30);
    let save = |kept: &KeptPairs| kept.write(&file);
    let whole = round_robin(&game, &entrants, &mut KeptPairs::new(game.rules()), &Watch::silent(), |_| Ok(())).unwrap();

    let stop = |done: usize, _: usize| done < 200;
    let mut kept = KeptPairs::read(&file, game.rules()).unwrap();
    round_robin(&game, &entrants, &mut kept, &Watch::new(&stop), save).unwrap_err();
    let mut kept = KeptPairs::read(&file, game.rules()).unwrap();
    let resumed = round_robin(&game, &entrants, &mut kept, &Watch::silent(), save).unwrap();
    assert!(resumed.kept >= 200 && resumed.kept < 465, "{}", resumed.kept);
    assert_eq!(resumed.rates, whole.rates, "the same bits");

    let reversed: Vec<Entrant> = entrants.into_iter().rev().collect();
    let again = round_robin(&game, &reversed, &mut kept, &Watch::silent(), save).unwrap();
    assert_eq!(again.kept, 465, "all pairs are known, whatever the order of the entrants");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left beside the file");
}

#[test]
fn a_file_of_pairs_that_is_none_is_refused() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("fa21", Some(20)));
    let file = folder.path().join("pairs.json");
    let refused = |file: &Path, text: &str| {
        std::fs::write(file, text).unwrap();
        KeptPairs::read(file, game.rules()).unwrap_err().to_string()
    };
    for text in ["", "[]", "{}", r#"{"hog_contest":9,"rules":"0","error_bound":0.0,"pairs":[]}"#] {
        assert!(refused(&file, text).contains("pairs.json"), "{text}");
    }
    assert!(refused(&file, r#"{"hog_contest":1,"rules":"0","pairs":[]}"#).contains("another version of hog"));
    KeptPairs::new(&load("su15", Default::default()).unwrap()).write(&file).unwrap();
    assert!(KeptPairs::read(&file, game.rules()).unwrap_err().to_string().contains("other rules"));
}

/// A best response is rated as its solution says, through the fast pairs too.
#[test]
fn the_fast_rate_of_a_best_response_is_its_value() {
    let game = game("sp15", None);
    let opponent = named(&game, "always_roll:5");
    let best = best_response(&game, &opponent, Arithmetic::Float, &Watch::silent()).unwrap();
    let (rater, plan) = (Rater::new(&game), best.plan());
    let rate = rater.room().rate(&rater.contender(&plan), &rater.contender(&opponent)).unwrap();
    assert!((rate.average() - best.average()).abs() < 1e-12);
}

/// A contest of the binary itself, with so many tables of scattered rolls in a folder.
fn contest(folder: &Path, keep: Option<&Path>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hog"));
    command.args(["contest", "fa19", "--format", "json"]).arg(folder);
    keep.map(|file| command.arg("--keep").arg(file));
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn outcome(command: &mut Command) -> serde_json::Value {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_contest_that_was_killed_goes_on_and_ends_the_same() {
    let (folder, game) = (tempfile::tempdir().unwrap(), game("fa19", None));
    let (tables, file) = (folder.path().join("tables"), folder.path().join("pairs.json"));
    std::fs::create_dir(&tables).unwrap();
    for seed in 0..32 {
        let plan = scattered(&game, seed);
        let cell =
            |cell: usize| format!("{},{},{}\n", cell / 100, cell % 100, plan.action(cell * game.space().per_cell()));
        let rows: String = (0..10_000).map(cell).collect();
        std::fs::write(tables.join(format!("t{seed}.csv")), format!("score,opponent,dice\n{rows}")).unwrap();
    }
    let mut running = contest(&tables, Some(&file)).spawn().unwrap();
    while !file.exists() {
        assert!(running.try_wait().unwrap().is_none(), "the contest was over before any pair was kept");
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL, which nothing can catch.
    running.kill().unwrap();
    assert_eq!(running.wait().unwrap().code(), None, "it was still running");

    let resumed = outcome(&mut contest(&tables, Some(&file)));
    let kept = resumed["kept"].as_u64().unwrap();
    assert!(kept > 0 && kept < 528, "{kept} pairs were kept");
    let whole = outcome(&mut contest(&tables, None));
    for key in ["ranking", "entrants", "matrix", "first", "cycles", "error_bound"] {
        assert_eq!(resumed[key], whole[key], "{key}");
    }
    let again = outcome(&mut contest(&tables, Some(&file)));
    assert_eq!(again["kept"], 528, "nothing is left to do");
    let beside: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(beside.len(), 2, "only the tables and the kept pairs: {beside:?}");
}
