//! `beat:mix(A*2,B)`: the best table found against a mixture in which A is the opponent twice as
//! often as B. The table does not know which of them it plays.
//!
//! Like every strategy it is a function of the state, and so cannot infer the opponent from earlier
//! moves. It is a local maximum: changing any single entry does not improve it (see
//! [`crate::partial::HiddenSearch`]).

use std::fmt;

use super::{Sources, Strategy, StrategyError};
use crate::game::{Game, Plan};
use crate::limits;
use crate::partial::{HiddenSearch, OpponentMix, Sees};
use crate::solve::Watch;

/// The number of perturbed tables from which the search is restarted.
const TRIES: usize = 16;

/// Displays a mixture as `mix(A*2,B)`.
pub(super) struct MixName<'a>(pub &'a [(Strategy, u32)]);

impl fmt::Display for MixName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("mix(")?;
        for (place, (strategy, weight)) in self.0.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            write!(f, "{comma}{strategy}")?;
            if *weight != 1 {
                write!(f, "*{weight}")?;
            }
        }
        f.write_str(")")
    }
}

/// Parses `mix(A*2,B)`.
pub(super) fn parse(text: &str) -> Result<Vec<(Strategy, u32)>, StrategyError> {
    let unknown =
        |reason: &str| StrategyError::Unknown { text: text.to_owned(), reason: reason.to_owned() };
    let inside = text.strip_prefix("mix(").and_then(|rest| rest.strip_suffix(')'));
    let inside =
        inside.ok_or_else(|| unknown("a mix ends with a closing parenthesis, as in mix(A*2,B)"))?;
    let parts = parts(inside);
    let mut field = Vec::new();
    if parts.len() > limits::MIXED_STRATEGIES {
        return Err(unknown(&format!(
            "a mix has at most {} strategies, not {}",
            limits::MIXED_STRATEGIES,
            parts.len()
        )));
    }
    for part in parts {
        let weighted = part
            .rsplit_once('*')
            .and_then(|(name, weight)| Some((name, weight.trim().parse::<u32>().ok()?)));
        let (name, weight) = weighted.unwrap_or((part, 1));
        if weight == 0 {
            return Err(unknown("the weights of a mix are whole numbers above 0"));
        }
        field.push((name.trim().parse()?, weight));
    }
    Ok(field)
}

/// Splits a mixture at the commas between its strategies: those outside parentheses and not within
/// a strategy's arguments.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (place, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            // A comma within a strategy's arguments is followed by a digit.
            ',' if depth == 0
                && !text[place + 1..].trim_start().starts_with(|c: char| c.is_ascii_digit()) =>
            {
                parts.push(&text[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Returns the best table found against a mixture. A search that `watch` stops is an error: the
/// table found so far would not be the same every time.
pub(super) fn answer(
    field: &[(Strategy, u32)],
    sources: &Sources,
    game: &Game,
    watch: &Watch,
) -> Result<Plan, StrategyError> {
    HiddenSearch::admit(game, field.len(), watch)?;
    let plans = field.iter().map(|(strategy, weight)| {
        Ok((strategy.plan_from(sources, game, watch)?, f64::from(*weight)))
    });
    let field = OpponentMix::new(plans.collect::<Result<_, StrategyError>>()?)?;
    let search = HiddenSearch { sees: Sees::State, tries: TRIES, seed: 0 };
    Ok(search.table(game, &field, watch)?)
}
