//! Operations of libcrux, which has standardised algorithms only. libcrux takes randomness as an argument. The modulus
//! check of encapsulation keys, which FIPS 203 section 7.2 demands, is a separate call.

use grille_bench_harness::cases::Operations;
use grille_bench_harness::rng::array;
use std::hint::black_box;

/// Returns the operations of this algorithm; empty if libcrux lacks it.
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

/// Calls the same functions in libcrux's module for each parameter set.
macro_rules! kem_operations {
    ($($name:ident = $module:ident;)*) => {$(
        fn $name() -> Operations {
            use libcrux_ml_kem::$module::{decapsulate, encapsulate, generate_key_pair, validate_public_key};
            let (private, public) = generate_key_pair(array()).into_parts();
            let (sent, _) = encapsulate(&public, array());
            let decaps = move || {
                black_box(decapsulate(&private, &sent));
            };
            let decaps: std::rc::Rc<dyn Fn()> = std::rc::Rc::new(decaps);
            let encoded = decaps.clone();
            vec![
                ("keygen", Box::new(|| _ = black_box(generate_key_pair(array())))),
                (
                    "encaps",
                    Box::new(move || {
                        assert!(validate_public_key(&public));
                        black_box(encapsulate(&public, array()));
                    }),
                ),
                ("decaps", Box::new(move || decaps())),
                ("decaps (encoded)", Box::new(move || encoded())),
            ]
        }
    )*};
}

macro_rules! signature_operations {
    ($($name:ident = $module:ident;)*) => {$(
        fn $name() -> Operations {
            use libcrux_ml_dsa::$module::{generate_key_pair, sign, verify};
            let pair = generate_key_pair(array());
            let (private, public) = (pair.signing_key, pair.verification_key);
            let message = array::<64>();
            let signed = sign(&private, &message, b"", array()).expect("signing succeeds");
            let signing = move || _ = black_box(sign(&private, &array::<64>(), b"", array()));
            let signing: std::rc::Rc<dyn Fn()> = std::rc::Rc::new(signing);
            let encoded = signing.clone();
            vec![
                ("keygen", Box::new(|| _ = black_box(generate_key_pair(array())))),
                ("sign", Box::new(move || signing())),
                ("sign (encoded)", Box::new(move || encoded())),
                ("verify", Box::new(move || verify(&public, &message, b"", &signed).expect("a fresh signature is valid"))),
            ]
        }
    )*};
}

kem_operations! {
    ml_kem_512 = mlkem512;
    ml_kem_768 = mlkem768;
    ml_kem_1024 = mlkem1024;
}

signature_operations! {
    ml_dsa_44 = ml_dsa_44;
    ml_dsa_65 = ml_dsa_65;
    ml_dsa_87 = ml_dsa_87;
}
