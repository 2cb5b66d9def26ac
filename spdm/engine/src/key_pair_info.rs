//! GET_KEY_PAIR_INFO and SET_KEY_PAIR_INFO (1.3): read and change the device's key pairs.

use crate::algorithms::Asym;
use crate::context::Context;
use crate::device::KeyPair;
use crate::error::{Error, Refusal, Violation};
use crate::operation::{Operation, Parsed, Request};
use crate::refused_request::{Reason, Target};
use crate::reply::{IncomingRequest, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::bank::pqc_bytes;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::{
    GetKeyPairInfo, KeyPairAsym, KeyPairCapabilities, KeyPairInfo, SetKeyPairInfo, SetKeyPairInfoAck,
};
use grille_spdm_codec::{Code, Message, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (GetKeyPairInfo, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let pairs = cx.device.key_pairs()?;
    let place = usize::from(request.key_pair_id).checked_sub(1);
    let pair = place.and_then(|place| pairs.get(place));
    let pair =
        pair.ok_or(Refusal::from(Reason::NoKeyPair).with_target(Target::KeyPair(request.key_pair_id)))?;
    let total = u8::try_from(pairs.len()).map_err(|_| Refusal::fault("there are more than 255 key pairs"))?;
    let body = cx.respond(&pair.message(total, request.key_pair_id))?;
    Ok(Reply::plain(body, taken))
}

pub(crate) fn respond_set(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (SetKeyPairInfo<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let pairs = cx.device.key_pairs()?;
    let about = |refusal: Refusal| refusal.with_target(Target::KeyPair(request.key_pair_id));
    let place = usize::from(request.key_pair_id).checked_sub(1).filter(|place| *place < pairs.len());
    let place = place.ok_or(about(Reason::NoKeyPair.into()))?;
    check(&request, &pairs, place).map_err(about)?;
    cx.device.set_key_pair(incoming.session, &request).map_err(about)?;
    let changed_pairs = cx.device.key_pairs()?;
    let pair = changed_pairs.get(place).ok_or(Refusal::fault("the device no longer has the key pair"))?;
    cx.identity.restrict_usage(request.key_pair_id, pair.usage.0);
    if pair.capabilities.contains(KeyPairCapabilities::CERT_ASSOC) {
        let key = cx.device.key(request.key_pair_id);
        cx.identity.associate(request.key_pair_id, pair.slots, pair.usage.0, key);
    }
    Ok(Reply::plain(cx.respond(&SetKeyPairInfoAck)?, taken))
}

/// Returns whether this key pair is of this algorithm. The device's list of key pairs decides. If the key pair is not
/// in that list, a slot of this algorithm must contain it.
pub(crate) fn signs_with(cx: &mut Context, key_pair_id: u8, asym: Asym) -> Result<bool, Refusal> {
    let pairs = cx.device.key_pairs()?;
    Ok(match usize::from(key_pair_id).checked_sub(1).and_then(|place| pairs.get(place)) {
        Some(pair) => {
            let (asym, pqc) = asym.key_pair_bits();
            Algorithm::new(pair.asym, &pair.pqc) == Algorithm::new(asym, pqc_bytes(pqc, &mut [0; 4]))
        }
        None => cx.identity.slots(asym).iter().any(|slot| slot.key_pair_id == key_pair_id),
    })
}

/// Checks that the key pair is capable of the requested change, and that its current state allows it.
fn check(request: &SetKeyPairInfo<'_>, pairs: &[KeyPair], place: usize) -> Result<(), Refusal> {
    let (pair, desired) = (&pairs[place], Algorithm::new(request.asym, request.pqc));
    let can = |capability| pair.capabilities.contains(capability);
    let operation = match request.operation {
        SetKeyPairInfo::CHANGE => true,
        SetKeyPairInfo::ERASE => can(KeyPairCapabilities::ERASABLE),
        SetKeyPairInfo::GENERATE => can(KeyPairCapabilities::GEN_KEY),
        _ => false,
    };
    let usage = request.usage.is_empty()
        || can(KeyPairCapabilities::KEY_USAGE) && pair.usage_capabilities.contains(request.usage);
    let able = Algorithm::new(pair.asym_capabilities, &pair.pqc_capabilities);
    let algorithm =
        desired.is_none() || can(KeyPairCapabilities::ASYM_ALGO) && desired.is_one() && able.has(&desired);
    // an existing key cannot change its algorithm
    let current = Algorithm::new(pair.asym, &pair.pqc);
    let generated = request.operation == SetKeyPairInfo::CHANGE && !pair.public_key_info.is_empty();
    let same = !generated || desired.is_none() || desired == current;
    let slots = (request.slots == 0 || request.slots == pair.slots || can(KeyPairCapabilities::CERT_ASSOC))
        && (request.slots.count_ones() <= 1 || can(KeyPairCapabilities::SHAREABLE));
    let able = [
        (operation, Reason::Operation),
        (usage, Reason::Usage),
        (algorithm && same, Reason::Algorithm),
        (slots, Reason::Slots),
    ];
    if let Some((_, reason)) = able.into_iter().find(|(fine, _)| !fine) {
        return Err(reason.into());
    }
    let replaces_key = request.operation != SetKeyPairInfo::CHANGE;
    let algorithm = if desired.is_none() { current } else { desired };
    let nothing_to_generate = request.operation == SetKeyPairInfo::GENERATE && algorithm.is_none();
    // for each slot and algorithm, DIGESTS can contain only one key pair
    let more = request.slots & !pair.slots;
    let taken =
        |other: &KeyPair| other.slots & more != 0 && Algorithm::new(other.asym, &other.pqc) == algorithm;
    let now = [
        (replaces_key && pair.slots != 0, Reason::InSlot),
        (nothing_to_generate, Reason::NothingToGenerate),
        (pairs.iter().any(taken), Reason::SlotTaken),
    ];
    match now.into_iter().find(|(wrong, _)| *wrong) {
        Some((_, reason)) => Err(Refusal::new(ErrorCode::OPERATION_FAILED).with_reason(reason)),
        None => Ok(()),
    }
}

/// The algorithms of a key pair, classical and post-quantum.
#[derive(Clone, PartialEq, Eq)]
struct Algorithm(KeyPairAsym, Vec<u8>);

impl Algorithm {
    /// Combines the two sets of algorithms. Trailing zeros of `pqc` are ignored.
    fn new(asym: KeyPairAsym, pqc: &[u8]) -> Self {
        let len = pqc.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        Self(asym, pqc[..len].to_vec())
    }

    fn is_none(&self) -> bool {
        self.0.is_empty() && self.1.is_empty()
    }

    fn is_one(&self) -> bool {
        self.1.iter().fold(self.0.0.count_ones(), |bits, byte| bits + byte.count_ones()) == 1
    }

    fn has(&self, other: &Self) -> bool {
        let known = self.1.iter().chain(core::iter::repeat(&0));
        self.0.contains(other.0) && other.1.iter().zip(known).all(|(byte, known)| byte & !known == 0)
    }
}

impl KeyPair {
    fn message(&self, total: u8, key_pair_id: u8) -> KeyPairInfo<'_> {
        KeyPairInfo {
            total,
            key_pair_id,
            capabilities: self.capabilities,
            usage_capabilities: self.usage_capabilities,
            usage: self.usage,
            asym_capabilities: self.asym_capabilities,
            asym: self.asym,
            slots: self.slots,
            public_key_info: &self.public_key_info,
            pqc_capabilities: &self.pqc_capabilities,
            pqc: &self.pqc,
        }
    }
}

/// Fetches a key pair's properties, and the number of key pairs.
#[derive(Clone, Copy, Debug)]
pub struct FetchKeyPair(
    /// KeyPairID, from 1.
    pub u8,
);

impl Operation for FetchKeyPair {
    type Output = (u8, KeyPair);

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        Ok(Request::plain(cx.write(&GetKeyPairInfo { key_pair_id: self.0 }, &Sizes::default())?))
    }

    fn parse(&mut self, _: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<Self::Output>, Error> {
        let request = Code::GET_KEY_PAIR_INFO;
        // in 1.4 libspdm 4.0 sends trailing bytes after the message; no transcript covers them
        let read = KeyPairInfo::decode_prefix(response, &Sizes::default());
        let (message, len) = read.map_err(|error| Error::Malformed { request, error })?;
        if message.key_pair_id != self.0 || self.0 > message.total {
            return Err(Error::Violation { request, violation: Violation::KeyPair });
        }
        let pair = KeyPair {
            capabilities: message.capabilities,
            usage_capabilities: message.usage_capabilities,
            usage: message.usage,
            asym_capabilities: message.asym_capabilities,
            asym: message.asym,
            slots: message.slots,
            public_key_info: message.public_key_info.to_vec(),
            pqc_capabilities: message.pqc_capabilities.to_vec(),
            pqc: message.pqc.to_vec(),
        };
        Ok(Parsed::plain(len, Some((message.total, pair))))
    }
}

/// Changes, erases or generates a key pair. Usage and algorithm may be left out to keep them. The slots must be listed
/// in full: afterwards the key pair is in exactly these slots.
#[derive(Clone, Debug)]
pub struct SetKeyPair {
    /// The operation: 0 change, 1 erase, 2 generate.
    pub operation: u8,
    /// KeyPairID, from 1.
    pub key_pair_id: u8,
    /// The desired usage, algorithm and slots. Other fields are ignored.
    pub desired: KeyPair,
}

impl Operation for SetKeyPair {
    type Output = ();

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let KeyPair { usage, asym, slots, pqc, .. } = &self.desired;
        let (operation, key_pair_id) = (self.operation, self.key_pair_id);
        let request =
            SetKeyPairInfo { operation, key_pair_id, usage: *usage, asym: *asym, slots: *slots, pqc };
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let request = Code::SET_KEY_PAIR_INFO;
        let (SetKeyPairInfoAck, len) = cx.read_response(request, response, &Sizes::default())?;
        Ok(Parsed::plain(len, Some(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use grille_spdm_codec::key_pair_info::KeyUsage;

    const P256: KeyPairAsym = KeyPairAsym::ECC_256;
    const P384: KeyPairAsym = KeyPairAsym::ECC_384;

    /// Returns a P-384 key pair in slot 1 and a P-256 key pair in slot 2.
    fn device(capabilities: KeyPairCapabilities) -> [KeyPair; 2] {
        let pair = |asym, slots| KeyPair {
            capabilities,
            usage_capabilities: KeyUsage(7),
            asym_capabilities: P256 | P384,
            pqc_capabilities: vec![3],
            asym,
            slots,
            public_key_info: vec![0x30, 0],
            ..KeyPair::default()
        };
        [pair(P384, 0b10), pair(P256, 0b100)]
    }

    /// Returns the ErrorCode and the reason with which the request for the first key pair of `device` is refused;
    /// `None` if it is accepted.
    fn refusal(device: &[KeyPair], request: &SetKeyPairInfo<'_>) -> Option<(ErrorCode, Reason)> {
        check(request, device, 0).err().and_then(|refusal| Some((refusal.code, refusal.reason()?)))
    }

    fn invalid(reason: Reason) -> Option<(ErrorCode, Reason)> {
        Some((ErrorCode::INVALID_REQUEST, reason))
    }

    #[test]
    fn rejects_changes_that_a_key_pair_does_not_support() {
        use KeyPairCapabilities as Can;
        let all = Can(0x3F);
        let free = |can| device(can).map(|pair| KeyPair { slots: 0, public_key_info: Vec::new(), ..pair });
        let request = SetKeyPairInfo { key_pair_id: 1, ..SetKeyPairInfo::default() };
        let operation = |operation| SetKeyPairInfo { operation, ..request };
        for (needed, request, reason) in [
            (Can::ERASABLE, operation(SetKeyPairInfo::ERASE), Reason::Operation),
            (Can::GEN_KEY, operation(SetKeyPairInfo::GENERATE), Reason::Operation),
            (Can::KEY_USAGE, SetKeyPairInfo { usage: KeyUsage(5), ..request }, Reason::Usage),
            (Can::ASYM_ALGO, SetKeyPairInfo { asym: P256, ..request }, Reason::Algorithm),
            (Can::ASYM_ALGO, SetKeyPairInfo { pqc: &[2, 0], ..request }, Reason::Algorithm),
            (Can::CERT_ASSOC, SetKeyPairInfo { slots: 1, ..request }, Reason::Slots),
            (Can::SHAREABLE, SetKeyPairInfo { slots: 3, ..request }, Reason::Slots),
        ] {
            assert_eq!(refusal(&free(all), &request), None, "{request:?}");
            let without = free(Can(all.0 & !needed.0));
            assert_eq!(refusal(&without, &request), invalid(reason), "{request:?}");
        }
        for (request, reason) in [
            (operation(3), Reason::Operation),
            (SetKeyPairInfo { usage: KeyUsage(8), ..request }, Reason::Usage),
            (SetKeyPairInfo { asym: P256 | P384, ..request }, Reason::Algorithm),
            (SetKeyPairInfo { asym: KeyPairAsym::ED25519, ..request }, Reason::Algorithm),
            (SetKeyPairInfo { pqc: &[4], ..request }, Reason::Algorithm),
            (SetKeyPairInfo { pqc: &[1, 1], ..request }, Reason::Algorithm),
            (SetKeyPairInfo { asym: P256, pqc: &[1], ..request }, Reason::Algorithm),
        ] {
            assert_eq!(refusal(&free(all), &request), invalid(reason), "{request:?}");
        }
    }

    #[test]
    fn rejects_changes_that_the_current_state_forbids() {
        let device = device(KeyPairCapabilities(0x3F));
        let failed = |reason| Some((ErrorCode::OPERATION_FAILED, reason));
        let request = SetKeyPairInfo { key_pair_id: 1, ..SetKeyPairInfo::default() };
        // a key pair in a slot can be neither erased nor generated again
        for operation in [SetKeyPairInfo::ERASE, SetKeyPairInfo::GENERATE] {
            assert_eq!(refusal(&device, &SetKeyPairInfo { operation, ..request }), failed(Reason::InSlot));
        }
        // an existing key keeps its algorithm
        let change = |asym| SetKeyPairInfo { asym, slots: 0b10, ..request };
        assert_eq!(refusal(&device, &change(P384)), None);
        assert_eq!(refusal(&device, &change(P256)), invalid(Reason::Algorithm));
        // a slot conflicts only with a key pair of the same algorithm
        let slots = SetKeyPairInfo { slots: 0b110, ..request };
        assert_eq!(refusal(&device, &slots), None);
        let mut alike = device.clone();
        alike[1].asym = P384;
        assert_eq!(refusal(&alike, &slots), failed(Reason::SlotTaken));
        // slots that both key pairs already share remain allowed
        alike[0].slots = 0b110;
        assert_eq!(refusal(&alike, &slots), None);
        // Neither the key pair nor the request names an algorithm to generate a key for.
        let nothing = [KeyPair { asym: KeyPairAsym::NONE, slots: 0, ..device[0].clone() }];
        let generate = SetKeyPairInfo { operation: SetKeyPairInfo::GENERATE, ..request };
        assert_eq!(refusal(&nothing, &generate), failed(Reason::NothingToGenerate));
        assert_eq!(refusal(&nothing, &SetKeyPairInfo { pqc: &[1], ..generate }), None);
    }
}
