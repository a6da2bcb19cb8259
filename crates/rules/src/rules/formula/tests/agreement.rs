//! Random formulas have the same values cell by cell and over arrays, however the arrays are split
//! into parts.

use proptest::prelude::*;
use proptest::sample::select;

use super::functions::{FUNCTIONS, FormulaFunction};
use super::*;

/// The variable of each axis.
const AXES: [Variable; 3] = [Variable::SCORE, Variable::OPPONENT, Variable::DICE];
/// The variables that are linear in the number of steps, with their slopes.
const LINEAR: [(Variable, i64); 2] = [(Variable::POINTS, 1), (Variable::SCORE_BEFORE, -1)];

/// The domain over which a formula is evaluated.
#[derive(Clone, Debug)]
struct Domain {
    /// The smallest value on each axis, and the number of values.
    axes: [(i64, usize); 3],
    goal: i64,
    busted: bool,
    /// The largest number of steps. The variable with a negative slope starts at this number, so
    /// that it ends at 0.
    steps: i64,
    /// The number of rows along the first axis that are evaluated together.
    together: usize,
    asked: usize,
}

impl Domain {
    fn scope(&self, index: [usize; 3], steps: i64) -> Scope {
        let mut scope = Scope::default();
        for ((variable, (least, _)), place) in AXES.into_iter().zip(self.axes).zip(index) {
            scope.set(variable, least + place as i64);
        }
        scope.set(Variable::GOAL, self.goal);
        scope.set(Variable::BUSTED, self.busted.into());
        for (variable, slope) in LINEAR {
            scope.set(variable, self.start(slope) + slope * steps);
        }
        scope
    }

    fn arrays<'a>(&self, lookups: &'a Lookups, rows: std::ops::Range<usize>) -> Arrays<'a> {
        let mut arrays = Arrays::new(AXES.len(), lookups, self.asked);
        for (axis, (variable, (least, length))) in AXES.into_iter().zip(self.axes).enumerate() {
            let part = if axis == 0 { rows.clone() } else { 0..length };
            let all = least..=least + (length as i64 - 1);
            arrays.bind_axis(variable, axis, all, part.map(|place| least + place as i64));
        }
        arrays.bind_constant(Variable::GOAL, self.goal);
        arrays.bind_constant(Variable::BUSTED, self.busted.into());
        for (variable, slope) in LINEAR {
            arrays.bind_linear(variable, arrays.constant(self.start(slope)), slope, 0..=self.steps);
        }
        arrays
    }

    fn start(&self, slope: i64) -> i64 {
        if slope < 0 { self.steps } else { 0 }
    }
}

fn numbers() -> impl Strategy<Value = i64> {
    let edges = vec![i64::MIN, i64::MIN + 1, -1, 0, 1, 2, i64::MAX - 1, i64::MAX];
    prop_oneof![4 => -12..=12i64, 1 => select(edges), 1 => any::<i64>()]
}

prop_compose! {
    fn domains()(
        axes in prop::array::uniform3((numbers(), 1..6usize)),
        goal in numbers(),
        busted in any::<bool>(),
        together in 1..6usize,
        steps in select(vec![0, 1, 2, 9, i64::MAX]),
        asked in select(vec![0, 8, 64, 4096]),
    ) -> Domain {
        let axes = axes.map(|(least, length)| (least.min(i64::MAX - (length as i64 - 1)), length));
        Domain { axes, goal, busted, steps, together, asked }
    }
}

fn binary(operator: Operator, a: Expression, b: Expression) -> Expression {
    Expression::Binary(operator, Box::new([a, b]))
}

/// A call of a function; if `is_small`, with arguments reduced to the size of scores.
fn call(function: usize, is_small: bool, arguments: &[Expression]) -> Expression {
    let FormulaFunction { arity, .. } = FUNCTIONS[function];
    let small =
        |argument: Expression| binary(Operator::Remainder, argument, Expression::Constant(60));
    let arguments = arguments.iter().take(arity.1).cloned();
    Expression::Call(
        function,
        arguments.map(|argument| if is_small { small(argument) } else { argument }).collect(),
    )
}

/// Random integer formulas with all parts of the language.
fn formulas() -> impl Strategy<Value = Expression> {
    let variables =
        vec![AXES[0], AXES[1], AXES[2], LINEAR[0].0, LINEAR[1].0, Variable::GOAL, Variable::FACE];
    let leaf = prop_oneof![
        1 => numbers().prop_map(Expression::Constant),
        3 => select(variables).prop_map(Expression::Variable)
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        use Operator::*;
        let compared = || select(vec![Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual]);
        let functions = |tests: bool| {
            let all = (0..FUNCTIONS.len()).filter(|f| FUNCTIONS[*f].is_test == tests);
            let all: Vec<usize> = all.collect();
            (select(all), any::<bool>())
        };
        let comparison =
            (compared(), inner.clone(), inner.clone()).prop_map(|(o, a, b)| binary(o, a, b));
        let test = prop_oneof![
            4 => comparison,
            1 => (functions(true), inner.clone())
                .prop_map(|((name, is_condition), a)| call(name, is_condition, &[a])),
            1 => Just(Expression::Variable(Variable::BUSTED))
        ];
        let condition = prop_oneof![
            test.clone(),
            test.clone().prop_map(|a| Expression::Not(a.into())),
            (test.clone(), test.clone()).prop_map(|(a, b)| Expression::And(a.into(), b.into())),
            (test.clone(), test).prop_map(|(a, b)| Expression::Or(a.into(), b.into()))
        ];
        let operator = select(vec![Add, Subtract, Multiply, Divide, Remainder]);
        let arguments = prop::array::uniform3(inner.clone());
        prop_oneof![
            2 => (operator, inner.clone(), inner.clone()).prop_map(|(o, a, b)| binary(o, a, b)),
            2 => (functions(false), arguments)
                .prop_map(|((name, is_condition), of)| call(name, is_condition, &of)),
            1 => (condition, inner.clone(), inner.clone())
                .prop_map(|(c, a, b)| Expression::Conditional([c, a, b].into())),
            1 => inner.prop_map(|a| Expression::Negate(a.into()))
        ]
    })
}

fn reads(expression: &Expression) -> VariableSet {
    let of =
        |parts: &[Expression]| parts.iter().map(reads).fold(VariableSet::NONE, VariableSet::union);
    match expression {
        Expression::Constant(_) | Expression::Weights(_) => VariableSet::NONE,
        Expression::Variable(variable) => VariableSet::of(&[*variable]),
        Expression::Negate(a) | Expression::Not(a) => reads(a),
        Expression::And(a, b) | Expression::Or(a, b) => reads(a).union(reads(b)),
        Expression::Conditional(parts) => of(&parts[..]),
        Expression::Binary(_, parts) => of(&parts[..]),
        Expression::Call(_, arguments) => of(arguments),
    }
}

/// Asserts that the values of some rows equal those of single cells.
fn compare(
    expression: &Expression,
    domain: &Domain,
    cells: &Cells,
    first: usize,
) -> Result<(), TestCaseError> {
    let rows = domain.together.min(domain.axes[0].1 - first);
    let lengths = [rows, domain.axes[1].1, domain.axes[2].1];
    let expected = AXES.map(|variable| reads(expression).holds(variable));
    let shape: Vec<usize> =
        lengths.iter().zip(expected).map(|(n, reads)| if reads { *n } else { 1 }).collect();
    prop_assert_eq!(cells.values.shape(), shape, "one axis for each variable that is read");
    for place in 0..lengths.iter().product() {
        let index = [
            place / (lengths[1] * lengths[2]),
            place / lengths[2] % lengths[1],
            place % lengths[2],
        ];
        if cells.is_nonlinear(&index) {
            prop_assert!(LINEAR.iter().any(|(variable, _)| reads(expression).holds(*variable)));
            continue;
        }
        let slope = cells.slope_at(&index);
        for steps in
            [0, 1, 2, 7, domain.steps / 2, domain.steps].map(|steps| steps.min(domain.steps))
        {
            let scope = domain.scope([index[0] + first, index[1], index[2]], steps);
            let value = cells.at(&index).map(|value| value.wrapping_add(slope.wrapping_mul(steps)));
            prop_assert_eq!(
                value,
                expression.value(&scope),
                "at {:?} after {} steps",
                index,
                steps
            );
            prop_assert!(
                value.is_none_or(|value| cells.may_be(value)),
                "linear values lie in the range"
            );
        }
    }
    prop_assert!(cells.values.iter().all(|value| cells.may_be(*value)), "values lie in the range");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn partial_evaluation_changes_no_value(
        expression in formulas(),
        domain in domains(),
        unknown in any::<[bool; 7]>(),
    ) {
        let [score, opponent, dice] = AXES;
        let linear = LINEAR.map(|(variable, ..)| variable);
        let variables =
            [score, opponent, dice, linear[0], linear[1], Variable::GOAL, Variable::BUSTED];
        let unknown = variables.into_iter().zip(unknown).filter(|(_, is_unknown)| *is_unknown);
        let unknown = VariableSet::of(&unknown.map(|(variable, _)| variable).collect::<Vec<_>>());
        let scope = domain.scope([0; 3], domain.steps / 2);
        let simplified = expression.with_known(&scope, unknown);
        prop_assert_eq!(simplified.value(&scope), expression.value(&scope), "{:?}", &simplified);
        let read = reads(&simplified);
        prop_assert!(variables.iter().all(|one| unknown.holds(*one) || !read.holds(*one)));
    }

    #[test]
    fn arrays_have_the_values_of_their_cells(expression in formulas(), domain in domains()) {
        let lookups = Lookups::default();
        for first in (0..domain.axes[0].1).step_by(domain.together) {
            let rows = first..domain.axes[0].1.min(first + domain.together);
            let arrays = domain.arrays(&lookups, rows);
            compare(&expression, &domain, &arrays.evaluate(&expression), first)?;
        }
    }
}
