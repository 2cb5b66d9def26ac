//! SET_CERTIFICATE and SET_CERTIFICATE_RSP (1.2): a chain is put into a slot, or taken out of it.

use crate::algorithms::Asym;
use crate::chain;
use crate::connection::write;
use crate::context::Context;
use crate::error::{Error, Refusal, Violation};
use crate::flight::{Ask, Operation, Taken};
use crate::identity::{SLOTS, model};
use crate::profile;
use crate::reply::{Asked, Reply};
use crate::session::SessionId;
use crate::transcript::Prover;
use alloc::vec::Vec;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::set_certificate::{SetCertificate, SetCertificateRsp};
use grille_spdm_codec::{Code, Sizes, Version};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (SetCertificate<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    put(cx, asked.session, cx.own_asym().ok_or(invalid)?, &request)?;
    let slot = request.slot();
    let body = write(&SetCertificateRsp { slot }, cx.connection.version, &Sizes::default())?;
    Ok(Reply::plain(body, taken))
}

/// Puts a chain into a slot of this algorithm, or takes out what is there.
pub(crate) fn put(
    cx: &mut Context,
    session: Option<SessionId>,
    asym: Asym,
    request: &SetCertificate<'_>,
) -> Result<(), Refusal> {
    let (invalid, slot) = (Refusal::new(ErrorCode::INVALID_REQUEST), request.slot());
    let held = cx.identity.slot(slot, asym).filter(|held| slot < SLOTS && held.key_pair_id != 0);
    let held = held.ok_or(invalid)?;
    let (key_pair_id, model) = (held.key_pair_id, held.model);
    // outside sessions only who has the device in hand may do this
    if session.is_none() && !cx.config.trusted_environment {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
    }
    let erase = cx.connection.version >= Version::V1_3 && request.attributes & SetCertificate::ERASE != 0;
    if erase != request.chain.is_empty() {
        return Err(invalid);
    }
    let multi_key = cx.own_sizes().multi_key;
    if cx.connection.version >= Version::V1_3 {
        // the slot's key pair and a model are named where there may be several, and nowhere else
        let right = request.key_pair_id == if multi_key { key_pair_id } else { 0 };
        let fits = if erase {
            request.model() == model::NONE
        } else {
            model::fits(request.model(), slot, multi_key)
        };
        if !right || !fits {
            return Err(invalid);
        }
    }
    let model = if multi_key { request.model() } else { model };
    if erase {
        cx.device.set_certificate(session, asym, model::NONE, request)?;
        cx.identity.erase(slot, asym);
    } else {
        let hash = cx.connection.hash().ok_or(invalid)?;
        let chain = chain::parse(hash, request.chain).map_err(|_| invalid)?;
        let ours = cx.identity.key(slot, asym);
        if ours.is_some() && ours != chain.leaf.public_key().ok().as_ref() {
            return Err(invalid);
        }
        // what no requester would believe
        if model != model::GENERIC && profile::objection(&chain.leaf, Prover::Responder, model).is_some() {
            return Err(invalid);
        }
        cx.device.set_certificate(session, asym, model, request)?;
        let has_root = chain.names_root(chain.issuers.first().unwrap_or(&chain.leaf));
        let root_hash = (!has_root).then_some((hash.bit, chain.root_hash));
        let certificates = chain.issuers.into_iter().chain([chain.leaf]).collect();
        cx.identity.replace(slot, asym, root_hash, certificates, model);
    }
    Ok(())
}

/// Puts a chain into a slot.
#[derive(Clone, Debug)]
pub struct SetChain {
    slot: u8,
    attributes: u8,
    key_pair_id: u8,
    chain: Vec<u8>,
}

impl SetChain {
    /// `chain`: as [`chain::write`] makes it.
    #[must_use]
    pub const fn new(slot: u8, chain: Vec<u8>) -> Self {
        Self { slot, attributes: 0, key_pair_id: 0, chain }
    }

    /// Takes out what is in the slot (1.3).
    #[must_use]
    pub const fn erase(slot: u8) -> Self {
        Self { slot, attributes: SetCertificate::ERASE, key_pair_id: 0, chain: Vec::new() }
    }

    /// With a model (1 device, 2 alias, 3 generic) and KeyPairID (1.3).
    #[must_use]
    pub const fn of_key_pair(mut self, key_pair_id: u8, model: u8) -> Self {
        self.key_pair_id = key_pair_id;
        self.attributes |= (model & 7) << 4;
        self
    }
}

impl Operation for SetChain {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let attributes = self.slot & 0xF | self.attributes;
        let request = SetCertificate { attributes, key_pair_id: self.key_pair_id, chain: &self.chain };
        Ok(Ask::plain(cx.write(&request, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let request = Code::SET_CERTIFICATE;
        let (message, len): (SetCertificateRsp, _) =
            cx.read_response(request, response, &Sizes::default())?;
        if message.slot & 0xF != self.slot {
            return Err(Error::Violation { request, violation: Violation::Slot });
        }
        Ok(Taken::plain(len, Some(())))
    }
}
