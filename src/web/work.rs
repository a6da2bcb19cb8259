//! Limits the work that is done at the same time, and stops the work for a client that has gone.
//!
//! There are two lanes, each with its own queue: long work does not keep short questions waiting. A
//! request that is usually answered soon starts in the short lane, where it has [`SHORT`]; if that
//! was not enough, it starts again in the long lane, with all the time that a request has. Waiting
//! requests are limited in number, and their bodies count against a memory budget; answers count
//! against another until they are sent.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{RawQuery, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{ACCEPT, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use super::bodies::{Bodies, BodyRoom, ROOM_OF_ANSWERS, ROOM_OF_REQUESTS};
use super::document::json_response;
use super::listen::{Answering, Link};

use super::endpoints::ApiEndpoint;
use super::refusal::Refusal;
use crate::Engine;
use crate::engine::{Cancel, Progress};
use crate::requests::{Failure, ProgressLines, ReadRequest, error_line, result_line};

/// The most requests that wait in each lane; together they are fewer than the connections.
const MOST_WAITING_SHORT: usize = 256;
const MOST_WAITING_LONG: usize = 128;

/// The time for a request in the short lane.
const SHORT: Duration = Duration::from_secs(1);

/// The time for a request in the long lane, if the engine has no limit.
const LONG: Duration = Duration::from_secs(3600);

/// Accepts requests and hands them to an engine.
pub(super) struct Service {
    /// Opens no files.
    closed: Engine,
    /// Opens the files of strategies; used only for requests with uploaded files.
    open: Engine,
    folder: PathBuf,
    short: Queue,
    long: Queue,
    bodies: Bodies,
    answers: Bodies,
}

/// Places for work that is done at the same time, and a queue for them.
struct Queue {
    places: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
    /// The time for each request.
    time: Duration,
}

impl Queue {
    fn new(places: usize, most_waiting: usize, time: Duration) -> Self {
        Self {
            places: Arc::new(Semaphore::new(places)),
            waiting: Arc::default(),
            most_waiting,
            time,
        }
    }

    /// Waits for a permit to work.
    async fn place(&self) -> Result<OwnedSemaphorePermit, Refusal> {
        let line = Waiting::join(&self.waiting, self.most_waiting)?;
        let place = Arc::clone(&self.places).acquire_owned().await;
        drop(line);
        place.map_err(|_| Refusal::busy())
    }
}

impl Service {
    pub fn new(closed: Engine, open: Engine, folder: PathBuf) -> Self {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let time = closed.limits().time.unwrap_or(LONG);
        Self {
            closed,
            open,
            folder,
            short: Queue::new(2 * cores, MOST_WAITING_SHORT, SHORT.min(time)),
            // One may be a contest that takes an hour.
            long: Queue::new(cores.max(2), MOST_WAITING_LONG, time),
            bodies: Bodies::new(ROOM_OF_REQUESTS),
            answers: Bodies::new(ROOM_OF_ANSWERS),
        }
    }

    /// Reads and parses the body of a request. Parsing counts as short work, because a body may be
    /// large.
    async fn queue(
        &self,
        endpoint: &'static ApiEndpoint,
        request: Request,
    ) -> Result<QueuedRequest, Refusal> {
        let (bytes, room) = self.bodies.read(request).await?;
        let place = self.short.place().await?;
        let read = tokio::task::spawn_blocking(move || {
            let _place = place;
            Ok(QueuedRequest { read: endpoint.read_body(&bytes)?, _room: room })
        });
        read.await.map_err(|fault| Refusal::from_fault(&fault))?
    }

    /// Returns the lanes in which a request is answered: each after the first if the time was not
    /// enough before.
    fn lanes(&self, endpoint: &ApiEndpoint) -> Vec<&Queue> {
        if endpoint.0.query.is_long { vec![&self.long] } else { vec![&self.short, &self.long] }
    }
}

/// A request, and its body's share of the memory budget until it is answered.
struct QueuedRequest {
    read: ReadRequest,
    _room: BodyRoom,
}

/// A waiting request, counted until it is dropped.
struct Waiting(Arc<AtomicUsize>);

impl Waiting {
    fn join(line: &Arc<AtomicUsize>, most: usize) -> Result<Self, Refusal> {
        let place = Self(Arc::clone(line));
        if line.fetch_add(1, Ordering::Relaxed) >= most { Err(Refusal::busy()) } else { Ok(place) }
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
pub(super) fn route(endpoint: &'static ApiEndpoint) -> MethodRouter<Arc<Service>> {
    get(move |State(service): State<Arc<Service>>, RawQuery(query): RawQuery, request: Request| {
        async move {
            let read = endpoint.read_query(query.as_deref().unwrap_or_default());
            let queued = read.map(|read| QueuedRequest { read, _room: BodyRoom::default() });
            respond(&service, endpoint, queued, AnswerForm::of(&request)).await
        }
    })
    .post(move |State(service): State<Arc<Service>>, request: Request| async move {
        let form = AnswerForm::of(&request);
        respond(&service, endpoint, service.queue(endpoint, request).await, form).await
    })
}

const LINES: &str = "application/x-ndjson";

/// How a request is to be answered.
struct AnswerForm {
    /// Whether the client wants lines with the progress.
    lines: bool,
    /// The connection.
    link: Option<Arc<Link>>,
}

impl AnswerForm {
    fn of(request: &Request) -> Self {
        let lines =
            request.headers().get(ACCEPT).is_some_and(|kinds| kinds.as_bytes() == LINES.as_bytes());
        Self { lines, link: request.extensions().get::<Arc<Link>>().cloned() }
    }
}

async fn respond(
    service: &Arc<Service>,
    endpoint: &'static ApiEndpoint,
    queued: Result<QueuedRequest, Refusal>,
    form: AnswerForm,
) -> Response {
    let answering = form.link.as_ref().map(Link::answering);
    let answered = async {
        let accepted = Arc::new(AcceptedRequest {
            service: Arc::clone(service),
            endpoint,
            queued: queued?,
            cancel: Cancel::new(),
        });
        let client = Client(accepted.cancel.clone());
        let mut lanes = service.lanes(endpoint).into_iter();
        let place = lanes.next().expect("a request has a lane").place().await?;
        if form.lines {
            return Ok(stream_answer(accepted, client, place, answering));
        }
        answer(&accepted, place, None).await.map(json_response)
    };
    answered.await.unwrap_or_else(IntoResponse::into_response)
}

/// A request that is being answered.
struct AcceptedRequest {
    service: Arc<Service>,
    endpoint: &'static ApiEndpoint,
    queued: QueuedRequest,
    cancel: Cancel,
}

/// Answers a request with the place in its first lane, and then in further ones if the time was not
/// enough.
async fn answer(
    accepted: &Arc<AcceptedRequest>,
    place: OwnedSemaphorePermit,
    progress: Option<&Arc<dyn Progress>>,
) -> Result<Bytes, Refusal> {
    let lanes = accepted.service.lanes(accepted.endpoint);
    let mut place = Some(place);
    let mut answered = Err(Refusal::busy());
    for lane in lanes {
        let place = match place.take() {
            Some(place) => place,
            None => lane.place().await?,
        };
        let accepted = Arc::clone(accepted);
        let progress = progress.cloned();
        let time = lane.time;
        let done = tokio::task::spawn_blocking(move || {
            let _place = place;
            accepted.service.answers.hold(accepted.document(time, progress)?)
        });
        answered = done.await.map_err(|fault| Refusal::from_fault(&fault))?;
        if !answered.as_ref().is_err_and(|refusal| refusal.is_late) {
            break;
        }
    }
    answered
}

impl AcceptedRequest {
    /// Computes the answer within this time.
    fn document(
        &self,
        time: Duration,
        progress: Option<Arc<dyn Progress>>,
    ) -> Result<Vec<u8>, Refusal> {
        let service = &self.service;
        let read = &self.queued.read;
        let uploads = read.uploads(&service.folder).map_err(Failure::from)?;
        let engine = if uploads.is_empty() { &service.closed } else { &service.open };
        let mut engine = engine.clone().cancelled_by(self.cancel.clone()).within(time);
        if let Some(progress) = progress {
            engine = engine.reporting_to(progress);
        }
        Ok(read.document(engine, Some(&uploads), LARGEST_ANSWER)?)
    }
}

/// The largest answer, in bytes: a map of a thousand by a thousand positions with all layers has
/// half of it.
const LARGEST_ANSWER: usize = 192 << 20;

/// Answers in lines of JSON, each of which has a `type`: `progress` during the work, then `result`
/// or `error`.
fn stream_answer(
    accepted: Arc<AcceptedRequest>,
    client: Client,
    place: OwnedSemaphorePermit,
    answering: Option<Answering>,
) -> Response {
    let (send, receive) = mpsc::channel(16);
    let lines = Lines { receive, _client: client, _answering: answering };
    tokio::spawn(async move {
        let lines = send.clone();
        // A line is dropped if the queue is full.
        let steps: Arc<dyn Progress> =
            Arc::new(ProgressLines::new(move |line: &dyn Fn() -> String| {
                lines.try_reserve().map(|place| place.send(line().into())).is_ok()
            }));
        let line = match answer(&accepted, place, Some(&steps)).await {
            Ok(document) => accepted.service.answers.hold(result_line(&document)),
            Err(refusal) => Err(refusal),
        };
        let line = line.unwrap_or_else(|refusal| error_line(&refusal.view).into());
        // Sending fails only if the client has gone.
        let _ = send.send(line).await;
    });
    let mut response = Body::from_stream(lines).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(LINES));
    response
}

/// The stream of lines to a client.
struct Lines {
    receive: mpsc::Receiver<Bytes>,
    _client: Client,
    _answering: Option<Answering>,
}

impl futures_core::Stream for Lines {
    type Item = Result<Bytes, std::convert::Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receive.poll_recv(context).map(|line| line.map(Ok))
    }
}
