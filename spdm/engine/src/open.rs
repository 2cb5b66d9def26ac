//! A session from KEY_EXCHANGE to FINISH_RSP.

use crate::error::Error;
use crate::finish;
use crate::flight::{Ask, Operation, Taken};
use crate::key_exchange::Exchanging;
use crate::requester::Context;
use crate::session::SessionId;

/// Opens a session with an ephemeral key exchange.
pub struct OpenSession {
    exchanging: Exchanging,
    session: Option<SessionId>,
}

impl OpenSession {
    /// The responder proves that it owns the key of `slot`: 0 to 7, or 0xFF for the public key known beforehand.
    #[must_use]
    pub const fn new(slot: u8) -> Self {
        Self { exchanging: Exchanging::new(slot, 0, 0), session: None }
    }

    /// With MeasurementSummaryHash: 1 for the trusted computing base, 0xFF for all.
    #[must_use]
    pub const fn with_summary(mut self, summary_type: u8) -> Self {
        self.exchanging.summary_type = summary_type;
        self
    }

    /// With a SessionPolicy (1.2): bit 0, the session ends when firmware is updated at run time.
    #[must_use]
    pub const fn with_policy(mut self, policy: u8) -> Self {
        self.exchanging.policy = policy;
        self
    }
}

impl Operation for OpenSession {
    type Output = SessionId;

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        match self.session {
            None => self.exchanging.ask(cx),
            Some(session) => finish::ask(cx, session),
        }
    }

    fn take(&mut self, cx: &mut Context, asked: &[u8], response: &[u8]) -> Result<Taken<SessionId>, Error> {
        if let Some(session) = self.session {
            return finish::take(cx, session, asked, response, session);
        }
        let (session, taken) = self.exchanging.take(cx, asked, response)?;
        self.session = Some(session);
        Ok(taken)
    }
}
