//! Formulas over integers: type-checked when parsed, evaluated for one cell or over arrays.
//!
//! The language: whole numbers, `true`, `false`, the variables of the hook, `+ - * / %` (division
//! truncates toward zero), `== != < <= > >=`, `&& || !`, `a ? b : c`, and the functions of
//! [`functions`]. A die may also be written as a list of weights, one for each face from 1 up.

mod arrays;
mod broadcast;
mod cells;
mod fault;
pub mod functions;
mod grammar;
mod interval;
pub(super) mod lexer;
mod lookup;
mod parse;
mod python;
#[cfg(test)]
mod tests;
pub(super) mod variables;

pub use arrays::Arrays;
pub use broadcast::Lane;
pub use cells::{Cells, FAULT, NONLINEAR, select, without_slopes};
pub use fault::FormulaFault;
pub use lookup::Lookups;
pub use python::{PythonExpression, python_definition};
pub use variables::{
    FACES_COUNTED, Scope, TURN_VARIABLES, Type, Variable, VariableSet, Vocabulary,
};

use std::borrow::Cow;

/// A binary operator that always evaluates both operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// The result, or `None` on division by zero or overflow.
    #[inline(always)]
    fn apply(self, a: i64, b: i64) -> Option<i64> {
        match self {
            Self::Add => a.checked_add(b),
            Self::Subtract => a.checked_sub(b),
            Self::Multiply => a.checked_mul(b),
            Self::Divide => a.checked_div(b),
            Self::Remainder => a.checked_rem(b),
            Self::Equal => Some((a == b).into()),
            Self::NotEqual => Some((a != b).into()),
            Self::Less => Some((a < b).into()),
            Self::LessOrEqual => Some((a <= b).into()),
            Self::Greater => Some((a > b).into()),
            Self::GreaterOrEqual => Some((a >= b).into()),
        }
    }

    /// Whether the result is a truth value.
    fn compares(self) -> bool {
        !matches!(
            self,
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Remainder
        )
    }

    fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Remainder => "%",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }
}

/// The value that represents the first list of weights of a die; the other lists follow. Far below
/// any number of sides.
const FIRST_LIST: i64 = i64::MIN + 1;

/// A type-checked expression tree; true is 1 and false is 0.
#[derive(Clone, Debug, PartialEq)]
enum Expression {
    Constant(i64),
    Weights(usize),
    Variable(Variable),
    Negate(Box<Expression>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Conditional(Box<[Expression; 3]>),
    Binary(Operator, Box<[Expression; 2]>),
    Call(usize, Vec<Expression>),
}

/// A parsed formula whose names and types were checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    source: String,
    expression: Expression,
    reads: VariableSet,
    weights: Vec<Vec<u32>>,
}

impl Formula {
    /// Parses `source` as a formula of type `expected`. It may use the variables in `allowed`, by
    /// their names in `vocabulary`.
    ///
    /// # Errors
    /// Returns every fault found, each with its byte offset in `source`.
    pub fn parse(
        source: &str,
        expected: Type,
        vocabulary: &Vocabulary,
        allowed: VariableSet,
    ) -> Result<Self, Vec<FormulaFault>> {
        parse::parse(source, expected, vocabulary, allowed)
    }

    /// The source text.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The variables that the formula reads.
    pub fn reads(&self) -> VariableSet {
        self.reads
    }

    /// The weights of the faces of a die, if `value`, a result of this formula, represents a list
    /// of weights; otherwise it is a number of sides.
    pub fn die_weights(&self, value: i64) -> Option<&[u32]> {
        let list = usize::try_from(value.checked_sub(FIRST_LIST)?).ok()?;
        self.weights.get(list).map(Vec::as_slice)
    }

    /// The value for one cell; `None` if it divides by zero, overflows, or leaves a function's
    /// domain.
    pub fn value(&self, scope: &Scope) -> Option<i64> {
        self.expression.value(scope)
    }

    /// Returns a part of the formula as text; the whole as it was written.
    fn part_as_text(&self, part: &Expression, names: &Vocabulary) -> String {
        match part == &self.expression {
            true => self.source.clone(),
            false => unbracketed(part.canonical(&self.weights, names)),
        }
    }

    /// Says why the formula has no value in `scope`, and which part of it has none.
    pub fn why_no_value(&self, scope: &Scope, names: &Vocabulary) -> String {
        let part = self.expression.part_without_value(scope);
        let shown = self.part_as_text(part, names);
        match part {
            Expression::Binary(Operator::Divide | Operator::Remainder, sides)
                if sides[1].value(scope) == Some(0) =>
            {
                match &sides[1] {
                    Expression::Constant(_) => format!("`{shown}` divides by 0"),
                    divisor => {
                        let divisor = self.part_as_text(divisor, names);
                        format!("`{shown}` divides by `{divisor}`, which is 0")
                    }
                }
            }
            Expression::Call(_, arguments) => {
                let values = arguments.iter().filter_map(|argument| argument.value(scope));
                let values: Vec<String> = values.map(|value| value.to_string()).collect();
                format!("`{shown}` has no value for {}", values.join(", "))
            }
            _ => format!("`{shown}` has a value beyond 64 bits"),
        }
    }

    /// Evaluates all parts that do not depend on variables in `unknown`, and returns the simplified
    /// formula.
    pub fn with_known(&self, scope: &Scope, unknown: VariableSet) -> Self {
        let expression = self.expression.with_known(scope, unknown);
        Self {
            source: self.source.clone(),
            expression,
            reads: self.reads.and(unknown),
            weights: self.weights.clone(),
        }
    }

    /// Returns the formula over variables that are counted in steps, `step_of` each; its value is
    /// counted in steps of `gives`. It has none where the formula gives no multiple of that.
    pub(super) fn in_steps(&self, step_of: &dyn Fn(Variable) -> i64, gives: i64) -> Self {
        let expression = self.expression.in_steps(step_of);
        let expression = expression.divided(gives).unwrap_or_else(|| {
            let remainder = expression.with(Operator::Remainder, gives);
            let nothing = Expression::Constant(1).with(Operator::Divide, 0);
            let parts = [
                remainder.with(Operator::Equal, 0),
                expression.with(Operator::Divide, gives),
                nothing,
            ];
            Expression::Conditional(Box::new(parts))
        });
        Self { expression, ..self.clone() }
    }

    /// The values over arrays of cells (see [`Arrays`]).
    pub fn values<'a>(&self, arrays: &'a Arrays) -> Cow<'a, Cells> {
        arrays.evaluate(&self.expression)
    }
}

impl Expression {
    fn value(&self, scope: &Scope) -> Option<i64> {
        match self {
            Self::Constant(n) => Some(*n),
            Self::Weights(i) => Some(FIRST_LIST + *i as i64),
            Self::Variable(v) => Some(scope.get(*v)),
            Self::Negate(a) => a.value(scope)?.checked_neg(),
            Self::Not(a) => Some(1 - a.value(scope)?),
            Self::And(a, b) => {
                if a.value(scope)? == 0 {
                    Some(0)
                } else {
                    b.value(scope)
                }
            }
            Self::Or(a, b) => {
                if a.value(scope)? == 1 {
                    Some(1)
                } else {
                    b.value(scope)
                }
            }
            Self::Conditional(parts) => {
                parts[if parts[0].value(scope)? == 1 { 1 } else { 2 }].value(scope)
            }
            Self::Binary(operator, ab) => operator.apply(ab[0].value(scope)?, ab[1].value(scope)?),
            Self::Call(function, arguments) => {
                let mut values = [0; 8];
                for (value, argument) in values.iter_mut().zip(arguments) {
                    *value = argument.value(scope)?;
                }
                (functions::FUNCTIONS[*function].apply)(&values[..arguments.len()])
            }
        }
    }

    /// An operation with a constant.
    fn with(&self, operator: Operator, constant: i64) -> Self {
        Self::Binary(operator, Box::new([self.clone(), Self::Constant(constant)]))
    }

    /// The same expression with some of its parts replaced.
    fn of_parts(&self, part: &dyn Fn(&Self) -> Self) -> Self {
        match self {
            Self::Constant(_) | Self::Weights(_) | Self::Variable(_) => self.clone(),
            Self::Negate(a) => Self::Negate(Box::new(part(a))),
            Self::Not(a) => Self::Not(Box::new(part(a))),
            Self::And(a, b) => Self::And(Box::new(part(a)), Box::new(part(b))),
            Self::Or(a, b) => Self::Or(Box::new(part(a)), Box::new(part(b))),
            Self::Conditional(parts) => Self::Conditional(Box::new(parts.each_ref().map(part))),
            Self::Binary(operator, ab) => {
                Self::Binary(*operator, Box::new(ab.each_ref().map(part)))
            }
            Self::Call(function, arguments) => {
                Self::Call(*function, arguments.iter().map(part).collect())
            }
        }
    }

    /// Multiplies each variable by its step.
    fn in_steps(&self, step_of: &dyn Fn(Variable) -> i64) -> Self {
        match self {
            Self::Variable(variable) if step_of(*variable) != 1 => {
                self.with(Operator::Multiply, step_of(*variable))
            }
            _ => self.of_parts(&|part| part.in_steps(step_of)),
        }
    }

    /// The expression divided by a number, if it can be seen that all its values are multiples.
    fn divided(&self, by: i64) -> Option<Self> {
        match self {
            _ if by == 1 => Some(self.clone()),
            Self::Constant(value) => (value % by == 0).then(|| Self::Constant(value / by)),
            Self::Negate(a) => Some(Self::Negate(Box::new(a.divided(by)?))),
            Self::Conditional(parts) => {
                let [condition, yes, no] = &**parts;
                let parts = [condition.clone(), yes.divided(by)?, no.divided(by)?];
                Some(Self::Conditional(Box::new(parts)))
            }
            Self::Binary(Operator::Multiply, ab) => {
                let [a, b] = &**ab;
                if let Some(b) = b.divided(by) {
                    return Some(if b == Self::Constant(1) { a.clone() } else { a.times(b) });
                }
                Some(a.divided(by)?.times(b.clone()))
            }
            Self::Binary(operator @ (Operator::Add | Operator::Subtract), ab) => {
                let parts = [ab[0].divided(by)?, ab[1].divided(by)?];
                Some(Self::Binary(*operator, Box::new(parts)))
            }
            Self::Call(function, arguments) if functions::keeps_steps(*function) => {
                let arguments: Option<_> = arguments.iter().map(|of| of.divided(by)).collect();
                Some(Self::Call(*function, arguments?))
            }
            _ => None,
        }
    }

    fn times(&self, other: Self) -> Self {
        Self::Binary(Operator::Multiply, Box::new([self.clone(), other]))
    }

    /// The part of an expression without a value that has none although all that it needs has one.
    fn part_without_value(&self, scope: &Scope) -> &Self {
        let parts: Vec<&Self> = match self {
            Self::Constant(_) | Self::Weights(_) | Self::Variable(_) => Vec::new(),
            Self::Negate(a) | Self::Not(a) => vec![a],
            Self::And(a, b) | Self::Or(a, b) => vec![a, b],
            Self::Conditional(parts) => {
                let chosen = if parts[0].value(scope) == Some(1) { 1 } else { 2 };
                vec![&parts[0], &parts[chosen]]
            }
            Self::Binary(_, parts) => parts.iter().collect(),
            Self::Call(_, arguments) => arguments.iter().collect(),
        };
        match parts.into_iter().find(|part| part.value(scope).is_none()) {
            Some(part) => part.part_without_value(scope),
            None => self,
        }
    }

    /// See [`Formula::with_known`].
    fn with_known(&self, scope: &Scope, unknown: VariableSet) -> Self {
        match self {
            Self::Variable(v) if !unknown.holds(*v) => return Self::Constant(scope.get(*v)),
            Self::Conditional(parts) => {
                let condition = parts[0].with_known(scope, unknown);
                if let Self::Constant(condition) = condition {
                    return parts[if condition == 1 { 1 } else { 2 }].with_known(scope, unknown);
                }
                let yes = parts[1].with_known(scope, unknown);
                let no = parts[2].with_known(scope, unknown);
                return Self::Conditional(Box::new([condition, yes, no]));
            }
            _ => {}
        }
        let simplified = self.of_parts(&|part| part.with_known(scope, unknown));
        // A part without a value is kept as it is: it may never be evaluated.
        let value = if simplified.is_of_constants() { simplified.value(scope) } else { None };
        value.map_or(simplified, Self::Constant)
    }

    /// Whether it is an operation whose operands are all constants.
    fn is_of_constants(&self) -> bool {
        match self {
            Self::Constant(_) | Self::Weights(_) | Self::Variable(_) => false,
            Self::Negate(a) | Self::Not(a) => a.is_constant(),
            Self::And(a, b) | Self::Or(a, b) => a.is_constant() && b.is_constant(),
            Self::Conditional(parts) => parts.iter().all(Self::is_constant),
            Self::Binary(_, parts) => parts.iter().all(Self::is_constant),
            Self::Call(_, arguments) => arguments.iter().all(Self::is_constant),
        }
    }

    fn is_constant(&self) -> bool {
        matches!(self, Self::Constant(_))
    }

    /// The expression in canonical form, fully parenthesized: equal texts mean equal expressions.
    fn canonical(&self, weights: &[Vec<u32>], names: &Vocabulary) -> String {
        let text = |e: &Expression| e.canonical(weights, names);
        match self {
            Self::Constant(n) => n.to_string(),
            Self::Weights(i) => format!("{:?}", weights[*i]),
            Self::Variable(v) => names.name(*v).to_owned(),
            Self::Negate(a) => format!("(-{})", text(a)),
            Self::Not(a) => format!("(!{})", text(a)),
            Self::And(a, b) => format!("({} && {})", text(a), text(b)),
            Self::Or(a, b) => format!("({} || {})", text(a), text(b)),
            Self::Conditional(p) => {
                format!("({} ? {} : {})", text(&p[0]), text(&p[1]), text(&p[2]))
            }
            Self::Binary(op, ab) => format!("({} {} {})", text(&ab[0]), op.symbol(), text(&ab[1])),
            Self::Call(f, args) => {
                let args: Vec<String> = args.iter().map(text).collect();
                format!("{}({})", functions::FUNCTIONS[*f].name, args.join(", "))
            }
        }
    }
}

/// Removes the brackets around an expression in canonical form.
fn unbracketed(text: String) -> String {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    inner.map_or_else(|| text.clone(), str::to_owned)
}

impl Formula {
    /// The formula in canonical form, independent of the spaces and brackets of its source.
    pub fn canonical(&self, names: &Vocabulary) -> String {
        self.expression.canonical(&self.weights, names)
    }
}
