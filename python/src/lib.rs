//! `hog_solver._native`: the library's engine for Python. Views are passed as JSON. The values and
//! best rolls of solutions are passed as arrays without a copy.

mod arrays;
mod errors;
mod game;
mod session;
mod solved;
mod strategies;
mod work;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::game::{NativeGame, builtin_games, needs_baseline, questions};
    #[pymodule_export]
    use super::session::NativeSession;
    #[pymodule_export]
    use super::solved::NativeSolution;
    #[pymodule_export]
    use super::strategies::NativePlan;
    #[pymodule_export]
    use super::work::{command, set_launcher, version};
}
