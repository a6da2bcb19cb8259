//! Refusals of requests: an HTTP status, and the same error document that the command line prints.

use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::document::json_response;
use crate::contest::ContestError;
use crate::engine::Error;
use crate::queries::ErrorAnswer;
use crate::requests::Failure;

/// The refusal of a request.
#[derive(Debug)]
pub(super) struct Refusal {
    pub status: StatusCode,
    pub view: ErrorAnswer,
    /// Whether the time was over, so that with more time there might be an answer.
    pub is_late: bool,
}

impl Refusal {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let kind = match status {
            StatusCode::PAYLOAD_TOO_LARGE => "limit",
            StatusCode::REQUEST_TIMEOUT => "time",
            StatusCode::FORBIDDEN => "closed",
            StatusCode::SERVICE_UNAVAILABLE => "busy",
            StatusCode::INTERNAL_SERVER_ERROR => "other",
            _ => "request",
        };
        Self { status, view: ErrorAnswer::new(kind, message), is_late: false }
    }

    /// The request is malformed.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// The server is busy.
    pub fn busy() -> Self {
        let message = "the server is busy: try again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// The server failed; the request is not the cause.
    pub fn from_fault(fault: &impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("hog could not answer: {fault}"))
    }

    /// Returns the error document as JSON.
    pub fn body(&self) -> Vec<u8> {
        serde_json::to_vec(&self.view).unwrap_or_default()
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Failure::from(error).into()
    }
}

/// The engine cannot answer the request; some are malformed in a way that only the engine knows.
impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let Failure { error, answer: view } = failure;
        let is_late = matches!(*error, Error::Time { .. });
        let status = match *error {
            Error::Storage(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Error::TooManyFiles { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Error::Malformed { .. } | Error::Dice(_) => StatusCode::BAD_REQUEST,
            Error::Other { error, .. }
                if error
                    .downcast_ref::<ContestError>()
                    .is_some_and(ContestError::is_of_request) =>
            {
                StatusCode::BAD_REQUEST
            }
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self { status, view, is_late }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_response(self.body());
        *response.status_mut() = self.status;
        response
    }
}

/// Answers requests for unknown paths.
pub(super) async fn not_found(uri: Uri) -> Refusal {
    let message = format!("nothing is at {}; /api/v1/openapi.json describes the API", uri.path());
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// Answers requests with a method that is not supported.
pub(super) async fn wrong_method(method: Method) -> Refusal {
    Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{method} is not supported: use GET, or POST with JSON"),
    )
}
