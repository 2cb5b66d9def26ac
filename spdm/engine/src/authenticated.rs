//! Who is at the other end of a session.

use crate::key_schedule::Origin;
use crate::responder::Responder;
use crate::session::{Mutual, Session, SessionId};
use grille_pki::PublicKey;

/// Who is at the requester's end of a session, as far as its handshake proved it. What they may do there is for the device to
/// say.
#[derive(Clone, Copy, Debug)]
pub enum Authenticated<'a> {
    /// Nobody who proved anything.
    Nobody,
    /// Whoever has the private key of this slot of the requester's, 0xFF for the one that is known beforehand.
    Key {
        /// The slot.
        slot: u8,
        /// Its public key: that of the chain that was believed when the handshake began.
        key: &'a PublicKey,
    },
    /// Whoever has the pre-shared key of this name.
    Psk {
        /// PSKHint.
        hint: &'a [u8],
    },
}

impl Session {
    /// The responder's: who is at the other end; before the handshake is over, who is to be.
    pub(crate) fn authenticated(&self) -> Authenticated<'_> {
        match (self.origin, self.mutual, &self.prover) {
            (Origin::Psk, ..) => Authenticated::Psk { hint: &self.psk_hint },
            (_, Mutual::Slot(slot), Some(key)) => Authenticated::Key { slot, key },
            _ => Authenticated::Nobody,
        }
    }
}

impl Responder {
    /// Who is at the other end of a session whose handshake is over; nothing of other sessions.
    #[must_use]
    pub fn authenticated(&self, session: SessionId) -> Option<Authenticated<'_>> {
        self.cx.session(session).filter(|open| !open.in_handshake()).map(Session::authenticated)
    }
}
