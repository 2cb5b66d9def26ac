//! Operations that only grille has: prepared keys, keys decoded without checks, eight operations at once, and batched
//! key generation. Each is compared with the peers' plain operation.

use crate::grille::OwnOperation;
use crate::rng::{SplitMix, array};
use grille_core::{DecapsKey as _, EncapsKey as _, Kem, Signature, SigningKey as _, VerifyingKey as _};
use grille_falcon::Falcon;
use grille_falcon::params::{self as falcon_params, Falcon512P, Falcon1024P};
use grille_mldsa::params::{self as mldsa_params, D2, D2Aes, D3, D3Aes, D5, D5Aes, P44, P65, P87};
use grille_mldsa::{MlDsa, SigningKey, TrustedSigningKey};
use grille_mlkem::params::{
    self as mlkem_params, K512, K512N, K768, K768N, K1024, K1024N, P512, P768, P1024,
};
use grille_mlkem::{DecapsKey, EncapsKey, MlKem};
use grille_ntru::Ntru;
use grille_ntru::params::{
    self as ntru_params, Hps2048509, Hps2048677, Hps4096821, Hps40961229, Hrss701, Hrss1373,
};
use grille_saber::SaberKem;
use grille_saber::params::{self as saber_params, Fire, Light, Plain};
use std::hint::black_box;

/// Returns the operations of this algorithm that only grille has; empty if there are none.
#[must_use]
pub fn operations(name: &str) -> Vec<OwnOperation> {
    #[rustfmt::skip]
    let all = [
        mlkem::<P512>, mlkem::<P768>, mlkem::<P1024>,
        mlkem::<K512>, mlkem::<K768>, mlkem::<K1024>,
        mlkem::<K512N>, mlkem::<K768N>, mlkem::<K1024N>,
        mldsa::<P44>, mldsa::<P65>, mldsa::<P87>,
        mldsa::<D2>, mldsa::<D3>, mldsa::<D5>,
        mldsa::<D2Aes>, mldsa::<D3Aes>, mldsa::<D5Aes>,
        ntru::<Hps2048509>, ntru::<Hps2048677>, ntru::<Hps4096821>,
        ntru::<Hps40961229>, ntru::<Hrss701>, ntru::<Hrss1373>,
        falcon::<Falcon512P>, falcon::<Falcon1024P>,
        saber::<Light>, saber::<Plain>, saber::<Fire>,
    ];
    all.iter().find_map(|operations| operations(name)).unwrap_or_default()
}

fn mlkem<P: mlkem_params::Params>(name: &str) -> Option<Vec<OwnOperation>> {
    if MlKem::<P>::INFO.name != name {
        return None;
    }
    let bytes = DecapsKey::<P>::generate(&mut SplitMix).encaps_key().to_bytes();
    let key = EncapsKey::<P>::from_bytes(&bytes).expect("a fresh key is valid").prepare();
    let encaps = move || _ = black_box(key.encapsulate(&mut SplitMix));
    let mut all = vec![compared_with("encaps (prepared)", "encaps", encaps)];
    // Kyber runs eight operations one after the other, so there is nothing to measure
    if name.starts_with("ML-KEM") {
        all.extend(batches_of_eight::<MlKem<P>>());
    }
    Some(all)
}

fn batches_of_eight<K: Kem>() -> [OwnOperation; 3] {
    let (keys, pairs) = (K::generate_many(8, &mut SplitMix), K::generate_many(8, &mut SplitMix));
    let public: Vec<_> = pairs.iter().map(K::DecapsKey::encaps_key).collect();
    let sent = K::encapsulate_many(&public, &mut SplitMix);
    let eight = [
        compared_with("keygen ×8", "keygen", || _ = black_box(K::generate_many(8, &mut SplitMix))),
        compared_with("encaps ×8", "encaps", move || {
            let public: [_; 8] = std::array::from_fn(|n| keys[n].encaps_key());
            black_box(K::encapsulate_many(&public, &mut SplitMix));
        }),
        compared_with("decaps ×8", "decaps", move || {
            let received: [_; 8] = std::array::from_fn(|n| (&pairs[n], &sent[n].ciphertext));
            black_box(K::decapsulate_many(&received));
        }),
    ];
    eight.map(|own| OwnOperation { count: 8, ..own })
}

fn mldsa<P: mldsa_params::Params>(name: &str) -> Option<Vec<OwnOperation>> {
    if MlDsa::<P>::INFO.name != name {
        return None;
    }
    let signer = SigningKey::<P>::generate(&mut SplitMix).prepare();
    let verifier = signer.verifying_key().prepare();
    let message = array::<64>();
    let signed = signer.sign(&message, b"", &mut SplitMix).expect("an empty context is short enough");
    let stored = signer.to_bytes();
    let sign_stored = move || {
        let key = TrustedSigningKey::<P>::from_bytes(stored.as_ref()).expect("a fresh key is valid");
        black_box(key.sign(&array::<64>(), b"", &mut SplitMix).expect("an empty context is short enough"));
    };
    let sign = move || {
        _ = black_box(
            signer.sign(&array::<64>(), b"", &mut SplitMix).expect("an empty context is short enough"),
        )
    };
    let verify = move || verifier.verify(&message, b"", signed.as_ref()).expect("a fresh signature is valid");
    Some(vec![
        compared_with("sign (trusted)", "sign (encoded)", sign_stored),
        compared_with("sign (prepared)", "sign", sign),
        compared_with("verify (prepared)", "verify", verify),
    ])
}

fn falcon<P: falcon_params::Params>(name: &str) -> Option<Vec<OwnOperation>> {
    if Falcon::<P>::INFO.name != name {
        return None;
    }
    let prepare = || Falcon::<P>::generate(&mut SplitMix).prepare();
    let (signer, signer8) = (prepare(), prepare());
    let verifier = signer.verifying_key().clone();
    let message = array::<64>();
    let signed = signer.sign(&message, b"", &mut SplitMix).expect("an empty context is short enough");
    let sign = move || {
        _ = black_box(
            signer.sign(&array::<64>(), b"", &mut SplitMix).expect("an empty context is short enough"),
        )
    };
    let sign8 = move || {
        let messages: [[u8; 64]; 8] = std::array::from_fn(|_| array());
        let messages = messages.each_ref().map(<[u8; 64]>::as_slice);
        black_box(
            signer8.sign_many(&messages, b"", &mut SplitMix).expect("an empty context is short enough"),
        );
    };
    let verify = move || verifier.verify(&message, b"", &signed).expect("a fresh signature is valid");
    Some(vec![
        compared_with("sign (prepared)", "sign", sign),
        OwnOperation { count: 8, ..compared_with("sign ×8", "sign", sign8) },
        compared_with("verify (prepared)", "verify", verify),
    ])
}

fn saber<P: saber_params::Params>(name: &str) -> Option<Vec<OwnOperation>> {
    if SaberKem::<P>::INFO.name != name {
        return None;
    }
    let prepared = SaberKem::<P>::generate(&mut SplitMix).encaps_key().prepare();
    let encaps = move || _ = black_box(prepared.encapsulate(&mut SplitMix));
    Some(
        [compared_with("encaps (prepared)", "encaps", encaps)]
            .into_iter()
            .chain(batches_of_eight::<SaberKem<P>>())
            .collect(),
    )
}

fn ntru<P: ntru_params::Params>(name: &str) -> Option<Vec<OwnOperation>> {
    if Ntru::<P>::INFO.name != name {
        return None;
    }
    let keygen = || _ = black_box(Ntru::<P>::generate_many(32, &mut SplitMix));
    Some(vec![OwnOperation { name: "keygen ×32", against: "keygen", count: 32, run: Box::new(keygen) }])
}

/// Makes an operation that is compared with an operation of the peers that has another name.
fn compared_with(name: &'static str, against: &'static str, run: impl FnMut() + 'static) -> OwnOperation {
    OwnOperation { name, against, count: 1, run: Box::new(run) }
}
