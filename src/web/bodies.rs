//! Reads the bodies of requests within a time limit, and bounds the memory that all bodies of
//! requests and answers hold.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use futures_core::Stream as _;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::refusal::Refusal;

/// The largest body of a request, in bytes: the files of a course of a thousand.
const LARGEST: usize = 32 << 20;

/// The memory for large bodies of requests, in KiB.
pub(super) const ROOM_OF_REQUESTS: usize = 256 << 10;

/// The memory for large answers, in KiB: enough for several answers with a million positions, even
/// to slow clients.
pub(super) const ROOM_OF_ANSWERS: usize = 1 << 20;

/// The first bytes of each body, which do not count: the number of connections bounds their total.
const SMALL: usize = 64 << 10;

/// The time limit for the arrival of a body.
const TIME_LIMIT: Duration = Duration::from_secs(20);

/// A memory budget that bodies share; one permit is one KiB.
pub(super) struct Bodies(Arc<Semaphore>);

/// The share of the budget that one body holds until it is dropped.
#[derive(Default)]
pub(super) struct BodyRoom(Option<OwnedSemaphorePermit>);

/// Bytes with their share of the budget.
struct Held {
    bytes: Vec<u8>,
    _room: BodyRoom,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Bodies {
    /// Creates a budget of `room` KiB.
    pub fn new(room: usize) -> Self {
        Self(Arc::new(Semaphore::new(room)))
    }

    /// Wraps the bytes of an answer so that they hold their share of the budget until they are sent
    /// or the client has gone.
    pub fn hold(&self, bytes: Vec<u8>) -> Result<Bytes, Refusal> {
        let mut room = BodyRoom::default();
        self.admit(bytes.len(), &mut room)?;
        Ok(Bytes::from_owner(Held { bytes, _room: room }))
    }

    /// Reads the body of a request. Its share of the budget grows with the bytes that have arrived,
    /// not with the announced length.
    pub async fn read(&self, request: Request) -> Result<(Vec<u8>, BodyRoom), Refusal> {
        let length = request
            .headers()
            .get(CONTENT_LENGTH)
            .and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        let Some(length) = length else {
            return Err(Refusal::new(
                StatusCode::LENGTH_REQUIRED,
                "the length of the body is missing: send Content-Length",
            ));
        };
        if length > LARGEST {
            let message = format!("the body has {length} bytes; at most {LARGEST} are accepted");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        let body = self.collect(request.into_body());
        tokio::time::timeout(TIME_LIMIT, body).await.unwrap_or_else(|_| {
            Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time"))
        })
    }

    async fn collect(&self, body: Body) -> Result<(Vec<u8>, BodyRoom), Refusal> {
        let mut bytes = Vec::new();
        let mut room = BodyRoom::default();
        let mut parts = body.into_data_stream();
        while let Some(part) = poll_fn(|context| Pin::new(&mut parts).poll_next(context)).await {
            bytes
                .extend_from_slice(&part.map_err(|_| Refusal::malformed("the body is cut short"))?);
            self.admit(bytes.len(), &mut room)?;
        }
        Ok((bytes, room))
    }

    /// Extends `room` to the share of a body of this many bytes.
    fn admit(&self, bytes: usize, room: &mut BodyRoom) -> Result<(), Refusal> {
        let needed = bytes.saturating_sub(SMALL).div_ceil(1 << 10);
        let more =
            needed.saturating_sub(room.0.as_ref().map_or(0, OwnedSemaphorePermit::num_permits));
        if more == 0 {
            return Ok(());
        }
        let more =
            Arc::clone(&self.0).try_acquire_many_owned(more as u32).map_err(|_| Refusal::busy())?;
        match &mut room.0 {
            Some(held) => held.merge(more),
            none => *none = Some(more),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_bodies_are_refused_when_the_budget_is_spent_and_small_ones_never() {
        let bodies = Bodies::new(ROOM_OF_REQUESTS);
        let large = || {
            let mut room = BodyRoom::default();
            bodies.admit(LARGEST / 2, &mut room)?;
            bodies.admit(LARGEST, &mut room)?;
            Ok::<BodyRoom, Refusal>(room)
        };
        let mut held = [0; 8].map(|_| large().ok());
        assert!(held.iter().all(Option::is_some));
        assert_eq!(
            large().err().map(|refusal| refusal.status),
            Some(StatusCode::SERVICE_UNAVAILABLE)
        );
        assert!(bodies.admit(SMALL, &mut BodyRoom::default()).is_ok());
        held[0] = None;
        assert!(large().is_ok());
    }

    #[test]
    fn answers_hold_their_share_of_the_budget_until_they_are_sent() {
        let answers = Bodies::new(100);
        let bytes = vec![b' '; SMALL + (60 << 10)];
        let held = answers.hold(bytes.clone()).unwrap();
        let being_sent = held.slice(10..);
        assert_eq!(
            answers.hold(bytes.clone()).err().map(|refusal| refusal.status),
            Some(StatusCode::SERVICE_UNAVAILABLE)
        );
        assert_eq!(answers.hold(vec![0; SMALL]).unwrap().len(), SMALL);
        drop(held);
        assert!(answers.hold(bytes.clone()).is_err());
        drop(being_sent);
        assert_eq!(answers.hold(bytes.clone()).unwrap(), bytes);
    }
}
