//! Session establishment from KEY_EXCHANGE to FINISH_RSP.

use crate::context::Context;
use crate::encapsulated_requester::EncapsulatedRequester;
use crate::error::Error;
use crate::finish;
use crate::flight::{Ask, Operation, Taken};
use crate::key_exchange::Exchanging;
use crate::message_buffer::MessageBuffer;
use crate::session::{Effect, SessionId};
use alloc::vec::Vec;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::digests::GetDigests;

/// Opens a session with an ephemeral key exchange.
pub struct OpenSession {
    exchanging: Exchanging,
    session: Option<SessionId>,
    encapsulated: Option<EncapsulatedRequester>,
}

impl OpenSession {
    /// Opens a session in which the responder proves possession of the key of `slot`: 0 to 7, or 0xFF for the provisioned public
    /// key.
    #[must_use]
    pub const fn new(slot: u8) -> Self {
        Self { exchanging: Exchanging::new(slot, 0, 0), session: None, encapsulated: None }
    }

    /// Requests MeasurementSummaryHash: 1 for the trusted computing base, 0xFF for all measurements.
    #[must_use]
    pub const fn with_summary(mut self, summary_type: u8) -> Self {
        self.exchanging.summary_type = summary_type;
        self
    }

    /// Sets SessionPolicy, bits of [`crate::session::policy`].
    #[must_use]
    pub const fn with_policy(mut self, policy: u8) -> Self {
        self.exchanging.policy = policy;
        self
    }
}

impl Operation for OpenSession {
    type Output = SessionId;

    fn opening(&self) -> Option<SessionId> {
        self.session
    }

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        match (self.session, &mut self.encapsulated) {
            (None, _) => self.exchanging.ask(cx),
            (Some(_), Some(encapsulated)) => encapsulated.ask(cx),
            (Some(session), None) => finish::ask(cx, session),
        }
    }

    fn take(&mut self, cx: &mut Context, asked: &[u8], response: &[u8]) -> Result<Taken<SessionId>, Error> {
        let Some(session) = self.session else {
            let (session, taken) = self.exchanging.take(cx, asked, response)?;
            self.session = Some(session);
            let implicit = self.exchanging.implicit;
            self.encapsulated =
                self.exchanging.pending.then(|| EncapsulatedRequester::new(Some(session), implicit));
            let asked = if implicit { cx.write(&GetDigests, &Sizes::default())? } else { Vec::new() };
            return Ok(Taken { asked: MessageBuffer::new(asked, false), ..taken });
        };
        let Some(encapsulated) = &mut self.encapsulated else {
            return finish::take(cx, session, asked, response, session);
        };
        let (Taken { len, output, .. }, asked) = encapsulated.take(cx, response)?;
        let effect = match output {
            Some(slot) => {
                self.encapsulated = None;
                Effect::Bind(slot)
            }
            None => Effect::Nothing,
        };
        Ok(Taken { asked, effect, ..Taken::plain(len, None) })
    }
}
