//! Session establishment from KEY_EXCHANGE to FINISH_RSP.

use crate::context::Context;
use crate::encapsulated_requester::EncapsulatedRequester;
use crate::error::Error;
use crate::finish;
use crate::key_exchange::PendingKeyExchange;
use crate::message_buffer::MessageBuffer;
use crate::operation::{Operation, Parsed, Request};
use crate::session::{Effect, SessionId};
use alloc::vec::Vec;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::digests::GetDigests;

/// Opens a session with an ephemeral key exchange.
pub struct OpenSession {
    key_exchange: PendingKeyExchange,
    session: Option<SessionId>,
    encapsulated: Option<EncapsulatedRequester>,
}

impl OpenSession {
    /// Opens a session in which the responder proves possession of the key of `slot`: 0 to 7, or 0xFF for the provisioned public
    /// key.
    #[must_use]
    pub const fn new(slot: u8) -> Self {
        Self { key_exchange: PendingKeyExchange::new(slot, 0, 0), session: None, encapsulated: None }
    }

    /// Requests MeasurementSummaryHash: 1 for the trusted computing base, 0xFF for all measurements.
    #[must_use]
    pub const fn with_summary(mut self, summary_type: u8) -> Self {
        self.key_exchange.summary_type = summary_type;
        self
    }

    /// Sets SessionPolicy, bits of [`crate::session::policy`].
    #[must_use]
    pub const fn with_policy(mut self, policy: u8) -> Self {
        self.key_exchange.policy = policy;
        self
    }
}

impl Operation for OpenSession {
    type Output = SessionId;

    fn opened_session(&self) -> Option<SessionId> {
        self.session
    }

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        match (self.session, &mut self.encapsulated) {
            (None, _) => self.key_exchange.next_request(cx),
            (Some(_), Some(encapsulated)) => encapsulated.next_request(cx),
            (Some(session), None) => finish::encode_request(cx, session),
        }
    }

    fn parse(&mut self, cx: &mut Context, sent: &[u8], response: &[u8]) -> Result<Parsed<SessionId>, Error> {
        let Some(session) = self.session else {
            let (session, taken) = self.key_exchange.parse(cx, sent, response)?;
            self.session = Some(session);
            let implicit = self.key_exchange.implicit;
            self.encapsulated =
                self.key_exchange.pending.then(|| EncapsulatedRequester::new(Some(session), implicit));
            let implied = if implicit { cx.write(&GetDigests, &Sizes::default())? } else { Vec::new() };
            return Ok(Parsed { encapsulated: MessageBuffer::new(implied, false), ..taken });
        };
        let Some(encapsulated) = &mut self.encapsulated else {
            return finish::parse_response(cx, session, sent, response, session);
        };
        let (Parsed { len, output, .. }, next) = encapsulated.parse(cx, response)?;
        let effect = match output {
            Some(slot) => {
                self.encapsulated = None;
                Effect::Bind(slot)
            }
            None => Effect::Nothing,
        };
        Ok(Parsed { encapsulated: next, effect, ..Parsed::plain(len, None) })
    }
}
