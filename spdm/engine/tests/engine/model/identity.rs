//! The identities of both sides: the responder's slots, which SET_CERTIFICATE changes, and the requester.

use crate::common::Credential;
use grille_core::{DynDecapsKey, SystemRng};
use grille_pki::{Certificate, PublicKey};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::hash::{Digest, Hash};
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::signatures::{self, Signer, ToBeSigned};
use std::sync::Arc;

/// CertificateInfo of an alias chain, whose last certificates the device issued.
const ALIAS: u8 = 2;

/// The settings of a conversation.
pub(crate) struct Settings {
    /// The signature algorithm of both sides.
    pub(crate) asym: Asym,
    pub(crate) psk: Vec<u8>,
    /// The ephemeral key of every KEY_EXCHANGE.
    pub(crate) ephemeral: Box<dyn DynDecapsKey>,
    /// The responder's capabilities.
    pub(crate) flags: Caps,
    /// The mode of mutual authentication in sessions.
    pub(crate) mutual: MutualAuthentication,
    /// Whether mutual authentication is also requested outside sessions.
    pub(crate) basic: bool,
    pub(crate) host: Host,
    /// Whether the requester's public key is provisioned at the responder.
    pub(crate) provisioned: bool,
}

/// The requester, with the same chain in every slot.
pub(crate) struct Host {
    certificates: Vec<Vec<u8>>,
    pub(crate) key: PublicKey,
    signer: Arc<dyn Signer>,
}

impl Host {
    pub(crate) fn new(credential: &Credential) -> Self {
        let key = credential.chain[1].public_key().unwrap();
        Self { certificates: ders(&credential.chain), key, signer: credential.signer.clone() }
    }

    pub(crate) fn chain(&self, hash: &Hash) -> Vec<u8> {
        structure(hash.digest(&[&self.certificates[0]]).as_ref(), &self.certificates)
    }

    /// Returns the hash of the requester's chain, or for [`PROVISIONED`] of its public key.
    pub(crate) fn digest(&self, hash: &Hash, slot: u8) -> Digest {
        match slot {
            PROVISIONED => hash.digest(&[&self.key.to_spki_der().unwrap()]),
            _ => hash.digest(&[&self.chain(hash)]),
        }
    }

    pub(crate) fn sign(&self, message: &ToBeSigned) -> Vec<u8> {
        self.signer.sign(message, &mut SystemRng).unwrap().unwrap()
    }

    pub(crate) fn verifies_signature(&self, message: &ToBeSigned, signature: &[u8]) -> bool {
        signatures::verify(self.signer.algorithm(), &self.key, message, signature).is_ok()
    }
}

/// Returns the input of a signature over these concatenated parts.
pub(crate) fn signing_input(
    version: u8,
    hash: &'static Hash,
    context: &'static str,
    parts: &[&[u8]],
) -> ToBeSigned {
    ToBeSigned::new(Version::from_byte(version).unwrap(), context, hash, &hash.digest(parts))
}

/// A slot of the responder.
#[derive(Clone)]
pub(crate) struct Slot {
    pub(crate) number: u8,
    pub(crate) key: PublicKey,
    /// The certificates that exist for the slot's key, the root first.
    issued: Vec<Vec<u8>>,
    /// RootHash of the last SET_CERTIFICATE; empty before the first and after an erase.
    root_hash: Vec<u8>,
    /// The certificates in the chain; none if it was erased.
    certificates: Vec<Vec<u8>>,
    /// The certificate model.
    pub(crate) model: u8,
    /// The key usage of the slot's key pair.
    pub(crate) usage: u8,
}

impl Slot {
    pub(crate) fn new(number: u8, credential: &Credential) -> Self {
        let issued = ders(&credential.chain);
        let key = credential.chain[1].public_key().unwrap();
        let certificates = issued.clone();
        Self { number, key, certificates, issued, root_hash: Vec::new(), model: 1, usage: 0xF }
    }

    /// Returns KeyPairID.
    pub(crate) fn key_pair(&self) -> u8 {
        self.number + 1
    }

    /// Returns the encoded chain; `None` if it was erased. If the stored RootHash does not have the length of `hash`, the hash
    /// of the first certificate is used.
    pub(crate) fn chain(&self, hash: &Hash) -> Option<Vec<u8>> {
        let first = hash.digest(&[self.certificates.first()?]);
        let root_hash =
            if self.root_hash.len() == hash.output_len() { &self.root_hash } else { first.as_ref() };
        Some(structure(root_hash, &self.certificates))
    }

    /// Returns a valid chain for SET_CERTIFICATE, with or without the root. For the alias model it consists of the root only,
    /// which is the device's CA.
    pub(crate) fn offer(&self, hash: &Hash, with_root: bool, alias: bool) -> Vec<u8> {
        let root_hash = hash.digest(&[&self.issued[0]]);
        let certificates =
            if alias && with_root { &self.issued[..1] } else { &self.issued[usize::from(!with_root)..] };
        structure(root_hash.as_ref(), certificates)
    }

    /// Parses a chain for this slot's key into RootHash and certificates. If the chain includes the root, RootHash must
    /// be the hash of the root.
    fn read(&self, hash: &Hash, chain: &[u8], model: u8) -> Option<(Vec<u8>, Vec<Vec<u8>>)> {
        let (len, rest) = chain.split_first_chunk()?;
        let (root_hash, certificates) = rest.split_at_checked(hash.output_len())?;
        let whole = u32::from_le_bytes(*len) as usize == chain.len();
        let rooted = root_hash == hash.digest(&[&self.issued[0]]).as_ref();
        if model == ALIAS {
            let ca = whole && rooted && certificates == self.issued[0];
            return ca.then(|| (root_hash.to_vec(), self.issued.clone()));
        }
        let from = [0, 1].into_iter().find(|from| whole && certificates == self.issued[*from..].concat())?;
        (from == 1 || rooted).then(|| (root_hash.to_vec(), self.issued[from..].to_vec()))
    }

    pub(crate) fn accepts_chain(&self, hash: &Hash, chain: &[u8], model: u8) -> bool {
        self.read(hash, chain, model).is_some()
    }

    /// Applies an accepted SET_CERTIFICATE; an empty chain erases the slot.
    pub(crate) fn set(&mut self, hash: &Hash, chain: &[u8]) {
        (self.root_hash, self.certificates) = self.read(hash, chain, self.model).unwrap_or_default();
    }
}

fn ders(chain: &[Certificate]) -> Vec<Vec<u8>> {
    chain.iter().map(Certificate::to_der).collect()
}

/// Returns Length ‖ RootHash ‖ certificates.
fn structure(root_hash: &[u8], certificates: &[Vec<u8>]) -> Vec<u8> {
    let certificates = certificates.concat();
    let len = u32::try_from(4 + root_hash.len() + certificates.len()).unwrap();
    [&len.to_le_bytes()[..], root_hash, &certificates].concat()
}
