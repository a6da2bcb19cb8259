//! Families of strategies: a strategy whose numbers take every value of a range, as in
//! `bacon_strategy:0..20,0..10`.

use crate::limits;

use super::jeopardy::DIE;
use super::{Jeopardy, Strategy, StrategyError};

/// Strategies that differ only in some of their numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// The family as written by the user.
    pub text: String,
    /// The names of the numbers that vary.
    pub parameters: Vec<String>,
    /// The values of the numbers in the order of `parameters`, and the strategy with these values.
    /// The last number varies fastest.
    pub members: Vec<(Vec<i64>, Strategy)>,
}

/// A number that varies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// The number's name.
    pub name: String,
    /// The values it takes.
    pub values: Vec<i64>,
}

impl Varied {
    /// Parses `NAME=A..B`, `NAME=A..B:STEP` or `NAME=A,B,C`. Ranges include both ends.
    ///
    /// # Errors
    /// Returns a message if the text has none of these forms, or a range is empty or too long.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, values) =
            text.split_once('=').ok_or("write NAME=A..B, as in threshold=0..20")?;
        if let Some(more) = values.split(',').skip(1).find(|part| part.contains('=')) {
            return Err(format!(
                "one number at a time: `{}` and `{}`",
                text[..text.find(more).unwrap_or(0)].trim_end_matches(','),
                more.trim()
            ));
        }
        let values = values.split(',').map(range).collect::<Result<Vec<_>, _>>()?.concat();
        if name.trim().is_empty() {
            return Err("write NAME=A..B, as in threshold=0..20".into());
        }
        Ok(Self { name: name.trim().into(), values })
    }
}

/// Whether a text is `A-B`, as other programs write ranges; [`range`] refuses it.
fn is_dashed(text: &str) -> bool {
    text.split_once(['-', '–']).is_some_and(|(first, last)| {
        [first, last].iter().all(|end| end.trim().parse::<u32>().is_ok())
    })
}

/// Parses an end or the step of a range.
fn number(text: &str) -> Result<i64, String> {
    match text.trim() {
        "" => Err("a range has two ends, as in 0..20".to_owned()),
        text => text.parse().map_err(|_| match text.split_once(['-', '–', ':']) {
            Some((first, last))
                if [first, last].iter().all(|end| end.trim().parse::<i64>().is_ok()) =>
            {
                format!(
                    "`{text}` is not a whole number; write the range as {}..{}",
                    first.trim(),
                    last.trim()
                )
            }
            _ => format!("`{text}` is not a whole number"),
        }),
    }
}

/// Parses `A..B`, `A..B:STEP` or a single number and returns its values.
fn range(text: &str) -> Result<Vec<i64>, String> {
    let Some((first, rest)) = text.split_once("..") else { return Ok(vec![number(text)?]) };
    let (last, step) = match rest.split_once(':') {
        Some((last, step)) => (number(last)?, number(step)?),
        None => (number(rest)?, 1),
    };
    let first = number(first)?;
    if step <= 0 {
        return Err(format!("`{text}` has the step {step}; write 1 or more, as in 0..20:5"));
    }
    if first > last {
        return Err(format!(
            "`{text}` contains no number; write the smaller end first, as in 0..20"
        ));
    }
    if last.abs_diff(first) / step as u64 >= limits::FAMILY_MEMBERS as u64 {
        return Err(format!("`{text}` has more than {} values", limits::FAMILY_MEMBERS));
    }
    Ok((first..=last).step_by(step as usize).collect())
}

/// Returns an error if a number is varied twice, or there are too many strategies.
fn refuse_ranges(varied: &[Varied]) -> Result<(), String> {
    for (at, Varied { name, .. }) in varied.iter().enumerate() {
        if varied[..at].iter().any(|other| other.name == *name) {
            return Err(format!("`{name}` is varied twice; leave one of its ranges out"));
        }
    }
    let members =
        varied.iter().try_fold(1usize, |all, varied| all.checked_mul(varied.values.len()));
    if members.is_none_or(|members| members > limits::FAMILY_MEMBERS) {
        return Err(format!(
            "the family has more than {} strategies; vary fewer numbers, or use steps, as in \
             0..100:5",
            limits::FAMILY_MEMBERS
        ));
    }
    Ok(())
}

/// What to write for a strategy of which no number varies.
fn how_to_vary(name: &str, strategy: &Strategy) -> String {
    match &strategy.parameters()[..] {
        [] => "write ranges for its numbers, as in boar_strategy:0..20,0..10".to_owned(),
        ["points"] => format!("write a range for its number, as in {name}:15..25"),
        [_] => format!("write a range for its number, as in {name}:0..10"),
        _ => format!("write ranges for its numbers, as in {name}:0..20,0..10"),
    }
}

impl Family {
    /// Parses a strategy of the course or a Python file. The ranges are written in place of its
    /// numbers, or given by `vary`.
    ///
    /// # Errors
    /// Returns an error if the text is not a strategy, no number varies, or there are more than
    /// [`limits::FAMILY_MEMBERS`] strategies.
    pub fn parse(text: &str, vary: &[Varied]) -> Result<Self, StrategyError> {
        let unfit = |reason: String| StrategyError::NoFamily { text: text.to_owned(), reason };
        let mut varied = vary.to_vec();
        let (name, arguments) =
            text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let has_range =
            |arguments: &&str| arguments.contains("..") || arguments.split(',').any(is_dashed);
        let sample: Strategy = match arguments.filter(has_range) {
            Some(arguments) => {
                let mut values = Vec::new();
                let mut first = Vec::new();
                for argument in arguments.split(',') {
                    let at = if argument.starts_with(DIE) { DIE.len() } else { 0 };
                    let (named, written) = argument.split_at(at);
                    let of_argument = range(written).map_err(unfit)?;
                    first.push(format!("{named}{}", of_argument[0]));
                    values.push(of_argument);
                }
                let sample: Strategy = format!("{name}:{}", first.join(",")).parse()?;
                let names = sample.parameters().into_iter().map(str::to_owned);
                let ranges = names.zip(values).map(|(name, values)| Varied { name, values });
                // As without ranges, a number that is also varied by its name need not be left out.
                let is_given = |range: &Varied| vary.iter().any(|varied| varied.name == range.name);
                varied.extend(ranges.filter(|range| range.values.len() > 1 || !is_given(range)));
                sample
            }
            None => text.parse()?,
        };
        if varied.is_empty() {
            let how = how_to_vary(name, &sample);
            return Err(unfit(format!("none of its numbers varies: {how}")));
        }
        refuse_ranges(&varied).map_err(unfit)?;
        let mut members = Vec::new();
        for values in combinations(&varied) {
            let names = varied.iter().map(|varied| varied.name.clone());
            let numbers: Vec<(String, i64)> = names.zip(values.iter().copied()).collect();
            members.push((values, sample.with_numbers(&numbers).map_err(unfit)?));
        }
        let parameters = varied.into_iter().map(|varied| varied.name).collect();
        Ok(Self { text: text.to_owned(), members, parameters })
    }
}

impl Strategy {
    /// Returns the names of the numbers in the strategy's written form, in order. Those of a Python
    /// file are not known.
    pub fn parameters(&self) -> Vec<&'static str> {
        match self {
            Self::AlwaysRoll(_) => vec!["n"],
            Self::Course(course) => course.parameters().into(),
            Self::Jeopardy(Jeopardy::HoldAt(_)) => vec!["points"],
            Self::Jeopardy(Jeopardy::BankAt(numbers)) => numbers.parameters(),
            _ => Vec::new(),
        }
    }

    /// Returns the strategy with some numbers changed. They are named as in the course's handouts,
    /// or are keyword arguments of a Python function.
    ///
    /// # Errors
    /// Returns a message that lists the strategy's names if a name or a value does not fit.
    pub fn with_numbers(&self, numbers: &[(String, i64)]) -> Result<Self, String> {
        let mut changed = self.clone();
        for (name, value) in numbers {
            let fits = match &mut changed {
                Self::AlwaysRoll(dice) if name == "n" => i32::try_from(*value).is_ok_and(|value| {
                    *dice = value;
                    true
                }),
                Self::Course(course) => course.set(name, *value),
                Self::Jeopardy(Jeopardy::HoldAt(points)) if name == "points" && *value > 0 => {
                    *points = *value;
                    true
                }
                Self::Jeopardy(Jeopardy::BankAt(numbers)) => numbers.set(name, *value),
                Self::Python(file) => file.set(name, *value),
                _ => false,
            };
            if !fits {
                let names = self.parameters();
                let known = if names.is_empty() {
                    "it has none".into()
                } else {
                    format!("it has {}", names.join(" and "))
                };
                return Err(if names.contains(&name.as_str()) {
                    format!("its parameter `{name}` cannot be {value}")
                } else {
                    format!("it has no parameter `{name}`; {known}")
                });
            }
        }
        Ok(changed)
    }
}

/// Returns the Cartesian product of the values; the last number varies fastest.
fn combinations(varied: &[Varied]) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for Varied { values, .. } in varied {
        let mut longer = Vec::with_capacity(all.len() * values.len());
        for first in &all {
            longer.extend(values.iter().map(|value| [&first[..], &[*value]].concat()));
        }
        all = longer;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_has_a_member_for_each_combination_of_values() {
        let family = Family::parse("boar_strategy:8..10,5..6", &[]).unwrap();
        assert_eq!(family.parameters, ["threshold", "num_rolls"]);
        let names: Vec<String> =
            family.members.iter().map(|(_, strategy)| strategy.to_string()).collect();
        let expected = ["8,5", "8,6", "9,5", "9,6", "10,5", "10,6"]
            .map(|rest| format!("boar_strategy:{rest}"));
        assert_eq!(names, expected);
        assert_eq!(family.members[3].0, [9, 6]);
        let vary = [Varied::parse("cutoff=0..20:10").unwrap()];
        let named = Family::parse("hog_pile_strategy:8,5", &vary).unwrap();
        let names: Vec<String> =
            named.members.iter().map(|(_, strategy)| strategy.to_string()).collect();
        assert_eq!(names, ["0,5", "10,5", "20,5"].map(|rest| format!("hog_pile_strategy:{rest}")));
        let mixed =
            Family::parse("boar_strategy:8..9,5", &[Varied::parse("num_rolls=3,4").unwrap()])
                .unwrap();
        assert_eq!(
            (mixed.parameters.len(), mixed.members.len()),
            (2, 4),
            "the range replaces the number 5"
        );
        assert_eq!(Varied::parse("goal=20,50..52").unwrap().values, [20, 50, 51, 52]);
        assert_eq!(Family::parse("always_roll:0..10", &[]).unwrap().parameters, ["n"]);
    }

    #[test]
    fn invalid_families_are_refused_with_a_reason() {
        let refused = |text: &str, vary: &[&str]| {
            let vary: Vec<Varied> = vary.iter().map(|text| Varied::parse(text).unwrap()).collect();
            Family::parse(text, &vary).unwrap_err().to_string()
        };
        assert!(refused("boar_strategy:8,5", &[]).contains("as in boar_strategy:0..20,0..10"));
        assert!(refused("always_roll:4", &[]).ends_with("as in always_roll:0..10"));
        // What is suggested is a family.
        let advised = refused("hold_at:20", &[]);
        assert!(Family::parse(advised.rsplit(' ').next().unwrap(), &[]).is_ok(), "{advised}");
        assert!(!refused("boar_strategy:8,5", &[]).contains("not a strategy"));
        assert!(refused("boar_strategy:9..8,5", &[]).contains("contains no number"));
        assert!(refused("boar_strategy:0..999,0..999", &[]).contains("more than 20000"));
        assert!(refused("boar_strategy:0..99999999999", &[]).contains("more than 20000"));
        assert!(
            refused("boar_strategy", &["cutof=1..2"]).contains("threshold"),
            "the message lists the known names"
        );
        assert!(refused("optimal", &["n=1..2"]).contains("no parameter `n`"));
        for (text, vary) in [
            ("boar_strategy:8,4..5", &["num_rolls=1..3"][..]),
            ("boar_strategy:8,4", &["num_rolls=1..3", "num_rolls=4..5"]),
        ] {
            assert!(refused(text, vary).contains("`num_rolls` is varied twice"), "{text}");
        }
        assert!(refused("hold_at:20", &["points=0..2"]).contains("`points` cannot be 0"));
        assert!(Varied::parse("a=1..2,b=3..4").unwrap_err().contains("`a=1..2` and `b=3..4`"));
        assert!(Varied::parse("a=1-5").unwrap_err().contains("write the range as 1..5"));
        assert!(refused("boar_strategy:0-20,5", &[]).contains("write the range as 0..20"));
        for text in ["threshold", "=1..2", "a=x..2", "a=1..2:0", "a="] {
            assert!(Varied::parse(text).is_err(), "{text}");
        }
    }
}
