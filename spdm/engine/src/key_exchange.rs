//! KEY_EXCHANGE and KEY_EXCHANGE_RSP: open a session with an ephemeral key.

use crate::algorithms::KeyExchange as ExchangeAlgorithm;
use crate::auth_failure::AuthFailure;
use crate::config::MutualAuthentication;
use crate::connection::Connection;
use crate::context::Context;
use crate::encode::respond_with;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::identity::{PROVISIONED, SLOTS, usage};
use crate::key_schedule::Origin;
use crate::operation::{Parsed, Request};
use crate::proof::{ExpectedProof, Proof};
use crate::reply::{IncomingRequest, Reply};
use crate::secured_version;
use crate::session::{Effect, Mutual, RecordSuite, SessionId, SessionParams};
use crate::signatures;
use alloc::{boxed::Box, vec::Vec};
use grille_core::DynDecapsKey;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp, session_id};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let exchange = exchange(&cx.connection).ok_or(invalid)?;
    let sizes = Sizes { exchange_data: exchange.request_len(), ..Sizes::default() };
    let (request, taken): (KeyExchange<'_>, _) = cx.read(incoming.bytes, &sizes)?;
    let (signer, chain_hash) = (cx.signer(request.slot, usage::KEY_EX)?, cx.own_chain_hash(request.slot)?);
    let policy = cx.policy(request.policy)?;
    let summary = cx.summary(request.summary_type)?;
    let agreed = cx.select_secured_version(request.opaque)?;
    let rsp = cx.responder_session_number(request.session)?;
    let suite = RecordSuite::new(&cx.connection, &cx.config, agreed.limit).ok_or(invalid)?;
    let (mut_auth, req_slot, mutual) = cx.mutual()?;
    let key = exchange.kem().encaps_key(&exchange.from_wire(request.exchange_data)).map_err(|_| invalid)?;
    let encapsulated = key.encapsulate(&mut *cx.rng);

    let heartbeat = cx.heartbeat();
    let response = KeyExchangeRsp {
        mut_auth,
        req_slot,
        heartbeat,
        session: rsp,
        random: cx.nonce(),
        exchange_data: exchange.to_wire(&encapsulated.ciphertext),
        summary_hash: summary.as_ref().map(AsRef::as_ref).unwrap_or_default(),
        opaque: &agreed.opaque,
        ..KeyExchangeRsp::default()
    };
    let body = written(cx, &response)?;
    let params = SessionParams {
        id: session_id(request.session, rsp),
        origin: Origin::KeyExchange,
        heartbeat,
        suite,
        shared: encapsulated.secret,
        policy,
        summary: Vec::new(),
        chain_hash: Some(chain_hash),
        mutual,
        psk_hint: Vec::new(),
    };
    let proof = Some(Proof::Signature { signer, context: signatures::KEY_EXCHANGE_RSP });
    Ok(Reply { proof, effect: Effect::Open(Box::new(params)), ..Reply::plain(body, taken) })
}

/// Encodes KEY_EXCHANGE_RSP up to its signature.
fn written(cx: &Context, response: &KeyExchangeRsp<'_>) -> Result<Vec<u8>, Refusal> {
    let (exchange_data, summary_hash) = (response.exchange_data.len(), response.summary_hash.len());
    let sizes = Sizes { exchange_data, summary_hash, ..cx.own_sizes() };
    respond_with(response, cx.connection.version(), &sizes)
}

/// Returns the negotiated DHE group or KEM.
pub(crate) fn exchange(connection: &Connection) -> Option<ExchangeAlgorithm> {
    connection.negotiated().and_then(|negotiated| negotiated.algorithms.key_exchange)
}

impl Context {
    /// Returns MutAuthRequested and SlotIDParam, and the authentication expected in FINISH.
    fn mutual(&mut self) -> Result<(u8, u8, Mutual), Refusal> {
        let possible = self.connection.both_have(Caps::MUT_AUTH) && self.peer_asym().is_some();
        let encapsulates = self.connection.both_have(Caps::ENCAP);
        let wanted = match self.config.mutual {
            MutualAuthentication::No => MutualAuthentication::No,
            // PUB_KEY_ID_CAP and CERT_CAP are mutually exclusive
            _ if self.connection.requester.flags.contains(Caps::PUB_KEY_ID) => {
                MutualAuthentication::Slot(PROVISIONED)
            }
            MutualAuthentication::Slot(PROVISIONED) if encapsulates => MutualAuthentication::Encapsulated,
            wanted => wanted,
        };
        Ok(match wanted {
            MutualAuthentication::Slot(slot) if possible => {
                // the signature in FINISH could not be verified
                if self.peer_chain_hash(slot).is_err() {
                    return Err(self.auth_failed(AuthFailure::Unknown { slot }, ErrorCode::INVALID_REQUEST));
                }
                (KeyExchangeRsp::MUT_AUTH_WITHOUT_ENCAP, slot & 0xF, Mutual::Slot(slot))
            }
            MutualAuthentication::Encapsulated if possible && encapsulates => {
                (KeyExchangeRsp::MUT_AUTH_WITH_ENCAP, 0, Mutual::Pending)
            }
            MutualAuthentication::Digests if possible && encapsulates => {
                (KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS, 0, Mutual::Pending)
            }
            MutualAuthentication::No => (0, 0, Mutual::No),
            _ if self.config.requires_mutual => {
                return Err(self.auth_failed(AuthFailure::Unable, ErrorCode::UNSPECIFIED));
            }
            _ => (0, 0, Mutual::No),
        })
    }
}

/// Returns the mutual authentication that the responder requests. Returns `None` if it was not negotiated or is inconsistent: a
/// requester with a provisioned public key authenticates with that key, and every other requester with a slot.
fn requested_mutual_auth(cx: &Context, message: &KeyExchangeRsp<'_>) -> Option<Mutual> {
    let possible = cx.connection.both_have(Caps::MUT_AUTH) && cx.own_asym().is_some();
    let provisioned = cx.own_limits().flags.contains(Caps::PUB_KEY_ID);
    let encapsulates = cx.connection.both_have(Caps::ENCAP) && !provisioned;
    match message.mut_auth & MUT_AUTH_REQUESTED {
        0 => Some(Mutual::No),
        KeyExchangeRsp::MUT_AUTH_WITHOUT_ENCAP if possible => match message.req_slot & 0xF {
            0xF if provisioned => Some(Mutual::Slot(PROVISIONED)),
            slot if slot < SLOTS && !provisioned => Some(Mutual::Slot(slot)),
            _ => None,
        },
        KeyExchangeRsp::MUT_AUTH_WITH_ENCAP | KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS
            if possible && encapsulates =>
        {
            Some(Mutual::Pending)
        }
        _ => None,
    }
}

/// The bits of MutAuthRequested; the others are reserved.
const MUT_AUTH_REQUESTED: u8 = 7;

/// The KEY_EXCHANGE part of opening a session.
pub(crate) struct PendingKeyExchange {
    pub(crate) slot: u8,
    pub(crate) summary_type: u8,
    pub(crate) policy: u8,
    /// Whether the responder starts encapsulated requests.
    pub(crate) pending: bool,
    /// Whether DIGESTS is sent without GET_DIGESTS.
    pub(crate) implicit: bool,
    key: Option<Box<dyn DynDecapsKey>>,
}

impl PendingKeyExchange {
    pub(crate) const fn new(slot: u8, summary_type: u8, policy: u8) -> Self {
        Self { slot, summary_type, policy, pending: false, implicit: false, key: None }
    }

    /// Encodes KEY_EXCHANGE.
    pub(crate) fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let request = Code::KEY_EXCHANGE;
        cx.check_selected(request, cx.connection.missing_for(request))?;
        cx.check_peer_key(request, self.slot, usage::KEY_EX)?;
        let exchange = exchange(&cx.connection).ok_or(Usage::NoCapability { request })?;
        let key = exchange.kem().generate(&mut *cx.rng);
        let (data, random) = (key.encaps_key_bytes(), cx.nonce());
        let opaque = cx.offer(request)?;
        let message = KeyExchange {
            summary_type: self.summary_type,
            slot: self.slot,
            session: cx.session_number(),
            policy: self.policy,
            random,
            exchange_data: exchange.to_wire(&data),
            opaque: &opaque,
        };
        self.key = Some(key);
        let sizes = Sizes { exchange_data: exchange.request_len(), ..Sizes::default() };
        Ok(Request::plain(cx.write(&message, &sizes)?))
    }

    /// Parses KEY_EXCHANGE_RSP.
    pub(crate) fn parse<T>(
        &mut self,
        cx: &Context,
        sent: &[u8],
        response: &[u8],
    ) -> Result<(SessionId, Parsed<T>), Error> {
        let request = Code::KEY_EXCHANGE;
        let violation = |violation| Error::Violation { request, violation };
        let exchange = exchange(&cx.connection).ok_or(Usage::NotConnected)?;
        let sizes = self.sizes(cx, exchange);
        let (message, len): (KeyExchangeRsp<'_>, _) = cx.read_response(request, response, &sizes)?;
        cx.check_heartbeat(request, message.heartbeat)?;
        let mutual = requested_mutual_auth(cx, &message).ok_or(violation(Violation::MutualAuthentication))?;
        self.implicit = message.mut_auth & MUT_AUTH_REQUESTED == KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS;
        self.pending = mutual == Mutual::Pending;
        let sent = sent.get(4..6).and_then(|id| id.try_into().ok()).map(u16::from_le_bytes);
        let id = session_id(sent.unwrap_or_default(), message.session);
        if cx.session(id).is_some() {
            return Err(violation(Violation::SessionId));
        }
        let limit = secured_version::check_selection(&cx.config, cx.connection.version(), message.opaque);
        let limit = limit.ok_or(violation(Violation::SecuredVersion))?;
        let key = self.key.take().ok_or(Usage::NoResponseExpected)?;
        let shared = key.decapsulate(&exchange.from_wire(message.exchange_data));
        let params = SessionParams {
            id,
            origin: Origin::KeyExchange,
            heartbeat: message.heartbeat,
            suite: RecordSuite::new(&cx.connection, &cx.config, limit).ok_or(Usage::NotConnected)?,
            shared: shared.map_err(|_| violation(Violation::Algorithms))?,
            policy: self.policy,
            summary: message.summary_hash.to_vec(),
            chain_hash: Some(cx.peer_chain_hash(self.slot)?),
            mutual,
            psk_hint: Vec::new(),
        };
        let context = signatures::KEY_EXCHANGE_RSP;
        let proof = Some(ExpectedProof { slot: self.slot, context, len: sizes.signature });
        Ok((id, Parsed { proof, effect: Effect::Open(Box::new(params)), ..Parsed::plain(len, None) }))
    }

    /// Returns the field sizes of KEY_EXCHANGE_RSP.
    fn sizes(&self, cx: &Context, exchange: ExchangeAlgorithm) -> Sizes {
        let hash = cx.connection.hash_len();
        Sizes {
            signature: cx.peer_signature_len(),
            exchange_data: exchange.response_len(),
            summary_hash: if self.summary_type == 0 { 0 } else { hash },
            verify_data: if cx.connection.handshake_in_the_clear() { 0 } else { hash },
            ..cx.peer_sizes()
        }
    }
}
