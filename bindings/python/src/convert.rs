//! Conversion of bytes and errors between Python and Rust.

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use std::ops::Deref;
use zeroize::Zeroizing;

pyo3::create_exception!(
    grille,
    Error,
    PyValueError,
    "Bad input, such as a key of the wrong length or a damaged file."
);
pyo3::create_exception!(grille, UnknownAlgorithm, Error, "No algorithm has this name.");
pyo3::create_exception!(
    grille,
    InvalidSignature,
    Error,
    "The signature does not match the message, context and key."
);
pyo3::create_exception!(grille, Untrusted, Error, "A certificate chain was refused.");

/// Input from Python. `bytes` are used without a copy. Any other contiguous buffer is copied, because other threads may
/// change it while the GIL is released. The copy is erased when it is dropped.
pub(crate) enum Input {
    Bytes(PyBackedBytes),
    Copy(Zeroizing<Vec<u8>>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.to_owned().into()));
        }
        let buffer = PyBuffer::<u8>::get(&object).map_err(|_| {
            let kind =
                object.get_type().name().map_or_else(|_| "this type".to_owned(), |name| name.to_string());
            PyTypeError::new_err(format!("a bytes-like object is needed, not {kind}"))
        })?;
        Ok(Self::Copy(Zeroizing::new(buffer.to_vec(object.py())?)))
    }
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Copy(bytes) => bytes,
        }
    }
}

/// Converts an error of an algorithm to a Python exception.
pub(crate) fn algorithm_error(error: grille_core::Error) -> PyErr {
    match error {
        grille_core::Error::InvalidSignature | grille_core::Error::InvalidSignaturePart { .. } => {
            InvalidSignature::new_err(error.to_string())
        }
        _ => Error::new_err(error.to_string()),
    }
}

/// Converts an error of a file to a Python exception.
pub(crate) fn file_error(error: grille_pki::Error) -> PyErr {
    use grille_pki::Error as File;
    match error {
        File::Key { source, .. } => algorithm_error(source),
        File::NoRoot { .. } | File::OtherIssuer { .. } | File::Chain { .. } => {
            Untrusted::new_err(error.to_string())
        }
        _ => Error::new_err(error.to_string()),
    }
}

/// Converts an unknown name to a Python exception. `list` is the function that lists all names.
pub(crate) fn unknown_algorithm(unknown: &grille_registry::UnknownAlgorithm, list: &str) -> PyErr {
    if unknown.suggestions.is_empty() && unknown.other_use.is_none() {
        let (kind, name) = (unknown.kind, unknown.name.escape_debug());
        return UnknownAlgorithm::new_err(format!("unknown {kind} \"{name}\"; {list} lists all names"));
    }
    UnknownAlgorithm::new_err(unknown.to_string())
}

/// The encoding of a file: "PEM" or "DER".
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Pem,
    Der,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Encoding {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<String>()?.to_ascii_uppercase().as_str() {
            "PEM" => Ok(Self::Pem),
            "DER" => Ok(Self::Der),
            other => Err(Error::new_err(format!("encoding must be \"PEM\" or \"DER\", not \"{other}\""))),
        }
    }
}
