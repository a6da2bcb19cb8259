//! Interval arithmetic: the ranges of parts of a formula. Operations that cannot fail on their
//! ranges are not checked.

use super::Operator;

/// The integers from the first to the second, both included.
pub(super) type IntegerInterval = (i64, i64);

/// The smallest interval that contains both.
pub(super) fn hull(a: IntegerInterval, b: IntegerInterval) -> IntegerInterval {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The number of integers in an interval; `None` if it overflows.
pub(super) fn count(interval: IntegerInterval) -> Option<usize> {
    usize::try_from(interval.1.checked_sub(interval.0)?.checked_add(1)?).ok()
}

/// Extends an interval that contains 0 to ends at powers of two (or 0). The parts of a tabulation
/// have slightly different ranges; rounding makes most of them equal, so that they share lookups.
pub(super) fn rounded(interval: IntegerInterval) -> IntegerInterval {
    let least = if interval.0 == i64::MIN { i64::MIN } else { -power_from(interval.0) };
    let most = power_from(interval.1);
    (if interval.0 < 0 { least } else { 0 }, if interval.1 > 0 { most } else { 0 })
}

/// Returns the least power of two that is no less than a number without its sign.
fn power_from(n: i64) -> i64 {
    let power = n.unsigned_abs().checked_next_power_of_two();
    power.map_or(i64::MAX, |power| power.min(i64::MAX as u64) as i64)
}

/// Returns an interval that contains all results of an operation on numbers from `a` and `b`;
/// `None` if it may fail for some of them (division by zero, overflow).
pub(super) fn of_operation(
    operator: Operator,
    a: IntegerInterval,
    b: IntegerInterval,
) -> Option<IntegerInterval> {
    let divides = b.0 > 0 || (b.1 < 0 && a.0 > i64::MIN);
    match operator {
        Operator::Divide | Operator::Remainder if !divides => None,
        Operator::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        Operator::Subtract => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        Operator::Multiply => corners(a, b, i64::checked_mul),
        Operator::Divide => corners(a, b, i64::checked_div),
        Operator::Remainder => {
            let most = (b.0.unsigned_abs().max(b.1.unsigned_abs()) - 1).min(i64::MAX as u64) as i64;
            Some((a.0.min(0).max(-most), a.1.max(0).min(most)))
        }
        _ => Some((0, 1)),
    }
}

/// Returns the hull of an operation's results at the ends of both intervals. It must be monotone in
/// each operand.
fn corners(
    a: IntegerInterval,
    b: IntegerInterval,
    apply: fn(i64, i64) -> Option<i64>,
) -> Option<IntegerInterval> {
    let ends = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let mut results = ends.into_iter().map(|(a, b)| apply(a, b));
    let first = results.next()??;
    results.try_fold((first, first), |hull, result| {
        result.map(|result| (hull.0.min(result), hull.1.max(result)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_lies_in_the_interval_of_its_operation() {
        use Operator::{Add, Divide, Less, Multiply, Remainder, Subtract};
        let intervals = [(-7, -2), (-3, 4), (0, 5), (1, 9), (6, 6)];
        for operator in [Add, Subtract, Multiply, Divide, Remainder, Less] {
            for (a, b) in intervals.iter().flat_map(|a| intervals.iter().map(move |b| (*a, *b))) {
                let results =
                    (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| operator.apply(x, y)));
                match of_operation(operator, a, b) {
                    Some((least, most)) => {
                        results.for_each(|r| {
                            assert!(r.is_some_and(|r| (least..=most).contains(&r)), "{operator:?}")
                        });
                    }
                    None => {
                        assert!((b.0..=b.1).contains(&0) && matches!(operator, Divide | Remainder))
                    }
                }
            }
        }
        assert_eq!(of_operation(Add, (0, i64::MAX), (0, 1)), None);
        assert_eq!(of_operation(Divide, (i64::MIN, 0), (-1, -1)), None);
        assert_eq!(of_operation(Remainder, (i64::MIN, 0), (-1, -1)), None);
    }
}
