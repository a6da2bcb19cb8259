//! Serves connections: a limited number at a time, each with limits on how slow its client may be.

use std::future::Future as _;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::Sleep;

/// The limits on clients.
#[derive(Clone, Copy)]
pub(super) struct ClientLimits {
    /// The most open connections; further ones wait to be accepted.
    connections: usize,
    /// The time limit for the head of a request, and for the pause between two requests of a connection.
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

/// Accepts and serves connections until the program ends.
pub(super) async fn forever(listener: TcpListener, router: Router, limits: ClientLimits) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(limits.connections));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return Ok(()) };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // The client may have gone already, or no file descriptor is free: try again after a pause.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
        };
        // Answers are written in large pieces, so Nagle's algorithm would only delay their last packets.
        let _ = stream.set_nodelay(true);
        let stream = Paced { stream, patience: limits.write, end: None, taken: 0 };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(limits.head).max_headers(64).max_buf_size(32 << 10);
            // An error here means that the client broke the connection: there is nobody to report it to.
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
}

/// A connection that fails if its client accepts less than [`PACE`] bytes within a time limit.
struct Paced {
    stream: TcpStream,
    /// The time limit.
    patience: Duration,
    /// The end of the time limit, which starts with the first write that has to wait.
    end: Option<Pin<Box<Sleep>>>,
    /// The number of bytes that the client has accepted since then.
    taken: usize,
}

impl Paced {
    fn written(&mut self, context: &mut Context<'_>, poll: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match poll {
            Poll::Ready(Ok(bytes)) => {
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
                let end = self.end.get_or_insert_with(|| Box::pin(tokio::time::sleep(self.patience)));
                ready!(end.as_mut().poll(context));
                Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
            }
        }
    }

    /// Stops the timer.
    fn reset(&mut self) {
        (self.end, self.taken) = (None, 0);
    }
}

impl AsyncRead for Paced {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, bytes)
    }
}

impl AsyncWrite for Paced {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, poll)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let poll = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.written(context, poll)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when an answer is completely written.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.reset();
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
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
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = listener.local_addr().unwrap();
        let router = Router::new()
            .route("/large", get(|| async { vec![7u8; LARGE] }))
            .route("/small", get(|| async { "small" }));
        let short = Duration::from_millis(200);
        runtime.spawn(forever(listener, router, ClientLimits { connections: 2, head: short, write: short }));
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
        let _silent = ["", "GET /", &get_path("/small"), &get_path("/small")].map(|text| send(address, text));
        assert_answered(address);
    }

    #[test]
    fn a_client_that_reads_receives_the_complete_answer() {
        let (_runtime, address) = server();
        let mut client = send(address, &get_path("/large").replace("Host", "Connection: close\r\nHost"));
        let mut answer = Vec::new();
        client.read_to_end(&mut answer).unwrap();
        assert!(answer.len() > LARGE && answer.ends_with(&[7; 100]), "{}", answer.len());
    }
}
