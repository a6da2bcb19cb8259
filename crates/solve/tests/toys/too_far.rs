//! Games in which a turn that ends far beyond the goal has another result than one just beyond it.

use hog_solve::pairs::rate;
use hog_solve::solve::{Arithmetic, Watch, evaluate};

use super::toy::{game, plan};

/// A roll without a 1 scores 31 more points; 25 or more beyond the goal lose.
#[test]
fn a_pair_is_rated_with_results_far_beyond_the_goal() {
    let game = game(
        r#"
        goal = 20
        max_dice = 3
        [[rule]]
        name = "Windfall"
        points = "busted ? points : points + 31"
        [[rule]]
        name = "Too Far"
        opponent_score = "score >= goal + 25 ? 2 * score : opponent"
        "#,
    );
    let watch = &Watch::silent();
    let plans = [3, 2, 1, 0].map(|dice| plan(&game, move |_, _| dice));
    for (a, b) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        let slow = evaluate(&game, [&plans[a], &plans[b]], Arithmetic::Exact, watch).unwrap();
        let (fast, bound) = rate(&game, [&plans[a], &plans[b]], watch).unwrap();
        let error = (fast.first - slow.first()).abs().max((fast.second - slow.second()).abs());
        assert!(
            error <= bound,
            "{a} against {b}: {fast:?}, not {} and {}",
            slow.first(),
            slow.second()
        );
    }
}
