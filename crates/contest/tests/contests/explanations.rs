//! The losses of a strategy, by position and by kind of mistake.

use super::*;

#[test]
fn reached_ends_add_up_to_the_win_rates() {
    for id in GAMES {
        let game = game(id, Some(30));
        let plans = [scattered(&game, 1), scattered(&game, 2)];
        let plans = [&plans[0], &plans[1]];
        let slow = slow(&game, plans);
        for (seat, start) in [[1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
            let followed = reach(&game, plans, start, &|_, _| false, &Watch::silent()).unwrap();
            let endless: f64 = followed.endless.iter().map(|(.., share)| share).sum();
            let rate = followed.won + (followed.tied + endless) / 2.0;
            assert!((rate - slow[seat]).abs() < 1e-13, "{id}: {rate} {}", slow[seat]);
        }
    }
}

#[test]
fn the_losses_of_an_explanation_sum_to_the_gap_in_every_seat() {
    for id in GAMES {
        let game = game(id, if id == "fa19" { Some(60) } else { None });
        let pairs = [
            ("always_roll:6", "always_roll:4"),
            ("optimal", "always_roll:5"),
            ("always_roll:0", "optimal"),
        ];
        for (strategy, opponent) in pairs {
            let plans = [named(&game, strategy), named(&game, opponent)];
            let explanation = explain(&game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
            for seat in 0..3 {
                let gap = explanation.best[seat] - explanation.rate[seat];
                let error = (explanation.loss[seat] - gap).abs();
                assert!(
                    error <= 1e-12,
                    "{id}: {strategy} against {opponent}: {} and {gap}",
                    explanation.loss[seat]
                );
            }
            let by_kind: f64 = explanation.by_mistake().iter().map(|(.., loss)| loss).sum();
            assert!(
                (by_kind - explanation.loss[2]).abs() <= 1e-12,
                "{id}: the losses by kind do not sum to the total"
            );
            let costly = explanation
                .reached
                .windows(2)
                .all(|two| two[0].average_loss() >= two[1].average_loss());
            assert!(costly, "{id}: positions are not sorted by loss");
        }
    }
}

#[test]
fn a_best_response_loses_nothing() {
    for id in GAMES {
        let game = game(id, Some(40));
        for (strategy, opponent) in
            [("beat:always_roll:5", "always_roll:5"), ("optimal", "optimal")]
        {
            let plans = [named(&game, strategy), named(&game, opponent)];
            let explanation = explain(&game, [&plans[0], &plans[1]], &Watch::silent()).unwrap();
            assert_eq!(explanation.loss, [0.0; 3], "{id}: {strategy}");
            assert!(explanation.by_mistake().iter().all(|(_, positions, _)| *positions == 0));
        }
    }
}

#[test]
fn playing_for_ever_is_a_kind_of_mistake() {
    // Both pass at 7-13 and similar positions; a player who could leave with more than a half loses
    // by staying.
    let game = game("nju21", None);
    let zero = named(&game, "always_roll:0");
    let passers: Vec<Plan> =
        (0..40).map(|seed| Plan::tabulate(game.states(), &Mixed(seed)).unwrap()).collect();
    let mut found = 0;
    for passer in &passers {
        let explanation = explain(&game, [&zero, passer], &Watch::silent()).unwrap();
        let gap = explanation.best[2] - explanation.rate[2];
        assert!((explanation.loss[2] - gap).abs() <= 1e-12, "{} {gap}", explanation.loss[2]);
        found += explanation
            .by_mistake()
            .iter()
            .filter(|(kind, n, _)| *kind == Mistake::NeverEnds && *n > 0)
            .count();
    }
    assert!(found > 0, "no game went on for ever by mistake");
}
