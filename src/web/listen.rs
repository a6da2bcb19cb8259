//! Connections: so many at once, none of them slower than patience allows.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// The most connections at once; more wait to be accepted.
const CONNECTIONS: usize = 512;

/// How long the head of a request may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers every connection.
pub(super) async fn forever(listener: TcpListener, router: Router) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&room).acquire_owned().await else { return Ok(()) };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            // A client that has gone already, or no file descriptor to be had: the next may do better.
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            }
        };
        // Answers are written whole: to wait for more of them only delays their ends.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_headers(64).max_buf_size(32 << 10);
            // A client that breaks off is no fault of ours.
            let _ = builder.serve_connection(TokioIo::new(stream), service).await;
            drop(place);
        });
    }
}
