//! Application data in sessions, on the requester's side. For the responder's side see `responder_records.rs`.

use crate::config::Packet;
use crate::context::Context;
use crate::error::{Error, Usage};
use crate::messages::message_code;
use crate::requester::Requester;
use crate::session::{Content, SessionId};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_transport::binding::Kind;

impl Requester {
    /// Protects application data in a record. On MCTP `data` starts with a message type, on TCP with that transport's
    /// header; the type must not be SPDM's. On PCI DOE, and without a transport, records carry no type, so every record
    /// contains an SPDM message. In both cases, applications use [`crate::operations::VendorRequest`] instead.
    ///
    /// # Errors
    /// Returns [`Error::Usage`] if there is no established session with this ID, if its keys are being updated, or if
    /// the peer would take `data` for an SPDM message. Returns [`Error::Record`] if the record cannot be sealed.
    pub fn seal_application(&mut self, session: SessionId, data: &[u8]) -> Result<Packet, Error> {
        let is_spdm = self.cx.is_spdm(data);
        let cx = &mut self.cx;
        let open = cx.sessions.iter_mut().find(|open| open.id == session && !open.is_in_handshake());
        let open = open.ok_or(Usage::NoSession { session })?;
        if open.is_updating() {
            return Err(Usage::Updating { session }.into());
        }
        if is_spdm {
            return Err(Usage::LooksLikeSpdm.into());
        }
        Ok(Packet::Secured(open.seal_application(data, &mut *cx.rng)?))
    }

    /// Opens a record that contains an application's answer. An SPDM message in the record is an error. If that message
    /// is ERROR, it affects the session as if it answered a request.
    ///
    /// # Errors
    /// Returns [`Error::NoApplication`] for an SPDM message, [`Error::Usage`] if there is no session with this ID, and
    /// [`Error::Record`] if the record cannot be opened.
    pub fn open_application(&mut self, session: SessionId, record: &[u8]) -> Result<Vec<u8>, Error> {
        let message = match self.cx.open_record(session, record)? {
            Content::Application(mut data) => return Ok(core::mem::take(&mut *data)),
            Content::Spdm(message) => message,
        };
        let got = message_code(&message);
        let code = message.get(2).filter(|_| got == Code::ERROR).map(|&code| ErrorCode(code));
        if let Some(code) = code {
            self.apply_error(code, Some(session));
        }
        Err(Error::NoApplication { got, code })
    }
}

impl Context {
    /// Returns whether a peer takes `data` in a record for an SPDM message.
    pub(crate) fn is_spdm(&self, data: &[u8]) -> bool {
        matches!(self.config.binding.decode_plaintext(data), Ok((Kind::Spdm, _)))
    }
}
