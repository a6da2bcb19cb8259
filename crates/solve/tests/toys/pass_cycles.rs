//! Longer cycles of passes against every pair of stationary strategies.
//!
//! The memory `beat` counts the passes, modulo `n`; leaving at beat k wins with probability
//! `wins[k]` / 10. Such a game has stationary best play for both players (Everett, 1957), so the
//! value is the best guarantee among the 2^n strategies of each player.

use super::toy::Toy;

/// Returns the game with `wins.len()` beats.
fn cycle(wins: &[u32]) -> Toy {
    let die: Vec<String> = wins
        .iter()
        .enumerate()
        .map(|(k, wins)| format!("beat == {k} ? [{}, {wins}] : ", 10 - wins))
        .collect();
    Toy::new(&format!(
        r#"
        goal = 1
        max_dice = 1
        [[memory]]
        name = "beat"
        of = "game"
        max = {}
        next = "dice == 0 ? (beat + 1) % {} : beat"
        [[rule]]
        name = "Verdict"
        die = "{} 6"
        score = "dice == 1 && !busted ? 2 * goal : dice == 1 ? 0 : score"
        opponent_score = "dice == 1 && busted ? 2 * goal : opponent"
        "#,
        wins.len() - 1,
        wins.len(),
        die.join(""),
    ))
}

/// The beats at which a player leaves, one bit for each.
type Leaves = u32;

/// Returns the win rate of a player who moves at `beat`, in twentieths, if both keep to their
/// strategies.
fn outcome(wins: &[u32], beat: usize, [mover, other]: [Leaves; 2]) -> u32 {
    let n = wins.len();
    for turn in 0..2 * n {
        let at = (beat + turn) % n;
        let own = turn % 2 == 0;
        if if own { mover } else { other } >> at & 1 == 1 {
            return if own { 2 * wins[at] } else { 20 - 2 * wins[at] };
        }
    }
    10
}

/// Returns the least win rate of `mover` against any strategy.
fn guarantee(wins: &[u32], beat: usize, mover: Leaves) -> u32 {
    (0..1 << wins.len()).map(|other| outcome(wins, beat, [mover, other])).min().expect("a strategy")
}

/// Returns the best guarantee of any strategy.
fn value(wins: &[u32], beat: usize) -> u32 {
    (0..1 << wins.len()).map(|mover| guarantee(wins, beat, mover)).max().expect("a strategy")
}

fn assert_values(wins: &[u32]) {
    let toy = cycle(wins);
    let values: Vec<u32> = (0..wins.len()).map(|beat| value(wins, beat)).collect();
    // Twentieths are not exact as doubles, but both sides round the same fraction.
    let found: Vec<f64> = toy.exact.own.win_rates.clone();
    let states = if found.len() == values.len() {
        (0..values.len()).collect()
    } else {
        states_of(&toy, wins.len())
    };
    for (beat, state) in states.into_iter().enumerate() {
        assert_eq!(found[state], f64::from(values[beat]) / 20.0, "{wins:?} at beat {beat}");
        assert!(
            (toy.float.own.win_rates[state] - found[state]).abs() <= toy.float.error_bound,
            "{wins:?} in floats"
        );
    }
    assert_every_choice_is_safe(wins, &values, &toy);
}

/// Returns the state of each beat; beats that are alike share one.
fn states_of(toy: &Toy, beats: usize) -> Vec<usize> {
    let rules = toy.game.rules();
    let start = hog_solve::game::Position::new(rules, 0, 0).expect("below the goal");
    (0..beats as i64)
        .map(|k| toy.game.state(&start.clone().with_memory(rules, "beat", k).expect("a beat")))
        .collect()
}

/// Asserts that each choice among the best numbers of dice, at every beat, guarantees the value.
fn assert_every_choice_is_safe(wins: &[u32], values: &[u32], toy: &Toy) {
    let best: Vec<u32> =
        states_of(toy, wins.len()).into_iter().map(|state| toy.exact.own.best[state]).collect();
    for leaves in 0..1u32 << wins.len() {
        if (0..wins.len()).all(|beat| best[beat] >> (leaves >> beat & 1) & 1 == 1) {
            for (beat, value) in values.iter().enumerate() {
                assert_eq!(
                    guarantee(wins, beat, leaves),
                    *value,
                    "{wins:?}: leaving at {leaves:b} from beat {beat}"
                );
            }
        }
    }
}

#[test]
fn a_cycle_of_three_beats_has_the_values_worked_out_by_hand() {
    // At beat 2 leaving wins 8/10. Passing at beat 0 leads the other player to beat 1, where
    // leaving wins 2/10 and passing leads back to a player at beat 2, which is worth 1 - 8/10 =
    // 2/10. So beat 0 is worth 8/10 by passing, beat 1 2/10 either way, and beat 2 8/10 by
    // leaving (passing there: 1 - 8/10).
    let toy = cycle(&[2, 2, 8]);
    toy.start("4/5", &[0]).state((0, 0), &[("beat", 1)], "1/5", &[0, 1]).state(
        (0, 0),
        &[("beat", 2)],
        "4/5",
        &[1],
    );
}

#[test]
fn both_pass_for_ever_where_leaving_always_loses() {
    let toy = cycle(&[1, 2, 3]);
    toy.start("1/2", &[0]).state((0, 0), &[("beat", 1)], "1/2", &[0]).state(
        (0, 0),
        &[("beat", 2)],
        "1/2",
        &[0],
    );
}

#[test]
fn cycles_of_two_to_five_beats_have_the_value_of_the_best_guarantee() {
    // A fixed sequence of pseudorandom numbers (Knuth's MMIX generator), so that every run tests
    // the same cycles.
    let mut state = 2021u64;
    let mut next = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as u32
    };
    for round in 0..60 {
        let wins: Vec<u32> = (0..2 + round % 4).map(|_| next(11)).collect();
        assert_values(&wins);
    }
}
