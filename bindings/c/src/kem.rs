//! Key encapsulation: algorithms, keys, encapsulation and decapsulation.

use crate::boundary::{
    Outcome, Output, borrowed, bytes, free, guard, guard_value, move_to_heap, store_address, text,
};
use crate::status::grille_status::GRILLE_UNKNOWN_ALGORITHM;
use crate::status::{Failure, grille_status};
use core::ffi::{CStr, c_char};
use core::ptr;
use grille_core::{DynDecapsKey, DynEncapsKey, SystemRng};
use grille_registry::{KEMS, KemRow, Row};
use std::ffi::CString;
use std::sync::LazyLock;

/// A KEM of the registry. Static: never freed.
pub struct grille_kem {
    pub(crate) row: &'static KemRow,
    name: CString,
}

/// Every KEM, in the registry's order.
static ALL: LazyLock<Vec<grille_kem>> = LazyLock::new(|| {
    let named = |row: &'static KemRow| grille_kem { row, name: CString::new(row.name()).unwrap_or_default() };
    KEMS.iter().map(named).collect()
});

/// Returns the C object for a row of the registry.
pub(crate) fn for_row(row: &'static KemRow) -> &'static grille_kem {
    let place = ALL.iter().position(|kem| ptr::eq(kem.row, row));
    // the list was made from the registry, so it contains every row
    &ALL[place.unwrap_or_default()]
}

/// A decapsulation key: secret. Freed by `grille_decaps_key_free`, which erases it.
pub struct grille_decaps_key {
    pub(crate) kem: &'static grille_kem,
    pub(crate) key: Box<dyn DynDecapsKey>,
}

/// An encapsulation key: public. Freed by `grille_encaps_key_free`.
pub struct grille_encaps_key {
    pub(crate) kem: &'static grille_kem,
    pub(crate) key: Box<dyn DynEncapsKey>,
}

/// The lengths of a KEM in bytes, and its security category.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct grille_kem_info {
    /// Length of the encoded encapsulation key.
    pub encaps_key_len: usize,
    /// Length of the encoded decapsulation key.
    pub decaps_key_len: usize,
    /// Length of the seed from which a decapsulation key can be derived; 0 if the algorithm has no seeds.
    pub seed_len: usize,
    /// Length of the ciphertext.
    pub ciphertext_len: usize,
    /// Length of the shared secret.
    pub shared_secret_len: usize,
    /// NIST security category, 1 to 5; 0 for classical algorithms.
    pub category: u8,
}

/// Returns the number of KEMs.
#[unsafe(no_mangle)]
pub extern "C" fn grille_kem_count() -> usize {
    guard_value(0, || ALL.len())
}

/// Returns the KEM at a position from 0 to `grille_kem_count() - 1`, or null for any other position.
#[unsafe(no_mangle)]
pub extern "C" fn grille_kem_at(position: usize) -> *const grille_kem {
    guard_value(ptr::null(), || ALL.get(position).map_or(ptr::null(), ptr::from_ref))
}

/// Finds a KEM by any of its names, such as "ML-KEM-768" or "Kyber512". Case does not matter.
///
/// # Safety
/// `name` is null or a string; `kem` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kem_by_name(
    name: *const c_char,
    kem: *mut *const grille_kem,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `text` needs
        let name = unsafe { text("the name", name) }?;
        let row = grille_registry::kem_by_name(name)
            .map_err(|error| Failure::new(GRILLE_UNKNOWN_ALGORITHM, error))?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { store_address(kem, for_row(row)) }
    })
}

/// Returns the name of a KEM, or an empty string if `kem` is null. The string is static.
///
/// # Safety
/// `kem` is null or an algorithm of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kem_name(kem: *const grille_kem) -> *const c_char {
    // SAFETY: the caller promises null or a valid algorithm
    unsafe { kem.as_ref() }.map_or(c"".as_ptr(), |kem| CStr::as_ptr(&kem.name))
}

/// Returns the lengths and the security category of a KEM. If `kem` is null, all values are 0.
///
/// # Safety
/// `kem` is null or an algorithm of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kem_get_info(kem: *const grille_kem) -> grille_kem_info {
    guard_value(grille_kem_info::default(), || {
        // SAFETY: the caller promises null or a valid algorithm
        let Some(kem) = (unsafe { kem.as_ref() }) else { return grille_kem_info::default() };
        let info = kem.row.kem.info();
        grille_kem_info {
            encaps_key_len: info.encaps_key_len,
            decaps_key_len: info.decaps_key_len,
            seed_len: info.seed_len.unwrap_or_default(),
            ciphertext_len: info.ciphertext_len,
            shared_secret_len: info.shared_secret_len,
            category: kem.row.category,
        }
    })
}

/// Generates a key pair. `grille_decaps_key_public` returns the encapsulation key.
///
/// # Safety
/// `kem` is null or an algorithm of this library; `key` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kem_generate(
    kem: *const grille_kem,
    key: *mut *mut grille_decaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or a valid, static algorithm
        let kem: &'static grille_kem = unsafe { borrowed("the algorithm", kem) }?;
        let generated = kem.row.kem.generate(&mut SystemRng);
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_decaps_key { kem, key: generated }) }
    })
}

/// Reads a decapsulation key in the standard's expanded encoding.
///
/// # Safety
/// `kem` is null or an algorithm of this library; `data` is null or points to `len` bytes; `key` is null or points to a writable
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_from_bytes(
    kem: *const grille_kem,
    data: *const u8,
    len: usize,
    key: *mut *mut grille_decaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `bytes` need
        let (kem, data) =
            unsafe { (borrowed::<grille_kem>("the algorithm", kem)?, bytes("the key", data, len)?) };
        let read = kem.row.kem.decaps_key(data)?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_decaps_key { kem, key: read }) }
    })
}

/// Derives the decapsulation key from a seed.
///
/// # Safety
/// The requirements of `grille_decaps_key_from_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_from_seed(
    kem: *const grille_kem,
    seed: *const u8,
    len: usize,
    key: *mut *mut grille_decaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `bytes` need
        let (kem, seed) =
            unsafe { (borrowed::<grille_kem>("the algorithm", kem)?, bytes("the seed", seed, len)?) };
        let made = kem.row.kem.decaps_key_from_seed(seed)?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_decaps_key { kem, key: made }) }
    })
}

/// Reads an encapsulation key and checks it as the standard requires.
///
/// # Safety
/// The requirements of `grille_decaps_key_from_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encaps_key_from_bytes(
    kem: *const grille_kem,
    data: *const u8,
    len: usize,
    key: *mut *mut grille_encaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `bytes` need
        let (kem, data) =
            unsafe { (borrowed::<grille_kem>("the algorithm", kem)?, bytes("the key", data, len)?) };
        let read = kem.row.kem.encaps_key(data)?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(key, grille_encaps_key { kem, key: read }) }
    })
}

/// Returns the algorithm of a decapsulation key, or null if `key` is null.
///
/// # Safety
/// `key` is null or a key of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_kem(key: *const grille_decaps_key) -> *const grille_kem {
    // SAFETY: the caller promises null or a valid key
    unsafe { key.as_ref() }.map_or(ptr::null(), |key| ptr::from_ref(key.kem))
}

/// Returns the algorithm of an encapsulation key, or null if `key` is null.
///
/// # Safety
/// `key` is null or a key of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encaps_key_kem(key: *const grille_encaps_key) -> *const grille_kem {
    // SAFETY: the caller promises null or a valid key
    unsafe { key.as_ref() }.map_or(ptr::null(), |key| ptr::from_ref(key.kem))
}

/// Returns the encapsulation key that belongs to a decapsulation key, as a separate object.
///
/// # Safety
/// `key` is null or a key of this library; `public_key` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_public(
    key: *const grille_decaps_key,
    public_key: *mut *mut grille_encaps_key,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or a valid key
        let key = unsafe { borrowed("the key", key) }?;
        let kem = key.kem;
        let public = kem.row.kem.encaps_key(&key.key.encaps_key_bytes())?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(public_key, grille_encaps_key { kem, key: public }) }
    })
}

/// Writes a decapsulation key in the standard's expanded encoding. The output is secret.
///
/// # Safety
/// `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_to_bytes(
    key: *const grille_decaps_key,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the key", out, out_len)?) };
        out.write(key.key.to_bytes().as_ref())
    })
}

/// Writes the seed of a decapsulation key. The output is secret. Returns `GRILLE_UNSUPPORTED` if the key was not derived from a
/// seed.
///
/// # Safety
/// The requirements of `grille_decaps_key_to_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_to_seed(
    key: *const grille_decaps_key,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the seed", out, out_len)?) };
        out.write(key.key.seed().ok_or_else(missing_seed_failure)?.as_ref())
    })
}

pub(crate) fn missing_seed_failure() -> Failure {
    Failure::new(
        grille_status::GRILLE_UNSUPPORTED,
        "the key was not made from a seed; use its expanded encoding",
    )
}

/// Writes an encapsulation key.
///
/// # Safety
/// The requirements of `grille_decaps_key_to_bytes` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encaps_key_to_bytes(
    key: *const grille_encaps_key,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the key", out, out_len)?) };
        out.write(&key.key.to_bytes())
    })
}

/// Creates a fresh shared secret and the ciphertext that carries it. Neither buffer is written unless both are long enough. If a
/// buffer is null, the function only stores the lengths.
///
/// # Safety
/// `key` is null or a key of this library; `ciphertext` and `ciphertext_len`, `secret` and `secret_len` are buffers and their
/// lengths, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encapsulate(
    key: *const grille_encaps_key,
    ciphertext: *mut u8,
    ciphertext_len: *mut usize,
    secret: *mut u8,
    secret_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, ciphertext, secret) = unsafe {
            (
                borrowed("the key", key)?,
                Output::new("the ciphertext", ciphertext, ciphertext_len)?,
                Output::new("the shared secret", secret, secret_len)?,
            )
        };
        let info = key.kem.row.kem.info();
        let fit = (ciphertext.fits(info.ciphertext_len), secret.fits(info.shared_secret_len));
        if !(fit.0? && fit.1?) {
            return Ok(());
        }
        let sent = key.key.encapsulate(&mut SystemRng);
        ciphertext.write(&sent.ciphertext)?;
        secret.write(sent.secret.as_ref())
    })
}

/// Recovers the shared secret. An altered ciphertext gives an unrelated secret, not an error (implicit rejection).
///
/// # Safety
/// `key` is null or a key of this library; `ciphertext` is null or points to `ciphertext_len` bytes; `secret` and `secret_len` are
/// a buffer and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decapsulate(
    key: *const grille_decaps_key,
    ciphertext: *const u8,
    ciphertext_len: usize,
    secret: *mut u8,
    secret_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed`, `bytes` and `Output::new` need
        let (key, ciphertext, secret) = unsafe {
            (
                borrowed("the key", key)?,
                bytes("the ciphertext", ciphertext, ciphertext_len)?,
                Output::new("the shared secret", secret, secret_len)?,
            )
        };
        decapsulate(key, ciphertext, &secret)
    })
}

fn decapsulate(key: &grille_decaps_key, ciphertext: &[u8], secret: &Output) -> Outcome {
    if !secret.fits(key.kem.row.kem.info().shared_secret_len)? {
        return Ok(());
    }
    secret.write(key.key.decapsulate(ciphertext)?.as_ref())
}

/// Erases and frees a decapsulation key.
///
/// # Safety
/// `key` is null or a key of this library that was not freed; nothing uses it during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_free(key: *mut grille_decaps_key) {
    // SAFETY: the caller promises what `free` needs
    guard_value((), || unsafe { free(key) });
}

/// Frees an encapsulation key.
///
/// # Safety
/// The requirements of `grille_decaps_key_free` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encaps_key_free(key: *mut grille_encaps_key) {
    // SAFETY: the caller promises what `free` needs
    guard_value((), || unsafe { free(key) });
}
