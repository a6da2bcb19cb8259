//! The number functions that formulas may call, each defined on a stated domain.

use crate::limits;
use dashu_int::UBig;

/// A number function of the formula language.
pub struct FormulaFunction {
    /// The name of the function in formulas.
    pub name: &'static str,
    /// The smallest and the largest number of arguments.
    pub arity: (usize, usize),
    /// Whether the result is a truth value.
    pub is_test: bool,
    /// A one-line description for `hog rules functions`.
    pub meaning: &'static str,
    /// Computes the value, or `None` outside the function's domain or if it does not fit 64 bits.
    pub apply: fn(&[i64]) -> Option<i64>,
}

/// The decimals of pi for the function `pi_digit`.
const PI_DECIMALS: &[u8] = b"\
        14159265358979323846264338327950288419716939937510582097494459230781640628620899\
        86280348253421170679821480865132823066470938446095505822317253594081284811174502\
        84102701938521105559644622948954930381964428810975665933446128475648233786783165\
        27120190914564856692346034861045432664821339360726024914127372458700660631558817\
        48815209209628292540917153643678925903600113305305488204665213841469519415116094\
        33057270365759591953092186117381932611793105118548074462379962749567351885752724\
        89122793818301194912983367336244065664308602139494639522473719070217986094370277\
        05392171762931767523846748184676694051320005681271452635608277857713427577896091\
        73637178721468440901224953430146549585371050792279689258923542019956112129021960\
        86403441815981362977477130996051870721134999999837297804995105973173281609631859\
        50244594553469083026425223082533446850352619311881710100031378387528865875332083\
        81420617177669147303598253490428755468731159562863882353787593751957781857780532\
        1712268066130019278766111959092164201989";

macro_rules! function {
    ($name:literal, $few:literal..=$many:expr, $test:literal, $meaning:literal, $apply:expr) => {
        FormulaFunction {
            name: $name,
            arity: ($few, $many),
            is_test: $test,
            meaning: $meaning,
            apply: $apply,
        }
    };
}

/// All number functions, in the order in which they are listed for users.
pub const FUNCTIONS: &[FormulaFunction] = &[
    function!("ones", 1..=1, false, "ones(n): the ones digit of n", |a| digit(a[0], 0)),
    function!("tens", 1..=1, false, "tens(n): the tens digit of n (0 below 10)", |a| digit(
        a[0], 1
    )),
    function!("digit", 2..=2, false, "digit(n, i): the digit of n that counts 10^i", |a| digit(
        a[0], a[1]
    )),
    function!("first", 1..=1, false, "first(n): the leftmost digit of n", |a| first(a[0])),
    function!(
        "leading",
        2..=2,
        false,
        "leading(n, k): the number that the k leftmost digits of n form",
        |a| { leading(a[0], a[1]) }
    ),
    function!("min", 2..=8, false, "min(a, b, ...): the smallest", |a| a.iter().copied().min()),
    function!("max", 2..=8, false, "max(a, b, ...): the largest", |a| a.iter().copied().max()),
    function!("abs", 1..=1, false, "abs(n): n without its sign", |a| a[0].checked_abs()),
    function!("pow", 2..=2, false, "pow(a, n): a to the power n >= 0", |a| {
        a[0].checked_pow(u32::try_from(a[1]).ok()?)
    }),
    function!("gcd", 2..=2, false, "gcd(a, b): the greatest common divisor (gcd(n, 0) = n)", |a| {
        gcd(a[0], a[1])
    }),
    function!(
        "divisors",
        1..=1,
        false,
        "divisors(n): how many positive divisors n has, 1 <= n <= 10^9",
        |a| divisors(a[0])
    ),
    function!(
        "is_prime",
        1..=1,
        true,
        "is_prime(n): whether n is a prime number, n <= 10^9",
        |a| {
            (a[0] <= limits::PRIME_ARGUMENT).then(|| u32::try_from(a[0]).is_ok_and(is_prime).into())
        }
    ),
    function!(
        "next_prime",
        1..=1,
        false,
        "next_prime(n): the smallest prime above n, n <= 10^9",
        |a| next_prime(a[0])
    ),
    function!("is_square", 1..=1, true, "is_square(n): whether n is a perfect square", |a| {
        Some((a[0] >= 0 && root(a[0], 2)?.pow(2) == a[0]).into())
    }),
    function!(
        "next_square",
        1..=1,
        false,
        "next_square(n): the smallest perfect square above n",
        |a| { (root(a[0].max(0), 2)? + i64::from(a[0] >= 0)).checked_pow(2) }
    ),
    function!("is_cube", 1..=1, true, "is_cube(n): whether n >= 0 is a perfect cube", |a| {
        Some((a[0] >= 0 && root(a[0], 3)?.pow(3) == a[0]).into())
    }),
    function!(
        "smallest_digit",
        1..=1,
        false,
        "smallest_digit(n): the smallest digit of n >= 0, no leading zeros",
        |a| { digits(a[0])?.into_iter().min() }
    ),
    function!(
        "largest_digit",
        1..=1,
        false,
        "largest_digit(n): the largest digit of n >= 0",
        |a| { digits(a[0])?.into_iter().max() }
    ),
    function!(
        "alternating_digit_sum",
        1..=1,
        false,
        "alternating_digit_sum(n): ones digit minus tens digit plus hundreds digit ...",
        |a| Some(
            digits(a[0])?.iter().enumerate().map(|(i, d)| if i % 2 == 0 { *d } else { -d }).sum()
        )
    ),
    function!(
        "decimal_digit",
        3..=3,
        false,
        "decimal_digit(a, b, n): the n-th decimal (n >= 1) of a/b, 0 <= a, 0 < b",
        |a| { decimal_digit(a[0], a[1], a[2]) }
    ),
    function!(
        "power_first_digit",
        2..=2,
        false,
        "power_first_digit(a, n): the leftmost digit of a^n, 1 <= a <= 10^6, 0 <= n <= 10^5",
        |a| { power_first_digit(a[0], a[1]) }
    ),
    function!(
        "power_last_digit",
        2..=2,
        false,
        "power_last_digit(a, n): the ones digit of a^n, a >= 0, n >= 0",
        |a| { power_last_digit(a[0], a[1]) }
    ),
    function!(
        "pi_digit",
        1..=1,
        false,
        "pi_digit(n): the n-th decimal of pi (1 to 1000), 3 for n = 0",
        |a| match a[0] {
            0 => Some(3),
            n => PI_DECIMALS.get(usize::try_from(n).ok()? - 1).map(|c| i64::from(c - b'0')),
        }
    ),
    function!(
        "hefty_hogs",
        2..=2,
        false,
        "hefty_hogs(score, opponent): the points of Hefty Hogs (CS 61A, Spring 2022)",
        |a| { hefty_hogs(a[0], a[1]) }
    ),
];

/// Whether the function of multiples of a step is the same multiple of its values in steps.
pub(super) fn keeps_steps(function: usize) -> bool {
    ["min", "max", "abs"].contains(&FUNCTIONS[function].name)
}

/// `count`, which is not a function but stands for one variable for each face: its name and
/// description.
pub const COUNT: (&str, &str) =
    ("count", "count(f): how many dice show the face f (available where pairs is)");

/// `shown`, likewise, in games in which dice are kept.
pub const SHOWN: (&str, &str) =
    ("shown", "shown(f): how many of the dice rolled show the face f, kept or not");

/// Returns the first decimals of pi, at most as many as `pi_digit` knows.
pub(super) fn pi_decimals(count: usize) -> &'static str {
    let known = PI_DECIMALS.len().min(count);
    std::str::from_utf8(&PI_DECIMALS[..known]).expect("digits")
}

/// Returns the index in [`FUNCTIONS`] of the function with this name.
pub fn find(name: &str) -> Option<usize> {
    FUNCTIONS.iter().position(|f| f.name == name)
}

fn digit(n: i64, place: i64) -> Option<i64> {
    let place = u32::try_from(place).ok()?;
    let n = n.unsigned_abs();
    Some(10u64.checked_pow(place).map_or(0, |power| (n / power % 10) as i64))
}

/// The decimal digits of `n >= 0`, from right to left.
fn digits(n: i64) -> Option<Vec<i64>> {
    let mut remaining = u64::try_from(n).ok()?;
    let mut digits = vec![(remaining % 10) as i64];
    while remaining >= 10 {
        remaining /= 10;
        digits.push((remaining % 10) as i64);
    }
    Some(digits)
}

fn first(n: i64) -> Option<i64> {
    digits(n.checked_abs()?)?.last().copied()
}

fn leading(n: i64, count: i64) -> Option<i64> {
    let digits = digits(n)?;
    let kept = digits.iter().rev().take(usize::try_from(count).ok()?);
    Some(kept.fold(0, |number, digit| 10 * number + digit))
}

fn gcd(a: i64, b: i64) -> Option<i64> {
    let mut a = a.checked_abs()?;
    let mut b = b.checked_abs()?;
    while b != 0 {
        (a, b) = (b, a % b);
    }
    Some(a)
}

fn divisors(n: i64) -> Option<i64> {
    let mut cofactor =
        u32::try_from(n).ok().filter(|n| (1..=limits::PRIME_ARGUMENT).contains(&i64::from(*n)))?;
    let mut count = 1;
    let mut d = 2u32;
    while d * d <= cofactor / d {
        let mut times = 1;
        while cofactor.is_multiple_of(d) {
            cofactor /= d;
            times += 1;
        }
        (count, d) = (count * times, d + 1);
    }
    // The cofactor has no divisor up to its cube root: it is 1, a prime, or a product of two (maybe
    // equal) primes.
    Some(match cofactor {
        1 => count,
        prime if is_prime(prime) => 2 * count,
        square if root(square.into(), 2)?.pow(2) == i64::from(square) => 3 * count,
        _ => 4 * count,
    })
}

/// Returns whether a number is prime, by the Miller-Rabin test with bases that are conclusive below
/// 4,759,123,141 (G. Jaeschke, "On strong pseudoprimes to several bases", 1993).
pub fn is_prime(n: u32) -> bool {
    const BASES: [u32; 3] = [2, 7, 61];
    if n < 2 || n.is_multiple_of(2) || BASES.contains(&n) {
        return n == 2 || BASES.contains(&n);
    }
    let odd = (n - 1) >> (n - 1).trailing_zeros();
    let n = u64::from(n);
    BASES.iter().all(|base| {
        let mut exponent = u64::from(odd);
        let mut power = power_of(u64::from(*base) % n, odd, n);
        while exponent != n - 1 && power != 1 && power != n - 1 {
            (exponent, power) = (2 * exponent, power * power % n);
        }
        power == n - 1 || exponent == u64::from(odd) && power == 1
    })
}

/// base^exponent modulo `modulus`, both below 2^32.
fn power_of(mut base: u64, mut exponent: u32, modulus: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % modulus;
        }
        (base, exponent) = (base * base % modulus, exponent >> 1);
    }
    result
}

fn next_prime(n: i64) -> Option<i64> {
    let n = (n <= limits::PRIME_ARGUMENT).then(|| u32::try_from(n).unwrap_or(0))?;
    (n + 1..).find(|p| is_prime(*p)).map(i64::from)
}

/// The integer part of the `degree`-th root of `n >= 0`.
fn root(n: i64, degree: u32) -> Option<i64> {
    let mut guess = (n as f64).powf(1.0 / f64::from(degree)) as i64;
    while guess.checked_pow(degree).is_none_or(|p| p > n) {
        guess -= 1;
    }
    while (guess + 1).checked_pow(degree).is_some_and(|p| p <= n) {
        guess += 1;
    }
    Some(guess)
}

fn decimal_digit(numerator: i64, denominator: i64, place: i64) -> Option<i64> {
    if numerator < 0 || denominator <= 0 || place < 1 {
        return None;
    }
    let base = u128::from(numerator.unsigned_abs());
    let b = u128::from(denominator.unsigned_abs());
    let remainder = base % b * power_mod(10, place.unsigned_abs() - 1, b) % b;
    Some((remainder * 10 / b) as i64)
}

/// base^exponent modulo `modulus`, by repeated squaring; `modulus` below 2^64.
fn power_mod(base: u128, mut exponent: u64, modulus: u128) -> u128 {
    let mut base = base % modulus;
    let mut result = 1 % modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    result
}

fn power_last_digit(base: i64, exponent: i64) -> Option<i64> {
    let base = u128::try_from(base).ok()?;
    Some(power_mod(base, u64::try_from(exponent).ok()?, 10) as i64)
}

fn power_first_digit(base: i64, exponent: i64) -> Option<i64> {
    let base = u64::try_from(base).ok().filter(|b| (1..=1_000_000).contains(b))?;
    let exponent = usize::try_from(exponent).ok().filter(|e| *e <= 100_000)?;
    // The logarithm of a power of ten is an integer, so the test below would always fail.
    if 10u64.checked_pow(base.ilog10()) == Some(base) {
        return Some(1);
    }
    // Powers that fit 128 bits: all that games with the usual goal need.
    if let Some(power) = u32::try_from(exponent).ok().and_then(|e| u128::from(base).checked_pow(e))
    {
        return power.to_string().bytes().next().map(|c| i64::from(c - b'0'));
    }
    leading_digit_by_logarithm(base, exponent)
        .or_else(|| leading_digit_of_sixty(base, exponent))
        .or_else(|| {
            UBig::from(base).pow(exponent).to_string().bytes().next().map(|c| i64::from(c - b'0'))
        })
}

/// Cuts a number after its 60th digit.
fn first_sixty(number: UBig) -> UBig {
    let digits = number.to_string();
    digits[..digits.len().min(60)].parse().expect("digits")
}

/// As [`leading_digit_by_logarithm`], with the first 60 digits: 17 squarings and as many products,
/// each cut after its 60th digit, leave more than the first 40 right. `None` if those after the
/// first digit are all 0 or all 9.
fn leading_digit_of_sixty(base: u64, mut exponent: usize) -> Option<i64> {
    let mut power = UBig::ONE;
    let mut square = UBig::from(base);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = first_sixty(&power * &square);
        }
        square = first_sixty(square.sqr());
        exponent >>= 1;
    }
    let digits = power.to_string();
    let mut after = digits.bytes().skip(1).take(39);
    let is_near = after.clone().all(|c| c == b'0') || after.all(|c| c == b'9');
    (!is_near).then(|| i64::from(digits.as_bytes()[0] - b'0'))
}

/// The leftmost digit of a power with an exponent of at most 100,000; `None` if the logarithm is
/// too close to the boundary between two digits. The logarithm is below 2,000,000, so after a few
/// roundings its error is below 1e-8, and that of ten to the power of its fraction below 1e-6.
fn leading_digit_by_logarithm(base: u64, exponent: usize) -> Option<i64> {
    let leading = 10f64.powf((exponent as f64 * (base as f64).log10()).fract());
    ((leading - leading.round()).abs() > 1e-6).then_some(leading as i64)
}

/// Applies one function for each of the opponent's digits, from right to left, to the mover's
/// score. The published Python code divides and rounds in floats; for scores both give the same
/// integers.
fn hefty_hogs(score: i64, opponent: i64) -> Option<i64> {
    if opponent == 0 {
        return Some(1);
    }
    let mut value = score;
    for digit in digits(opponent)? {
        value = match digit {
            0 => value.checked_add(1)?,
            1 => value.checked_mul(value)?,
            2 => value.checked_mul(3)?,
            3 => value.div_euclid(4),
            4 => value.checked_sub(5)?,
            5 => value.rem_euclid(6),
            6 => value.rem_euclid(7) * 8,
            7 => (value as f64 * 8.8).trunc() as i64,
            8 => (value as f64 / 99.0 * 15.0).trunc() as i64 + 10,
            _ => value,
        };
    }
    Some(value.rem_euclid(30))
}

#[cfg(test)]
mod tests;
