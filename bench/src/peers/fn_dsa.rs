//! Operations of fn-dsa, by an author of Falcon. Its keys and hashes differ from those of round 3, but take the same
//! amount of work. fn-dsa has no keys with an expanded tree, and chooses AVX2 at run time. Here it uses the same fast
//! generator as grille.

use fn_dsa::{
    CryptoRng, DOMAIN_NONE, FN_DSA_LOGN_512, FN_DSA_LOGN_1024, HASH_ID_RAW, KeyPairGenerator,
    KeyPairGeneratorStandard, RngCore, RngError, SigningKey, SigningKeyStandard, VerifyingKey,
    VerifyingKeyStandard, sign_key_size, signature_size, vrfy_key_size,
};
use grille_bench_harness::cases::Operations;
use grille_bench_harness::rng::{self, array};
use std::hint::black_box;

/// Returns the operations of this algorithm; empty if fn-dsa lacks it.
pub fn operations(name: &str) -> Operations {
    match name {
        "Falcon-512" => for_degree(FN_DSA_LOGN_512),
        "Falcon-1024" => for_degree(FN_DSA_LOGN_1024),
        _ => Vec::new(),
    }
}

fn for_degree(logn: u32) -> Operations {
    let (private, public) = key_pair(logn);
    let decode = |private: &[u8]| SigningKeyStandard::decode(private).expect("a fresh key is valid");
    let message = array::<64>();
    let mut key = decode(&private);
    let signed = sign(&mut key, &message, logn);
    vec![
        ("keygen", Box::new(move || _ = black_box(key_pair(logn)))),
        ("sign", Box::new(move || _ = black_box(sign(&mut key, &array::<64>(), logn)))),
        (
            "sign (encoded)",
            Box::new(move || _ = black_box(sign(&mut decode(&private), &array::<64>(), logn))),
        ),
        (
            "verify",
            Box::new(move || {
                let key = VerifyingKeyStandard::decode(&public).expect("a fresh key is valid");
                assert!(key.verify(&signed, &DOMAIN_NONE, &HASH_ID_RAW, &message), "a fresh signature");
            }),
        ),
    ]
}

/// Makes an encoded private key and its public key.
fn key_pair(logn: u32) -> (Vec<u8>, Vec<u8>) {
    let (mut private, mut public) = (vec![0; sign_key_size(logn)], vec![0; vrfy_key_size(logn)]);
    KeyPairGeneratorStandard::default().keygen(logn, &mut SplitMix, &mut private, &mut public);
    (private, public)
}

fn sign(key: &mut SigningKeyStandard, message: &[u8], logn: u32) -> Vec<u8> {
    let mut signed = vec![0; signature_size(logn)];
    key.sign(&mut SplitMix, &DOMAIN_NONE, &HASH_ID_RAW, message, &mut signed);
    signed
}

/// [`rng`] with the older traits of random generators.
struct SplitMix;

impl RngCore for SplitMix {
    fn next_u32(&mut self) -> u32 {
        u32::from_le_bytes(array())
    }

    fn next_u64(&mut self) -> u64 {
        u64::from_le_bytes(array())
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        rng::fill(bytes);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), RngError> {
        rng::fill(bytes);
        Ok(())
    }
}

impl CryptoRng for SplitMix {}
