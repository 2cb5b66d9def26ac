//! Operations of aws-lc-rs, which has standardised algorithms only.

use aws_lc_rs::encoding::AsRawBytes;
use aws_lc_rs::kem::{self, DecapsulationKey, EncapsulationKey};
use aws_lc_rs::signature::{
    KeyPair, ML_DSA_44, ML_DSA_44_SIGNING, ML_DSA_65, ML_DSA_65_SIGNING, ML_DSA_87, ML_DSA_87_SIGNING,
    PqdsaKeyPair, PqdsaSigningAlgorithm, PqdsaVerificationAlgorithm, UnparsedPublicKey,
};
use grille_bench_harness::cases::Operations;
use grille_bench_harness::rng::array;
use std::hint::black_box;

/// Returns the operations of this algorithm; empty if aws-lc-rs lacks it.
pub fn operations(name: &str) -> Operations {
    match name {
        "ML-KEM-512" => kem_operations(&kem::ML_KEM_512),
        "ML-KEM-768" => kem_operations(&kem::ML_KEM_768),
        "ML-KEM-1024" => kem_operations(&kem::ML_KEM_1024),
        "ML-DSA-44" => signature_operations(&ML_DSA_44_SIGNING, &ML_DSA_44),
        "ML-DSA-65" => signature_operations(&ML_DSA_65_SIGNING, &ML_DSA_65),
        "ML-DSA-87" => signature_operations(&ML_DSA_87_SIGNING, &ML_DSA_87),
        _ => Vec::new(),
    }
}

fn kem_operations(algorithm: &'static kem::Algorithm) -> Operations {
    let key = DecapsulationKey::generate(algorithm).expect("key generation succeeds");
    let public =
        key.encapsulation_key().and_then(|key| Ok(key.key_bytes()?.as_ref().to_vec())).expect("a public key");
    let private = key.key_bytes().expect("a private key").as_ref().to_vec();
    let encapsulate = move || {
        let key = EncapsulationKey::new(algorithm, &public).expect("a fresh key is valid");
        key.encapsulate().expect("encapsulation works")
    };
    let sent = encapsulate().0.as_ref().to_vec();
    let sent2 = sent.clone();
    vec![
        ("keygen", Box::new(move || _ = black_box(DecapsulationKey::generate(algorithm)))),
        ("encaps", Box::new(move || _ = black_box(encapsulate()))),
        ("decaps", Box::new(move || _ = black_box(key.decapsulate(sent.as_slice().into())))),
        (
            "decaps (encoded)",
            Box::new(move || {
                let key = DecapsulationKey::new(algorithm, &private).expect("a fresh key is valid");
                _ = black_box(key.decapsulate(sent2.as_slice().into()));
            }),
        ),
    ]
}

fn signature_operations(
    signing: &'static PqdsaSigningAlgorithm,
    verification: &'static PqdsaVerificationAlgorithm,
) -> Operations {
    let key = PqdsaKeyPair::generate(signing).expect("key generation succeeds");
    let public = key.public_key().as_ref().to_vec();
    let mut signed = vec![0; signing.signature_len()];
    let message = array::<64>();
    key.sign(&message, &mut signed).expect("signing succeeds");
    let private = key.private_key().as_raw_bytes().expect("a private key").as_ref().to_vec();
    let (mut out, mut out2) = (signed.clone(), signed.clone());
    vec![
        ("keygen", Box::new(move || _ = black_box(PqdsaKeyPair::generate(signing)))),
        (
            "sign",
            Box::new(move || {
                key.sign(&array::<64>(), &mut out).expect("signing succeeds");
            }),
        ),
        (
            "sign (encoded)",
            Box::new(move || {
                let key =
                    PqdsaKeyPair::from_raw_private_key(signing, &private).expect("a fresh key is valid");
                key.sign(&array::<64>(), &mut out2).expect("signing succeeds");
            }),
        ),
        (
            "verify",
            Box::new(move || {
                UnparsedPublicKey::new(verification, &public)
                    .verify(&message, &signed)
                    .expect("a fresh signature is valid");
            }),
        ),
    ]
}
