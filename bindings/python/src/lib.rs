//! The native part of the Python package `grille`.
//!
//! | question | file |
//! |---|---|
//! | how are bytes and errors converted between Python and Rust? | `convert` |
//! | KEMs and their keys | `kem` |
//! | signature algorithms and their keys | `signature` |
//! | key files and certificates | `files` |
//!
//! The package has no algorithm list of its own: it uses the registry. Every long operation releases the GIL.
#![forbid(unsafe_code)]

mod convert;
mod files;
mod kem;
mod signature;

use pyo3::prelude::*;

/// The native module; `grille` exports its names.
#[pymodule(gil_used = false)]
fn _grille(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("Error", module.py().get_type::<convert::Error>())?;
    module.add("InvalidSignature", module.py().get_type::<convert::InvalidSignature>())?;
    module.add("UnknownAlgorithm", module.py().get_type::<convert::UnknownAlgorithm>())?;
    module.add("Untrusted", module.py().get_type::<convert::Untrusted>())?;
    module.add_class::<kem::Kem>()?;
    module.add_class::<kem::KemPrivateKey>()?;
    module.add_class::<kem::KemPublicKey>()?;
    module.add_class::<signature::SignatureAlgorithm>()?;
    module.add_class::<signature::SigningKey>()?;
    module.add_class::<signature::VerifyingKey>()?;
    module.add_class::<files::Certificate>()?;
    module.add_function(wrap_pyfunction!(kem::kem, module)?)?;
    module.add_function(wrap_pyfunction!(kem::kems, module)?)?;
    module.add_function(wrap_pyfunction!(signature::signature, module)?)?;
    module.add_function(wrap_pyfunction!(signature::signatures, module)?)?;
    module.add_function(wrap_pyfunction!(files::load_private_key, module)?)?;
    module.add_function(wrap_pyfunction!(files::load_public_key, module)?)?;
    module.add_function(wrap_pyfunction!(files::load_certificates, module)?)?;
    module.add_function(wrap_pyfunction!(files::verify_chain, module)?)?;
    Ok(())
}
