//! The numbers of a student's function that are worth tuning: those with a default in the function
//! that was rated, and in the functions of the file that it calls.

/// A function at the margin of a Python file.
struct Definition<'t> {
    name: &'t str,
    /// The names of its parameters, and the defaults that are whole numbers.
    parameters: Vec<(&'t str, Option<i64>)>,
    body: &'t str,
}

/// A number that a function takes after the two scores.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TunableNumber {
    /// The function's name.
    pub function: String,
    /// The number's name.
    pub number: String,
    /// Its default.
    pub value: i64,
}

/// Returns the numbers of a function, and of those that it calls.
pub(super) fn tunable_numbers(program: &str, rated: &str) -> Vec<TunableNumber> {
    let all: Vec<Definition> = definitions(program);
    let mut reached: Vec<&Definition> = all.iter().filter(|one| one.name == rated).collect();
    let mut next = 0;
    while let Some(caller) = reached.get(next).copied() {
        for one in &all {
            let is_known = reached.iter().any(|known| known.name == one.name);
            if !is_known && calls(caller.body, one.name) {
                reached.push(one);
            }
        }
        next += 1;
    }
    let mut numbers = Vec::new();
    for Definition { name, parameters, .. } in reached {
        let [(_, None), (_, None), rest @ ..] = &parameters[..] else { continue };
        for (number, value) in rest {
            let function = (*name).to_owned();
            let number = (*number).to_owned();
            numbers.extend(value.map(|value| TunableNumber { function, number, value }));
        }
    }
    numbers
}

/// Whether a text calls a function.
fn calls(body: &str, function: &str) -> bool {
    body.match_indices(function).any(|(place, _)| {
        !body[..place].ends_with(|c: char| c.is_alphanumeric() || c == '_')
            && body[place + function.len()..].trim_start().starts_with('(')
    })
}

/// Returns the functions at the margin of a file.
fn definitions(program: &str) -> Vec<Definition<'_>> {
    let mut found = Vec::new();
    for text in program.strip_prefix("def ").into_iter().chain(program.split("\ndef ").skip(1)) {
        let Some((name, rest)) = text.split_once('(') else { continue };
        let Some((parameters, body)) = rest.split_once(')') else { continue };
        // What stands at the margin after the function is not its own.
        let end = body.match_indices('\n').find(|(place, _)| {
            body[place + 1..].starts_with(|c: char| !c.is_whitespace() && c != '#')
        });
        let body = &body[..end.map_or(body.len(), |(place, _)| place)];
        let parameters = parameters.split(',').map(parameter).collect();
        found.push(Definition { name: name.trim(), parameters, body });
    }
    found
}

/// Reads `margin`, `margin=8` or `margin: int = 8`.
fn parameter(text: &str) -> (&str, Option<i64>) {
    let (name, default) = text.split_once('=').unwrap_or((text, ""));
    let name = name.split(':').next().unwrap_or_default().trim();
    // A default that is no number is none that can be tuned, but it is one.
    let value = default.trim().parse().ok();
    (name, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "\
def play(one, two, first=0):
    return careful(first, 0)

def careful(score, opponent, dice: int = 4, *, margin=8,
            name='x'):
    return dice

def unused(score, opponent, n=1):
    return n

def final_strategy(score, opponent, limit=3):
    return careful (score, opponent)

print(unused(0, 0))
";

    #[test]
    fn the_numbers_of_the_rated_function_come_before_those_of_what_it_calls() {
        let numbers = |rated: &str| {
            let found = tunable_numbers(PROGRAM, rated).into_iter();
            found.map(|one| (one.function, one.number, one.value)).collect::<Vec<_>>()
        };
        let own = |function: &str, number: &str, value| (function.into(), number.into(), value);
        let careful = [own("careful", "dice", 4), own("careful", "margin", 8)];
        let [dice, margin] = careful.clone();
        assert_eq!(numbers("final_strategy"), [own("final_strategy", "limit", 3), dice, margin]);
        assert_eq!(numbers("careful"), careful);
        assert_eq!(numbers("unused"), [own("unused", "n", 1)]);
        assert_eq!(numbers("missing"), []);
    }
}
