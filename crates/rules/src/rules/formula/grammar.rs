//! Builds a syntax tree from tokens, by operator precedence (V. R. Pratt, "Top down operator
//! precedence", 1973).
//!
//! ```text
//! formula     = conditional
//! conditional = binary { "?" conditional ":" binary }
//! binary      = unary { operator unary }
//! unary       = { "!" | "-" } operand
//! operand     = number | name [ "(" [ items ] ")" ]
//!             | "(" conditional ")" | "[" [ items [ "," ] ] "]"
//! items       = conditional { "," conditional }
//! ```
//!
//! `a ? b : c ? d : e` means `a ? b : (c ? d : e)`. The operators, loosest first, are `||`, `&&`,
//! comparisons, `+ -` and `* / %`.

use crate::limits;

use super::lexer::{Lexer, Token, past_64_bits, replacement_for};
use super::{FormulaFault, Operator};

/// A syntax tree, its names and types unchecked.
#[derive(Debug, PartialEq)]
pub(super) struct Tree<'s> {
    /// The byte offset of its first character, without brackets around it.
    pub at: usize,
    pub node: TreeNode<'s>,
    depth: usize,
}

/// The node at the root of a tree, with its parts.
#[derive(Debug, PartialEq)]
pub(super) enum TreeNode<'s> {
    Number(i64),
    Flag(bool),
    Name(&'s str),
    List(Vec<Tree<'s>>),
    Negate(Box<Tree<'s>>),
    Not(Box<Tree<'s>>),
    And(Box<[Tree<'s>; 2]>),
    Or(Box<[Tree<'s>; 2]>),
    Binary(Operator, Box<[Tree<'s>; 2]>),
    Conditional(Box<[Tree<'s>; 3]>),
    Call(&'s str, Vec<Tree<'s>>),
}

impl<'s> Tree<'s> {
    /// Parses a complete formula.
    ///
    /// # Errors
    /// Returns the first syntax fault.
    pub fn read(source: &'s str) -> Result<Self, FormulaFault> {
        let mut reader = TreeReader {
            lexer: Lexer::new(source),
            before: (0, Token::End),
            now: (0, Token::End),
            nested: 0,
        };
        reader.advance()?;
        let tree = reader.conditional()?;
        if reader.now.1 == Token::End { Ok(tree) } else { Err(reader.surplus()) }
    }

    fn new(at: usize, node: TreeNode<'s>) -> Result<Self, FormulaFault> {
        let parts = match &node {
            TreeNode::Number(_) | TreeNode::Flag(_) | TreeNode::Name(_) => &[][..],
            TreeNode::List(parts) | TreeNode::Call(_, parts) => parts,
            TreeNode::Negate(part) | TreeNode::Not(part) => std::slice::from_ref(&**part),
            TreeNode::And(parts) | TreeNode::Or(parts) | TreeNode::Binary(_, parts) => &parts[..],
            TreeNode::Conditional(parts) => &parts[..],
        };
        let below = parts.iter().map(|part| part.depth).max().unwrap_or(0);
        if below >= limits::TREE_DEPTH {
            let message =
                format!("more than {} operators nested in one another", limits::TREE_DEPTH);
            return Err(FormulaFault::new(at, message, "write it shorter"));
        }
        Ok(Self { at, node, depth: below + 1 })
    }
}

/// Builds the node of an operator from its two operands.
type Join<'s> = fn(Box<[Tree<'s>; 2]>) -> TreeNode<'s>;

/// The precedence of a binary operator, and the constructor of its node.
fn infix<'s>(sign: &str) -> Option<(u8, Join<'s>)> {
    macro_rules! binary {
        ($operator:ident) => {
            |sides| TreeNode::Binary(Operator::$operator, sides)
        };
    }
    Some(match sign {
        "||" => (1, |sides| TreeNode::Or(sides)),
        "&&" => (2, |sides| TreeNode::And(sides)),
        "==" => (3, binary!(Equal)),
        "!=" => (3, binary!(NotEqual)),
        "<" => (3, binary!(Less)),
        "<=" => (3, binary!(LessOrEqual)),
        ">" => (3, binary!(Greater)),
        ">=" => (3, binary!(GreaterOrEqual)),
        "+" => (4, binary!(Add)),
        "-" => (4, binary!(Subtract)),
        "*" => (5, binary!(Multiply)),
        "/" => (5, binary!(Divide)),
        "%" => (5, binary!(Remainder)),
        _ => return None,
    })
}

struct TreeReader<'s> {
    lexer: Lexer<'s>,
    /// The previous and the current token, with their offsets.
    before: (usize, Token<'s>),
    now: (usize, Token<'s>),
    nested: usize,
}

type Read<'s> = Result<Tree<'s>, FormulaFault>;

impl<'s> TreeReader<'s> {
    fn advance(&mut self) -> Result<(), FormulaFault> {
        let next = self.lexer.next()?;
        self.before = std::mem::replace(&mut self.now, next);
        Ok(())
    }

    /// Consumes `sign` if it is the current token; returns whether it was.
    fn take(&mut self, sign: &'static str) -> Result<bool, FormulaFault> {
        let found = self.now.1 == Token::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// Consumes the sign that closes the one `opened` at an offset.
    fn close(&mut self, sign: &'static str, at: usize, opened: &str) -> Result<(), FormulaFault> {
        if self.take(sign)? {
            return Ok(());
        }
        if !matches!(self.now.1, Token::End | Token::Sign(")" | "]" | ":")) {
            return Err(self.surplus());
        }
        let fix = if opened == "?" {
            "write condition ? value : other".into()
        } else {
            format!("add {sign}")
        };
        Err(FormulaFault::new(at, format!("this `{opened}` has no `{sign}`"), fix))
    }

    fn conditional(&mut self) -> Read<'s> {
        if self.nested > limits::BRACKET_DEPTH {
            let message = format!("brackets nest deeper than {}", limits::BRACKET_DEPTH);
            return Err(FormulaFault::new(self.now.0, message, "leave out brackets"));
        }
        self.nested += 1;
        let mut conditions = Vec::new();
        let mut last = self.binary(0)?;
        while self.now.1 == Token::Sign("?") {
            let at = self.now.0;
            self.advance()?;
            let value = self.conditional()?;
            self.close(":", at, "?")?;
            conditions.push((last, value));
            last = self.binary(0)?;
        }
        self.nested -= 1;
        for (condition, value) in conditions.into_iter().rev() {
            let at = condition.at;
            last = Tree::new(at, TreeNode::Conditional(Box::new([condition, value, last])))?;
        }
        Ok(last)
    }

    /// Parses operands joined by operators of higher precedence than `least`.
    fn binary(&mut self, least: u8) -> Read<'s> {
        let mut left = self.unary()?;
        while let Token::Sign(sign) = self.now.1
            && let Some((precedence, join)) = infix(sign)
            && precedence > least
        {
            self.advance()?;
            let right = self.binary(precedence)?;
            left = Tree::new(left.at, join(Box::new([left, right])))?;
        }
        Ok(left)
    }

    /// Parses an operand and the signs in front of it; a minus right before a number is part of the
    /// number.
    fn unary(&mut self) -> Read<'s> {
        let mut signs: Vec<(usize, &'static str)> = Vec::new();
        while let (at, Token::Sign(sign @ ("-" | "!"))) = self.now {
            self.advance()?;
            signs.push((at, sign));
        }
        let mut tree = if let (Token::Number(number), Some(&(at, "-"))) = (self.now.1, signs.last())
        {
            signs.pop();
            // The smallest 64-bit number has no positive counterpart.
            let value =
                0i64.checked_sub_unsigned(number).ok_or_else(|| past_64_bits(self.now.0))?;
            self.advance()?;
            Tree::new(at, TreeNode::Number(value))?
        } else {
            self.operand()?
        };
        for (at, sign) in signs.into_iter().rev() {
            let part = Box::new(tree);
            tree = Tree::new(
                at,
                if sign == "-" { TreeNode::Negate(part) } else { TreeNode::Not(part) },
            )?;
        }
        Ok(tree)
    }

    fn operand(&mut self) -> Read<'s> {
        let (at, token) = self.now;
        if !matches!(token, Token::Number(_) | Token::Name(_) | Token::Sign("(" | "[")) {
            return Err(self.no_operand());
        }
        self.advance()?;
        let node = match token {
            Token::Number(number) => {
                TreeNode::Number(i64::try_from(number).map_err(|_| past_64_bits(at))?)
            }
            Token::Name("true") => TreeNode::Flag(true),
            Token::Name("false") => TreeNode::Flag(false),
            Token::Name(name) => match self.now {
                (opened, Token::Sign("(")) => {
                    self.advance()?;
                    TreeNode::Call(name, self.items(")", (opened, "("))?)
                }
                _ => TreeNode::Name(name),
            },
            Token::Sign("[") => TreeNode::List(self.items("]", (at, "["))?),
            _ => {
                let tree = self.conditional()?;
                self.close(")", at, "(")?;
                return Ok(tree);
            }
        };
        Tree::new(at, node)
    }

    /// Parses items separated by commas, up to the closing sign; a list may end in a comma.
    fn items(
        &mut self,
        sign: &'static str,
        opened: (usize, &str),
    ) -> Result<Vec<Tree<'s>>, FormulaFault> {
        let mut items = Vec::new();
        if !self.take(sign)? {
            loop {
                items.push(self.conditional()?);
                let more = self.take(",")?;
                if !more || sign == "]" && self.now.1 == Token::Sign(sign) {
                    break self.close(sign, opened.0, opened.1)?;
                }
            }
        }
        Ok(items)
    }

    /// Creates the fault for a token that cannot begin an operand.
    fn no_operand(&self) -> FormulaFault {
        let add = "add a number, a name or a formula in brackets";
        match (self.before.1, self.now.1) {
            (Token::End, Token::End) => FormulaFault::new(self.now.0, "the formula is empty", add),
            (_, Token::End) => {
                FormulaFault::new(self.now.0, "the formula ends where a value is missing", add)
            }
            (_, Token::Sign("+")) => FormulaFault::new(
                self.now.0,
                "a `+` with nothing to add to",
                "leave it out, or add a value before it",
            ),
            (_, token) => FormulaFault::new(
                self.now.0,
                format!("a value is missing before {}", shown(token)),
                add,
            ),
        }
    }

    /// Creates the fault for a token that cannot follow an operand.
    fn surplus(&self) -> FormulaFault {
        for (at, token) in [self.now, self.before] {
            if let Token::Name(name) = token
                && let Some(fix) = replacement_for(name)
            {
                return FormulaFault::new(
                    at,
                    format!("`{name}` is not an operator of formulas"),
                    fix,
                );
            }
        }
        let (at, token) = self.now;
        match token {
            Token::Sign(")" | "]") => FormulaFault::new(
                at,
                format!("{} without an opening bracket", shown(token)),
                "leave it out",
            ),
            Token::Sign(":") => FormulaFault::new(
                at,
                "this `:` has no `?` before it",
                "write condition ? value : other",
            ),
            Token::Sign(",") => FormulaFault::new(
                at,
                "a `,` outside the arguments of a function",
                "leave it out, or name the function",
            ),
            Token::Sign("!") => {
                FormulaFault::new(at, "a `!` after a value", "write != to compare, or ! in front")
            }
            _ => {
                let message = format!("an operator is missing before {}", shown(token));
                FormulaFault::new(at, message, "join the two, as with + or &&")
            }
        }
    }
}

/// A token as shown in messages.
fn shown(token: Token) -> String {
    match token {
        Token::Number(number) => format!("`{number}`"),
        Token::Name(text) => format!("`{text}`"),
        Token::Sign(sign) => format!("`{sign}`"),
        Token::End => "the end".into(),
    }
}
