//! Refuses requests from other sites, and sets the security headers of every answer.
//!
//! A page of another site can make a browser send requests here. Three checks refuse them. `Host`
//! must be the address to which the client connected, a loopback address or a known name of this
//! machine, so that a foreign name that resolves to this machine (DNS rebinding) is refused.
//! `Origin` must be the page's own. A body must have the content type JSON, which a browser does
//! not send across sites without asking the server first. To addresses of a network browsers do not
//! say which site makes them send a GET, as for an image: there they may only POST.

use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

use axum::extract::{Request, State};
use axum::http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, ORIGIN, REFERRER_POLICY, USER_AGENT,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::assets;
use super::listen::Link;
use super::refusal::Refusal;

/// The names of this machine that are accepted in `Host`.
pub(super) struct Guard {
    names: Vec<String>,
}

/// The content security policy: scripts, styles, pictures and data only from this server, nothing
/// inline, no framing.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    // The engine for the tab is WebAssembly in workers, which start from memory when the server has
    // stopped.
    let tab = if assets::has_tab() { " 'wasm-unsafe-eval'; worker-src blob:" } else { "" };
    format!(
        "default-src 'none'; script-src 'self'{tab}; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

static HEADERS: LazyLock<[(HeaderName, &str); 6]> = LazyLock::new(|| {
    [
        (CONTENT_SECURITY_POLICY, POLICY.as_str()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    ]
});

impl Guard {
    pub fn new(names: Vec<String>) -> Self {
        Self { names: names.into_iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    fn check(&self, request: &Request) -> Result<(), Refusal> {
        if let Some(message) = self.foreign(request) {
            return Err(Refusal::new(StatusCode::FORBIDDEN, message));
        }
        let kind = single(request.headers(), &CONTENT_TYPE).unwrap_or_default();
        if request.method() == Method::POST
            && kind.split(';').next().map(str::trim) != Some("application/json")
        {
            let message = "the body must be JSON: send Content-Type: application/json";
            return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        Ok(())
    }

    /// Returns why a request is refused that another site's page may have sent, or that names
    /// another host.
    fn foreign(&self, request: &Request) -> Option<&'static str> {
        let headers = request.headers();
        let Some(host) = single(headers, &HOST) else {
            return Some("the request names no host, or several");
        };
        let local = request.extensions().get::<Arc<Link>>().map(|link| link.local);
        if !self.is_ours(host, local) {
            return Some(
                "the host must be localhost, the address that the server was reached at, or a \
                 name that it was started with",
            );
        }
        let origin = single(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if headers.contains_key(ORIGIN) && origin != Some(host) {
            return Some("the request comes from another site's page");
        }
        let api = request.uri().path().starts_with("/api/");
        let site = headers.get("sec-fetch-site").map(HeaderValue::as_bytes);
        if api && matches!(site, Some(b"cross-site" | b"same-site")) {
            return Some("the request comes from another site's page");
        }
        // All browsers call themselves so, and no page can have them call themselves otherwise.
        let is_browser = single(headers, &USER_AGENT).is_some_and(|it| it.starts_with("Mozilla/"));
        // Without parameters too: the survey of all games takes long.
        let asks = api && request.uri().path() != "/api/v1/openapi.json";
        if is_browser && asks && request.method() != Method::POST && site.is_none() {
            return Some("another site's page may have sent this: in a browser, send it by POST");
        }
        None
    }

    /// Whether `host`, with or without a port, names this machine: `local` is the address that the
    /// client connected to.
    fn is_ours(&self, host: &str, local: Option<IpAddr>) -> bool {
        let is_in_brackets = host.starts_with('[');
        let (name, port) = match host.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((address, port)) => (address, port),
            None => host.split_at(host.find(':').unwrap_or(host.len())),
        };
        let number = port.strip_prefix(':').and_then(|port| port.parse::<u16>().ok());
        if !port.is_empty() && number.is_none() {
            return false;
        }
        let name = name.to_ascii_lowercase();
        // IPv6 addresses are in brackets, and nothing else is.
        let address =
            name.parse::<IpAddr>().ok().filter(|address| address.is_ipv6() == is_in_brackets);
        match address {
            Some(address) => {
                let address = address.to_canonical();
                address.is_loopback()
                    || local.is_some_and(|local| local.to_canonical() == address)
                    || self.names.contains(&name)
            }
            None => !is_in_brackets && (name == "localhost" || self.names.contains(&name)),
        }
    }
}

/// Returns the value of a header that occurs exactly once.
fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

/// Checks a request before it is handled, and adds the security headers to every answer.
pub(super) async fn guard(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match guard.check(&request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in &*HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::Guard;

    #[test]
    fn only_the_served_address_and_known_names_are_accepted_as_host() {
        let guard = Guard::new(vec!["Hog.local".into(), "10.1.1.1".into()]);
        let local = Some("192.168.1.4".parse().unwrap());
        for ours in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:4774",
            "[::1]:4774",
            "[::ffff:127.0.0.1]:1",
            "192.168.1.4",
            "192.168.1.4:4774",
            "hog.local:1",
            "10.1.1.1:80",
        ] {
            assert!(guard.is_ours(ours, local), "{ours}");
        }
        for foreign in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:80",
            "[example.org]",
            "[localhost]",
            "[127.0.0.1]",
            "::1",
            "192.168.1.5",
            "8.8.8.8:4774",
            "[2001:db8::1]",
            "0.0.0.0",
        ] {
            assert!(!guard.is_ours(foreign, local), "{foreign}");
        }
        assert!(!guard.is_ours("192.168.1.4", None));
    }
}
