//! Stateful signatures, XMSS and LMS: names only, as in liboqs' default build. Language wrappers of liboqs cannot be
//! loaded without these functions.

use crate::algorithms::STATEFUL;
use crate::{OQS_ERROR, OQS_STATUS};
use core::ffi::{c_char, c_int, c_void};
use core::ptr;

/// Returns the name at a position; null if there are fewer names.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_SIG_STFL_alg_identifier(position: usize) -> *const c_char {
    STATEFUL.get(position).map_or(ptr::null(), |name| name.as_ptr())
}

/// Returns the number of names.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_SIG_STFL_alg_count() -> c_int {
    STATEFUL.len() as c_int
}

/// Returns 0: the library has no stateful signatures.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_SIG_STFL_alg_is_enabled(_name: *const c_char) -> c_int {
    0
}

/// Returns 0: the library has no stateful signatures.
#[unsafe(no_mangle)]
pub extern "C" fn OQS_SIG_STFL_keygen_and_sign_supported() -> c_int {
    0
}

/// Defines functions that return a failure.
macro_rules! fail {
    ($($name:ident($($argument:ident: $type:ty),*);)*) => {$(
        /// Returns -1: the library has no stateful signatures.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $type),*) -> OQS_STATUS {
            OQS_ERROR
        }
    )*};
}

fail! {
    OQS_SIG_STFL_keypair(_sig: *const c_void, _public: *mut u8, _secret: *mut c_void);
    OQS_SIG_STFL_sign(_sig: *const c_void, _signature: *mut u8, _signature_len: *mut usize, _message: *const u8, _len: usize, _secret: *mut c_void);
    OQS_SIG_STFL_verify(_sig: *const c_void, _message: *const u8, _message_len: usize, _signature: *const u8, _len: usize, _public: *const u8);
    OQS_SIG_STFL_sigs_remaining(_sig: *const c_void, _remaining: *mut u64, _secret: *const c_void);
    OQS_SIG_STFL_sigs_total(_sig: *const c_void, _total: *mut u64, _secret: *const c_void);
    OQS_SIG_STFL_SECRET_KEY_serialize(_place: *mut *mut u8, _len: *mut usize, _secret: *const c_void);
    OQS_SIG_STFL_SECRET_KEY_deserialize(_secret: *mut c_void, _bytes: *const u8, _len: usize, _context: *mut c_void);
}

/// Defines functions that return null.
macro_rules! null {
    ($($name:ident)*) => {$(
        /// Returns null: the library has no stateful signatures.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(_name: *const c_char) -> *mut c_void {
            ptr::null_mut()
        }
    )*};
}

null!(OQS_SIG_STFL_new OQS_SIG_STFL_SECRET_KEY_new);

/// Defines functions that do nothing.
macro_rules! ignore {
    ($($name:ident($($argument:ident),*);)*) => {$(
        /// Does nothing: the library has no stateful signatures, so there is no object to free or to change.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: *mut c_void),*) {}
    )*};
}

ignore! {
    OQS_SIG_STFL_free(_sig);
    OQS_SIG_STFL_SECRET_KEY_free(_secret);
    OQS_SIG_STFL_SECRET_KEY_SET_lock(_secret, _lock);
    OQS_SIG_STFL_SECRET_KEY_SET_unlock(_secret, _unlock);
    OQS_SIG_STFL_SECRET_KEY_SET_mutex(_secret, _mutex);
    OQS_SIG_STFL_SECRET_KEY_SET_store_cb(_secret, _store, _context);
}
