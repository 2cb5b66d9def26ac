//! What is done to an emulated device in its factory: its keys are asked about, certified anew, and allowed less.

use super::algorithms::key_name;
use super::device::Emulated;
use super::own::Signed;
use grille_core::SystemRng;
use grille_pki::Request;
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage, SetKeyPairInfo};
use grille_spdm_codec::set_certificate::SetCertificate;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::device::{Device, KeyPair, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::session::SessionId;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The keys of a device, which all who serve it share.
#[derive(Clone)]
pub(super) struct Keys {
    /// KeyPairID 1 is the first.
    pairs: Arc<[Signed]>,
    usages: Arc<Mutex<Vec<KeyUsage>>>,
    slots: u8,
}

/// What every key may be used for.
const EVERYTHING: KeyUsage = KeyUsage(
    KeyUsage::KEY_EX.0 | KeyUsage::CHALLENGE.0 | KeyUsage::MEASUREMENT.0 | KeyUsage::ENDPOINT_INFO.0,
);

impl Keys {
    /// `slots`: so many have a chain for each key.
    pub(super) fn new(pairs: Vec<Signed>, slots: u8) -> Self {
        let usages = Arc::new(Mutex::new(vec![EVERYTHING; pairs.len()]));
        Self { pairs: pairs.into(), usages, slots: ((1_u16 << slots) - 1) as u8 }
    }

    fn usage<T>(&self, change: impl FnOnce(&mut Vec<KeyUsage>) -> T) -> T {
        change(&mut self.usages.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The emulated device with its keys, for one requester.
pub(super) struct Provisioned {
    keys: Keys,
    /// Whether the requester has changed what the device proves itself with.
    changed: Arc<AtomicBool>,
}

impl Provisioned {
    /// `changed` is set when SET_CERTIFICATE or SET_KEY_PAIR_INFO changes something.
    pub(super) fn new(keys: Keys, changed: Arc<AtomicBool>) -> Self {
        Self { keys, changed }
    }

    /// The pair that a request names; where there is nothing to choose from, it names none.
    fn pair(&self, key_pair_id: u8, asym: Asym) -> Option<&Signed> {
        match usize::from(key_pair_id).checked_sub(1) {
            Some(place) => self.keys.pairs.get(place),
            None => self.keys.pairs.iter().find(|pair| pair.asym() == asym),
        }
    }
}

impl Device for Provisioned {
    fn measurements(&mut self, pending: bool) -> Vec<Measurement> {
        Emulated.measurements(pending)
    }

    fn measurement_log(&mut self) -> Vec<u8> {
        Emulated.measurement_log()
    }

    fn endpoint_info(&mut self, sub_code: u8) -> Option<Vec<u8>> {
        Emulated.endpoint_info(sub_code)
    }

    fn vendor(
        &mut self,
        session: Option<SessionId>,
        standard: u16,
        id: &[u8],
        data: &[u8],
    ) -> Option<Vec<u8>> {
        Emulated.vendor(session, standard, id, data)
    }

    fn application(&mut self, session: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        Emulated.application(session, message)
    }

    /// For the subject of the key's certificate. It is there at once: no reset, and nothing to track.
    fn csr(&mut self, asym: Asym, request: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        let tracked = request.attributes & GetCsr::TRACKING_TAG != 0;
        let pair = self.pair(request.key_pair_id, asym).filter(|_| !tracked);
        let Signed { chain, key, .. } = pair.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
        let failed = |_| Refusal::new(ErrorCode::UNSPECIFIED);
        let leaf = chain.last().ok_or(Refusal::new(ErrorCode::UNSPECIFIED))?;
        Ok(Request::new(&leaf.subject(), &[], key, &mut SystemRng).map_err(failed)?.to_der())
    }

    fn set_certificate(&mut self, _request: &SetCertificate<'_>) -> Result<(), Refusal> {
        self.changed.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn key_pairs(&mut self) -> Vec<KeyPair> {
        let usages = self.keys.usage(|usages| usages.clone());
        let told = |(pair, usage): (&Signed, KeyUsage)| {
            let (asym, pqc) = algorithm(pair.asym());
            KeyPair {
                capabilities: KeyPairCapabilities::KEY_USAGE,
                usage_capabilities: EVERYTHING,
                usage,
                asym_capabilities: asym,
                asym,
                slots: self.keys.slots,
                public_key_info: pair.key.public_key().to_algorithm_der().unwrap_or_default(),
                pqc_capabilities: pqc.clone(),
                pqc,
            }
        };
        self.keys.pairs.iter().zip(usages).map(told).collect()
    }

    /// Only what a key is for can be changed; naming nothing leaves it.
    fn set_key_pair(&mut self, request: &SetKeyPairInfo<'_>) -> Result<(), Refusal> {
        let place = usize::from(request.key_pair_id) - 1;
        let known = self.keys.pairs.get(place).map(|pair| algorithm(pair.asym()));
        let (asym, pqc) = known.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
        let same = (request.asym.is_empty() || request.asym == asym)
            && (request.pqc.iter().all(|byte| *byte == 0) || request.pqc == pqc)
            && (request.slots == 0 || request.slots == self.keys.slots);
        if request.operation != SetKeyPairInfo::CHANGE || !same || !EVERYTHING.contains(request.usage) {
            return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
        }
        if !request.usage.is_empty() {
            self.keys.usage(|usages| usages[place] = request.usage);
            self.changed.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

/// The bit of KEY_PAIR_INFO, classical or, lowest byte first, post-quantum.
fn algorithm(asym: Asym) -> (KeyPairAsym, Vec<u8>) {
    let bit = match asym {
        Asym::PostQuantum(row) => {
            let bit = row.spdm_bit.map_or(0, |bit| 1_u32 << bit);
            return (KeyPairAsym::NONE, bit.to_le_bytes().to_vec());
        }
        Asym::Classical(_) => match key_name(asym).as_str() {
            "RSA-2048" => KeyPairAsym::RSA_2048,
            "RSA-3072" => KeyPairAsym::RSA_3072,
            "RSA-4096" => KeyPairAsym::RSA_4096,
            "ECDSA-P256" => KeyPairAsym::ECC_256,
            "ECDSA-P384" => KeyPairAsym::ECC_384,
            "ECDSA-P521" => KeyPairAsym::ECC_521,
            "Ed25519" => KeyPairAsym::ED25519,
            "Ed448" => KeyPairAsym::ED448,
            _ => KeyPairAsym::NONE,
        },
    };
    (bit, Vec::new())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spdm::algorithms::signers;
    use grille_spdm_engine::algorithms::Bits;

    #[test]
    fn every_algorithm_of_a_key_has_its_bit() {
        for asym in signers(&Bits::all()) {
            let (classical, post_quantum) = algorithm(asym);
            let bits =
                post_quantum.iter().fold(classical.0.count_ones(), |bits, byte| bits + byte.count_ones());
            assert_eq!(bits, 1, "{asym:?}");
        }
    }
}
