//! Operations of grille, called through the registry if it has them.

use crate::prepared;
use crate::rng::{SplitMix, array};
use grille_core::{DynKem, DynSignature};
use grille_registry::{kem_by_name, signature_by_name};
use std::hint::black_box;

/// An operation that is ready to run.
pub type Run = Box<dyn FnMut()>;

/// An operation of grille.
pub struct OwnOperation {
    /// The operation's name, such as `encaps` or `sign (prepared)`.
    pub name: &'static str,
    /// Name of the peers' operation with which this one is compared; usually the same name.
    pub against: &'static str,
    /// Number of operations per run.
    pub count: u32,
    /// Runs the operation once.
    pub run: Run,
}

/// Makes an operation that peers have under the same name.
fn own(name: &'static str, run: impl FnMut() + 'static) -> OwnOperation {
    OwnOperation { name, against: name, count: 1, run: Box::new(run) }
}

/// Returns the operations of this algorithm; empty if the registry lacks it.
#[must_use]
pub fn operations(name: &str) -> Vec<OwnOperation> {
    let mut operations = match (kem_by_name(name), signature_by_name(name)) {
        (Ok(row), _) => kem(row.kem),
        (_, Ok(row)) => signature(row.signature),
        _ => Vec::new(),
    };
    operations.extend(prepared::operations(name));
    operations
}

fn kem(kem: &'static dyn DynKem) -> Vec<OwnOperation> {
    let key = kem.generate(&mut SplitMix);
    let (public, private) = (key.encaps_key_bytes(), key.to_bytes());
    let sent = kem.encaps_key(&public).expect("a fresh key is valid").encapsulate(&mut SplitMix).ciphertext;
    let sent2 = sent.clone();
    vec![
        own("keygen", move || _ = black_box(kem.generate(&mut SplitMix))),
        own("encaps", move || {
            black_box(kem.encaps_key(&public).expect("a fresh key is valid").encapsulate(&mut SplitMix));
        }),
        own("decaps", move || {
            black_box(key.decapsulate(&sent).expect("the length is right"));
        }),
        own("decaps (encoded)", move || {
            black_box(kem.decapsulate_encoded(private.as_ref(), &sent2).expect("the lengths are right"));
        }),
    ]
}

fn signature(scheme: &'static dyn DynSignature) -> Vec<OwnOperation> {
    let key = scheme.generate(&mut SplitMix);
    let (public, private) = (key.verifying_key_bytes(), key.to_bytes());
    let message = array::<64>();
    let signed = key.sign(&message, b"", &mut SplitMix).expect("an empty context is short enough");
    vec![
        own("keygen", move || _ = black_box(scheme.generate(&mut SplitMix))),
        own("sign", move || {
            black_box(
                key.sign(&array::<64>(), b"", &mut SplitMix).expect("an empty context is short enough"),
            );
        }),
        own("sign (encoded)", move || {
            let key = scheme.signing_key(private.as_ref()).expect("a fresh key is valid");
            black_box(
                key.sign(&array::<64>(), b"", &mut SplitMix).expect("an empty context is short enough"),
            );
        }),
        own("verify", move || {
            let key = scheme.verifying_key(&public).expect("a fresh key is valid");
            key.verify(&message, b"", &signed).expect("a fresh signature is valid");
        }),
    ]
}
