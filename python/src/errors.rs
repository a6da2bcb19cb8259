//! Converts the library's errors to exceptions of `hog_solver._errors`.

use hog::engine::Error;
use hog::queries::ErrorFault;
use hog::rules::Faults;
use hog::strategy::StrategyError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;

/// Returns the exception for an error.
pub fn raised(py: Python<'_>, error: &Error) -> PyErr {
    if error.is_stop() {
        return PyKeyboardInterrupt::new_err("stopped");
    }
    match error {
        _ if error.faults().is_some() => named(py, "RulesError", error.to_string(), error.faults()),
        Error::Rules(_) | Error::Game(_) => named(py, "RulesError", error.to_string(), None),
        Error::Strategy(StrategyError::NoPython(_)) => strategy(
            py,
            format!("{error} (the environment variable HOG_PYTHON names another interpreter)"),
        ),
        Error::Strategy(_) => named(py, "StrategyError", error.to_string(), None),
        Error::Table(_) | Error::Check { .. } | Error::NoTable { .. } => {
            named(py, "TableError", error.to_string(), None)
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// Returns a `StrategyError`.
pub fn strategy(py: Python<'_>, message: String) -> PyErr {
    named(py, "StrategyError", message, None)
}

fn named(py: Python<'_>, class: &str, message: String, faults: Option<&Faults>) -> PyErr {
    let make = || -> PyResult<Bound<'_, PyAny>> {
        let class = py.import("hog_solver._errors")?.getattr(class)?;
        let error = class.call1((message,))?;
        if let Some(faults) = faults {
            let text = serde_json::to_string(&ErrorFault::of_rules(faults))
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            error.setattr("faults", py.import("json")?.call_method1("loads", (text,))?)?;
        }
        Ok(error)
    };
    make().map_or_else(|error| error, PyErr::from_value)
}
