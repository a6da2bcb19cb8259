//! Functions of whole arrays, broadcast against each other: loops over plain slices, which compilers turn into vectors.

use ndarray::{ArrayD, IxDyn};

/// A run of cells along the last axis.
#[derive(Clone, Copy, Debug)]
pub enum Lane<'a, A> {
    /// All have one number.
    One(A),
    /// Each has its own.
    Each(&'a [A]),
}

/// The lanes of an array as if it had a shape that it broadcasts to.
struct Lanes<'a, A> {
    cells: &'a [A],
    /// Its own length along the last axis.
    wide: usize,
    /// By axis but the last: the shape's length, and how far one step leads.
    axes: Vec<(usize, usize)>,
    index: Vec<usize>,
    offset: usize,
}

impl<'a, A: Copy> Lanes<'a, A> {
    fn new(array: &'a ArrayD<A>, shape: &[usize]) -> Self {
        let own = array.shape();
        let (last, mut step) = (own.len() - 1, own[own.len() - 1]);
        let mut axes = vec![(1, 0); last];
        for axis in (0..last).rev() {
            axes[axis] = (shape[axis], if own[axis] == 1 { 0 } else { step });
            step *= own[axis];
        }
        // All arrays here are made in order.
        Self { cells: array.as_slice().expect("in order"), wide: own[last], axes, index: vec![0; last], offset: 0 }
    }

    fn next(&mut self) -> Lane<'a, A> {
        let cells = &self.cells[self.offset..][..self.wide];
        for (index, (length, step)) in self.index.iter_mut().zip(&self.axes).rev() {
            *index += 1;
            self.offset += step;
            if *index < *length {
                break;
            }
            self.offset -= step * length;
            *index = 0;
        }
        if self.wide == 1 { Lane::One(cells[0]) } else { Lane::Each(cells) }
    }
}

impl<'a, A: Copy> Lane<'a, A> {
    /// A row of an array of two axes, either of which may have length 1.
    pub(super) fn row(array: &'a ArrayD<A>, row: usize) -> Self {
        let (tall, wide) = (array.shape()[0], array.shape()[1]);
        let row = if tall == 1 { 0 } else { row };
        let cells = &array.as_slice().expect("in order")[row * wide..(row + 1) * wide];
        if wide == 1 { Self::One(cells[0]) } else { Self::Each(cells) }
    }

    /// The number of a cell.
    #[inline(always)]
    pub fn at(&self, cell: usize) -> A {
        match self {
            Self::One(number) => *number,
            Self::Each(cells) => cells[cell],
        }
    }

    fn append_to(&self, cells: &mut Vec<A>, length: usize) {
        match self {
            Self::One(number) => cells.resize(cells.len() + length, *number),
            Self::Each(each) => cells.extend_from_slice(each),
        }
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

/// How many lanes a shape has, and of how many cells.
fn lanes_of(shape: &[usize]) -> (usize, usize) {
    let (length, outer) = shape.split_last().expect("an axis at least");
    (outer.iter().product(), *length)
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
        let (lanes, length) = lanes_of(&shape);
        let (mut a, mut b) = (Lanes::new(a, &shape), Lanes::new(b, &shape));
        (0..lanes).for_each(|_| lane(a.next(), b.next(), length));
    }
    ArrayD::from_shape_vec(IxDyn(&shape), out).expect("one for each cell")
}

/// Where the condition is 1 the cell of the one array, elsewhere the other's, all three broadcast together.
pub(super) fn pick<A: Copy>(condition: &ArrayD<i64>, yes: &ArrayD<A>, no: &ArrayD<A>) -> ArrayD<A> {
    let shape = common_shape([condition.shape(), yes.shape(), no.shape()]);
    let mut out = Vec::with_capacity(shape.iter().product());
    let (lanes, length) = lanes_of(&shape);
    let mut conditions = Lanes::new(condition, &shape);
    let [mut yes, mut no] = [yes, no].map(|array| Lanes::new(array, &shape));
    for _ in 0..lanes {
        match (conditions.next(), yes.next(), no.next()) {
            (Lane::One(condition), yes, no) => either(&condition, yes, no).append_to(&mut out, length),
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

#[inline(always)]
fn either<T>(condition: &i64, yes: T, no: T) -> T {
    if *condition != 0 { yes } else { no }
}
