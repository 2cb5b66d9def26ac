//! What each side shows of itself: digests, chains, and keys that were known beforehand.

use super::Outcome;
use grille_pki::PublicKey;
use grille_pki::verify::check_signature;
use grille_spdm_codec::digests::Digests;
use grille_spdm_engine::chain;
use grille_spdm_engine::hash::{Digest, Hash};
use grille_spdm_engine::identity::PROVISIONED;
use std::collections::BTreeMap;

/// One side.
#[derive(Default)]
pub(super) struct Peer {
    /// Its public key, if that was known beforehand.
    pub(super) given: Option<PublicKey>,
    /// Digests of its chains by slot, as its last DIGESTS has them.
    announced: BTreeMap<u8, Vec<u8>>,
    /// The portions of a chain so far, and its slot.
    portions: (u8, Vec<u8>),
    chains: BTreeMap<u8, Shown>,
}

/// A whole chain.
struct Shown {
    digest: Digest,
    /// The key of the leaf; `None` if the chain cannot be read.
    key: Option<PublicKey>,
}

impl Peer {
    pub(super) fn new(given: Option<PublicKey>) -> Self {
        Self { given, ..Self::default() }
    }

    /// DIGESTS; `len`: bytes of a digest.
    pub(super) fn announce(&mut self, message: &Digests<'_>, len: usize) {
        let slots = (0..8).filter(|slot| message.slots & 1 << slot != 0);
        let digests = message.digests.chunks(len.max(1)).map(<[u8]>::to_vec);
        self.announced = slots.zip(digests).collect();
    }

    /// Takes a portion of a chain; returns the chain if that was the last one.
    pub(super) fn portion(
        &mut self,
        slot: u8,
        offset: u32,
        portion: &[u8],
        remainder: u32,
    ) -> Option<Vec<u8>> {
        let (current, bytes) = &mut self.portions;
        if offset == 0 {
            bytes.clear();
            *current = slot;
        }
        // a portion again, or one of another chain
        if *current != slot || offset as usize != bytes.len() || portion.is_empty() {
            return None;
        }
        bytes.extend_from_slice(portion);
        (remainder == 0).then(|| core::mem::take(bytes))
    }

    /// Checks a whole chain: its digest against DIGESTS, its RootHash, and each certificate against the one before it.
    pub(super) fn judge(&mut self, hash: &'static Hash, slot: u8, bytes: &[u8]) -> Outcome {
        let digest = hash.digest(&[bytes]);
        let parsed = chain::parse(hash, bytes);
        let key = parsed.as_ref().ok().and_then(|chain| chain.leaf.public_key().ok());
        self.chains.insert(slot, Shown { digest, key });
        let announced = self.announced.get(&slot);
        if announced.is_some_and(|announced| announced != digest.as_ref()) {
            return Outcome::Wrong("its hash is not the one in DIGESTS".into());
        }
        let chain = match parsed {
            Ok(chain) => chain,
            Err(error) => return Outcome::Wrong(error.to_string().into()),
        };
        if let Some(root) = chain.issuers.first().filter(|first| is_root(first))
            && !chain.names_root(root)
        {
            return Outcome::Wrong("RootHash is not the hash of its root".into());
        }
        let below = chain.issuers.iter().skip(1).chain([&chain.leaf]);
        for (issuer, certificate) in chain.issuers.iter().zip(below) {
            if let Err(error) = check_signature(certificate, issuer) {
                return Outcome::Wrong(error.to_string().into());
            }
        }
        match announced {
            Some(_) => Outcome::Right,
            None => Outcome::Unchecked("the capture has no DIGESTS of this slot"),
        }
    }

    /// The key of a slot.
    ///
    /// # Errors
    /// Says why there is none.
    pub(super) fn key(&self, slot: u8) -> Result<&PublicKey, &'static str> {
        match (self.chains.get(&slot), &self.given) {
            (Some(Shown { key: Some(key), .. }), _) => Ok(key),
            (Some(Shown { key: None, .. }), _) => Err("the certificate chain cannot be read"),
            (None, Some(key)) => Ok(key),
            (None, None) if slot == PROVISIONED => Err("the public key was known beforehand"),
            (None, None) => Err("the capture lacks the certificate chain"),
        }
    }

    /// The hash of the chain of a slot, or of the public key that was known beforehand.
    pub(super) fn chain_hash(&self, slot: u8, hash: Option<&'static Hash>) -> Option<Digest> {
        if slot != PROVISIONED {
            return self.chains.get(&slot).map(|shown| shown.digest);
        }
        let key = self.given.as_ref()?.to_spki_der().ok()?;
        Some(hash?.digest(&[&key]))
    }
}

/// Whether a certificate names itself as its issuer.
fn is_root(certificate: &grille_pki::Certificate) -> bool {
    check_signature(certificate, certificate).is_ok()
}
