//! Tests of the number functions against their definitions.

use super::*;

fn call(name: &str, args: &[i64]) -> Option<i64> {
    (FUNCTIONS[find(name).expect("a listed function")].apply)(args)
}

#[test]
fn digits_are_indexed_from_the_right_and_missing_digits_are_zero() {
    assert_eq!(call("ones", &[107]), Some(7));
    assert_eq!(call("tens", &[7]), Some(0));
    assert_eq!(call("digit", &[321, 2]), Some(3));
    assert_eq!(call("first", &[124]), Some(1));
    assert_eq!(call("first", &[0]), Some(0));
    let leading: Vec<_> =
        [0, 7, 43, 104, 9876].iter().map(|n| call("leading", &[*n, 2]).unwrap()).collect();
    assert_eq!(leading, [0, 7, 43, 10, 98]);
    assert_eq!(call("leading", &[-1, 2]), None);
}

#[test]
fn number_theory_agrees_with_tables() {
    let primes: Vec<i64> = (0..30).filter(|&n| call("is_prime", &[n]) == Some(1)).collect();
    assert_eq!(primes, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]);
    assert_eq!(call("next_prime", &[13]), Some(17));
    assert_eq!(call("divisors", &[36]), Some(9));
    assert_eq!(call("divisors", &[0]), None);
    assert_eq!([i64::MIN, -1, 0, 1].map(|n| call("is_prime", &[n])), [Some(0); 4]);
    assert_eq!([i64::MIN, -1, 0, 1].map(|n| call("next_prime", &[n])), [Some(2); 4]);
    assert_eq!(call("next_square", &[16]), Some(25));
    assert_eq!(call("next_square", &[-3]), Some(0));
    assert_eq!(call("is_cube", &[27]), Some(1));
    assert_eq!(call("gcd", &[60, 36]), Some(12));
    assert_eq!(call("gcd", &[60, 0]), Some(60));
}

#[test]
fn primes_and_divisors_agree_with_trial_division() {
    let counted = |n: u32| (1..=n).filter(|d| n.is_multiple_of(*d)).count() as i64;
    let by_roots =
        |n: u32| n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
    for n in (1..3000).chain(65_530..65_550) {
        assert_eq!((divisors(n.into()), is_prime(n)), (Some(counted(n)), by_roots(n)), "{n}");
    }
    // Products of two primes near 31,623, strong pseudoprimes to base 2, and the last primes of the
    // range.
    for (n, count) in [
        (999_962_000_357, None),
        (999_950_884, Some(27)),
        (3_215_031_751, None),
        (25_326_001, Some(4)),
    ] {
        assert_eq!(divisors(n), count, "{n}");
    }
    for n in (999_999_800..=1_000_000_000).chain([
        2047,
        1_373_653,
        25_326_001,
        3_215_031_751,
        4_294_967_291,
    ]) {
        let prime = n % 2 != 0
            && (3..)
                .step_by(2)
                .take_while(|d| u64::from(*d).pow(2) <= u64::from(n))
                .all(|d: u32| n % d != 0);
        assert_eq!(is_prime(n), prime, "{n}");
    }
}

/// A regression test: `next_prime(9223372036854775000 + score)` did not terminate.
#[test]
fn arguments_outside_the_stated_ranges_have_no_value() {
    for name in ["is_prime", "next_prime", "divisors"] {
        assert!(call(name, &[1_000_000_000]).is_some(), "{name}");
        assert_eq!([1_000_000_001, i64::MAX].map(|n| call(name, &[n])), [None; 2], "{name}");
    }
    assert_eq!(call("next_prime", &[1_000_000_000]), Some(1_000_000_007));
    assert_eq!(call("power_first_digit", &[1_000_000, 100_000]), Some(1));
    for arguments in [[0, 1], [1_000_001, 1], [2, 100_001], [2, -1], [i64::MAX, 2]] {
        assert_eq!(call("power_first_digit", &arguments), None, "{arguments:?}");
    }
}

#[test]
fn decimals_of_fractions_and_of_pi() {
    let sevenths: Vec<_> = (1..=7).map(|n| call("decimal_digit", &[1, 7, n]).unwrap()).collect();
    assert_eq!(sevenths, [1, 4, 2, 8, 5, 7, 1]);
    assert_eq!(call("decimal_digit", &[1, 21, 13]), Some(0));
    assert_eq!(call("decimal_digit", &[1, 7, 0]), None);
    assert_eq!(PI_DECIMALS.len(), 1000);
    assert_eq!(call("pi_digit", &[0]), Some(3));
    assert_eq!(call("pi_digit", &[1000]), Some(9));
    assert_eq!([1001, -1, i64::MIN].map(|n| call("pi_digit", &[n])), [None; 3]);
}

#[test]
fn powers_of_three_as_in_the_nanjing_handout() {
    assert_eq!(call("power_first_digit", &[3, 27]), Some(7));
    assert_eq!(call("power_last_digit", &[3, 27]), Some(7));
    assert_eq!(call("power_first_digit", &[3, 0]), Some(1));
    // 3^200 = 26561398887587476933878132203577962682923345265339
    //         4495974574961739092490901302182994384699044001
    assert_eq!(call("power_first_digit", &[3, 200]), Some(2));
}

#[test]
fn leading_digits_of_large_powers_agree_with_exact_powers() {
    for base in [2u64, 3, 10, 999, u64::MAX] {
        let mut power = dashu_int::UBig::ONE;
        for exponent in 0..600 {
            let digit = power.to_string().bytes().next().map(|c| i64::from(c - b'0'));
            for found in
                [leading_digit_by_logarithm(base, exponent), leading_digit_of_sixty(base, exponent)]
            {
                assert!([None, digit].contains(&found), "{base}^{exponent}: {found:?}");
            }
            power *= dashu_int::UBig::from(base);
        }
    }
    // Powers that begin with 3.0000004, 9.9999995, 1.9999999 and 1.0000004, where the logarithm
    // does not decide.
    for (base, exponent, digit) in
        [(671_158, 100_000, 3), (798_434, 99_999, 9), (572_006, 99_999, 1), (382_636, 99_999, 1)]
    {
        assert_eq!(leading_digit_by_logarithm(base, exponent), None, "{base}^{exponent}");
        assert_eq!(leading_digit_of_sixty(base, exponent), Some(digit), "{base}^{exponent}");
    }
    assert_eq!(call("power_first_digit", &[10, 5000]), Some(1));
    assert_eq!(call("power_first_digit", &[9_999, 2]), Some(9));
}
