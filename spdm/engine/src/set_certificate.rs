//! SET_CERTIFICATE and SET_CERTIFICATE_RSP (1.2): install a certificate chain in a slot, or delete it.

use crate::algorithms::Asym;
use crate::chain::{self, Chain};
use crate::config::Binding;
use crate::context::Context;
use crate::error::{Error, Refusal, Violation};
use crate::identity::{SLOTS, model};
use crate::operation::{Operation, Parsed, Request};
use crate::profile;
use crate::refused_request::{Reason, Target};
use crate::reply::{IncomingRequest, Reply};
use crate::session::SessionId;
use crate::transcript::Prover;
use alloc::vec::Vec;
use grille_pki::verify::check_signature;
use grille_pki::{Certificate, PublicKey};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::set_certificate::{SetCertificate, SetCertificateRsp};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (SetCertificate<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let chain = without_padding(request.chain, cx.config.binding);
    let taken = taken - (request.chain.len() - chain.len());
    let request = SetCertificate { chain, ..request };
    install(cx, incoming.session, cx.own_asym().ok_or(invalid)?, &request)?;
    let slot = request.slot();
    let body = cx.respond(&SetCertificateRsp { slot })?;
    Ok(Reply::plain(body, taken))
}

/// Returns the chain without PCI DOE's trailing zeros. Only the chain's own Length says where it ends.
fn without_padding(chain: &[u8], binding: Binding) -> &[u8] {
    let len = chain.first_chunk().map(|len| u32::from_le_bytes(*len) as usize);
    let len = len.filter(|len| chain.len().saturating_sub(*len) <= binding.max_trailing_zeros());
    len.and_then(|len| chain.get(..len)).unwrap_or(chain)
}

/// Installs a chain in a slot of this algorithm, or deletes the chain.
pub(crate) fn install(
    cx: &mut Context,
    session: Option<SessionId>,
    asym: Asym,
    request: &SetCertificate<'_>,
) -> Result<(), Refusal> {
    let slot = request.slot();
    try_install(cx, session, asym, request).map_err(|refusal| refusal.with_target(Target::Slot(slot)))
}

fn try_install(
    cx: &mut Context,
    session: Option<SessionId>,
    asym: Asym,
    request: &SetCertificate<'_>,
) -> Result<(), Refusal> {
    let model = check_allowed(cx, session, asym, request)?;
    let slot = request.slot();
    if request.chain.is_empty() {
        cx.device.set_certificate(session, asym, model::NONE, request)?;
        cx.identity.erase(slot, asym);
        return Ok(());
    }
    let chain = read(cx, asym, model, request)?;
    cx.device.set_certificate(session, asym, model, request)?;
    cx.identity.replace(slot, asym, chain.root_hash, chain.certificates, model);
    Ok(())
}

/// Checks that this request may change the slot, in this session or outside sessions. Returns the certificate model of
/// the new chain.
fn check_allowed(
    cx: &Context,
    session: Option<SessionId>,
    asym: Asym,
    request: &SetCertificate<'_>,
) -> Result<u8, Refusal> {
    let slot = request.slot();
    let state = cx.identity.slot(slot, asym).filter(|state| slot < SLOTS && state.key_pair_id != 0);
    let state = state.ok_or(Reason::NoSlot)?;
    // outside sessions, provisioning needs a trusted environment
    if session.is_none() && !cx.config.trusted_environment {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST).with_reason(Reason::Outside));
    }
    let (key_pairs, multi_key) = (cx.connection.rules.key_pairs, cx.own_sizes().multi_key);
    let erase = key_pairs && request.attributes & SetCertificate::ERASE != 0;
    // requests name a key pair and a model on multi-key connections, and only there
    let named = request.key_pair_id == if multi_key { state.key_pair_id } else { 0 };
    let fits = match erase {
        true => request.model() == model::NONE,
        false => model::is_allowed(request.model(), slot, multi_key),
    };
    if erase != request.chain.is_empty() {
        return Err(Reason::Erase.into());
    }
    if key_pairs && !named {
        return Err(Reason::KeyPair.into());
    }
    if key_pairs && !fits {
        return Err(Reason::Model.into());
    }
    Ok(if multi_key { request.model() } else { state.model })
}

/// The new contents of a slot.
struct NewChain {
    /// RootHash with the bit of its hash, if the chain lacks its root.
    root_hash: Option<(u8, Vec<u8>)>,
    certificates: Vec<Certificate>,
}

/// Parses the chain and checks that it is for the slot's key and that requesters can trust it. In the alias model the chain ends
/// in the device's CA, and the slot's certificates below that CA remain.
fn read(cx: &Context, asym: Asym, model: u8, request: &SetCertificate<'_>) -> Result<NewChain, Reason> {
    let (slot, hash) = (request.slot(), cx.connection.hash().ok_or(Reason::Chain)?);
    let Chain { root_hash, issuers, leaf, .. } =
        chain::parse(hash, request.chain).map_err(|_| Reason::Chain)?;
    let mut certificates: Vec<Certificate> = issuers.into_iter().chain([leaf]).collect();
    if model == model::ALIAS {
        let ca = certificates.last().filter(|ca| ca.is_ca()).and_then(|ca| ca.public_key().ok());
        let below = ca.and_then(|ca| cx.identity.certificates_below(slot, asym, &ca));
        certificates.extend_from_slice(below.ok_or(Reason::AliasCa)?);
    }
    let [first, ..] = &certificates[..] else { return Err(Reason::Chain) };
    let has_root = root_hash == hash.digest(&[&first.to_der()]).as_ref();
    // RootHash does not match the root certificate: it belongs to another chain or another hash algorithm.
    if !has_root && check_signature(first, first).is_ok() {
        return Err(Reason::RootHash);
    }
    check(&certificates, cx.identity.key(slot, asym), model)?;
    Ok(NewChain { root_hash: (!has_root).then_some((hash.bit, root_hash)), certificates })
}

/// Checks that requesters can trust these certificates, and that the leaf is for this key.
fn check(certificates: &[Certificate], key: Option<&PublicKey>, model: u8) -> Result<(), Reason> {
    let leaf = certificates.last().ok_or(Reason::Chain)?;
    if !certificates.windows(2).all(|pair| check_signature(&pair[1], &pair[0]).is_ok()) {
        return Err(Reason::Signature);
    }
    if !key.is_none_or(|ours| leaf.public_key().ok().as_ref() == Some(ours)) {
        return Err(Reason::Key);
    }
    match profile::rejection_reason(leaf, Prover::Responder, model) {
        // the standard does not restrict generic certificates
        Some(reason) if model != model::GENERIC => Err(Reason::Profile(reason)),
        _ => Ok(()),
    }
}

/// Installs a certificate chain in a slot.
#[derive(Clone, Debug)]
pub struct SetChain {
    slot: u8,
    attributes: u8,
    key_pair_id: u8,
    chain: Vec<u8>,
}

impl SetChain {
    /// Installs `chain`, encoded by [`chain::write`].
    #[must_use]
    pub const fn new(slot: u8, chain: Vec<u8>) -> Self {
        Self { slot, attributes: 0, key_pair_id: 0, chain }
    }

    /// Deletes the chain in the slot (1.3).
    #[must_use]
    pub const fn erase(slot: u8) -> Self {
        Self { slot, attributes: SetCertificate::ERASE, key_pair_id: 0, chain: Vec::new() }
    }

    /// Sets the certificate model (1 device, 2 alias, 3 generic) and KeyPairID (1.3).
    #[must_use]
    pub const fn for_key_pair(mut self, key_pair_id: u8, model: u8) -> Self {
        self.key_pair_id = key_pair_id;
        self.attributes |= (model & 7) << 4;
        self
    }
}

impl Operation for SetChain {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let attributes = self.slot & 0xF | self.attributes;
        let request = SetCertificate { attributes, key_pair_id: self.key_pair_id, chain: &self.chain };
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let request = Code::SET_CERTIFICATE;
        let (message, len): (SetCertificateRsp, _) =
            cx.read_response(request, response, &Sizes::default())?;
        if message.slot & 0xF != self.slot {
            return Err(Error::Violation { request, violation: Violation::Slot });
        }
        Ok(Parsed::plain(len, Some(())))
    }
}
