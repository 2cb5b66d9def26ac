//! What applications say in sessions, on the requester's side; on the responder's, `sealed.rs`.

use crate::config::Packet;
use crate::error::{Error, Usage};
use crate::requester::Requester;
use crate::session::{Content, SessionId};
use alloc::vec::Vec;

impl Requester {
    /// A record of what an application says; on MCTP `data` begins with a message type other than SPDM's.
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session or while its keys are updated, [`Error::Record`].
    pub fn seal_application(&mut self, session: SessionId, data: &[u8]) -> Result<Packet, Error> {
        let cx = &mut self.cx;
        let open = cx.sessions.iter_mut().find(|open| open.id == session && !open.in_handshake());
        let open = open.ok_or(Usage::NoSession { session })?;
        if open.is_updating() {
            return Err(Usage::Updating { session }.into());
        }
        Ok(Packet::Secured(open.seal_application(data, &mut *cx.rng)?))
    }

    /// What an application answered.
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session, [`Error::Record`].
    pub fn open_application(&mut self, session: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        match self.cx.content(session, record)? {
            Content::Spdm(mut data) | Content::Application(mut data) => Ok(core::mem::take(&mut *data)),
        }
    }
}
