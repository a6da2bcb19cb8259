//! Round robins and their rankings.

use super::*;

#[test]
fn a_round_robin_ranks_by_the_evaluations_of_its_pairs() {
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
        assert!(
            (robin.average(a, (a + 1) % 9) + robin.average((a + 1) % 9, a) - 1.0).abs() < 1e-15
        );
    }
    assert!(standings.ranking.windows(2).all(|two| two[0].wins >= two[1].wins));
    for [a, b, c] in &standings.cycles {
        for (x, y) in [(a, b), (b, c), (c, a)] {
            assert!(robin.average(*x, *y) > WINNING, "every step of a cycle is a win");
        }
    }
    assert_eq!(standings.cycles.len(), standings.all_cycles.min(hog_contest::limits::CYCLES));
}

/// Returns a round robin with these average win rates.
fn robin(rates: &[&[f64]]) -> Robin {
    let rate = |average: &f64| PairRate { first: *average, second: *average };
    let rates = rates.iter().map(|row| row.iter().map(rate).collect()).collect();
    Robin { rates, error_bound: 1e-12, kept: 0 }
}

/// A beats B by 5e-7, B and C tie, C beats A.
#[test]
fn each_scoring_ranks_the_same_round_robin_by_its_own_rules() {
    let robin = robin(&[&[0.5, 0.500_000_5, 0.4], &[0.499_999_5, 0.5, 0.5], &[0.6, 0.5, 0.5]]);
    let ranked = |scoring: Scoring| {
        let standings = Standings::of(&robin, &scoring, &[0.7, 0.9, 0.8]);
        let row = |standing: &hog_contest::Standing| {
            (standing.entrant, standing.rank, [standing.wins, standing.losses, standing.ties])
        };
        (standings.ranking.iter().map(row).collect::<Vec<_>>(), standings.all_cycles)
    };
    let course = Scoring::default();
    assert_eq!(
        ranked(course.clone()),
        (vec![(2, 1, [1, 0, 1]), (1, 2, [0, 0, 2]), (0, 2, [0, 1, 1])], 0)
    );
    let strict = Scoring { win_above: 0.5, ..course.clone() };
    assert_eq!(ranked(strict.clone()).0, [(2, 1, [1, 0, 1]), (0, 1, [1, 1, 0]), (1, 3, [0, 1, 1])]);
    let decided = Scoring { break_ties: TieBreak::Mean, ..strict };
    assert_eq!(ranked(decided).0.iter().map(|row| row.1).collect::<Vec<_>>(), [1, 2, 3]);
    let by_baseline = Scoring { break_ties: TieBreak::Baseline, ..course.clone() };
    assert_eq!(
        ranked(by_baseline).0.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(),
        [(2, 1), (1, 2), (0, 3)]
    );
    let points = Scoring { rank_by: RankBy::Points, ..course.clone() };
    assert_eq!(
        ranked(points).0.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(),
        [(2, 1), (1, 2), (0, 3)]
    );
    let mean = Scoring { rank_by: RankBy::Mean, ..course };
    assert_eq!(ranked(mean).0.iter().map(|row| row.0).collect::<Vec<_>>(), [2, 1, 0]);
}

/// A rate whose error bound includes one half is not a win, whatever the threshold.
#[test]
fn a_rate_within_its_bound_of_one_half_is_a_tie() {
    let robin = robin(&[&[0.5, 0.5 + 1e-13], &[0.5 - 1e-13, 0.5]]);
    let standings = Standings::of(&robin, &Scoring { win_above: 0.5, ..Scoring::default() }, &[]);
    assert!(standings.ranking.iter().all(|standing| (standing.rank, standing.ties) == (1, 1)));
}

/// The contest of sp15: equal bids are a tie; a bid exactly 3 higher starts with 10 points against
/// 0 and moves first; otherwise the higher bidder moves first, and each player starts with the bid
/// of the other.
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
    // The win rate of the player who moves first from the scores of the mover and the other.
    let expected = |mover: usize, other: usize, scores: (u32, u32)| {
        let plans = [&entrants[mover].plan, &entrants[other].plan];
        let solved = evaluate(&game, plans, Arithmetic::Float, &Watch::silent()).unwrap();
        solved.own.win_rates[game.state(&Position::new(game.rules(), scores.0, scores.1).unwrap())]
    };
    for (mover, other, scores) in [(1, 0, (0, 5)), (2, 1, (10, 0)), (2, 0, (0, 8)), (3, 1, (10, 0))]
    {
        let rate = expected(mover, other, scores);
        assert!((robin.average(mover, other) - rate).abs() < 1e-12, "{mover} {other}");
        assert!((robin.average(other, mover) - (1.0 - rate)).abs() < 1e-12, "{mover} {other}");
    }
    assert_eq!(robin.average(2, 3), 0.5, "equal bids are a tie");
    assert_ne!(
        entrants[0].digest(),
        entrants[2].digest(),
        "the same plan with another bid is another entrant"
    );
    let again = round_robin(&game, &entrants, &mut kept, &Watch::silent(), |_| Ok(())).unwrap();
    assert_eq!((again.kept, again.rates), (6, robin.rates));
}

/// Two plans that were computed to have the same 64-bit FNV-1a hash: whoever hands in the second
/// must not get, or replace, the rates of the first.
#[test]
fn entrants_whose_short_hashes_are_equal_do_not_share_rates() {
    const TAIL: [u8; 36] = [
        4, 8, 8, 4, 0, 9, 6, 0, 9, 9, 10, 6, 10, 0, 7, 0, 1, 5, 3, 0, 9, 7, 1, 2, 2, 8, 2, 2, 10,
        1, 4, 1, 1, 2, 9, 10,
    ];
    let game = game("fa21", Some(30));
    let four = named(&game, "always_roll:4");
    let crafted = Plan::of_scores(game.states(), [&four.actions()[36..], &TAIL].concat());
    let hash = |plan: &Plan| fnv_64(&[&1u64.to_le_bytes(), plan.actions()].concat());
    assert_eq!(hash(&four), hash(&crafted));
    let entrants = [
        Entrant::new("crafted", crafted),
        Entrant::new("four", four.clone()),
        Entrant::new("other", four),
    ];
    let mut kept = KeptPairs::new(game.rules());
    let robin = round_robin(&game, &entrants, &mut kept, &Watch::silent(), |_| Ok(())).unwrap();
    let [first, second] = slow(&game, [&entrants[0].plan, &entrants[1].plan]);
    assert!(
        (robin.rates[0][1].first - first).abs() < 1e-12
            && (robin.rates[0][1].second - second).abs() < 1e-12
    );
    assert!((robin.average(0, 1) - 0.5).abs() > 1e-9, "the crafted plan is worse or better");
    assert_eq!(robin.average(1, 2), 0.5, "equal plans share their rates");
    assert_ne!(entrants[0].digest(), entrants[1].digest());
}

#[test]
fn the_error_bound_of_a_contest_covers_the_cycles_of_its_pairs() {
    let game = game("neller_hog", Some(20));
    let plans = ["always_roll:1", "always_roll:3", "always_roll:5"]
        .map(|name| Entrant::new(name, named(&game, name)));
    let mut kept = KeptPairs::new(game.rules());
    let robin = round_robin(&game, &plans, &mut kept, &Watch::silent(), |_| Ok(())).unwrap();
    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
        let rated =
            evaluate(&game, [&plans[a].plan, &plans[b].plan], Arithmetic::Float, &Watch::silent())
                .unwrap();
        assert!(
            robin.error_bound >= rated.error_bound,
            "{} {}",
            robin.error_bound,
            rated.error_bound
        );
    }
}
