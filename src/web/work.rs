//! How much is done at once, and how it is stopped when nobody waits for it any more.
//!
//! Long work is done in turn, one piece for each core; short work likewise, apart from it, so that a map answers while
//! a contest runs. What waits holds a place in a line of bounded length, and its body's bytes in a bounded sum; so do
//! answers until they are taken.

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
use super::question::Question;
use super::refusal::Refusal;
use super::uploads::Uploads;
use crate::Engine;
use crate::engine::{Cancel, Progress};

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
    bodies: Bodies,
    answers: Bodies,
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
            bodies: Bodies::new(ROOM_OF_REQUESTS),
            answers: Bodies::new(ROOM_OF_ANSWERS),
            waiting: Arc::default(),
        }
    }

    /// A place to work in, once it is free.
    async fn place(&self, long: bool) -> Result<OwnedSemaphorePermit, Refusal> {
        let line = Waiting::join(&self.waiting)?;
        let places = if long { &self.long } else { &self.short };
        let place = Arc::clone(places).acquire_owned().await;
        drop(line);
        place.map_err(|_| Refusal::busy())
    }

    /// What a request's body asks. What is waited for is read beside other work, however large it is.
    async fn asked(&self, endpoint: &'static Endpoint, request: Request) -> Result<QueuedQuestion, Refusal> {
        let (bytes, room) = self.bodies.read(request).await?;
        let place = self.place(false).await?;
        let read = tokio::task::spawn_blocking(move || {
            let _place = place;
            Ok(QueuedQuestion { question: Question::from_body(endpoint, &bytes)?, room })
        });
        read.await.map_err(|fault| Refusal::from_fault(&fault))?
    }

    fn call(&self, question: Question, cancel: Cancel) -> Result<Call, Refusal> {
        let uploads = Uploads::write(&self.folder, &question.files, &question.strategies())?;
        let engine = if uploads.is_empty() { &self.closed } else { &self.open };
        Ok(Call { question, engine: engine.clone().cancelled_by(cancel), uploads })
    }
}

/// A question, and what its body holds of the room for bodies until it is answered.
struct QueuedQuestion {
    question: Question,
    room: BodyRoom,
}

/// A place in the line.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn join(line: &Arc<AtomicUsize>) -> Result<Self, Refusal> {
        let place = Self(Arc::clone(line));
        if line.fetch_add(1, Ordering::Relaxed) >= LONGEST_LINE { Err(Refusal::busy()) } else { Ok(place) }
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
        let asked = question.map(|question| QueuedQuestion { question, room: BodyRoom::default() });
        respond(&desk, endpoint, asked, wants_lines(&request)).await
    };
    let by_body = move |State(desk): State<Arc<Desk>>, request: Request| async move {
        let lines = wants_lines(&request);
        respond(&desk, endpoint, desk.asked(endpoint, request).await, lines).await
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
    asked: Result<QueuedQuestion, Refusal>,
    lines: bool,
) -> Response {
    let answered = async {
        let asked = asked?;
        let place = desk.place(endpoint.long).await?;
        if lines {
            return Ok(told_in_lines(Arc::clone(desk), endpoint, asked, place));
        }
        let cancel = Cancel::new();
        let _client = Client(cancel.clone());
        let desk = Arc::clone(desk);
        let work = tokio::task::spawn_blocking(move || {
            let _place = place;
            desk.answers.hold(answer(&desk, endpoint, asked, cancel, None)?)
        });
        let done = work.await.map_err(|fault| Refusal::from_fault(&fault))?;
        done.map(json_response)
    };
    answered.await.unwrap_or_else(IntoResponse::into_response)
}

fn answer(
    desk: &Desk,
    endpoint: &Endpoint,
    asked: QueuedQuestion,
    cancel: Cancel,
    progress: Option<Arc<dyn Progress>>,
) -> Result<Vec<u8>, Refusal> {
    let QueuedQuestion { question, room: _room } = asked;
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
    asked: QueuedQuestion,
    place: OwnedSemaphorePermit,
) -> Response {
    let (send, receive) = mpsc::channel(16);
    let cancel = Cancel::new();
    let lines = Lines { receive, _client: Client(cancel.clone()) };
    let steps = Arc::new(ProgressLines { send: send.clone(), told: Mutex::new(Instant::now()) });
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let line = match answer(&desk, endpoint, asked, cancel, Some(steps)) {
            Ok(document) => desk.answers.hold([&b"{\"result\":"[..], &document, b"}\n"].concat()),
            Err(refusal) => Err(refusal),
        };
        let line = line.unwrap_or_else(|refusal| [&refusal.body()[..], b"\n"].concat().into());
        // A client that has gone needs no answer.
        let _ = send.blocking_send(line);
    });
    let mut response = Body::from_stream(lines).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(LINES));
    response
}

/// Lines on their way to a client.
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

/// Tells how far work is, as often as an eye can follow.
struct ProgressLines {
    send: mpsc::Sender<Bytes>,
    told: Mutex<Instant>,
}

const BETWEEN_STEPS: Duration = Duration::from_millis(50);

/// The most entrants of a contest whose matrix is told while it fills.
const MOST_SHOWN: usize = 60;

impl ProgressLines {
    /// A line that finds no room is not missed: the next says more.
    fn tell(&self, line: &serde_json::Value) {
        let _ = self.send.try_send(format!("{line}\n").into());
    }
}

impl Progress for ProgressLines {
    fn step(&self, what: &'static str, done: usize, of: usize) {
        let Ok(mut told) = self.told.try_lock() else { return };
        if told.elapsed() < BETWEEN_STEPS {
            return;
        }
        *told = Instant::now();
        self.tell(&serde_json::json!({ "progress": { "what": what, "done": done, "of": of } }));
    }

    fn rated(&self, matrix: &dyn Fn() -> Vec<Vec<Option<f64>>>) {
        let matrix = matrix();
        if matrix.len() > MOST_SHOWN {
            return;
        }
        let known = |(at, row): (usize, &Vec<Option<f64>>)| row[at..].iter().flatten().count();
        let (done, of) = (matrix.iter().enumerate().map(known).sum::<usize>(), matrix.len() * (matrix.len() + 1) / 2);
        self.tell(&serde_json::json!({ "progress": { "what": "playing", "done": done, "of": of, "matrix": matrix } }));
    }
}
