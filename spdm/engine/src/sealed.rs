//! A record in, a record out: what comes to the responder in a session.

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
    /// The answer to a record.
    pub(crate) fn receive_record(&mut self, record: &[u8]) -> Packet {
        let known = |id: &SessionId| self.cx.sessions.iter().any(|session| session.id == *id);
        let Some(id) = records::session_id(record).filter(known) else {
            // no key to protect the answer with
            let lost = self.spoken_before.map_or(ErrorCode::INVALID_REQUEST, |_| ErrorCode::REQUEST_RESYNCH);
            return Packet::Message(self.refuse(&[], Refusal::new(lost)));
        };
        if let Some(answer) = self.cx.session(id).and_then(|session| session.answer_to(record)) {
            return Packet::Secured(answer);
        }
        let content = match self.cx.session_mut(id).map(|open| open.unseal(record)) {
            Some(Ok(content)) => content,
            Some(Err(RecordError::Exhausted)) => return self.end_of(id),
            Some(Err(RecordError::Inside)) => return self.misunderstood(id, record),
            // whoever sent it may not have the session's keys, and costs it no sequence number
            _ => return Packet::Message(self.refuse(&[], Refusal::new(ErrorCode::DECRYPT_ERROR))),
        };
        let (spdm, answer) = self.answer_content(id, content);
        let sealed = self.seal_answer(id, record, spdm, &Zeroizing::new(answer));
        self.settle(Some(id));
        match sealed {
            Some(Ok(record)) => Packet::Secured(record),
            _ => self.end_of(id),
        }
    }

    /// The record has the right tag, and less inside than its ApplicationDataLength says, so that it is not decrypted into anything
    /// (DSP0277): DecryptError, under the key that both still have. DSP0274 "Session" has that end the session on both sides, in the
    /// handshake and in the application phase. DMTF's libspdm does the same. A request that is malformed is another matter: it is
    /// answered with InvalidRequest, and the session goes on.
    fn misunderstood(&mut self, id: SessionId, record: &[u8]) -> Packet {
        let answer = self.refuse(&[], Refusal::new(ErrorCode::DECRYPT_ERROR));
        let sealed = self.seal_answer(id, record, true, &answer);
        self.end_sessions(|session| session.id == id);
        match sealed {
            Some(Ok(record)) => Packet::Secured(record),
            _ => Packet::Message(answer),
        }
    }

    /// A key of the session is used up, or an answer does not fit a record.
    fn end_of(&mut self, id: SessionId) -> Packet {
        self.end_sessions(|session| session.id == id);
        Packet::Message(self.refuse(&[], Refusal::new(ErrorCode::UNSPECIFIED)))
    }

    /// The answer to what was in a record, and whether that is a message of SPDM.
    fn answer_content(&mut self, id: SessionId, content: Content) -> (bool, Vec<u8>) {
        match content {
            Content::Spdm(request) => (true, self.respond(Some(id), false, &request)),
            Content::Application(data) if self.cx.session(id).is_some_and(Session::takes_applications) => {
                let mut answer = self.cx.device.application(id, &data).unwrap_or_default();
                if self.cx.takes_for_spdm(&answer) {
                    answer.zeroize();
                }
                (false, answer)
            }
            // as requests that come too early
            Content::Application(_) => (true, self.refuse(&[], Refusal::new(ErrorCode::UNEXPECTED_REQUEST))),
        }
    }

    /// The record of an answer. `record`: what it answers, which may come again.
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
            session.keep_answer(record, sealed);
        }
        Some(sealed)
    }
}
