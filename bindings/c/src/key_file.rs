//! Keys as files: PKCS#8 and SubjectPublicKeyInfo, PEM or DER, encrypted or not.

use crate::boundary::{Outcome, Output, borrowed, bytes, guard, move_to_heap};
use crate::kem::{self, grille_decaps_key, grille_encaps_key};
use crate::signature::{self, grille_signing_key, grille_verifying_key};
use crate::status::grille_status::GRILLE_INVALID_ARGUMENT;
use crate::status::{Failure, grille_status};
use grille_core::SystemRng;

use grille_pki::{
    KemPrivateKey, KemPublicKey, Kind, PrivateKey, PrivateKeyForm, PublicKey, decrypt, encrypt, encrypt_pem,
};
use zeroize::Zeroizing;

/// The encoding of a written file.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum grille_encoding {
    /// Text with BEGIN and END lines, RFC 7468.
    GRILLE_PEM = 0,
    /// Binary.
    GRILLE_DER = 1,
}

impl grille_encoding {
    /// Converts a number from C.
    pub(crate) fn from_c(number: i32) -> Outcome<Self> {
        [Self::GRILLE_PEM, Self::GRILLE_DER].into_iter().find(|known| *known as i32 == number).ok_or_else(
            || {
                Failure::new(
                    GRILLE_INVALID_ARGUMENT,
                    format_args!("encoding {number} is neither GRILLE_PEM nor GRILLE_DER"),
                )
            },
        )
    }
}

/// Decrypts a private key file that a passphrase protects, and copies any other file. An empty passphrase counts as missing.
fn decrypted(file: &[u8], passphrase: &[u8]) -> Outcome<Zeroizing<Vec<u8>>> {
    let passphrase = (!passphrase.is_empty()).then_some(passphrase);
    let opened = decrypt(file, Kind::PrivateKey, passphrase)?;
    Ok(opened.unwrap_or_else(|| Zeroizing::new(file.to_vec())))
}

/// Encodes a private key as PEM or DER, encrypted unless the passphrase is empty.
fn write_private(
    der: impl AsRef<[u8]>,
    pem: impl FnOnce() -> Result<Zeroizing<String>, grille_pki::Error>,
    encoding: i32,
    passphrase: &[u8],
    out: &Output,
) -> Outcome {
    match (grille_encoding::from_c(encoding)?, passphrase.is_empty()) {
        (grille_encoding::GRILLE_PEM, true) => out.write(pem()?.as_bytes()),
        (grille_encoding::GRILLE_DER, true) => out.write(der.as_ref()),
        (grille_encoding::GRILLE_PEM, false) => {
            out.write(encrypt_pem(der.as_ref(), passphrase, &mut SystemRng)?.as_bytes())
        }
        (grille_encoding::GRILLE_DER, false) => {
            out.write(&encrypt(der.as_ref(), passphrase, &mut SystemRng)?)
        }
    }
}

/// Reads the private key of a signature algorithm from a file: PKCS#8, PKCS#12 or a traditional form, PEM or DER. The file names
/// the algorithm. `passphrase`: the passphrase of an encrypted file; ignored for other files.
///
/// # Safety
/// `file` and `passphrase` are null or point to as many bytes as their lengths say; `key` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_read(
    file: *const u8,
    file_len: usize,
    passphrase: *const u8,
    passphrase_len: usize,
    key: *mut *mut grille_signing_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` needs
        let (file, passphrase) = unsafe {
            (bytes("the file", file, file_len)?, bytes("the passphrase", passphrase, passphrase_len)?)
        };
        let read = PrivateKey::from_pem_or_der(&decrypted(file, passphrase)?)?;
        let signature = signature::for_row(read.row());
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_signing_key { signature, key: read.into_signing_key() }) }
    })
}

/// Reads the public key of a signature algorithm: SubjectPublicKeyInfo, PEM or DER.
///
/// # Safety
/// `file` is null or points to `file_len` bytes; `key` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verifying_key_read(
    file: *const u8,
    file_len: usize,
    key: *mut *mut grille_verifying_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` needs
        let read = PublicKey::from_pem_or_der(unsafe { bytes("the file", file, file_len) }?)?;
        let (signature, read) = (signature::for_row(read.row()), read.verifying_key()?);
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_verifying_key { signature, key: read }) }
    })
}

/// Reads the private key of a KEM: PKCS#8, PEM or DER.
///
/// # Safety
/// The requirements of `grille_signing_key_read` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_read(
    file: *const u8,
    file_len: usize,
    passphrase: *const u8,
    passphrase_len: usize,
    key: *mut *mut grille_decaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` needs
        let (file, passphrase) = unsafe {
            (bytes("the file", file, file_len)?, bytes("the passphrase", passphrase, passphrase_len)?)
        };
        let read = KemPrivateKey::from_pem_or_der(&decrypted(file, passphrase)?)?;
        let kem = kem::for_row(read.row());
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_decaps_key { kem, key: read.into_decaps_key() }) }
    })
}

/// Reads the public key of a KEM: SubjectPublicKeyInfo, PEM or DER.
///
/// # Safety
/// The requirements of `grille_verifying_key_read` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encaps_key_read(
    file: *const u8,
    file_len: usize,
    key: *mut *mut grille_encaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` needs
        let read = KemPublicKey::from_pem_or_der(unsafe { bytes("the file", file, file_len) }?)?;
        let (kem, read) = (kem::for_row(read.row()), read.encaps_key()?);
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_encaps_key { kem, key: read }) }
    })
}

/// Writes a signing key as PKCS#8. `encoding`: a `grille_encoding`. The file is encrypted (PBES2, AES-256-CBC) unless the
/// passphrase is empty. The output is secret.
///
/// # Safety
/// `key` is null or a key of this library; `passphrase` is null or points to `passphrase_len` bytes; `out` and `out_len` are a buffer
/// and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_write(
    key: *const grille_signing_key,
    encoding: i32,
    passphrase: *const u8,
    passphrase_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed`, `bytes` and `Output::new` need
        let (key, passphrase, out) = unsafe {
            (
                borrowed("the key", key)?,
                bytes("the passphrase", passphrase, passphrase_len)?,
                Output::new("the file", out, out_len)?,
            )
        };
        let row = key.signature.row;
        let raw = key.key.seed().unwrap_or_else(|| key.key.to_bytes());
        let file = PrivateKey::from_raw(row, raw.as_ref())?;
        let form = PrivateKeyForm::default_for(row);
        write_private(file.to_pkcs8_der(form)?, || file.to_pkcs8_pem(form), encoding, passphrase, &out)
    })
}

/// Writes a decapsulation key as PKCS#8. `encoding`: a `grille_encoding`. The file is encrypted (PBES2, AES-256-CBC) unless the
/// passphrase is empty. The output is secret.
///
/// # Safety
/// The requirements of `grille_signing_key_write` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_write(
    key: *const grille_decaps_key,
    encoding: i32,
    passphrase: *const u8,
    passphrase_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed`, `bytes` and `Output::new` need
        let (key, passphrase, out) = unsafe {
            (
                borrowed("the key", key)?,
                bytes("the passphrase", passphrase, passphrase_len)?,
                Output::new("the file", out, out_len)?,
            )
        };
        let raw = key.key.seed().unwrap_or_else(|| key.key.to_bytes());
        let file = KemPrivateKey::from_raw(key.kem.row, raw.as_ref())?;
        let form = PrivateKeyForm::DEFAULT_FOR_KEM;
        write_private(file.to_pkcs8_der(form)?, || file.to_pkcs8_pem(form), encoding, passphrase, &out)
    })
}

/// Writes a verifying key as SubjectPublicKeyInfo. `encoding`: a `grille_encoding`.
///
/// # Safety
/// `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verifying_key_write(
    key: *const grille_verifying_key,
    encoding: i32,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the file", out, out_len)?) };
        let file = PublicKey::from_bytes(key.signature.row, &key.key.to_bytes())?;
        match grille_encoding::from_c(encoding)? {
            grille_encoding::GRILLE_PEM => out.write(file.to_spki_pem()?.as_bytes()),
            grille_encoding::GRILLE_DER => out.write(&file.to_spki_der()?),
        }
    })
}

/// Writes an encapsulation key as SubjectPublicKeyInfo. `encoding`: a `grille_encoding`.
///
/// # Safety
/// The requirements of `grille_verifying_key_write` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encaps_key_write(
    key: *const grille_encaps_key,
    encoding: i32,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the file", out, out_len)?) };
        let file = KemPublicKey::from_bytes(key.kem.row, &key.key.to_bytes())?;
        match grille_encoding::from_c(encoding)? {
            grille_encoding::GRILLE_PEM => out.write(file.to_spki_pem()?.as_bytes()),
            grille_encoding::GRILLE_DER => out.write(&file.to_spki_der()?),
        }
    })
}
