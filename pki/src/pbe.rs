//! Encryption with passphrases: PBES2 (RFC 8018 section 6.2) and, for reading only, the older schemes of PKCS#12 (RFC
//! 7292 appendix C).

use crate::Error;
use crate::asn1::elements;
use crate::oid_name::oid_with_name;
use alloc::{vec, vec::Vec};
use cbc::cipher::block_padding::Pkcs7;
use cbc::cipher::{BlockModeDecrypt, InnerIvInit, KeyInit};
use const_oid::ObjectIdentifier;
use der::Encode;
use der::asn1::AnyRef;
use grille_core::CryptoRng;
use pkcs5::EncryptionScheme;
use pkcs5::pbes2::{Kdf, Parameters};
use sha1::digest::Digest;
use sha1::digest::block_api::BlockSizeUser;
use spki::AlgorithmIdentifierRef;
use zeroize::Zeroizing;

/// Decrypts with the algorithm and parameters of `scheme`.
///
/// `element`: name of the encrypted element, for error messages.
/// Secret: `passphrase` and the result. The `pkcs5` crate leaves a copy of the derived key on the stack.
///
/// # Errors
/// Returns [`Error::Passphrase`] if the padding is wrong, as after almost every wrong passphrase, or [`Error::Cipher`]
/// if the scheme is not supported.
pub(crate) fn decrypt(
    element: &'static str,
    scheme: AlgorithmIdentifierRef<'_>,
    passphrase: &Passphrase,
    ciphertext: &[u8],
) -> Result<Zeroizing<Vec<u8>>, Error> {
    let mut buffer = Zeroizing::new(ciphertext.to_vec());
    let length = match LEGACY.iter().find(|legacy| legacy.oid == scheme.oid) {
        Some(legacy) => legacy.decrypt(element, scheme, passphrase, &mut buffer)?,
        None => {
            let parameters = pbes2(element, scheme)?;
            let plain = parameters.decrypt_in_place(&*passphrase.bytes, &mut buffer);
            plain.map(<[u8]>::len).map_err(|error| match error {
                pkcs5::Error::DecryptFailed => Error::Passphrase { element },
                _ => unsupported(element, scheme),
            })?
        }
    };
    buffer.truncate(length);
    Ok(buffer)
}

/// Encrypts with PBES2: AES-256-CBC, and PBKDF2 with HMAC-SHA-256. Returns the AlgorithmIdentifier and the
/// ciphertext.
///
/// # Errors
/// Returns [`Error::Malformed`], which does not occur with these parameters.
pub(crate) fn encrypt(
    passphrase: &[u8],
    plain: &[u8],
    rng: &mut dyn CryptoRng,
) -> Result<(Vec<u8>, Vec<u8>), Error> {
    let (mut salt, mut iv) = ([0; 16], [0; 16]);
    rng.fill_bytes(&mut salt);
    rng.fill_bytes(&mut iv);
    let reason = "cannot be encrypted";
    let failed = |_| Error::Malformed { element: "private key", reason };
    let parameters = Parameters::generate_pbkdf2_sha256_aes256cbc(ITERATIONS, &salt, iv).map_err(failed)?;
    let ciphertext = parameters.encrypt(passphrase, plain).map_err(failed)?;
    let scheme = EncryptionScheme::from(parameters).to_der().map_err(Error::der("private key"))?;
    Ok((scheme, ciphertext))
}

/// Iterations of PBKDF2 with HMAC-SHA-256, as recommended by OWASP.
const ITERATIONS: u32 = 600_000;

/// A passphrase in the two encodings that the schemes require. Erased on drop.
pub(crate) struct Passphrase {
    /// The passphrase as the caller passed it, which is UTF-8 in new files.
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// The passphrase as BMPString with two zero bytes, RFC 7292 appendix B.1.
    bmp_string: Zeroizing<Vec<u8>>,
}

impl Passphrase {
    /// Encodes a passphrase. Bytes that are not UTF-8 are interpreted as Latin-1.
    pub(crate) fn new(passphrase: &[u8]) -> Self {
        let mut wide = Zeroizing::new(Vec::with_capacity(2 * passphrase.len() + 2));
        match core::str::from_utf8(passphrase) {
            Ok(text) => text.encode_utf16().for_each(|unit| wide.extend(unit.to_be_bytes())),
            Err(_) => passphrase.iter().for_each(|byte| wide.extend([0, *byte])),
        }
        wide.extend([0, 0]);
        Self { bytes: Zeroizing::new(passphrase.to_vec()), bmp_string: wide }
    }

    /// Returns the encodings of a missing passphrase, which some programs do not distinguish from an empty one.
    pub(crate) fn none() -> Self {
        Self { bytes: Zeroizing::default(), bmp_string: Zeroizing::default() }
    }

    /// Derives key material for one purpose, RFC 7292 appendix B.2.
    pub(crate) fn derive<D: Digest + BlockSizeUser>(
        &self,
        purpose: Purpose,
        salt: &[u8],
        iterations: u32,
        length: usize,
    ) -> Zeroizing<Vec<u8>> {
        let v = D::block_size();
        let filled = |bytes: &[u8]| -> Vec<u8> {
            bytes.iter().copied().cycle().take(v * bytes.len().div_ceil(v)).collect()
        };
        let mut i = Zeroizing::new([filled(salt), filled(&self.bmp_string)].concat());
        let mut key = Zeroizing::new(vec![0; length]);
        for part in key.chunks_mut(<D as Digest>::output_size()) {
            let mut a = D::new().chain_update(vec![purpose as u8; v]).chain_update(&*i).finalize();
            for _ in 1..iterations {
                a = D::digest(&a);
            }
            part.copy_from_slice(&a[..part.len()]);
            i.chunks_mut(v).for_each(|block| add(block, &a));
        }
        key
    }
}

/// Purpose of key material: the ID byte of RFC 7292 appendix B.3.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Key = 1,
    Iv = 2,
    Mac = 3,
}

/// Computes I_j = I_j + B + 1 modulo 2^(8v), where B is `a`, repeated.
fn add(block: &mut [u8], a: &[u8]) {
    let b = (0..block.len()).rev().map(|i| a[i % a.len()]);
    let mut carry = 1;
    for (digit, b) in block.iter_mut().rev().zip(b) {
        let sum = u16::from(*digit) + u16::from(b) + carry;
        *digit = sum as u8;
        carry = sum >> 8;
    }
}

/// An encryption scheme of RFC 7292 appendix C.
struct Legacy {
    oid: ObjectIdentifier,
    cipher: Cipher,
}

enum Cipher {
    TripleDes,
    /// RC2 with this number of key bytes.
    Rc2(usize),
}

const LEGACY: [Legacy; 3] = [
    Legacy { oid: ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.1.3"), cipher: Cipher::TripleDes },
    Legacy { oid: ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.1.5"), cipher: Cipher::Rc2(16) },
    Legacy { oid: ObjectIdentifier::new_unwrap("1.2.840.113549.1.12.1.6"), cipher: Cipher::Rc2(5) },
];

impl Legacy {
    /// Decrypts in place and returns the length of the plaintext.
    fn decrypt(
        &self,
        element: &'static str,
        scheme: AlgorithmIdentifierRef<'_>,
        passphrase: &Passphrase,
        buffer: &mut [u8],
    ) -> Result<usize, Error> {
        let (salt, iterations) = salt_and_iterations(element, scheme.parameters)?;
        let derive = |purpose, length| passphrase.derive::<sha1::Sha1>(purpose, salt, iterations, length);
        let iv = derive(Purpose::Iv, 8);
        let length = match self.cipher {
            Cipher::TripleDes => {
                let cipher = des::TdesEde3::new_from_slice(&derive(Purpose::Key, 24)).ok();
                let mode = cipher.and_then(|cipher| cbc::Decryptor::inner_iv_slice_init(cipher, &iv).ok());
                mode.and_then(|mode| mode.decrypt_padded::<Pkcs7>(buffer).ok().map(<[u8]>::len))
            }
            Cipher::Rc2(length) => {
                let cipher = rc2::Rc2::new_from_slice(&derive(Purpose::Key, length)).ok();
                let mode = cipher.and_then(|cipher| cbc::Decryptor::inner_iv_slice_init(cipher, &iv).ok());
                mode.and_then(|mode| mode.decrypt_padded::<Pkcs7>(buffer).ok().map(<[u8]>::len))
            }
        };
        length.ok_or(Error::Passphrase { element })
    }
}

/// Parses pkcs-12PbeParams, RFC 7292 appendix C.
///
/// # Errors
/// Returns [`Error::Malformed`] if the parameters are missing or exceed the limit of iterations.
fn salt_and_iterations<'a>(
    element: &'static str,
    parameters: Option<AnyRef<'a>>,
) -> Result<(&'a [u8], u32), Error> {
    let parts = elements(element, parameters.map_or(&[][..], |parameters| parameters.value()))?;
    let read = match parts[..] {
        [salt, iterations] => iterations.decode_as().ok().map(|iterations: u32| (salt.value(), iterations)),
        _ => None,
    };
    let (salt, iterations) =
        read.ok_or(Error::Malformed { element, reason: "lacks the salt and the iteration count" })?;
    check_iterations(element, iterations)?;
    Ok((salt, iterations))
}

/// Maximum number of iterations of a key derivation. Computing this many iterations takes seconds.
const MAX_ITERATIONS: u32 = 10_000_000;
/// Maximum memory of scrypt, 128·N·r bytes (RFC 7914 section 6), times its parallelisation.
const MAX_MEMORY: u64 = 1 << 30;

/// Refuses too many iterations, so that a file cannot block this process for a long time.
///
/// # Errors
/// Returns [`Error::Malformed`] if `iterations` exceeds the limit.
pub(crate) fn check_iterations(element: &'static str, iterations: u32) -> Result<(), Error> {
    let reason = "has too many iterations of key derivation; the supported maximum is ten million";
    if iterations > MAX_ITERATIONS { Err(Error::Malformed { element, reason }) } else { Ok(()) }
}

/// Parses PBES2 parameters and checks their limits.
fn pbes2(element: &'static str, scheme: AlgorithmIdentifierRef<'_>) -> Result<Parameters, Error> {
    let parsed = EncryptionScheme::try_from(scheme).ok();
    let parameters = parsed.and_then(|scheme| scheme.pbes2().cloned());
    let parameters = parameters.ok_or_else(|| unsupported(element, scheme))?;
    match &parameters.kdf {
        Kdf::Pbkdf2(kdf) => check_iterations(element, kdf.iteration_count)?,
        Kdf::Scrypt(kdf) => {
            let factors = [kdf.cost_parameter, kdf.block_size.into(), kdf.parallelization.into()];
            let product = factors.iter().try_fold(128_u64, |product, factor| product.checked_mul(*factor));
            if product.is_none_or(|product| product > MAX_MEMORY) {
                let reason = "needs more memory for key derivation than the supported maximum of 1 GiB";
                return Err(Error::Malformed { element, reason });
            }
        }
        _ => return Err(unsupported(element, scheme)),
    }
    Ok(parameters)
}

/// Returns the error for an unsupported encryption scheme, with the names of all algorithms in its parameters.
pub(crate) fn unsupported(element: &'static str, scheme: AlgorithmIdentifierRef<'_>) -> Error {
    let inside = scheme.parameters.and_then(|parameters| parameters.to_der().ok());
    let mut names = vec![oid_with_name(&scheme.oid)];
    let mut add = |oid: ObjectIdentifier| names.push(oid_with_name(&oid));
    // If the parameters are truncated, the names before their end suffice.
    let _ = inside.map(|inside| crate::document::for_each_identifier(&inside, 4, &mut add));
    Error::Cipher { element, algorithm: names.join(" with ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{format, string::String};

    /// The expected keys come from OpenSSL 3.0: `openssl kdf -kdfopt hexpass:0073006D006500670000 … PKCS12KDF`.
    #[test]
    fn derives_keys_as_in_rfc_7292() {
        let passphrase = Passphrase::new(b"smeg");
        let salt = [0x0A, 0x58, 0xCF, 0x64, 0x53, 0x0D, 0x82, 0x3F];
        let text = |key: &[u8]| key.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
        let key = passphrase.derive::<sha1::Sha1>(Purpose::Key, &salt, 1, 24);
        assert_eq!(text(&key), "8AAAE6297B6CB04642AB5B077851284EB7128F1A2A7FBCA3");
        let key = passphrase.derive::<sha2::Sha256>(Purpose::Mac, &salt, 3, 100);
        let known = "7E9AC472CA5CD7CAA9256A171CAE16BB0ADE4DEAB4C52E40A8110B138ECBED7E7632C78F98D6AB38F2C787BC3800CD53\
                     BE66302424E3E901C472D5AEE0C7CDBF8E0E8EEEE7E8F82EBC4FF8D6AACDEE3FD77F97A749F67FFBD49D87A6643BC1BD\
                     F1477F1A";
        assert_eq!(text(&key), known);
    }

    #[test]
    fn reads_passphrases_that_are_not_utf_8_as_latin_1() {
        assert_eq!(*Passphrase::new(b"\xFC").bmp_string, [0, 0xFC, 0, 0]);
        assert_eq!(Passphrase::new("\u{fc}".as_bytes()).bmp_string, Passphrase::new(b"\xFC").bmp_string);
        assert_eq!(*Passphrase::new(b"").bmp_string, [0, 0]);
        assert!(Passphrase::none().bmp_string.is_empty());
    }
}
