//! The ML-KEM vectors of C2SP's CCTV collection: accumulated vectors, and seeds with many rejections in SampleNTT.
//!
//! The vectors are for the draft of FIPS 203. In the draft, key generation is that of round 3, (rho, sigma) =
//! G(d). Everything else is as in the final standard. [`Draft`] therefore generates Kyber keys and imports
//! them as ML-KEM keys.

use core::marker::PhantomData;
use grille_core::{DecapsKey, EncapsKey, Encapsulated, Kem};
use grille_hash::{Level, Shake128, sha3_256};
use grille_mlkem::params::{self, Params};
use grille_mlkem::{Kyber512, Kyber768, Kyber1024, MlKem};

/// The key generation for the parameter set `P`.
trait KeyGen<P: Params> {
    fn from_seed(seed: &[u8; 64]) -> grille_mlkem::DecapsKey<P>;
}

/// The key generation of the final FIPS 203.
struct Final;

impl<P: Params> KeyGen<P> for Final {
    fn from_seed(seed: &[u8; 64]) -> grille_mlkem::DecapsKey<P> {
        DecapsKey::from_seed(seed).expect("64 bytes")
    }
}

/// The key generation of the draft of FIPS 203, which is that of the Kyber parameter set `K`.
struct Draft<K>(PhantomData<K>);

impl<P: Params, K: Kem> KeyGen<P> for Draft<K> {
    fn from_seed(seed: &[u8; 64]) -> grille_mlkem::DecapsKey<P> {
        let key = K::DecapsKey::from_seed(seed).expect("64 bytes");
        DecapsKey::from_bytes(key.to_bytes().as_ref()).expect("both share the key layout")
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> [u8; 32] {
    core::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hexadecimal"))
}

/// Runs the accumulated test: reads d, z, m and a random ciphertext from one SHAKE128, and writes ek, dk (if
/// `with_dk`), c and both secrets into another SHAKE128.
fn accumulate_digest<P: Params, G: KeyGen<P>>(rounds: usize, with_dk: bool) -> String {
    let mut inputs = Shake128::<1>::new(Level::detect());
    let mut results = inputs.clone();
    for _ in 0..rounds {
        let (mut seed, mut m) = ([0; 64], [0; 32]);
        let mut random = vec![0; MlKem::<P>::INFO.ciphertext_len];
        inputs.squeeze([&mut seed]);
        inputs.squeeze([&mut m]);
        inputs.squeeze([&mut random]);
        let key = G::from_seed(&seed);
        results.absorb_all(&key.encaps_key().to_bytes());
        if with_dk {
            results.absorb_all(key.to_bytes().as_ref());
        }
        let Encapsulated { ciphertext, secret } = key.encaps_key().encaps_internal(&m);
        assert_eq!(key.decapsulate(&ciphertext), secret);
        let random = random.as_slice().try_into().expect("the length is right");
        results.absorb_all(ciphertext.as_ref());
        results.absorb_all(secret.as_ref());
        results.absorb_all(key.decapsulate(&random).as_ref());
    }
    let mut result = [0; 32];
    results.squeeze([&mut result]);
    hex(&result)
}

#[test]
fn ten_thousand_accumulated_vectors_match() {
    // this value is from LibreSSL's tests, which took it from BoringSSL
    let expected = "f959d18d3d1180121433bf0e05f11e7908cf9d03edc150b2b07cb90bef5bc1c1";
    assert_eq!(accumulate_digest::<params::P768, Final>(10_000, true), expected);
    let expected = "e3bf82b013307b2e9d47dde791ff6dfc82e694e6382404abdb948b908b75bad5";
    assert_eq!(accumulate_digest::<params::P1024, Final>(10_000, true), expected);
}

#[test]
fn ten_thousand_accumulated_draft_vectors_match_512() {
    let expected = "845913ea5a308b803c764a9ed8e9d814ca1fd9c82ba43c7b1e64b79c7a6ec8e4";
    assert_eq!(accumulate_digest::<params::P512, Draft<Kyber512>>(10_000, true), expected);
}

#[test]
#[ignore = "several seconds without vectors"]
fn ten_thousand_accumulated_draft_vectors_match_768_and_1024() {
    let expected = "f7db260e1137a742e05fe0db9525012812b004d29040a5b606aad3d134b548d3";
    assert_eq!(accumulate_digest::<params::P768, Draft<Kyber768>>(10_000, true), expected);
    let expected = "47ac888fe61544efc0518f46094b4f8a600965fc89822acb06dc7169d24f3543";
    assert_eq!(accumulate_digest::<params::P1024, Draft<Kyber1024>>(10_000, true), expected);
}

#[test]
#[ignore = "minutes"]
fn a_million_accumulated_vectors_match() {
    // this value is from Go's crypto/mlkem
    let expected = "424bf8f0e8ae99b78d788a6e2e8e9cdaf9773fc0c08a6f433507cb559edfd0f0";
    assert_eq!(accumulate_digest::<params::P768, Final>(1_000_000, false), expected);
    let expected = "578eeaa1156848cbf7a15bafef963b4ccabe3308ddfb7dbdd20ad965f634e81d";
    assert_eq!(accumulate_digest::<params::P512, Draft<Kyber512>>(1_000_000, true), expected);
    let expected = "70090cc5842aad0ec43d5042c783fae9bc320c047b5dafcb6e134821db02384d";
    assert_eq!(accumulate_digest::<params::P768, Draft<Kyber768>>(1_000_000, true), expected);
    let expected = "7ccc6d803739d3db3c5ce39c7130f459db32a199c6605e3be210e5a89d4c4b95";
    assert_eq!(accumulate_digest::<params::P1024, Draft<Kyber1024>>(1_000_000, true), expected);
}

/// Tests a key for which SampleNTT reads more than 575 bytes for one entry of the matrix.
///
/// `ek` and `c` are the SHA3-256 hashes of the encapsulation key and of the ciphertext.
fn check_many_rejections<P: Params, K: Kem>(k: &str, ek: &str, c: &str) {
    let d = unhex("8c7238e1965ddd73b1114b897e1bf4b308c0d9cc710d0482ab8b9e737405354a");
    let z = unhex("8476013560151d986dc7834dcb57c75f845f8d7ee71558d0955f3f4feb723cf2");
    let m = unhex("e48f74ad416e99631003ded1478aec62a02c245d88ed7f2fae92aedf13ca03b3");
    let mut seed = [0; 64];
    seed[..32].copy_from_slice(&d);
    seed[32..].copy_from_slice(&z);
    let key: grille_mlkem::DecapsKey<P> = Draft::<K>::from_seed(&seed);
    let sent = key.encaps_key().encaps_internal(&m);
    assert_eq!(hex(&sha3_256(Level::detect(), &[&key.encaps_key().to_bytes()])), ek);
    assert_eq!(hex(&sha3_256(Level::detect(), &[sent.ciphertext.as_ref()])), c);
    assert_eq!(hex(sent.secret.as_ref()), k);
    assert_eq!(key.decapsulate(&sent.ciphertext), sent.secret);
}

#[test]
fn samples_with_many_rejections_match() {
    check_many_rejections::<params::P512, Kyber512>(
        "9ce7b7117dcae1317ba2427d19796275502a0417ed2e8c346a65b923cfb2f23c",
        "c520653c1786ba01e323d525cf53eddcd12db9977e4630cc2ac10a6a81406b21",
        "1b440ee9e439b6893020d75e2d32f0877ded52fafdd7c9da73cdc4298c7940eb",
    );
    check_many_rejections::<params::P768, Kyber768>(
        "821a5e7294086332d139f210070ad873a80f28c550dc38e78a1a9f0023332d47",
        "4092928c2fb67cf2c96d9de44a4bf4773593d0ff8019dc69e0c23626a7d8569a",
        "0b8875c3a1cb6ff976110c410446f82c3cf82713855c74183a23d41db8b9e936",
    );
    check_many_rejections::<params::P1024, Kyber1024>(
        "5895ea3e868881674be74cf26faef68471dc731ae965a9c2094ed852349ae477",
        "3e8a5c61bf743019116026877c8e08dddaababde8395b3e088b6ab4338ff4ee1",
        "6d45a0d8acf94656ec755b1b60130e6ebbacd2ddb9a9773524266b7c09132860",
    );
}
