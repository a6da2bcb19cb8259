//! From text to a typed formula: the `cel` crate reads the syntax, this file checks names and types.

use cel::common::ast::{CallExpr, Expr, IdedExpr, LiteralValue, SourceInfo, operators};
use cel::parser::{Parser, PrattParser};

use super::functions::{FUNCTIONS, find};
use super::{Expression, Formula, Operator, Type, Variable, VariableSet, Vocabulary};

/// The most nodes and characters of one formula: far beyond any game, far below trouble.
const LONGEST_SOURCE: usize = 4096;

/// What is wrong with a formula, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaFault {
    /// Byte offset in the formula's text.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What to change.
    pub fix: String,
}

pub(super) fn parse(
    source: &str,
    expected: Type,
    vocabulary: &Vocabulary,
    allowed: VariableSet,
) -> Result<Formula, Vec<FormulaFault>> {
    if source.len() > LONGEST_SOURCE {
        let message = format!("a formula of {} characters; at most {LONGEST_SOURCE} are read", source.len());
        return Err(vec![FormulaFault { offset: 0, message, fix: "write it shorter".into() }]);
    }
    match read_quickly(source, expected, vocabulary, allowed) {
        Some(formula) => Ok(formula),
        None => read_with_places(source, expected, vocabulary, allowed),
    }
}

/// Reads a sound formula; `None` if there is anything to say about it. This parser takes a hundredth of the other's time and
/// knows no places.
fn read_quickly(source: &str, expected: Type, vocabulary: &Vocabulary, allowed: VariableSet) -> Option<Formula> {
    // A number behind several signs is one number to one parser and the opposite of a number to the other.
    let dense: String = source.split_whitespace().collect();
    if ["!!", "!-", "-!", "--"].iter().any(|signs| dense.contains(signs)) {
        return None;
    }
    let tree = PrattParser::new().parse(source).ok()?;
    let places = SourceInfo::default();
    Checker::new(vocabulary, allowed, &places).formula(source, &tree, expected).ok()
}

/// Reads a formula and knows the place of each of its parts, to name those of faults.
fn read_with_places(
    source: &str,
    expected: Type,
    vocabulary: &Vocabulary,
    allowed: VariableSet,
) -> Result<Formula, Vec<FormulaFault>> {
    let (tree, places) =
        Parser::new().parse_with_source_info(source).map_err(|errors| syntax_faults(source, &errors))?;
    Checker::new(vocabulary, allowed, &places).formula(source, &tree, expected)
}

fn syntax_faults(source: &str, errors: &cel::ParseErrors) -> Vec<FormulaFault> {
    let fault = |error: &cel::ParseError| {
        // Positions count lines and columns from 1; formulas of several lines keep their place.
        let (line, column) = (error.pos.0.max(1) as usize, error.pos.1.max(1) as usize);
        let before: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let message = error.msg.lines().next().unwrap_or("not a formula").to_owned();
        FormulaFault {
            offset: (before + column - 1).min(source.len()),
            message: format!("cannot read the formula: {message}"),
            fix: "see `hog rules functions` for the language".into(),
        }
    };
    errors.errors.iter().map(fault).collect()
}

struct Checker<'a> {
    vocabulary: &'a Vocabulary,
    allowed: VariableSet,
    places: &'a SourceInfo,
    faults: Vec<FormulaFault>,
    reads: VariableSet,
    weights: Vec<Vec<u32>>,
}

impl<'a> Checker<'a> {
    fn new(vocabulary: &'a Vocabulary, allowed: VariableSet, places: &'a SourceInfo) -> Self {
        Self { vocabulary, allowed, places, faults: Vec::new(), reads: VariableSet::NONE, weights: Vec::new() }
    }

    /// The formula of a whole tree.
    fn formula(mut self, source: &str, tree: &IdedExpr, expected: Type) -> Result<Formula, Vec<FormulaFault>> {
        let expression = self.check(tree, expected);
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let (reads, weights) = (self.reads, self.weights);
        Ok(Formula { source: source.trim().to_owned(), expression, reads, weights })
    }

    fn fault(&mut self, node: &IdedExpr, message: impl Into<String>, fix: impl Into<String>) -> Expression {
        let offset = leftmost(node, self.places);
        self.faults.push(FormulaFault { offset, message: message.into(), fix: fix.into() });
        Expression::Constant(0)
    }

    /// Checks a node that must be of type `expected`.
    fn check(&mut self, node: &IdedExpr, expected: Type) -> Expression {
        let known = self.faults.len();
        let (expression, found) = self.node(node, expected);
        let fits = found == expected || (expected == Type::Die && found == Type::Integer);
        if !fits && self.faults.len() == known {
            return self.fault(node, format!("this is {found}, but {expected} is needed"), "change the formula");
        }
        expression
    }

    fn node(&mut self, node: &IdedExpr, expected: Type) -> (Expression, Type) {
        match &node.expr {
            Expr::Literal(LiteralValue::Int(n)) => (Expression::Constant(*n.inner()), Type::Integer),
            Expr::Literal(LiteralValue::Boolean(b)) => (Expression::Constant((*b.inner()).into()), Type::Boolean),
            Expr::Literal(_) => (
                self.fault(node, "only whole numbers, true and false are written here", "use a whole number"),
                expected,
            ),
            Expr::Ident(name) => self.name(node, name, expected),
            Expr::List(list) => (self.die(node, &list.elements), Type::Die),
            Expr::Call(call) => self.call(node, call, expected),
            _ => (
                self.fault(node, "this part of CEL is not in the formula language", "see `hog rules functions`"),
                expected,
            ),
        }
    }

    fn name(&mut self, node: &IdedExpr, name: &str, expected: Type) -> (Expression, Type) {
        match self.vocabulary.find(name) {
            Some(variable) if self.allowed.holds(variable) => {
                self.reads = self.reads.union(VariableSet::of(&[variable]));
                let flag = variable == Variable::BUSTED || variable == Variable::AGAIN;
                (Expression::Variable(variable), if flag { Type::Boolean } else { Type::Integer })
            }
            Some(_) => {
                let fix = format!("use one of {}", self.vocabulary.names_in(self.allowed).join(", "));
                (self.fault(node, format!("`{name}` is not known yet where this hook runs"), fix), expected)
            }
            None => {
                let names = self.vocabulary.names_in(self.allowed);
                let fix = suggestion(name, &names);
                (self.fault(node, format!("unknown name `{name}`"), fix), expected)
            }
        }
    }

    fn die(&mut self, node: &IdedExpr, elements: &[IdedExpr]) -> Expression {
        let weight = |e: &IdedExpr| match &e.expr {
            Expr::Literal(LiteralValue::Int(n)) => u32::try_from(*n.inner()).ok(),
            _ => None,
        };
        match elements.iter().map(weight).collect::<Option<Vec<u32>>>() {
            Some(weights) if weights.iter().any(|w| *w > 0) => {
                self.weights.push(weights);
                Expression::Weights(self.weights.len() - 1)
            }
            _ => {
                self.fault(node, "a die's weights are whole numbers, not all zero", "write a list such as [1, 3, 1, 3]")
            }
        }
    }

    fn call(&mut self, node: &IdedExpr, call: &CallExpr, expected: Type) -> (Expression, Type) {
        use Type::{Boolean, Integer};
        let args = &call.args;
        let boxed = |e| Box::new(e);
        match (call.func_name.as_str(), args.len()) {
            (operators::CONDITIONAL, 3) => {
                let condition = self.check(&args[0], Boolean);
                let (yes, first) = self.node(&args[1], expected);
                let (no, second) = self.node(&args[2], expected);
                let whole = if first == Type::Die || second == Type::Die { Type::Die } else { first };
                if (first == Boolean) != (second == Boolean) && self.faults.is_empty() {
                    let message = format!("the two branches differ: {first} and {second}");
                    self.fault(node, message, "give both branches one type");
                }
                (Expression::Choose(Box::new([condition, yes, no])), whole)
            }
            (operators::LOGICAL_AND, 2) => {
                let (a, b) = (self.check(&args[0], Boolean), self.check(&args[1], Boolean));
                (Expression::And(boxed(a), boxed(b)), Boolean)
            }
            (operators::LOGICAL_OR, 2) => {
                let (a, b) = (self.check(&args[0], Boolean), self.check(&args[1], Boolean));
                (Expression::Or(boxed(a), boxed(b)), Boolean)
            }
            (operators::LOGICAL_NOT, 1) => (Expression::Not(boxed(self.check(&args[0], Boolean))), Boolean),
            (operators::NEGATE, 1) => (Expression::Negate(boxed(self.check(&args[0], Integer))), Integer),
            (name, 2) if operator(name).is_some() => self.binary(operator(name).expect("just seen"), args),
            (name, _) => self.function(node, name, call),
        }
    }

    fn binary(&mut self, (operator, gives): (Operator, Type), args: &[IdedExpr]) -> (Expression, Type) {
        let sides = if matches!(operator, Operator::Equal | Operator::NotEqual) {
            // Equality compares numbers with numbers, or yes-and-no with yes-and-no.
            let (left, kind) = self.node(&args[0], Type::Integer);
            if kind == Type::Die {
                self.fault(&args[0], "a die is equal to nothing", "compare whole numbers");
            }
            let right = self.check(&args[1], if kind == Type::Boolean { Type::Boolean } else { Type::Integer });
            [left, right]
        } else {
            [self.check(&args[0], Type::Integer), self.check(&args[1], Type::Integer)]
        };
        (Expression::Binary(operator, Box::new(sides)), gives)
    }

    fn function(&mut self, node: &IdedExpr, name: &str, call: &CallExpr) -> (Expression, Type) {
        let Some(index) = find(name).filter(|_| call.target.is_none()) else {
            let names: Vec<&str> = FUNCTIONS.iter().map(|f| f.name).collect();
            let fix = suggestion(name, &names);
            return (self.fault(node, format!("unknown function `{name}`"), fix), Type::Integer);
        };
        let function = &FUNCTIONS[index];
        let (few, many) = function.arity;
        if !(few..=many).contains(&call.args.len()) {
            let message = format!("`{name}` was given {} arguments", call.args.len());
            return (self.fault(node, message, function.meaning), Type::Integer);
        }
        let arguments = call.args.iter().map(|a| self.check(a, Type::Integer)).collect();
        (Expression::Call(index, arguments), if function.is_test { Type::Boolean } else { Type::Integer })
    }
}

fn operator(name: &str) -> Option<(Operator, Type)> {
    use Type::{Boolean, Integer};
    Some(match name {
        operators::ADD => (Operator::Add, Integer),
        operators::SUBSTRACT => (Operator::Subtract, Integer),
        operators::MULTIPLY => (Operator::Multiply, Integer),
        operators::DIVIDE => (Operator::Divide, Integer),
        operators::MODULO => (Operator::Remainder, Integer),
        operators::EQUALS => (Operator::Equal, Boolean),
        operators::NOT_EQUALS => (Operator::NotEqual, Boolean),
        operators::LESS => (Operator::Less, Boolean),
        operators::LESS_EQUALS => (Operator::LessOrEqual, Boolean),
        operators::GREATER => (Operator::Greater, Boolean),
        operators::GREATER_EQUALS => (Operator::GreaterOrEqual, Boolean),
        _ => return None,
    })
}

/// The offset of the leftmost character of a node: an operator's own place is between its arguments.
fn leftmost(node: &IdedExpr, places: &SourceInfo) -> usize {
    let own = places.offset_for(node.id).map_or(0, |(start, _)| start as usize);
    match &node.expr {
        Expr::Call(call) if find(&call.func_name).is_none() => {
            call.args.iter().map(|a| leftmost(a, places)).min().map_or(own, |first| first.min(own))
        }
        _ => own,
    }
}

/// "did you mean …", or the list to choose from.
fn suggestion(name: &str, known: &[&str]) -> String {
    let nearest = known.iter().map(|k| (strsim::damerau_levenshtein(name, k), *k)).min();
    match nearest {
        Some((distance, word)) if distance <= 1 + name.len() / 3 => format!("did you mean `{word}`?"),
        _ => format!("use one of {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Whether both parsers read the same formula, or the careful one has faults to tell; the formula.
    fn agree(source: &str, expected: Type) -> Result<Option<Formula>, TestCaseError> {
        let vocabulary = Vocabulary::new(&[("bit".to_owned(), false)]);
        let allowed =
            VariableSet::of(&[Variable::SCORE, Variable::OPPONENT, Variable::BUSTED]).union(vocabulary.memories());
        let careful = read_with_places(source, expected, &vocabulary, allowed);
        let quick = read_quickly(source, expected, &vocabulary, allowed);
        if let Some(quick) = &quick {
            prop_assert_eq!(Ok(quick), careful.as_ref(), "{}", source);
        }
        Ok(quick)
    }

    const WORDS: &str = "score opponent busted bit 1 0 -1 - + * / % == != < <= > >= && || ! ? : ( \
        ) ( ) [ ] , min max is_prime abs true false 2.5 'a' in . 9223372036854775807 0x1F 1u // \n { } null has";

    /// A formula, mostly sound.
    fn formulas() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec!["score", "opponent", "7", "-3", "0", "busted", "bit", "true", "[1, 2]"]);
        leaf.prop_map(str::to_owned).prop_recursive(6, 40, 3, |inner| {
            let operators =
                prop::sample::select(vec!["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "&&", "||"]);
            let bare = operators.clone();
            prop_oneof![
                (inner.clone(), operators, inner.clone()).prop_map(|(a, o, b)| format!("({a} {o} {b})")),
                (inner.clone(), bare, inner.clone()).prop_map(|(a, o, b)| format!("{a}{o}{b}")),
                (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("{a} ? {b} : {c}")),
                inner.clone().prop_map(|a| format!("!{a}")),
                inner.clone().prop_map(|a| format!("-{a}")),
                (inner.clone(), inner).prop_map(|(a, b)| format!("min({a}, {b})")),
            ]
        })
    }

    proptest! {
        #[test]
        fn both_parsers_read_the_same_formulas(source in formulas()) {
            for expected in [Type::Integer, Type::Boolean, Type::Die] {
                agree(&source, expected)?;
            }
        }

        #[test]
        fn what_one_parser_reads_quickly_the_other_reads_too(
            words in prop::collection::vec(prop::sample::select(WORDS.split(' ').collect::<Vec<_>>()), 1..9)
        ) {
            agree(&words.join(" "), Type::Integer)?;
            agree(&words.concat(), Type::Boolean)?;
        }
    }

    #[test]
    fn a_die_is_compared_with_nothing() {
        for source in ["[1, 2] == 1", "1 == [1, 2]", "(score == 1 ? [1] : 6) != 6", "[1] == [1]"] {
            let faults = parse(source, Type::Boolean, &Vocabulary::new(&[]), VariableSet::of(&[Variable::SCORE]));
            assert!(faults.is_err(), "{source}");
        }
    }

    #[test]
    fn sound_formulas_are_read_quickly() {
        for source in ["score + 2 * -opponent", "score % 7 == 0 && !busted || bit < 1 ? 1 : min(score, 3)", "[1, 0, 2]"]
        {
            assert!(agree(source, Type::Die).expect("the same").is_some(), "{source}");
        }
    }
}
