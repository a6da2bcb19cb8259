//! Serves connections: a limited number at a time, each with limits on how slow its client may be.
//! Every connection is accepted at once; if there are too many, the one that has waited longest for
//! its client is closed.

use std::future::Future;
use std::io::{self, IoSlice};
use std::net::{IpAddr, Ipv4Addr};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use axum::Router;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio::time::Sleep;

/// The limits on clients.
#[derive(Clone, Copy)]
pub(super) struct ClientLimits {
    /// The most open connections; for a further one, another is closed.
    connections: usize,
    /// The time limit for the head of a request, and for the pause between two requests of a
    /// connection.
    head: Duration,
    /// The time limit for a client to accept [`PACE`] bytes of an answer.
    write: Duration,
}

impl Default for ClientLimits {
    fn default() -> Self {
        Self { connections: 512, head: Duration::from_secs(10), write: Duration::from_secs(20) }
    }
}

/// The bytes of an answer that a client must accept within [`ClientLimits::write`].
const PACE: usize = 64 << 10;

/// A connection: whether it waits for its client, and since when.
pub(super) struct Link {
    /// The address that the client connected to.
    pub local: IpAddr,
    /// When bytes were last read from the client or accepted by it.
    moved: Mutex<Instant>,
    /// The number of its requests that are being answered.
    answering: AtomicUsize,
    close: Notify,
}

/// How often it is seen whether a client has gone that waits for an answer.
const LOOKED_EVERY: Duration = Duration::from_millis(500);

/// Marks a connection as one that waits for the server, not for its client, until it is dropped.
pub(super) struct Answering(Arc<Link>);

impl Link {
    fn new(local: IpAddr) -> Self {
        Self {
            local,
            moved: Mutex::new(Instant::now()),
            answering: AtomicUsize::new(0),
            close: Notify::new(),
        }
    }

    fn moved(&self) -> MutexGuard<'_, Instant> {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Call this when a request has arrived completely.
    pub fn answering(self: &Arc<Self>) -> Answering {
        self.answering.fetch_add(1, Ordering::Relaxed);
        Answering(Arc::clone(self))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        *self.0.moved() = Instant::now();
        self.0.answering.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The open connections.
struct Links {
    open: Mutex<Vec<Arc<Link>>>,
    most: usize,
}

impl Links {
    fn open(&self) -> MutexGuard<'_, Vec<Arc<Link>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection. If there are too many, closes the one that has waited longest for its
    /// client, whether for a request, for the rest of one or for the client to accept an
    /// answer; returns false if all wait for the server.
    fn add(&self, link: &Arc<Link>) -> bool {
        let mut open = self.open();
        if open.len() >= self.most {
            let waiting = open
                .iter()
                .enumerate()
                .filter(|(_, link)| link.answering.load(Ordering::Relaxed) == 0);
            let Some((place, _)) = waiting.min_by_key(|(_, link)| *link.moved()) else {
                return false;
            };
            open.swap_remove(place).close.notify_one();
        }
        open.push(Arc::clone(link));
        true
    }

    fn remove(&self, link: &Arc<Link>) {
        self.open().retain(|other| !Arc::ptr_eq(other, link));
    }
}

/// What a client is told for which there is no room: all connections wait for an answer.
const NO_ROOM: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\nContent-Length: \
      0\r\n\r\n";

/// Accepts and serves connections until the program ends.
pub(super) async fn forever(
    listener: TcpListener,
    router: Router,
    limits: ClientLimits,
) -> io::Result<()> {
    let links = Arc::new(Links { open: Mutex::default(), most: limits.connections });
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // The client may have gone already, or no file descriptor is free: try again after a
            // pause.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
        };
        // Answers are written in large pieces, so Nagle's algorithm would only delay their last
        // packets.
        let _ = stream.set_nodelay(true);
        let local =
            stream.local_addr().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |address| address.ip());
        let link = Arc::new(Link::new(local));
        if !links.add(&link) {
            let _ = stream.try_write(NO_ROOM);
            continue;
        }
        let stream = Arc::new(stream);
        let gone = gone(Arc::clone(&stream), Arc::clone(&link));
        let stream =
            Paced { stream, link: Arc::clone(&link), patience: limits.write, end: None, taken: 0 };
        tokio::spawn(serve(stream, gone, link, Arc::clone(&links), router.clone(), limits.head));
    }
}

/// Returns when the client of a connection has gone while it is answered. The server itself does
/// not notice it if more has arrived than the request that it answers.
async fn gone(stream: Arc<TcpStream>, link: Arc<Link>) {
    loop {
        tokio::time::sleep(LOOKED_EVERY).await;
        if link.answering.load(Ordering::Relaxed) == 0 {
            continue;
        }
        let ready = tokio::time::timeout(Duration::ZERO, stream.ready(Interest::READABLE)).await;
        if ready.is_ok_and(|ready| ready.is_ok_and(|ready| ready.is_read_closed())) {
            return;
        }
    }
}

/// Serves a connection until its client or [`Links::add`] closes it, or the client is `gone`.
async fn serve(
    stream: Paced,
    gone: impl Future<Output = ()>,
    link: Arc<Link>,
    links: Arc<Links>,
    router: Router,
    head: Duration,
) {
    let service = TowerToHyperService::new(router);
    let known = Arc::clone(&link);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(Arc::clone(&known));
        service.call(request)
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_headers(64)
        .max_buf_size(32 << 10);
    let mut served = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    let mut closed = std::pin::pin!(link.close.notified());
    let mut gone = std::pin::pin!(gone);
    // An error here means that the client broke the connection: there is nobody to report it to.
    std::future::poll_fn(|context| {
        if closed.as_mut().poll(context).is_ready() || gone.as_mut().poll(context).is_ready() {
            return Poll::Ready(());
        }
        served.as_mut().poll(context).map(|_| ())
    })
    .await;
    links.remove(&link);
}

/// A connection that fails if its client accepts less than [`PACE`] bytes within a time limit.
struct Paced {
    stream: Arc<TcpStream>,
    link: Arc<Link>,
    /// The time limit.
    patience: Duration,
    /// The end of the time limit, which starts with the first write that has to wait.
    end: Option<Pin<Box<Sleep>>>,
    /// The number of bytes that the client has accepted since then.
    taken: usize,
}

impl Paced {
    fn written(
        &mut self,
        context: &mut Context<'_>,
        poll: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match poll {
            Poll::Ready(Ok(bytes)) => {
                *self.link.moved() = Instant::now();
                self.taken += bytes;
                if self.taken >= PACE {
                    self.reset();
                }
                Poll::Ready(Ok(bytes))
            }
            Poll::Ready(failed) => Poll::Ready(failed),
            Poll::Pending => {
                if self.end.is_none() {
                    self.taken = 0;
                }
                let end =
                    self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.patience)));
                ready!(end.as_mut().poll(context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }

    fn write_with(
        &self,
        context: &mut Context<'_>,
        write: impl Fn(&TcpStream) -> io::Result<usize>,
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.stream.poll_write_ready(context))?;
            match write(&self.stream) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                written => return Poll::Ready(written),
            }
        }
    }

    /// Stops the timer.
    fn reset(&mut self) {
        (self.end, self.taken) = (None, 0);
    }
}

impl AsyncRead for Paced {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.stream.poll_read_ready(context))?;
            match self.stream.try_read(bytes.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Poll::Ready(Err(error)),
                Ok(read) => {
                    if read > 0 {
                        *self.link.moved() = Instant::now();
                    }
                    bytes.advance(read);
                    return Poll::Ready(Ok(()));
                }
            }
        }
    }
}

impl AsyncWrite for Paced {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let poll = self.write_with(context, |stream| stream.try_write(bytes));
        self.written(context, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = self.write_with(context, |stream| stream.try_write_vectored(parts));
        self.written(context, poll)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    /// Called when an answer is completely written.
    fn poll_flush(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.reset();
        Poll::Ready(Ok(()))
    }

    /// The connection is closed when it is dropped, which follows.
    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::{SocketAddr, TcpStream};

    use axum::routing::get;

    use super::*;

    /// More bytes than the system buffers for a client that does not read.
    const LARGE: usize = 32 << 20;

    /// Starts a server for two connections with short time limits.
    fn server() -> (tokio::runtime::Runtime, SocketAddr) {
        server_with(Duration::from_millis(200))
    }

    /// Starts a server for two connections with these time limits.
    fn server_with(time: Duration) -> (tokio::runtime::Runtime, SocketAddr) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/large", get(|| async { vec![7u8; LARGE] }))
            .route("/small", get(|| async { "small" }));
        runtime.spawn(forever(
            listener,
            router,
            ClientLimits { connections: 2, head: time, write: time },
        ));
        (runtime, address)
    }

    fn send(address: SocketAddr, request: &str) -> TcpStream {
        let mut client = TcpStream::connect(address).unwrap();
        client.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        client.write_all(request.as_bytes()).unwrap();
        client
    }

    fn get_path(path: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    #[track_caller]
    fn assert_answered(address: SocketAddr) {
        let mut answer = [0; 15];
        send(address, &get_path("/small")).read_exact(&mut answer).expect("an answer");
        assert_eq!(&answer, b"HTTP/1.1 200 OK");
    }

    #[test]
    fn clients_that_never_read_are_disconnected() {
        let (_runtime, address) = server();
        let _silent = [0; 6].map(|_| send(address, &get_path("/large")));
        assert_answered(address);
    }

    #[test]
    fn clients_that_send_no_complete_request_or_no_further_one_are_disconnected() {
        let (_runtime, address) = server();
        let _silent =
            ["", "GET /", &get_path("/small"), &get_path("/small")].map(|text| send(address, text));
        assert_answered(address);
    }

    /// The time limits are too long for this test: room is made for each client at once.
    #[test]
    fn clients_that_wait_do_not_delay_others() {
        let (_runtime, address) = server_with(Duration::from_secs(3600));
        let small = get_path("/small");
        let texts = ["", "GET /", &small, &get_path("/large"), "", &small];
        let _silent: Vec<TcpStream> =
            (0..60).map(|number| send(address, texts[number % texts.len()])).collect();
        assert_answered(address);
    }

    #[test]
    fn of_connections_that_wait_for_their_clients_the_one_that_waited_longest_is_closed() {
        let links = Links { open: Mutex::default(), most: 2 };
        let [first, second, third, fourth] =
            [(); 4].map(|()| Arc::new(Link::new(Ipv4Addr::LOCALHOST.into())));
        let is_open = |link: &Arc<Link>| links.open().iter().any(|other| Arc::ptr_eq(other, link));
        assert!(links.add(&first) && links.add(&second));
        let answering = first.answering();
        assert!(links.add(&third) && is_open(&first) && !is_open(&second) && is_open(&third));
        let also = third.answering();
        assert!(!links.add(&fourth), "all wait for the server");
        drop((answering, also));
        assert!(
            links.add(&fourth) && !is_open(&first),
            "the first has waited longest since its answer"
        );
    }

    #[test]
    fn a_client_that_reads_receives_the_complete_answer() {
        let (_runtime, address) = server();
        let mut client =
            send(address, &get_path("/large").replace("Host", "Connection: close\r\nHost"));
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).unwrap();
        assert!(answer.len() > LARGE && answer.ends_with(&[7; 100]), "{}", answer.len());
    }
}
