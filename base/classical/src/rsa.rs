//! RSA signatures (RFC 8017) with SHA-3. aws-lc supports SHA-3 as a hash function but not in RSA signatures.
//!
//! This implementation is much slower than aws-lc. It does not use the Chinese remainder theorem, so a fault
//! during signing cannot reveal a factor of the modulus.

use crate::power::{self, WORD_BITS};
use aws_lc_rs::digest::{self, Digest};
use crypto_bigint::{Odd, Uint};
use der::asn1::UintRef;
use der::{Decode, Sequence};
use grille_core::{CryptoRng, Error, SecretBytes};
use pkcs8::PrivateKeyInfoRef;

/// The encoding method that turns a hash into an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Padding {
    /// EMSA-PKCS1-v1_5, RFC 8017 section 9.2.
    Pkcs1,
    /// EMSA-PSS, RFC 8017 section 9.1, with MGF1 of the same hash function and a salt as long as the hash.
    Pss,
}

/// A private key of 2048, 3072 or 4096 bits.
pub struct PrivateNumbers {
    /// The modulus, big-endian: 256, 384 or 512 bytes.
    n: Vec<u8>,
    /// The private exponent, big-endian, at most as long as the modulus. It is secret, except for its length.
    d: SecretBytes,
}

/// RSAPublicKey, RFC 8017 appendix A.1.1.
#[derive(Sequence)]
struct PublicKey<'a> {
    n: UintRef<'a>,
    e: UintRef<'a>,
}

/// RSAPrivateKey, RFC 8017 appendix A.1.2.
#[derive(Sequence)]
struct PrivateKey<'a> {
    version: u8,
    n: UintRef<'a>,
    e: UintRef<'a>,
    d: UintRef<'a>,
    p: UintRef<'a>,
    q: UintRef<'a>,
    d_p: UintRef<'a>,
    d_q: UintRef<'a>,
    q_inv: UintRef<'a>,
}

impl PrivateNumbers {
    /// Reads the key from a PKCS #8 document that aws-lc has accepted.
    ///
    /// # Errors
    /// Returns [`Error::InvalidPrivateKey`] if the document does not contain a two-prime RSA key of 2048, 3072 or 4096
    /// bits.
    pub fn from_pkcs8(pkcs8: &[u8]) -> Result<Self, Error> {
        let other =
            Error::InvalidPrivateKey { reason: "is not a two-prime RSA key of 2048, 3072 or 4096 bits" };
        let inner = PrivateKeyInfoRef::try_from(pkcs8).map_err(|_| other)?.private_key;
        let key = PrivateKey::from_der(inner.as_bytes()).map_err(|_| other)?;
        if !is_modulus(key.n.as_bytes()) || key.d.as_bytes().len() > key.n.as_bytes().len() {
            return Err(other);
        }
        Ok(Self { n: key.n.as_bytes().to_vec(), d: key.d.as_bytes().into() })
    }

    /// Signs a hash.
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if `padding` has no identifier for the hash function.
    pub fn sign(&self, padding: Padding, hash: &Digest, rng: &mut dyn CryptoRng) -> Result<Vec<u8>, Error> {
        let len = self.n.len();
        let em = match padding {
            Padding::Pkcs1 => emsa_pkcs1(hash, len)?,
            Padding::Pss => {
                let mut salt = vec![0; hash.as_ref().len()];
                rng.fill_bytes(&mut salt);
                emsa_pss(hash, &salt, len)
            }
        };
        // RSASP1: s = m^d mod n
        Ok(power(&self.n, &em, self.d.as_ref()).as_ref().to_vec())
    }
}

/// Verifies a signature of a hash. `public_key` is an RSAPublicKey.
///
/// # Errors
/// Returns [`Error::InvalidPublicKey`] or [`Error::InvalidSignature`], or [`Error::Unsupported`] if `padding` has no
/// identifier for the hash function.
pub fn verify(public_key: &[u8], padding: Padding, hash: &Digest, signature: &[u8]) -> Result<(), Error> {
    let refused = |reason| Error::InvalidPublicKey { reason };
    let wrong = "is not an RSA key of 2048, 3072 or 4096 bits";
    let key = PublicKey::from_der(public_key).map_err(|_| refused(wrong))?;
    let (n, e) = (key.n.as_bytes(), key.e.as_bytes());
    if !is_modulus(n) {
        return Err(refused(wrong));
    }
    // 3, 17 and 65537 are used in practice; FIPS 186-5 allows up to 256 bits, but a long exponent would only
    // slow verifiers down
    if e == [1] || e.len() > 5 || e.last().is_none_or(|last| last & 1 == 0) {
        return Err(refused("has an exponent that is even, 1, or longer than five bytes"));
    }
    if signature.len() != n.len() || signature >= n {
        return Err(Error::InvalidSignature);
    }
    // RSAVP1: m = s^e mod n
    let em = power(n, signature, e);
    let fits = match padding {
        Padding::Pkcs1 => em.as_ref() == emsa_pkcs1(hash, n.len())?,
        Padding::Pss => is_emsa_pss(hash, em.as_ref()),
    };
    if fits { Ok(()) } else { Err(Error::InvalidSignature) }
}

/// Checks whether `n` is odd and has 2048, 3072 or 4096 bits.
fn is_modulus(n: &[u8]) -> bool {
    matches!(n, [first, .., last] if first & 0x80 != 0 && last & 1 == 1) && matches!(n.len(), 256 | 384 | 512)
}

/// Computes base^exponent mod n. The result is as long as the modulus n. `exponent` is secret, except for its
/// length.
fn power(n: &[u8], base: &[u8], exponent: &[u8]) -> SecretBytes {
    match n.len() {
        256 => power_in::<{ 2048 / WORD_BITS }>(n, base, exponent),
        384 => power_in::<{ 3072 / WORD_BITS }>(n, base, exponent),
        _ => power_in::<{ 4096 / WORD_BITS }>(n, base, exponent),
    }
}

fn power_in<const LIMBS: usize>(n: &[u8], base: &[u8], exponent: &[u8]) -> SecretBytes {
    let modulus = Odd::new(Uint::<LIMBS>::from_be_slice(n)).expect("a modulus is odd");
    power::power(modulus, &Uint::from_be_slice(base), exponent)
}

/// Computes EMSA-PKCS1-v1_5-ENCODE without its first step: 0 │ 1 │ 0xFF… │ 0 │ DigestInfo.
fn emsa_pkcs1(hash: &Digest, len: usize) -> Result<Vec<u8>, Error> {
    let (_, last) = OID_ARCS
        .iter()
        .find(|(algorithm, _)| *algorithm == hash.algorithm())
        .ok_or(Error::Unsupported { feature: "RSA signatures with this hash function" })?;
    let hash = hash.as_ref();
    let mut info = DIGEST_INFO;
    (info[1], info[14], info[18]) = (17 + hash.len() as u8, *last, hash.len() as u8);
    let mut em = vec![0xFF; len];
    let start = len - hash.len();
    em[start..].copy_from_slice(hash);
    em[start - info.len()..start].copy_from_slice(&info);
    (em[0], em[1], em[start - info.len() - 1]) = (0, 1, 0);
    Ok(em)
}

/// The bytes of DigestInfo before the hash, RFC 8017 section 9.2, with an identifier from NIST's arc
/// 2.16.840.1.101.3.4.2. Byte 1 will hold the length of all following bytes including the hash, byte 14 the last
/// number of the identifier, and byte 18 the length of the hash.
const DIGEST_INFO: [u8; 19] = [0x30, 0, 0x30, 13, 6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 0, 5, 0, 4, 0];

/// The last number of each hash function's identifier, from NIST's register of algorithms.
static OID_ARCS: [(&digest::Algorithm, u8); 3] =
    [(&digest::SHA3_256, 8), (&digest::SHA3_384, 9), (&digest::SHA3_512, 10)];

/// Computes EMSA-PSS-ENCODE without its first step, for a modulus of 8·`len` bits: maskedDB │ H │ 0xBC.
fn emsa_pss(hash: &Digest, salt: &[u8], len: usize) -> Vec<u8> {
    let h = hash_with_salt(hash, salt);
    let mut em = vec![0; len - h.as_ref().len() - 1];
    let db = em.len();
    // the data block: DB = 0… │ 1 │ salt
    em[db - salt.len()..].copy_from_slice(salt);
    em[db - salt.len() - 1] = 1;
    mask(&mut em, &h);
    em.extend_from_slice(h.as_ref());
    em.push(0xBC);
    em
}

/// Computes EMSA-PSS-VERIFY without its first step.
fn is_emsa_pss(hash: &Digest, em: &[u8]) -> bool {
    let len = hash.as_ref().len();
    let (salt_end, h_end) = (em.len() - len - 1, em.len() - 1);
    // recover the salt from the masked block; re-encoding with it checks everything else
    let mut db = em[..salt_end].to_vec();
    let Ok(h) = Digest::import_less_safe(&em[salt_end..h_end], hash.algorithm()) else { return false };
    mask(&mut db, &h);
    emsa_pss(hash, &db[salt_end - len..], em.len()) == em
}

/// Computes H = Hash(eight zeros │ mHash │ salt).
fn hash_with_salt(hash: &Digest, salt: &[u8]) -> Digest {
    let mut running = digest::Context::new(hash.algorithm());
    [&[0; 8], hash.as_ref(), salt].iter().for_each(|part| running.update(part));
    running.finish()
}

/// Replaces DB with DB ⊕ MGF1(H), RFC 8017 appendix B.2.1. Clears the first bit, as required for a modulus of whole
/// bytes.
fn mask(db: &mut [u8], h: &Digest) {
    for (counter, chunk) in (0_u32..).zip(db.chunks_mut(h.as_ref().len())) {
        let mut running = digest::Context::new(h.algorithm());
        running.update(h.as_ref());
        running.update(&counter.to_be_bytes());
        chunk.iter_mut().zip(running.finish().as_ref()).for_each(|(byte, mask)| *byte ^= mask);
    }
    db[0] &= 0x7F;
}

#[cfg(test)]
mod tests {
    use super::*;
    use aws_lc_rs::rsa::{KeyPair, KeySize};
    use aws_lc_rs::signature::{self as lc, KeyPair as _, UnparsedPublicKey};
    use grille_core::SystemRng;

    fn hash(algorithm: &'static digest::Algorithm) -> Digest {
        digest::digest(algorithm, b"grille")
    }

    fn bytes(hex: &str) -> Vec<u8> {
        base16ct::lower::decode_vec(hex).unwrap()
    }

    /// Verifies signatures of "grille" made by OpenSSL 3.0.
    #[test]
    fn verifies_openssl_signatures() {
        let key = bytes(KEY);
        verify(&key, Padding::Pkcs1, &hash(&digest::SHA3_384), &bytes(PKCS1_SHA3_384)).unwrap();
        verify(&key, Padding::Pss, &hash(&digest::SHA3_256), &bytes(PSS_SHA3_256)).unwrap();
        let swapped = verify(&key, Padding::Pkcs1, &hash(&digest::SHA3_256), &bytes(PKCS1_SHA3_384));
        assert_eq!(swapped, Err(Error::InvalidSignature));
    }

    #[test]
    fn verifies_every_key_size_and_rejects_altered_signatures() {
        for size in [KeySize::Rsa2048, KeySize::Rsa3072, KeySize::Rsa4096] {
            let pair = KeyPair::generate(size).unwrap();
            let pkcs8 = aws_lc_rs::encoding::AsDer::as_der(&pair).unwrap();
            let private = PrivateNumbers::from_pkcs8(pkcs8.as_ref()).unwrap();
            let public = pair.public_key().as_ref();
            for (algorithm, _) in OID_ARCS {
                for padding in [Padding::Pkcs1, Padding::Pss] {
                    let mut signature = private.sign(padding, &hash(algorithm), &mut SystemRng).unwrap();
                    verify(public, padding, &hash(algorithm), &signature).unwrap();
                    let other = digest::digest(algorithm, b"other");
                    assert_eq!(verify(public, padding, &other, &signature), Err(Error::InvalidSignature));
                    let short = &signature[1..];
                    assert_eq!(
                        verify(public, padding, &hash(algorithm), short),
                        Err(Error::InvalidSignature)
                    );
                    signature[100] ^= 1;
                    assert_eq!(
                        verify(public, padding, &hash(algorithm), &signature),
                        Err(Error::InvalidSignature)
                    );
                    let huge = vec![0xFF; signature.len()];
                    assert_eq!(
                        verify(public, padding, &hash(algorithm), &huge),
                        Err(Error::InvalidSignature)
                    );
                }
            }
        }
    }

    /// Checks that this module and aws-lc accept each other's PSS signatures with SHA-256.
    #[test]
    fn padding_matches_aws_lc() {
        let pair = KeyPair::generate(KeySize::Rsa2048).unwrap();
        let pkcs8 = aws_lc_rs::encoding::AsDer::as_der(&pair).unwrap();
        let private = PrivateNumbers::from_pkcs8(pkcs8.as_ref()).unwrap();
        let public = pair.public_key().as_ref();
        let hash = hash(&digest::SHA256);
        let ours = private.sign(Padding::Pss, &hash, &mut SystemRng).unwrap();
        UnparsedPublicKey::new(&lc::RSA_PSS_2048_8192_SHA256, public).verify(b"grille", &ours).unwrap();
        let mut theirs = vec![0; 256];
        pair.sign(&lc::RSA_PSS_SHA256, &aws_lc_rs::rand::SystemRandom::new(), b"grille", &mut theirs)
            .unwrap();
        verify(public, Padding::Pss, &hash, &theirs).unwrap();
        assert_eq!(
            private.sign(Padding::Pkcs1, &hash, &mut SystemRng),
            Err(Error::Unsupported { feature: "RSA signatures with this hash function" })
        );
    }

    #[test]
    fn rejects_unsupported_keys() {
        let key = bytes(KEY);
        let hash = hash(&digest::SHA3_256);
        let refused = |key: &[u8]| {
            let verdict = verify(key, Padding::Pss, &hash, &bytes(PSS_SHA3_256));
            assert!(matches!(verdict, Err(Error::InvalidPublicKey { .. })), "{verdict:?}");
        };
        refused(&key[1..]);
        // make the public exponent 65537 even, then the modulus
        let even = |at: usize| {
            let mut key = key.clone();
            key[at] ^= 1;
            key
        };
        refused(&even(key.len() - 1));
        refused(&even(key.len() - 6));
        assert!(PrivateNumbers::from_pkcs8(&key).is_err());
    }

    const KEY: &str = "\
        3082010a0282010100a625dfccf0c425bf47cf1f0d807f6c69ce05019674b57b5e3f1a3ef1357baeaa4deb97f62f1e2e27b5\
        f4971bd91b4f9cc01a0fde82041464a3b87fac8019565612dafc0ea7a50f21ddd309cee14bf7953f5498ea57c582092d89ea\
        91edc49879b1ba74747aa1c1e34963c844c0efa6b7f339371be50b0ca3cfe7cf0533a6d2af850d7c10f3ddec1aaabc093587\
        aa9bcf6385c9de26b55878c37291b48a461ce3658daf40063ab0983eda15b2854050d7d67333cac237db7a16f27b07746df2\
        7b48344b1af58bf25c10bab9d5ae52be75d37f8586579e2bff47d94a0f956e0edccbd40bac9b43c37c8ec80da0437bc83c6f\
        527b996d076e2da624115ea27c38730203010001";
    const PKCS1_SHA3_384: &str = "\
        9bdfb0da07982d392bda7ee8aeaddba6759b85c7b3543882c34192855904ef2f4f058f8c441ede8a2c4d2edc1292e52da2fe\
        f35eb8ec84d343ac1e080522351d712b7fca460f0c69af969bc63f4d6f2b49377d76bd03c48b61091248050a220c6aa0c14d\
        c116d06ecc1782010fc94778878bffde4afefed12558772df41284527ade6e63923614dd6f685c67c82d2384f6e6e1941ce2\
        215a5f3de546e0c16e6fc0eb5e0fe037c3b28c641b1d78094c0c816aa1e0f9127cf099e5c6b75e9fcd2553511d73eff81061\
        2b064107b57407965c3f82211c0a74c34c3791fec28ea65a421a64c446fb3dea562b3b74d93b470807303ab3912f7f1ed119\
        868c84af7e5c";
    const PSS_SHA3_256: &str = "\
        96e6bd2b569ba2d42edcae6475a43e2366d7a3f53407d8b90689a933b256a42b086f73fe30707f40a0238e3f142bee7e9556\
        5d360f5589d094fce89b540f1d65daa91dcb4667a571599ff1e570dbad497dd27d4846c883f2e65a67dd33b024af31f8175c\
        9a0769fce4f0139b8d441380937db9117637fc307401777b33e455ee03f16b8fae02937fbd4f37bb6f9f95f7efbb7ac3713d\
        a2814a2b57bb5b68aec07714e72aa5bff1a72b476e5a9f4b1fa733134fddc1c2e578a5e66f6923f7c2d609f08bc8b971e997\
        c835fec39322024919106c49b2f8900bcbc4e52b24fbddc4b92888d9becd4d415548d4e704ab84303911ef499e0b63f455a8\
        560991d554cc";
}
