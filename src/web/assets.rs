//! The page's files, embedded from the folder `page` and compressed once, and the engine for the
//! tab, if the program was built with it.

use std::borrow::Cow;
use std::io::Write as _;
use std::sync::OnceLock;

use axum::extract::Path;
use axum::http::header::{
    ACCEPT, ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;

use super::refusal::{Refusal, not_found};

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The views of the page. All are served the same document, which chooses the view by the address.
const VIEWS: [&str; 6] = ["", "explore", "play", "rules", "coach", "contest"];

/// Whether the program contains the engine with which the page goes on when the server has stopped.
pub(super) fn has_tab() -> bool {
    !TAB.is_empty()
}

/// The addresses of that engine's files.
pub(super) fn of_tab() -> impl Iterator<Item = String> {
    TAB.iter().map(|(name, _)| format!("/{name}"))
}

/// One file, plain and compressed.
struct Asset {
    name: &'static str,
    bytes: Cow<'static, [u8]>,
    packed: Vec<u8>,
    tag: String,
}

fn assets() -> &'static [Asset] {
    static ASSETS: OnceLock<Vec<Asset>> = OnceLock::new();
    ASSETS.get_or_init(|| PAGE.iter().chain(TAB).map(|(name, bytes)| asset(name, bytes)).collect())
}

fn asset(name: &'static str, bytes: &'static [u8]) -> Asset {
    let bytes = if name == "index.html" { served(bytes) } else { bytes.into() };
    let tag = format!("\"{:08x}\"", crc32fast::hash(&bytes));
    if name.ends_with(".gz") {
        // The page unpacks it.
        return Asset { name, packed: Vec::new(), tag, bytes };
    }
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail; if it did, the file would be served uncompressed.
    let packed = packer.write_all(&bytes).and_then(|()| packer.finish()).unwrap_or_default();
    Asset { name, packed, tag, bytes }
}

/// Returns the page's document with the server as its engine, or as one of both. Addresses of views
/// have several parts here, so those of files begin at the root.
fn served(document: &'static [u8]) -> Cow<'static, [u8]> {
    let mut text = String::with_capacity(document.len());
    for line in String::from_utf8_lossy(document).lines() {
        // The server's headers have a stricter policy, and nothing is kept to work without it.
        if !line.contains("Content-Security-Policy") && !line.contains("manifest") {
            text.push_str(line);
            text.push('\n');
        }
    }
    let engine = if has_tab() { "both" } else { "server" };
    let text = text
        .replace("<html ", &format!("<html data-engine=\"{engine}\" "))
        .replace("\"page/", "\"/page/")
        .replace("href=\"#/\"", "href=\"/\"")
        .replace("id=\"version\">", concat!("id=\"version\">hog ", env!("CARGO_PKG_VERSION")));
    text.into_bytes().into()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// Serves the document of every view; for a view that does not exist, a browser gets it too, and
/// the page says so.
pub(super) async fn index(uri: Uri, headers: HeaderMap) -> Response {
    let view = uri.path().trim_start_matches('/').split('/').next().unwrap_or_default();
    let browser =
        headers.get(ACCEPT).is_some_and(|value| value.as_bytes().starts_with(b"text/html"));
    if VIEWS.contains(&view) {
        serve("index.html", &headers)
    } else if browser && view != "api" && view != "page" {
        // Without the request's headers, the answer is never "not modified".
        let mut response = serve("index.html", &HeaderMap::new());
        *response.status_mut() = StatusCode::NOT_FOUND;
        response
    } else {
        not_found(uri).await.into_response()
    }
}

/// Serves a file of the page.
pub(super) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    serve(&name, &headers)
}

/// Serves a file of the engine for the tab.
pub(super) async fn engine(uri: Uri, headers: HeaderMap) -> Response {
    serve(uri.path().trim_start_matches('/'), &headers)
}

/// Serves the page's icon at the path that browsers request by default.
pub(super) async fn icon(headers: HeaderMap) -> Response {
    serve("icon.svg", &headers)
}

fn contains(header: Option<&HeaderValue>, text: &str) -> bool {
    header.and_then(|value| value.to_str().ok()).is_some_and(|value| value.contains(text))
}

fn serve(name: &str, headers: &HeaderMap) -> Response {
    let Some(asset) = assets().iter().find(|asset| asset.name == name) else {
        return Refusal::new(StatusCode::NOT_FOUND, format!("the page has no file `{name}`"))
            .into_response();
    };
    let mut response = if contains(headers.get(IF_NONE_MATCH), &asset.tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if contains(headers.get(ACCEPT_ENCODING), "gzip") && !asset.packed.is_empty() {
        let mut response = asset.packed.clone().into_response();
        response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        response
    } else {
        asset.bytes.clone().into_response()
    };
    let head = response.headers_mut();
    head.insert(CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    head.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    head.insert(VARY, HeaderValue::from_static("accept-encoding"));
    if let Ok(tag) = asset.tag.parse() {
        head.insert(ETAG, tag);
    }
    response
}
