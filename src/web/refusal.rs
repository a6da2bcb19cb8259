//! Why a request has no answer: a status, and the same document that the command line prints.

use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::answers::json_response;
use crate::engine::EngineError;
use crate::view::ErrorView;

/// A refusal.
#[derive(Debug)]
pub(super) struct Refusal {
    pub status: StatusCode,
    pub view: ErrorView,
}

impl Refusal {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, view: ErrorView::new(message.into(), None) }
    }

    /// The question itself is malformed.
    pub fn malformed(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// Too much else is being done.
    pub fn busy() -> Self {
        let message = "too much is being asked at once: ask again in a moment";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }

    /// Something failed here, and not by the question.
    pub fn from_fault(fault: &impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("hog could not answer: {fault}"))
    }

    /// The document as bytes.
    pub fn body(&self) -> Vec<u8> {
        serde_json::to_vec(&self.view).unwrap_or_default()
    }
}

/// The question was understood, and the engine has no answer.
impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, view: ErrorView::new(error.to_string(), error.faults()) }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = json_response(self.body());
        *response.status_mut() = self.status;
        response
    }
}

/// For paths that nothing stands at.
pub(super) async fn nothing_there(uri: Uri) -> Refusal {
    let message = format!("nothing is at {}; /api/v1/openapi.json lists what can be asked", uri.path());
    Refusal::new(StatusCode::NOT_FOUND, message)
}

/// For what can be asked, but not like this.
pub(super) async fn wrong_method(method: Method) -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not answered: use GET, or POST with JSON"))
}
