//! The session handshakes in progress, and their transcripts.

use crate::types::Container;
use grille_spdm_codec::Code;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::transcript::Th;
use std::collections::BTreeMap;

/// The handshakes in progress.
#[derive(Default)]
pub(super) struct Handshakes {
    pub(super) open: BTreeMap<SessionId, Handshake>,
    /// The last key-exchange handshake, if it continues in the clear.
    pub(super) clear: Option<SessionId>,
}

/// A handshake in progress.
pub(super) struct Handshake {
    /// The transcript TH; `None` if the capture lacks the responder's chain.
    pub(super) th: Option<Th>,
    /// The requester's last DIGESTS in the handshake; empty unless the requester has several keys.
    pub(super) requester_digests: Vec<u8>,
    /// Whether the responder requests the requester's chain.
    pub(super) requests_chain: bool,
}

impl Handshakes {
    /// Returns the session to whose handshake a message in the clear belongs; `None` if it belongs to no handshake.
    pub(super) fn session_in_clear(&self, code: Code, within: Container) -> Option<SessionId> {
        let id = self.clear?;
        let belongs = match code {
            Code::FINISH | Code::FINISH_RSP => true,
            // Encapsulated messages of the handshake.
            _ if within == Container::Message => self.open.get(&id)?.requests_chain,
            Code::GET_ENCAPSULATED_REQUEST
            | Code::ENCAPSULATED_REQUEST
            | Code::DELIVER_ENCAPSULATED_RESPONSE
            | Code::ENCAPSULATED_RESPONSE_ACK => self.open.get(&id)?.requests_chain,
            _ => false,
        };
        belongs.then_some(id)
    }

    /// Records the DIGESTS that the requester sent.
    pub(super) fn record_digests(&mut self, session: Option<SessionId>, digests: &[u8]) {
        if let Some(handshake) = session.and_then(|id| self.open.get_mut(&id)) {
            handshake.requester_digests = digests.to_vec();
        }
    }

    /// Ends a handshake.
    pub(super) fn end(&mut self, session: Option<SessionId>) {
        session.into_iter().for_each(|id| drop(self.open.remove(&id)));
        self.clear.take_if(|id| Some(*id) == session);
    }

    pub(super) fn th(&mut self, session: Option<SessionId>) -> Option<&mut Th> {
        self.open.get_mut(&session?)?.th.as_mut()
    }
}
