//! KEY_EXCHANGE and KEY_EXCHANGE_RSP: open a session with an ephemeral key.

use crate::auth_failure::AuthFailure;
use crate::config::MutualAuthentication;
use crate::context::Context;
use crate::encode::respond_with;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::exchange_parts::{Encapsulated, ExchangeParts, join};
use crate::identity::{PROVISIONED, SLOTS, usage};
use crate::key_schedule::Origin;
use crate::meter::{MeteredOperation, measure};
use crate::operation::{Parsed, Request};
use crate::pqc2021::kem_auth::{self, KemSecrets};
use crate::reply::{IncomingRequest, Reply};
use crate::role::Role;
use crate::secured_version;
use crate::session::{Effect, Mutual, RecordSuite, SessionId, SessionParams};
use crate::signatures;
use alloc::{boxed::Box, vec::Vec};
use grille_core::{DynDecapsKey, SecretBytes};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_exchange::{KeyExchange, KeyExchangeRsp};
use grille_spdm_codec::{Code, Message, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let parts = ExchangeParts::from_connection(&cx.connection).ok_or(invalid)?;
    let auth_len = kem_auth_len(cx, Role::Responder);
    let sizes = Sizes { exchange_data: parts.request_len() + auth_len, ..Sizes::default() };
    let (request, taken): (KeyExchange<'_>, _) = cx.read(incoming.bytes, &sizes)?;
    let proof = cx.proof(request.slot, usage::KEY_EX, signatures::KEY_EXCHANGE_RSP, None)?;
    let chain_hash = cx.own_th_hash(request.slot)?;
    let policy = cx.policy(request.policy)?;
    let summary = cx.summary(request.summary_type)?;
    let agreed = cx.select_secured_version(request.opaque)?;
    let rsp = cx.responder_session_number(request.session)?;
    let suite = RecordSuite::new(&cx.connection, &cx.config, agreed.limit).ok_or(invalid)?;
    let (mut_auth, req_slot, mutual) = cx.mutual()?;
    let (exchange_data, shared) = exchange(cx, &parts, request.exchange_data)?;

    let heartbeat = cx.heartbeat();
    let response = KeyExchangeRsp {
        mut_auth,
        req_slot,
        heartbeat,
        session: rsp,
        random: cx.nonce(),
        exchange_data: &exchange_data,
        summary_hash: summary.as_ref().map(AsRef::as_ref).unwrap_or_default(),
        opaque: &agreed.opaque,
        ..KeyExchangeRsp::default()
    };
    let body = encode(cx, &response)?;
    let params = SessionParams {
        id: cx.connection.rules.session_id(request.session, rsp),
        origin: Origin::KeyExchange,
        heartbeat,
        suite,
        shared,
        policy,
        summary: Vec::new(),
        chain_hash,
        mutual,
        psk_hint: Vec::new(),
    };
    let effect = Effect::Open(Box::new(params));
    Ok(Reply { proof: Some(proof), effect, ..Reply::plain(body, taken) })
}

/// Returns the length of the ciphertext for the long-term KEM key of `side`, which the other side sends; 0 without KEM
/// authentication.
fn kem_auth_len(cx: &Context, side: Role) -> usize {
    let kem = cx.connection.pqc2021().and_then(|selected| selected.authentication(side).kem);
    kem.map_or(0, |row| row.kem.info().ciphertext_len)
}

/// Returns ExchangeData of the response and the shared secret. `data`: ExchangeData of the request.
fn exchange(cx: &mut Context, parts: &ExchangeParts, data: &[u8]) -> Result<(Vec<u8>, SecretBytes), Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let meter = cx.config.meter.clone();
    let (data, ciphertext) = data.split_at_checked(parts.request_len()).ok_or(invalid)?;
    let column = Some(MeteredOperation::KeyExKemEncap);
    let encapsulated = measure(meter.as_ref(), column, || parts.encapsulate(data, &mut *cx.rng));
    let Encapsulated { mut data, secrets } = encapsulated.map_err(|_| invalid)?;
    let Some(selected) = cx.connection.pqc2021() else { return Ok((data, join(secrets))) };
    let column = Some(MeteredOperation::KeyExKemAuthDecap);
    let decapsulate = |row| measure(meter.as_ref(), column, || cx.decapsulate(row, ciphertext));
    let responder = selected.responder.kem.map(decapsulate).transpose()?;
    let mut requester = None;
    if let Some(row) = selected.requester.kem {
        let key = cx.peer.raw.kem(row);
        let missing = AuthFailure::Unknown { slot: PROVISIONED };
        let key = key.ok_or_else(|| cx.auth_failed(missing, ErrorCode::INVALID_REQUEST))?;
        let encapsulated = key.encapsulate(&mut *cx.rng);
        data.extend_from_slice(&encapsulated.ciphertext);
        requester = Some(encapsulated.secret);
    }
    let shared = authenticated(cx, secrets, responder.as_ref(), requester.as_ref());
    Ok((data, shared.ok_or(invalid)?))
}

/// Returns KEY_EXCHANGE_RSP without the zeros that the prototype of `pqc2021` appends with KEM authentication, one for each byte
/// of the ciphertext in the request.
fn without_surplus<'r>(cx: &Context, response: &'r [u8], sizes: &Sizes) -> &'r [u8] {
    let surplus = kem_auth_len(cx, Role::Responder);
    let decoded = KeyExchangeRsp::decode_prefix(response, sizes).ok();
    let parts = decoded.and_then(|(_, len)| response.split_at_checked(len));
    match parts {
        Some((message, rest)) if rest.len() == surplus && rest.iter().all(|byte| *byte == 0) => message,
        _ => response,
    }
}

/// Returns the shared secret of a key exchange. KEM authentication replaces the secret of the KEM by one that also
/// depends on the long-term keys. If the key exchange has no KEM, the replaced secret is empty. Secret: all arguments,
/// the result.
fn authenticated(
    cx: &Context,
    mut secrets: Vec<SecretBytes>,
    responder: Option<&SecretBytes>,
    requester: Option<&SecretBytes>,
) -> Option<SecretBytes> {
    if let Some(responder) = responder {
        let has_kem = cx.connection.pqc2021()?.kem().is_some();
        let kem = if has_kem { secrets.pop()? } else { SecretBytes::new(Vec::new()) };
        let secret = KemSecrets { kem: &kem, responder, requester };
        secrets.push(kem_auth::derive(cx.connection.hash()?, cx.connection.rules, &secret));
    }
    Some(join(secrets))
}

/// Encodes KEY_EXCHANGE_RSP up to its signature.
fn encode(cx: &Context, response: &KeyExchangeRsp<'_>) -> Result<Vec<u8>, Refusal> {
    let (exchange_data, summary_hash) = (response.exchange_data.len(), response.summary_hash.len());
    let sizes = Sizes { exchange_data, summary_hash, ..cx.own_sizes() };
    respond_with(response, cx.connection.version(), &sizes)
}

impl Context {
    /// Returns MutAuthRequested and SlotIDParam, and the authentication expected in FINISH.
    fn mutual(&mut self) -> Result<(u8, u8, Mutual), Refusal> {
        let possible = self.connection.both_have(Caps::MUT_AUTH) && self.can_authenticate(Role::Requester);
        let encapsulates = self.connection.both_have(Caps::ENCAP);
        let raw = self.connection.rules.raw_keys;
        let wanted = match self.config.mutual {
            MutualAuthentication::Encapsulated | MutualAuthentication::Digests
                if raw && self.peer_slot() == PROVISIONED =>
            {
                MutualAuthentication::Slot(PROVISIONED)
            }
            wanted if raw => wanted,
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
                self.check_finish_keys(slot)?;
                if self.peer_chain_hash(slot).is_err() {
                    return Err(self.auth_failed(AuthFailure::Unknown { slot }, ErrorCode::INVALID_REQUEST));
                }
                (KeyExchangeRsp::MUT_AUTH_WITHOUT_ENCAP, slot & 0xF, Mutual::Slot(slot))
            }
            MutualAuthentication::Encapsulated if possible && encapsulates => {
                self.check_finish_keys(0)?;
                (KeyExchangeRsp::MUT_AUTH_WITH_ENCAP, 0, Mutual::Pending)
            }
            MutualAuthentication::Digests if possible && encapsulates => {
                self.check_finish_keys(0)?;
                (KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS, 0, Mutual::Pending)
            }
            MutualAuthentication::No => (0, 0, Mutual::No),
            _ if self.config.requires_mutual => {
                return Err(self.auth_failed(AuthFailure::Unable, ErrorCode::UNSPECIFIED));
            }
            _ => (0, 0, Mutual::No),
        })
    }

    /// Checks that the requester's keys without certificates are known. Otherwise the signature in FINISH could not be verified.
    fn check_finish_keys(&mut self, slot: u8) -> Result<(), Refusal> {
        let known = self.check_peer_raw_keys(slot, signatures::FINISH);
        known.map_err(|_| self.auth_failed(AuthFailure::Unknown { slot }, ErrorCode::INVALID_REQUEST))
    }
}

/// Returns the mutual authentication that the responder requests. Returns `None` if it was not negotiated or is inconsistent: a
/// requester with a provisioned public key authenticates with that key, and every other requester with a slot.
fn requested_mutual_auth(cx: &Context, message: &KeyExchangeRsp<'_>) -> Option<Mutual> {
    let possible = cx.connection.both_have(Caps::MUT_AUTH) && cx.can_authenticate(Role::Requester);
    let provisioned = cx.own_limits().flags.contains(Caps::PUB_KEY_ID);
    let encapsulates = cx.connection.both_have(Caps::ENCAP) && !provisioned;
    let raw = cx.connection.rules.raw_keys;
    match message.mut_auth & MUT_AUTH_REQUESTED_MASK {
        0 => Some(Mutual::No),
        KeyExchangeRsp::MUT_AUTH_WITHOUT_ENCAP if possible => match message.req_slot & 0xF {
            0xF if provisioned || raw => Some(Mutual::Slot(PROVISIONED)),
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

/// The bits of MutAuthRequested in its byte; the byte's other bits are reserved.
const MUT_AUTH_REQUESTED_MASK: u8 = 7;

/// The first step of opening a session: KEY_EXCHANGE.
pub(crate) struct PendingKeyExchange {
    pub(crate) slot: u8,
    pub(crate) summary_type: u8,
    pub(crate) policy: u8,
    /// Whether KEY_EXCHANGE_RSP starts an encapsulated request flow.
    pub(crate) pending: bool,
    /// Whether the requester must send DIGESTS without GET_DIGESTS.
    pub(crate) implicit: bool,
    /// The key of each part of the key exchange.
    keys: Vec<Box<dyn DynDecapsKey>>,
    /// The secret of the responder's KEM authentication; `None` without it.
    kem_auth: Option<SecretBytes>,
}

impl PendingKeyExchange {
    pub(crate) const fn new(slot: u8, summary_type: u8, policy: u8) -> Self {
        Self { slot, summary_type, policy, pending: false, implicit: false, keys: Vec::new(), kem_auth: None }
    }

    /// Encodes KEY_EXCHANGE.
    pub(crate) fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let request = Code::KEY_EXCHANGE;
        cx.check_selected(request, cx.connection.missing_for(request))?;
        cx.check_peer_key(request, self.slot, usage::KEY_EX)?;
        let parts = ExchangeParts::from_connection(&cx.connection).ok_or(Usage::NoCapability { request })?;
        let meter = cx.config.meter.clone();
        let column = Some(MeteredOperation::KeyExKemGen);
        let (keys, mut data) = measure(meter.as_ref(), column, || parts.generate(&mut *cx.rng));
        self.keys = keys;
        if let Some(row) = cx.connection.pqc2021().and_then(|selected| selected.responder.kem) {
            let column = Some(MeteredOperation::KeyExKemAuthEncap);
            let (ciphertext, secret) = measure(meter.as_ref(), column, || cx.encapsulate(row, self.slot))?;
            data.extend_from_slice(&ciphertext);
            self.kem_auth = Some(secret);
        }
        let (random, opaque) = (cx.nonce(), cx.encode_version_offer(request)?);
        let message = KeyExchange {
            summary_type: self.summary_type,
            slot: self.slot,
            session: cx.session_number(),
            policy: self.policy,
            random,
            exchange_data: &data,
            opaque: &opaque,
        };
        let sizes = Sizes { exchange_data: data.len(), ..Sizes::default() };
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
        let parts = ExchangeParts::from_connection(&cx.connection).ok_or(Usage::NotConnected)?;
        let proof = cx.expected_proof(self.slot, signatures::KEY_EXCHANGE_RSP, None);
        let sizes = self.sizes(cx, &parts, proof.len);
        let response = without_surplus(cx, response, &sizes);
        let (message, len): (KeyExchangeRsp<'_>, _) = cx.read_response(request, response, &sizes)?;
        cx.check_heartbeat(request, message.heartbeat)?;
        let mutual = requested_mutual_auth(cx, &message).ok_or(violation(Violation::MutualAuthentication))?;
        self.implicit = message.mut_auth & MUT_AUTH_REQUESTED_MASK == KeyExchangeRsp::MUT_AUTH_WITH_DIGESTS;
        self.pending = mutual == Mutual::Pending;
        let sent = sent.get(4..6).and_then(|id| id.try_into().ok()).map(u16::from_le_bytes);
        let id = cx.connection.rules.session_id(sent.unwrap_or_default(), message.session);
        if cx.session(id).is_some() {
            return Err(violation(Violation::SessionId));
        }
        let limit = secured_version::check_selection(&cx.config, cx.connection.version(), message.opaque);
        let limit = limit.ok_or(violation(Violation::SecuredVersion))?;
        let shared = self.shared_secret(cx, &parts, message.exchange_data)?;
        let params = SessionParams {
            id,
            origin: Origin::KeyExchange,
            heartbeat: message.heartbeat,
            suite: RecordSuite::new(&cx.connection, &cx.config, limit).ok_or(Usage::NotConnected)?,
            shared: shared.ok_or(violation(Violation::Algorithms))?,
            policy: self.policy,
            summary: message.summary_hash.to_vec(),
            chain_hash: cx.peer_th_hash(self.slot)?,
            mutual,
            psk_hint: Vec::new(),
        };
        let effect = Effect::Open(Box::new(params));
        Ok((id, Parsed { proof: Some(proof), effect, ..Parsed::plain(len, None) }))
    }

    /// Returns the shared secret; `None` if a part of ExchangeData is malformed.
    fn shared_secret(
        &mut self,
        cx: &Context,
        parts: &ExchangeParts,
        data: &[u8],
    ) -> Result<Option<SecretBytes>, Error> {
        let keys = core::mem::take(&mut self.keys);
        if keys.is_empty() {
            return Err(Usage::NoResponseExpected.into());
        }
        let Some((data, ciphertext)) = data.split_at_checked(parts.response_len()) else { return Ok(None) };
        let column = Some(MeteredOperation::KeyExKemDecap);
        let secrets = measure(cx.config.meter.as_ref(), column, || parts.decapsulate(&keys, data));
        let kem = cx.connection.pqc2021().and_then(|selected| selected.requester.kem);
        let requester = kem.map(|row| cx.decapsulate(row, ciphertext)).transpose();
        let (Ok(secrets), Ok(requester)) = (secrets, requester) else { return Ok(None) };
        Ok(authenticated(cx, secrets, self.kem_auth.as_ref(), requester.as_ref()))
    }

    /// Returns the field sizes of KEY_EXCHANGE_RSP.
    fn sizes(&self, cx: &Context, parts: &ExchangeParts, signature: usize) -> Sizes {
        let hash = cx.connection.hash_len();
        Sizes {
            signature,
            exchange_data: parts.response_len() + kem_auth_len(cx, Role::Requester),
            summary_hash: if self.summary_type == 0 { 0 } else { hash },
            verify_data: if cx.connection.is_handshake_in_clear() { 0 } else { hash },
            ..cx.peer_sizes()
        }
    }
}
