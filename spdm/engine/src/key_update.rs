//! KEY_UPDATE and KEY_UPDATE_ACK: new keys for one direction or for both, and a message under them.

use crate::connection::write;
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
    let unverified = asked.session.and_then(|id| cx.session(id)).is_some_and(|session| session.unverified);
    match request.operation {
        KeyOperation::UPDATE_KEY | KeyOperation::UPDATE_ALL_KEYS if !unverified => {}
        KeyOperation::VERIFY_NEW_KEY if unverified => {}
        _ => return Err(Refusal::new(ErrorCode::INVALID_REQUEST)),
    }
    let KeyUpdate { operation, tag } = request;
    let body = write(&KeyUpdateAck { operation, tag }, cx.connection.version, &Sizes::default())?;
    Ok(Reply { effect: Effect::Update(operation), ..Reply::plain(body, taken) })
}

/// KEY_UPDATE of the responder's: UpdateKey is for what it sends, and there is no UpdateAllKeys.
pub(crate) fn respond_encapsulated(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (KeyUpdate, _) = cx.read(asked.bytes, &Sizes::default())?;
    let session = asked.session.and_then(|id| cx.session_mut(id));
    let session = session.ok_or(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))?;
    match request.operation {
        KeyOperation::UPDATE_KEY if !session.in_handshake() => session.expect_update(),
        KeyOperation::VERIFY_NEW_KEY if session.proved() => {}
        _ => return Err(Refusal::new(ErrorCode::INVALID_REQUEST)),
    }
    let KeyUpdate { operation, tag } = request;
    let ack = KeyUpdateAck { operation, tag };
    Ok(Reply::plain(write(&ack, cx.connection.version, &Sizes::default())?, taken))
}

/// New keys for a session.
#[derive(Debug)]
pub struct Update {
    session: SessionId,
    operation: KeyOperation,
    tag: u8,
}

impl Update {
    /// For what the requester sends.
    #[must_use]
    pub const fn request_key(session: SessionId) -> Self {
        Self { session, operation: KeyOperation::UPDATE_KEY, tag: 0 }
    }

    /// For both directions.
    #[must_use]
    pub const fn all_keys(session: SessionId) -> Self {
        Self { session, operation: KeyOperation::UPDATE_ALL_KEYS, tag: 0 }
    }
}

impl Operation for Update {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let Self { session, operation, .. } = *self;
        cx.session(session).ok_or(Usage::NoSession { session })?;
        [self.tag] = cx.random();
        Ok(Ask::in_session(session, cx.write(&KeyUpdate { operation, tag: self.tag }, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let request = Code::KEY_UPDATE;
        let (message, len): (KeyUpdateAck, _) = cx.read_response(request, response, &Sizes::default())?;
        if message.operation != self.operation || message.tag != self.tag {
            return Err(Error::Violation { request, violation: Violation::KeyUpdate });
        }
        let output = (self.operation == KeyOperation::VERIFY_NEW_KEY).then_some(());
        let effect = Effect::Update(self.operation);
        self.operation = KeyOperation::VERIFY_NEW_KEY;
        Ok(Taken { effect, ..Taken::plain(len, output) })
    }
}
