//! GET_DIGESTS and DIGESTS: the hashes of the certificate chains in slots.

use crate::algorithms::Asym;
use crate::context::Context;
use crate::encode::respond_with;
use crate::error::{Error, Refusal, Violation};
use crate::hash::{Digest, Hash};
use crate::identity::{Identity, SLOTS, Slot, model, usage};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::rules::Rules;
use crate::slot_digest::{SlotDigest, entry};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::digests::{Digests, GetDigests};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Sizes, Version};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (GetDigests, taken) = cx.read(incoming.bytes, &Sizes::default())?;
    let connection = &cx.connection;
    let none = Refusal::new(ErrorCode::UNSPECIFIED);
    let (asym, hash) = cx.own_asym().zip(connection.hash()).ok_or(none)?;
    if cx.identity.provisioned_mask(asym) == 0 {
        return Err(Refusal::fault("no slot has a chain for the negotiated algorithm"));
    }
    let body = encode_digests(&cx.identity, asym, hash, connection.version(), &cx.own_sizes())?;
    Ok(Reply::plain(body, taken))
}

/// Encodes DIGESTS of all slots with a chain for `asym`.
pub(crate) fn encode_digests(
    identity: &Identity,
    asym: Asym,
    hash: &Hash,
    version: Version,
    sizes: &Sizes,
) -> Result<Vec<u8>, Refusal> {
    let full = |slot: &&Slot| !slot.certificates.is_empty();
    let slots: Vec<&Slot> = identity.slots(asym).into_iter().filter(full).collect();
    let mut digests = Vec::new();
    for slot in &slots {
        let digest = identity.digest(slot.number, asym, hash).unwrap_or_default();
        digests.extend_from_slice(digest.as_ref());
    }
    let per_slot = |value: fn(&Slot) -> u8| -> Vec<u8> {
        if sizes.multi_key { slots.iter().map(|slot| value(slot)).collect() } else { Vec::new() }
    };
    let usages: Vec<_> = slots.iter().map(|slot| slot.key_usage.to_le_bytes()).collect();
    let response = Digests {
        supported_slots: identity.supported_mask(asym),
        slots: identity.provisioned_mask(asym),
        digests: &digests,
        key_pair_ids: &per_slot(|slot| slot.key_pair_id),
        certificate_infos: &per_slot(|slot| slot.model),
        key_usages: if sizes.multi_key { &usages } else { &[] },
    };
    respond_with(&response, version, sizes)
}

/// Fetches the hashes of the peer's certificate chains.
#[derive(Clone, Copy, Debug, Default)]
pub struct FetchDigests;

impl Operation for FetchDigests {
    type Output = Vec<SlotDigest>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        Ok(Request::plain(cx.write(&GetDigests, &Sizes::default())?))
    }

    fn parse(
        &mut self,
        cx: &mut Context,
        _request: &[u8],
        response: &[u8],
    ) -> Result<Parsed<Self::Output>, Error> {
        let request = Code::GET_DIGESTS;
        let sizes = cx.peer_sizes();
        let (message, len): (Digests<'_>, _) = cx.read_response(request, response, &sizes)?;
        let slots = slots(&message, cx.connection.hash_len());
        check(&message, &slots, cx.connection.rules, sizes.multi_key)
            .map_err(|violation| Error::Violation { request, violation })?;
        for (slot, chain) in (0..).zip(&mut cx.peer.chains) {
            // a changed chain must be fetched again, and a deleted one is no longer available
            chain.take_if(|chain| {
                entry(&slots, slot).is_none_or(|candidate| candidate.digest != chain.digest)
            });
        }
        cx.peer.announced = slots.clone();
        Ok(Parsed::plain(len, Some(slots)))
    }
}

/// Checks the slots in DIGESTS. There must be at least one slot, and SupportedSlotMask must contain all of them (1.3).
/// On multi-key connections each slot has a certificate model, unless its digest is zero because its key has no chain.
/// The key of slot 0 must have one of the standard's key usages.
fn check(
    message: &Digests<'_>,
    slots: &[SlotDigest],
    rules: &Rules,
    multi_key: bool,
) -> Result<(), Violation> {
    let supported = !rules.key_pairs || message.slots & !message.supported_slots == 0;
    if slots.is_empty() || !supported {
        return Err(Violation::Slot);
    }
    let fits = |slot: &SlotDigest| model::is_allowed(slot.model, slot.slot, multi_key) || !slot.is_full();
    let of_use = |slot: &SlotDigest| slot.slot != 0 || usage::permits(multi_key, slot.key_usage, usage::ALL);
    match slots {
        _ if !slots.iter().all(fits) => Err(Violation::Model),
        _ if !slots.iter().all(of_use) => Err(Violation::KeyUsage),
        _ => Ok(()),
    }
}

/// Splits DIGESTS into its slots.
fn slots(message: &Digests<'_>, hash_len: usize) -> Vec<SlotDigest> {
    let present = (0..SLOTS).filter(|slot| message.slots >> slot & 1 == 1);
    let digests = message.digests.chunks_exact(hash_len.max(1));
    let describe = |(i, (slot, digest)): (usize, (u8, &[u8]))| SlotDigest {
        slot,
        digest: Digest::from_slice(digest),
        key_pair_id: message.key_pair_ids.get(i).copied().unwrap_or_default(),
        model: message.certificate_infos.get(i).map_or(0, |info| info & 7),
        key_usage: message.key_usages.get(i).copied().map_or(0, u16::from_le_bytes),
    };
    present.zip(digests).enumerate().map(describe).collect()
}
