//! Operations of RustCrypto's ml-kem and ml-dsa, which have standardised algorithms only. Decoding of expanded private
//! keys is measured, although these crates deprecate it.
#![expect(deprecated)]

use grille_bench_harness::cases::Operations;
use grille_bench_harness::rng::array;
use std::hint::black_box;

/// Returns the operations of this algorithm; empty if RustCrypto lacks it.
pub fn operations(name: &str) -> Operations {
    match name {
        "ML-KEM-512" => ml_kem_512(),
        "ML-KEM-768" => ml_kem_768(),
        "ML-KEM-1024" => ml_kem_1024(),
        "ML-DSA-44" => ml_dsa_44(),
        "ML-DSA-65" => ml_dsa_65(),
        "ML-DSA-87" => ml_dsa_87(),
        _ => Vec::new(),
    }
}

/// Repeats the operations for each parameter set, because the generic bounds would be pages long.
macro_rules! kem_operations {
    ($($name:ident = $set:ident;)*) => {$(
        fn $name() -> Operations {
            use ml_kem::kem::{Decapsulate, Encapsulate, Kem, KeyExport};
            use ml_kem::{DecapsulationKey, EncapsulationKey, ExpandedKeyEncoding};
            let (private, public) = ml_kem::$set::generate_keypair();
            let (public, expanded) = (public.to_bytes(), private.to_expanded_bytes());
            let encapsulate = move || {
                EncapsulationKey::<ml_kem::$set>::new(&public).expect("a fresh key is valid").encapsulate()
            };
            let (sent, _) = encapsulate();
            vec![
                ("keygen", Box::new(|| _ = black_box(ml_kem::$set::generate_keypair()))),
                ("encaps", Box::new(move || _ = black_box(encapsulate()))),
                ("decaps", Box::new(move || _ = black_box(private.decapsulate(&sent)))),
                (
                    "decaps (encoded)",
                    Box::new(move || {
                        let key = DecapsulationKey::<ml_kem::$set>::from_expanded_bytes(&expanded);
                        black_box(key.expect("a fresh key is valid").decapsulate(&sent));
                    }),
                ),
            ]
        }
    )*};
}

macro_rules! signature_operations {
    ($($name:ident = $set:ident;)*) => {$(
        fn $name() -> Operations {
            use ml_dsa::{ExpandedSigningKey, Generate, Keypair, Signer, SigningKey, Verifier, VerifyingKey};
            let key = SigningKey::<ml_dsa::$set>::generate();
            let (public, expanded) = (key.verifying_key().encode(), key.expanded_key().to_expanded());
            let message = array::<64>();
            let signed = key.sign(&message);
            vec![
                ("keygen", Box::new(|| _ = black_box(SigningKey::<ml_dsa::$set>::generate()))),
                ("sign", Box::new(move || _ = black_box(key.sign(&array::<64>())))),
                (
                    "sign (encoded)",
                    Box::new(move || {
                        let key = ExpandedSigningKey::<ml_dsa::$set>::from_expanded(&expanded);
                        black_box(key.sign(&array::<64>()));
                    }),
                ),
                (
                    "verify",
                    Box::new(move || {
                        let key = VerifyingKey::<ml_dsa::$set>::decode(&public);
                        key.verify(&message, &signed).expect("a fresh signature is valid");
                    }),
                ),
            ]
        }
    )*};
}

kem_operations! {
    ml_kem_512 = MlKem512;
    ml_kem_768 = MlKem768;
    ml_kem_1024 = MlKem1024;
}

signature_operations! {
    ml_dsa_44 = MlDsa44;
    ml_dsa_65 = MlDsa65;
    ml_dsa_87 = MlDsa87;
}
