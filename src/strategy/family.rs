//! Families of strategies: one whose numbers run through ranges, as in `bacon_strategy:0..20,0..10`.

use super::{Strategy, StrategyError};

/// Strategies that differ in some numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Family {
    /// As it is written.
    pub text: String,
    /// What the numbers that vary are called.
    pub parameters: Vec<String>,
    /// The values of these numbers, and the strategy with them: the last number varies fastest.
    pub members: Vec<(Vec<i64>, Strategy)>,
}

/// A number that runs through a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Varied {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<i64>,
}

/// The most strategies of a family.
pub const MOST_MEMBERS: usize = 20_000;

impl Varied {
    /// Reads `NAME=A..B`, `NAME=A..B:STEP` or `NAME=A,B,C`; both ends belong to a range.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once('=').ok_or("write NAME=A..B, as in threshold=0..20")?;
        let values = values.split(',').map(range).collect::<Result<Vec<_>, _>>()?.concat();
        if name.trim().is_empty() {
            return Err("write NAME=A..B, as in threshold=0..20".into());
        }
        Ok(Self { name: name.trim().into(), values })
    }
}

/// The values of `A..B`, `A..B:STEP`, or of one number.
fn range(text: &str) -> Result<Vec<i64>, String> {
    let number = |text: &str| match text.trim() {
        "" => Err("a range has two ends, as in 0..20".to_owned()),
        text => text.parse::<i64>().map_err(|_| format!("`{text}` is no whole number")),
    };
    let Some((first, rest)) = text.split_once("..") else { return Ok(vec![number(text)?]) };
    let (last, step) = match rest.split_once(':') {
        Some((last, step)) => (number(last)?, number(step)?),
        None => (number(rest)?, 1),
    };
    let first = number(first)?;
    let (Ok(step), true) = (usize::try_from(step), first <= last && step > 0) else {
        return Err(format!("`{text}` runs through no number; write the smaller first, as in 0..20"));
    };
    if last.abs_diff(first) / step as u64 >= MOST_MEMBERS as u64 {
        return Err(format!("`{text}` has more than {MOST_MEMBERS} values"));
    }
    Ok((first..=last).step_by(step).collect())
}

impl Family {
    /// Reads a strategy of the course or a file, with ranges where its numbers stand, or named by `vary`.
    ///
    /// # Errors
    /// If it is no family, or one of too many strategies.
    pub fn parse(text: &str, vary: &[Varied]) -> Result<Self, StrategyError> {
        let unfit = |reason: String| StrategyError::NoFamily { text: text.to_owned(), reason };
        let mut varied = vary.to_vec();
        let (name, arguments) = text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)));
        let sample: Strategy = match arguments.filter(|arguments| arguments.contains("..")) {
            Some(arguments) => {
                let values = arguments.split(',').map(range).collect::<Result<Vec<_>, _>>().map_err(unfit)?;
                let first: Vec<String> = values.iter().map(|values| values[0].to_string()).collect();
                let sample: Strategy = format!("{name}:{}", first.join(",")).parse()?;
                let names = sample.parameters().into_iter().map(str::to_owned);
                varied.extend(names.zip(values).map(|(name, values)| Varied { name, values }));
                sample
            }
            None => text.parse()?,
        };
        if varied.is_empty() {
            let how = match &sample.parameters()[..] {
                [] => "write ranges for its numbers, as in boar_strategy:0..20,0..10".to_owned(),
                [_] => format!("write a range for its number, as in {name}:0..10"),
                _ => format!("write ranges for its numbers, as in {name}:0..20,0..10"),
            };
            return Err(unfit(format!("no number of it varies: {how}")));
        }
        let members = varied.iter().try_fold(1usize, |all, varied| all.checked_mul(varied.values.len()));
        if members.is_none_or(|members| members > MOST_MEMBERS) {
            return Err(unfit(format!(
                "these are more than {MOST_MEMBERS} strategies; vary fewer numbers, or use steps, as in 0..100:5"
            )));
        }
        let member = |values: Vec<i64>| {
            let numbers: Vec<(String, i64)> =
                varied.iter().map(|varied| varied.name.clone()).zip(values.iter().copied()).collect();
            Ok((values, sample.with_numbers(&numbers).map_err(unfit)?))
        };
        Ok(Self {
            text: text.to_owned(),
            members: combinations(&varied).into_iter().map(member).collect::<Result<_, StrategyError>>()?,
            parameters: varied.into_iter().map(|varied| varied.name).collect(),
        })
    }
}

/// One value of each, in all ways.
fn combinations(varied: &[Varied]) -> Vec<Vec<i64>> {
    varied.iter().fold(vec![Vec::new()], |all, varied| {
        let extended = |values: &Vec<i64>| {
            let values = values.clone();
            varied.values.iter().map(move |value| [&values[..], &[*value]].concat())
        };
        all.iter().flat_map(extended).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_stand_for_all_their_numbers() {
        let family = Family::parse("boar_strategy:8..10,5..6", &[]).unwrap();
        assert_eq!(family.parameters, ["threshold", "num_rolls"]);
        let told: Vec<String> = family.members.iter().map(|(_, strategy)| strategy.to_string()).collect();
        let expected = ["8,5", "8,6", "9,5", "9,6", "10,5", "10,6"].map(|rest| format!("boar_strategy:{rest}"));
        assert_eq!(told, expected);
        assert_eq!(family.members[3].0, [9, 6]);
        let vary = [Varied::parse("cutoff=0..20:10").unwrap()];
        let named = Family::parse("hog_pile_strategy:8,5", &vary).unwrap();
        let told: Vec<String> = named.members.iter().map(|(_, strategy)| strategy.to_string()).collect();
        assert_eq!(told, ["0,5", "10,5", "20,5"].map(|rest| format!("hog_pile_strategy:{rest}")));
        assert_eq!(Varied::parse("goal=20,50..52").unwrap().values, [20, 50, 51, 52]);
        assert_eq!(Family::parse("always_roll:0..10", &[]).unwrap().parameters, ["n"]);
    }

    #[test]
    fn what_is_no_family_is_told() {
        let told = |text: &str, vary: &[&str]| {
            let vary: Vec<Varied> = vary.iter().map(|text| Varied::parse(text).unwrap()).collect();
            Family::parse(text, &vary).unwrap_err().to_string()
        };
        assert!(told("boar_strategy:8,5", &[]).contains("as in boar_strategy:0..20,0..10"));
        assert!(told("always_roll:4", &[]).ends_with("as in always_roll:0..10"));
        assert!(!told("boar_strategy:8,5", &[]).contains("no strategy"));
        assert!(told("boar_strategy:9..8,5", &[]).contains("runs through no number"));
        assert!(told("boar_strategy:0..999,0..999", &[]).contains("more than 20000"));
        assert!(told("boar_strategy:0..99999999999", &[]).contains("more than 20000"));
        assert!(told("boar_strategy", &["cutof=1..2"]).contains("threshold"), "the names it has are told");
        assert!(told("optimal", &["n=1..2"]).contains("no number"));
        for text in ["threshold", "=1..2", "a=x..2", "a=1..2:0", "a="] {
            assert!(Varied::parse(text).is_err(), "{text}");
        }
    }
}
