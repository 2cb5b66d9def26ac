//! The keys of the responder, and the algorithms of the tables 11 to 15 that this test uses.
//!
//! Bits and lengths are written from the prototype's documentation, independently of the codec.

use crate::common::{Credential, classical, credential, credential_in_era};
use grille_core::{DynDecapsKey, SystemRng};
use grille_pki::{Certificate, PrivateKey, PublicKey};
use grille_registry::{KemRow, SignatureRow};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::pqc2021::{
    Kem, Options, PublicKeyMode, Signature, composite, kem_row, signature_row,
};
use grille_spdm_engine::signatures::LocalSigner;
use std::sync::Arc;

/// A signature algorithm of the tables 11 and 12.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SignatureAlgorithm {
    pub(super) bit: u8,
    name: &'static str,
    /// The maximum length of a signature in bytes.
    pub(super) signature_len: usize,
}

/// A KEM of the tables 13 to 15.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct KemAlgorithm {
    pub(super) bit: u8,
    name: &'static str,
    pub(super) key_len: usize,
    pub(super) ciphertext_len: usize,
}

/// The signature algorithms, in the order of the responder's preferences.
pub(super) const SIGNATURES: [SignatureAlgorithm; 3] = [
    SignatureAlgorithm { bit: 8, name: "Falcon-512", signature_len: 690 },
    SignatureAlgorithm { bit: 0, name: "Dilithium2", signature_len: 2420 },
    SignatureAlgorithm { bit: 2, name: "Dilithium5", signature_len: 4595 },
];

/// The KEMs, in the order of the responder's preferences.
pub(super) const KEMS: [KemAlgorithm; 2] = [
    KemAlgorithm { bit: 32, name: "Kyber512", key_len: 800, ciphertext_len: 768 },
    KemAlgorithm { bit: 33, name: "Kyber768", key_len: 1184, ciphertext_len: 1088 },
];

impl SignatureAlgorithm {
    pub(super) fn row(&self) -> &'static SignatureRow {
        signature_row(Signature::by_name(self.name).unwrap(), false).unwrap()
    }
}

impl KemAlgorithm {
    pub(super) fn row(&self) -> &'static KemRow {
        kem_row(Kem::by_name(self.name).unwrap()).unwrap()
    }
}

/// A slot of the responder: its certificates have a classical key, a post-quantum key, or both.
pub(super) struct Slot {
    pub(super) number: u8,
    pub(super) asym: bool,
    pub(super) signature: Option<SignatureAlgorithm>,
    credential: Credential,
}

impl Slot {
    fn new(number: u8, asym: bool, signature: Option<SignatureAlgorithm>) -> Self {
        let p256 = classical("P256");
        let credential = match (p256, signature) {
            (_, None) => credential(p256),
            (Asym::Classical(p256), Some(signature)) if asym => {
                in_era(Asym::PostQuantum(composite(p256, signature.row()).unwrap()))
            }
            (_, Some(signature)) => in_era(Asym::PostQuantum(signature.row())),
        };
        Self { number, asym, signature, credential }
    }

    /// Returns the key of the last certificate.
    pub(super) fn key(&self) -> PublicKey {
        self.credential.chain[1].public_key().unwrap()
    }

    /// Returns the certificates, the root first.
    pub(super) fn certificates(&self) -> Vec<u8> {
        self.credential.chain.iter().flat_map(Certificate::to_der).collect()
    }

    /// Returns Length ‖ RootHash ‖ certificates.
    pub(super) fn chain(&self, hash: &Hash) -> Vec<u8> {
        let (root_hash, certificates) = (hash.digest(&[&self.credential.root.to_der()]), self.certificates());
        let len = (4 + root_hash.as_ref().len() + certificates.len()) as u32;
        [&len.to_le_bytes()[..], root_hash.as_ref(), &certificates].concat()
    }
}

fn in_era(asym: Asym) -> Credential {
    credential_in_era(asym, Options::default().numbers(), |template| template)
}

/// A key for KEM authentication, and a ciphertext for it with its secret. Every request uses this ciphertext.
pub(super) struct KemKey {
    pub(super) algorithm: KemAlgorithm,
    pub(super) public: Vec<u8>,
    pub(super) ciphertext: Vec<u8>,
    pub(super) secret: Vec<u8>,
}

/// The responder's keys.
#[derive(Default)]
pub(super) struct Keys {
    pub(super) slots: Vec<Slot>,
    /// The keys without certificates, which only RAW mode has.
    pub(super) signatures: Vec<(SignatureAlgorithm, PublicKey)>,
    pub(super) kems: Vec<KemKey>,
}

impl Keys {
    /// Generates keys. `asym`: whether a slot has a classical key. Returns the responder's identity with these keys.
    pub(super) fn generate(mode: PublicKeyMode, asym: bool, kem_auth: bool) -> (Self, Identity) {
        let (mut keys, mut identity) = (Self::default(), Identity::default());
        let certified: &[(u8, bool, Option<SignatureAlgorithm>)] = match mode {
            PublicKeyMode::Raw if asym => &[(0, true, None)],
            PublicKeyMode::Raw => &[],
            PublicKeyMode::Certificate if asym => {
                &[(0, true, Some(SIGNATURES[1])), (1, true, None), (2, false, Some(SIGNATURES[2]))]
            }
            PublicKeyMode::Certificate => &[(0, false, Some(SIGNATURES[1]))],
        };
        for &(number, asym, signature) in certified {
            let slot = Slot::new(number, asym, signature);
            identity = identity.with(slot.credential.slot(number));
            keys.slots.push(slot);
        }
        if mode == PublicKeyMode::Raw {
            identity = keys.add_raw_signers(identity);
        }
        if kem_auth {
            (identity, keys) = keys.with_kems(identity);
        }
        (keys, identity)
    }

    fn add_raw_signers(&mut self, mut identity: Identity) -> Identity {
        for algorithm in SIGNATURES {
            let key = PrivateKey::generate(algorithm.row(), &mut SystemRng).unwrap();
            let public = key.public_key().clone();
            self.signatures.push((algorithm, public.clone()));
            let signer = LocalSigner::new(Asym::PostQuantum(algorithm.row()), key).unwrap();
            identity = identity.with_raw_signer(public, Arc::new(signer));
        }
        identity
    }

    fn with_kems(mut self, mut identity: Identity) -> (Identity, Self) {
        for algorithm in KEMS {
            let key = algorithm.row().kem.generate(&mut SystemRng);
            self.kems.push(KemKey::new(algorithm, &*key));
            identity = identity.with_kem_key(algorithm.row(), key);
        }
        (identity, self)
    }
}

impl KemKey {
    fn new(algorithm: KemAlgorithm, key: &dyn DynDecapsKey) -> Self {
        let public = key.encaps_key_bytes();
        let encapsulated = algorithm.row().kem.encaps_key(&public).unwrap().encapsulate(&mut SystemRng);
        let secret = encapsulated.secret.as_ref().to_vec();
        Self { algorithm, public, ciphertext: encapsulated.ciphertext, secret }
    }
}
