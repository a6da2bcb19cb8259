//! JSON documents as responses.

use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

/// Makes a response from a JSON document.
pub(super) fn json_response(bytes: impl Into<Bytes>) -> Response {
    let mut response = bytes.into().into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
