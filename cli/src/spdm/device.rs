//! An emulated device: generated keys and certificate chains, and measurements.

use super::algorithms::key_name;
use super::appraisal::test_roots::EMULATED;
use super::fault::Faults;
use super::signed::Signed;
use crate::error::Error;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey, PrivateKeyForm};
use grille_registry::{Numbers, signature_by_name};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::endpoint_info::{DeviceClass, GetEndpointInfo, Identifier};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::list;
use grille_spdm_codec::measurements::Block;
use grille_spdm_codec::mel::{Mel, MelEntry};
use grille_spdm_codec::{Code, CodecError};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::identity::Slot;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::LocalSigner;
use std::sync::Arc;

/// Default capabilities of this program's requesters.
pub(crate) const REQUESTER: Caps = Caps(
    Caps::CERT.0
        | Caps::CHAL.0
        | Caps::ENCRYPT.0
        | Caps::MAC.0
        | Caps::KEY_EX.0
        | Caps::HBEAT.0
        | Caps::KEY_UPD.0
        | Caps::CHUNK.0
        | Caps::LARGE_RESP.0,
);

/// Default capabilities of this program's responders.
pub(crate) const RESPONDER: Caps = Caps(REQUESTER.0 | Caps::MEAS_SIG.0);

/// Default capabilities of `grille spdm requester`.
pub(crate) const EMULATED_REQUESTER: Caps = Caps(REQUESTER.0 | Caps::PSK.0 | Caps::MULTI_KEY_CONN_SEL.0);

/// Additional capabilities of a requester that has a credential for mutual authentication.
pub(crate) const MUTUAL: Caps = Caps(Caps::MUT_AUTH.0 | Caps::ENCAP.0);

/// Default capabilities of `grille spdm responder`.
pub(crate) const EMULATED_RESPONDER: Caps = Caps(
    RESPONDER.0
        | Caps::PSK_WITH_CONTEXT.0
        | Caps::MUT_AUTH.0
        | Caps::ENCAP.0
        | Caps::EP_INFO_SIG.0
        | Caps::MEL.0
        | Caps::CSR.0
        | Caps::SET_CERT.0
        | Caps::GET_KEY_PAIR_INFO.0
        | Caps::SET_KEY_PAIR_INFO.0
        | Caps::EVENT.0,
);

/// Adapts `flags` to a side without certificates: removes the capabilities that need certificates, and adds PUB_KEY_ID
/// (authentication with a provisioned public key).
pub(crate) const fn without_certificates(flags: Caps) -> Caps {
    const CERTIFICATES: u32 = Caps::CERT.0
        | Caps::ALIAS_CERT.0
        | Caps::SET_CERT.0
        | Caps::CSR.0
        | Caps::CERT_INSTALL_RESET.0
        | Caps::MULTI_KEY_ONLY.0
        | Caps::MULTI_KEY_CONN_SEL.0
        | Caps::GET_KEY_PAIR_INFO.0
        | Caps::SET_KEY_PAIR_INFO.0;
    Caps(flags.0 & !CERTIFICATES | Caps::PUB_KEY_ID.0)
}

/// A new root, the chain that it issued, and the device's key.
pub(crate) struct Credential {
    pub(crate) root: Certificate,
    pub(crate) chain: Vec<Certificate>,
    signer: Arc<LocalSigner>,
}

/// A new root and its key, which issues device certificates.
pub(crate) struct Authority {
    pub(crate) root: Certificate,
    key: PrivateKey,
    asym: Asym,
    numbers: Numbers,
}

impl Authority {
    /// Creates an authority. The authority and its devices sign with `asym`, and their certificates have the object
    /// identifiers in `numbers`.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    pub(crate) fn new(asym: Asym, numbers: Numbers) -> Result<Self, Error> {
        let row = signature_by_name(key_name(asym))?;
        let key = PrivateKey::generate(row, &mut SystemRng)?.in_era(numbers);
        // Roots in one file have different names, as the name contains the algorithm. In a distinguished name, `+` has a
        // meaning of its own.
        let subject = format!("{EMULATED}{}", asym.name().replace(" + ", " and "));
        let template = Template::new(&subject, Profile::Root)?;
        Ok(Self { root: self_signed(&template, &key, &mut SystemRng)?, key, asym, numbers })
    }

    /// Returns the authorities that certify a device with these faults. `saved` are those whose roots were saved. With the
    /// fault `root`, returns authorities with the same algorithms and object identifiers, and with new keys.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    pub(super) fn apply_faults(saved: Vec<Self>, faults: &Faults) -> Result<Vec<Self>, Error> {
        if !faults.replaces_root() {
            return Ok(saved);
        }
        saved.iter().map(|one| Self::new(one.asym, one.numbers)).collect()
    }

    /// Generates a device key, and certifies it for `subject`. `faults` may make the certificate expire.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    pub(super) fn credential(&self, subject: &str, faults: &Faults) -> Result<Credential, Error> {
        let signer = generate_in_era(self.asym, self.numbers)?;
        let template = Template::new(subject, Profile::end_entity(&["device.example"])?)?;
        let template = faults.apply_to_certificate(template);
        let public = signer.key().public_key();
        let leaf = issue(&template, public, &self.root, &self.key, &mut SystemRng)?;
        Ok(Credential { chain: vec![self.root.clone(), leaf], root: self.root.clone(), signer })
    }
}

impl Credential {
    /// Generates a root and a device key, which sign with `asym`.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    pub(crate) fn new(asym: Asym) -> Result<Self, Error> {
        Self::in_era(asym, Numbers::default())
    }

    /// Generates a root and a device key as [`Self::new`] does, with the object identifiers in `numbers`.
    ///
    /// # Errors
    /// Returns an error if the system provides no randomness.
    pub(crate) fn in_era(asym: Asym, numbers: Numbers) -> Result<Self, Error> {
        Authority::new(asym, numbers)?.credential(SUBJECT, &Faults::default())
    }

    /// Returns the slot `number` with this chain.
    pub(crate) fn slot(&self, number: u8) -> Slot {
        Slot::new(number, self.chain.clone(), self.signer.clone())
    }

    /// Returns the chain, and the signer for its leaf key.
    pub(crate) fn into_signed(self) -> Signed {
        Signed { chain: self.chain, signer: self.signer }
    }

    /// Returns the total length of the certificates.
    pub(crate) fn len(&self) -> usize {
        self.chain.iter().map(|certificate| certificate.to_der().len()).sum()
    }
}

/// The default subject of device certificates.
pub(crate) const SUBJECT: &str = "CN=emulated device";

/// Generates a key that signs with `asym`.
///
/// # Errors
/// Returns an error if the system provides no randomness.
pub(crate) fn generate(asym: Asym) -> Result<Arc<LocalSigner>, Error> {
    generate_in_era(asym, Numbers::default())
}

fn generate_in_era(asym: Asym, numbers: Numbers) -> Result<Arc<LocalSigner>, Error> {
    let row = signature_by_name(key_name(asym))?;
    let new = PrivateKey::generate(row, &mut SystemRng)?.in_era(numbers);
    // Loaded keys are prepared for many signatures, and generated keys are not. So encode and load the key.
    let der = new.to_pkcs8_der(PrivateKeyForm::default_for(row))?;
    let key = PrivateKey::from_pem_or_der_in(der.as_ref(), numbers)?;
    Ok(Arc::new(LocalSigner::new(asym, key)?))
}

/// MCTP's message type of PLDM, followed by PLDM's request GetTID.
pub(crate) const GET_TID: [u8; 4] = [1, 0x80, 0, 2];

/// StandardID of the protocols that PCI-SIG defines.
pub(crate) const PCI_SIG: u16 = 3;
/// VendorID of the protocols that PCI-SIG defines.
pub(crate) const PCI_SIG_ID: &[u8] = &[1, 0];

/// PCI-SIG's protocol ID of IDE key management (IDE_KM).
const IDE_KM: u8 = 0;
/// The object ID of QUERY in IDE_KM.
const QUERY: u8 = 0;

/// IDE_KM's QUERY of port 0: protocol ID, QUERY, a reserved byte, PortIndex.
pub(crate) const QUERY_PORT_0: [u8; 4] = [IDE_KM, QUERY, 0, 0];

/// IDE_KM's QUERY_RESP: a reserved byte, PortIndex, device and function, bus, segment, MaxPortIndex, and no
/// registers.
const NO_IDE: [u8; 8] = [IDE_KM, 1, 0, 0, 0, 0, 0, 0];

/// Returns the bytes that `write` stores in a buffer, which has room for `len` bytes and a header.
fn encode_to_vec(len: usize, write: impl FnOnce(&mut [u8]) -> Result<usize, CodecError>) -> Vec<u8> {
    let mut bytes = vec![0; len + 16];
    let len = write(&mut bytes).expect("no header is longer");
    bytes.truncate(len);
    bytes
}

/// An emulated device, whose measurements are the same at each start.
pub(crate) struct Emulated;

impl Emulated {
    /// Returns all measurements.
    pub(crate) fn contents() -> Vec<Measurement> {
        let hashed = |text: &str| MeasuredValue::Hashed(text.as_bytes().to_vec());
        let value = |index, kind, value, tcb| Measurement { index, kind, value, tcb };
        vec![
            value(1, 0, hashed("grille emulated device: boot ROM"), true),
            value(2, 1, hashed("grille emulated device: firmware"), true),
            value(3, 2, hashed("grille emulated device: straps"), false),
            value(4, 3, hashed("grille emulated device: settings"), false),
            // Security version number: u64, little-endian.
            value(0x10, 7, MeasuredValue::Raw(7_u64.to_le_bytes().to_vec()), false),
        ]
    }

    /// Returns the raw measurement log. GET_MEASUREMENTS returns the digests of its entries.
    pub(super) fn log(contents: &[Measurement]) -> Vec<u8> {
        let mut entries = Vec::new();
        for (index, content) in (1..).zip(contents) {
            let (MeasuredValue::Hashed(value) | MeasuredValue::Raw(value) | MeasuredValue::Digest(value)) =
                &content.value;
            let (measurement, value_type) = (content.index, content.kind | Block::RAW);
            entries.push(encode_to_vec(value.len(), |room| {
                MelEntry { index, measurement, value_type, value }.encode(room)
            }));
        }
        let (count, entries) = (entries.len() as u32, entries.concat());
        encode_to_vec(entries.len(), |room| Mel { count, entries: &entries }.encode(room))
    }
}

impl Device for Emulated {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(Self::contents())
    }

    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(Self::log(&Self::contents()))
    }

    /// Returns the DeviceClassIdentifier (DSP0274 1.3): one DMTF identifier without subordinates.
    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        if sub_code != GetEndpointInfo::DEVICE_CLASS {
            return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
        }
        let identifiers = encode_to_vec(0, |room| list::encode(Identifier::default(), room));
        let class = DeviceClass { count: 1, identifiers: &identifiers };
        Ok(encode_to_vec(identifiers.len(), |room| list::encode(class, room)))
    }

    /// Echoes requests of any vendor except PCI-SIG. For PCI-SIG, the device is a port without IDE: in sessions it
    /// answers IDE_KM's QUERY of port 0, and it supports neither key programming nor TDISP.
    fn vendor(
        &mut self,
        session: Option<SessionId>,
        standard: u16,
        id: &[u8],
        data: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        match (standard, id, data) {
            (PCI_SIG, PCI_SIG_ID, [IDE_KM, QUERY, _, 0]) if session.is_some() => Ok(NO_IDE.to_vec()),
            (PCI_SIG, PCI_SIG_ID, _) => Err(Refusal::unsupported(Code::VENDOR_DEFINED_REQUEST)),
            _ => Ok(data.to_vec()),
        }
    }

    /// Answers PLDM's GetTID (DSP0240) like DMTF's emulators: no error, TID 1. Echoes every other message.
    fn application(&mut self, _session: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        Some(if message == GET_TID { vec![1, 0, 0, 2, 0, 1] } else { message.to_vec() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_no_ide_in_sessions() {
        let send = |session, id: &[u8], data: &[u8]| Emulated.vendor(session, PCI_SIG, id, data);
        let resp = send(Some(7), PCI_SIG_ID, &QUERY_PORT_0).unwrap();
        assert_eq!(resp[..4], [IDE_KM, 1, 0, 0]);
        let unknown = Err(Refusal::unsupported(Code::VENDOR_DEFINED_REQUEST));
        assert_eq!(send(None, PCI_SIG_ID, &QUERY_PORT_0), unknown);
        // QUERY of port 1, KEY_PROG, TDISP's GET_VERSION, and an empty message.
        for data in [&[IDE_KM, QUERY, 0, 1][..], &[IDE_KM, 2, 0, 0, 0, 0, 0, 0], &[1, 0x10, 0x81], &[]] {
            assert_eq!(send(Some(7), PCI_SIG_ID, data), unknown, "{data:?}");
        }
        assert_eq!(send(None, &[2, 0], &[9]), Ok(vec![9]), "another vendor");
        assert_eq!(Emulated.vendor(None, 4, PCI_SIG_ID, &[9]), Ok(vec![9]), "another registry");
    }
}
