//! Signatures: algorithms, keys, signing and verification.

use crate::boundary::{
    Outcome, Output, borrowed, bytes, free, guard, guard_value, move_to_heap, store_address, text,
};
use crate::kem::missing_seed_failure;
use crate::status::grille_status::GRILLE_UNKNOWN_ALGORITHM;
use crate::status::{Failure, grille_status};
use core::ffi::{CStr, c_char};
use core::ptr;
use grille_core::{DynSigningKey, DynVerifyingKey, SystemRng};
use grille_registry::{Row, SIGNATURES, SignatureRow};
use std::ffi::CString;
use std::sync::LazyLock;

/// A signature algorithm of the registry. Static: never freed.
pub struct grille_signature {
    pub(crate) row: &'static SignatureRow,
    name: CString,
}

/// Every signature algorithm, in the registry's order.
static ALL: LazyLock<Vec<grille_signature>> = LazyLock::new(|| {
    let named = |row: &'static SignatureRow| grille_signature {
        row,
        name: CString::new(row.name()).unwrap_or_default(),
    };
    SIGNATURES.iter().map(named).collect()
});

/// Returns the C object for a row of the registry.
pub(crate) fn for_row(row: &'static SignatureRow) -> &'static grille_signature {
    let place = ALL.iter().position(|signature| ptr::eq(signature.row, row));
    // the list was made from the registry, so it contains every row
    &ALL[place.unwrap_or_default()]
}

/// A signing key: secret. Freed by `grille_signing_key_free`, which erases it.
pub struct grille_signing_key {
    pub(crate) signature: &'static grille_signature,
    pub(crate) key: Box<dyn DynSigningKey>,
}

/// A verifying key: public. Freed by `grille_verifying_key_free`.
pub struct grille_verifying_key {
    pub(crate) signature: &'static grille_signature,
    pub(crate) key: Box<dyn DynVerifyingKey>,
}

/// Representation of a key in memory.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum grille_mode {
    /// Prepared for many operations: the fastest mode. A lattice-based key takes up to 120 KiB more memory.
    GRILLE_PREPARED = 0,
    /// Least memory: each operation takes longer.
    GRILLE_LOW_MEMORY = 1,
}

impl grille_mode {
    /// Converts a number from C.
    fn from_c(number: i32) -> Outcome<Self> {
        [Self::GRILLE_PREPARED, Self::GRILLE_LOW_MEMORY]
            .into_iter()
            .find(|known| *known as i32 == number)
            .ok_or_else(|| {
                Failure::new(
                    grille_status::GRILLE_INVALID_ARGUMENT,
                    format_args!("mode {number} is neither GRILLE_PREPARED nor GRILLE_LOW_MEMORY"),
                )
            })
    }
}

/// The lengths of a signature algorithm in bytes, and its security category.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct grille_signature_info {
    /// Length of the encoded verifying key; for a composite, the maximum.
    pub verifying_key_len: usize,
    /// Length of the encoded signing key; for a composite, the maximum.
    pub signing_key_len: usize,
    /// Length of the seed from which a signing key can be derived; 0 if the algorithm has no seeds.
    pub seed_len: usize,
    /// Length of the longest signature.
    pub signature_len: usize,
    /// Length of the longest context string; 0 if the algorithm takes none.
    pub context_len: usize,
    /// NIST security category, 1 to 5; 0 for classical algorithms.
    pub category: u8,
}

/// Returns the number of signature algorithms.
#[unsafe(no_mangle)]
pub extern "C" fn grille_signature_count() -> usize {
    guard_value(0, || ALL.len())
}

/// Returns the algorithm at a position from 0 to `grille_signature_count() - 1`, or null for any other position.
#[unsafe(no_mangle)]
pub extern "C" fn grille_signature_at(position: usize) -> *const grille_signature {
    guard_value(ptr::null(), || ALL.get(position).map_or(ptr::null(), ptr::from_ref))
}

/// Finds a signature algorithm by any of its names, such as "ML-DSA-65" or "Falcon-512". Case does not matter.
///
/// # Safety
/// `name` is null or a string; `signature` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signature_by_name(
    name: *const c_char,
    signature: *mut *const grille_signature,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `text` needs
        let name = unsafe { text("the name", name) }?;
        let row = grille_registry::signature_by_name(name)
            .map_err(|error| Failure::new(GRILLE_UNKNOWN_ALGORITHM, error))?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { store_address(signature, for_row(row)) }
    })
}

/// Returns the name of a signature algorithm, or an empty string if `signature` is null. The string is static.
///
/// # Safety
/// `signature` is null or an algorithm of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signature_name(signature: *const grille_signature) -> *const c_char {
    // SAFETY: the caller promises null or a valid algorithm
    unsafe { signature.as_ref() }.map_or(c"".as_ptr(), |signature| CStr::as_ptr(&signature.name))
}

/// Returns the lengths and the security category of a signature algorithm. If `signature` is null, all values are 0.
///
/// # Safety
/// `signature` is null or an algorithm of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signature_get_info(
    signature: *const grille_signature,
) -> grille_signature_info {
    guard_value(grille_signature_info::default(), || {
        // SAFETY: the caller promises null or a valid algorithm
        let Some(signature) = (unsafe { signature.as_ref() }) else {
            return grille_signature_info::default();
        };
        let info = signature.row.signature.info();
        grille_signature_info {
            verifying_key_len: info.verifying_key_len,
            signing_key_len: info.signing_key_len,
            seed_len: info.seed_len.unwrap_or_default(),
            signature_len: info.signature_len,
            context_len: info.context_len,
            category: signature.row.category,
        }
    })
}

/// Generates a key pair. `grille_signing_key_public` returns the verifying key.
///
/// # Safety
/// `signature` is null or an algorithm of this library; `key` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signature_generate(
    signature: *const grille_signature,
    key: *mut *mut grille_signing_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or a valid, static algorithm
        let signature: &'static grille_signature = unsafe { borrowed("the algorithm", signature) }?;
        let generated = signature.row.signature.generate(&mut SystemRng);
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_signing_key { signature, key: generated }) }
    })
}

/// Reads a signing key in the standard's expanded encoding. `mode` is a `grille_mode`.
///
/// # Safety
/// `signature` is null or an algorithm of this library; `data` is null or points to `len` bytes; `key` is null or points to a
/// writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_from_bytes(
    signature: *const grille_signature,
    data: *const u8,
    len: usize,
    mode: i32,
    key: *mut *mut grille_signing_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises a valid, static algorithm or null
        let signature: &'static grille_signature = unsafe { borrowed("the algorithm", signature) }?;
        // SAFETY: the caller promises what `bytes` needs
        let data = unsafe { bytes("the key", data, len) }?;
        let read = match grille_mode::from_c(mode)? {
            grille_mode::GRILLE_PREPARED => signature.row.signature.signing_key(data)?,
            grille_mode::GRILLE_LOW_MEMORY => signature.row.signature.low_memory_signing_key(data)?,
        };
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_signing_key { signature, key: read }) }
    })
}

/// Derives the signing key from a seed. `mode` is a `grille_mode`.
///
/// # Safety
/// The requirements of `grille_signing_key_from_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_from_seed(
    signature: *const grille_signature,
    seed: *const u8,
    len: usize,
    mode: i32,
    key: *mut *mut grille_signing_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises a valid, static algorithm or null
        let signature: &'static grille_signature = unsafe { borrowed("the algorithm", signature) }?;
        // SAFETY: the caller promises what `bytes` needs
        let seed = unsafe { bytes("the seed", seed, len) }?;
        let made = match grille_mode::from_c(mode)? {
            grille_mode::GRILLE_PREPARED => signature.row.signature.signing_key_from_seed(seed)?,
            grille_mode::GRILLE_LOW_MEMORY => {
                signature.row.signature.low_memory_signing_key_from_seed(seed)?
            }
        };
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_signing_key { signature, key: made }) }
    })
}

/// Reads a verifying key. `mode` is a `grille_mode`.
///
/// # Safety
/// The requirements of `grille_signing_key_from_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verifying_key_from_bytes(
    signature: *const grille_signature,
    data: *const u8,
    len: usize,
    mode: i32,
    key: *mut *mut grille_verifying_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises a valid, static algorithm or null
        let signature: &'static grille_signature = unsafe { borrowed("the algorithm", signature) }?;
        // SAFETY: the caller promises what `bytes` needs
        let data = unsafe { bytes("the key", data, len) }?;
        let read = match grille_mode::from_c(mode)? {
            grille_mode::GRILLE_PREPARED => signature.row.signature.verifying_key(data)?,
            grille_mode::GRILLE_LOW_MEMORY => signature.row.signature.low_memory_verifying_key(data)?,
        };
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_verifying_key { signature, key: read }) }
    })
}

/// Returns the algorithm of a signing key, or null if `key` is null.
///
/// # Safety
/// `key` is null or a key of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_signature(
    key: *const grille_signing_key,
) -> *const grille_signature {
    // SAFETY: the caller promises null or a valid key
    unsafe { key.as_ref() }.map_or(ptr::null(), |key| ptr::from_ref(key.signature))
}

/// Returns the algorithm of a verifying key, or null if `key` is null.
///
/// # Safety
/// `key` is null or a key of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verifying_key_signature(
    key: *const grille_verifying_key,
) -> *const grille_signature {
    // SAFETY: the caller promises null or a valid key
    unsafe { key.as_ref() }.map_or(ptr::null(), |key| ptr::from_ref(key.signature))
}

/// Returns the verifying key that belongs to a signing key, as a separate object.
///
/// # Safety
/// `key` is null or a key of this library; `public_key` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_public(
    key: *const grille_signing_key,
    public_key: *mut *mut grille_verifying_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or a valid key
        let key = unsafe { borrowed("the key", key) }?;
        let signature = key.signature;
        let public = signature.row.signature.verifying_key(&key.key.verifying_key_bytes())?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(public_key, grille_verifying_key { signature, key: public }) }
    })
}

/// Writes a signing key in the standard's expanded encoding. The output is secret.
///
/// # Safety
/// `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_to_bytes(
    key: *const grille_signing_key,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the key", out, out_len)?) };
        out.write(key.key.to_bytes().as_ref())
    })
}

/// Writes the seed of a signing key. The output is secret. Returns `GRILLE_UNSUPPORTED` if the key was not derived from a seed.
///
/// # Safety
/// The requirements of `grille_signing_key_to_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_to_seed(
    key: *const grille_signing_key,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the seed", out, out_len)?) };
        out.write(key.key.seed().ok_or_else(missing_seed_failure)?.as_ref())
    })
}

/// Writes a verifying key.
///
/// # Safety
/// The requirements of `grille_signing_key_to_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verifying_key_to_bytes(
    key: *const grille_verifying_key,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the key", out, out_len)?) };
        out.write(&key.key.to_bytes())
    })
}

/// Signs a message, with fresh randomness if the algorithm uses any. `context` binds the signature to a purpose; most programs
/// pass none. The buffer must have room for the longest signature of the algorithm.
///
/// # Safety
/// `key` is null or a key of this library; `message` and `context` are null or point to as many bytes as their lengths say; `out` and
/// `out_len` are a buffer and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_sign(
    key: *const grille_signing_key,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed`, `bytes` and `Output::new` need
        let (key, message, context, out) = unsafe {
            (
                borrowed("the key", key)?,
                bytes("the message", message, message_len)?,
                bytes("the context", context, context_len)?,
                Output::new("the signature", out, out_len)?,
            )
        };
        if !out.fits(key.signature.row.signature.info().signature_len)? {
            return Ok(());
        }
        out.write(&key.key.sign(message, context, &mut SystemRng)?)
    })
}

/// Verifies a signature: `GRILLE_OK` if it matches, `GRILLE_INVALID_SIGNATURE` if not.
///
/// # Safety
/// `key` is null or a key of this library; `message`, `context` and `signature` are null or point to as many bytes as their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verify(
    key: *const grille_verifying_key,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    signature: *const u8,
    signature_len: usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `bytes` need
        let (key, message, context, signature) = unsafe {
            (
                borrowed("the key", key)?,
                bytes("the message", message, message_len)?,
                bytes("the context", context, context_len)?,
                bytes("the signature", signature, signature_len)?,
            )
        };
        Ok(key.key.verify(message, context, signature)?)
    })
}

/// Erases and frees a signing key.
///
/// # Safety
/// `key` is null or a key of this library that was not freed; nothing uses it during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_signing_key_free(key: *mut grille_signing_key) {
    // SAFETY: the caller promises what `free` needs
    guard_value((), || unsafe { free(key) });
}

/// Frees a verifying key.
///
/// # Safety
/// The requirements of `grille_signing_key_free` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verifying_key_free(key: *mut grille_verifying_key) {
    // SAFETY: the caller promises what `free` needs
    guard_value((), || unsafe { free(key) });
}
