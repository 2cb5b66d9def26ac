//! Signatures: the functions that find an algorithm, and the functions that take its structure.

mod algorithm;

use crate::OQS_STATUS;
use crate::algorithms::{SIGNATURES, find};
use crate::boundary::text;
use crate::kem::call;
use crate::memory::{OQS_MEM_insecure_free, copy_to_heap};
use core::ffi::{c_char, c_int};
use core::ptr;

pub use crate::kem::Keypair;
pub(crate) use algorithm::{Functions, Message, Sig};
pub use algorithm::{OQS_SIG, Sign, SignWithContext, Verify, VerifyWithContext};

/// Returns the name at a position; null if there are fewer names.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_SIG_alg_identifier(position: usize) -> *const c_char {
    SIGNATURES.get(position).map_or(ptr::null(), |named| named.name.as_ptr())
}

/// Returns the number of names, including those of algorithms that the library does not implement.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_SIG_alg_count() -> c_int {
    SIGNATURES.len() as c_int
}

/// Returns 1 if the library implements the algorithm with this name, and 0 otherwise.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_alg_is_enabled(name: *const c_char) -> c_int {
    // SAFETY: the caller promises null or a string
    c_int::from(unsafe { text(name) }.and_then(|name| find(SIGNATURES, name)).is_some())
}

/// Returns whether the algorithm with this name takes context strings; false for unknown names.
///
/// # Safety
/// `name` is null or a string.
#[cfg(era = "0.16")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_supports_ctx_str(name: *const c_char) -> bool {
    // SAFETY: the caller promises null or a string
    let sig = unsafe { text(name) }.and_then(|name| find(SIGNATURES, name));
    sig.is_some_and(Sig::has_context)
}

/// Returns the algorithm with this name. Case does not matter. Returns null if the library does not implement the
/// algorithm. [`OQS_SIG_free`] frees it.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_new(name: *const c_char) -> *mut OQS_SIG {
    // SAFETY: the caller promises null or a string
    let sig = unsafe { text(name) }.and_then(|name| find(SIGNATURES, name));
    sig.and_then(Sig::object).map_or(ptr::null_mut(), copy_to_heap)
}

/// Frees an algorithm.
///
/// # Safety
/// `sig` is null, or came from [`OQS_SIG_new`] and was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_free(sig: *mut OQS_SIG) {
    // SAFETY: the caller promises null or memory that `OQS_SIG_new` took from the C heap
    unsafe { OQS_MEM_insecure_free(sig.cast()) };
}

/// Generates a key pair.
///
/// # Safety
/// `sig` is null or an algorithm of this library; the buffers are null or have its lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_keypair(
    sig: *const OQS_SIG,
    public: *mut u8,
    secret: *mut u8,
) -> OQS_STATUS {
    call!(sig.keypair(public, secret))
}

/// Signs a message: writes the signature and its length.
///
/// # Safety
/// The requirements of [`OQS_SIG_keypair`] apply; `message` is null or points to `message_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_sign(
    sig: *const OQS_SIG,
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const u8,
    message_len: usize,
    secret: *const u8,
) -> OQS_STATUS {
    call!(sig.sign(signature, signature_len, message, message_len, secret))
}

/// Verifies the signature of a message.
///
/// # Safety
/// The requirements of [`OQS_SIG_sign`] apply; `signature` is null or points to `signature_len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_verify(
    sig: *const OQS_SIG,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    public: *const u8,
) -> OQS_STATUS {
    call!(sig.verify(message, message_len, signature, signature_len, public))
}

/// Signs a message with a context string of 0 to 255 bytes.
///
/// # Safety
/// The requirements of [`OQS_SIG_sign`] apply; `context` is null or points to `context_len` bytes.
#[cfg(era = "0.16")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_sign_with_ctx_str(
    sig: *const OQS_SIG,
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    secret: *const u8,
) -> OQS_STATUS {
    call!(sig.sign_with_ctx_str(signature, signature_len, message, message_len, context, context_len, secret))
}

/// Verifies the signature of a message with a context string.
///
/// # Safety
/// The requirements of [`OQS_SIG_verify`] apply; `context` is null or points to `context_len` bytes.
#[cfg(era = "0.16")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_SIG_verify_with_ctx_str(
    sig: *const OQS_SIG,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    context: *const u8,
    context_len: usize,
    public: *const u8,
) -> OQS_STATUS {
    call!(sig.verify_with_ctx_str(
        message,
        message_len,
        signature,
        signature_len,
        context,
        context_len,
        public
    ))
}
