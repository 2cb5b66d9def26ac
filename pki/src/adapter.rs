//! Adapters that make the registry's signature algorithms available to webpki and rustls, next to webpki's own.

use crate::algorithm;
use crate::interned::Interned;
use crate::private_key::KeyMode;
use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use der::asn1::AnyRef;
use der::{Decode, Encode};
use grille_registry::{Numbers, Row, SIGNATURES, SignatureRow};
use rustls_pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};
use spki::AlgorithmIdentifierOwned;

/// A list of signature verification algorithms, in the form that webpki and rustls expect.
pub type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// Returns adapters that verify a row's signatures with webpki, one for each object identifier of the row: the
/// identifier in `numbers`, and the registry's own, which older certificates may have. Returns `None` if webpki
/// supports the row itself, or if the row has no identifier.
#[must_use]
pub fn algorithm(row: &'static SignatureRow, numbers: Numbers, mode: KeyMode) -> Option<Algorithms> {
    // webpki requires `'static` identifiers, so they are leaked, once for each row and numbers; the row's address
    // identifies the row
    type Known = Interned<(usize, Numbers), Option<Algorithms>>;
    static PREPARED: Known = Interned::new();
    static LOW_MEMORY: Known = Interned::new();
    let key = (core::ptr::from_ref(row).addr(), numbers);
    *match mode {
        KeyMode::Prepared => PREPARED.get(key, || adapters::<false>(row, numbers)),
        KeyMode::LowMemory => LOW_MEMORY.get(key, || adapters::<true>(row, numbers)),
    }
}

fn adapters<const IS_LOW_MEMORY: bool>(row: &'static SignatureRow, numbers: Numbers) -> Option<Algorithms> {
    let own = numbers.signature_oid(row);
    // in this era, the registry's own identifier may belong to another row
    let registered =
        row.oid.filter(|oid| numbers.signature_by_oid(oid).is_none()).map(|_| Numbers::default());
    let mut list: Vec<&'static dyn SignatureVerificationAlgorithm> = Vec::new();
    for numbers in own.map(|_| numbers).into_iter().chain(registered).filter(|_| !webpki_has(row)) {
        list.push(Box::leak(Box::new(Adapter::<IS_LOW_MEMORY>::new(row, numbers)?)));
    }
    (!list.is_empty()).then(|| &*Box::leak(list.into_boxed_slice()))
}

/// Returns whether webpki supports this classical row itself.
fn webpki_has(row: &SignatureRow) -> bool {
    let identifier = algorithm::signature_algorithm_identifier(row, Numbers::default())
        .ok()
        .and_then(|own| contents(&own));
    let known = |own: &[u8]| webpki::ALL_VERIFICATION_ALGS.iter().any(|one| *one.signature_alg_id() == *own);
    row.category == 0 && identifier.is_some_and(|own| known(&own))
}

/// Returns every algorithm that can verify the signature of a certificate: webpki's own algorithms, and adapters for
/// all other rows of the registry.
#[must_use]
pub fn webpki_algorithms(numbers: Numbers) -> Algorithms {
    static LISTS: Interned<Numbers, Algorithms> = Interned::new();
    LISTS.get(numbers, || {
        let own = SIGNATURES.iter().filter_map(|row| algorithm(row, numbers, KeyMode::Prepared)).flatten();
        own.chain(webpki::ALL_VERIFICATION_ALGS).copied().collect::<Vec<_>>().leak()
    })
}

/// Returns whether signatures with this algorithm identifier can be verified, for at least one type of key.
pub(crate) fn is_supported(identifier: &AlgorithmIdentifierOwned, numbers: Numbers) -> bool {
    let Some(identifier) = contents(identifier) else { return false };
    webpki_algorithms(numbers).iter().any(|one| *one.signature_alg_id() == *identifier)
}

/// A row with the identifiers of its keys and signatures, in the form that webpki compares. `IS_LOW_MEMORY` selects
/// keys of [`KeyMode::LowMemory`].
struct Adapter<const IS_LOW_MEMORY: bool> {
    row: &'static SignatureRow,
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
}

impl<const IS_LOW_MEMORY: bool> Adapter<IS_LOW_MEMORY> {
    fn new(row: &'static SignatureRow, numbers: Numbers) -> Option<Self> {
        let interned = |der: Vec<u8>| AlgorithmIdentifier::from_slice(Box::leak(der.into_boxed_slice()));
        let key = interned(contents(&algorithm::key_algorithm_identifier(row, numbers).ok()?)?);
        let signature = contents(&algorithm::signature_algorithm_identifier(row, numbers).ok()?)?;
        // most keys have the same identifier as their signatures
        let signature = if *signature == *key { key } else { interned(signature) };
        Some(Self { row, key, signature })
    }
}

/// Returns the DER of an identifier without the outer tag and length.
pub(crate) fn contents(identifier: &AlgorithmIdentifierOwned) -> Option<Vec<u8>> {
    let der = identifier.to_der().ok()?;
    Some(AnyRef::from_der(&der).ok()?.value().to_vec())
}

impl<const IS_LOW_MEMORY: bool> SignatureVerificationAlgorithm for Adapter<IS_LOW_MEMORY> {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let scheme = self.row.signature;
        let key = if IS_LOW_MEMORY {
            scheme.low_memory_verifying_key(public_key)
        } else {
            scheme.verifying_key(public_key)
        };
        let key = key.map_err(|_| InvalidSignature)?;
        key.verify(message, b"", signature).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.key
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.signature
    }
}

impl<const IS_LOW_MEMORY: bool> fmt::Debug for Adapter<IS_LOW_MEMORY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row.name())
    }
}
