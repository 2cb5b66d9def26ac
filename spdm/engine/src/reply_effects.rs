//! Signs a reply, appends it to transcripts, and applies its effects to the connection and its sessions.

use crate::algorithms::HASH_KIND;
use crate::connection::ConnectionChange;
use crate::encapsulated_flow::EncapsulatedFlow;
use crate::error::Refusal;
use crate::hash::Digest;
use crate::key_schedule::Origin;
use crate::messages::Row;
use crate::meter::measure;
use crate::refused_request::RefusedRequest;
use crate::reply::PendingReply;
use crate::responder::Responder;
use crate::responder_request::ResponderRequest;
use crate::session::{AfterResponse, Effect, Mutual, Session, SessionId, SessionParams, policy};
use crate::transcript::{ReportedBlocks, TranscriptPart};
use alloc::{boxed::Box, vec::Vec};
use grille_pki::PublicKey;
use grille_spdm_codec::Code;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;

impl Responder {
    /// Signs the reply and appends it to transcripts. Only then are its effects applied.
    pub(crate) fn seal(&mut self, mut work: PendingReply) -> Result<Vec<u8>, Refusal> {
        if let Some(proof) = &work.reply.proof {
            let parts = [&work.request[..], &work.response];
            let covered = self.cx.signed_content(&self.transcript, work.session, &work.reply.effect, parts);
            let covered = covered.ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
            let cx = &mut self.cx;
            let signature = measure(cx.config.meter.as_ref(), proof.metered_operation(), || {
                proof.make(&cx.connection, &covered, &mut *cx.rng)
            });
            match signature? {
                Some(signature) => {
                    let len = work.response.len() + signature.len();
                    work.response.extend(&signature, len);
                }
                None => {
                    let exponent = proof.ready_exponent();
                    return Err(self.defer(work, exponent));
                }
            }
        }
        let verify_data = self.cx.verify_data_len(work.row.code, &work.reply.effect);
        self.check_response_len(work.reply.change, work.session, work.response.len() + verify_data)?;
        let requested_flow = self.start_mutual_auth(work.row)?;
        let PendingReply { row, session, request, response, reply } = work;
        let mut response = response.into_bytes();
        self.update_after_response(row.code, session);
        self.append_to_transcripts(
            row,
            session,
            [&request, &response],
            reply.proof.is_some(),
            reply.reported,
        );
        if row.transcript_part == TranscriptPart::C {
            self.set_flow(None, requested_flow);
        }
        self.apply_effect(session, &request, &mut response, reply.effect)?;
        if matches!(reply.change, ConnectionChange::Reset) {
            self.reset_connection();
        }
        self.cx.connection.apply(reply.change, &mut self.transcript);
        if matches!(reply.change, ConnectionChange::Unusable) {
            self.refused_request =
                RefusedRequest::from_refusal(row.code, &Refusal::missing_algorithm(HASH_KIND));
            self.no_common_hash = true;
        } else if row.transcript_part == TranscriptPart::Vca && row.code != Code::GET_VERSION {
            self.last_negotiation = Some((request.into_bytes(), response.clone()));
        }
        Ok(response)
    }

    /// Checks that the requester accepts a response of this length. For CAPABILITIES the limits in its request already apply.
    fn check_response_len(
        &mut self,
        change: ConnectionChange,
        session: Option<SessionId>,
        len: usize,
    ) -> Result<(), Refusal> {
        let ConnectionChange::Capable { .. } = change else {
            return self.cx.check_response_len(session, len);
        };
        let before = self.cx.connection.clone();
        self.cx.connection.apply(change, &mut self.transcript);
        let fits = self.cx.check_response_len(session, len);
        self.cx.connection = before;
        fits
    }

    /// Starts the encapsulated request flow that CHALLENGE_AUTH announces; `None` for other responses, or if it
    /// announces none.
    fn start_mutual_auth(&mut self, row: &Row) -> Result<Option<EncapsulatedFlow>, Refusal> {
        if row.transcript_part != TranscriptPart::C || !self.cx.requests_mutual_auth() {
            return Ok(None);
        }
        let flow = EncapsulatedFlow::new(&mut self.cx, None);
        flow.map(Some).map_err(|_| Refusal::new(ErrorCode::UNSPECIFIED))
    }

    fn append_to_transcripts(
        &mut self,
        row: &Row,
        session: Option<SessionId>,
        messages: [&[u8]; 2],
        signed: bool,
        reported: Option<ReportedBlocks>,
    ) {
        let multi_key = self.cx.own_sizes().multi_key;
        let mut measured = self.cx.measured_mut(session);
        self.transcript.append(measured.as_deref_mut(), messages, signed, multi_key);
        match row.transcript_part {
            TranscriptPart::C => self.is_requester_authenticated = false,
            TranscriptPart::L if !signed => {
                self.transcript.set_reported_blocks(measured, reported.unwrap_or_default());
            }
            _ => {}
        }
    }

    /// Applies the effect on sessions and appends ResponderVerifyData.
    fn apply_effect(
        &mut self,
        id: Option<SessionId>,
        request: &[u8],
        response: &mut Vec<u8>,
        effect: Effect,
    ) -> Result<(), Refusal> {
        if let Effect::Open(params) = effect {
            return self.open_session(request, response, *params);
        }
        let clear = self.cx.connection.is_handshake_in_clear();
        let Some(session) = id.and_then(|id| self.cx.session_mut(id)) else { return Ok(()) };
        match effect {
            Effect::Nothing | Effect::Open(_) | Effect::Bind(_) => {}
            Effect::Finish(th) => {
                let mut th = *th;
                th.push(response);
                if clear && session.origin == Origin::KeyExchange {
                    session.append_verify_data(&mut th, response);
                }
                session.th = th;
                session.after = AfterResponse::Establish;
            }
            Effect::Update(update) => session.apply_update(update),
            Effect::End { forget } => {
                session.after = AfterResponse::End;
                self.state_cleared |= forget;
            }
        }
        Ok(())
    }

    fn open_session(
        &mut self,
        request: &[u8],
        response: &mut Vec<u8>,
        params: SessionParams,
    ) -> Result<(), Refusal> {
        let unspecified = Refusal::new(ErrorCode::UNSPECIFIED);
        let connection = &self.cx.connection;
        let psk = params.origin == Origin::Psk;
        let opened = self.cx.derive_session(&self.transcript, params, [request, response]);
        let mut session = opened.ok_or(unspecified)?;
        let transfer_limit = psk && !connection.responder_has(Caps::PSK_WITH_CONTEXT);
        if psk || !connection.is_handshake_in_clear() {
            let mut th = session.th.clone();
            session.append_verify_data(&mut th, response);
            session.th = th;
        }
        let id = session.id;
        let mut flow = None;
        match session.mutual {
            Mutual::No => {}
            Mutual::Slot(slot) => {
                let (hash, key) = self.peer_proof(slot)?;
                session.bind(slot, hash.as_ref(), key);
            }
            Mutual::Pending => {
                flow = Some(EncapsulatedFlow::new(&mut self.cx, Some(id)).map_err(|_| unspecified)?);
            }
        }
        self.make_room()?;
        // nothing below can fail, so ERROR never leaves a session behind
        self.set_flow(Some(id), flow);
        self.cx.sessions.push(Box::new(session));
        if transfer_limit {
            self.establish(id);
        }
        Ok(())
    }

    /// At the session limit, removes the oldest session whose handshake is not complete. The check of the limit relies on this.
    fn make_room(&mut self) -> Result<(), Refusal> {
        let sessions = &mut self.cx.sessions;
        if sessions.len() >= self.cx.config.max_sessions {
            let half_open = sessions.iter().position(|session| session.is_in_handshake());
            sessions.remove(half_open.ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?);
            self.discard_pending();
        }
        Ok(())
    }

    /// Returns the hash of the requester's chain or public key, if TH contains one, and the key that must sign FINISH,
    /// if FINISH must be signed.
    fn peer_proof(&self, slot: u8) -> Result<(Option<Digest>, Option<PublicKey>), Refusal> {
        let unknown = |_| Refusal::new(ErrorCode::UNSPECIFIED);
        Ok((self.cx.peer_th_hash(slot).map_err(unknown)?, self.cx.prover_key(slot).map_err(unknown)?))
    }

    /// Binds the session to the requester's slot: TH continues with the hash of the slot's chain.
    pub(crate) fn bind(&mut self, session: SessionId, slot: u8) -> Result<(), Refusal> {
        let (hash, key) = self.peer_proof(slot)?;
        let session = self.cx.session_mut(session).ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
        session.bind(slot, hash.as_ref(), key);
        Ok(())
    }

    /// Applies the response's effect on its session, after the response was sealed.
    pub(crate) fn finish_response(&mut self, session: Option<SessionId>) {
        let Some(id) = session else { return };
        match self.cx.session_mut(id).map(|session| session.after) {
            Some(AfterResponse::Establish) => self.establish(id),
            Some(AfterResponse::End) => self.end_sessions(|session| session.id == id),
            Some(AfterResponse::Unsubscribe) => {
                let about = (Some(id), true);
                self.queue.retain(|(place, queued)| {
                    (*place, matches!(queued, ResponderRequest::Events(_))) != about
                });
            }
            Some(AfterResponse::Nothing) | None => {}
        }
    }

    /// Ends the sessions for which `over` returns true.
    pub(crate) fn end_sessions(&mut self, over: impl FnMut(&mut Session) -> bool) {
        self.cx.end_sessions(over);
        self.discard_pending();
    }

    /// Discards deferred work, chunks and queued requests of sessions that have ended.
    fn discard_pending(&mut self) {
        let sessions = &self.cx.sessions;
        let over = |place: Option<SessionId>| {
            place.is_some_and(|id| sessions.iter().all(|session| session.id != id))
        };
        self.flows.retain(|place, _| !over(*place));
        self.deferred.take_if(|work| over(work.session));
        self.chunks.drop_if(over);
        self.fragments.drop_if(over);
        self.queue.retain(|(place, _)| !over(*place));
    }

    /// Completes the handshake.
    fn establish(&mut self, id: SessionId) {
        let device = &mut self.cx.device;
        let Some(session) = self.cx.sessions.iter_mut().find(|session| session.id == id) else { return };
        session.establish();
        device.session_opened(id, &session.authenticated());
        session.subscribed = session.policy & policy::ALL_EVENTS != 0;
        if session.subscribed {
            device.subscribe_all(id);
        }
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::config::Config;
    use crate::device::EmptyDevice;
    use crate::identity::Identity;
    use crate::messages;
    use crate::reply::Reply;
    use crate::responder_request::ResponderRequest;
    use alloc::vec;
    use grille_spdm_codec::Version;
    use grille_spdm_codec::chunk::Chunk;

    /// The pending work is a response that waits for its signature, the first chunk of a request, and a queued request.
    #[test]
    fn discards_pending_work_of_ended_sessions() {
        for (place, left) in [(None, true), (Some(7), false)] {
            let mut responder = Responder::new(Config::default(), Identity::default(), Box::new(EmptyDevice));
            let row = messages::row(Code::GET_MEASUREMENTS).unwrap();
            responder.deferred = Some(PendingReply::new(row, place, &[1], Reply::plain(vec![2], 1)));
            responder.queue.push_back((place, ResponderRequest::UpdateKey));
            let connection = &mut responder.cx.connection;
            (connection.rules, connection.responder.max_message_size) = (Version::V1_4.into(), 100);
            let chunk = Chunk { handle: 1, large_size: 100, data: &[9; 40], ..Chunk::default() };
            responder.chunks.send(&responder.cx.connection, place, &chunk).unwrap();
            assert!(responder.chunks.is_active());
            responder.end_sessions(|_| true);
            let waits =
                [responder.deferred.is_some(), !responder.queue.is_empty(), responder.chunks.is_active()];
            assert_eq!(waits, [left; 3]);
        }
    }
}
