//! Bodies on their way, of requests each in its time: all in a bounded sum.

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

/// The largest body, in bytes.
const LARGEST: usize = 8 << 20;

/// What large bodies of requests may hold at once, in KiB.
pub(super) const ROOM_OF_REQUESTS: usize = 64 << 10;

/// What large answers may hold at once, in KiB: some of a million positions, however slowly they are taken.
pub(super) const ROOM_OF_ANSWERS: usize = 1 << 20;

/// What any body may hold beside that, in bytes: there are only so many connections.
const SMALL: usize = 64 << 10;

/// How long a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(20);

/// What all bodies hold.
pub(super) struct Bodies(Arc<Semaphore>);

/// What one body holds of it, until this is dropped.
#[derive(Default)]
pub(super) struct BodyRoom(Option<OwnedSemaphorePermit>);

/// Bytes, and their room.
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
    /// Room for so many KiB.
    pub fn new(room: usize) -> Self {
        Self(Arc::new(Semaphore::new(room)))
    }

    /// The bytes of an answer, which hold their room until they are sent or their client has gone.
    pub fn hold(&self, bytes: Vec<u8>) -> Result<Bytes, Refusal> {
        let mut room = BodyRoom::default();
        self.admit(bytes.len(), &mut room)?;
        Ok(Bytes::from_owner(Held { bytes, _room: room }))
    }

    /// The body of a request. Room is taken for what has arrived, not for what is announced.
    pub async fn read(&self, request: Request) -> Result<(Vec<u8>, BodyRoom), Refusal> {
        let length = request.headers().get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<usize>().ok());
        let Some(length) = length else {
            return Err(Refusal::new(StatusCode::LENGTH_REQUIRED, "say how long the body is: Content-Length"));
        };
        if length > LARGEST {
            let message = format!("a body of {length} bytes; at most {LARGEST} are taken");
            return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, message));
        }
        let slow = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not arrive in time");
        tokio::time::timeout(PATIENCE, self.arrival(request.into_body())).await.map_err(slow)?
    }

    async fn arrival(&self, body: Body) -> Result<(Vec<u8>, BodyRoom), Refusal> {
        let (mut bytes, mut room) = (Vec::new(), BodyRoom::default());
        let mut parts = body.into_data_stream();
        while let Some(part) = poll_fn(|context| Pin::new(&mut parts).poll_next(context)).await {
            bytes.extend_from_slice(&part.map_err(|_| Refusal::malformed("the body is cut short"))?);
            self.admit(bytes.len(), &mut room)?;
        }
        Ok((bytes, room))
    }

    /// Makes `room` large enough for so many bytes.
    fn admit(&self, bytes: usize, room: &mut BodyRoom) -> Result<(), Refusal> {
        let needed = bytes.saturating_sub(SMALL).div_ceil(1 << 10);
        let more = needed.saturating_sub(room.0.as_ref().map_or(0, OwnedSemaphorePermit::num_permits));
        if more == 0 {
            return Ok(());
        }
        let more = Arc::clone(&self.0).try_acquire_many_owned(more as u32).map_err(|_| Refusal::busy())?;
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
    fn small_bodies_always_have_room_and_large_ones_while_there_is_some() {
        let bodies = Bodies::new(ROOM_OF_REQUESTS);
        let large = || {
            let mut room = BodyRoom::default();
            bodies.admit(LARGEST / 2, &mut room)?;
            bodies.admit(LARGEST, &mut room)?;
            Ok::<BodyRoom, Refusal>(room)
        };
        let mut held = [0; 8].map(|_| large().ok());
        assert!(held.iter().all(Option::is_some));
        assert_eq!(large().err().map(|refusal| refusal.status), Some(StatusCode::SERVICE_UNAVAILABLE));
        assert!(bodies.admit(SMALL, &mut BodyRoom::default()).is_ok());
        held[0] = None;
        assert!(large().is_ok());
    }

    #[test]
    fn answers_hold_their_room_until_they_are_sent() {
        let answers = Bodies::new(100);
        let bytes = vec![b' '; SMALL + (60 << 10)];
        let held = answers.hold(bytes.clone()).unwrap();
        let on_its_way = held.slice(10..);
        assert_eq!(
            answers.hold(bytes.clone()).err().map(|refusal| refusal.status),
            Some(StatusCode::SERVICE_UNAVAILABLE)
        );
        assert_eq!(answers.hold(vec![0; SMALL]).unwrap().len(), SMALL);
        drop(held);
        assert!(answers.hold(bytes.clone()).is_err());
        drop(on_its_way);
        assert_eq!(answers.hold(bytes.clone()).unwrap(), bytes);
    }
}
