//! Inputs that must be refused, and inputs that must not panic. Where possible, each test covers all nine parameter
//! sets.

use grille_core::{DynSignature, Error, Signature, SigningKey, VerifyingKey};
use grille_hash::{Level, Shake128};
use grille_mldsa::{
    Dilithium2Aes, Dilithium3, Dilithium3Aes, Dilithium5Aes, HashFunction, MlDsa, MlDsa44, MlDsa65, MlDsa87,
    Mu, PreHash, PreparedSigningKey, PreparedVerifyingKey, TrustedSigningKey, erased,
    params::{self, Params},
};
use grille_stream::Stream;
use grille_stream::lengths::signature_refuses_wrong_lengths;
use grille_stream::many::signatures_equal_single_ones;

const ALL: [&dyn DynSignature; 9] = [
    &erased::MlDsa44,
    &erased::MlDsa65,
    &erased::MlDsa87,
    &erased::Dilithium2,
    &erased::Dilithium3,
    &erased::Dilithium5,
    &erased::Dilithium2Aes,
    &erased::Dilithium3Aes,
    &erased::Dilithium5Aes,
];

fn key<S: Signature>(seed: u8) -> S::SigningKey {
    S::SigningKey::from_seed(&[seed; 32]).expect("32 bytes")
}

#[test]
fn signatures_verify_only_for_their_message_context_and_key() {
    for algorithm in ALL {
        let name = algorithm.info().name;
        let mut rng = Stream::new(name.as_bytes());
        let (key, other) = (algorithm.generate(&mut rng), algorithm.generate(&mut rng));
        let public = algorithm.verifying_key(&key.verifying_key_bytes()).expect(name);
        let other_key = algorithm.verifying_key(&other.verifying_key_bytes()).expect(name);
        let context: &[u8] = if algorithm.info().context_len > 0 { b"context" } else { b"" };
        for len in [0, 1, 31, 136, 1000] {
            let message = vec![len as u8; len];
            let hedged = key.sign(&message, context, &mut rng).expect(name);
            let deterministic = key.sign_deterministic(&message, context).expect(name);
            assert_ne!(hedged, deterministic);
            assert_eq!(deterministic, key.sign_deterministic(&message, context).expect(name));
            for signature in [hedged, deterministic] {
                assert_eq!(public.verify(&message, context, &signature), Ok(()), "{name}");
                let longer = [&message[..], &[0]].concat();
                assert_eq!(public.verify(&longer, context, &signature), Err(Error::InvalidSignature));
                assert_eq!(other_key.verify(&message, context, &signature), Err(Error::InvalidSignature));
                if !context.is_empty() {
                    assert_eq!(public.verify(&message, b"", &signature), Err(Error::InvalidSignature));
                }
            }
        }
    }
}

#[test]
fn operations_draw_as_much_randomness_as_the_known_answers() {
    for algorithm in ALL {
        let mut rng = Stream::new(b"draws");
        let key = algorithm.generate(&mut rng);
        key.sign(b"message", b"", &mut rng).expect("an empty context is short enough");
        let signing = if algorithm.info().context_len > 0 { 32 } else { 64 };
        assert_eq!(rng.read_sizes(), [32, signing], "{}", algorithm.info().name);
    }
}

#[test]
fn sign_many_matches_signing_one_by_one() {
    let key = key::<MlDsa44>(3);
    signatures_equal_single_ones(&key);
    signatures_equal_single_ones(&key.prepare());
}

#[test]
fn rejects_contexts_beyond_255_bytes() {
    for algorithm in ALL {
        let max = algorithm.info().context_len;
        let key = algorithm.signing_key_from_seed(&[1; 32]).expect("32 bytes");
        let public =
            algorithm.verifying_key(&key.verifying_key_bytes()).expect("output of this library is valid");
        let longest = vec![7; max];
        let signature = key.sign_deterministic(b"", &longest).expect("the length is within the limit");
        assert_eq!(public.verify(b"", &longest, &signature), Ok(()));
        let longer = vec![7; max + 1];
        let refused = Error::ContextTooLong { max, got: max + 1 };
        assert_eq!(key.sign_deterministic(b"", &longer), Err(refused));
        assert_eq!(key.sign(b"", &longer, &mut Stream::new(b"")), Err(refused));
        assert_eq!(public.verify(b"", &longer, &signature), Err(refused));
    }
}

#[test]
fn rejects_every_wrong_length() {
    ALL.into_iter().for_each(signature_refuses_wrong_lengths);
}

#[test]
fn typed_api_rejects_every_wrong_length() {
    fn check<S: Signature>() {
        let key = key::<S>(3);
        for len in [0, S::INFO.signature_len - 1, S::INFO.signature_len + 1] {
            assert_eq!(key.verifying_key().verify(b"", b"", &vec![0; len]), Err(Error::InvalidSignature));
        }
        assert!(S::SigningKey::from_bytes(&vec![0; S::INFO.signing_key_len + 1]).is_err());
        assert!(S::VerifyingKey::from_bytes(&vec![0; S::INFO.verifying_key_len - 1]).is_err());
    }
    check::<MlDsa44>();
    check::<MlDsa87>();
    check::<Dilithium3>();
    check::<Dilithium5Aes>();
}

#[test]
fn rejects_every_bit_flip_in_signature_or_verifying_key() {
    for algorithm in ALL {
        let name = algorithm.info().name;
        let mut rng = Stream::new(name.as_bytes());
        let key = algorithm.signing_key_from_seed(&[4; 32]).expect("32 bytes");
        let encoded = key.verifying_key_bytes();
        let public = algorithm.verifying_key(&encoded).expect("output of this library is valid");
        let signature = key.sign_deterministic(b"message", b"").expect("an empty context is short enough");
        for _ in 0..1000 {
            let bit = rng.below(8 * signature.len());
            let mut flipped = signature.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(
                public.verify(b"message", b"", &flipped),
                Err(Error::InvalidSignature),
                "{name} bit {bit}"
            );
            let bit = rng.below(8 * encoded.len());
            let mut flipped = encoded.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let other_key = algorithm.verifying_key(&flipped).expect("every byte string is a key");
            let refused = Err(Error::InvalidSignature);
            assert_eq!(other_key.verify(b"message", b"", &signature), refused, "{name} key bit {bit}");
        }
    }
}

#[test]
fn rejects_every_bit_flip_in_a_signing_key_except_in_k() {
    for algorithm in ALL {
        let name = algorithm.info().name;
        let mut rng = Stream::new(name.as_bytes());
        let key = algorithm.signing_key_from_seed(&[5; 32]).expect("32 bytes");
        let public =
            algorithm.verifying_key(&key.verifying_key_bytes()).expect("output of this library is valid");
        let encoded = key.to_bytes();
        for _ in 0..1000 {
            let bit = rng.below(8 * encoded.as_ref().len());
            let mut flipped = encoded.as_ref().to_vec();
            flipped[bit / 8] ^= 1 << (bit % 8);
            match algorithm.signing_key(&flipped) {
                // K comes after ρ, and only the masks depend on K
                Ok(key) => {
                    assert!((32..64).contains(&(bit / 8)), "{name} bit {bit}");
                    let signature =
                        key.sign_deterministic(b"", b"").expect("an empty context is short enough");
                    assert_eq!(public.verify(b"", b"", &signature), Ok(()));
                }
                Err(error) => assert!(matches!(error, Error::InvalidPrivateKey { .. }), "{error}"),
            }
        }
    }
}

#[test]
fn keys_round_trip_and_only_generated_keys_have_seeds() {
    for algorithm in ALL {
        let generated = algorithm.generate(&mut Stream::new(b"seed"));
        let seed = generated.seed().expect("a generated key has a seed");
        let seeded = algorithm.signing_key_from_seed(seed.as_ref()).expect("32 bytes");
        let imported =
            algorithm.signing_key(generated.to_bytes().as_ref()).expect("output of this library is valid");
        assert_eq!(seeded.seed(), Some(seed));
        assert_eq!(imported.seed(), None);
        for other in [seeded, imported] {
            assert_eq!(other.to_bytes(), generated.to_bytes());
            assert_eq!(other.verifying_key_bytes(), generated.verifying_key_bytes());
            assert_eq!(other.sign_deterministic(b"m", b""), generated.sign_deterministic(b"m", b""));
        }
    }
}

#[test]
fn rejects_non_canonical_hints() {
    // the hints are the last ω + k bytes: positions, then the end of each polynomial's positions
    fn check<S: Signature>(omega: usize, k: usize) {
        let key = key::<S>(6);
        let signature = key
            .sign_deterministic(b"hints", b"")
            .expect("an empty context is short enough")
            .as_ref()
            .to_vec();
        let hints = signature.len() - omega - k;
        let ends = hints + omega;
        let used = usize::from(signature[ends + k - 1]);
        let first = usize::from(signature[ends]);
        assert!(first >= 2 && used < omega, "the hint has at least two entries and space left");
        let refused = |change: &dyn Fn(&mut [u8])| {
            let mut changed = signature.clone();
            change(&mut changed);
            assert_ne!(changed, signature);
            assert_eq!(key.verifying_key().verify(b"hints", b"", &changed), Err(Error::InvalidSignature));
        };
        refused(&|sig| sig[hints + used] = 1); // an unused position
        refused(&|sig| sig[ends - 1] = 255);
        refused(&|sig| sig.swap(hints, hints + 1)); // descending
        refused(&|sig| sig[hints + 1] = sig[hints]); // twice
        refused(&|sig| sig[ends + k - 1] = omega as u8 + 1); // too many
        refused(&|sig| sig[ends + k - 1] = 255);
        refused(&|sig| sig[ends + 1] = sig[ends] - 1); // descending ends
        assert_eq!(key.verifying_key().verify(b"hints", b"", &signature), Ok(()));
    }
    check::<MlDsa44>(80, 4);
    check::<MlDsa65>(55, 6);
    check::<MlDsa87>(75, 8);
    check::<Dilithium3Aes>(55, 6);
}

#[test]
fn trusted_keys_sign_like_full_keys_and_check_on_demand() {
    fn check<P: Params>() {
        let name = MlDsa::<P>::INFO.name;
        let key = key::<MlDsa<P>>(9);
        let bytes = key.to_bytes();
        let trusted = TrustedSigningKey::<P>::from_bytes(bytes.as_ref()).expect(name);
        let expected = key.sign_deterministic(b"message", b"").expect(name);
        assert_eq!(trusted.sign_deterministic(b"message", b"").expect(name).as_ref(), expected.as_ref());
        let hedged = trusted.sign(b"message", b"", &mut Stream::new(b"hedged")).expect(name);
        let expected = key.sign(b"message", b"", &mut Stream::new(b"hedged")).expect(name);
        assert_eq!(hedged.as_ref(), expected.as_ref(), "{name}");
        assert!(*trusted.check().expect(name).verifying_key() == *key.verifying_key(), "{name}");

        assert!(matches!(
            TrustedSigningKey::<P>::from_bytes(&bytes.as_ref()[1..]),
            Err(Error::Length { .. })
        ));
        let mut contradictory = bytes.as_ref().to_vec();
        *contradictory.last_mut().expect("not empty") ^= 1;
        let trusted = TrustedSigningKey::<P>::from_bytes(&contradictory).expect(name);
        assert!(matches!(trusted.check(), Err(Error::InvalidPrivateKey { .. })), "{name}");
        // ρ, K and tr precede s1; a byte of ones is out of range for every η
        let s1 = bytes.as_ref().len() - (P::K * 13 + (P::K + P::L) * if P::ETA == 2 { 3 } else { 4 }) * 32;
        contradictory[s1] = 0xFF;
        let refused = TrustedSigningKey::<P>::from_bytes(&contradictory).err();
        assert!(matches!(refused, Some(Error::InvalidPrivateKey { .. })), "{name}");
    }
    check::<params::P44>();
    check::<params::P65>();
    check::<params::P87>();
    check::<params::D3Aes>();
}

#[test]
fn prepared_keys_match_unprepared_keys() {
    fn check<P: Params>() {
        let name = MlDsa::<P>::INFO.name;
        let prepared = key::<MlDsa<P>>(9).prepare();
        let key = prepared.signing_key();
        let imported = PreparedSigningKey::<P>::from_bytes(key.to_bytes().as_ref()).expect(name);
        let from_seed = PreparedSigningKey::<P>::from_seed(&[9; 32]).expect(name);
        let verifier = key.verifying_key().prepare();
        let parsed = PreparedVerifyingKey::<P>::from_bytes(&key.verifying_key().to_bytes()).expect(name);
        for message in [&b""[..], b"message", &[7; 1000]] {
            let signature = key.sign_deterministic(message, b"").expect(name);
            for other in [&prepared, &imported, &from_seed] {
                let again = other.sign_deterministic(message, b"").expect(name);
                assert_eq!(signature.as_ref(), again.as_ref(), "{name}");
                let hedged = other.sign(message, b"", &mut Stream::new(b"hedged")).expect(name);
                let expected = key.sign(message, b"", &mut Stream::new(b"hedged")).expect(name);
                assert_eq!(hedged.as_ref(), expected.as_ref(), "{name}");
            }
            let mut tampered = signature.as_ref().to_vec();
            tampered[0] ^= 1;
            for verifier in [&verifier, &parsed] {
                assert_eq!(verifier.verify(message, b"", signature.as_ref()), Ok(()), "{name}");
                assert_eq!(verifier.verify(b"other", b"", signature.as_ref()), Err(Error::InvalidSignature));
                assert_eq!(verifier.verify(message, b"", &tampered), Err(Error::InvalidSignature));
                assert_eq!(verifier.verify(message, b"", &tampered[1..]), Err(Error::InvalidSignature));
            }
        }
        let mut contradictory = key.to_bytes().as_ref().to_vec();
        *contradictory.last_mut().expect("not empty") ^= 1;
        assert!(PreparedSigningKey::<P>::from_bytes(&contradictory).is_err(), "{name}");
        assert_eq!(prepared.to_bytes().as_ref(), key.to_bytes().as_ref());
        assert_eq!(parsed.to_bytes(), key.verifying_key().to_bytes());
    }
    check::<params::P44>();
    check::<params::P65>();
    check::<params::P87>();
    check::<params::D2>();
    check::<params::D3>();
    check::<params::D5>();
    check::<params::D2Aes>();
    check::<params::D3Aes>();
    check::<params::D5Aes>();
}

#[test]
fn prehash_signature_does_not_verify_as_pure() {
    let key = key::<MlDsa65>(7);
    let public = key.verifying_key();
    for function in HashFunction::ALL {
        let hashed = PreHash::new(function, b"message");
        assert_eq!(Ok(hashed), PreHash::from_digest(function, hashed.digest()));
        let signature = key.sign_prehash_deterministic(&hashed, b"ctx").expect("short");
        assert_eq!(public.verify_prehash(&hashed, b"ctx", &signature), Ok(()));
        let hedged = key.sign_prehash(&hashed, b"ctx", &mut Stream::new(b"")).expect("short");
        assert_eq!(public.verify_prehash(&hashed, b"ctx", &hedged), Ok(()));
        assert_eq!(public.verify_prehash(&hashed, b"", &signature), Err(Error::InvalidSignature));
        assert_eq!(public.verify(b"message", b"ctx", &signature), Err(Error::InvalidSignature));
        assert_eq!(public.verify(hashed.digest(), b"ctx", &signature), Err(Error::InvalidSignature));
        for other in HashFunction::ALL.into_iter().filter(|other| *other != function) {
            if let Ok(other) = PreHash::from_digest(other, hashed.digest()) {
                assert_eq!(public.verify_prehash(&other, b"ctx", &signature), Err(Error::InvalidSignature));
            }
        }
        let wrong = function.digest_len() + 1;
        assert!(PreHash::from_digest(function, &vec![0; wrong]).is_err());
        assert!(key.sign_prehash_deterministic(&hashed, &[0; 256]).is_err());
    }
}

#[test]
fn external_mu_signs_like_the_message() {
    let key = key::<MlDsa44>(8);
    let mu = key.verifying_key().mu(b"message", b"ctx").expect("short");
    let signature = key.sign_mu_deterministic(&mu);
    assert_eq!(Ok(signature), key.sign_deterministic(b"message", b"ctx"));
    assert_eq!(key.verifying_key().verify_mu(&Mu::from_bytes(*mu.as_bytes()), &signature), Ok(()));
    let mut other = *mu.as_bytes();
    other[63] ^= 1;
    let refused = key.verifying_key().verify_mu(&Mu::from_bytes(other), &signature);
    assert_eq!(refused, Err(Error::InvalidSignature));
}

#[test]
fn internal_functions_take_the_formatted_message() {
    let key = key::<MlDsa87>(9);
    // M′ = 0 ‖ |ctx| ‖ ctx ‖ M
    let m_prime = [&[0, 3][..], b"ctx", b"message"].concat();
    let signature = key.sign_internal(&m_prime, &[0; 32]);
    assert_eq!(Ok(signature), key.sign_deterministic(b"message", b"ctx"));
    assert_eq!(key.verifying_key().verify_internal(&m_prime, &signature), Ok(()));
    assert_eq!(key.verifying_key().verify_internal(b"message", &signature), Err(Error::InvalidSignature));
}

#[test]
fn debug_output_hides_key_contents() {
    assert_eq!(format!("{:?}", key::<Dilithium2Aes>(1)), "Dilithium2-AES signing key");
    assert_eq!(format!("{:?}", key::<MlDsa44>(1).verifying_key()), "ML-DSA-44 verifying key");
}

/// Computes the digest of the accumulated vectors of C2SP's CCTV, ML-DSA/accumulated. Reads the seeds from one
/// SHAKE128 stream. Another SHAKE128 absorbs the verifying keys and the deterministic signatures of the empty message.
fn accumulate_digest<S: Signature>(iterations: usize) -> String {
    let mut seeds = Stream::new(b"");
    let mut accumulator = Shake128::<1>::new(Level::detect());
    for _ in 0..iterations {
        let key = S::generate(&mut seeds);
        let signature = key.sign_deterministic(b"", b"").expect("an empty context is short enough");
        key.verifying_key().verify(b"", b"", signature.as_ref()).expect("output of this library is valid");
        accumulator.absorb_all(&key.verifying_key().to_bytes());
        accumulator.absorb_all(signature.as_ref());
    }
    let mut result = [0; 32];
    accumulator.squeeze([&mut result]);
    result.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_hundred_accumulated_vectors_match() {
    let expected = "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4";
    assert_eq!(accumulate_digest::<MlDsa44>(100), expected);
    let expected = "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199";
    assert_eq!(accumulate_digest::<MlDsa65>(100), expected);
    let expected = "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b";
    assert_eq!(accumulate_digest::<MlDsa87>(100), expected);
}

#[test]
fn ten_thousand_accumulated_vectors_match_44() {
    let expected = "e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143";
    assert_eq!(accumulate_digest::<MlDsa44>(10_000), expected);
}

#[test]
#[ignore = "several seconds"]
fn ten_thousand_accumulated_vectors_match_65_and_87() {
    let expected = "5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329";
    assert_eq!(accumulate_digest::<MlDsa65>(10_000), expected);
    let expected = "80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60";
    assert_eq!(accumulate_digest::<MlDsa87>(10_000), expected);
}

#[test]
#[ignore = "hours: each value in [0, q) is met with a probability of 99.9 %"]
fn sixty_million_accumulated_vectors_match() {
    let expected = "080b48049257f5cd30dee17d6aa393d6c42fe52a29099df84a460ebaf4b02330";
    assert_eq!(accumulate_digest::<MlDsa44>(60_000_000), expected);
    let expected = "0af0165db2b180f7a83dbecad1ccb758b9c2d834b7f801fc49dd572a9d4b1e83";
    assert_eq!(accumulate_digest::<MlDsa65>(60_000_000), expected);
    let expected = "011166e9d5032c9bdc5c9bbb5dbb6c86df1c3d9bf3570b65ebae942dd9830057";
    assert_eq!(accumulate_digest::<MlDsa87>(60_000_000), expected);
}
