//! Ephemeral Diffie–Hellman in the finite fields of RFC 7919, as a KEM: the ciphertext is an ephemeral public key, and
//! the secret is the shared element.
//!
//! Elements are big-endian and as long as the modulus, with leading zeros, as RFC 8446 section 7.4.1 and DSP0274
//! require. Exponents are as short as RFC 7919 section 5.2 allows: twice the strength of the group.

use crate::power::{WORD_BITS, power};
use crypto_bigint::{Odd, Uint};
use grille_core::{
    CryptoRng, DynDecapsKey, DynEncapsKey, DynEncapsulated, DynKem, Error, KemInfo, SecretBytes,
};

/// Diffie–Hellman in one group. `LIMBS` is the number of words of the modulus.
#[derive(Clone, Copy)]
pub struct Ffdhe<const LIMBS: usize> {
    info: KemInfo,
    /// The modulus p, a safe prime. The generator is 2.
    p: &'static str,
}

/// ffdhe2048, RFC 7919 appendix A.1: 103 bits of strength.
pub static FFDHE2048: Ffdhe<{ 2048 / WORD_BITS }> = Ffdhe::new("ffdhe2048", FFDHE2048_P, 256, 32);
/// ffdhe3072, RFC 7919 appendix A.2: 125 bits of strength.
pub static FFDHE3072: Ffdhe<{ 3072 / WORD_BITS }> = Ffdhe::new("ffdhe3072", FFDHE3072_P, 384, 40);
/// ffdhe4096, RFC 7919 appendix A.3: 150 bits of strength.
pub static FFDHE4096: Ffdhe<{ 4096 / WORD_BITS }> = Ffdhe::new("ffdhe4096", FFDHE4096_P, 512, 48);

impl<const LIMBS: usize> Ffdhe<LIMBS> {
    /// Creates the group. `element` and `exponent` are the lengths of elements and exponents in bytes.
    const fn new(name: &'static str, p: &'static str, element: usize, exponent: usize) -> Self {
        let info = KemInfo {
            name,
            encaps_key_len: element,
            decaps_key_len: exponent,
            seed_len: Some(exponent),
            ciphertext_len: element,
            shared_secret_len: element,
        };
        Self { info, p }
    }

    fn p(&self) -> Odd<Uint<LIMBS>> {
        Odd::from_be_hex(self.p)
    }

    /// Computes base^exponent mod p. `exponent` is secret and has this group's length. The result is secret unless it
    /// is a public key.
    fn pow(&self, base: &Uint<LIMBS>, exponent: &SecretBytes) -> SecretBytes {
        power(self.p(), base, exponent.as_ref())
    }

    /// Parses an element received from the peer and checks 1 < y < p - 1, RFC 7919 section 5.1.
    fn parse(&self, input: &'static str, bytes: &[u8]) -> Result<Uint<LIMBS>, Error> {
        Error::check_len(input, self.info.encaps_key_len, bytes.len())?;
        let y = Uint::from_be_slice(bytes);
        let p = self.p();
        let inside = y > Uint::ONE && y < p.as_ref().wrapping_sub(&Uint::ONE);
        if inside { Ok(y) } else { Err(Error::InvalidPublicKey { reason: "is not an element of the group" }) }
    }

    fn private(self, exponent: SecretBytes) -> Result<FfdheKey<LIMBS>, Error> {
        Error::check_len("private key", self.info.decaps_key_len, exponent.as_ref().len())?;
        let public = self.pow(&Uint::from_u8(2), &exponent).as_ref().to_vec();
        if self.parse("public key", &public).is_err() {
            return Err(Error::InvalidPrivateKey { reason: "is not a valid exponent for the group" });
        }
        Ok(FfdheKey { group: self, exponent, public })
    }

    fn random(self, rng: &mut dyn CryptoRng) -> FfdheKey<LIMBS> {
        let mut exponent = SecretBytes::new(vec![0; self.info.decaps_key_len]);
        loop {
            rng.fill_bytes(exponent.as_mut());
            if let Ok(key) = self.private(exponent.clone()) {
                return key;
            }
        }
    }
}

impl<const LIMBS: usize> DynKem for Ffdhe<LIMBS> {
    fn info(&self) -> &KemInfo {
        &self.info
    }

    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynDecapsKey> {
        Box::new(self.random(rng))
    }

    fn decaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
        Ok(Box::new(self.private(bytes.into())?))
    }

    fn decaps_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
        self.decaps_key(seed)
    }

    fn encaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynEncapsKey>, Error> {
        Ok(Box::new(Element { group: *self, y: self.parse("public key", bytes)? }))
    }
}

struct FfdheKey<const LIMBS: usize> {
    group: Ffdhe<LIMBS>,
    exponent: SecretBytes,
    public: Vec<u8>,
}

impl<const LIMBS: usize> DynDecapsKey for FfdheKey<LIMBS> {
    fn to_bytes(&self) -> SecretBytes {
        self.exponent.clone()
    }

    fn seed(&self) -> Option<SecretBytes> {
        Some(self.exponent.clone())
    }

    fn encaps_key_bytes(&self) -> Vec<u8> {
        self.public.clone()
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, Error> {
        Ok(self.group.pow(&self.group.parse("ciphertext", ciphertext)?, &self.exponent))
    }
}

/// A public element that has passed the checks of [`Ffdhe::parse`].
struct Element<const LIMBS: usize> {
    group: Ffdhe<LIMBS>,
    y: Uint<LIMBS>,
}

impl<const LIMBS: usize> DynEncapsKey for Element<LIMBS> {
    fn to_bytes(&self) -> Vec<u8> {
        self.y.to_be_bytes().as_ref().to_vec()
    }

    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> DynEncapsulated {
        let ephemeral = self.group.random(rng);
        let secret = self.group.pow(&self.y, &ephemeral.exponent);
        DynEncapsulated { ciphertext: ephemeral.public, secret }
    }
}

const FFDHE2048_P: &str = "\
    FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1D8B9C583CE2D3695A9E13641146433FBCC939DCE249B3EF9\
    7D2FE363630C75D8F681B202AEC4617AD3DF1ED5D5FD65612433F51F5F066ED0856365553DED1AF3B557135E7F57C935\
    984F0C70E0E68B77E2A689DAF3EFE8721DF158A136ADE73530ACCA4F483A797ABC0AB182B324FB61D108A94BB2C8E3FB\
    B96ADAB760D7F4681D4F42A3DE394DF4AE56EDE76372BB190B07A7C8EE0A6D709E02FCE1CDF7E2ECC03404CD28342F61\
    9172FE9CE98583FF8E4F1232EEF28183C3FE3B1B4C6FAD733BB5FCBC2EC22005C58EF1837D1683B2C6F34A26C1B2EFFA\
    886B423861285C97FFFFFFFFFFFFFFFF";
const FFDHE3072_P: &str = "\
    FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1D8B9C583CE2D3695A9E13641146433FBCC939DCE249B3EF9\
    7D2FE363630C75D8F681B202AEC4617AD3DF1ED5D5FD65612433F51F5F066ED0856365553DED1AF3B557135E7F57C935\
    984F0C70E0E68B77E2A689DAF3EFE8721DF158A136ADE73530ACCA4F483A797ABC0AB182B324FB61D108A94BB2C8E3FB\
    B96ADAB760D7F4681D4F42A3DE394DF4AE56EDE76372BB190B07A7C8EE0A6D709E02FCE1CDF7E2ECC03404CD28342F61\
    9172FE9CE98583FF8E4F1232EEF28183C3FE3B1B4C6FAD733BB5FCBC2EC22005C58EF1837D1683B2C6F34A26C1B2EFFA\
    886B4238611FCFDCDE355B3B6519035BBC34F4DEF99C023861B46FC9D6E6C9077AD91D2691F7F7EE598CB0FAC186D91C\
    AEFE130985139270B4130C93BC437944F4FD4452E2D74DD364F2E21E71F54BFF5CAE82AB9C9DF69EE86D2BC522363A0D\
    ABC521979B0DEADA1DBF9A42D5C4484E0ABCD06BFA53DDEF3C1B20EE3FD59D7C25E41D2B66C62E37FFFFFFFFFFFFFFFF";
const FFDHE4096_P: &str = "\
    FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1D8B9C583CE2D3695A9E13641146433FBCC939DCE249B3EF9\
    7D2FE363630C75D8F681B202AEC4617AD3DF1ED5D5FD65612433F51F5F066ED0856365553DED1AF3B557135E7F57C935\
    984F0C70E0E68B77E2A689DAF3EFE8721DF158A136ADE73530ACCA4F483A797ABC0AB182B324FB61D108A94BB2C8E3FB\
    B96ADAB760D7F4681D4F42A3DE394DF4AE56EDE76372BB190B07A7C8EE0A6D709E02FCE1CDF7E2ECC03404CD28342F61\
    9172FE9CE98583FF8E4F1232EEF28183C3FE3B1B4C6FAD733BB5FCBC2EC22005C58EF1837D1683B2C6F34A26C1B2EFFA\
    886B4238611FCFDCDE355B3B6519035BBC34F4DEF99C023861B46FC9D6E6C9077AD91D2691F7F7EE598CB0FAC186D91C\
    AEFE130985139270B4130C93BC437944F4FD4452E2D74DD364F2E21E71F54BFF5CAE82AB9C9DF69EE86D2BC522363A0D\
    ABC521979B0DEADA1DBF9A42D5C4484E0ABCD06BFA53DDEF3C1B20EE3FD59D7C25E41D2B669E1EF16E6F52C3164DF4FB\
    7930E9E4E58857B6AC7D5F42D69F6D187763CF1D5503400487F55BA57E31CC7A7135C886EFB4318AED6A1E012D9E6832\
    A907600A918130C46DC778F971AD0038092999A333CB8B7A1A1DB93D7140003C2A4ECEA9F98D0ACC0A8291CDCEC97DCF\
    8EC9B55A7F88A46B4DB5A851F44182E1C68A007E5E655F6AFFFFFFFFFFFFFFFF";

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::digest::{SHA256, digest};
    use grille_core::SystemRng;

    /// Checks known answers for the private keys 01 02 03 … and 65 66 67 …. The expected values are SHA-256 of the
    /// first key's public key and of the shared secret, computed with plain integers (Python's pow).
    fn check_known_answer(group: &dyn DynKem, public: &str, secret: &str) {
        let key = |first: u8| {
            let bytes: Vec<u8> = (first..).take(group.info().decaps_key_len).collect();
            group.decaps_key(&bytes).unwrap()
        };
        let (a, b) = (key(1), key(101));
        let hex = |bytes: &[u8]| -> String {
            digest(&SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
        };
        assert_eq!(hex(&a.encaps_key_bytes()), public);
        let shared = a.decapsulate(&b.encaps_key_bytes()).unwrap();
        assert_eq!(shared.as_ref(), b.decapsulate(&a.encaps_key_bytes()).unwrap().as_ref());
        assert_eq!(hex(shared.as_ref()), secret);
    }

    #[test]
    fn matches_known_answers() {
        check_known_answer(
            &FFDHE2048,
            "53b37a098c5882b9f56495d787706d354ac8ebc273e680a7047c70228ce24ad3",
            "a85e4e22b45f65ac6f13b6023d09a5013f8fcd0d68682577dffa25e6be8e82eb",
        );
        check_known_answer(
            &FFDHE3072,
            "38915af78eca68d5d294448119985964195c8924442e6636acfe2e5a2cfa32bc",
            "6b24b35e1fe2410e9c60a2331c06cf0028601cfbef34a0a0cd956cb577d623d5",
        );
        check_known_answer(
            &FFDHE4096,
            "863b6f6eda7e7b9a65a1589bd51e601ce3ea81edc82888c30a13b2cd3ae90298",
            "47ea2d0eb8258582b4d67fa50f3a4e35d78d8458d9bd438c7da739cff0b5c679",
        );
    }

    #[test]
    fn round_trips_and_rejects_degenerate_elements() {
        for group in [&FFDHE2048 as &dyn DynKem, &FFDHE3072, &FFDHE4096] {
            let rng = &mut SystemRng;
            let key = group.generate(rng);
            let out = group.encaps_key(&key.encaps_key_bytes()).unwrap().encapsulate(rng);
            assert_eq!(key.decapsulate(&out.ciphertext).unwrap().as_ref(), out.secret.as_ref());
            let len = group.info().encaps_key_len;
            let small = |value: u8| [vec![0; len - 1], vec![value]].concat();
            // p - 1 and p; p ends in 64 one bits
            let mut p = match len {
                256 => FFDHE2048.p().to_be_bytes().as_ref().to_vec(),
                384 => FFDHE3072.p().to_be_bytes().as_ref().to_vec(),
                _ => FFDHE4096.p().to_be_bytes().as_ref().to_vec(),
            };
            assert!(group.encaps_key(&p).is_err());
            p[len - 1] -= 1;
            assert!(group.encaps_key(&p).is_err());
            p[len - 1] -= 1;
            assert!(group.encaps_key(&p).is_ok());
            assert!(group.encaps_key(&small(2)).is_ok());
            for bytes in [small(0), small(1), vec![0xFF; len], vec![2; len - 1], vec![2; len + 1]] {
                assert!(group.encaps_key(&bytes).is_err(), "{} {}", bytes[0], bytes.len());
                assert!(key.decapsulate(&bytes).is_err());
            }
            assert!(group.decaps_key(&vec![0; group.info().decaps_key_len]).is_err());
        }
    }
}
