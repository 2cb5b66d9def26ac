//! KEMs: the functions that find an algorithm, and the functions that take its structure.

mod algorithm;

use crate::OQS_STATUS;
use crate::algorithms::{KEMS, find};
use crate::boundary::text;
use crate::memory::{OQS_MEM_insecure_free, copy_to_heap};
use core::ffi::{c_char, c_int};
use core::ptr;

pub use algorithm::{Decaps, Encaps, EncapsDerand, Keypair, KeypairDerand, OQS_KEM};
pub(crate) use algorithm::{Functions, Kem};

/// Returns the name at a position; null if there are fewer names.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_KEM_alg_identifier(position: usize) -> *const c_char {
    KEMS.get(position).map_or(ptr::null(), |named| named.name.as_ptr())
}

/// Returns the number of names, including those of algorithms that the library does not implement.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_KEM_alg_count() -> c_int {
    KEMS.len() as c_int
}

/// Returns 1 if the library implements the algorithm with this name, and 0 otherwise.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_alg_is_enabled(name: *const c_char) -> c_int {
    // SAFETY: the caller promises null or a string
    c_int::from(unsafe { text(name) }.and_then(|name| find(KEMS, name)).is_some())
}

/// Returns the algorithm with this name. Case does not matter. Returns null if the library does not implement the
/// algorithm. [`OQS_KEM_free`] frees it.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_new(name: *const c_char) -> *mut OQS_KEM {
    // SAFETY: the caller promises null or a string
    let kem = unsafe { text(name) }.and_then(|name| find(KEMS, name));
    kem.and_then(Kem::object).map_or(ptr::null_mut(), copy_to_heap)
}

/// Frees an algorithm.
///
/// # Safety
/// `kem` is null, or came from [`OQS_KEM_new`] and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_free(kem: *mut OQS_KEM) {
    // SAFETY: the caller promises null or memory that `OQS_KEM_new` took from the C heap
    unsafe { OQS_MEM_insecure_free(kem.cast()) };
}

/// Calls a function of the structure, if there is one. Every failure becomes -1.
macro_rules! call {
    ($object:ident . $function:ident ( $($argument:expr),* )) => {{
        // SAFETY: the caller promises null or a valid structure
        let function = unsafe { $object.as_ref() }.and_then(|object| object.$function);
        let Some(function) = function else { return crate::OQS_ERROR };
        // SAFETY: the caller promises the arguments that the function needs
        match unsafe { function($($argument),*) } {
            crate::OQS_SUCCESS => crate::OQS_SUCCESS,
            _ => crate::OQS_ERROR,
        }
    }};
}
pub(crate) use call;

/// Generates a key pair.
///
/// # Safety
/// `kem` is null or an algorithm of this library; the buffers are null or have its lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_keypair(
    kem: *const OQS_KEM,
    public: *mut u8,
    secret: *mut u8,
) -> OQS_STATUS {
    call!(kem.keypair(public, secret))
}

/// Derives a key pair from a seed.
///
/// # Safety
/// The requirements of [`OQS_KEM_keypair`] apply.
#[cfg(era = "0.16")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_keypair_derand(
    kem: *const OQS_KEM,
    public: *mut u8,
    secret: *mut u8,
    seed: *const u8,
) -> OQS_STATUS {
    call!(kem.keypair_derand(public, secret, seed))
}

/// Encapsulates: writes the ciphertext and the shared secret.
///
/// # Safety
/// The requirements of [`OQS_KEM_keypair`] apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_encaps(
    kem: *const OQS_KEM,
    ciphertext: *mut u8,
    shared: *mut u8,
    public: *const u8,
) -> OQS_STATUS {
    call!(kem.encaps(ciphertext, shared, public))
}

/// Encapsulates with the randomness of a seed.
///
/// # Safety
/// The requirements of [`OQS_KEM_keypair`] apply.
#[cfg(era = "0.16")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_encaps_derand(
    kem: *const OQS_KEM,
    ciphertext: *mut u8,
    shared: *mut u8,
    public: *const u8,
    seed: *const u8,
) -> OQS_STATUS {
    call!(kem.encaps_derand(ciphertext, shared, public, seed))
}

/// Decapsulates: writes the shared secret. A modified ciphertext gives an unrelated secret.
///
/// # Safety
/// The requirements of [`OQS_KEM_keypair`] apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_KEM_decaps(
    kem: *const OQS_KEM,
    shared: *mut u8,
    ciphertext: *const u8,
    secret: *const u8,
) -> OQS_STATUS {
    call!(kem.decaps(shared, ciphertext, secret))
}
