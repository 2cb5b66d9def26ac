//! The authenticated identity of a session's requester.

use crate::key_schedule::Origin;
use crate::session::{Mutual, Session};
use grille_pki::PublicKey;

/// The requester's identity, as far as the handshake authenticated it. Authorisation is up to the device.
#[derive(Clone, Copy, Debug)]
pub enum RequesterIdentity<'a> {
    /// An unauthenticated requester.
    Anonymous,
    /// A requester that proved possession of a private key.
    Key {
        /// The requester's slot; 0xFF for the provisioned public key.
        slot: u8,
        /// The slot's public key, from the chain that was trusted when the handshake began.
        key: &'a PublicKey,
    },
    /// A requester that proved possession of its long-term KEM key, in [`crate::pqc2021`].
    Kem {
        /// The requester's slot, which is 0xFF.
        slot: u8,
    },
    /// A requester with a pre-shared key.
    Psk {
        /// PSKHint, the name of the key.
        hint: &'a [u8],
    },
}

impl Session {
    /// Returns the requester's identity, on the responder's side. Before the handshake is complete, this is the
    /// identity that the requester still has to prove.
    pub(crate) fn authenticated(&self) -> RequesterIdentity<'_> {
        match (self.origin, self.mutual, &self.prover) {
            (Origin::Psk, ..) => RequesterIdentity::Psk { hint: &self.psk_hint },
            (_, Mutual::Slot(slot), Some(key)) => RequesterIdentity::Key { slot, key },
            (_, Mutual::Slot(slot), None) => RequesterIdentity::Kem { slot },
            _ => RequesterIdentity::Anonymous,
        }
    }
}
