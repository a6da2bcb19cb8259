//! Clean rolls of one die more, from those of one die less: rows of several layers at a time.

use std::cell::Cell;

use super::{LANES, Row, ZERO};
use crate::solve::program::Chain;

/// So many steps of a die are summed at a time, whatever they are.
const STEPS: usize = 6;

/// Climbs some layers of a chain: `own` are their rows, and `above` those with one die less, where a step of so many points leads
/// so many layers up, less the `lead` of a die. A die of four or of six sides whose faces beside the 1 are alike reads `FOUR`
/// or `SIX` layers for all of them.
#[inline(always)]
pub(super) fn climb_layers<'r, const LAYERS: usize, const FOUR: usize, const SIX: usize>(
    (chain, lead): (&Chain, usize),
    own: impl Fn(usize) -> &'r [Cell<Row>],
    above: impl Fn(usize) -> &'r [Cell<Row>],
) {
    let least = chain.least() - lead;
    match chain.step.len() {
        3 if chain.is_fair_die() => sum_layers::<LAYERS, FOUR>(own, |layer| above(layer + least)),
        5 if chain.is_fair_die() => sum_layers::<LAYERS, SIX>(own, |layer| above(layer + least)),
        3 => weigh_layers::<LAYERS, 3>(chain, own, |layer| above(layer - lead)),
        _ => {
            // A layer reads those above it. Loops, not closures: those would not be compiled for the caller's vectors.
            for layer in (0..LAYERS).rev() {
                weigh_layer(chain, own(layer), |points| above(layer + points - lead));
            }
        }
    }
}

/// A die of three steps, as one with bonuses may be: some layers.
// All layers in one loop over rows: over the rows of one alone, compilers take rows apart to vectorize over many of them.
#[inline(always)]
fn weigh_layers<'r, const LAYERS: usize, const WAYS: usize>(
    chain: &Chain,
    own: impl Fn(usize) -> &'r [Cell<Row>],
    above: impl Fn(usize) -> &'r [Cell<Row>],
) {
    let mut layers: [&[Cell<Row>]; LAYERS] = [&[]; LAYERS];
    let mut terms: [[&[Cell<Row>]; WAYS]; LAYERS] = [[&[]; WAYS]; LAYERS];
    let (mut weights, count) = ([0.0; WAYS], own(0).len());
    for layer in 0..LAYERS {
        layers[layer] = &own(layer)[..count];
        for (step, (points, weight)) in chain.step.iter().enumerate().take(WAYS) {
            terms[layer][step] = &above(layer + points)[..count];
            weights[step] = *weight;
        }
    }
    for index in 0..count {
        for layer in 0..LAYERS {
            let mut total = terms[layer][0][index].get();
            for lane in 0..LANES {
                total[lane] *= weights[0];
            }
            for step in 1..WAYS {
                add(&mut total, weights[step], &terms[layer][step][index].get());
            }
            layers[layer][index].set(total);
        }
    }
}

/// Any die: one layer.
#[inline(always)]
fn weigh_layer<'r>(chain: &Chain, own: &[Cell<Row>], above: impl Fn(usize) -> &'r [Cell<Row>]) {
    // A few steps at a time, their sum held in the processor's vectors.
    for (part, step) in chain.step.chunks(STEPS).enumerate() {
        let mut terms: [(f64, &[Cell<Row>]); STEPS] = [(0.0, &[]); STEPS];
        for (term, (points, weight)) in terms.iter_mut().zip(step) {
            *term = (*weight, above(*points));
        }
        weigh_rows(own, &terms[..step.len()], part == 0);
    }
}

/// The rows of some layers: those of each the sum of those at their place in as many layers from its own upward.
#[inline(always)]
fn sum_layers<'r, const LAYERS: usize, const TERMS: usize>(
    own: impl Fn(usize) -> &'r [Cell<Row>],
    above: impl Fn(usize) -> &'r [Cell<Row>],
) {
    let mut layers: [&[Cell<Row>]; LAYERS] = [&[]; LAYERS];
    let mut terms: [&[Cell<Row>]; TERMS] = [&[]; TERMS];
    let count = own(0).len();
    for (number, layer) in layers.iter_mut().enumerate() {
        *layer = &own(number)[..count];
    }
    for (number, term) in terms.iter_mut().enumerate() {
        *term = &above(number)[..count];
    }
    // Layers that have rows in common: all, or every two of them.
    let together = if 2 * LAYERS <= TERMS + 1 { LAYERS } else { 2 };
    for index in 0..count {
        let mut rows = [ZERO; TERMS];
        for (row, term) in rows.iter_mut().zip(terms) {
            *row = term[index].get();
        }
        let mut totals = [ZERO; LAYERS];
        for first in (0..LAYERS).step_by(together) {
            sum_windows(&rows[first..first + TERMS - LAYERS + together], &mut totals[first..first + together]);
        }
        for (layer, total) in layers.into_iter().zip(totals) {
            layer[index].set(total);
        }
    }
}

/// The sums of neighbouring rows from the first on, from the second on, and so on, the last sum with the last row; all have
/// some rows in common. These are summed once, then those before them on, then those after them.
#[inline(always)]
fn sum_windows(rows: &[Row], totals: &mut [Row]) {
    let (last, end) = (totals.len() - 1, rows.len() - totals.len() + 1);
    totals[last] = rows[last];
    for row in &rows[last + 1..end] {
        add_row(&mut totals[last], row);
    }
    for first in (0..last).rev() {
        totals[first] = totals[first + 1];
        add_row(&mut totals[first], &rows[first]);
    }
    let mut after = ZERO;
    for (number, row) in rows[end..].iter().enumerate() {
        if number == 0 {
            after = *row;
        } else {
            add_row(&mut after, row);
        }
        add_row(&mut totals[number + 1], &after);
    }
}

/// Each row the weighted sum of those at its place in all terms, or that added to it.
#[inline(always)]
fn weigh_rows(own: &[Cell<Row>], terms: &[(f64, &[Cell<Row>])], anew: bool) {
    for (index, own) in own.iter().enumerate() {
        let mut total = if anew { ZERO } else { own.get() };
        for (weight, above) in terms {
            add(&mut total, *weight, &above[index].get());
        }
        own.set(total);
    }
}

/// `total += weight * row`
#[inline(always)]
pub(super) fn add(total: &mut Row, weight: f64, row: &Row) {
    // A loop, not an iterator's closure: that would not be compiled for the vectors that its caller is compiled for.
    for lane in 0..LANES {
        total[lane] += weight * row[lane];
    }
}

/// `total += row`
#[inline(always)]
fn add_row(total: &mut Row, row: &Row) {
    for lane in 0..LANES {
        total[lane] += row[lane];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_climbed_together_have_the_sums_of_each() {
        // Whole numbers, whose sums are exact in any order; no two of them alike.
        let row =
            |place: usize| Cell::new(Row(std::array::from_fn(|lane| ((place * LANES + lane) * 7919 % 1009) as f64)));
        let terms: Vec<[Cell<Row>; 3]> = (0..8).map(|term| [0, 1, 2].map(|index| row(3 * term + index))).collect();
        fn check<const LAYERS: usize, const TERMS: usize>(terms: &[[Cell<Row>; 3]]) {
            let layers: Vec<[Cell<Row>; 3]> = (0..LAYERS).map(|_| [0, 1, 2].map(|_| Cell::new(ZERO))).collect();
            sum_layers::<LAYERS, TERMS>(|layer| &layers[layer], |layer| &terms[layer]);
            for (first, layer) in layers.iter().enumerate() {
                for (index, own) in layer.iter().enumerate() {
                    let mut sum = ZERO;
                    let window = &terms[first..=first + TERMS - LAYERS];
                    window.iter().for_each(|term| add_row(&mut sum, &term[index].get()));
                    assert_eq!(own.get(), sum, "layer {first} of {LAYERS} with {TERMS} terms");
                }
            }
        }
        check::<1, 3>(&terms);
        check::<1, 5>(&terms);
        check::<2, 4>(&terms);
        check::<2, 6>(&terms);
        check::<4, 6>(&terms);
        check::<4, 8>(&terms);
    }
}
