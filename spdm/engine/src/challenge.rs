//! CHALLENGE and CHALLENGE_AUTH: the owner of a certificate chain signs the transcript.

use crate::auth_failure::AuthFailure;
use crate::config::Role;
use crate::context::Context;
use crate::device::{ALL, measurement_hash, summary};
use crate::encode::respond_with;
use crate::error::Refusal;
use crate::error::{Error, Violation};
use crate::identity::{PROVISIONED, usage};
use crate::operation::{Operation, Parsed, Request};
use crate::proof::{ExpectedProof, Proof};
use crate::reply::{IncomingRequest, Reply};
use crate::signatures;
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::challenge::{Challenge, ChallengeAuth};
use grille_spdm_codec::error::ErrorCode;

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (Challenge, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let signer = cx.signer(request.slot, usage::CHALLENGE)?;
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
    let asym = cx.own_asym().ok_or(invalid)?;
    let response = ChallengeAuth {
        attribute: request.slot & 0xF
            | if cx.requests_mutual_auth() { ChallengeAuth::BASIC_MUT_AUTH } else { 0 },
        slots: cx.identity.provisioned_mask(asym),
        chain_hash: chain_hash.as_ref(),
        nonce: cx.nonce(),
        summary_hash,
        opaque: &opaque,
        context: request.context,
        signature: &[],
    };
    let sizes = Sizes { summary_hash: summary_hash.len(), ..cx.own_sizes() };
    let body = respond_with(&response, cx.connection.version(), &sizes)?;
    let proof = Some(Proof::Signature { signer, context: context(cx.role) });
    Ok(Reply { proof, ..Reply::plain(body, taken) })
}

/// Returns the signing context of CHALLENGE_AUTH.
const fn context(signer: Role) -> &'static str {
    match signer {
        Role::Responder => signatures::CHALLENGE_AUTH,
        Role::Requester => signatures::ENCAPSULATED_CHALLENGE_AUTH,
    }
}

impl Context {
    /// Returns whether CHALLENGE_AUTH requests mutual authentication. That needs a requester with CHAL_CAP, whose public key is
    /// provisioned if it has PUB_KEY_ID_CAP.
    pub(crate) fn requests_mutual_auth(&self) -> bool {
        let (connection, flags) = (&self.connection, self.connection.requester.flags);
        let unknown = flags.contains(Caps::PUB_KEY_ID) && self.peer.provisioned.is_none();
        let negotiated = connection.both_have(Caps::MUT_AUTH) && connection.both_have(Caps::ENCAP);
        let possible = negotiated && flags.contains(Caps::CHAL) && !unknown;
        self.role == Role::Responder && self.config.basic_mutual && possible && self.peer_asym().is_some()
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
}

impl ChallengeResponder {
    /// `slot`: 0 to 7, or 0xFF for the provisioned public key. `summary_type`: 0 for no measurement summary, 1 for the trusted
    /// computing base, 0xFF for all measurements.
    #[must_use]
    pub const fn new(slot: u8, summary_type: u8) -> Self {
        Self { slot, summary_type }
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
        let (signature, hash) = (cx.peer_signature_len(), cx.connection.hash_len());
        let summary_hash = if self.summary_type == 0 { 0 } else { hash };
        let sizes = Sizes { signature, summary_hash, ..cx.peer_sizes() };
        let (message, len): (ChallengeAuth<'_>, _) = cx.read_response(request, response, &sizes)?;
        let (sent, _): (Challenge, _) = cx.read_response(request, sent, &Sizes::default())?;
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
        if message.context != sent.context {
            return Err(violation(Violation::Context));
        }
        let result = ChallengeResult {
            summary_hash: message.summary_hash.to_vec(),
            opaque: message.opaque.to_vec(),
            slots: message.slots,
            mutual,
        };
        let proof = Some(ExpectedProof {
            slot: self.slot,
            context: context(cx.role.other()),
            len: signature,
        });
        Ok(Parsed { proof, ..Parsed::plain(len, Some(result)) })
    }
}
