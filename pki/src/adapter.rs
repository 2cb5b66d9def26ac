//! Signature verification algorithms as webpki and rustls call them: those of the registry's rows, and webpki's own.

use crate::algorithm;
use crate::private_key::Size;
use alloc::{boxed::Box, vec::Vec};
use core::fmt;
use der::asn1::AnyRef;
use der::{Decode, Encode};
use grille_registry::{Numbers, Row, SIGNATURES, SignatureRow};
use once_cell::race::OnceBox;
use rustls_pki_types::{AlgorithmIdentifier, InvalidSignature, SignatureVerificationAlgorithm};
use spki::AlgorithmIdentifierOwned;

/// Signature verification algorithms, as webpki and rustls take them.
pub type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// The algorithm of a row that webpki has not under each of its object identifiers: that of these numbers, and the registry's
/// own, which certificates may have that were made before an era was chosen. `None` if it has none.
#[must_use]
pub fn algorithm(row: &'static SignatureRow, numbers: Numbers, size: Size) -> Option<Algorithms> {
    // webpki wants identifiers that live for ever; there are as many as there are numbers. A row is known by its place
    type Known = Kept<(usize, Numbers), Option<Algorithms>>;
    static PREPARED: Known = Kept::new();
    static SMALL: Known = Kept::new();
    let key = (core::ptr::from_ref(row).addr(), numbers);
    *match size {
        Size::Prepared => PREPARED.get(key, || adapters::<false>(row, numbers)),
        Size::Small => SMALL.get(key, || adapters::<true>(row, numbers)),
    }
}

fn adapters<const IS_SMALL: bool>(row: &'static SignatureRow, numbers: Numbers) -> Option<Algorithms> {
    let own = numbers.signature_oid(row);
    // what is the registry's own identifier may be another row's in this era
    let registered =
        row.oid.filter(|oid| numbers.signature_by_oid(oid).is_none()).map(|_| Numbers::default());
    let mut list: Vec<&'static dyn SignatureVerificationAlgorithm> = Vec::new();
    for numbers in own.map(|_| numbers).into_iter().chain(registered).filter(|_| !webpki_has(row)) {
        list.push(Box::leak(Box::new(Adapter::<IS_SMALL>::new(row, numbers)?)));
    }
    (!list.is_empty()).then(|| &*Box::leak(list.into_boxed_slice()))
}

/// Whether webpki knows a classical row by itself.
fn webpki_has(row: &SignatureRow) -> bool {
    let identifier = algorithm::of_signature(row, Numbers::default()).ok().and_then(|own| contents(&own));
    let known = |own: &[u8]| webpki::ALL_VERIFICATION_ALGS.iter().any(|one| *one.signature_alg_id() == *own);
    row.category == 0 && identifier.is_some_and(|own| known(&own))
}

/// Every algorithm that certificates may be signed with here: webpki's own, and the rows that it has not.
#[must_use]
pub fn webpki_algorithms(numbers: Numbers) -> Algorithms {
    static LISTS: Kept<Numbers, Algorithms> = Kept::new();
    LISTS.get(numbers, || {
        let ours = SIGNATURES.iter().filter_map(|row| algorithm(row, numbers, Size::Prepared)).flatten();
        ours.chain(webpki::ALL_VERIFICATION_ALGS).copied().collect::<Vec<_>>().leak()
    })
}

/// What was asked for already, and found: a list that only grows. Of two threads that ask at once for the same that is not
/// there yet, both may make it, and one of them in vain.
struct Kept<Key, Value>(OnceBox<Link<Key, Value>>);

struct Link<Key, Value> {
    key: Key,
    value: Value,
    next: Kept<Key, Value>,
}

impl<Key: Copy + PartialEq, Value> Kept<Key, Value> {
    const fn new() -> Self {
        Self(OnceBox::new())
    }

    /// The value of this key, which `make` makes if it is not there.
    fn get(&self, key: Key, make: impl Fn() -> Value) -> &Value {
        let mut place = self;
        loop {
            let link = place.0.get_or_init(|| Box::new(Link { key, value: make(), next: Self::new() }));
            if link.key == key {
                return &link.value;
            }
            place = &link.next;
        }
    }
}

/// A row, with its identifiers in the form webpki compares; whether its keys are [`Size::Small`].
struct Adapter<const IS_SMALL: bool> {
    row: &'static SignatureRow,
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
}

impl<const IS_SMALL: bool> Adapter<IS_SMALL> {
    fn new(row: &'static SignatureRow, numbers: Numbers) -> Option<Self> {
        let kept = |der: Vec<u8>| AlgorithmIdentifier::from_slice(Box::leak(der.into_boxed_slice()));
        let key = kept(contents(&algorithm::of_key(row, numbers).ok()?)?);
        let signature = contents(&algorithm::of_signature(row, numbers).ok()?)?;
        // most keys have the identifier of their signatures
        let signature = if *signature == *key { key } else { kept(signature) };
        Some(Self { row, key, signature })
    }
}

/// DER of an identifier without the outer tag and length.
pub(crate) fn contents(identifier: &AlgorithmIdentifierOwned) -> Option<Vec<u8>> {
    let der = identifier.to_der().ok()?;
    Some(AnyRef::from_der(&der).ok()?.value().to_vec())
}

impl<const IS_SMALL: bool> SignatureVerificationAlgorithm for Adapter<IS_SMALL> {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let scheme = self.row.signature;
        let key =
            if IS_SMALL { scheme.small_verifying_key(public_key) } else { scheme.verifying_key(public_key) };
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

impl<const IS_SMALL: bool> fmt::Debug for Adapter<IS_SMALL> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row.name())
    }
}
