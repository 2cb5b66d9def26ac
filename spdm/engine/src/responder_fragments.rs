//! The responder's answers to FRAGMENT_REQUEST and FRAGMENT_RSP_REQUEST, in [`crate::pqc2021`].

use crate::connection::Connection;
use crate::encode::write;
use crate::error::Refusal;
use crate::messages::message_code;
use crate::pqc2021::fragments::{IncomingFragments, OutgoingFragments, is_response_split};
use crate::responder::Responder;
use crate::session::SessionId;
use alloc::vec::Vec;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::pqc2021::fragment::{
    FragmentRequest, FragmentRequestAck, FragmentResponse, FragmentRspRequest, RESPONSE_ID,
};
use grille_spdm_codec::{Code, Sizes};

impl Responder {
    /// Answers FRAGMENT_REQUEST: acknowledges a fragment, or answers the whole request.
    pub(crate) fn fragment_request(&mut self, session: Option<SessionId>, request: &[u8]) -> Vec<u8> {
        match self.add_fragment(session, request) {
            Ok(response) => response,
            Err(refusal) => {
                self.fragments.request = None;
                self.refuse(request, refusal)
            }
        }
    }

    fn add_fragment(&mut self, session: Option<SessionId>, request: &[u8]) -> Result<Vec<u8>, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        self.cx.check_version(request)?;
        let (FragmentRequest { fragment }, _) = self.cx.read(request, &Sizes::default())?;
        self.fragments.response = None;
        if fragment.is_first {
            self.fragments.request = Some((session, IncomingFragments::new(session.is_some())));
        }
        let (place, incoming) = self.fragments.request.as_mut().ok_or(invalid)?;
        if *place != session {
            return Err(invalid);
        }
        let Some(whole) = incoming.add(&fragment)? else {
            let ack = FragmentRequestAck { id: fragment.id, sequence: fragment.sequence };
            return Ok(write(&ack, self.cx.connection.version(), &Sizes::default())?);
        };
        self.fragments.request = None;
        let clear = if session.is_none() { self.clear_handshake(&whole) } else { None };
        let response = self.respond_whole(session.or(clear), clear.is_some(), &whole, 0);
        self.finish_response(clear);
        Ok(response)
    }

    /// Answers FRAGMENT_RSP_REQUEST.
    pub(crate) fn fragment_rsp_request(&mut self, session: Option<SessionId>, request: &[u8]) -> Vec<u8> {
        let read = Connection::read::<FragmentRspRequest>(request, &Sizes::default(), self.cx.config.binding);
        let response = self.cx.check_version(request).and_then(|_| {
            let (wanted, _) = read?;
            let unexpected = Refusal::new(ErrorCode::UNEXPECTED_REQUEST);
            let (place, outgoing) = self.fragments.response.as_ref().ok_or(unexpected)?;
            let next = *place == session && wanted.sequence == outgoing.sequence();
            if next { self.next_fragment() } else { Err(Refusal::new(ErrorCode::INVALID_REQUEST)) }
        });
        response.unwrap_or_else(|refusal| self.refuse(request, refusal))
    }

    /// Encodes the next fragment of the response.
    fn next_fragment(&mut self) -> Result<Vec<u8>, Refusal> {
        let nothing = Refusal::new(ErrorCode::UNEXPECTED_REQUEST);
        let (_, outgoing) = self.fragments.response.as_mut().ok_or(nothing)?;
        let fragment = outgoing.take().ok_or(nothing)?;
        let response =
            write(&FragmentResponse { fragment }, self.cx.connection.version(), &Sizes::default())?;
        self.fragments.response.take_if(|(_, outgoing)| outgoing.is_over());
        Ok(response)
    }

    /// Returns the first fragment of a response that must be sent in fragments, and other responses as they are.
    pub(crate) fn split_response(
        &mut self,
        session: Option<SessionId>,
        request: Code,
        response: Vec<u8>,
    ) -> Vec<u8> {
        if !self.cx.connection.rules.fragments || !is_response_split(request, message_code(&response)) {
            return response;
        }
        let outgoing = OutgoingFragments::new(response, RESPONSE_ID, session.is_some());
        self.fragments.response = Some((session, outgoing));
        self.next_fragment().unwrap_or_else(|refusal| self.refuse(&[], refusal))
    }
}
