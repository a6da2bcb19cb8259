//! Element-wise functions of arrays with broadcasting, as loops over slices that compilers can
//! vectorize.

use ndarray::{ArrayD, IxDyn};

/// The cells along the last axis, at one index of the other axes.
#[derive(Clone, Copy, Debug)]
pub enum Lane<'a, A> {
    /// All cells have the same number.
    One(A),
    /// Each cell has its own number.
    Each(&'a [A]),
}

/// Iterates over the lanes of an array broadcast to a larger shape.
struct Lanes<'a, A> {
    cells: &'a [A],
    /// The array's own length along the last axis.
    width: usize,
    /// For each axis but the last: the length in the shape, and the stride in the array (0 if
    /// broadcast).
    axes: Vec<(usize, usize)>,
    index: Vec<usize>,
    offset: usize,
}

impl<'a, A: Copy> Lanes<'a, A> {
    fn new(array: &'a ArrayD<A>, shape: &[usize]) -> Self {
        let own = array.shape();
        let last = own.len() - 1;
        let mut step = own[own.len() - 1];
        let mut axes = vec![(1, 0); last];
        for axis in (0..last).rev() {
            axes[axis] = (shape[axis], if own[axis] == 1 { 0 } else { step });
            step *= own[axis];
        }
        // All arrays of this module are contiguous.
        Self {
            cells: array.as_slice().expect("contiguous"),
            width: own[last],
            axes,
            index: vec![0; last],
            offset: 0,
        }
    }

    fn next(&mut self) -> Lane<'a, A> {
        let cells = &self.cells[self.offset..][..self.width];
        for (index, (length, step)) in self.index.iter_mut().zip(&self.axes).rev() {
            *index += 1;
            self.offset += step;
            if *index < *length {
                break;
            }
            self.offset -= step * length;
            *index = 0;
        }
        if self.width == 1 { Lane::One(cells[0]) } else { Lane::Each(cells) }
    }
}

impl<'a, A: Copy> Lane<'a, A> {
    /// A row of an array of two axes, either of which may have length 1.
    pub(super) fn row(array: &'a ArrayD<A>, row: usize) -> Self {
        let height = array.shape()[0];
        let width = array.shape()[1];
        let row = if height == 1 { 0 } else { row };
        let cells = &array.as_slice().expect("contiguous")[row * width..(row + 1) * width];
        if width == 1 { Self::One(cells[0]) } else { Self::Each(cells) }
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

/// The shape to which all arrays broadcast.
pub(super) fn common_shape<'a>(shapes: impl IntoIterator<Item = &'a [usize]>) -> Vec<usize> {
    let mut shapes = shapes.into_iter();
    let mut common = shapes.next().expect("at least one array").to_vec();
    for shape in shapes {
        common.iter_mut().zip(shape).for_each(|(length, other)| *length = (*length).max(*other));
    }
    common
}

/// The number of lanes of a shape, and the number of cells in each.
fn lanes_of(shape: &[usize]) -> (usize, usize) {
    let (length, outer) = shape.split_last().expect("at least one axis");
    (outer.iter().product(), *length)
}

/// Applies `f` to each cell of an array.
pub(super) fn map<A: Copy, O>(a: &ArrayD<A>, f: impl FnMut(A) -> O) -> ArrayD<O> {
    // All arrays of this module are contiguous.
    let values = a.as_slice().expect("contiguous").iter().copied().map(f).collect();
    ArrayD::from_shape_vec(a.raw_dim(), values).expect("one for each cell")
}

/// Applies `f` to each pair of cells of two arrays, broadcast to a common shape.
pub(super) fn zip<A: Copy, B: Copy, O>(
    a: &ArrayD<A>,
    b: &ArrayD<B>,
    mut f: impl FnMut(A, B) -> O,
) -> ArrayD<O> {
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
        let mut a = Lanes::new(a, &shape);
        let mut b = Lanes::new(b, &shape);
        (0..lanes).for_each(|_| lane(a.next(), b.next(), length));
    }
    ArrayD::from_shape_vec(IxDyn(&shape), out).expect("one for each cell")
}

/// Selects, cell by cell, from `yes` where the condition is nonzero and from `no` elsewhere. All
/// three arrays are broadcast to a common shape.
pub(super) fn select_cells<A: Copy>(
    condition: &ArrayD<i64>,
    yes: &ArrayD<A>,
    no: &ArrayD<A>,
) -> ArrayD<A> {
    let shape = common_shape([condition.shape(), yes.shape(), no.shape()]);
    let mut out = Vec::with_capacity(shape.iter().product());
    let (lanes, length) = lanes_of(&shape);
    let mut conditions = Lanes::new(condition, &shape);
    let [mut yes, mut no] = [yes, no].map(|array| Lanes::new(array, &shape));
    for _ in 0..lanes {
        match (conditions.next(), yes.next(), no.next()) {
            (Lane::One(condition), yes, no) => {
                select_one(&condition, yes, no).append_to(&mut out, length)
            }
            (Lane::Each(c), Lane::Each(y), Lane::Each(n)) => {
                out.extend(c.iter().zip(y.iter().zip(n)).map(|(c, (y, n))| select_one(c, *y, *n)));
            }
            (Lane::Each(c), Lane::Each(y), Lane::One(n)) => {
                out.extend(c.iter().zip(y).map(|(c, y)| select_one(c, *y, n)));
            }
            (Lane::Each(c), Lane::One(y), Lane::Each(n)) => {
                out.extend(c.iter().zip(n).map(|(c, n)| select_one(c, y, *n)));
            }
            (Lane::Each(c), Lane::One(y), Lane::One(n)) => {
                out.extend(c.iter().map(|c| select_one(c, y, n)))
            }
        }
    }
    ArrayD::from_shape_vec(IxDyn(&shape), out).expect("one for each cell")
}

#[inline(always)]
fn select_one<T>(condition: &i64, yes: T, no: T) -> T {
    if *condition != 0 { yes } else { no }
}
