//! Result codes, and the text of a thread's last error.

use core::ffi::{CStr, c_char};
use std::cell::RefCell;
use std::ffi::CString;
use std::fmt;

/// Result of a function. 0 is success; every failure is negative.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum grille_status {
    /// Success.
    GRILLE_OK = 0,
    /// A pointer is null where data is needed, or a string is not UTF-8.
    GRILLE_INVALID_ARGUMENT = -1,
    /// No algorithm has this name.
    GRILLE_UNKNOWN_ALGORITHM = -2,
    /// A key, ciphertext or seed does not have the length that the algorithm requires.
    GRILLE_WRONG_LENGTH = -3,
    /// A key has the right length but is not a valid encoding.
    GRILLE_INVALID_KEY = -4,
    /// The signature does not match the message, context and key.
    GRILLE_INVALID_SIGNATURE = -5,
    /// The output buffer is too short; the length argument holds the needed number of bytes.
    GRILLE_BUFFER_TOO_SHORT = -6,
    /// The algorithm has no such operation, or the context string is too long for it.
    GRILLE_UNSUPPORTED = -7,
    /// A file is damaged or has an unexpected type, or the passphrase is missing or wrong.
    GRILLE_INVALID_FILE = -8,
    /// A certificate chain was refused.
    GRILLE_UNTRUSTED = -9,
    /// An internal error of the library. The operation had no effect.
    GRILLE_INTERNAL = -10,
}

use grille_status::{
    GRILLE_BUFFER_TOO_SHORT, GRILLE_INTERNAL, GRILLE_INVALID_ARGUMENT, GRILLE_INVALID_FILE,
    GRILLE_INVALID_KEY, GRILLE_INVALID_SIGNATURE, GRILLE_OK, GRILLE_UNKNOWN_ALGORITHM, GRILLE_UNSUPPORTED,
    GRILLE_UNTRUSTED, GRILLE_WRONG_LENGTH,
};

/// A failure to report to C: the code, and the text for [`grille_last_error`].
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: grille_status,
    text: String,
}

impl Failure {
    pub(crate) fn new(status: grille_status, text: impl fmt::Display) -> Self {
        Self { status, text: text.to_string() }
    }

    /// Adds the number of an item of a batch, such as "signature 3", to the text.
    pub(crate) fn of_item(self, name: &str, number: usize) -> Self {
        Self::new(self.status, format_args!("{name} {number}: {}", self.text))
    }
}

impl From<grille_core::Error> for Failure {
    fn from(error: grille_core::Error) -> Self {
        use grille_core::Error;
        let status = match error {
            Error::Length { .. } => GRILLE_WRONG_LENGTH,
            Error::InvalidPublicKey { .. } | Error::InvalidPrivateKey { .. } => GRILLE_INVALID_KEY,
            Error::InvalidSignature | Error::InvalidSignaturePart { .. } => GRILLE_INVALID_SIGNATURE,
            _ => GRILLE_UNSUPPORTED,
        };
        Self::new(status, error)
    }
}

impl From<grille_pki::Error> for Failure {
    fn from(error: grille_pki::Error) -> Self {
        use grille_pki::Error;
        match error {
            Error::Key { source, .. } => source.into(),
            Error::UnknownAlgorithm { .. } => Self::new(GRILLE_UNKNOWN_ALGORITHM, error),
            Error::NoRoot { .. } | Error::OtherIssuer { .. } | Error::Chain { .. } => {
                Self::new(GRILLE_UNTRUSTED, error)
            }
            _ => Self::new(GRILLE_INVALID_FILE, error),
        }
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Stores the text of a failure for the calling thread and returns its code.
pub(crate) fn report(failure: &Failure) -> grille_status {
    let text = CString::new(failure.text.replace('\0', "")).unwrap_or_default();
    // a thread that is ending can no longer store the text; its caller still gets the code
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = text);
    failure.status
}

/// Returns the text of the last failure in the calling thread, or an empty string. The text is UTF-8, has one line, and is valid
/// until the next call of a grille function in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn grille_last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or_else(|_| c"".as_ptr())
}

/// Returns a description of a status, for messages. The string is static. `status` may be any number: a number that is
/// not a status has a description, too.
#[unsafe(no_mangle)]
pub extern "C" fn grille_status_text(status: i32) -> *const c_char {
    let is = |known: grille_status| status == known as i32;
    let text: &CStr = match () {
        () if is(GRILLE_OK) => c"success",
        () if is(GRILLE_INVALID_ARGUMENT) => c"invalid argument",
        () if is(GRILLE_UNKNOWN_ALGORITHM) => c"unknown algorithm",
        () if is(GRILLE_WRONG_LENGTH) => c"wrong length",
        () if is(GRILLE_INVALID_KEY) => c"invalid key",
        () if is(GRILLE_INVALID_SIGNATURE) => c"invalid signature",
        () if is(GRILLE_BUFFER_TOO_SHORT) => c"buffer too short",
        () if is(GRILLE_UNSUPPORTED) => c"unsupported operation",
        () if is(GRILLE_INVALID_FILE) => c"invalid file",
        () if is(GRILLE_UNTRUSTED) => c"untrusted certificate chain",
        () if is(GRILLE_INTERNAL) => c"internal fault",
        () => c"unknown status",
    };
    text.as_ptr()
}
