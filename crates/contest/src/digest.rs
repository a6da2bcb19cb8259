//! What identifies an entrant's play.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use super::loading::Entrant;

/// The length of a digest, in bytes.
const BYTES: usize = 32;

/// A SHA-256 of an entrant's plan and bid. Nobody can make another plan with the same digest, so
/// entrants with equal digests play alike. It is written in 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntrantDigest([u8; BYTES]);

impl Entrant {
    /// Digests the entrant's plan and bid.
    pub fn digest(&self) -> EntrantDigest {
        let mut digest = Sha256::new();
        digest.update([u8::from(self.bid.is_some())]);
        digest.update(self.bid.unwrap_or(0).to_le_bytes());
        digest.update((self.plan.states_per_action() as u64).to_le_bytes());
        digest.update(self.plan.actions());
        EntrantDigest(digest.finalize().into())
    }
}

impl fmt::Display for EntrantDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for EntrantDigest {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let (pairs, remaining) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != BYTES || !remaining.is_empty() {
            return Err(());
        }
        let mut bytes = [0; BYTES];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = digit(*high)? << 4 | digit(*low)?;
        }
        Ok(Self(bytes))
    }
}

fn digit(byte: u8) -> Result<u8, ()> {
    char::from(byte).to_digit(16).map(|digit| digit as u8).ok_or(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Plan;

    fn digest(actions: &[u8], bid: Option<i64>) -> EntrantDigest {
        Entrant { bid, ..Entrant::new("a", Plan::from_actions(actions.to_vec())) }.digest()
    }

    #[test]
    fn any_other_action_or_bid_gives_another_digest() {
        let own = digest(&[1, 2], Some(0));
        assert_eq!(
            own,
            Entrant {
                name: "b".into(),
                bid: Some(0),
                ..Entrant::new("a", Plan::from_actions(vec![1, 2]))
            }
            .digest()
        );
        for other in [
            digest(&[1, 3], Some(0)),
            digest(&[2, 1], Some(0)),
            digest(&[1, 2], None),
            digest(&[1, 2], Some(1)),
        ] {
            assert_ne!(own, other);
        }
    }

    #[test]
    fn digests_are_read_back_and_nothing_else_is_one() {
        let own = digest(&[1, 2], Some(-1));
        let text = own.to_string();
        assert_eq!((text.len(), text.parse()), (64, Ok(own)));
        for wrong in [
            "",
            &text[1..],
            &format!("{text}0"),
            &format!("{text}00"),
            &text.replace(&text[..1], "x"),
            &"é".repeat(32),
        ] {
            assert_eq!(wrong.parse::<EntrantDigest>(), Err(()), "{wrong}");
        }
    }
}
