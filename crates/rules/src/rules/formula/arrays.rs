//! Evaluates formulas over arrays: by broadcasting, each part of a formula is computed once for
//! each combination of the variables it depends on, so a million cells cost milliseconds.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use ndarray::{ArrayD, IxDyn};

use super::broadcast::{common_shape, map, zip};
use super::cells::{Cells, FAULT, select, union_flags, without_slopes, zip_or_zero};
use super::interval::{self, IntegerInterval};
use super::lookup::{Computed, GoingOn, Lookups};
use super::{Expression, FIRST_LIST, Operator, Variable};

/// Variables bound to arrays that broadcast against each other: all have the same number of axes,
/// and each axis has the common length or length 1. A variable that is not bound is 0.
#[derive(Clone, Debug)]
pub struct Arrays<'a> {
    bound: Vec<(Variable, Cells)>,
    axes: usize,
    lookups: &'a Lookups<'a>,
    /// The number of values of each formula that are needed in total, by all arrays that share the
    /// lookups.
    asked: usize,
}

impl<'a> Arrays<'a> {
    /// Creates arrays with this number of axes and no variables. `asked` is the number of values of
    /// a formula that are needed in total, by all arrays that share the lookups.
    pub fn new(axes: usize, lookups: &'a Lookups<'a>, asked: usize) -> Self {
        Self { bound: Vec::new(), axes, lookups, asked }
    }

    /// Binds a variable to values along one axis. `all` is the range of its values over all parts
    /// of the tabulation.
    pub fn bind_axis(
        &mut self,
        variable: Variable,
        axis: usize,
        all: RangeInclusive<i64>,
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

    /// Binds a variable that is linear in a number of steps: in each cell it has the given value at
    /// 0 steps and increases by `slope` with each step; all values are in the range `all`. The
    /// number of steps is common to all such variables. Their sums and differences are linear
    /// too; other results that depend on them are flagged as [`NONLINEAR`](super::NONLINEAR).
    pub fn bind_linear(
        &mut self,
        variable: Variable,
        cells: Cells,
        slope: i64,
        all: RangeInclusive<i64>,
    ) {
        let slopes = (slope != 0).then(|| self.constant(slope).values);
        self.bind(variable, Cells { slopes, ..Cells::new(cells.values, all) });
    }

    /// Binds a variable to cells, in place of any earlier ones.
    pub fn bind(&mut self, variable: Variable, cells: Cells) {
        debug_assert_eq!(cells.values.ndim(), self.axes, "all arrays have the same number of axes");
        match self.bound.iter_mut().find(|(v, _)| *v == variable) {
            Some((_, old)) => *old = cells,
            None => self.bound.push((variable, cells)),
        }
    }

    /// The cells of a variable.
    pub fn get(&self, variable: Variable) -> Option<&Cells> {
        self.bound.iter().find(|(v, _)| *v == variable).map(|(_, cells)| cells)
    }

    /// Removes a variable and returns its cells.
    pub fn take(&mut self, variable: Variable) -> Option<Cells> {
        let place = self.bound.iter().position(|(v, _)| *v == variable)?;
        Some(self.bound.swap_remove(place).1)
    }

    /// Creates cells with one value on all axes.
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
            Expression::Conditional(parts) => {
                select(&of(&parts[0]), &of(&parts[1]), &of(&parts[2]))
            }
            Expression::Binary(operator, ab) => self.combine(*operator, &of(&ab[0]), &of(&ab[1])),
            Expression::Call(function, arguments) => {
                let arguments: Vec<Cow<Cells>> =
                    arguments.iter().map(|argument| without_slopes(of(argument))).collect();
                self.call(
                    Computed::Function(*function),
                    &arguments.iter().map(AsRef::as_ref).collect::<Vec<_>>(),
                )
            }
        })
    }

    /// The conjunction: flags of `b` count only where `a` holds.
    fn both(&self, a: &Cells, b: &Cells) -> Cells {
        let no = self.constant(0);
        if b.flags.is_some() {
            return select(a, b, &no);
        }
        let values = zip(&a.values, &b.values, |a, b| a & b);
        Cells {
            values,
            slopes: None,
            flags: a.flags.clone(),
            range: interval::hull(b.range, no.range),
        }
    }

    /// The disjunction: flags of `b` count only where `a` does not hold.
    fn any(&self, a: &Cells, b: &Cells) -> Cells {
        let yes = self.constant(1);
        if b.flags.is_some() {
            return select(a, &yes, b);
        }
        let values = zip(&a.values, &b.values, |a, b| a | b);
        Cells {
            values,
            slopes: None,
            flags: a.flags.clone(),
            range: interval::hull(b.range, yes.range),
        }
    }

    /// The difference `a - b`.
    pub fn difference(&self, a: &Cells, b: &Cells) -> Cells {
        self.combine(Operator::Subtract, a, b)
    }

    /// Applies a binary operator. Operations that cannot fail on these ranges are not checked.
    fn combine(&self, operator: Operator, a: &Cells, b: &Cells) -> Cells {
        let range = interval::of_operation(operator, a.range, b.range);
        let keeps_slopes =
            matches!(operator, Operator::Add | Operator::Subtract) && range.is_some();
        if !keeps_slopes && (a.slopes.is_some() || b.slopes.is_some()) {
            return self.combine(
                operator,
                &without_slopes(Cow::Borrowed(a)),
                &without_slopes(Cow::Borrowed(b)),
            );
        }
        let is_slow = matches!(operator, Operator::Divide | Operator::Remainder);
        if is_slow && b.range.0 == b.range.1 {
            return self.call(Computed::Operator(operator), &[a, b]);
        }
        let Some(range) = range else {
            return direct(Computed::Operator(operator), &[a, b], self.lookups.going);
        };
        let x = &a.values;
        let y = &b.values;
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
        let flags = union_flags(a.flags.as_ref(), b.flags.as_ref());
        Cells { values, slopes: combined_slopes(operator, a, b), flags, range }
    }

    /// Applies a function, by lookup if the ranges of its arguments are small.
    fn call(&self, computed: Computed, arguments: &[&Cells]) -> Cells {
        let ranges: Vec<IntegerInterval> = arguments.iter().map(|a| a.range).collect();
        let varying: Vec<&Cells> =
            arguments.iter().copied().filter(|a| !a.is_one_number()).collect();
        let asked = if varying.len() == 1 { self.asked } else { self.asked / 4 };
        match (&varying[..], self.lookups.over(computed, ranges, asked)) {
            ([only], Some(lookup)) => {
                let least = only.range.0;
                let flags = only.flags.as_ref();
                Cells::looked_up(
                    &lookup,
                    flags,
                    |of: &[i64]| map(&only.values, |n| of[(n - least) as usize]),
                    |of: &[u8]| map(&only.values, |n| of[(n - least) as usize]),
                )
            }
            ([a, b], Some(lookup)) => {
                let width = interval::count(b.range).expect("the lookup was sized");
                let flags = union_flags(a.flags.as_ref(), b.flags.as_ref());
                let places = zip(&a.values, &b.values, |m, n| {
                    (m - a.range.0) as usize * width + (n - b.range.0) as usize
                });
                Cells::looked_up(
                    &lookup,
                    flags.as_ref(),
                    |of| map(&places, |n| of[n]),
                    |of| map(&places, |n| of[n]),
                )
            }
            _ => direct(computed, arguments, self.lookups.going),
        }
    }
}

/// The slopes of the sum or difference of two linear values.
fn combined_slopes(operator: Operator, a: &Cells, b: &Cells) -> Option<ArrayD<i64>> {
    // All values stay in their ranges, so a slope that wraps here wraps back when the steps are
    // added to the value.
    let join = if operator == Operator::Subtract { i64::wrapping_sub } else { i64::wrapping_add };
    zip_or_zero(a.slopes.as_ref(), b.slopes.as_ref(), |a, b| zip(a, b, join))
}

/// Computes each cell by itself, with checks. If the work is to stop, the remaining cells have no
/// value.
fn direct(computed: Computed, arguments: &[&Cells], going: GoingOn) -> Cells {
    let shape = common_shape(arguments.iter().map(|a| a.values.shape()));
    let mut values = Vec::with_capacity(shape.iter().product());
    let mut faults: Option<ArrayD<u8>> = None;
    let mut range = (0, 0);
    let mut row = vec![0; arguments.len()];
    let views: Vec<_> = arguments
        .iter()
        .map(|a| a.values.broadcast(IxDyn(&shape)).expect("common shape"))
        .collect();
    let mut inputs: Vec<_> = views.iter().map(|view| view.iter()).collect();
    let mut stopped = false;
    for place in 0..shape.iter().product() {
        stopped |= !going.is_asked_at(place);
        row.iter_mut()
            .zip(&mut inputs)
            .for_each(|(cell, input)| *cell = *input.next().expect("one shape"));
        let result = if stopped { None } else { computed.apply(&row) };
        if result.is_none() {
            let faults = faults.get_or_insert_with(|| ArrayD::zeros(IxDyn(&shape)));
            faults.as_slice_mut().expect("contiguous")[place] = FAULT;
        }
        let value = result.unwrap_or(0);
        range = interval::hull(range, (value, value));
        values.push(value);
    }
    let inherited =
        arguments.iter().fold(None, |flags, a| union_flags(flags.as_ref(), a.flags.as_ref()));
    let values = ArrayD::from_shape_vec(IxDyn(&shape), values).expect("one for each cell");
    let flags = union_flags(inherited.as_ref(), faults.as_ref());
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
        for (axis, variable) in
            [Variable::SCORE, Variable::OPPONENT, Variable::POINTS].into_iter().enumerate()
        {
            arrays.bind_axis(variable, axis, 0..=11, 0..12);
        }
        let cells = formula.values(&arrays).into_owned();
        let mut scope = Scope::default();
        for (s, o, p) in (0..1728).map(|i| (i / 144, i / 12 % 12, i % 12)) {
            for (variable, value) in
                [(Variable::SCORE, s), (Variable::OPPONENT, o), (Variable::POINTS, p)]
            {
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
    fn sums_and_choices_of_linear_values_are_linear_and_other_results_are_flagged() {
        let evaluate = |source: &str| {
            let vocabulary = Vocabulary::new(&[]);
            let allowed =
                VariableSet::of(&[Variable::SCORE, Variable::POINTS, Variable::SCORE_BEFORE]);
            let formula =
                Formula::parse(source, Type::Integer, &vocabulary, allowed).expect(source);
            let lookups = Lookups::default();
            let mut arrays = Arrays::new(1, &lookups, 4);
            arrays.bind_axis(Variable::SCORE, 0, 0..=3, 0..4);
            arrays.bind_linear(Variable::POINTS, arrays.constant(0), 1, 0..=9);
            let score = arrays.get(Variable::SCORE).expect("bound").clone();
            arrays.bind_linear(Variable::SCORE_BEFORE, score, -1, -9..=3);
            let cells = formula.values(&arrays).into_owned();
            (0..4)
                .map(|at| (!cells.is_nonlinear(&[at])).then(|| cells.slope_at(&[at])))
                .collect::<Vec<_>>()
        };
        assert_eq!(evaluate("score + points + points"), [Some(2); 4]);
        assert_eq!(evaluate("score_before + points"), [Some(0); 4]);
        assert_eq!(evaluate("score < 2 ? score_before : 7 - points - score"), [Some(-1); 4]);
        assert_eq!(evaluate("score == 1 ? points : score"), [Some(0), Some(1), Some(0), Some(0)]);
        assert_eq!(evaluate("score == 3 ? points % 2 : score"), [Some(0), Some(0), Some(0), None]);
    }

    #[test]
    fn axes_that_a_formula_does_not_depend_on_have_length_1() {
        assert_eq!(agree("is_prime(score) ? 1 : 2").values.shape(), [12, 1, 1]);
    }
}
