//! The questions that the server answers, and how the query string of a GET is read.

use std::sync::LazyLock;

use super::refusal::Refusal;
use crate::requests::{Endpoint, ReadRequest};

/// All questions, with their parameters.
pub(super) static ENDPOINTS: LazyLock<Vec<ApiEndpoint>> =
    LazyLock::new(|| crate::questions().map(|query| ApiEndpoint(Endpoint::new(query))).collect());

/// A question of the API.
pub(super) struct ApiEndpoint(pub Endpoint);

impl ApiEndpoint {
    /// Returns its path.
    pub fn path(&self) -> String {
        format!("/api/v1/{}", self.0.query.name)
    }

    /// Reads the query string of a GET.
    pub fn read_query(&self, query: &str) -> Result<ReadRequest, Refusal> {
        Ok(self.0.read_pairs(form_pairs(query)?)?)
    }

    /// Reads the body of a POST.
    pub fn read_body(&self, body: &[u8]) -> Result<ReadRequest, Refusal> {
        Ok(self.0.read_body(body)?)
    }
}

fn form_pairs(query: &str) -> Result<Vec<(String, String)>, Refusal> {
    let uri: axum::http::Uri = format!("/?{query}")
        .parse()
        .map_err(|_| Refusal::malformed("the query string is malformed"))?;
    let axum::extract::Query(pairs) = axum::extract::Query::try_from_uri(&uri)
        .map_err(|error| Refusal::malformed(format!("the query cannot be read: {error}")))?;
    Ok(pairs)
}
