//! A signature algorithm: the structure that programs read, and the operations behind its function pointers.

use crate::OQS_STATUS;
use crate::boundary::{Output, input, status};
use crate::kem::Keypair;
use crate::random::{self, Rng};
use core::ffi::{CStr, c_char};
use core::ptr;
use grille_registry::SignatureRow;
use std::sync::OnceLock;

/// Signs a message: writes the signature and its length.
pub type Sign = unsafe extern "C" fn(
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const u8,
    message_len: usize,
    secret: *const u8,
) -> OQS_STATUS;
/// Signs a message with a context string.
pub type SignWithContext = unsafe extern "C" fn(
    signature: *mut u8,
    signature_len: *mut usize,
    message: *const u8,
    message_len: usize,
    context: *const u8,
    context_len: usize,
    secret: *const u8,
) -> OQS_STATUS;
/// Verifies the signature of a message.
pub type Verify = unsafe extern "C" fn(
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    public: *const u8,
) -> OQS_STATUS;
/// Verifies the signature of a message with a context string.
pub type VerifyWithContext = unsafe extern "C" fn(
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    context: *const u8,
    context_len: usize,
    public: *const u8,
) -> OQS_STATUS;

/// An algorithm with its lengths and functions, as liboqs of this era lays it out.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the fields are documented in oqs/sig.h")]
pub struct OQS_SIG {
    pub method_name: *const c_char,
    pub alg_version: *const c_char,
    pub claimed_nist_level: u8,
    pub euf_cma: bool,
    #[cfg(era = "0.16")]
    pub suf_cma: bool,
    #[cfg(era = "0.16")]
    pub sig_with_ctx_support: bool,
    pub length_public_key: usize,
    pub length_secret_key: usize,
    pub length_signature: usize,
    pub keypair: Option<Keypair>,
    pub sign: Option<Sign>,
    #[cfg(era = "0.16")]
    pub sign_with_ctx_str: Option<SignWithContext>,
    pub verify: Option<Verify>,
    #[cfg(era = "0.16")]
    pub verify_with_ctx_str: Option<VerifyWithContext>,
}

/// The functions of one algorithm.
#[derive(Debug)]
pub(crate) struct Functions {
    pub(crate) keypair: Keypair,
    pub(crate) sign: Sign,
    pub(crate) verify: Verify,
    #[cfg(era = "0.16")]
    pub(crate) sign_with_context: SignWithContext,
    #[cfg(era = "0.16")]
    pub(crate) verify_with_context: VerifyWithContext,
}

/// A signature algorithm that liboqs of the era lists and the registry contains.
#[derive(Debug)]
pub(crate) struct Sig {
    pub(crate) name: &'static CStr,
    /// The document that defines the algorithm.
    pub(crate) document: &'static CStr,
    pub(crate) level: u8,
    /// Whether liboqs claims strong unforgeability.
    #[cfg(era = "0.16")]
    pub(crate) suf_cma: bool,
    /// The name of the algorithm in the registry.
    pub(crate) row_name: &'static str,
    pub(crate) row: OnceLock<Option<&'static SignatureRow>>,
    pub(crate) functions: Functions,
}

/// A message and a context string, as C passes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Message {
    pub(crate) message: *const u8,
    pub(crate) message_len: usize,
    pub(crate) context: *const u8,
    pub(crate) context_len: usize,
}

impl Message {
    /// Returns a message without a context string.
    pub(crate) fn new(message: *const u8, message_len: usize) -> Self {
        Self { message, message_len, context: ptr::null(), context_len: 0 }
    }

    /// Returns the message and the context.
    ///
    /// # Safety
    /// The pointers are null or point to as many bytes as the lengths say; these bytes do not change during `'a`.
    unsafe fn bytes<'a>(self) -> Option<(&'a [u8], &'a [u8])> {
        // SAFETY: the caller promises what `input` needs
        unsafe { Some((input(self.message, self.message_len)?, input(self.context, self.context_len)?)) }
    }
}

impl Sig {
    fn row(&self) -> Option<&'static SignatureRow> {
        *self.row.get_or_init(|| grille_registry::signature_by_name(self.row_name).ok())
    }

    /// Generates a key pair; see [`Keypair`].
    ///
    /// # Safety
    /// The pointers are null or point to buffers of the algorithm's lengths.
    pub(crate) unsafe fn keypair(&self, public: *mut u8, secret: *mut u8) -> OQS_STATUS {
        status(|| {
            let scheme = self.row()?.signature;
            let info = scheme.info();
            // SAFETY: the caller promises null or buffers of these lengths
            let (public, secret) = unsafe {
                (Output::new(public, info.verifying_key_len)?, Output::new(secret, info.signing_key_len)?)
            };
            let key = match random::has_program_generator() {
                true => scheme.generate_internal(&mut Rng),
                false => scheme.generate(&mut Rng),
            };
            public.write(&key.verifying_key_bytes())?;
            secret.write(key.to_bytes().as_ref()).map(drop)
        })
    }

    /// Signs; see [`SignWithContext`].
    ///
    /// # Safety
    /// Each pointer is null or points to a buffer of the given length or, if none is given, of the algorithm's length.
    pub(crate) unsafe fn sign(
        &self,
        signature: *mut u8,
        signature_len: *mut usize,
        message: Message,
        secret: *const u8,
    ) -> OQS_STATUS {
        status(|| {
            let scheme = self.row()?.signature;
            let info = scheme.info();
            // SAFETY: the caller promises null or a number, null or buffers of these lengths, and a valid message
            let (signature_len, signature, secret, (message, context)) = unsafe {
                (
                    signature_len.as_mut()?,
                    Output::new(signature, info.signature_len)?,
                    input(secret, info.signing_key_len)?,
                    message.bytes()?,
                )
            };
            *signature_len = 0;
            let signed = scheme.signing_key(secret).ok()?.sign(message, context, &mut Rng).ok()?;
            *signature_len = signature.write(&signed)?;
            Some(())
        })
    }

    /// Verifies; see [`VerifyWithContext`].
    ///
    /// # Safety
    /// Each pointer is null or points to a buffer of the given length or, if none is given, of the algorithm's length.
    pub(crate) unsafe fn verify(
        &self,
        message: Message,
        signature: *const u8,
        signature_len: usize,
        public: *const u8,
    ) -> OQS_STATUS {
        status(|| {
            let scheme = self.row()?.signature;
            // SAFETY: the caller promises null or buffers of these lengths, and a valid message
            let (signature, public, (message, context)) = unsafe {
                (
                    input(signature, signature_len)?,
                    input(public, scheme.info().verifying_key_len)?,
                    message.bytes()?,
                )
            };
            scheme.verifying_key(public).ok()?.verify(message, context, signature).ok()
        })
    }

    /// Returns whether the algorithm takes context strings.
    #[cfg(era = "0.16")]
    pub(super) fn has_context(&self) -> bool {
        self.row().is_some_and(|row| row.signature.info().context_len > 0)
    }

    /// Returns the structure that programs read; `None` if the registry was built without the algorithm.
    pub(super) fn object(&self) -> Option<OQS_SIG> {
        let info = self.row()?.signature.info();
        Some(OQS_SIG {
            method_name: self.name.as_ptr(),
            alg_version: self.document.as_ptr(),
            claimed_nist_level: self.level,
            euf_cma: true,
            #[cfg(era = "0.16")]
            suf_cma: self.suf_cma,
            #[cfg(era = "0.16")]
            sig_with_ctx_support: self.has_context(),
            length_public_key: info.verifying_key_len,
            length_secret_key: info.signing_key_len,
            length_signature: info.signature_len,
            keypair: Some(self.functions.keypair),
            sign: Some(self.functions.sign),
            #[cfg(era = "0.16")]
            sign_with_ctx_str: Some(self.functions.sign_with_context),
            verify: Some(self.functions.verify),
            #[cfg(era = "0.16")]
            verify_with_ctx_str: Some(self.functions.verify_with_context),
        })
    }
}
