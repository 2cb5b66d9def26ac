//! Signature algorithms and their keys.

use crate::convert::{Encoding, Error, Input, algorithm_error, file_error, unknown_algorithm};
use crate::files::private_file;
use grille_core::{DynSigningKey, DynVerifyingKey, SystemRng};
use grille_pki::{PrivateKey, PrivateKeyForm, PublicKey};
use grille_registry::{Row, SIGNATURES, SignatureRow};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Returns the signature algorithm with this name, such as "ML-DSA-65". Case does not matter.
#[pyfunction]
pub(crate) fn signature(name: &str) -> PyResult<SignatureAlgorithm> {
    grille_registry::signature_by_name(name)
        .map(SignatureAlgorithm)
        .map_err(|name| unknown_algorithm(&name, "grille.signatures()"))
}

/// Returns all signature algorithms.
#[pyfunction]
pub(crate) fn signatures() -> Vec<SignatureAlgorithm> {
    SIGNATURES.iter().map(SignatureAlgorithm).collect()
}

/// A signature algorithm.
#[pyclass(frozen, module = "grille")]
pub(crate) struct SignatureAlgorithm(&'static SignatureRow);

#[pymethods]
impl SignatureAlgorithm {
    /// The name, in the standard's spelling.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The NIST security category, 1 to 5; 0 for classical algorithms.
    #[getter]
    fn category(&self) -> u8 {
        self.0.category
    }

    /// One of "standard", "draft", "candidate", "retired" and "broken".
    #[getter]
    fn status(&self) -> &'static str {
        self.0.status.name()
    }

    /// Other names of the algorithm.
    #[getter]
    fn aliases(&self) -> Vec<&'static str> {
        self.0.aliases.to_vec()
    }

    /// The length of a raw public key in bytes; for a composite, the maximum.
    #[getter]
    fn public_key_length(&self) -> usize {
        self.0.signature.info().verifying_key_len
    }

    /// The length of a raw private key in bytes; for a composite, the maximum.
    #[getter]
    fn private_key_length(&self) -> usize {
        self.0.signature.info().signing_key_len
    }

    /// The length of a seed in bytes; None if the algorithm has no seeds.
    #[getter]
    fn seed_length(&self) -> Option<usize> {
        self.0.signature.info().seed_len
    }

    /// The length of the longest signature in bytes.
    #[getter]
    fn signature_length(&self) -> usize {
        self.0.signature.info().signature_len
    }

    /// The length of the longest context in bytes; 0 if the algorithm takes none.
    #[getter]
    fn context_length(&self) -> usize {
        self.0.signature.info().context_len
    }

    /// Generates a key pair.
    fn generate(&self, py: Python<'_>) -> SigningKey {
        SigningKey { row: self.0, key: py.detach(|| self.0.signature.generate(&mut SystemRng)) }
    }

    /// Reads a raw private key.
    fn private_key_from_bytes(&self, py: Python<'_>, data: Input) -> PyResult<SigningKey> {
        let key = py.detach(|| self.0.signature.signing_key(&data)).map_err(algorithm_error)?;
        Ok(SigningKey { row: self.0, key })
    }

    /// Derives the private key from a seed.
    fn private_key_from_seed(&self, py: Python<'_>, seed: Input) -> PyResult<SigningKey> {
        let key = py.detach(|| self.0.signature.signing_key_from_seed(&seed)).map_err(algorithm_error)?;
        Ok(SigningKey { row: self.0, key })
    }

    /// Reads a raw public key.
    fn public_key_from_bytes(&self, py: Python<'_>, data: Input) -> PyResult<VerifyingKey> {
        let key = py.detach(|| self.0.signature.verifying_key(&data)).map_err(algorithm_error)?;
        Ok(VerifyingKey { row: self.0, key })
    }

    fn __repr__(&self) -> String {
        format!("<grille.SignatureAlgorithm {}>", self.0.name())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }

    fn __hash__(&self) -> u64 {
        crate::files::hash(self.0.name())
    }
}

/// The private key of a signature algorithm. It is erased when Python frees it.
#[pyclass(frozen, module = "grille")]
pub(crate) struct SigningKey {
    pub(crate) row: &'static SignatureRow,
    pub(crate) key: Box<dyn DynSigningKey>,
}

#[pymethods]
impl SigningKey {
    /// The key's algorithm.
    #[getter]
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm(self.row)
    }

    /// Returns the public key.
    fn public_key(&self, py: Python<'_>) -> PyResult<VerifyingKey> {
        let read = || self.row.signature.verifying_key(&self.key.verifying_key_bytes());
        Ok(VerifyingKey { row: self.row, key: py.detach(read).map_err(algorithm_error)? })
    }

    /// Signs a message. `context` binds the signature to a purpose.
    #[pyo3(signature = (data, context = None))]
    fn sign<'py>(
        &self,
        py: Python<'py>,
        data: Input,
        context: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let context = context.as_deref().unwrap_or_default();
        let signature =
            py.detach(|| self.key.sign(&data, context, &mut SystemRng)).map_err(algorithm_error)?;
        Ok(PyBytes::new(py, &signature))
    }

    /// Returns the raw private key.
    fn private_bytes_raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.key.to_bytes().as_ref())
    }

    /// Returns the seed, the recommended form for storing the key.
    fn seed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let seed = self.key.seed().ok_or_else(|| Error::new_err("the key was not made from a seed"))?;
        Ok(PyBytes::new(py, seed.as_ref()))
    }

    /// Returns PKCS#8, encrypted if there is a passphrase. `encoding`: "PEM" or "DER".
    #[pyo3(signature = (encoding = Encoding::Pem, passphrase = None))]
    fn private_bytes<'py>(
        &self,
        py: Python<'py>,
        encoding: Encoding,
        passphrase: Option<Input>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let raw = self.key.seed().unwrap_or_else(|| self.key.to_bytes());
        let file = PrivateKey::from_raw(self.row, raw.as_ref()).map_err(file_error)?;
        let form = PrivateKeyForm::default_for(self.row);
        let der = file.to_pkcs8_der(form).map_err(file_error)?;
        private_file(py, der.as_ref(), || file.to_pkcs8_pem(form), encoding, passphrase)
    }

    fn __repr__(&self) -> String {
        format!("<grille.SigningKey {}>", self.row.name())
    }
}

/// The public key of a signature algorithm.
#[pyclass(frozen, module = "grille")]
pub(crate) struct VerifyingKey {
    pub(crate) row: &'static SignatureRow,
    pub(crate) key: Box<dyn DynVerifyingKey>,
}

#[pymethods]
impl VerifyingKey {
    /// The key's algorithm.
    #[getter]
    fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm(self.row)
    }

    /// Verifies a signature; raises InvalidSignature if it does not match.
    #[pyo3(signature = (signature, data, context = None))]
    fn verify(&self, py: Python<'_>, signature: Input, data: Input, context: Option<Input>) -> PyResult<()> {
        let context = context.as_deref().unwrap_or_default();
        py.detach(|| self.key.verify(&data, context, &signature)).map_err(algorithm_error)
    }

    /// Returns the raw public key.
    fn public_bytes_raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.key.to_bytes())
    }

    /// Returns SubjectPublicKeyInfo. `encoding`: "PEM" or "DER".
    #[pyo3(signature = (encoding = Encoding::Pem))]
    fn public_bytes<'py>(&self, py: Python<'py>, encoding: Encoding) -> PyResult<Bound<'py, PyBytes>> {
        let file = PublicKey::from_bytes(self.row, &self.key.to_bytes()).map_err(file_error)?;
        let bytes = match encoding {
            Encoding::Pem => file.to_spki_pem().map(String::into_bytes),
            Encoding::Der => file.to_spki_der(),
        };
        Ok(PyBytes::new(py, &bytes.map_err(file_error)?))
    }

    fn __repr__(&self) -> String {
        format!("<grille.VerifyingKey {}>", self.row.name())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.row.name() == other.row.name() && self.key.to_bytes() == other.key.to_bytes()
    }

    fn __hash__(&self) -> u64 {
        crate::files::hash(&self.key.to_bytes())
    }
}
