//! Evaluation over whole arrays: each part of a formula is computed once for each combination of the variables
//! it depends on, by broadcasting, so that a million cells cost milliseconds.

use ndarray::{ArrayD, Dimension, IxDyn, Zip};

use super::functions::FUNCTIONS;
use super::{Expression, Operator, Variable};

/// Variables bound to arrays that broadcast against each other: all have the same number of axes, and each axis
/// is of the common length or of length 1. A variable never bound is 0.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    bound: Vec<(Variable, ArrayD<i64>)>,
    axes: usize,
}

/// The values of a formula, and where it has none (division by zero, overflow, outside a function's domain).
#[derive(Clone, Debug)]
pub struct Cells {
    /// The values; 0 where there is none. Axes that the formula does not depend on have length 1.
    pub values: ArrayD<i64>,
    /// 1 where the formula has no value; absent if it has one everywhere.
    pub faults: Option<ArrayD<i64>>,
}

impl Arrays {
    /// No variables yet, over so many axes.
    pub fn new(axes: usize) -> Self {
        Self { bound: Vec::new(), axes }
    }

    /// Binds a variable to the values along one axis.
    pub fn bind_axis(&mut self, variable: Variable, axis: usize, values: impl IntoIterator<Item = i64>) {
        let values: Vec<i64> = values.into_iter().collect();
        let mut shape = vec![1; self.axes];
        shape[axis] = values.len();
        self.bind(variable, ArrayD::from_shape_vec(IxDyn(&shape), values).expect("as long as its axis"));
    }

    /// Binds a variable to one value.
    pub fn bind_constant(&mut self, variable: Variable, value: i64) {
        self.bind(variable, ArrayD::from_elem(IxDyn(&vec![1; self.axes]), value));
    }

    /// Binds a variable to an array of this many axes, in place of any earlier one.
    pub fn bind(&mut self, variable: Variable, values: ArrayD<i64>) {
        debug_assert_eq!(values.ndim(), self.axes, "one axis for each of the others'");
        match self.bound.iter_mut().find(|(v, _)| *v == variable) {
            Some((_, old)) => *old = values,
            None => self.bound.push((variable, values)),
        }
    }

    /// The array of a variable.
    pub fn get(&self, variable: Variable) -> Option<&ArrayD<i64>> {
        self.bound.iter().find(|(v, _)| *v == variable).map(|(_, values)| values)
    }

    fn constant(&self, value: i64) -> ArrayD<i64> {
        ArrayD::from_elem(IxDyn(&vec![1; self.axes]), value)
    }

    pub(super) fn evaluate(&self, expression: &Expression) -> Cells {
        match expression {
            Expression::Constant(n) => Cells::sound(self.constant(*n)),
            Expression::Weights(i) => Cells::sound(self.constant(-1 - *i as i64)),
            Expression::Variable(v) => Cells::sound(self.get(*v).cloned().unwrap_or_else(|| self.constant(0))),
            Expression::Negate(a) => combine(Operator::Subtract, Cells::sound(self.constant(0)), self.evaluate(a)),
            Expression::Not(a) => combine(Operator::Subtract, Cells::sound(self.constant(1)), self.evaluate(a)),
            Expression::And(a, b) => choose(self.evaluate(a), self.evaluate(b), Cells::sound(self.constant(0))),
            Expression::Or(a, b) => choose(self.evaluate(a), Cells::sound(self.constant(1)), self.evaluate(b)),
            Expression::Choose(parts) => {
                choose(self.evaluate(&parts[0]), self.evaluate(&parts[1]), self.evaluate(&parts[2]))
            }
            Expression::Binary(operator, ab) => combine(*operator, self.evaluate(&ab[0]), self.evaluate(&ab[1])),
            Expression::Call(function, arguments) => {
                let arguments = arguments.iter().map(|a| self.evaluate(a)).collect();
                call(FUNCTIONS[*function].apply, arguments)
            }
        }
    }
}

impl Cells {
    fn sound(values: ArrayD<i64>) -> Self {
        Self { values, faults: None }
    }

    /// The value at an index of the common shape; axes of length 1 are read at 0.
    pub fn at(&self, index: &[usize]) -> Option<i64> {
        let fault = self.faults.as_ref().map_or(0, |faults| broadcast_at(faults, index));
        (fault == 0).then(|| broadcast_at(&self.values, index))
    }

    /// The first index without a value.
    pub fn first_fault(&self) -> Option<Vec<usize>> {
        let faults = self.faults.as_ref()?;
        faults.indexed_iter().find(|(_, fault)| **fault != 0).map(|(index, _)| index.slice().to_vec())
    }
}

fn broadcast_at(array: &ArrayD<i64>, index: &[usize]) -> i64 {
    let index: Vec<usize> = index.iter().zip(array.shape()).map(|(i, n)| if *n == 1 { 0 } else { *i }).collect();
    array[IxDyn(&index)]
}

/// The shape that all arrays broadcast to.
fn common_shape(arrays: &[&ArrayD<i64>]) -> Vec<usize> {
    let axes = arrays[0].ndim();
    (0..axes).map(|axis| arrays.iter().map(|a| a.shape()[axis]).max().unwrap_or(1)).collect()
}

/// Applies `f` to each cell of two arrays broadcast together.
fn zip(a: &ArrayD<i64>, b: &ArrayD<i64>, f: impl Fn(i64, i64) -> i64) -> ArrayD<i64> {
    let mut out = ArrayD::zeros(IxDyn(&common_shape(&[a, b])));
    Zip::from(&mut out).and_broadcast(a).and_broadcast(b).for_each(|out, a, b| *out = f(*a, *b));
    out
}

fn either(a: Option<ArrayD<i64>>, b: Option<ArrayD<i64>>) -> Option<ArrayD<i64>> {
    match (a, b) {
        (Some(a), Some(b)) => Some(zip(&a, &b, |a, b| a | b)),
        (one, other) => one.or(other),
    }
}

fn combine(operator: Operator, a: Cells, b: Cells) -> Cells {
    let inherited = either(a.faults, b.faults);
    let values = zip(&a.values, &b.values, |a, b| operator.apply(a, b).unwrap_or(0));
    let own = match operator {
        Operator::Add | Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
            let faults = zip(&a.values, &b.values, |a, b| operator.apply(a, b).is_none().into());
            faults.iter().any(|f| *f != 0).then_some(faults)
        }
        _ => None,
    };
    Cells { values, faults: either(inherited, own) }
}

/// Where the condition holds the one, elsewhere the other: faults of the branch not taken do not count.
fn choose(condition: Cells, yes: Cells, no: Cells) -> Cells {
    let pick = |yes: &ArrayD<i64>, no: &ArrayD<i64>| {
        let mut out = ArrayD::zeros(IxDyn(&common_shape(&[&condition.values, yes, no])));
        Zip::from(&mut out)
            .and_broadcast(&condition.values)
            .and_broadcast(yes)
            .and_broadcast(no)
            .for_each(|out, c, yes, no| *out = if *c != 0 { *yes } else { *no });
        out
    };
    let values = pick(&yes.values, &no.values);
    let branch = match (&yes.faults, &no.faults) {
        (None, None) => None,
        (Some(y), None) => Some(pick(y, &ArrayD::zeros(y.raw_dim()))),
        (None, Some(n)) => Some(pick(&ArrayD::zeros(n.raw_dim()), n)),
        (Some(y), Some(n)) => Some(pick(y, n)),
    };
    Cells { values, faults: either(condition.faults, branch).filter(|f| f.iter().any(|f| *f != 0)) }
}

/// A function of one or two numbers over a range of them, computed once for each.
struct Lookup {
    least: [i64; 2],
    width: usize,
    results: Vec<Option<i64>>,
}

impl Lookup {
    /// Over all combinations of the arguments' values, if there are no more of those than cells.
    fn over(apply: fn(&[i64]) -> Option<i64>, arguments: &[&ArrayD<i64>], cells: usize) -> Option<Self> {
        let range = |array: &ArrayD<i64>| {
            let numbers = array.as_slice_memory_order()?;
            let (least, most) = numbers.iter().fold((i64::MAX, i64::MIN), |(l, m), n| (l.min(*n), m.max(*n)));
            let count = usize::try_from(most.checked_sub(least)?.checked_add(1)?).ok()?;
            Some((least, count))
        };
        let (least, tall) = range(arguments[0])?;
        let (least_second, width) = arguments.get(1).map_or(Some((0, 1)), |array| range(array))?;
        if tall.checked_mul(width)? > cells {
            return None;
        }
        let pairs = (0..tall as i64).flat_map(|i| (0..width as i64).map(move |j| [least + i, least_second + j]));
        let results = pairs.map(|pair| apply(&pair[..arguments.len()])).collect();
        Some(Self { least: [least, least_second], width, results })
    }

    fn get(&self, arguments: &[i64]) -> Option<i64> {
        let second = arguments.get(1).map_or(0, |n| (n - self.least[1]) as usize);
        self.results[(arguments[0] - self.least[0]) as usize * self.width + second]
    }
}

fn call(apply: fn(&[i64]) -> Option<i64>, arguments: Vec<Cells>) -> Cells {
    let arrays: Vec<&ArrayD<i64>> = arguments.iter().map(|a| &a.values).collect();
    let shape = common_shape(&arrays);
    let mut values = ArrayD::zeros(IxDyn(&shape));
    let lookup = if arrays.len() <= 2 { Lookup::over(apply, &arrays, values.len()) } else { None };
    let result = |arguments: &[i64]| match &lookup {
        Some(lookup) => lookup.get(arguments),
        None => apply(arguments),
    };
    let mut own: Option<ArrayD<i64>> = None;
    if let (Some(lookup), [only]) = (&lookup, &arrays[..]) {
        // The commonest case, without a fault: one table of results, read for each cell.
        if lookup.results.iter().all(Option::is_some) {
            Zip::from(&mut values).and_broadcast(*only).for_each(|value, n| *value = lookup.get(&[*n]).unwrap_or(0));
            let faults = arguments.into_iter().fold(None, |faults, a| either(faults, a.faults));
            return Cells { values, faults };
        }
    }
    let views: Vec<_> = arrays.iter().map(|a| a.broadcast(IxDyn(&shape)).expect("common shape")).collect();
    let mut inputs: Vec<_> = views.iter().map(|view| view.iter()).collect();
    let mut row = vec![0; arrays.len()];
    for (place, value) in values.iter_mut().enumerate() {
        row.iter_mut().zip(&mut inputs).for_each(|(cell, input)| *cell = *input.next().expect("one shape"));
        match result(&row) {
            Some(result) => *value = result,
            None => {
                let faults = own.get_or_insert_with(|| ArrayD::zeros(IxDyn(&shape)));
                faults.as_slice_mut().expect("made in order")[place] = 1;
            }
        }
    }
    let inherited = arguments.into_iter().fold(None, |faults, a| either(faults, a.faults));
    Cells { values, faults: either(inherited, own) }
}

#[cfg(test)]
mod tests {
    use super::super::{Formula, Scope, Type, VariableSet, Vocabulary};
    use super::*;

    fn agree(source: &str) -> Cells {
        let vocabulary = Vocabulary::new(&[]);
        let allowed = VariableSet::of(&[Variable::SCORE, Variable::OPPONENT, Variable::POINTS]);
        let formula = Formula::parse(source, Type::Integer, &vocabulary, allowed).expect(source);
        let mut arrays = Arrays::new(3);
        for (axis, variable) in [Variable::SCORE, Variable::OPPONENT, Variable::POINTS].into_iter().enumerate() {
            arrays.bind_axis(variable, axis, 0..12);
        }
        let cells = formula.values(&arrays);
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
        assert!(agree("score == 0 ? 1 : 100 / score").faults.is_none());
        let faulty = agree("100 / (score - opponent)");
        assert_eq!(faulty.first_fault(), Some(vec![0, 0, 0]));
        assert!(agree("score > 0 && 12 / score > 3 ? 1 : 2").faults.is_none());
    }

    #[test]
    fn parts_that_depend_on_less_are_computed_on_less() {
        assert_eq!(agree("is_prime(score) ? 1 : 2").values.shape(), [12, 1, 1]);
    }
}
