//! Patterns: the variables by which formulas read the faces of a roll, and the features they stand
//! for.

use crate::dice::Feature;
use crate::rules::formula::{FACES_COUNTED, Scope, Variable, VariableSet};

/// Returns the patterns among these variables, each with its feature.
pub fn patterns_in(reads: VariableSet) -> Vec<(Variable, Feature)> {
    let counts =
        (1..=FACES_COUNTED).map(|face| (Variable::count(face), Feature::Count(face.into())));
    let others = [
        (Variable::HIGHEST, Feature::Highest),
        (Variable::LOWEST, Feature::Lowest),
        (Variable::DISTINCT, Feature::Distinct),
        (Variable::OF_A_KIND, Feature::OfAKind),
        (Variable::PAIRS, Feature::Pairs),
        (Variable::STRAIGHT, Feature::Straight),
    ];
    counts.chain(others).filter(|(variable, _)| reads.holds(*variable)).collect()
}

/// Sets all patterns in `scope` for dice with these faces.
pub(super) fn show(scope: &mut Scope, faces: &[u32]) {
    let shown = crate::dice::shown(faces);
    patterns_in(VariableSet::patterns())
        .iter()
        .for_each(|(variable, feature)| scope.set(*variable, feature.of(&shown)));
}

/// The variables by which rules on points, and all later rules, may depend on a roll.
pub fn of_a_roll() -> VariableSet {
    VariableSet::of(&[Variable::POINTS, Variable::ROLLED, Variable::BUSTED, Variable::SUM])
        .union(VariableSet::patterns())
}
