//! X.509 certificates: reading and writing them, and verifying chains.

use crate::boundary::{Outcome, Output, borrowed, bytes, free, guard, guard_value, move_to_heap, text};
use crate::kem::{self, grille_encaps_key};
use crate::key_file::grille_encoding;
use crate::signature::{self, grille_verifying_key};
use crate::status::grille_status::GRILLE_INVALID_ARGUMENT;
use crate::status::{Failure, grille_status};
use core::ffi::c_char;
use core::time::Duration;
use grille_pki::Certificate;
use grille_pki::verify::{Purpose, Requirements, verify_chain};

/// The certificates of a file, in the file's order. Freed by `grille_certificates_free`.
pub struct grille_certificates(Vec<Certificate>);

impl grille_certificates {
    fn at(&self, position: usize) -> Outcome<&Certificate> {
        self.0.get(position).ok_or_else(|| {
            let count = self.0.len();
            Failure::new(
                GRILLE_INVALID_ARGUMENT,
                format_args!("no certificate {position}: the file has {count}"),
            )
        })
    }
}

/// Purpose of the first certificate of a chain.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum grille_purpose {
    /// Any purpose: the caller checks key usages and extended key usages.
    GRILLE_ANY_PURPOSE = 0,
    /// Authentication of a TLS server.
    GRILLE_TLS_SERVER = 1,
    /// Authentication of a TLS client.
    GRILLE_TLS_CLIENT = 2,
    /// Encapsulation of shared secrets: the certificate has a KEM key.
    GRILLE_KEY_ENCAPSULATION = 3,
}

impl grille_purpose {
    /// Converts a number from C.
    fn from_c(number: i32) -> Outcome<Purpose> {
        match number {
            _ if number == Self::GRILLE_ANY_PURPOSE as i32 => Ok(Purpose::Other),
            _ if number == Self::GRILLE_TLS_SERVER as i32 => Ok(Purpose::Server),
            _ if number == Self::GRILLE_TLS_CLIENT as i32 => Ok(Purpose::Client),
            _ if number == Self::GRILLE_KEY_ENCAPSULATION as i32 => Ok(Purpose::KeyEncapsulation),
            _ => Err(Failure::new(GRILLE_INVALID_ARGUMENT, format_args!("{number} is not a grille_purpose"))),
        }
    }
}

/// Reads every certificate of a file: PEM, or DER.
///
/// # Safety
/// `file` is null or points to `file_len` bytes; `certificates` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_read(
    file: *const u8,
    file_len: usize,
    certificates: *mut *mut grille_certificates,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` needs
        let read = Certificate::chain_from_pem(unsafe { bytes("the file", file, file_len) }?)?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(certificates, grille_certificates(read)) }
    })
}

/// Returns the number of certificates, or 0 if `certificates` is null.
///
/// # Safety
/// `certificates` is null or came from this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_count(certificates: *const grille_certificates) -> usize {
    // SAFETY: the caller promises null or a valid value
    unsafe { certificates.as_ref() }.map_or(0, |certificates| certificates.0.len())
}

/// Writes the subject of a certificate in the format of RFC 4514, in UTF-8, without a terminating NUL.
///
/// # Safety
/// `certificates` is null or came from this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_subject(
    certificates: *const grille_certificates,
    position: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (list, out) = unsafe {
            (borrowed("the certificates", certificates)?, Output::new("the subject", out, out_len)?)
        };
        out.write(list.at(position)?.subject().as_bytes())
    })
}

/// Writes a certificate as PEM or DER. `encoding`: a `grille_encoding`.
///
/// # Safety
/// The requirements of `grille_certificates_subject` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_write(
    certificates: *const grille_certificates,
    position: usize,
    encoding: i32,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (list, out) =
            unsafe { (borrowed("the certificates", certificates)?, Output::new("the file", out, out_len)?) };
        let certificate = list.at(position)?;
        match grille_encoding::from_c(encoding)? {
            grille_encoding::GRILLE_PEM => out.write(certificate.to_pem()?.as_bytes()),
            grille_encoding::GRILLE_DER => out.write(certificate.as_der()),
        }
    })
}

/// Returns the public key of a certificate, which must be a key of a signature algorithm.
///
/// # Safety
/// `certificates` is null or came from this library; `key` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_verifying_key(
    certificates: *const grille_certificates,
    position: usize,
    key: *mut *mut grille_verifying_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or a valid value
        let read = unsafe { borrowed("the certificates", certificates) }?.at(position)?.public_key()?;
        let (signature, read) = (signature::for_row(read.row()), read.verifying_key()?);
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_verifying_key { signature, key: read }) }
    })
}

/// Returns the public key of a certificate, which must be a KEM key.
///
/// # Safety
/// The requirements of `grille_certificates_verifying_key` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_encaps_key(
    certificates: *const grille_certificates,
    position: usize,
    key: *mut *mut grille_encaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or a valid value
        let read = unsafe { borrowed("the certificates", certificates) }?.at(position)?.kem_key()?;
        let (kem, read) = (kem::for_row(read.row()), read.encaps_key()?);
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_encaps_key { kem, key: read }) }
    })
}

/// Verifies a chain, end entity first: signatures, validity, basic constraints, path lengths, key usages, purpose and name. Every
/// algorithm of the library is accepted.
///
/// `name`: required host name or IP address of the end entity; null accepts any. `seconds`: the time of the
/// verification, in seconds since 1970. `purpose`: a `grille_purpose`. Returns `GRILLE_UNTRUSTED` for a refused chain;
/// `grille_last_error` has the reason.
///
/// # Safety
/// `chain` and `roots` are null or came from this library; `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_verify(
    chain: *const grille_certificates,
    roots: *const grille_certificates,
    purpose: i32,
    name: *const c_char,
    seconds: u64,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or valid values
        let (chain, roots) = unsafe { (borrowed("the chain", chain)?, borrowed("the roots", roots)?) };
        // SAFETY: the caller promises null or a string
        let name = if name.is_null() { None } else { Some(unsafe { text("the name", name) }?) };
        let demand = Requirements {
            time: Duration::from_secs(seconds),
            purpose: grille_purpose::from_c(purpose)?,
            name,
        };
        Ok(verify_chain(chain.at(0)?, &chain.0[1..], &roots.0, &demand)?)
    })
}

/// Frees certificates.
///
/// # Safety
/// `certificates` is null or came from this library and was not freed; nothing uses it during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_certificates_free(certificates: *mut grille_certificates) {
    // SAFETY: the caller promises what `free` needs
    guard_value((), || unsafe { free(certificates) });
}
