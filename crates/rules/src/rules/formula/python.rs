//! Formulas as Python expressions, for strategies that people paste into their own files.

use std::collections::BTreeSet;

use super::functions::{FUNCTIONS, pi_decimals};
use super::{Expression, Formula, Operator, Variable};

/// A formula as a Python expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PythonExpression {
    /// The expression.
    pub text: String,
    /// The functions that it calls and Python lacks, by name: see [`python_definition`].
    pub calls: BTreeSet<&'static str>,
}

impl Formula {
    /// Returns the formula as a Python expression with the same value wherever the formula has one;
    /// `name` gives the Python expression of a variable, an atom that is never negative.
    pub fn python(&self, name: &dyn Fn(Variable) -> String) -> PythonExpression {
        let mut writer = Writer { name, weights: &self.weights, calls: BTreeSet::new() };
        let text = writer.write(&self.expression).0;
        PythonExpression { text, calls: writer.calls }
    }
}

/// How tightly an expression binds; a looser one needs brackets inside a tighter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Conditional,
    Or,
    And,
    Not,
    Comparison,
    Sum,
    Product,
    Negation,
    Power,
    Atom,
}

struct Writer<'a> {
    name: &'a dyn Fn(Variable) -> String,
    weights: &'a [Vec<u32>],
    calls: BTreeSet<&'static str>,
}

impl Writer<'_> {
    fn write(&mut self, expression: &Expression) -> (String, Binding) {
        use Binding as B;
        match expression {
            Expression::Constant(number) if *number < 0 => (number.to_string(), B::Negation),
            Expression::Constant(number) => (number.to_string(), B::Atom),
            Expression::Weights(list) => (format!("{:?}", self.weights[*list]), B::Atom),
            Expression::Variable(variable) => ((self.name)(*variable), B::Atom),
            Expression::Negate(a) => (format!("-{}", self.within(a, B::Negation)), B::Negation),
            Expression::Not(a) => (format!("not {}", self.within(a, B::Not)), B::Not),
            Expression::And(a, b) => {
                (format!("{} and {}", self.within(a, B::And), self.within(b, B::And)), B::And)
            }
            Expression::Or(a, b) => {
                (format!("{} or {}", self.within(a, B::Or), self.within(b, B::Or)), B::Or)
            }
            Expression::Conditional(parts) => {
                let [condition, yes, no] = [
                    self.within(&parts[0], B::Or),
                    self.within(&parts[1], B::Or),
                    self.within(&parts[2], B::Conditional),
                ];
                (format!("{yes} if {condition} else {no}"), B::Conditional)
            }
            Expression::Binary(operator, parts) => self.binary(*operator, &parts[0], &parts[1]),
            Expression::Call(function, arguments) => {
                self.call(FUNCTIONS[*function].name, arguments)
            }
        }
    }

    /// Writes an expression, in brackets if it binds less tightly than `least`.
    fn within(&mut self, expression: &Expression, least: Binding) -> String {
        let (text, binding) = self.write(expression);
        if binding < least { format!("({text})") } else { text }
    }

    fn binary(&mut self, operator: Operator, a: &Expression, b: &Expression) -> (String, Binding) {
        use Binding as B;
        let is_division = matches!(operator, Operator::Divide | Operator::Remainder);
        if is_division && !(is_natural(a) && is_natural(b)) {
            // Python rounds down, formulas toward zero.
            let name = if operator == Operator::Divide { "quotient" } else { "remainder" };
            return self.called(name, &[a, b]);
        }
        let (symbol, binding, right) = match operator {
            Operator::Add => ("+", B::Sum, B::Sum),
            Operator::Subtract => ("-", B::Sum, B::Product),
            Operator::Multiply => ("*", B::Product, B::Product),
            Operator::Divide => ("//", B::Product, B::Negation),
            Operator::Remainder => ("%", B::Product, B::Negation),
            // A comparison of comparisons would be a chain.
            _ => (operator.symbol(), B::Comparison, B::Sum),
        };
        let left = if binding == B::Comparison { B::Sum } else { binding };
        // `a * (b // c)` is not `a * b // c`.
        let right = if operator == Operator::Multiply { B::Negation } else { right };
        (format!("{} {symbol} {}", self.within(a, left), self.within(b, right)), binding)
    }

    /// Writes a call of one of [`FUNCTIONS`], as an expression where that is as short.
    fn call(&mut self, name: &'static str, arguments: &[Expression]) -> (String, Binding) {
        use Binding as B;
        let natural = arguments.iter().all(is_natural);
        match (name, arguments) {
            ("ones", [n]) if natural => {
                (format!("{} % 10", self.within(n, B::Product)), B::Product)
            }
            ("tens", [n]) if natural => {
                (format!("{} // 10 % 10", self.within(n, B::Product)), B::Product)
            }
            ("digit", [n, place]) if natural => {
                let [n, place] = [self.within(n, B::Product), self.within(place, B::Negation)];
                (format!("{n} // 10 ** {place} % 10"), B::Product)
            }
            ("pow", [a, n]) => (
                format!("{} ** {}", self.within(a, B::Atom), self.within(n, B::Negation)),
                B::Power,
            ),
            ("decimal_digit", [a, b, place]) => {
                let a = self.within(a, B::Product);
                let [b, place] = [b, place].map(|part| self.within(part, B::Negation));
                (format!("{a} * 10 ** {place} // {b} % 10"), B::Product)
            }
            ("power_last_digit", [a, n]) => {
                let [a, n] = [a, n].map(|part| self.within(part, B::Conditional));
                (format!("pow({a}, {n}, 10)"), B::Atom)
            }
            _ => self.called(name, &arguments.iter().collect::<Vec<_>>()),
        }
    }

    fn called(&mut self, name: &'static str, arguments: &[&Expression]) -> (String, Binding) {
        if !["min", "max", "abs"].contains(&name) {
            self.calls.insert(name);
        }
        let arguments: Vec<String> =
            arguments.iter().map(|argument| self.within(argument, Binding::Conditional)).collect();
        (format!("{name}({})", arguments.join(", ")), Binding::Atom)
    }
}

/// Whether an expression is certainly not negative, where variables are not.
fn is_natural(expression: &Expression) -> bool {
    match expression {
        Expression::Constant(number) => *number >= 0,
        Expression::Weights(_) | Expression::Negate(_) => false,
        Expression::Variable(_) | Expression::Not(_) | Expression::And(..) | Expression::Or(..) => {
            true
        }
        Expression::Conditional(parts) => is_natural(&parts[1]) && is_natural(&parts[2]),
        Expression::Binary(Operator::Subtract, _) => false,
        Expression::Binary(operator, parts) => operator.compares() || parts.iter().all(is_natural),
        Expression::Call(function, arguments) => match FUNCTIONS[*function].name {
            "min" | "pow" => arguments.iter().all(is_natural),
            "max" => arguments.iter().any(is_natural),
            "alternating_digit_sum" => false,
            _ => true,
        },
    }
}

/// Returns the Python definition of a function that a [`PythonExpression`] calls: lines without
/// indentation. It is right for scores up to `largest`, and for what formulas make of them.
pub fn python_definition(function: &str, largest: u32) -> String {
    let lines: &[&str] = match function {
        "quotient" => &[
            "def quotient(a, b):",
            "    return abs(a) // abs(b) if a * b >= 0 else -(abs(a) // abs(b))",
        ],
        "remainder" => &[
            "def remainder(a, b):",
            "    return abs(a) % abs(b) if a >= 0 else -(abs(a) % abs(b))",
        ],
        "ones" => &["def ones(n):", "    return abs(n) % 10"],
        "tens" => &["def tens(n):", "    return abs(n) // 10 % 10"],
        "digit" => &["def digit(n, place):", "    return abs(n) // 10 ** place % 10"],
        "first" => &["def first(n):", "    return int(str(abs(n))[0])"],
        "leading" => &["def leading(n, digits):", "    return int(str(n)[:digits] or 0)"],
        "gcd" => &["def gcd(a, b):", "    return gcd(b, a % b) if b else abs(a)"],
        "divisors" => &["def divisors(n):", "    return sum(n % d == 0 for d in range(1, n + 1))"],
        "is_prime" => &["def is_prime(n):", "    return n > 1 and all(n % d for d in range(2, n))"],
        "next_prime" => &[
            "def next_prime(n):",
            "    n = max(n, 1) + 1",
            "    while any(n % d == 0 for d in range(2, n)):",
            "        n += 1",
            "    return n",
        ],
        "is_square" => &["def is_square(n):", "    return n >= 0 and round(n ** 0.5) ** 2 == n"],
        "next_square" => {
            &["def next_square(n):", "    return (int(n ** 0.5) + 1) ** 2 if n >= 0 else 0"]
        }
        "is_cube" => &["def is_cube(n):", "    return n >= 0 and round(n ** (1 / 3)) ** 3 == n"],
        "smallest_digit" => &["def smallest_digit(n):", "    return int(min(str(n)))"],
        "largest_digit" => &["def largest_digit(n):", "    return int(max(str(n)))"],
        "alternating_digit_sum" => &[
            "def alternating_digit_sum(n):",
            "    return sum((-1) ** i * int(digit) for i, digit in enumerate(reversed(str(n))))",
        ],
        "power_first_digit" => &["def power_first_digit(a, n):", "    return int(str(a ** n)[0])"],
        "pi_digit" => {
            let digits = pi_decimals(largest as usize);
            return format!("def pi_digit(n):\n    return int('3{digits}'[n])\n");
        }
        "hefty_hogs" => &[
            "def hefty_hogs(score, opponent):",
            "    if opponent == 0:",
            "        return 1",
            "    for digit in reversed(str(opponent)):",
            "        score = [",
            "            score + 1, score * score, score * 3, score // 4, score - 5, score % 6,",
            "            score % 7 * 8, int(score * 8.8), int(score / 99 * 15) + 10, score,",
            "        ][int(digit)]",
            "    return score % 30",
        ],
        _ => unreachable!("{function} is an expression in Python"),
    };
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::rules::formula::{Scope, Type, VariableSet, Vocabulary};

    fn formula(source: &str) -> Formula {
        let allowed = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT]);
        let names = Vocabulary::new(&[]);
        let of = |kind| Formula::parse(source, kind, &names, allowed);
        of(Type::Integer).or_else(|_| of(Type::Boolean)).unwrap_or_else(|fault| panic!("{fault:?}"))
    }

    fn name(variable: Variable) -> String {
        if variable == Variable::SCORE { "score".into() } else { "other".into() }
    }

    #[test]
    fn brackets_stand_only_where_python_needs_them() {
        for (source, python) in [
            (
                "2 * abs(tens(opponent) - ones(opponent)) + 1",
                "2 * abs(other // 10 % 10 - other % 10) + 1",
            ),
            ("score * (opponent / 3)", "score * (other // 3)"),
            ("score * opponent / 3", "score * other // 3"),
            ("score - (opponent - 1)", "score - (other - 1)"),
            ("score == opponent ? 2 * score : score", "2 * score if score == other else score"),
            ("(score > 1) != (opponent > 1)", "(score > 1) != (other > 1)"),
            ("!(score > 1 || opponent > 1)", "not (score > 1 or other > 1)"),
            ("(score - opponent) % 7", "remainder(score - other, 7)"),
            ("-pow(-2, score)", "-(-2) ** score"),
        ] {
            assert_eq!(formula(source).python(&name).text, python, "{source}");
        }
    }

    /// Every function and operator, at all scores of a usual game: Python computes what formulas
    /// do.
    #[test]
    fn python_computes_what_formulas_compute() {
        if Command::new("python3").arg("--version").output().is_err() {
            return;
        }
        let sources = [
            "ones(score - opponent) + tens(score - opponent) * digit(score, 1)",
            "digit(score - opponent, 1)",
            "first(score - opponent) + leading(score, 1) + leading(score * opponent, 2)",
            "min(score, opponent, 50) - max(3, opponent - score)",
            "pow(opponent, 3) - pow(-2, score % 5)",
            "gcd(score - opponent, opponent)",
            "divisors(score + 1) + next_prime(score - opponent)",
            "is_prime(score + opponent) && is_square(score) || is_cube(opponent - 1)",
            "next_square(score - 20)",
            "smallest_digit(opponent * opponent) * 10 + largest_digit(score * opponent)",
            "1 + abs(alternating_digit_sum(pow(opponent, 3)))",
            "decimal_digit(1, 7, opponent + 1) + decimal_digit(score, 21, 3)",
            "power_first_digit(3, score + opponent) - power_last_digit(3, score + opponent)",
            "pi_digit(opponent)",
            "hefty_hogs(score, opponent)",
            "(score - opponent) / 7 * 100 + (score - opponent) % 7",
            "score > opponent ? score - opponent : opponent == 50 ? 7 : -(opponent - score)",
            "!(score > 3) == (opponent % 2 == 1)",
        ];
        let used: String = sources.concat();
        for function in FUNCTIONS {
            assert!(
                used.contains(&format!("{}(", function.name)),
                "{} is not tested",
                function.name
            );
        }
        let (mut program, mut wanted) = (String::new(), Vec::new());
        let mut bodies = String::new();
        let mut calls = BTreeSet::new();
        for source in sources {
            let formula = formula(source);
            let python = formula.python(&name);
            calls.extend(python.calls);
            bodies += &format!("        print(int({}))\n", python.text);
        }
        for function in calls {
            program += &python_definition(function, 100);
        }
        program += "for score in range(0, 100, 3):\n    for other in range(100):\n";
        program += &bodies;
        for score in (0..100).step_by(3) {
            for other in 0..100 {
                let mut scope = Scope::default();
                scope.set(Variable::SCORE, score);
                scope.set(Variable::OPPONENT, other);
                let values = sources.map(|source| formula(source).value(&scope).unwrap());
                wanted.extend(values);
            }
        }
        let output = Command::new("python3").args(["-c", &program]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found = String::from_utf8(output.stdout).unwrap();
        let found: Vec<i64> = found.lines().map(|line| line.parse().unwrap()).collect();
        assert_eq!(found.len(), wanted.len());
        let differs = (0..found.len()).find(|place| found[*place] != wanted[*place]);
        assert_eq!(
            differs.map(|place| (
                sources[place % sources.len()],
                place,
                found[place],
                wanted[place]
            )),
            None
        );
    }
}
