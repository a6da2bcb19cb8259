//! Evaluation over whole arrays: each part of a formula is computed once for each combination of the variables
//! it depends on, by broadcasting, so that a million cells cost milliseconds.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use ndarray::{ArrayD, IxDyn};

use super::broadcast::{common_shape, map, zip};
use super::cells::{Cells, FAULT, choose, either, of_either, opened};
use super::interval::{self, Interval};
use super::lookup::{Computed, Lookups};
use super::{Expression, FIRST_LIST, Operator, Variable};

/// Variables bound to arrays that broadcast against each other: all have the same number of axes, and each axis
/// is of the common length or of length 1. A variable never bound is 0.
#[derive(Clone, Debug)]
pub struct Arrays<'a> {
    bound: Vec<(Variable, Cells)>,
    axes: usize,
    lookups: &'a Lookups,
    /// How many values of each formula are asked for in all, by these arrays and others with the same lookups.
    asked: usize,
}

impl<'a> Arrays<'a> {
    /// No variables yet, over so many axes; `asked` tells how many values of a formula are asked for in all of these
    /// arrays and of others that share the lookups.
    pub fn new(axes: usize, lookups: &'a Lookups, asked: usize) -> Self {
        Self { bound: Vec::new(), axes, lookups, asked }
    }

    /// Binds a variable to the values along one axis: a part of all those that it takes.
    pub fn bind_axis(
        &mut self,
        variable: Variable,
        (axis, all): (usize, RangeInclusive<i64>),
        values: impl IntoIterator<Item = i64>,
    ) {
        let values: Vec<i64> = values.into_iter().collect();
        let mut shape = vec![1; self.axes];
        shape[axis] = values.len();
        let values = ArrayD::from_shape_vec(IxDyn(&shape), values).expect("as long as its axis");
        self.bind(variable, Cells::new(values, all));
    }

    /// Binds a variable to one value.
    pub fn bind_constant(&mut self, variable: Variable, value: i64) {
        self.bind(variable, self.constant(value));
    }

    /// Binds a variable to lines: it takes its value in a cell, and with every step so much more, all in a range. Variables
    /// bound so take their steps together. Their sums and differences are lines again; what else depends on them is flagged
    /// as open.
    pub fn bind_line(&mut self, variable: Variable, cells: Cells, (slope, all): (i64, RangeInclusive<i64>)) {
        let slopes = (slope != 0).then(|| self.constant(slope).values);
        self.bind(variable, Cells { slopes, ..Cells::new(cells.values, all) });
    }

    /// Binds a variable to cells of this many axes, in place of any earlier ones.
    pub fn bind(&mut self, variable: Variable, cells: Cells) {
        debug_assert_eq!(cells.values.ndim(), self.axes, "one axis for each of the others'");
        match self.bound.iter_mut().find(|(v, _)| *v == variable) {
            Some((_, old)) => *old = cells,
            None => self.bound.push((variable, cells)),
        }
    }

    /// The cells of a variable.
    pub fn get(&self, variable: Variable) -> Option<&Cells> {
        self.bound.iter().find(|(v, _)| *v == variable).map(|(_, cells)| cells)
    }

    /// The cells of a variable, which is then bound no longer.
    pub fn take(&mut self, variable: Variable) -> Option<Cells> {
        let place = self.bound.iter().position(|(v, _)| *v == variable)?;
        Some(self.bound.swap_remove(place).1)
    }

    /// One value on all axes.
    pub fn constant(&self, value: i64) -> Cells {
        Cells::new(ArrayD::from_elem(IxDyn(&vec![1; self.axes]), value), value..=value)
    }

    pub(super) fn evaluate(&self, expression: &Expression) -> Cow<'_, Cells> {
        let of = |part: &Expression| self.evaluate(part);
        Cow::Owned(match expression {
            Expression::Constant(n) => self.constant(*n),
            Expression::Weights(i) => self.constant(FIRST_LIST + *i as i64),
            Expression::Variable(v) => match self.get(*v) {
                Some(cells) => return Cow::Borrowed(cells),
                None => self.constant(0),
            },
            Expression::Negate(a) => self.combine(Operator::Subtract, &self.constant(0), &of(a)),
            Expression::Not(a) => self.combine(Operator::Subtract, &self.constant(1), &of(a)),
            Expression::And(a, b) => self.both(&of(a), &of(b)),
            Expression::Or(a, b) => self.any(&of(a), &of(b)),
            Expression::Choose(parts) => choose(&of(&parts[0]), &of(&parts[1]), &of(&parts[2])),
            Expression::Binary(operator, ab) => self.combine(*operator, &of(&ab[0]), &of(&ab[1])),
            Expression::Call(function, arguments) => {
                let arguments: Vec<Cow<Cells>> = arguments.iter().map(|argument| opened(of(argument))).collect();
                self.call(Computed::Function(*function), &arguments.iter().map(AsRef::as_ref).collect::<Vec<_>>())
            }
        })
    }

    /// Whether both hold: flags of the second count where the first does.
    fn both(&self, a: &Cells, b: &Cells) -> Cells {
        let no = self.constant(0);
        if b.flags.is_some() {
            return choose(a, b, &no);
        }
        let values = zip(&a.values, &b.values, |a, b| a & b);
        Cells { values, slopes: None, flags: a.flags.clone(), range: interval::hull(b.range, no.range) }
    }

    /// Whether one of them holds: flags of the second count where the first does not.
    fn any(&self, a: &Cells, b: &Cells) -> Cells {
        let yes = self.constant(1);
        if b.flags.is_some() {
            return choose(a, &yes, b);
        }
        let values = zip(&a.values, &b.values, |a, b| a | b);
        Cells { values, slopes: None, flags: a.flags.clone(), range: interval::hull(b.range, yes.range) }
    }

    /// The one less the other.
    pub fn difference(&self, a: &Cells, b: &Cells) -> Cells {
        self.combine(Operator::Subtract, a, b)
    }

    /// Both cells' values, combined. What cannot fail is not checked.
    fn combine(&self, operator: Operator, a: &Cells, b: &Cells) -> Cells {
        let range = interval::of_operation(operator, a.range, b.range);
        let joins_lines = matches!(operator, Operator::Add | Operator::Subtract) && range.is_some();
        if !joins_lines && (a.slopes.is_some() || b.slopes.is_some()) {
            return self.combine(operator, &opened(Cow::Borrowed(a)), &opened(Cow::Borrowed(b)));
        }
        let is_slow = matches!(operator, Operator::Divide | Operator::Remainder);
        if is_slow && b.range.0 == b.range.1 {
            return self.call(Computed::Operator(operator), &[a, b]);
        }
        let Some(range) = range else { return direct(Computed::Operator(operator), &[a, b]) };
        let (x, y) = (&a.values, &b.values);
        let values = match operator {
            Operator::Add => zip(x, y, |x, y| x + y),
            Operator::Subtract => zip(x, y, |x, y| x - y),
            Operator::Multiply => zip(x, y, |x, y| x * y),
            Operator::Divide => zip(x, y, |x, y| x / y),
            Operator::Remainder => zip(x, y, |x, y| x % y),
            Operator::Equal => zip(x, y, |x, y| (x == y).into()),
            Operator::NotEqual => zip(x, y, |x, y| (x != y).into()),
            Operator::Less => zip(x, y, |x, y| (x < y).into()),
            Operator::LessOrEqual => zip(x, y, |x, y| (x <= y).into()),
            Operator::Greater => zip(x, y, |x, y| (x > y).into()),
            Operator::GreaterOrEqual => zip(x, y, |x, y| (x >= y).into()),
        };
        let flags = either(a.flags.as_ref(), b.flags.as_ref());
        Cells { values, slopes: joined_slopes(operator, a, b), flags, range }
    }

    fn call(&self, computed: Computed, arguments: &[&Cells]) -> Cells {
        let ranges: Vec<Interval> = arguments.iter().map(|a| a.range).collect();
        let varying: Vec<&Cells> = arguments.iter().copied().filter(|a| !a.is_one_number()).collect();
        let asked = if varying.len() == 1 { self.asked } else { self.asked / 4 };
        match (&varying[..], self.lookups.over(computed, ranges, asked)) {
            ([only], Some(lookup)) => {
                let (least, flags) = (only.range.0, only.flags.as_ref());
                let place = |n: i64| (n - least) as usize;
                Cells::looked_up(
                    &lookup,
                    flags,
                    |of: &[i64]| map(&only.values, |n| of[place(n)]),
                    |of: &[u8]| map(&only.values, |n| of[place(n)]),
                )
            }
            ([a, b], Some(lookup)) => {
                let width = interval::count(b.range).expect("counted when made");
                let place = |m: i64, n: i64| (m - a.range.0) as usize * width + (n - b.range.0) as usize;
                let flags = either(a.flags.as_ref(), b.flags.as_ref());
                let places = zip(&a.values, &b.values, place);
                Cells::looked_up(&lookup, flags.as_ref(), |of| map(&places, |n| of[n]), |of| map(&places, |n| of[n]))
            }
            _ => direct(computed, arguments),
        }
    }
}

/// The slopes of the sum of two lines, or of their difference.
fn joined_slopes(operator: Operator, a: &Cells, b: &Cells) -> Option<ArrayD<i64>> {
    // The lines stay in their range, so that what goes round here comes back in the sum of value and steps.
    let join = if operator == Operator::Subtract { i64::wrapping_sub } else { i64::wrapping_add };
    of_either(a.slopes.as_ref(), b.slopes.as_ref(), |a, b| zip(a, b, join))
}

/// Each cell computed by itself.
fn direct(computed: Computed, arguments: &[&Cells]) -> Cells {
    let shape = common_shape(arguments.iter().map(|a| a.values.shape()));
    let mut values = Vec::with_capacity(shape.iter().product());
    let mut faults: Option<ArrayD<u8>> = None;
    let (mut range, mut row) = ((0, 0), vec![0; arguments.len()]);
    let views: Vec<_> = arguments.iter().map(|a| a.values.broadcast(IxDyn(&shape)).expect("common shape")).collect();
    let mut inputs: Vec<_> = views.iter().map(|view| view.iter()).collect();
    for place in 0..shape.iter().product() {
        row.iter_mut().zip(&mut inputs).for_each(|(cell, input)| *cell = *input.next().expect("one shape"));
        let result = computed.apply(&row);
        if result.is_none() {
            let faults = faults.get_or_insert_with(|| ArrayD::zeros(IxDyn(&shape)));
            faults.as_slice_mut().expect("made in order")[place] = FAULT;
        }
        let value = result.unwrap_or(0);
        range = interval::hull(range, (value, value));
        values.push(value);
    }
    let inherited = arguments.iter().fold(None, |flags, a| either(flags.as_ref(), a.flags.as_ref()));
    let values = ArrayD::from_shape_vec(IxDyn(&shape), values).expect("one for each cell");
    let flags = either(inherited.as_ref(), faults.as_ref());
    Cells { values, slopes: None, flags, range: interval::rounded(range) }
}

#[cfg(test)]
mod tests {
    use super::super::{Formula, Scope, Type, VariableSet, Vocabulary};
    use super::*;

    fn agree(source: &str) -> Cells {
        let vocabulary = Vocabulary::new(&[]);
        let allowed = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT, Variable::POINTS]);
        let formula = Formula::parse(source, Type::Integer, &vocabulary, allowed).expect(source);
        let lookups = Lookups::default();
        let mut arrays = Arrays::new(3, &lookups, 1728);
        for (axis, variable) in [Variable::SCORE, Variable::OPPONENT, Variable::POINTS].into_iter().enumerate() {
            arrays.bind_axis(variable, (axis, 0..=11), 0..12);
        }
        let cells = formula.values(&arrays).into_owned();
        let mut scope = Scope::default();
        for (s, o, p) in (0..1728).map(|i| (i / 144, i / 12 % 12, i % 12)) {
            for (variable, value) in [(Variable::SCORE, s), (Variable::OPPONENT, o), (Variable::POINTS, p)] {
                scope.set(variable, value as i64);
            }
            assert_eq!(cells.at(&[s, o, p]), formula.value(&scope), "{source} at {s} {o} {p}");
        }
        cells
    }

    #[test]
    fn arrays_and_single_cells_give_the_same_values() {
        agree("score + 2 * opponent - points % 5");
        agree("is_prime(score + opponent) && opponent > score ? opponent + points : -opponent");
        agree("min(score, opponent, points) * gcd(score, points)");
        agree("!(score < 3 || points >= 7) ? 1 : 0");
    }

    #[test]
    fn faults_count_only_on_the_branch_taken() {
        assert!(agree("score == 0 ? 1 : 100 / score").flags.is_none());
        let faulty = agree("100 / (score - opponent)");
        assert_eq!(faulty.first_fault(), Some(vec![0, 0, 0]));
        assert!(agree("score > 0 && 12 / score > 3 ? 1 : 2").flags.is_none());
    }

    #[test]
    fn sums_and_choices_of_lines_are_lines_and_all_else_is_left_open() {
        let evaluate = |source: &str| {
            let vocabulary = Vocabulary::new(&[]);
            let allowed = VariableSet::of(&[Variable::SCORE, Variable::POINTS, Variable::SCORE_BEFORE]);
            let formula = Formula::parse(source, Type::Integer, &vocabulary, allowed).expect(source);
            let lookups = Lookups::default();
            let mut arrays = Arrays::new(1, &lookups, 4);
            arrays.bind_axis(Variable::SCORE, (0, 0..=3), 0..4);
            arrays.bind_line(Variable::POINTS, arrays.constant(0), (1, 0..=9));
            let score = arrays.get(Variable::SCORE).expect("bound").clone();
            arrays.bind_line(Variable::SCORE_BEFORE, score, (-1, -9..=3));
            let cells = formula.values(&arrays).into_owned();
            (0..4).map(|at| (!cells.is_open(&[at])).then(|| cells.slope_at(&[at]))).collect::<Vec<_>>()
        };
        assert_eq!(evaluate("score + points + points"), [Some(2); 4]);
        assert_eq!(evaluate("score_before + points"), [Some(0); 4]);
        assert_eq!(evaluate("score < 2 ? score_before : 7 - points - score"), [Some(-1); 4]);
        assert_eq!(evaluate("score == 1 ? points : score"), [Some(0), Some(1), Some(0), Some(0)]);
        assert_eq!(evaluate("score == 3 ? points % 2 : score"), [Some(0), Some(0), Some(0), None]);
    }

    #[test]
    fn parts_that_depend_on_less_are_computed_on_less() {
        assert_eq!(agree("is_prime(score) ? 1 : 2").values.shape(), [12, 1, 1]);
    }
}
