//! Cases of the courses' own autograders at the edges of their rules: scores of one digit, of
//! three, and past the goal; 0 and 1, primes, squares and divisors.

use hog_rules::rules::{Overrides, load};
use hog_rules::turn::{Position, take_turn};

/// The number of cases, so that a truncated file fails.
const CASES: usize = 196;

/// `zero_dice` is the points of rolling no dice at these scores. In the other rows, `score` is the
/// mover's total after the points of a turn are added: whether the totals are then swapped, whether
/// the mover moves again, or the mover's total after the turn. Graders ask about totals beyond 100,
/// so the goal is far off.
#[test]
fn every_case_of_a_grader_holds() {
    let rows = include_str!("graders.csv").lines().skip(1);
    let (mut count, mut wrong) = (0, Vec::new());
    for row in rows {
        let fields: Vec<&str> = row.split(',').collect();
        let [id, what, score, opponent, expected] = fields[..] else {
            panic!("five fields: {row}")
        };
        let [score, opponent, expected] =
            [score, opponent, expected].map(|n| n.parse::<u32>().unwrap());
        let rules = load(id, Overrides { goal: Some(20_000), max_dice: None }).unwrap();
        // A die that adds no prime, so that no rule on a turn's points applies.
        let faces: Vec<u32> =
            if what == "zero_dice" { Vec::new() } else { vec![if score < 4 { 2 } else { 4 }] };
        let before = score - faces.iter().sum::<u32>();
        let turn = take_turn(&rules, &Position::new(&rules, before, opponent).unwrap(), &faces, 0)
            .unwrap();
        let found = match what {
            "zero_dice" => turn.points,
            "swap" => i64::from([turn.score, turn.opponent] == [opponent, score].map(i64::from)),
            "again" => i64::from(turn.again),
            "total" => turn.score,
            other => panic!("{other}: {row}"),
        };
        if found != i64::from(expected) {
            wrong.push(format!("{row}: {found}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(count, CASES);
}
