//! What only grille has: prepared keys. Each stands beside the peers' operation without one.

use crate::grille::Own;
use crate::rng::{Cheap, array};
use grille_core::{Signature, SigningKey, VerifyingKey};
use grille_mldsa::params::{D2, D2Aes, D3, D3Aes, D5, D5Aes, P44, P65, P87, Params};
use grille_mldsa::{MlDsa, SigningKey as MlDsaSigningKey};
use std::hint::black_box;

/// The operations of this algorithm; none if it has no prepared keys.
#[must_use]
pub fn operations(name: &str) -> Vec<Own> {
    let all = [
        mldsa::<P44>,
        mldsa::<P65>,
        mldsa::<P87>,
        mldsa::<D2>,
        mldsa::<D3>,
        mldsa::<D5>,
        mldsa::<D2Aes>,
        mldsa::<D3Aes>,
        mldsa::<D5Aes>,
    ];
    all.iter().find_map(|operations| operations(name)).unwrap_or_default()
}

fn mldsa<P: Params>(name: &str) -> Option<Vec<Own>> {
    if MlDsa::<P>::INFO.name != name {
        return None;
    }
    let signer = MlDsaSigningKey::<P>::generate(&mut Cheap).prepare();
    let verifier = signer.verifying_key().prepare();
    let message = array::<64>();
    let signed = signer.sign(&message, b"", &mut Cheap).expect("no context");
    Some(vec![
        Own {
            name: "sign (prepared)",
            against: "sign",
            count: 1,
            run: Box::new(move || {
                black_box(signer.sign(&array::<64>(), b"", &mut Cheap).expect("no context"));
            }),
        },
        Own {
            name: "verify (prepared)",
            against: "verify",
            count: 1,
            run: Box::new(move || {
                verifier.verify(&message, b"", signed.as_ref()).expect("a fresh signature");
            }),
        },
    ])
}
