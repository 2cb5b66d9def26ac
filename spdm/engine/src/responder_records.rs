//! Records of sessions: the responder opens a record and answers with a record.

use crate::config::Packet;
use crate::context::Context;
use crate::error::Refusal;
use crate::records::{self, RecordError};
use crate::responder::Responder;
use crate::session::{Content, Session, SessionId};
use alloc::vec::Vec;
use grille_spdm_codec::error::ErrorCode;
use zeroize::{Zeroize, Zeroizing};

impl Responder {
    /// Answers a record.
    pub(crate) fn receive_record(&mut self, record: &[u8]) -> Packet {
        let known = |id: &SessionId| self.cx.sessions.iter().any(|session| session.id == *id);
        let Some(id) = records::session_id(record).filter(known) else {
            // without a session there is no key to protect the answer
            let lost = self.lost_version.map_or(ErrorCode::INVALID_REQUEST, |_| ErrorCode::REQUEST_RESYNCH);
            return Packet::Message(self.refuse(&[], Refusal::new(lost)));
        };
        if let Some(answer) = self.cx.session(id).and_then(|session| session.answer_to(record)) {
            return Packet::Secured(answer);
        }
        let content = match self.cx.session_mut(id).map(|open| open.unseal(record)) {
            Some(Ok(content)) => content,
            Some(Err(RecordError::Exhausted)) => return self.end_with_error(id),
            Some(Err(RecordError::Inside)) => return self.answer_malformed_record(id, record),
            // the sender may not have the session's keys; the sequence number does not advance
            _ => return Packet::Message(self.refuse(&[], Refusal::new(ErrorCode::DECRYPT_ERROR))),
        };
        let (spdm, answer) = self.answer_content(id, content);
        let sealed = self.seal_answer(id, record, spdm, &Zeroizing::new(answer));
        self.finish_response(Some(id));
        match sealed {
            Some(Ok(record)) => Packet::Secured(record),
            _ => self.end_with_error(id),
        }
    }

    /// Answers a record whose tag is valid, but whose contents are shorter than ApplicationDataLength says, so that it cannot be
    /// decrypted (DSP0277). The answer is DecryptError under the current key.
    ///
    /// DSP0274 "Session" requires this to end the session on both sides, in the handshake and in the application phase.
    /// DMTF's libspdm does the same. By contrast, a malformed request inside a valid record is answered with
    /// InvalidRequest, and the session continues.
    fn answer_malformed_record(&mut self, id: SessionId, record: &[u8]) -> Packet {
        let answer = self.refuse(&[], Refusal::new(ErrorCode::DECRYPT_ERROR));
        let sealed = self.seal_answer(id, record, true, &answer);
        self.end_sessions(|session| session.id == id);
        match sealed {
            Some(Ok(record)) => Packet::Secured(record),
            _ => Packet::Message(answer),
        }
    }

    /// Ends a session because a key reached its limit, or because an answer does not fit a record.
    fn end_with_error(&mut self, id: SessionId) -> Packet {
        self.end_sessions(|session| session.id == id);
        Packet::Message(self.refuse(&[], Refusal::new(ErrorCode::UNSPECIFIED)))
    }

    /// Answers the contents of a record. Returns whether the answer is an SPDM message.
    fn answer_content(&mut self, id: SessionId, content: Content) -> (bool, Vec<u8>) {
        match content {
            Content::Spdm(request) => (true, self.respond(Some(id), false, &request)),
            Content::Application(data) if self.cx.session(id).is_some_and(Session::takes_applications) => {
                let mut answer = self.cx.device.application(id, &data).unwrap_or_default();
                if self.cx.is_spdm(&answer) {
                    answer.zeroize();
                }
                (false, answer)
            }
            // Application data in a handshake is out of order, like a premature request.
            Content::Application(_) => (true, self.refuse(&[], Refusal::new(ErrorCode::UNEXPECTED_REQUEST))),
        }
    }

    /// Seals an answer in a record. Stores the sealed answer in case the requester retransmits `record`, which
    /// contained the request.
    fn seal_answer(
        &mut self,
        id: SessionId,
        record: &[u8],
        spdm: bool,
        answer: &[u8],
    ) -> Option<Result<Vec<u8>, RecordError>> {
        let Context { sessions, rng, .. } = &mut self.cx;
        let session = sessions.iter_mut().find(|session| session.id == id)?;
        let rng = &mut **rng;
        let sealed = if spdm { session.seal(answer, rng) } else { session.seal_application(answer, rng) };
        if let Ok(sealed) = &sealed {
            session.store_answer(record, sealed);
        }
        Some(sealed)
    }
}
