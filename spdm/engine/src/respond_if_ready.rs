//! RESPOND_IF_READY: the requester fetches a response whose signature was not ready at once.

use crate::connection::Connection;
use crate::error::Refusal;
use crate::reply::PendingReply;
use crate::responder::Responder;
use crate::session::SessionId;
use alloc::vec::Vec;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::error::{ErrorCode, NotReady};
use grille_spdm_codec::respond_if_ready::RespondIfReady;

/// RDTM. A deferred response is stored for up to 255 times its announced delay, longer than any requester waits.
const RDTM: u8 = 255;

impl Responder {
    /// Stores the pending reply until the requester fetches it, and refuses with ResponseNotReady. `exponent`:
    /// RDTExponent.
    pub(crate) fn defer(&mut self, work: PendingReply, exponent: u8) -> Refusal {
        self.token = self.token.wrapping_add(1);
        let request = work.row.code;
        let not_ready = NotReady { exponent, request, token: self.token, multiplier: RDTM };
        self.deferred = Some(work);
        Refusal::extended(ErrorCode::RESPONSE_NOT_READY, not_ready.to_bytes())
    }

    /// Answers RESPOND_IF_READY.
    pub(crate) fn respond_if_ready(
        &mut self,
        session: Option<SessionId>,
        request: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let connection = &self.cx.connection;
        if request.first() != Some(&connection.version().byte()) {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        let (again, _) =
            Connection::read::<RespondIfReady>(request, &Sizes::default(), self.cx.config.binding)?;
        let is_it = |work: &PendingReply| {
            work.row.code == again.request && self.token == again.token && work.session == session
        };
        match self.deferred.take() {
            None => Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST)),
            Some(work) if is_it(&work) => {
                let code = work.row.code;
                let version = self.cx.connection.version();
                self.seal(work).inspect_err(|refusal| {
                    self.update_after_error(code, refusal.for_version(version, code).code, session);
                })
            }
            Some(work) => {
                self.deferred = Some(work);
                Err(Refusal::new(ErrorCode::INVALID_REQUEST))
            }
        }
    }
}
