//! How much is done at once, and how it is stopped when nobody waits for it any more.
//!
//! Long work is done in turn, one piece for each core; short work likewise, apart from it, so that a map answers while
//! a contest runs. What waits holds a place in a line of bounded length, and its body's bytes in a bounded sum.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{RawQuery, Request, State};
use axum::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::answers::{Call, json_response};
use super::endpoints::Endpoint;
use super::question::Question;
use super::refusal::Refusal;
use super::uploads::Uploads;
use crate::Engine;
use crate::engine::{Cancel, Progress};

/// The largest body, in bytes.
const LARGEST_BODY: usize = 8 << 20;

/// What all bodies may hold at once, in KiB.
const BODIES: usize = 64 << 10;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(20);

/// The longest line of work that waits.
const LONGEST_LINE: usize = 256;

/// Where questions are taken and handed to an engine.
pub(super) struct Desk {
    /// Opens nothing.
    closed: Engine,
    /// Opens strategies' files, which only a question with files gets.
    open: Engine,
    folder: PathBuf,
    long: Arc<Semaphore>,
    short: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

impl Desk {
    pub fn new(closed: Engine, open: Engine, folder: PathBuf) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            closed,
            open,
            folder,
            long: Arc::new(Semaphore::new(cores)),
            short: Arc::new(Semaphore::new(2 * cores)),
            bodies: Arc::new(Semaphore::new(BODIES)),
            waiting: Arc::default(),
        }
    }

    /// A place to work in, once it is free.
    async fn place(&self, long: bool) -> Result<OwnedSemaphorePermit, Refusal> {
        let line = Waiting::join(&self.waiting)?;
        let places = if long { &self.long } else { &self.short };
        let place = Arc::clone(places).acquire_owned().await;
        drop(line);
        place.map_err(|_| busy())
    }

    /// A body, if there is room for it.
    async fn body(&self, request: Request) -> Result<Bytes, Refusal> {
        let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        let Some(length) = length else {
            return Err(Refusal::new(StatusCode::LENGTH_REQUIRED, "say how long the body is: Content-Length"));
        };
        if length > LARGEST_BODY {
            let message = format!("a body of {length} bytes; at most {LARGEST_BODY} are taken");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        let slow = || Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
        let room = self.bodies.acquire_many((length >> 10) as u32 + 1).await;
        let _room = room.map_err(|_| busy())?;
        let read = tokio::time::timeout(PATIENCE, to_bytes(request.into_body(), LARGEST_BODY));
        read.await.map_err(|_| slow())?.map_err(|_| Refusal::malformed("the body is cut short"))
    }

    fn call(&self, question: Question, cancel: Cancel) -> Result<Call, Refusal> {
        let uploads = Uploads::write(&self.folder, &question.files)?;
        let engine = if uploads.is_empty() { &self.closed } else { &self.open };
        Ok(Call { question, engine: engine.clone().cancelled_by(cancel), uploads })
    }
}

fn busy() -> Refusal {
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too much is being asked at once: ask again in a moment")
}

/// A place in the line.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn join(line: &Arc<AtomicUsize>) -> Result<Self, Refusal> {
        let place = Self(Arc::clone(line));
        if line.fetch_add(1, Ordering::Relaxed) >= LONGEST_LINE { Err(busy()) } else { Ok(place) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Stops the work when it is dropped, as it is with the request of a client that has gone.
struct Client(Cancel);

impl Drop for Client {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// GET and POST of one question.
pub(super) fn route(endpoint: &'static Endpoint) -> MethodRouter<Arc<Desk>> {
    let by_query = move |State(desk): State<Arc<Desk>>, RawQuery(query): RawQuery, request: Request| async move {
        let question = Question::from_query(endpoint, query.as_deref().unwrap_or_default());
        respond(&desk, endpoint, question, wants_lines(&request)).await
    };
    let by_body = move |State(desk): State<Arc<Desk>>, request: Request| async move {
        let lines = wants_lines(&request);
        let question = desk.body(request).await.and_then(|body| Question::from_body(endpoint, &body));
        respond(&desk, endpoint, question, lines).await
    };
    get(by_query).post(by_body)
}

const LINES: &str = "application/x-ndjson";

fn wants_lines(request: &Request) -> bool {
    request.headers().get(ACCEPT).is_some_and(|kinds| kinds.as_bytes() == LINES.as_bytes())
}

async fn respond(
    desk: &Arc<Desk>,
    endpoint: &'static Endpoint,
    question: Result<Question, Refusal>,
    lines: bool,
) -> Response {
    let asked = async {
        let question = question?;
        let place = desk.place(endpoint.long).await?;
        if lines {
            return Ok(told_in_lines(Arc::clone(desk), endpoint, question, place));
        }
        let cancel = Cancel::new();
        let _client = Client(cancel.clone());
        let desk = Arc::clone(desk);
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            answer(&desk, endpoint, question, cancel, None)
        });
        let done = work.await.map_err(|fault| Refusal::from_fault(&fault))?;
        done.map(json_response)
    };
    asked.await.unwrap_or_else(IntoResponse::into_response)
}

fn answer(
    desk: &Desk,
    endpoint: &Endpoint,
    question: Question,
    cancel: Cancel,
    progress: Option<Arc<dyn Progress>>,
) -> Result<Vec<u8>, Refusal> {
    let mut call = desk.call(question, cancel)?;
    if let Some(progress) = progress {
        call.engine = call.engine.reporting_to(progress);
    }
    (endpoint.ask)(&call).map_err(|mut refusal| {
        let told = serde_json::to_vec(&refusal.view).map(|bytes| call.uploads.without_folder(bytes));
        if let Some(view) = told.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            refusal.view = view;
        }
        refusal
    })
}

/// An answer in lines of JSON: `{"progress":{"what","done","of"}}` while it lasts, then `{"result"}` or `{"error"}`.
fn told_in_lines(
    desk: Arc<Desk>,
    endpoint: &'static Endpoint,
    question: Question,
    place: OwnedSemaphorePermit,
) -> Response {
    let (send, receive) = mpsc::channel(16);
    let cancel = Cancel::new();
    let lines = Lines { receive, _client: Client(cancel.clone()) };
    let steps = Arc::new(Steps { send: send.clone(), told: Mutex::new(Instant::now()) });
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let line = match answer(&desk, endpoint, question, cancel, Some(steps)) {
            Ok(document) => [&b"{\"result\":"[..], &document, b"}\n"].concat(),
            Err(refusal) => [&refusal.body()[..], b"\n"].concat(),
        };
        // A client that has gone needs no answer.
        let _ = send.blocking_send(line);
    });
    let mut response = Body::from_stream(lines).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(LINES));
    response
}

/// Lines on their way to a client.
struct Lines {
    receive: mpsc::Receiver<Vec<u8>>,
    _client: Client,
}

impl futures_core::Stream for Lines {
    type Item = Result<Vec<u8>, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receive.poll_recv(context).map(|line| line.map(Ok))
    }
}

/// Tells how far work is, as often as an eye can follow.
struct Steps {
    send: mpsc::Sender<Vec<u8>>,
    told: Mutex<Instant>,
}

const BETWEEN_STEPS: Duration = Duration::from_millis(50);

impl Progress for Steps {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        let Ok(mut told) = self.told.try_lock() else { return };
        if told.elapsed() < BETWEEN_STEPS {
            return;
        }
        *told = Instant::now();
        let line = serde_json::json!({ "progress": { "what": what, "done": done, "of": of } });
        // A line that finds no room is not missed: the next says more.
        let _ = self.send.try_send(format!("{line}\n").into_bytes());
    }
}
