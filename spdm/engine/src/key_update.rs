//! KEY_UPDATE and KEY_UPDATE_ACK: replace the keys of one or both directions, and verify the new ones.

use crate::context::Context;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::session::{Effect, SessionId};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_update::{KeyOperation, KeyUpdate, KeyUpdateAck};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (KeyUpdate, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let session = incoming.session.and_then(|id| cx.session(id));
    let session = session.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))?;
    let new = is_new(request, session.updated, session.peer_uses_newest_key())?;
    let effect = if new { Effect::Update(request) } else { Effect::Nothing };
    Ok(Reply { effect, ..acknowledge(cx, request, taken)? })
}

/// Answers the responder's encapsulated KEY_UPDATE. UpdateKey replaces the key of the responder's direction; UpdateAllKeys is not
/// allowed.
pub(crate) fn respond_encapsulated(
    cx: &mut Context,
    incoming: &IncomingRequest<'_>,
) -> Result<Reply, Refusal> {
    let (request, taken): (KeyUpdate, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let session = incoming.session.and_then(|id| cx.session_mut(id)).filter(|open| !open.is_in_handshake());
    let session = session.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))?;
    if request.operation == KeyOperation::UPDATE_ALL_KEYS {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    if is_new(request, session.acknowledged, session.peer_uses_newest_key())? {
        session.acknowledge_update(request);
    }
    acknowledge(cx, request, taken)
}

/// Returns whether KEY_UPDATE is a new request, rather than a repetition after a lost acknowledgement. The first update
/// is allowed at once, each further one after VerifyNewKey. VerifyNewKey is allowed once the peer has used its newest
/// key, which `peer_uses_newest_key` states. Other requests are refused.
fn is_new(request: KeyUpdate, last: Option<KeyUpdate>, peer_uses_newest_key: bool) -> Result<bool, Refusal> {
    let verified = last.is_none_or(|last| last.operation == KeyOperation::VERIFY_NEW_KEY);
    let under_the_new_key = request.operation == KeyOperation::VERIFY_NEW_KEY;
    match request.operation {
        _ if last == Some(request) && peer_uses_newest_key == under_the_new_key => Ok(false),
        KeyOperation::UPDATE_KEY | KeyOperation::UPDATE_ALL_KEYS if verified => Ok(true),
        KeyOperation::VERIFY_NEW_KEY if !verified && peer_uses_newest_key => Ok(true),
        _ => Err(Refusal::new(ErrorCode::INVALID_REQUEST)),
    }
}

/// Encodes KEY_UPDATE_ACK.
fn acknowledge(cx: &Context, request: KeyUpdate, taken: usize) -> Result<Reply, Refusal> {
    let KeyUpdate { operation, tag } = request;
    let ack = KeyUpdateAck { operation, tag };
    Ok(Reply::plain(cx.respond(&ack)?, taken))
}

/// Updates the keys of a session.
///
/// If an earlier KEY_UPDATE was never answered, it is sent again first, with the same Tag, so that the responder
/// recognises it: DSP0274 "KEY_UPDATE request message format". If VerifyNewKey is missing after an earlier update, it
/// is sent first. DSP0274 "Session key update synchronization" allows nothing else.
#[derive(Debug)]
pub struct UpdateKeys {
    session: SessionId,
    operation: KeyOperation,
    /// Whether the update was acknowledged, so that only VerifyNewKey remains.
    updated: bool,
    pending: KeyUpdate,
}

impl UpdateKeys {
    /// Updates the key of the requester's direction.
    #[must_use]
    pub fn request_key(session: SessionId) -> Self {
        Self { session, operation: KeyOperation::UPDATE_KEY, updated: false, pending: KeyUpdate::default() }
    }

    /// Updates the keys of both directions.
    #[must_use]
    pub fn all_keys(session: SessionId) -> Self {
        Self { operation: KeyOperation::UPDATE_ALL_KEYS, ..Self::request_key(session) }
    }
}

impl Operation for UpdateKeys {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let session = self.session;
        let open = cx.session(session).ok_or(Usage::NoSession { session })?;
        let verified = open.updated.is_none_or(|last| last.operation == KeyOperation::VERIFY_NEW_KEY);
        let operation = if verified { self.operation } else { KeyOperation::VERIFY_NEW_KEY };
        let unacknowledged = open.unacknowledged;
        let [tag] = cx.random();
        self.pending = unacknowledged.unwrap_or(KeyUpdate { operation, tag });
        Ok(Request::in_session(session, cx.write(&self.pending, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let request = Code::KEY_UPDATE;
        let (message, len): (KeyUpdateAck, _) = cx.read_response(request, response, &Sizes::default())?;
        if (message.operation, message.tag) != (self.pending.operation, self.pending.tag) {
            return Err(Error::Violation { request, violation: Violation::KeyUpdate });
        }
        let verified = self.pending.operation == KeyOperation::VERIFY_NEW_KEY;
        let output = (self.updated && verified).then_some(());
        self.updated |= self.pending.operation == self.operation;
        Ok(Parsed { effect: Effect::Update(self.pending), ..Parsed::plain(len, output) })
    }
}
