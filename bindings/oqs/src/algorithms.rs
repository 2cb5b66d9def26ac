//! The algorithm names of the era, and the functions that each algorithm exports under its own symbols.
//!
//! Function pointers in [`OQS_KEM`](crate::kem::OQS_KEM) and [`OQS_SIG`](crate::sig::OQS_SIG) have no argument that says which
//! algorithm is meant, so every algorithm has functions of its own.

/// Builds the table entry of a name without an implementation.
macro_rules! named {
    ($name:literal) => {
        $crate::algorithms::Named { name: $name, algorithm: None }
    };
}

/// Builds the table entry of a KEM and exports its functions. Arguments: name, document, level, IND-CCA security, row
/// of the registry, lengths of seeds, and symbols.
macro_rules! kem {
    ($name:literal, $document:literal, $level:literal, $ind_cca:literal, $row:literal,
     $seeds:tt, $keypair:ident $encaps:ident $decaps:ident $keypair_derand:ident $encaps_derand:ident) => {{
        static KEM: $crate::kem::Kem = $crate::kem::Kem {
            name: $name,
            document: $document,
            level: $level,
            ind_cca: $ind_cca,
            #[cfg(era = "0.16")]
            seeds: $seeds,
            row_name: $row,
            row: std::sync::OnceLock::new(),
            functions: $crate::kem::Functions {
                keypair: $keypair,
                encaps: $encaps,
                decaps: $decaps,
                #[cfg(era = "0.16")]
                keypair_derand: $keypair_derand,
                #[cfg(era = "0.16")]
                encaps_derand: $encaps_derand,
            },
        };

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $keypair(public: *mut u8, secret: *mut u8) -> $crate::OQS_STATUS {
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { KEM.keypair(public, secret) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $encaps(
            ciphertext: *mut u8,
            shared: *mut u8,
            public: *const u8,
        ) -> $crate::OQS_STATUS {
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { KEM.encaps(ciphertext, shared, public) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $decaps(
            shared: *mut u8,
            ciphertext: *const u8,
            secret: *const u8,
        ) -> $crate::OQS_STATUS {
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { KEM.decaps(shared, ciphertext, secret) }
        }

        #[cfg(era = "0.16")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $keypair_derand(
            public: *mut u8,
            secret: *mut u8,
            seed: *const u8,
        ) -> $crate::OQS_STATUS {
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { KEM.keypair_derand(public, secret, seed) }
        }

        #[cfg(era = "0.16")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $encaps_derand(
            ciphertext: *mut u8,
            shared: *mut u8,
            public: *const u8,
            seed: *const u8,
        ) -> $crate::OQS_STATUS {
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { KEM.encaps_derand(ciphertext, shared, public, seed) }
        }

        $crate::algorithms::Named { name: $name, algorithm: Some(&KEM) }
    }};
}

/// Builds the table entry of a signature algorithm and exports its functions. Arguments: name, document, level, strong
/// unforgeability, row of the registry, and symbols.
macro_rules! sig {
    ($name:literal, $document:literal, $level:literal, $suf_cma:literal, $row:literal,
     $keypair:ident $sign:ident $verify:ident $sign_with_context:ident $verify_with_context:ident) => {{
        static SIG: $crate::sig::Sig = $crate::sig::Sig {
            name: $name,
            document: $document,
            level: $level,
            #[cfg(era = "0.16")]
            suf_cma: $suf_cma,
            row_name: $row,
            row: std::sync::OnceLock::new(),
            functions: $crate::sig::Functions {
                keypair: $keypair,
                sign: $sign,
                verify: $verify,
                #[cfg(era = "0.16")]
                sign_with_context: $sign_with_context,
                #[cfg(era = "0.16")]
                verify_with_context: $verify_with_context,
            },
        };

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $keypair(public: *mut u8, secret: *mut u8) -> $crate::OQS_STATUS {
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { SIG.keypair(public, secret) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $sign(
            signature: *mut u8,
            signature_len: *mut usize,
            message: *const u8,
            message_len: usize,
            secret: *const u8,
        ) -> $crate::OQS_STATUS {
            let message = $crate::sig::Message::new(message, message_len);
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { SIG.sign(signature, signature_len, message, secret) }
        }

        #[unsafe(no_mangle)]
        unsafe extern "C" fn $verify(
            message: *const u8,
            message_len: usize,
            signature: *const u8,
            signature_len: usize,
            public: *const u8,
        ) -> $crate::OQS_STATUS {
            let message = $crate::sig::Message::new(message, message_len);
            // SAFETY: the caller promises null or buffers of the given lengths or, if none is given, of the algorithm's
            unsafe { SIG.verify(message, signature, signature_len, public) }
        }

        #[cfg(era = "0.16")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $sign_with_context(
            signature: *mut u8,
            signature_len: *mut usize,
            message: *const u8,
            message_len: usize,
            context: *const u8,
            context_len: usize,
            secret: *const u8,
        ) -> $crate::OQS_STATUS {
            let message = $crate::sig::Message { message, message_len, context, context_len };
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { SIG.sign(signature, signature_len, message, secret) }
        }

        #[cfg(era = "0.16")]
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $verify_with_context(
            message: *const u8,
            message_len: usize,
            signature: *const u8,
            signature_len: usize,
            context: *const u8,
            context_len: usize,
            public: *const u8,
        ) -> $crate::OQS_STATUS {
            let message = $crate::sig::Message { message, message_len, context, context_len };
            // SAFETY: the caller promises null or buffers of the given lengths or, if none is given, of the algorithm's
            unsafe { SIG.verify(message, signature, signature_len, public) }
        }

        $crate::algorithms::Named { name: $name, algorithm: Some(&SIG) }
    }};
}

mod named;
#[cfg(era = "0.16")]
mod v0_16;
#[cfg(era = "0.5")]
mod v0_5;
#[cfg(era = "0.7")]
mod v0_7;

#[cfg(era = "0.5")]
use v0_5 as table;
#[cfg(era = "0.7")]
use v0_7 as table;
#[cfg(era = "0.16")]
use v0_16 as table;

pub(crate) use named::{Named, find};
#[cfg(era = "0.16")]
pub(crate) use table::STATEFUL;
pub(crate) use table::{KEMS, SIGNATURES};
