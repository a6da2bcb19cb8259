//! Parses a formula: checks the names and types of a syntax tree and converts it to an expression.

use crate::limits;

use super::super::fault::nearest;
use super::super::hooks::{Hook, bid_variables, memory_variables};
use super::fault::FormulaFault;
use super::functions::{COUNT, FUNCTIONS, SHOWN, find};
use super::grammar::{Tree, TreeNode};
use super::lexer::replacement_for;
use super::{Expression, Formula, Operator, Scope, Type, Variable, VariableSet, Vocabulary};

/// See [`Formula::parse`].
pub(super) fn parse(
    source: &str,
    expected: Type,
    vocabulary: &Vocabulary,
    allowed: VariableSet,
) -> Result<Formula, Vec<FormulaFault>> {
    if source.len() > limits::FORMULA_BYTES {
        let message = format!(
            "a formula of {} characters; at most {} are read",
            source.len(),
            limits::FORMULA_BYTES
        );
        return Err(vec![FormulaFault::new(0, message, "write it shorter")]);
    }
    let tree = Tree::read(source).map_err(|fault| vec![fault])?;
    let mut checker = Checker {
        vocabulary,
        allowed,
        faults: Vec::new(),
        reads: VariableSet::NONE,
        weights: Vec::new(),
    };
    let expression = checker.check(&tree, expected);
    let Checker { faults, reads, weights, .. } = checker;
    if faults.is_empty() {
        Ok(Formula { source: source.trim().to_owned(), expression, reads, weights })
    } else {
        Err(faults)
    }
}

struct Checker<'a> {
    vocabulary: &'a Vocabulary,
    allowed: VariableSet,
    faults: Vec<FormulaFault>,
    reads: VariableSet,
    weights: Vec<Vec<u32>>,
}

impl Checker<'_> {
    /// Records a fault at a tree, and returns a placeholder for its expression.
    fn fault(
        &mut self,
        tree: &Tree,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) -> Expression {
        self.faults.push(FormulaFault::new(tree.at, message, fix));
        Expression::Constant(0)
    }

    /// Checks a tree that must be of type `expected`.
    fn check(&mut self, tree: &Tree, expected: Type) -> Expression {
        self.check_or(tree, expected, None)
    }

    /// Like [`Self::check`], with the fix to report for another type.
    fn check_or(&mut self, tree: &Tree, expected: Type, fix: Option<&str>) -> Expression {
        let known = self.faults.len();
        let (expression, found) = self.tree(tree, expected);
        let fits = found == expected || (expected == Type::Die && found == Type::Integer);
        if !fits && self.faults.len() == known {
            let fix = fix.unwrap_or(match found {
                Type::Integer => "compare it with a number",
                Type::Boolean => "make it a number with ? 1 : 0",
                Type::Die => "a list of weights is allowed only in `die`",
            });
            return self.fault(tree, format!("this is {found}, but {expected} is needed"), fix);
        }
        expression
    }

    /// Checks a tree of any type. For a tree with faults, the type is `expected`.
    fn tree(&mut self, tree: &Tree, expected: Type) -> (Expression, Type) {
        use Type::{Boolean, Integer};
        match &tree.node {
            TreeNode::Number(number) => (Expression::Constant(*number), Integer),
            TreeNode::Flag(flag) => (Expression::Constant((*flag).into()), Boolean),
            TreeNode::Name(name) => self.name(tree, name, expected),
            TreeNode::List(items) => (self.die(tree, items), Type::Die),
            TreeNode::Negate(part) => {
                (Expression::Negate(Box::new(self.check(part, Integer))), Integer)
            }
            TreeNode::Not(part) => (Expression::Not(Box::new(self.check(part, Boolean))), Boolean),
            TreeNode::And(sides) => {
                let [a, b] = sides.each_ref().map(|side| Box::new(self.check(side, Boolean)));
                (Expression::And(a, b), Boolean)
            }
            TreeNode::Or(sides) => {
                let [a, b] = sides.each_ref().map(|side| Box::new(self.check(side, Boolean)));
                (Expression::Or(a, b), Boolean)
            }
            TreeNode::Binary(operator, sides) => {
                let sides = self.sides(*operator, sides);
                let gives = if operator.compares() { Boolean } else { Integer };
                (Expression::Binary(*operator, Box::new(sides)), gives)
            }
            TreeNode::Conditional(parts) => self.conditional(tree, parts, expected),
            TreeNode::Call(name, arguments) => self.call(tree, name, arguments),
        }
    }

    fn name(&mut self, tree: &Tree, name: &str, expected: Type) -> (Expression, Type) {
        if let Some(value) = self.vocabulary.number(name) {
            return (Expression::Constant(value), Type::Integer);
        }
        match self.vocabulary.find(name) {
            Some(variable) if self.allowed.holds(variable) => {
                self.reads = self.reads.union(VariableSet::of(&[variable]));
                let flag = variable == Variable::BUSTED || variable == Variable::AGAIN;
                (Expression::Variable(variable), if flag { Type::Boolean } else { Type::Integer })
            }
            Some(variable) => (self.unknown_here(tree, name, variable), expected),
            None if !self.vocabulary.is_complete() => (Expression::Constant(0), expected),
            None if name == COUNT.0 => {
                (self.fault(tree, "`count` needs a face", COUNT.1), expected)
            }
            None => {
                let mut names = self.vocabulary.names_in(self.allowed);
                names.extend(self.vocabulary.numbers());
                let fix = suggestion(name, &names);
                (self.fault(tree, format!("unknown name `{name}`"), fix), expected)
            }
        }
    }

    /// Records that a variable is known only elsewhere, and what to write instead.
    fn unknown_here(&mut self, tree: &Tree, name: &str, variable: Variable) -> Expression {
        let places = places_of(variable, self.vocabulary);
        let message = format!("`{name}` is not known here, only in {places}");
        let instead = INSTEAD.iter().find(|(wanted, known, _)| {
            *wanted == variable && known.is_none_or(|known| self.allowed.holds(known))
        });
        let fix = match instead {
            Some((.., fix)) => (*fix).to_owned(),
            None => format!("use one of {}", listed(&self.vocabulary.names_in(self.allowed))),
        };
        self.fault(tree, message, fix)
    }

    /// The value of a whole number that does not depend on the turn: digits, a number with a name,
    /// or computed from such numbers.
    fn constant(&mut self, tree: &Tree) -> Option<i64> {
        let mut checker = Checker {
            vocabulary: self.vocabulary,
            allowed: VariableSet::NONE,
            faults: Vec::new(),
            reads: VariableSet::NONE,
            weights: Vec::new(),
        };
        let expression = checker.check(tree, Type::Integer);
        let value = expression.value(&Scope::default());
        value.filter(|_| checker.faults.is_empty())
    }

    fn die(&mut self, tree: &Tree, items: &[Tree]) -> Expression {
        let weights: Option<Vec<u32>> = items
            .iter()
            .map(|item| self.constant(item).and_then(|weight| u32::try_from(weight).ok()))
            .collect();
        match weights {
            Some(weights) if weights.iter().any(|w| *w > 0) => {
                self.weights.push(weights);
                Expression::Weights(self.weights.len() - 1)
            }
            _ => self.fault(
                tree,
                "a die's weights are whole numbers, not all zero",
                "write a list such as [1, 3, 1, 3]",
            ),
        }
    }

    fn conditional(
        &mut self,
        tree: &Tree,
        parts: &[Tree; 3],
        expected: Type,
    ) -> (Expression, Type) {
        let condition = self.check(&parts[0], Type::Boolean);
        let (yes, first) = self.tree(&parts[1], expected);
        let (no, second) = self.tree(&parts[2], expected);
        let joint = if first == Type::Die || second == Type::Die { Type::Die } else { first };
        if (first == Type::Boolean) != (second == Type::Boolean) && self.faults.is_empty() {
            let message = format!("the two branches differ: {first} and {second}");
            self.fault(tree, message, "give both branches one type");
        }
        (Expression::Conditional(Box::new([condition, yes, no])), joint)
    }

    /// Checks both sides of an operator. Equality compares two numbers or two truth values.
    fn sides(&mut self, operator: Operator, sides: &[Tree; 2]) -> [Expression; 2] {
        let equality = matches!(operator, Operator::Equal | Operator::NotEqual);
        let is_chain = match &sides[0].node {
            TreeNode::Binary(inner, _) => operator.compares() && inner.compares(),
            _ => false,
        };
        let fix = is_chain.then_some("comparisons do not chain: write a < b && b < c");
        if !equality {
            return sides.each_ref().map(|side| self.check_or(side, Type::Integer, fix));
        }
        let (left, kind) = self.tree(&sides[0], Type::Integer);
        if kind == Type::Die {
            self.fault(&sides[0], "a die cannot be compared", "compare whole numbers");
        }
        [
            left,
            self.check_or(
                &sides[1],
                if kind == Type::Boolean { Type::Boolean } else { Type::Integer },
                fix,
            ),
        ]
    }

    /// Checks `count(face)` or `shown(face)`, which are one variable for each face.
    fn count(
        &mut self,
        tree: &Tree,
        word: (&str, &'static str),
        of_face: fn(u8) -> Variable,
        arguments: &[Tree],
    ) -> Expression {
        let (face, fix) = match arguments {
            [face] => match self.constant(face) {
                Some(face) => (u8::try_from(face).ok(), word.1),
                // Each face that is counted is a variable of the turn.
                None => (
                    None,
                    "the face must not depend on the turn: write a case for each, as in \
                     `score == 0 ? count(1) : score == 1 ? count(2) : 0`",
                ),
            },
            _ => (None, word.1),
        };
        let most = self.vocabulary.faces();
        let Some(face) = face.filter(|face| (1..=most).contains(face)) else {
            let message = format!("`{}` takes one face, a number from 1 to {most}", word.0);
            return self.fault(tree, message, fix);
        };
        let variable = of_face(face);
        if !self.allowed.holds(variable) {
            return self.unknown_here(tree, word.0, variable);
        }
        self.reads = self.reads.union(VariableSet::of(&[variable]));
        Expression::Variable(variable)
    }

    fn call(&mut self, tree: &Tree, name: &str, arguments: &[Tree]) -> (Expression, Type) {
        if name == COUNT.0 {
            return (self.count(tree, COUNT, Variable::count, arguments), Type::Integer);
        }
        if name == SHOWN.0 && self.vocabulary.keeps() {
            return (self.count(tree, SHOWN, Variable::shown, arguments), Type::Integer);
        }
        let Some(index) = find(name) else {
            let names: Vec<&str> = FUNCTIONS.iter().map(|f| f.name).chain([COUNT.0]).collect();
            let fix = suggestion(name, &names);
            return (self.fault(tree, format!("unknown function `{name}`"), fix), Type::Integer);
        };
        let function = &FUNCTIONS[index];
        let (few, many) = function.arity;
        if !(few..=many).contains(&arguments.len()) {
            let given = arguments.len();
            let message =
                format!("`{name}` was given {given} argument{}", if given == 1 { "" } else { "s" });
            return (self.fault(tree, message, function.meaning), Type::Integer);
        }
        let arguments =
            arguments.iter().map(|argument| self.check(argument, Type::Integer)).collect();
        (
            Expression::Call(index, arguments),
            if function.is_test { Type::Boolean } else { Type::Integer },
        )
    }
}

/// What to write in place of a variable that is not known, where another one is.
const INSTEAD: &[(Variable, Option<Variable>, &str)] = &[
    (
        Variable::SUM,
        Some(Variable::ROLLED),
        "`rolled` is the turn's points before any rule on points",
    ),
    (
        Variable::ONES_ROLLED,
        Some(Variable::count(1)),
        "`count(1)` is the number of dice that show a 1",
    ),
    (Variable::FACE, Some(Variable::HIGHEST), "use `count(f)`, `highest`, `lowest` or `distinct`"),
    (Variable::POINTS, Some(Variable::SUM), "`sum` is the sum of all dice"),
    (Variable::ROLLED, Some(Variable::SUM), "`sum` is the sum of all dice"),
    (Variable::BUSTED, Some(Variable::ONES_ROLLED), "`bust` runs only if a die shows a 1"),
    (Variable::SCORE_BEFORE, Some(Variable::SCORE), "`score` is the score before the turn here"),
    (
        Variable::OPPONENT_BEFORE,
        Some(Variable::OPPONENT),
        "`opponent` is the opponent's score before the turn here",
    ),
    (Variable::DICE, Some(Variable::SCORE), "how many dice are rolled is decided by this hook"),
];

fn knows(hook: Hook, variable: Variable, is_memory: bool) -> bool {
    is_memory || hook.variables().holds(variable)
}

/// Names the formulas that may use a variable: `bust`, or `points` to `end` and `next`.
fn places_of(variable: Variable, vocabulary: &Vocabulary) -> String {
    let is_memory = vocabulary.memories().holds(variable);
    let mut places: Vec<String> = Vec::new();
    let mut hooks = Hook::ALL.to_vec();
    hooks.retain(|hook| vocabulary.keeps() || !matches!(hook, Hook::Keep | Hook::Worth));
    // Runs of hooks whose formulas know the variable.
    for run in
        hooks.chunk_by(|a, b| knows(*a, variable, is_memory) == knows(*b, variable, is_memory))
    {
        if !knows(run[0], variable, is_memory) {
            continue;
        }
        match run {
            [first, _, .., last] => places.push(format!("`{}` to `{}`", first.key(), last.key())),
            few => places.extend(few.iter().map(|hook| format!("`{}`", hook.key()))),
        }
    }
    if is_memory || memory_variables().holds(variable) {
        places.push("the `next` of a memory".into());
    }
    if bid_variables().holds(variable) {
        places.push("[bid]".into());
    }
    match places.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "other places".into(),
    }
}

/// The handouts' names of variables.
const HANDOUT_NAMES: [(&str, &str); 4] = [
    ("opponent_score", "opponent"),
    ("player_score", "score"),
    ("num_rolls", "dice"),
    ("num_dice", "dice"),
];

/// Returns a fix for an unknown name: the operator to write for a word of another language, the
/// variable to write for a name of the handouts, the nearest known name, or the list of known
/// names.
fn suggestion(name: &str, known: &[&str]) -> String {
    if let Some(fix) = replacement_for(name) {
        return fix.to_owned();
    }
    let of_handouts = HANDOUT_NAMES.iter().find(|(other, _)| *other == name).map(|(_, name)| *name);
    match of_handouts.filter(|name| known.contains(name)).or_else(|| nearest(name, known)) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("use one of {}, or define it: [numbers], [[memory]]", listed(known)),
    }
}

/// Names in a message: a file may define any number.
fn listed(names: &[&str]) -> String {
    let shown = names[..names.len().min(limits::LISTED_NAMES)].join(", ");
    match names.len().saturating_sub(limits::LISTED_NAMES) {
        0 => shown,
        others => format!("{shown} and {others} others"),
    }
}
