//! GET_CERTIFICATE and CERTIFICATE: read a certificate chain in portions.

use crate::algorithms::Asym;
use crate::chain;
use crate::config::Role;
use crate::context::Context;
use crate::encode::respond_with;
use crate::error::Refusal;
use crate::error::{Error, Usage, Violation};
use crate::identity::{SLOTS, model};
use crate::meter::{MeteredOperation, measure};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::session::SessionId;
use crate::slot_digest::{self, SlotDigest};
use crate::transcript::Prover;
use crate::trust::Claim;
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::Sizes;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::pqc2021::certificate::{
    Certificate as WideCertificate, GetCertificate as WideGetCertificate,
};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, len) = read(cx, incoming.bytes)?;
    let asym = cx.own_asym().ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
    let body = encode_portion(cx, asym, &request, incoming.session)?;
    Ok(Reply::plain(body, len))
}

/// Reads GET_CERTIFICATE. In `pqc2021` the message has different fields for the same values.
fn read(cx: &Context, bytes: &[u8]) -> Result<(GetCertificate, usize), Refusal> {
    if !cx.connection.rules.wide_certificates {
        return cx.read(bytes, &Sizes::default());
    }
    let (request, len): (WideGetCertificate, _) = cx.read(bytes, &Sizes::default())?;
    let WideGetCertificate { slot, offset, length } = request;
    Ok((GetCertificate { slot, large: true, attributes: 0, offset, length }, len))
}

/// Encodes CERTIFICATE.
fn encode_portion(
    cx: &Context,
    asym: Asym,
    request: &GetCertificate,
    session: Option<SessionId>,
) -> Result<Vec<u8>, Refusal> {
    let (connection, identity) = (&cx.connection, &cx.identity);
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let version = connection.version();
    let hash = connection.hash().ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
    let wide = connection.rules.wide_certificates;
    let large = wide || cx.own_limits().flags.contains(Caps::LARGE_RESP);
    if request.slot >= SLOTS || request.large && !large {
        return Err(invalid);
    }
    let size_only = connection.rules.chain_sizes && request.attributes & SLOT_SIZE_REQUESTED != 0;
    let chain = identity.chain(request.slot, asym, hash).ok_or(invalid)?;
    let announced = identity.slot(request.slot, asym).filter(|_| cx.own_sizes().multi_key);
    let offset = if size_only { 0 } else { request.offset as usize };
    let rest = chain.get(offset..).filter(|rest| !rest.is_empty()).ok_or(invalid)?;
    let portion =
        if size_only { &[] } else { &rest[..rest.len().min(max_portion_len(cx, request, session))] };
    let remainder = rest.len() - portion.len();
    if !request.large && chain.len() > usize::from(u16::MAX) {
        return Err(too_large(chain.len()));
    }
    let remainder = u32::try_from(remainder).map_err(|_| invalid)?;
    if wide {
        let response = WideCertificate { slot: request.slot, portion, remainder };
        return respond_with(&response, version, &Sizes::default());
    }
    let response = Certificate {
        slot: request.slot,
        large: request.large,
        certificate_info: announced.map_or(model::NONE, |slot| slot.model),
        portion,
        remainder,
    };
    respond_with(&response, version, &Sizes::default())
}

/// Returns how many bytes of the chain fit a response. The request sets one limit. The other limit is MaxSPDMmsgSize
/// with chunks, DataTransferSize without chunks, and [`PORTION_LEN`] before 1.2.
fn max_portion_len(cx: &Context, request: &GetCertificate, session: Option<SessionId>) -> usize {
    let (header, narrow) = if request.large { (16, usize::MAX) } else { (8, usize::from(u16::MAX)) };
    let limit = if !cx.connection.rules.message_limits {
        PORTION_LEN
    } else {
        cx.message_limit(session).saturating_sub(header + ENCAPSULATION_LEN)
    };
    limit.min(request.length as usize).min(narrow)
}

/// Bytes that ENCAPSULATED_RESPONSE_ACK or DELIVER_ENCAPSULATED_RESPONSE adds around the message.
const ENCAPSULATION_LEN: usize = 8;

/// SlotSizeRequested (1.3).
const SLOT_SIZE_REQUESTED: u8 = 1;

/// The length of a portion in bytes before 1.2, where peers do not announce their limits.
const PORTION_LEN: usize = 1024;

/// Returns the refusal of a chain that is longer than 16 bits can express. Before 1.4 no error code exists for this
/// refusal.
fn too_large(len: usize) -> Refusal {
    let len = u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
    Refusal::extended(ErrorCode::DATA_TOO_LARGE, len)
}

/// Fetches the certificate chain of a slot and verifies it.
#[derive(Debug)]
pub struct FetchCertificate {
    slot: u8,
    /// The slot's entry in earlier DIGESTS; `None` to use the last DIGESTS received.
    announced: Option<SlotDigest>,
    /// CertModel from CERTIFICATE.
    model: u8,
    chain: Vec<u8>,
    /// The length of the whole chain in bytes, from the first portion.
    total: Option<u64>,
}

impl FetchCertificate {
    /// Returns an operation that fetches the chain of this slot, 0 to 7.
    #[must_use]
    pub const fn new(slot: u8) -> Self {
        Self { slot, announced: None, model: model::NONE, chain: Vec::new(), total: None }
    }

    /// Returns an operation that fetches the chain of a slot in DIGESTS. DIGESTS received in the meantime do not change
    /// the expected digest.
    pub(crate) fn for_announced(announced: SlotDigest) -> Self {
        Self { announced: Some(announced), ..Self::new(announced.slot) }
    }

    fn announced_digest(&self, cx: &Context) -> Option<SlotDigest> {
        self.announced.or_else(|| slot_digest::entry(&cx.peer.announced, self.slot).copied())
    }

    /// Verifies the complete chain and stores it.
    fn verify_chain(&self, cx: &mut Context) -> Result<(), Error> {
        let request = Code::GET_CERTIFICATE;
        let hash = cx.connection.hash().ok_or(Usage::NotConnected)?;
        let chain = chain::parse(hash, &self.chain)?;
        let chain = match cx.connection.pqc2021() {
            Some(selected) => chain.in_era(selected.numbers),
            None => chain,
        };
        let verifier = cx.chain_verifier.as_ref().ok_or(Usage::NoChainVerifier)?;
        let place = usize::from(self.slot);
        if self.announced_digest(cx).is_some_and(|announced| announced.digest != chain.digest) {
            return Err(Error::Violation { request, violation: Violation::ChainDigest });
        }
        let prover = match cx.role {
            Role::Requester => Prover::Responder,
            Role::Responder => Prover::Requester,
        };
        let alias = cx.peer_limits().flags.contains(Caps::ALIAS_CERT);
        let model = match self.model {
            model::NONE if alias => model::ALIAS,
            model::NONE => model::DEVICE,
            announced => announced,
        };
        let claim = Claim { prover, slot: self.slot, model };
        let column = (cx.role == Role::Requester).then_some(MeteredOperation::CertVerify);
        let verified = measure(cx.config.meter.as_ref(), column, || verifier.verify(&claim, &chain));
        verified.map_err(Error::Untrusted)?;
        let stored = cx.peer.chains.get_mut(place);
        *stored.ok_or(Usage::NoChain { slot: self.slot })? = Some(chain);
        Ok(())
    }
}

impl Operation for FetchCertificate {
    type Output = Vec<u8>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let large = cx.connection.rules.large_fields && cx.peer_limits().flags.contains(Caps::LARGE_RESP);
        let offset = u32::try_from(self.chain.len()).unwrap_or(u32::MAX);
        if cx.connection.rules.wide_certificates {
            let request = WideGetCertificate { slot: self.slot, offset, length: PORTION_LEN as u32 };
            return Ok(Request::plain(cx.write(&request, &Sizes::default())?));
        }
        let length = if large { u32::MAX } else { u32::from(u16::MAX) };
        let request = GetCertificate { slot: self.slot, large, attributes: 0, offset, length };
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(
        &mut self,
        cx: &mut Context,
        _request: &[u8],
        response: &[u8],
    ) -> Result<Parsed<Vec<u8>>, Error> {
        let request = Code::GET_CERTIFICATE;
        let violation = |violation| Error::Violation { request, violation };
        let (message, len) = read_response(cx, response)?;
        if message.slot != self.slot {
            return Err(violation(Violation::Slot));
        }
        let announced = self.announced_digest(cx);
        let model = message.certificate_info & 7;
        let same = announced.is_none_or(|announced| announced.model == model);
        if !same || !model::is_allowed(model, self.slot, cx.peer_sizes().multi_key) {
            return Err(violation(Violation::Model));
        }
        self.model = model;
        let total = (self.chain.len() + message.portion.len()) as u64 + u64::from(message.remainder);
        let same = total == *self.total.get_or_insert(total);
        if message.portion.is_empty() || total > MAX_CHAIN_LEN || !same {
            return Err(violation(Violation::Portion));
        }
        self.chain.extend_from_slice(message.portion);
        if message.remainder > 0 {
            return Ok(Parsed::plain(len, None));
        }
        self.verify_chain(cx)?;
        Ok(Parsed::plain(len, Some(core::mem::take(&mut self.chain))))
    }
}

/// Reads CERTIFICATE. In `pqc2021` the message has different fields for the same values.
fn read_response<'a>(cx: &Context, response: &'a [u8]) -> Result<(Certificate<'a>, usize), Error> {
    let request = Code::GET_CERTIFICATE;
    if !cx.connection.rules.wide_certificates {
        return cx.read_response(request, response, &Sizes::default());
    }
    let (message, len): (WideCertificate<'_>, _) = cx.read_response(request, response, &Sizes::default())?;
    let WideCertificate { slot, portion, remainder } = message;
    Ok((Certificate { slot, portion, remainder, ..Certificate::default() }, len))
}

/// The longest chain accepted, in bytes. Six certificates with the longest signatures fit.
const MAX_CHAIN_LEN: u64 = 0x8_0000;
