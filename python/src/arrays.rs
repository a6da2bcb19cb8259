//! Arrays that look into what the library holds.

use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use hog::game::Space;

/// The axes of arrays over states: score, opponent and, where the game has them, the classes of the shared memory, of the
/// opponent's and of the mover's.
pub fn shape(space: Space) -> Vec<usize> {
    let mut shape = vec![space.goal, space.goal];
    if space.shared > 1 {
        shape.push(space.shared);
    }
    if space.mine > 1 {
        shape.extend([space.mine, space.mine]);
    }
    shape
}

/// A read-only array of what `owner` holds.
///
/// # Safety
/// `values` must stay where they are, unchanged, as long as `owner` lives.
#[allow(unsafe_code)]
pub unsafe fn borrowed<'py, T: Element>(
    owner: Bound<'py, PyAny>,
    values: &[T],
    space: Space,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let view = ArrayViewD::from_shape(IxDyn(&shape(space)), values).expect("one entry for each state");
    // SAFETY: the array holds `owner` as its base, and the caller says that `values` live as long, unchanged; nobody can write
    // through the array, for it is made read-only before anybody sees it.
    let array = unsafe { PyArrayDyn::borrow_from_array(&view, owner) };
    debug_assert_eq!(array.len(), values.len());
    array.as_any().call_method1("setflags", (false,))?;
    Ok(array)
}

/// An array of its own, read-only.
pub fn owned<T: Element>(py: Python<'_>, values: Vec<T>, space: Space) -> PyResult<Bound<'_, PyArrayDyn<T>>> {
    let array = numpy::PyArray1::from_vec(py, values).reshape(shape(space))?;
    array.as_any().call_method1("setflags", (false,))?;
    Ok(array)
}
