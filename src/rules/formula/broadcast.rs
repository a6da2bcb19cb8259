//! Functions of whole arrays, broadcast against each other: loops over plain slices, which compilers turn into vectors.

use ndarray::{ArrayD, ArrayView1, IxDyn};

/// A run of cells along the last axis: one number for all of them, or one each.
enum Lane<'a, A> {
    One(A),
    Each(&'a [A]),
}

impl<'a, A: Copy> Lane<'a, A> {
    fn of(lane: &ArrayView1<'a, A>) -> Self {
        lane.to_slice().map_or_else(|| Self::One(lane[0]), Self::Each)
    }
}

/// The shape that all arrays broadcast to.
pub(super) fn common_shape<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Vec<usize> {
    let mut shapes = shapes.into_iter();
    let mut common = shapes.next().expect("an array at least").to_vec();
    for shape in shapes {
        common.iter_mut().zip(shape).for_each(|(length, other)| *length = (*length).max(*other));
    }
    common
}

/// Applies `f` to each cell of an array.
pub(super) fn map<A: Copy, O>(a: &ArrayD<A>, f: impl FnMut(A) -> O) -> ArrayD<O> {
    // All arrays here are made in order.
    let values = a.as_slice().expect("in order").iter().copied().map(f).collect();
    ArrayD::from_shape_vec(a.raw_dim(), values).expect("as many")
}

/// Applies `f` to each cell of two arrays broadcast together.
pub(super) fn zip<A: Copy, B: Copy, O>(a: &ArrayD<A>, b: &ArrayD<B>, mut f: impl FnMut(A, B) -> O) -> ArrayD<O> {
    let shape = common_shape([a.shape(), b.shape()]);
    let mut out = Vec::with_capacity(shape.iter().product());
    let mut lane = |a: Lane<A>, b: Lane<B>, length: usize| match (a, b) {
        (Lane::Each(a), Lane::Each(b)) => out.extend(a.iter().zip(b).map(|(a, b)| f(*a, *b))),
        (Lane::Each(a), Lane::One(b)) => out.extend(a.iter().map(|a| f(*a, b))),
        (Lane::One(a), Lane::Each(b)) => out.extend(b.iter().map(|b| f(a, *b))),
        (Lane::One(a), Lane::One(b)) => out.extend((0..length).map(|_| f(a, b))),
    };
    if let (Some(a), Some(b), true) = (a.as_slice(), b.as_slice(), a.shape() == b.shape()) {
        lane(Lane::Each(a), Lane::Each(b), a.len());
    } else {
        let (a, b) = (a.broadcast(IxDyn(&shape)).expect("common"), b.broadcast(IxDyn(&shape)).expect("common"));
        for (a, b) in a.rows().into_iter().zip(b.rows()) {
            lane(Lane::of(&a), Lane::of(&b), a.len());
        }
    }
    ArrayD::from_shape_vec(IxDyn(&shape), out).expect("one for each cell")
}

/// Where the condition is 1 the cell of the one array, elsewhere the other's, all three broadcast together.
pub(super) fn pick<A: Copy>(condition: &ArrayD<i64>, yes: &ArrayD<A>, no: &ArrayD<A>) -> ArrayD<A> {
    let shape = common_shape([condition.shape(), yes.shape(), no.shape()]);
    let mut out = Vec::with_capacity(shape.iter().product());
    let [yes, no] = [yes, no].map(|array| array.broadcast(IxDyn(&shape)).expect("common"));
    let condition = condition.broadcast(IxDyn(&shape)).expect("common");
    for ((condition, yes), no) in condition.rows().into_iter().zip(yes.rows()).zip(no.rows()) {
        let either = |condition: &i64, yes: A, no: A| if *condition != 0 { yes } else { no };
        match (Lane::of(&condition), Lane::of(&yes), Lane::of(&no)) {
            (Lane::One(condition), _, _) => out.extend(if condition != 0 { yes } else { no }),
            (Lane::Each(c), Lane::Each(y), Lane::Each(n)) => {
                out.extend(c.iter().zip(y.iter().zip(n)).map(|(c, (y, n))| either(c, *y, *n)));
            }
            (Lane::Each(c), Lane::Each(y), Lane::One(n)) => {
                out.extend(c.iter().zip(y).map(|(c, y)| either(c, *y, n)));
            }
            (Lane::Each(c), Lane::One(y), Lane::Each(n)) => {
                out.extend(c.iter().zip(n).map(|(c, n)| either(c, y, *n)));
            }
            (Lane::Each(c), Lane::One(y), Lane::One(n)) => out.extend(c.iter().map(|c| either(c, y, n))),
        }
    }
    ArrayD::from_shape_vec(IxDyn(&shape), out).expect("one for each cell")
}
