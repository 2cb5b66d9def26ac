//! The responder's answers to CHUNK_SEND and CHUNK_GET.

use crate::chunk::{ACK_HEADER_LEN, acknowledge};
use crate::connection::Connection;
use crate::message_buffer::MessageBuffer;
use crate::responder::Responder;
use crate::session::SessionId;
use alloc::vec::Vec;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::chunk::{ChunkGet, ChunkSend};

impl Responder {
    /// Answers CHUNK_GET.
    pub(crate) fn chunk_get(&mut self, session: Option<SessionId>, request: &[u8]) -> Vec<u8> {
        let read = Connection::read::<ChunkGet>(request, &Sizes::default(), self.cx.config.binding);
        let response = self.cx.check_chunk_request(session, request).and_then(|()| {
            let (wanted, _) = read?;
            self.chunks.get(&self.cx.connection, session, &wanted)
        });
        response.unwrap_or_else(|refusal| self.refuse(request, refusal))
    }

    /// Answers CHUNK_SEND.
    pub(crate) fn chunk_send(&mut self, session: Option<SessionId>, request: &[u8]) -> Vec<u8> {
        let read = Connection::read::<ChunkSend<'_>>(request, &Sizes::default(), self.cx.config.binding);
        let chunk = self.cx.check_chunk_request(session, request).and_then(|()| Ok(read?.0.chunk));
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(refusal) => return self.refuse(request, refusal),
        };
        let (early_error, response) = match self.chunks.send(&self.cx.connection, session, &chunk) {
            Ok(None) => (false, MessageBuffer::new(Vec::new(), false)),
            Ok(Some(whole)) => {
                let clear = if session.is_none() { self.clear_handshake(&whole) } else { None };
                let response = self.respond_whole(session.or(clear), clear.is_some(), &whole, ACK_HEADER_LEN);
                self.finish_response(clear);
                (false, MessageBuffer::new(response, session.is_some()))
            }
            Err(refusal) => (true, MessageBuffer::new(self.refuse(request, refusal), false)),
        };
        let ack = acknowledge(self.cx.connection.version(), &chunk, early_error, &response);
        ack.unwrap_or_else(|error| self.refuse(request, error.into()))
    }
}
