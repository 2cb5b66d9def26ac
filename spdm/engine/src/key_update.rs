//! KEY_UPDATE and KEY_UPDATE_ACK: new keys for one direction or for both, and a message under them.

use crate::context::Context;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::flight::{Ask, Operation, Taken};
use crate::reply::{Asked, Reply};
use crate::session::{Effect, SessionId};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_update::{KeyOperation, KeyUpdate, KeyUpdateAck};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (KeyUpdate, _) = cx.read(asked.bytes, &Sizes::default())?;
    let session = asked.session.and_then(|id| cx.session(id));
    let session = session.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))?;
    let new = is_new(request, session.updated, session.proved())?;
    let effect = if new { Effect::Update(request) } else { Effect::Nothing };
    Ok(Reply { effect, ..acknowledge(cx, request, taken)? })
}

/// KEY_UPDATE of the responder's: UpdateKey is for what it sends, and there is no UpdateAllKeys.
pub(crate) fn respond_encapsulated(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (KeyUpdate, _) = cx.read(asked.bytes, &Sizes::default())?;
    let session = asked.session.and_then(|id| cx.session_mut(id)).filter(|open| !open.in_handshake());
    let session = session.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))?;
    if request.operation == KeyOperation::UPDATE_ALL_KEYS {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    if is_new(request, session.followed, session.proved())? {
        session.follow(request);
    }
    acknowledge(cx, request, taken)
}

/// Whether KEY_UPDATE is another than the last that was acknowledged, and not that one once more, because the acknowledgement was
/// lost. A key is updated when the one before is verified, and verified once it is used; `proved`: it was.
fn is_new(request: KeyUpdate, last: Option<KeyUpdate>, proved: bool) -> Result<bool, Refusal> {
    let verified = last.is_none_or(|last| last.operation == KeyOperation::VERIFY_NEW_KEY);
    let under_the_new_key = request.operation == KeyOperation::VERIFY_NEW_KEY;
    match request.operation {
        _ if last == Some(request) && proved == under_the_new_key => Ok(false),
        KeyOperation::UPDATE_KEY | KeyOperation::UPDATE_ALL_KEYS if verified => Ok(true),
        KeyOperation::VERIFY_NEW_KEY if !verified && proved => Ok(true),
        _ => Err(Refusal::new(ErrorCode::INVALID_REQUEST)),
    }
}

/// KEY_UPDATE_ACK.
fn acknowledge(cx: &Context, request: KeyUpdate, taken: usize) -> Result<Reply, Refusal> {
    let KeyUpdate { operation, tag } = request;
    let ack = KeyUpdateAck { operation, tag };
    Ok(Reply::plain(cx.respond(&ack)?, taken))
}

/// New keys for a session. If a request was never answered, it is asked again before, with its Tag, by which the responder knows
/// it: DSP0274 "KEY_UPDATE request message format". If the last keys were never verified, because something went wrong in
/// between, that is made up for: there is no other way on, DSP0274 "Session key update synchronization".
#[derive(Debug)]
pub struct Update {
    session: SessionId,
    operation: KeyOperation,
    /// Whether the operation was acknowledged, so that only VerifyNewKey is left.
    updated: bool,
    asked: KeyUpdate,
}

impl Update {
    /// For what the requester sends.
    #[must_use]
    pub fn request_key(session: SessionId) -> Self {
        Self { session, operation: KeyOperation::UPDATE_KEY, updated: false, asked: KeyUpdate::default() }
    }

    /// For both directions.
    #[must_use]
    pub fn all_keys(session: SessionId) -> Self {
        Self { operation: KeyOperation::UPDATE_ALL_KEYS, ..Self::request_key(session) }
    }
}

impl Operation for Update {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let session = self.session;
        let open = cx.session(session).ok_or(Usage::NoSession { session })?;
        let verified = open.updated.is_none_or(|last| last.operation == KeyOperation::VERIFY_NEW_KEY);
        let operation = if verified { self.operation } else { KeyOperation::VERIFY_NEW_KEY };
        let unanswered = open.unanswered;
        let [tag] = cx.random();
        self.asked = unanswered.unwrap_or(KeyUpdate { operation, tag });
        Ok(Ask::in_session(session, cx.write(&self.asked, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let request = Code::KEY_UPDATE;
        let (message, len): (KeyUpdateAck, _) = cx.read_response(request, response, &Sizes::default())?;
        if (message.operation, message.tag) != (self.asked.operation, self.asked.tag) {
            return Err(Error::Violation { request, violation: Violation::KeyUpdate });
        }
        let verified = self.asked.operation == KeyOperation::VERIFY_NEW_KEY;
        let output = (self.updated && verified).then_some(());
        self.updated |= self.asked.operation == self.operation;
        Ok(Taken { effect: Effect::Update(self.asked), ..Taken::plain(len, output) })
    }
}
