//! Callbacks that would replace liboqs' own AES and hash functions. grille uses its own functions and ignores the
//! callbacks.

use core::ffi::c_void;

macro_rules! ignore {
    ($($name:ident)*) => {$(
        /// Does nothing: the library uses its own functions.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(_callbacks: *mut c_void) {}
    )*};
}

ignore!(OQS_AES_set_callbacks OQS_SHA2_set_callbacks OQS_SHA3_set_callbacks OQS_SHA3_x4_set_callbacks);
