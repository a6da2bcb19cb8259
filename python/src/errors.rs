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
    let class = match error {
        _ if error.faults().is_some() => "RulesError",
        Error::Rules(_) | Error::Game(_) => "RulesError",
        Error::Strategy(_) => "StrategyError",
        Error::Table(_) | Error::Check { .. } | Error::NoTable { .. } => "TableError",
        _ => "Error",
    };
    let mut message = error.to_string();
    if matches!(error, Error::Strategy(StrategyError::NoPython(_))) {
        message += " (the environment variable HOG_PYTHON names another interpreter)";
    }
    named(py, class, message, error.kind(), error.faults())
}

/// Returns a `StrategyError`.
pub fn strategy(py: Python<'_>, message: String) -> PyErr {
    named(py, "StrategyError", message, "strategy", None)
}

/// Returns the exception for a request that cannot be read, or asks for what there is not.
pub fn request_error(message: impl ToString) -> PyErr {
    Python::attach(|py| named(py, "Error", message.to_string(), "request", None))
}

fn named(
    py: Python<'_>,
    class: &str,
    message: String,
    kind: &str,
    faults: Option<&Faults>,
) -> PyErr {
    let make = || -> PyResult<Bound<'_, PyAny>> {
        let class = py.import("hog_solver._errors")?.getattr(class)?;
        let error = class.call1((message, kind))?;
        if let Some(faults) = faults {
            let text = serde_json::to_string(&ErrorFault::of_rules(faults))
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            error.setattr("faults", py.import("json")?.call_method1("loads", (text,))?)?;
        }
        Ok(error)
    };
    make().map_or_else(|error| error, PyErr::from_value)
}
