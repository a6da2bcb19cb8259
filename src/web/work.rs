//! Limits the work that is done at the same time, and stops the work for a client that has gone.
//!
//! Long work is limited to one request per core and short work, separately, to two per core, so that a map is answered
//! while a contest runs. Waiting requests are limited in number, and their bodies count against a memory budget;
//! answers count against another until they are sent.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::answers::{Call, json_response};
use super::bodies::{Bodies, BodyRoom, ROOM_OF_ANSWERS, ROOM_OF_REQUESTS};
use super::endpoints::Endpoint;
use super::parameters::Parameters;
use super::refusal::Refusal;
use super::uploads::Uploads;
use crate::Engine;
use crate::engine::{Cancel, Progress};

/// The most requests that wait.
const MOST_WAITING: usize = 256;

/// Accepts requests and hands them to an engine.
pub(super) struct Service {
    /// Opens no files.
    closed: Engine,
    /// Opens the files of strategies; used only for requests with uploaded files.
    open: Engine,
    folder: PathBuf,
    long: Arc<Semaphore>,
    short: Arc<Semaphore>,
    bodies: Bodies,
    answers: Bodies,
    waiting: Arc<AtomicUsize>,
}

impl Service {
    pub fn new(closed: Engine, open: Engine, folder: PathBuf) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        Self {
            closed,
            open,
            folder,
            long: Arc::new(Semaphore::new(cores)),
            short: Arc::new(Semaphore::new(2 * cores)),
            bodies: Bodies::new(ROOM_OF_REQUESTS),
            answers: Bodies::new(ROOM_OF_ANSWERS),
            waiting: Arc::default(),
        }
    }

    /// Waits for a permit to work.
    async fn place(&self, long: bool) -> Result<OwnedSemaphorePermit, Refusal> {
        let line = Waiting::join(&self.waiting)?;
        let places = if long { &self.long } else { &self.short };
        let place = Arc::clone(places).acquire_owned().await;
        drop(line);
        place.map_err(|_| Refusal::busy())
    }

    /// Reads and parses the body of a request. Parsing counts as short work, because a body may be large.
    async fn queue(&self, endpoint: &'static Endpoint, request: Request) -> Result<QueuedRequest, Refusal> {
        let (bytes, room) = self.bodies.read(request).await?;
        let place = self.place(false).await?;
        let read = tokio::task::spawn_blocking(move || {
            let _place = place;
            Ok(QueuedRequest { parameters: Parameters::from_body(endpoint, &bytes)?, room })
        });
        read.await.map_err(|fault| Refusal::from_fault(&fault))?
    }

    fn call(&self, parameters: Parameters, cancel: Cancel) -> Result<Call, Refusal> {
        let uploads = Uploads::write(&self.folder, &parameters.files, &parameters.strategies())?;
        let engine = if uploads.is_empty() { &self.closed } else { &self.open };
        Ok(Call { parameters, engine: engine.clone().cancelled_by(cancel), uploads })
    }
}

/// The parameters of a request, and its body's share of the memory budget until it is answered.
struct QueuedRequest {
    parameters: Parameters,
    room: BodyRoom,
}

/// A waiting request, counted until it is dropped.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn join(line: &Arc<AtomicUsize>) -> Result<Self, Refusal> {
        let place = Self(Arc::clone(line));
        if line.fetch_add(1, Ordering::Relaxed) >= MOST_WAITING { Err(Refusal::busy()) } else { Ok(place) }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Stops the work for a request when it is dropped; the server drops it when the client has gone.
struct Client(Cancel);

impl Drop for Client {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Returns the handlers of GET and POST at an endpoint.
pub(super) fn route(endpoint: &'static Endpoint) -> MethodRouter<Arc<Service>> {
    let by_query = move |State(service): State<Arc<Service>>, RawQuery(query): RawQuery, request: Request| async move {
        let parameters = Parameters::from_query(endpoint, query.as_deref().unwrap_or_default());
        let queued = parameters.map(|parameters| QueuedRequest { parameters, room: BodyRoom::default() });
        respond(&service, endpoint, queued, wants_lines(&request)).await
    };
    let by_body = move |State(service): State<Arc<Service>>, request: Request| async move {
        let lines = wants_lines(&request);
        respond(&service, endpoint, service.queue(endpoint, request).await, lines).await
    };
    get(by_query).post(by_body)
}

const LINES: &str = "application/x-ndjson";

fn wants_lines(request: &Request) -> bool {
    request.headers().get(ACCEPT).is_some_and(|kinds| kinds.as_bytes() == LINES.as_bytes())
}

async fn respond(
    service: &Arc<Service>,
    endpoint: &'static Endpoint,
    queued: Result<QueuedRequest, Refusal>,
    lines: bool,
) -> Response {
    let answered = async {
        let queued = queued?;
        let place = service.place(endpoint.long).await?;
        if lines {
            return Ok(stream_answer(Arc::clone(service), endpoint, queued, place));
        }
        let cancel = Cancel::new();
        let _client = Client(cancel.clone());
        let service = Arc::clone(service);
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            service.answers.hold(answer(&service, endpoint, queued, cancel, None)?)
        });
        let done = work.await.map_err(|fault| Refusal::from_fault(&fault))?;
        done.map(json_response)
    };
    answered.await.unwrap_or_else(IntoResponse::into_response)
}

fn answer(
    service: &Service,
    endpoint: &Endpoint,
    queued: QueuedRequest,
    cancel: Cancel,
    progress: Option<Arc<dyn Progress>>,
) -> Result<Vec<u8>, Refusal> {
    let QueuedRequest { parameters, room: _room } = queued;
    let mut call = service.call(parameters, cancel)?;
    if let Some(progress) = progress {
        call.engine = call.engine.reporting_to(progress);
    }
    (endpoint.ask)(&call).map_err(|mut refusal| {
        let without_folder = serde_json::to_vec(&refusal.view).map(|bytes| call.uploads.without_folder(bytes));
        if let Some(view) = without_folder.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()) {
            refusal.view = view;
        }
        refusal
    })
}

/// Answers in lines of JSON: `{"progress":{"what","done","of"}}` during the work, then `{"result"}` or `{"error"}`.
fn stream_answer(
    service: Arc<Service>,
    endpoint: &'static Endpoint,
    queued: QueuedRequest,
    place: OwnedSemaphorePermit,
) -> Response {
    let (send, receive) = mpsc::channel(16);
    let cancel = Cancel::new();
    let lines = Lines { receive, _client: Client(cancel.clone()) };
    let steps = Arc::new(ProgressLines { send: send.clone(), last: Mutex::new(Instant::now()) });
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let line = match answer(&service, endpoint, queued, cancel, Some(steps)) {
            Ok(document) => service.answers.hold([&b"{\"result\":"[..], &document, b"}\n"].concat()),
            Err(refusal) => Err(refusal),
        };
        let line = line.unwrap_or_else(|refusal| [&refusal.body()[..], b"\n"].concat().into());
        // Sending fails only if the client has gone.
        let _ = send.blocking_send(line);
    });
    let mut response = Body::from_stream(lines).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(LINES));
    response
}

/// The stream of lines to a client.
struct Lines {
    receive: mpsc::Receiver<Bytes>,
    _client: Client,
}

impl futures_core::Stream for Lines {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receive.poll_recv(context).map(|line| line.map(Ok))
    }
}

/// Sends progress lines, at most one per [`BETWEEN_STEPS`] for steps.
struct ProgressLines {
    send: mpsc::Sender<Bytes>,
    last: Mutex<Instant>,
}

const BETWEEN_STEPS: Duration = Duration::from_millis(50);

/// The most entrants of a contest whose matrix is sent while it fills.
const MOST_SHOWN: usize = 60;

impl ProgressLines {
    /// Sends a line, or drops it if the queue is full: the next one supersedes it.
    fn send_line(&self, line: &serde_json::Value) {
        let _ = self.send.try_send(format!("{line}\n").into());
    }
}

impl Progress for ProgressLines {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < BETWEEN_STEPS {
            return;
        }
        *last = Instant::now();
        self.send_line(&serde_json::json!({ "progress": { "what": what, "done": done, "of": of } }));
    }

    fn rated(&self, matrix: &dyn Fn() -> Vec<Vec<Option<f64>>>) {
        let matrix = matrix();
        if matrix.len() > MOST_SHOWN {
            return;
        }
        let known = |(at, row): (usize, &Vec<Option<f64>>)| row[at..].iter().flatten().count();
        let (done, of) = (matrix.iter().enumerate().map(known).sum::<usize>(), matrix.len() * (matrix.len() + 1) / 2);
        self.send_line(
            &serde_json::json!({ "progress": { "what": "playing", "done": done, "of": of, "matrix": matrix } }),
        );
    }
}
