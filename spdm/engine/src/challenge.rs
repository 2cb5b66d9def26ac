//! CHALLENGE and CHALLENGE_AUTH: the owner of a certificate chain signs the transcript.

use crate::auth_failure::AuthFailure;
use crate::config::Role;
use crate::context::Context;
use crate::device::{ALL, measurement_hash, summary};
use crate::encode::respond_with;
use crate::error::Refusal;
use crate::error::{Error, Violation};
use crate::identity::{PROVISIONED, usage};
use crate::meter::{MeteredOperation, measure};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::signatures;
use alloc::vec::Vec;
use grille_core::SecretBytes;
use grille_registry::KemRow;
use grille_spdm_codec::Code;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::pqc2021::challenge::Challenge as KemChallenge;

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, secret, taken) = read(cx, incoming.bytes)?;
    let proof = cx.proof(request.slot, usage::CHALLENGE, context(cx.role), secret.as_ref())?;
    if cx.role == Role::Responder
        && cx.config.basic_mutual
        && cx.config.requires_mutual
        && !cx.requests_mutual_auth()
    {
        return Err(cx.auth_failed(AuthFailure::Unable, ErrorCode::UNSPECIFIED));
    }
    let chain_hash = cx.own_chain_hash(request.slot)?;
    let summary_hash = cx.summary(request.summary_type)?;
    let summary_hash = summary_hash.as_ref().map(AsRef::as_ref).unwrap_or_default();
    let opaque = cx.opaque()?;
    let response = ChallengeAuth {
        attribute: request.slot & 0xF
            | if cx.requests_mutual_auth() { ChallengeAuth::BASIC_MUT_AUTH } else { 0 },
        slots: slot_mask(cx, request.slot),
        chain_hash: chain_hash.as_ref(),
        nonce: cx.nonce(),
        summary_hash,
        opaque: &opaque,
        context: request.context,
        signature: &[],
    };
    let sizes = Sizes { summary_hash: summary_hash.len(), ..cx.own_sizes() };
    let body = respond_with(&response, cx.connection.version(), &sizes)?;
    Ok(Reply { proof: Some(proof), ..Reply::plain(body, taken) })
}

/// Reads CHALLENGE. Also returns the secret of KEM authentication, if negotiated, and the length of the request.
fn read(cx: &Context, bytes: &[u8]) -> Result<(Challenge, Option<SecretBytes>, usize), Refusal> {
    let Some(row) = kem(cx, cx.role) else {
        let (request, taken) = cx.read(bytes, &Sizes::default())?;
        return Ok((request, None, taken));
    };
    let sizes = Sizes { exchange_data: row.kem.info().ciphertext_len, ..Sizes::default() };
    let (request, taken): (KemChallenge<'_>, _) = cx.read(bytes, &sizes)?;
    let column = Some(MeteredOperation::ChalKemAuthDecap);
    let secret = measure(cx.config.meter.as_ref(), column, || cx.decapsulate(row, request.ciphertext))?;
    let KemChallenge { slot, summary_type, nonce, .. } = request;
    Ok((Challenge { slot, summary_type, nonce, ..Challenge::default() }, Some(secret), taken))
}

/// Returns the KEM that authenticates the challenged side. It is `None` for a requester, which always signs: the
/// encapsulated CHALLENGE has no ciphertext.
fn kem(cx: &Context, challenged: Role) -> Option<&'static KemRow> {
    let selected = cx.connection.pqc2021().filter(|_| challenged == Role::Responder)?;
    selected.responder.kem
}

/// Returns SlotMask. In `pqc2021` it contains only the slot of the request, as in the prototype.
fn slot_mask(cx: &Context, slot: u8) -> u8 {
    if cx.connection.rules.raw_keys {
        return 1_u8.checked_shl(slot.into()).unwrap_or_default();
    }
    cx.own_asym().map_or(0, |asym| cx.identity.provisioned_mask(asym))
}

/// Returns the signing context of CHALLENGE_AUTH.
pub(crate) const fn context(signer: Role) -> &'static str {
    match signer {
        Role::Responder => signatures::CHALLENGE_AUTH,
        Role::Requester => signatures::ENCAPSULATED_CHALLENGE_AUTH,
    }
}

impl Context {
    /// Returns whether CHALLENGE_AUTH requests mutual authentication. This needs a requester with CHAL_CAP. If the
    /// requester has PUB_KEY_ID_CAP, its public key must be provisioned.
    pub(crate) fn requests_mutual_auth(&self) -> bool {
        let (connection, flags) = (&self.connection, self.connection.requester.flags);
        let unknown = match connection.pqc2021() {
            Some(_) => self.check_peer_raw_keys(self.peer_slot(), context(Role::Requester)).is_err(),
            None => flags.contains(Caps::PUB_KEY_ID) && self.peer.provisioned.is_none(),
        };
        let negotiated = connection.both_have(Caps::MUT_AUTH) && connection.both_have(Caps::ENCAP);
        let possible = negotiated && flags.contains(Caps::CHAL) && !unknown;
        self.role == Role::Responder && self.config.basic_mutual && possible && self.requester_can_sign()
    }

    /// Returns whether the requester has a signature algorithm, which the encapsulated CHALLENGE_AUTH needs.
    fn requester_can_sign(&self) -> bool {
        let selected = self.connection.pqc2021();
        selected.map_or(self.connection.req_asym().is_some(), |selected| selected.requester.can_sign())
    }

    /// Returns whether the responder's CHALLENGE_AUTH may request mutual authentication.
    pub(crate) fn allows_mutual_auth(&self) -> bool {
        let both = |flags| self.connection.both_have(flags);
        self.role == Role::Requester && both(Caps::MUT_AUTH) && both(Caps::ENCAP)
    }

    /// Computes MeasurementSummaryHash of the requested type.
    pub(crate) fn summary(&mut self, summary_type: u8) -> Result<Option<crate::hash::Digest>, Refusal> {
        let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
        let measures = self.own_limits().flags.intersects(Caps::MEAS_NO_SIG | Caps::MEAS_SIG);
        let known = matches!(summary_type, 0 | 1 | ALL);
        if !known || summary_type != 0 && !measures {
            return Err(invalid);
        }
        let negotiated = self.connection.negotiated.ok_or(invalid)?;
        if summary_type != 0 && !negotiated.measures {
            return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
        }
        let measured = measurement_hash(negotiated.algorithms.measurement_hash);
        let measurements = if summary_type == 0 { Vec::new() } else { self.measurements(false)? };
        summary(&measurements, summary_type, negotiated.algorithms.hash, measured)
    }
}

/// Authenticates the responder: it proves possession of a slot's private key.
#[derive(Debug)]
pub struct ChallengeResponder {
    slot: u8,
    summary_type: u8,
    /// The secret of KEM authentication.
    kem_auth: Option<SecretBytes>,
}

impl ChallengeResponder {
    /// Challenges the key of `slot`: 0 to 7, or 0xFF for the provisioned public key. `summary_type`: 0 for no measurement
    /// summary, 1 for the trusted computing base, 0xFF for all measurements.
    #[must_use]
    pub const fn new(slot: u8, summary_type: u8) -> Self {
        Self { slot, summary_type, kem_auth: None }
    }
}

/// The contents of CHALLENGE_AUTH, after its signature was verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengeResult {
    /// MeasurementSummaryHash; empty unless requested.
    pub summary_hash: Vec<u8>,
    /// OpaqueData.
    pub opaque: Vec<u8>,
    /// The mask of slots with a certificate chain.
    pub slots: u8,
    /// Whether the responder requests mutual authentication.
    pub mutual: bool,
}

impl Operation for ChallengeResponder {
    type Output = ChallengeResult;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        cx.check_peer_key(Code::CHALLENGE, self.slot, usage::CHALLENGE)?;
        let (nonce, context) = (cx.nonce(), cx.random());
        let request = Challenge { slot: self.slot, summary_type: self.summary_type, nonce, context };
        if let Some(row) = kem(cx, cx.role.other()) {
            return self.encode_with_kem(cx, row, &request);
        }
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(
        &mut self,
        cx: &mut Context,
        sent: &[u8],
        response: &[u8],
    ) -> Result<Parsed<ChallengeResult>, Error> {
        let request = Code::CHALLENGE;
        let violation = |violation| Error::Violation { request, violation };
        let context = context(cx.role.other());
        let proof = cx.expected_proof(self.slot, context, self.kem_auth.as_ref());
        let summary_hash = if self.summary_type == 0 { 0 } else { cx.connection.hash_len() };
        let sizes = Sizes { signature: proof.len, summary_hash, ..cx.peer_sizes() };
        let (message, len): (ChallengeAuth<'_>, _) = cx.read_response(request, response, &sizes)?;
        let sent_context = match self.kem_auth {
            Some(_) => [0; 8],
            None => cx.read_response::<Challenge>(request, sent, &Sizes::default())?.0.context,
        };
        cx.check_peer_opaque(request, message.opaque)?;
        let in_mask = message.slots.checked_shr(self.slot.into()).is_none_or(|slots| slots & 1 == 1);
        if message.attribute & 0xF != self.slot & 0xF || !in_mask {
            return Err(violation(Violation::Slot));
        }
        let mutual = message.attribute & ChallengeAuth::BASIC_MUT_AUTH != 0;
        if mutual && !cx.allows_mutual_auth() {
            return Err(violation(Violation::MutualAuthentication));
        }
        if message.chain_hash != cx.peer_chain_hash(self.slot)?.as_ref() {
            let provisioned = self.slot == PROVISIONED;
            return Err(violation(if provisioned { Violation::PublicKey } else { Violation::ChainDigest }));
        }
        if message.context != sent_context {
            return Err(violation(Violation::Context));
        }
        let result = ChallengeResult {
            summary_hash: message.summary_hash.to_vec(),
            opaque: message.opaque.to_vec(),
            slots: message.slots,
            mutual,
        };
        Ok(Parsed { proof: Some(proof), ..Parsed::plain(len, Some(result)) })
    }
}

impl ChallengeResponder {
    /// Encodes CHALLENGE with a ciphertext for the peer's long-term key.
    fn encode_with_kem(
        &mut self,
        cx: &mut Context,
        row: &KemRow,
        request: &Challenge,
    ) -> Result<Request, Error> {
        let meter = cx.config.meter.clone();
        let column = Some(MeteredOperation::ChalKemAuthEncap);
        let (ciphertext, secret) = measure(meter.as_ref(), column, || cx.encapsulate(row, self.slot))?;
        self.kem_auth = Some(secret);
        let Challenge { slot, summary_type, nonce, .. } = *request;
        let message = KemChallenge { slot, summary_type, nonce, ciphertext: &ciphertext };
        let sizes = Sizes { exchange_data: ciphertext.len(), ..Sizes::default() };
        Ok(Request::plain(cx.write(&message, &sizes)?))
    }
}
