//! The credentials of each side: digests, chains and provisioned public keys.

use super::check::Outcome;
use crate::chains::Portions;
use grille_pki::PublicKey;
use grille_pki::verify::check_signature;
use grille_spdm_codec::digests::Digests;
use grille_spdm_engine::chain;
use grille_spdm_engine::hash::{Digest, Hash};
use grille_spdm_engine::identity::PROVISIONED;
use std::collections::BTreeMap;

/// One side of the connection.
#[derive(Default)]
pub(super) struct Peer {
    /// The provisioned public key of this side, if there is one.
    pub(super) provisioned: Option<PublicKey>,
    /// Digests of the side's chains by slot, from its last DIGESTS.
    announced_digests: BTreeMap<u8, Vec<u8>>,
    /// The chain that is being received.
    pub(super) portions: Portions,
    chains: BTreeMap<u8, Chain>,
}

/// A complete chain.
struct Chain {
    digest: Digest,
    /// The leaf's key; `None` if the chain cannot be decoded.
    key: Option<PublicKey>,
}

impl Peer {
    pub(super) fn new(provisioned: Option<PublicKey>) -> Self {
        Self { provisioned, ..Self::default() }
    }

    /// Records DIGESTS. `len` is the length of a digest in bytes.
    pub(super) fn record_digests(&mut self, message: &Digests<'_>, len: usize) {
        let slots = (0..8).filter(|slot| message.slots & 1 << slot != 0);
        let digests = message.digests.chunks(len.max(1)).map(<[u8]>::to_vec);
        self.announced_digests = slots.zip(digests).collect();
    }

    /// Checks a chain: its digest against DIGESTS, its RootHash if the chain contains the root, and each certificate's
    /// signature with the key of the certificate before it.
    pub(super) fn check_chain(&mut self, hash: &'static Hash, slot: u8, bytes: &[u8]) -> Outcome {
        let digest = hash.digest(&[bytes]);
        let parsed = chain::parse(hash, bytes);
        let key = parsed.as_ref().ok().and_then(|chain| chain.leaf.public_key().ok());
        self.chains.insert(slot, Chain { digest, key });
        let announced_digests = self.announced_digests.get(&slot);
        if announced_digests.is_some_and(|announced_digests| announced_digests != digest.as_ref()) {
            return Outcome::Wrong("the hash of the chain differs from DIGESTS".into());
        }
        let chain = match parsed {
            Ok(chain) => chain,
            Err(error) => return Outcome::Wrong(error.to_string().into()),
        };
        if let Some(root) = chain.issuers.first().filter(|first| is_self_signed(first))
            && !chain.has_root_hash_of(root)
        {
            return Outcome::Wrong("RootHash is not the hash of the root certificate".into());
        }
        let below = chain.issuers.iter().skip(1).chain([&chain.leaf]);
        for (issuer, certificate) in chain.issuers.iter().zip(below) {
            if let Err(error) = check_signature(certificate, issuer) {
                return Outcome::Wrong(error.to_string().into());
            }
        }
        match announced_digests {
            Some(_) => Outcome::Right,
            None => Outcome::Unchecked("the capture lacks DIGESTS of this slot"),
        }
    }

    /// Returns the public key with which the side signs in this slot.
    ///
    /// # Errors
    /// Returns the reason if the key is unknown.
    pub(super) fn key(&self, slot: u8) -> Result<&PublicKey, &'static str> {
        match (self.chains.get(&slot), &self.provisioned) {
            (Some(Chain { key: Some(key), .. }), _) => Ok(key),
            (Some(Chain { key: None, .. }), _) => Err("the certificate chain cannot be decoded"),
            (None, Some(key)) => Ok(key),
            (None, None) if slot == PROVISIONED => {
                Err("the public key was provisioned, and is not in the capture")
            }
            (None, None) => Err("the capture lacks the certificate chain"),
        }
    }

    /// Returns the hash of a slot's chain, or of the provisioned public key.
    pub(super) fn chain_hash(&self, slot: u8, hash: Option<&'static Hash>) -> Option<Digest> {
        if slot != PROVISIONED {
            return self.chains.get(&slot).map(|chain| chain.digest);
        }
        let key = self.provisioned.as_ref()?.to_spki_der().ok()?;
        Some(hash?.digest(&[&key]))
    }
}

/// Returns whether a certificate is signed with its own key.
fn is_self_signed(certificate: &grille_pki::Certificate) -> bool {
    check_signature(certificate, certificate).is_ok()
}
