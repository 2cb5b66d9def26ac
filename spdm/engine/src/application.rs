//! What applications say in sessions, on the requester's side; on the responder's, `sealed.rs`. And what of it is told apart from SPDM.

use crate::config::Packet;
use crate::context::Context;
use crate::error::{Error, Usage};
use crate::messages::code_of;
use crate::requester::Requester;
use crate::session::{Content, SessionId};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_transport::binding::Kind;

impl Requester {
    /// A record of what an application says. On MCTP `data` begins with a message type, on TCP with a header of that transport's, and
    /// what is of SPDM's type is none of an application's. On PCI DOE and without a transport nothing in a record says what it is: all
    /// of it is SPDM, and applications speak in [`crate::operations::Vendor`].
    ///
    /// # Errors
    /// [`Error::Usage`] without such a session, while its keys are updated, or where `data` would be taken for a message of SPDM's;
    /// [`Error::Record`].
    pub fn seal_application(&mut self, session: SessionId, data: &[u8]) -> Result<Packet, Error> {
        let is_spdm = self.cx.takes_for_spdm(data);
        let cx = &mut self.cx;
        let open = cx.sessions.iter_mut().find(|open| open.id == session && !open.in_handshake());
        let open = open.ok_or(Usage::NoSession { session })?;
        if open.is_updating() {
            return Err(Usage::Updating { session }.into());
        }
        if is_spdm {
            return Err(Usage::TakenForSpdm.into());
        }
        Ok(Packet::Secured(open.seal_application(data, &mut *cx.rng)?))
    }

    /// What an application answered. A message of SPDM's is no such answer; ERROR ends what it ends after a request.
    ///
    /// # Errors
    /// [`Error::NoApplication`], [`Error::Usage`] without such a session, [`Error::Record`].
    pub fn open_application(&mut self, session: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        let message = match self.cx.content(session, record)? {
            Content::Application(mut data) => return Ok(core::mem::take(&mut *data)),
            Content::Spdm(message) => message,
        };
        let got = code_of(&message);
        let code = message.get(2).filter(|_| got == Code::ERROR).map(|&code| ErrorCode(code));
        if let Some(code) = code {
            self.heed(code, Some(session));
        }
        Err(Error::NoApplication { got, code })
    }
}

impl Context {
    /// Whether either side takes this, if it is in a record, for a message of SPDM's.
    pub(crate) fn takes_for_spdm(&self, data: &[u8]) -> bool {
        matches!(self.config.binding.decode_inside(data), Ok((Kind::Spdm, _)))
    }
}
