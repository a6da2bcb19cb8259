//! NumPy arrays over states, borrowed from the library's memory or owned.

use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use hog::game::Space;

/// Returns the shape of arrays over states. The axes are the score, the opponent's score and, if
/// the game has memories, the classes of the shared memories, of the opponent's and of the mover's.
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

/// Makes a read-only array that borrows `values` from `owner`.
///
/// # Safety
/// `values` must neither move nor change while `owner` lives.
#[allow(unsafe_code)]
pub unsafe fn borrowed<'py, T: Element>(
    owner: Bound<'py, PyAny>,
    values: &[T],
    space: Space,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let view =
        ArrayViewD::from_shape(IxDyn(&shape(space)), values).expect("one entry for each state");
    // SAFETY: the array keeps `owner` alive as its base, and the caller guarantees that `values`
    // live as long, unchanged. Nobody can write through the array, because it is made read-only
    // before it is returned.
    let array = unsafe { PyArrayDyn::borrow_from_array(&view, owner) };
    debug_assert_eq!(array.len(), values.len());
    array.as_any().call_method1("setflags", (false,))?;
    Ok(array)
}

/// Makes a read-only array that owns its values.
pub fn owned<T: Element>(
    py: Python<'_>,
    values: Vec<T>,
    space: Space,
) -> PyResult<Bound<'_, PyArrayDyn<T>>> {
    let array = numpy::PyArray1::from_vec(py, values).reshape(shape(space))?;
    array.as_any().call_method1("setflags", (false,))?;
    Ok(array)
}
