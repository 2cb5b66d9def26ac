//! What only grille has: prepared keys, and keys read with trust. Each operation stands beside the peers' without one.

use crate::grille::Own;
use crate::rng::{Cheap, array};
use grille_core::{DecapsKey as _, EncapsKey as _, Kem, Signature, SigningKey as _, VerifyingKey as _};
use grille_mldsa::params::{self as mldsa_params, D2, D2Aes, D3, D3Aes, D5, D5Aes, P44, P65, P87};
use grille_mldsa::{MlDsa, SigningKey, TrustedSigningKey};
use grille_mlkem::params::{
    self as mlkem_params, K512, K512N, K768, K768N, K1024, K1024N, P512, P768, P1024,
};
use grille_mlkem::{DecapsKey, EncapsKey, MlKem};
use std::hint::black_box;

/// The operations of this algorithm; none if it has no prepared keys.
#[must_use]
pub fn operations(name: &str) -> Vec<Own> {
    #[rustfmt::skip]
    let all = [
        mlkem::<P512>, mlkem::<P768>, mlkem::<P1024>,
        mlkem::<K512>, mlkem::<K768>, mlkem::<K1024>,
        mlkem::<K512N>, mlkem::<K768N>, mlkem::<K1024N>,
        mldsa::<P44>, mldsa::<P65>, mldsa::<P87>,
        mldsa::<D2>, mldsa::<D3>, mldsa::<D5>,
        mldsa::<D2Aes>, mldsa::<D3Aes>, mldsa::<D5Aes>,
    ];
    all.iter().find_map(|operations| operations(name)).unwrap_or_default()
}

fn mlkem<P: mlkem_params::Params>(name: &str) -> Option<Vec<Own>> {
    if MlKem::<P>::INFO.name != name {
        return None;
    }
    let bytes = DecapsKey::<P>::generate(&mut Cheap).encaps_key().to_bytes();
    let key = EncapsKey::<P>::from_bytes(&bytes).expect("a fresh key").prepare();
    let encaps = move || _ = black_box(key.encapsulate(&mut Cheap));
    Some(vec![beside("encaps (prepared)", "encaps", encaps)])
}

fn mldsa<P: mldsa_params::Params>(name: &str) -> Option<Vec<Own>> {
    if MlDsa::<P>::INFO.name != name {
        return None;
    }
    let signer = SigningKey::<P>::generate(&mut Cheap).prepare();
    let verifier = signer.verifying_key().prepare();
    let message = array::<64>();
    let signed = signer.sign(&message, b"", &mut Cheap).expect("no context");
    let stored = signer.to_bytes();
    let sign_stored = move || {
        let key = TrustedSigningKey::<P>::from_bytes(stored.as_ref()).expect("a fresh key");
        black_box(key.sign(&array::<64>(), b"", &mut Cheap).expect("no context"));
    };
    let sign = move || _ = black_box(signer.sign(&array::<64>(), b"", &mut Cheap).expect("no context"));
    let verify = move || verifier.verify(&message, b"", signed.as_ref()).expect("a fresh signature");
    Some(vec![
        beside("sign (trusted)", "sign (encoded)", sign_stored),
        beside("sign (prepared)", "sign", sign),
        beside("verify (prepared)", "verify", verify),
    ])
}

/// An operation that the peers have under another name.
fn beside(name: &'static str, against: &'static str, run: impl FnMut() + 'static) -> Own {
    Own { name, against, count: 1, run: Box::new(run) }
}
