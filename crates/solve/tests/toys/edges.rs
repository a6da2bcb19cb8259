//! Rule files at the limits of what can be tabulated: tabulated exactly or refused with a fault,
//! never misread.

use hog_rules::rules::rules_from_text;
use hog_solve::game::{Game, Position, Successor, take_turn};
use hog_solve::solve::{Arithmetic, Watch, equilibrium};

/// Returns the game of a rule text, or its faults.
fn game(text: &str) -> Result<Game, String> {
    let rules = rules_from_text(&format!("id = \"edge\"\n{text}"), "edge.toml", Default::default());
    Game::new(rules.map_err(|faults| faults.to_string())?).map_err(|faults| faults.to_string())
}

/// Asserts that the only outcome of zero dice leads to the same state, or end, as the turn itself.
fn assert_successors(game: &Game) {
    let (rules, space) = (game.rules(), game.space());
    for state in 0..space.states() {
        let position = game.position(state);
        let turn = take_turn(rules, &position, &[], 0).expect("sound rules");
        let [outcome] = &game.distribution(state, 0).outcomes[..] else {
            panic!("no dice have one outcome")
        };
        assert_eq!(outcome.weight, 1);
        let over = turn.score.max(turn.opponent) >= i64::from(rules.goal);
        match game.successor(state, outcome) {
            Successor::Next { to, again: false } => {
                let memory = turn.memory.chunks(2).flat_map(|pair| [pair[1], pair[0]]).collect();
                let next =
                    Position { score: turn.opponent as u32, opponent: turn.score as u32, memory };
                assert_eq!(to, game.state(&next), "{position:?}");
            }
            other => assert!(over, "{position:?} leads to {other:?}, {turn:?}"),
        }
    }
}

#[test]
fn points_count_inside_functions_and_remainders() {
    for formula in
        ["max(score, 2 * points)", "score + gcd(score, points)", "score + score % (points + 1)"]
    {
        let rule = format!(
            "[[rule]]\nname = \"Score\"\nzero_dice = \"1 + opponent % 3\"\nscore = \"{formula}\""
        );
        assert_successors(&game(&format!("goal = 12\nmax_dice = 0\n{rule}")).expect("sound rules"));
    }
}

#[test]
fn the_largest_integer_may_appear_in_formulas() {
    let score = "min(score, 9223372036854775807) + opponent % 9223372036854775807";
    let rule = format!("[[rule]]\nname = \"Large\"\nzero_dice = \"1\"\nscore = \"{score}\"");
    assert_successors(&game(&format!("goal = 12\nmax_dice = 0\n{rule}")).expect("sound rules"));
}

#[test]
fn a_formula_that_is_constant_at_some_scores_is_tabulated_at_all_scores() {
    let zero_dice =
        "1 + abs(max(score, (score < 300 ? 0 : opponent) / (2 * score - 801)) - score) % 5";
    let rule = format!("[[rule]]\nname = \"Zero\"\nzero_dice = \"{zero_dice}\"");
    assert_successors(&game(&format!("goal = 600\nmax_dice = 0\n{rule}")).expect("sound rules"));
}

#[test]
fn patterns_of_too_many_dice_are_refused_with_a_suggestion() {
    let rule = |hook: &str| format!("[[rule]]\nname = \"Faces\"\n{hook}\n");
    let twenty = format!(
        "max_dice = 10\n{}",
        rule("die = \"20\"\npoints = \"pairs == 1 ? 2 * points : points\"")
    );
    let fault = game(&twenty).map(drop).expect_err("C(29, 10) sets of faces");
    assert!(fault.contains("10 dice of 20 sides") && fault.contains("lower max_dice"), "{fault}");
    let wide = format!(
        "goal = 200\nmax_dice = 18\n{}",
        rule(
            "points = \"points + (count(2) * count(3) + count(4) * count(5) + score + opponent) % \
             2\""
        )
    );
    let fault = game(&wide).map(drop).expect_err("40,000 pairs of scores");
    assert!(fault.contains("kinds of rolls in each of 40000 states"), "{fault}");
}

#[test]
fn dice_with_more_than_2_112_rolls_are_refused_with_a_suggestion() {
    let fault = game("goal = 10\nmax_dice = 30\n[[rule]]\nname = \"Die\"\ndie = \"20\"").map(drop);
    let fault = fault.expect_err("20^26 is past 2^112");
    assert!(fault.contains("26 dice of this kind have more than 2^112 rolls"), "{fault}");
    assert!(fault.contains("lower max_dice, the sides or the weights"), "{fault}");
}

#[test]
fn games_of_32_moves_are_solved_and_more_are_refused() {
    let fault = game("goal = 2\nmin_dice = -2\nmax_dice = 30").map(drop).expect_err("33 moves");
    assert!(fault.contains("-2 to 30 dice are more than 32 moves"), "{fault}");
    let all = game(
        "goal = 2\nmin_dice = -1\nmax_dice = 30\n[[rule]]\nname = \"Zero\"\nzero_dice = \"2\"",
    )
    .unwrap();
    assert_eq!(all.space().actions, 32);
    for arithmetic in [Arithmetic::Float, Arithmetic::Exact] {
        let solved = equilibrium(&all, arithmetic, &Watch::silent()).unwrap();
        assert_eq!(all.space().dice_in(solved.own.best[all.start()]), [-1, 0]);
        let from_one = all.state(&Position { score: 1, opponent: 0, memory: Vec::new() });
        assert_eq!(solved.own.best[from_one], u32::MAX);
    }
}

#[test]
fn a_fault_near_the_goal_is_found() {
    let rule =
        "[[rule]]\nname = \"Far\"\nscore = \"opponent == 180 ? score / (opponent - 180) : score\"";
    let fault = game(&format!("goal = 190\nmax_dice = 1\n{rule}"))
        .map(drop)
        .expect_err("a division by zero");
    assert!(fault.contains("the rule Far has no value at a total of 0 against 180"), "{fault}");
}

#[test]
fn a_division_by_zero_in_a_constant_expression_is_found() {
    let rule = "[[rule]]\nname = \"Hidden\"\nscore = \"max(score, 0 / opponent)\"";
    let fault = game(&format!("goal = 10\nmax_dice = 1\n{rule}"))
        .map(drop)
        .expect_err("a division by zero");
    assert!(fault.contains("the rule Hidden has no value at a total of 0 against 0"), "{fault}");
}

#[test]
fn a_die_with_a_negative_number_of_sides_is_refused() {
    for die in ["score - 5", "score == 0 ? -1 : 6", "score == 0 ? [1, 2] : -1"] {
        let fault =
            game(&format!("goal = 10\nmax_dice = 1\n[[rule]]\nname = \"Die\"\ndie = \"{die}\""));
        assert!(fault.map(drop).expect_err("no die").contains("sides cannot be rolled"), "{die}");
    }
}

#[test]
fn points_that_overflow_an_integer_are_refused() {
    let rule = "[[rule]]\nname = \"Extra\"\nface_points = \"4611686018427387904\"";
    let fault = game(&format!("goal = 10\nmin_dice = 4\nmax_dice = 4\n{rule}"))
        .map(drop)
        .expect_err("2^64 points");
    assert!(fault.contains("4611686018427387904"), "{fault}");
}

#[test]
fn more_than_65536_kinds_of_turns_are_refused() {
    let refused = game(
        r#"
        goal = 10
        max_dice = 0
        [[memory]]
        name = "kept"
        of = "player"
        max = 299
        next = "(kept + 1) % 300"
        [[rule]]
        name = "Own Turns"
        zero_dice = "1 + 300 * kept + opponent_kept"
        # With a rule on totals, points beyond the goal are kept apart.
        swap = "score == 0"
        "#,
    );
    let refused = refused.map(drop).expect_err("too many");
    assert!(refused.contains("more than 65,536 distributions or outcomes"), "{refused}");
}

#[test]
fn more_than_65536_kinds_of_results_are_refused() {
    let refused = game(
        r#"
        goal = 10
        min_dice = 1
        max_dice = 1
        [[memory]]
        name = "kept"
        of = "player"
        max = 99
        next = "(kept + 1) % 100"
        [[rule]]
        name = "Own Results"
        die = "1000"
        points = "100 * points + kept"
        swap = "score == 0"
        "#,
    );
    let refused = refused.map(drop).expect_err("too many");
    assert!(refused.contains("more than 65,536 distributions or outcomes"), "{refused}");
}

/// A turn of 0 points after which the score grows by more than any turn of points: the stage above
/// the current one reads further up than its own turns do.
#[test]
fn a_bonus_far_above_all_points_is_solved_in_floats() {
    let text =
        "goal = 100\nmax_dice = 2\n[[rule]]\nname = \"Leap\"\nbust = \"0\"\nzero_dice = \"1\"\n";
    let game =
        game(&format!("{text}score = \"busted ? score + 40 : score\"")).expect("sound rules");
    let [float, exact] = [Arithmetic::Float, Arithmetic::Exact]
        .map(|arithmetic| equilibrium(&game, arithmetic, &Watch::silent()).expect("a small game"));
    assert!((float.first() - exact.first()).abs() <= float.error_bound + exact.error_bound);
}
