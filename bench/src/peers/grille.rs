//! grille, through the registry.

use super::Operations;
use crate::rng::{Cheap, array};
use grille_core::{DynKem, DynSignature};
use grille_registry::{kem_by_name, signature_by_name};
use std::hint::black_box;

/// The operations of this algorithm.
pub fn operations(name: &str) -> Operations {
    match (kem_by_name(name), signature_by_name(name)) {
        (Ok(row), _) => kem(row.kem),
        (_, Ok(row)) => signature(row.signature),
        _ => Vec::new(),
    }
}

fn kem(kem: &'static dyn DynKem) -> Operations {
    let key = kem.generate(&mut Cheap);
    let (public, private) = (key.encaps_key_bytes(), key.to_bytes());
    let sent = kem.encaps_key(&public).expect("a fresh key").encapsulate(&mut Cheap).ciphertext;
    let sent2 = sent.clone();
    vec![
        ("keygen", Box::new(move || _ = black_box(kem.generate(&mut Cheap)))),
        (
            "encaps",
            Box::new(move || {
                black_box(kem.encaps_key(&public).expect("a fresh key").encapsulate(&mut Cheap));
            }),
        ),
        (
            "decaps",
            Box::new(move || {
                black_box(key.decapsulate(&sent).expect("the right length"));
            }),
        ),
        (
            "decaps (encoded)",
            Box::new(move || {
                let key = kem.decaps_key(private.as_ref()).expect("a fresh key");
                black_box(key.decapsulate(&sent2).expect("the right length"));
            }),
        ),
    ]
}

fn signature(scheme: &'static dyn DynSignature) -> Operations {
    let key = scheme.generate(&mut Cheap);
    let (public, private) = (key.verifying_key_bytes(), key.to_bytes());
    let message = array::<64>();
    let signed = key.sign(&message, b"", &mut Cheap).expect("no context");
    vec![
        ("keygen", Box::new(move || _ = black_box(scheme.generate(&mut Cheap)))),
        (
            "sign",
            Box::new(move || {
                black_box(key.sign(&array::<64>(), b"", &mut Cheap).expect("no context"));
            }),
        ),
        (
            "sign (encoded)",
            Box::new(move || {
                let key = scheme.signing_key(private.as_ref()).expect("a fresh key");
                black_box(key.sign(&array::<64>(), b"", &mut Cheap).expect("no context"));
            }),
        ),
        (
            "verify",
            Box::new(move || {
                let key = scheme.verifying_key(&public).expect("a fresh key");
                key.verify(&message, b"", &signed).expect("a fresh signature");
            }),
        ),
    ]
}
