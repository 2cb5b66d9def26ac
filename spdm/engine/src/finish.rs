//! FINISH and FINISH_RSP: confirm that both sides have the same keys and transcripts.

use crate::auth_failure::AuthFailure;
use crate::config::Role;
use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::identity::usage;
use crate::key_schedule::Origin;
use crate::operation::{Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::session::{Effect, Mutual, Session, SessionId};
use crate::signatures::FINISH;
use crate::transcript::Th;
use alloc::{boxed::Box, vec::Vec};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::finish::{Finish, FinishRsp};
use grille_spdm_codec::{Code, Sizes};
use subtle::ConstantTimeEq;

/// Answers FINISH. OpaqueData (1.4) is part of TH and must have the selected format. No contents are defined for it.
pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let session = incoming.handshake_session(cx, Origin::KeyExchange)?;
    let sizes =
        Sizes { hash: cx.connection.hash_len(), signature: cx.peer_proof_len(FINISH), ..Sizes::default() };
    let (request, taken): (Finish<'_>, _) = cx.read(incoming.bytes, &sizes)?;
    cx.check_opaque(request.opaque)?;
    let mut th = session.th.clone();
    match session.mutual {
        // SlotID is reserved in unsigned requests
        Mutual::No if !request.signed => {}
        Mutual::Slot(slot) if request.signed && request.req_slot == slot => {
            let end = taken - request.verify_data.len();
            let (body, signature) = incoming.bytes[..end].split_at(end - request.signature.len());
            let mut signed = th.clone();
            signed.push(body);
            let wrong = Refusal::new(ErrorCode::DECRYPT_ERROR);
            let key = session.prover.as_ref();
            let verified = cx.verify_with(Code::FINISH, key, FINISH, &signed.covered(), signature);
            if verified.is_err() {
                cx.auth_failure = Some(AuthFailure::Finish);
                return Err(wrong);
            }
        }
        Mutual::No => return Err(invalid),
        Mutual::Slot(_) | Mutual::Pending => {
            return Err(cx.auth_failed(AuthFailure::Finish, ErrorCode::INVALID_REQUEST));
        }
    }
    check(session, &mut th, &incoming.bytes[..taken], request.verify_data)?;
    let body = cx.respond(&FinishRsp::default())?;
    Ok(Reply { effect: Effect::Finish(Box::new(th)), ..Reply::plain(body, taken) })
}

/// Verifies RequesterVerifyData at the end of `request` and appends the request to `th`. An error ends the session.
pub(crate) fn check(
    session: &Session,
    th: &mut Th,
    request: &[u8],
    verify_data: &[u8],
) -> Result<(), Refusal> {
    let wrong = Refusal::new(ErrorCode::DECRYPT_ERROR);
    let (signed, _) = request.split_at(request.len() - verify_data.len());
    th.push(signed);
    let expected = session.verify_data(Role::Requester, th).ok_or(wrong)?;
    if !bool::from(expected.as_ref().ct_eq(verify_data)) {
        return Err(wrong);
    }
    th.push(verify_data);
    Ok(())
}

/// Encodes FINISH for this session.
pub(crate) fn encode_request(cx: &mut Context, id: SessionId) -> Result<Request, Error> {
    let session = cx.session(id).ok_or(Usage::NoSession { session: id })?;
    let bytes = match session.mutual {
        Mutual::Slot(slot) => {
            let th = session.th.clone();
            encode_signed(cx, th, slot)?
        }
        Mutual::No | Mutual::Pending => cx.write(&Finish::default(), &Sizes::default())?,
    };
    let session = cx.session(id).ok_or(Usage::NoSession { session: id })?;
    let bytes = with_verify_data(session, bytes, id)?;
    let clear = cx.connection.is_handshake_in_clear();
    Ok(if clear { Request::in_the_clear(id, bytes) } else { Request::in_session(id, bytes) })
}

/// Encodes FINISH with the requester's signature at its end.
fn encode_signed(cx: &mut Context, mut th: Th, slot: u8) -> Result<Vec<u8>, Error> {
    let finish = Finish { signed: true, req_slot: slot, ..Finish::default() };
    let mut bytes = cx.write(&finish, &Sizes::default())?;
    th.push(&bytes);
    let proof = cx.proof(slot, usage::KEY_EX, FINISH, None).map_err(|_| Usage::NoKey)?;
    let signature = proof.make(&cx.connection, &th.covered(), &mut *cx.rng).map_err(Error::Key)?;
    let exponent = proof.ready_exponent();
    bytes.extend_from_slice(&signature.ok_or(Usage::KeyNotReady { exponent })?);
    Ok(bytes)
}

/// Appends RequesterVerifyData to FINISH or PSK_FINISH.
pub(crate) fn with_verify_data(
    session: &Session,
    mut bytes: Vec<u8>,
    id: SessionId,
) -> Result<Vec<u8>, Error> {
    let mut th = session.th.clone();
    th.push(&bytes);
    let mac = session.verify_data(Role::Requester, &th).ok_or(Usage::NoSession { session: id })?;
    bytes.extend_from_slice(mac.as_ref());
    Ok(bytes)
}

/// Parses FINISH_RSP.
pub(crate) fn parse_response<T>(
    cx: &Context,
    id: SessionId,
    sent: &[u8],
    response: &[u8],
    output: T,
) -> Result<Parsed<T>, Error> {
    let clear = cx.connection.is_handshake_in_clear();
    let verify_data = if clear { cx.connection.hash_len() } else { 0 };
    let sizes = Sizes { verify_data, ..Sizes::default() };
    let (message, len): (FinishRsp<'_>, _) = cx.read_response(Code::FINISH, response, &sizes)?;
    cx.check_peer_opaque(Code::FINISH, message.opaque)?;
    let mut th = cx.session(id).ok_or(Usage::NoSession { session: id })?.th.clone();
    th.push(sent);
    Ok(Parsed { effect: Effect::Finish(Box::new(th)), ..Parsed::plain(len, Some(output)) })
}
