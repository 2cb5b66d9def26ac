//! KEMs and their keys.

use crate::convert::{Encoding, Error, Input, algorithm_error, file_error, unknown_algorithm};
use crate::files::private_file;
use grille_core::{DynDecapsKey, DynEncapsKey, SystemRng};
use grille_pki::PrivateKeyForm;
use grille_registry::{KEMS, KemRow, Row};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Returns the KEM with this name, such as "ML-KEM-768". Case does not matter.
#[pyfunction]
pub(crate) fn kem(name: &str) -> PyResult<Kem> {
    grille_registry::kem_by_name(name).map(Kem).map_err(|name| unknown_algorithm(&name, "grille.kems()"))
}

/// Returns all KEMs.
#[pyfunction]
pub(crate) fn kems() -> Vec<Kem> {
    KEMS.iter().map(Kem).collect()
}

/// A key encapsulation mechanism.
#[pyclass(frozen, module = "grille")]
pub(crate) struct Kem(&'static KemRow);

#[pymethods]
impl Kem {
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

    /// The length of a raw public key in bytes.
    #[getter]
    fn public_key_length(&self) -> usize {
        self.0.kem.info().encaps_key_len
    }

    /// The length of a raw private key in bytes.
    #[getter]
    fn private_key_length(&self) -> usize {
        self.0.kem.info().decaps_key_len
    }

    /// The length of a seed in bytes; None if the algorithm has no seeds.
    #[getter]
    fn seed_length(&self) -> Option<usize> {
        self.0.kem.info().seed_len
    }

    /// The length of a ciphertext in bytes.
    #[getter]
    fn ciphertext_length(&self) -> usize {
        self.0.kem.info().ciphertext_len
    }

    /// The length of a shared secret in bytes.
    #[getter]
    fn shared_secret_length(&self) -> usize {
        self.0.kem.info().shared_secret_len
    }

    /// Generates a key pair.
    fn generate(&self, py: Python<'_>) -> KemPrivateKey {
        KemPrivateKey { row: self.0, key: py.detach(|| self.0.kem.generate(&mut SystemRng)) }
    }

    /// Reads a raw private key.
    fn private_key_from_bytes(&self, py: Python<'_>, data: Input) -> PyResult<KemPrivateKey> {
        let key = py.detach(|| self.0.kem.decaps_key(&data)).map_err(algorithm_error)?;
        Ok(KemPrivateKey { row: self.0, key })
    }

    /// Derives the private key from a seed.
    fn private_key_from_seed(&self, py: Python<'_>, seed: Input) -> PyResult<KemPrivateKey> {
        let key = py.detach(|| self.0.kem.decaps_key_from_seed(&seed)).map_err(algorithm_error)?;
        Ok(KemPrivateKey { row: self.0, key })
    }

    /// Reads a raw public key and checks it as the standard requires.
    fn public_key_from_bytes(&self, py: Python<'_>, data: Input) -> PyResult<KemPublicKey> {
        let key = py.detach(|| self.0.kem.encaps_key(&data)).map_err(algorithm_error)?;
        Ok(KemPublicKey { row: self.0, key })
    }

    fn __repr__(&self) -> String {
        format!("<grille.Kem {}>", self.0.name())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }

    fn __hash__(&self) -> u64 {
        crate::files::hash(self.0.name())
    }
}

/// The private key of a KEM. It is erased when Python frees it.
#[pyclass(frozen, module = "grille")]
pub(crate) struct KemPrivateKey {
    pub(crate) row: &'static KemRow,
    pub(crate) key: Box<dyn DynDecapsKey>,
}

#[pymethods]
impl KemPrivateKey {
    /// The key's algorithm.
    #[getter]
    fn algorithm(&self) -> Kem {
        Kem(self.row)
    }

    /// Returns the public key.
    fn public_key(&self, py: Python<'_>) -> PyResult<KemPublicKey> {
        let key =
            py.detach(|| self.row.kem.encaps_key(&self.key.encaps_key_bytes())).map_err(algorithm_error)?;
        Ok(KemPublicKey { row: self.row, key })
    }

    /// Returns the shared secret. An altered ciphertext gives an unrelated secret, not an error (implicit rejection).
    fn decapsulate<'py>(&self, py: Python<'py>, ciphertext: Input) -> PyResult<Bound<'py, PyBytes>> {
        let secret = py.detach(|| self.key.decapsulate(&ciphertext)).map_err(algorithm_error)?;
        Ok(PyBytes::new(py, secret.as_ref()))
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
        let file = grille_pki::KemPrivateKey::from_raw(self.row, raw.as_ref()).map_err(file_error)?;
        let der = file.to_pkcs8_der(PrivateKeyForm::DEFAULT_FOR_KEM).map_err(file_error)?;
        let pem = || file.to_pkcs8_pem(PrivateKeyForm::DEFAULT_FOR_KEM);
        private_file(py, der.as_ref(), pem, encoding, passphrase)
    }

    fn __repr__(&self) -> String {
        format!("<grille.KemPrivateKey {}>", self.row.name())
    }
}

/// The public key of a KEM.
#[pyclass(frozen, module = "grille")]
pub(crate) struct KemPublicKey {
    pub(crate) row: &'static KemRow,
    pub(crate) key: Box<dyn DynEncapsKey>,
}

#[pymethods]
impl KemPublicKey {
    /// The key's algorithm.
    #[getter]
    fn algorithm(&self) -> Kem {
        Kem(self.row)
    }

    /// Creates a fresh shared secret. Returns the secret, and the ciphertext for the holder of the private key.
    fn encapsulate<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, Bound<'py, PyBytes>) {
        let sent = py.detach(|| self.key.encapsulate(&mut SystemRng));
        (PyBytes::new(py, sent.secret.as_ref()), PyBytes::new(py, &sent.ciphertext))
    }

    /// Returns the raw public key.
    fn public_bytes_raw<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.key.to_bytes())
    }

    /// Returns SubjectPublicKeyInfo. `encoding`: "PEM" or "DER".
    #[pyo3(signature = (encoding = Encoding::Pem))]
    fn public_bytes<'py>(&self, py: Python<'py>, encoding: Encoding) -> PyResult<Bound<'py, PyBytes>> {
        let file =
            grille_pki::KemPublicKey::from_bytes(self.row, &self.key.to_bytes()).map_err(file_error)?;
        let bytes = match encoding {
            Encoding::Pem => file.to_spki_pem().map(String::into_bytes),
            Encoding::Der => file.to_spki_der(),
        };
        Ok(PyBytes::new(py, &bytes.map_err(file_error)?))
    }

    fn __repr__(&self) -> String {
        format!("<grille.KemPublicKey {}>", self.row.name())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.row.name() == other.row.name() && self.key.to_bytes() == other.key.to_bytes()
    }

    fn __hash__(&self) -> u64 {
        crate::files::hash(&self.key.to_bytes())
    }
}
