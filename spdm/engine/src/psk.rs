//! PSK_EXCHANGE and PSK_FINISH: open a session with a pre-shared key.

use crate::context::Context;
use crate::encode::respond_with;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::finish::{check, with_verify_data};
use crate::key_schedule::Origin;
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::secured_version;
use crate::session::{Effect, Mutual, RecordSuite, SessionId, SessionParams};
use alloc::{boxed::Box, vec::Vec};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::psk::{PskExchange, PskExchangeRsp, PskFinish, PskFinishRsp};
use grille_spdm_codec::{Code, Sizes};

/// The minimum length of RequesterContext in bytes. ResponderContext may have any length, because
/// the responder chooses what it contains in addition to a nonce.
const MIN_CONTEXT_LEN: usize = 32;

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (PskExchange<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let shared = cx.identity.psk(request.hint).filter(|_| request.context.len() >= MIN_CONTEXT_LEN);
    let shared = shared.ok_or(invalid)?.clone();
    let summary = cx.summary(request.summary_type)?;
    let policy = cx.policy(request.policy)?;
    let agreed = cx.select_secured_version(request.opaque)?;
    let suite = RecordSuite::new(&cx.connection, &cx.config, agreed.limit).ok_or(invalid)?;
    let rsp = cx.responder_session_number(request.session)?;
    let context = cx.nonce();
    let heartbeat = cx.heartbeat();
    let with_context = cx.connection.responder_has(Caps::PSK_WITH_CONTEXT);
    let summary_hash = summary.as_ref().map(AsRef::as_ref).unwrap_or_default();
    let response = PskExchangeRsp {
        heartbeat,
        session: rsp,
        summary_hash,
        context: if with_context { &context } else { &[] },
        opaque: &agreed.opaque,
        verify_data: &[],
    };
    // hash length 0, because VerifyData is appended later
    let sizes = Sizes { summary_hash: summary_hash.len(), ..Sizes::default() };
    let body = respond_with(&response, cx.connection.version(), &sizes)?;
    let id = cx.connection.rules.session_id(request.session, rsp);
    let params = SessionParams {
        id,
        origin: Origin::Psk,
        heartbeat,
        suite,
        shared,
        policy,
        summary: Vec::new(),
        chain_hash: None,
        mutual: Mutual::No,
        psk_hint: request.hint.to_vec(),
    };
    Ok(Reply { effect: Effect::Open(Box::new(params)), ..Reply::plain(body, taken) })
}

pub(crate) fn respond_finish(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let session = incoming.handshake_session(cx, Origin::Psk)?;
    let sizes = Sizes { hash: cx.connection.hash_len(), ..Sizes::default() };
    let (request, taken): (PskFinish<'_>, _) = cx.read(incoming.bytes, &sizes)?;
    cx.check_opaque(request.opaque)?;
    let mut th = session.th.clone();
    check(session, &mut th, &incoming.bytes[..taken], request.verify_data)?;
    let body = cx.respond(&PskFinishRsp::default())?;
    Ok(Reply { effect: Effect::Finish(Box::new(th)), ..Reply::plain(body, taken) })
}

/// Opens a session with a pre-shared key.
#[derive(Debug)]
pub struct OpenPskSession {
    hint: Vec<u8>,
    summary_type: u8,
    policy: u8,
    session: Option<SessionId>,
}

impl OpenPskSession {
    /// Uses the key with this hint, see [`crate::identity::Identity::with_psk`].
    #[must_use]
    pub fn new(hint: &[u8]) -> Self {
        Self { hint: hint.to_vec(), summary_type: 0, policy: 0, session: None }
    }

    /// Requests MeasurementSummaryHash: 1 for the trusted computing base, 0xFF for all measurements.
    #[must_use]
    pub const fn with_summary(mut self, summary_type: u8) -> Self {
        self.summary_type = summary_type;
        self
    }

    /// Sets SessionPolicy, bits of [`crate::session::policy`].
    #[must_use]
    pub const fn with_policy(mut self, policy: u8) -> Self {
        self.policy = policy;
        self
    }

    fn exchange(&self, cx: &mut Context) -> Result<Request, Error> {
        cx.identity.psk(&self.hint).ok_or(Usage::NoPsk)?;
        let (opaque, context) = (cx.encode_version_offer(Code::PSK_EXCHANGE)?, cx.nonce());
        let message = PskExchange {
            summary_type: self.summary_type,
            policy: self.policy,
            session: cx.session_number(),
            hint: &self.hint,
            context: &context,
            opaque: &opaque,
        };
        Ok(Request::plain(cx.write(&message, &Sizes::default())?))
    }

    fn parse_exchange(
        &mut self,
        cx: &Context,
        sent: &[u8],
        response: &[u8],
    ) -> Result<Parsed<SessionId>, Error> {
        let request = Code::PSK_EXCHANGE;
        let violation = |violation| Error::Violation { request, violation };
        let hash = cx.connection.hash_len();
        let summary_hash = if self.summary_type == 0 { 0 } else { hash };
        let sizes = Sizes { summary_hash, ..cx.peer_sizes() };
        let (message, len): (PskExchangeRsp<'_>, _) = cx.read_response(request, response, &sizes)?;
        let (sent, _): (PskExchange<'_>, _) = cx.read_response(request, sent, &Sizes::default())?;
        cx.check_heartbeat(request, message.heartbeat)?;
        let id = cx.connection.rules.session_id(sent.session, message.session);
        if cx.session(id).is_some() {
            return Err(violation(Violation::SessionId));
        }
        let with_context = cx.connection.responder_has(Caps::PSK_WITH_CONTEXT);
        if with_context == message.context.is_empty() {
            return Err(violation(Violation::Context));
        }
        let limit = secured_version::check_selection(&cx.config, cx.connection.version(), message.opaque);
        let limit = limit.ok_or(violation(Violation::SecuredVersion))?;
        let params = SessionParams {
            id,
            origin: Origin::Psk,
            heartbeat: message.heartbeat,
            suite: RecordSuite::new(&cx.connection, &cx.config, limit).ok_or(Usage::NotConnected)?,
            shared: cx.identity.psk(&self.hint).ok_or(Usage::NoPsk)?.clone(),
            policy: self.policy,
            summary: message.summary_hash.to_vec(),
            chain_hash: None,
            mutual: Mutual::No,
            psk_hint: self.hint.clone(),
        };
        self.session = Some(id);
        // without ResponderContext there is no PSK_FINISH
        let output = (!with_context).then_some(id);
        Ok(Parsed { effect: Effect::Open(Box::new(params)), ..Parsed::plain(len, output) })
    }
}

impl Operation for OpenPskSession {
    type Output = SessionId;

    fn opened_session(&self) -> Option<SessionId> {
        self.session
    }

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let Some(id) = self.session else { return self.exchange(cx) };
        let session = cx.session(id).ok_or(Usage::NoSession { session: id })?;
        let bytes = cx.write(&PskFinish::default(), &Sizes::default())?;
        Ok(Request::in_session(id, with_verify_data(session, bytes, id)?))
    }

    fn parse(&mut self, cx: &mut Context, sent: &[u8], response: &[u8]) -> Result<Parsed<SessionId>, Error> {
        let Some(id) = self.session else { return self.parse_exchange(cx, sent, response) };
        let (message, len): (PskFinishRsp<'_>, _) =
            cx.read_response(Code::PSK_FINISH, response, &Sizes::default())?;
        cx.check_peer_opaque(Code::PSK_FINISH, message.opaque)?;
        let mut th = cx.session(id).ok_or(Usage::NoSession { session: id })?.th.clone();
        th.push(sent);
        Ok(Parsed { effect: Effect::Finish(Box::new(th)), ..Parsed::plain(len, Some(id)) })
    }
}
