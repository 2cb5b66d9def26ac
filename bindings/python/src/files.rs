//! Key files and certificates.

use crate::convert::{Encoding, Error, Input, file_error};
use crate::kem::{KemPrivateKey, KemPublicKey};
use crate::signature::{SigningKey, VerifyingKey};
use grille_core::SystemRng;
use grille_pki::verify::{self, Purpose, Requirements};
use grille_pki::{Kind, PrivateKey, PublicKey, decrypt, encrypt, encrypt_pem};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use zeroize::Zeroizing;

pub(crate) fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the contents of a private key file, encrypted if there is a passphrase.
pub(crate) fn private_file<'py>(
    py: Python<'py>,
    der: &[u8],
    pem: impl FnOnce() -> Result<Zeroizing<String>, grille_pki::Error>,
    encoding: Encoding,
    passphrase: Option<Input>,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = match (encoding, passphrase) {
        (Encoding::Pem, None) => return Ok(PyBytes::new(py, pem().map_err(file_error)?.as_bytes())),
        (Encoding::Der, None) => return Ok(PyBytes::new(py, der)),
        (_, Some(passphrase)) if passphrase.is_empty() => {
            return Err(Error::new_err(
                "the passphrase is empty; omit it to write the key without encryption",
            ));
        }
        (Encoding::Pem, Some(passphrase)) => {
            py.detach(|| encrypt_pem(der, &passphrase, &mut SystemRng)).map(String::into_bytes)
        }
        (Encoding::Der, Some(passphrase)) => py.detach(|| encrypt(der, &passphrase, &mut SystemRng)),
    };
    Ok(PyBytes::new(py, &bytes.map_err(file_error)?))
}

/// Reads a private key: PKCS#8, PKCS#12 or a traditional form, PEM or DER. The file names the algorithm. Returns a SigningKey or a
/// KemPrivateKey.
#[pyfunction]
#[pyo3(signature = (data, passphrase = None))]
pub(crate) fn load_private_key(
    py: Python<'_>,
    data: Input,
    passphrase: Option<Input>,
) -> PyResult<Py<PyAny>> {
    let opened = py.detach(|| decrypt(&data, Kind::PrivateKey, passphrase.as_deref())).map_err(file_error)?;
    let data: &[u8] = opened.as_deref().map_or(&data, |opened| opened);
    match py.detach(|| PrivateKey::from_pem_or_der(data)) {
        Ok(key) => {
            let row = key.row();
            Ok(Py::new(py, SigningKey { row, key: key.into_signing_key() })?.into_any())
        }
        Err(error) => match py.detach(|| grille_pki::KemPrivateKey::from_pem_or_der(data)) {
            Ok(key) => {
                let row = key.row();
                Ok(Py::new(py, KemPrivateKey { row, key: key.into_decaps_key() })?.into_any())
            }
            Err(kem_error) => Err(file_error(relevant_error(error, kem_error))),
        },
    }
}

/// Reads a public key: SubjectPublicKeyInfo, PEM or DER. Returns a VerifyingKey or a KemPublicKey.
#[pyfunction]
pub(crate) fn load_public_key(py: Python<'_>, data: Input) -> PyResult<Py<PyAny>> {
    match PublicKey::from_pem_or_der(&data) {
        Ok(key) => verifying_key_object(py, &key),
        Err(error) => match grille_pki::KemPublicKey::from_pem_or_der(&data) {
            Ok(key) => kem_public_key_object(py, &key),
            Err(kem_error) => Err(file_error(relevant_error(error, kem_error))),
        },
    }
}

/// Returns the more useful of the errors of two readers: that of the reader for KEM keys if the file holds a KEM key,
/// which the reader for signature keys refuses with [`grille_pki::Error::OtherUse`], and otherwise that of the reader for
/// signature keys.
fn relevant_error(signature: grille_pki::Error, kem: grille_pki::Error) -> grille_pki::Error {
    if matches!(signature, grille_pki::Error::OtherUse { .. }) { kem } else { signature }
}

fn verifying_key_object(py: Python<'_>, key: &PublicKey) -> PyResult<Py<PyAny>> {
    let (row, key) = (key.row(), key.verifying_key().map_err(file_error)?);
    Ok(Py::new(py, VerifyingKey { row, key })?.into_any())
}

fn kem_public_key_object(py: Python<'_>, key: &grille_pki::KemPublicKey) -> PyResult<Py<PyAny>> {
    let (row, key) = (key.row(), key.encaps_key().map_err(file_error)?);
    Ok(Py::new(py, KemPublicKey { row, key })?.into_any())
}

/// Reads every certificate of a file: PEM or DER.
#[pyfunction]
pub(crate) fn load_certificates(data: Input) -> PyResult<Vec<Certificate>> {
    let read = grille_pki::Certificate::chain_from_pem(&data).map_err(file_error)?;
    Ok(read.into_iter().map(Certificate).collect())
}

/// An X.509 certificate.
#[pyclass(frozen, module = "grille", from_py_object)]
#[derive(Clone)]
pub(crate) struct Certificate(grille_pki::Certificate);

#[pymethods]
impl Certificate {
    /// The subject, in the format of RFC 4514.
    #[getter]
    fn subject(&self) -> String {
        self.0.subject()
    }

    /// The issuer, in the format of RFC 4514.
    #[getter]
    fn issuer(&self) -> String {
        self.0.issuer()
    }

    /// The subject alternative names.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.0.names()
    }

    /// The start of the validity period, in seconds since 1970.
    #[getter]
    fn not_valid_before(&self) -> u64 {
        self.0.validity().0.as_secs()
    }

    /// The end of the validity period, in seconds since 1970.
    #[getter]
    fn not_valid_after(&self) -> u64 {
        self.0.validity().1.as_secs()
    }

    /// Returns the public key: a VerifyingKey or a KemPublicKey.
    fn public_key(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self.0.public_key() {
            Ok(key) => verifying_key_object(py, &key),
            Err(error) => match self.0.kem_key() {
                Ok(key) => kem_public_key_object(py, &key),
                Err(kem_error) => Err(file_error(relevant_error(error, kem_error))),
            },
        }
    }

    /// Returns the encoded certificate. `encoding`: "PEM" or "DER".
    #[pyo3(signature = (encoding = Encoding::Pem))]
    fn public_bytes<'py>(&self, py: Python<'py>, encoding: Encoding) -> PyResult<Bound<'py, PyBytes>> {
        Ok(match encoding {
            Encoding::Pem => PyBytes::new(py, self.0.to_pem().map_err(file_error)?.as_bytes()),
            Encoding::Der => PyBytes::new(py, self.0.as_der()),
        })
    }

    fn __repr__(&self) -> String {
        format!("<grille.Certificate {}>", self.0.display_name())
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.as_der() == other.0.as_der()
    }

    fn __hash__(&self) -> u64 {
        hash(self.0.as_der())
    }
}

/// Verifies a chain, end entity first; raises Untrusted with the reason.
///
/// `purpose`: "server", "client", "kem" or "any". `name`: host name or IP address. `time`: seconds since 1970; the current time by default.
#[pyfunction]
#[pyo3(signature = (chain, roots, *, purpose = "server", name = None, time = None))]
pub(crate) fn verify_chain(
    py: Python<'_>,
    chain: Vec<Certificate>,
    roots: Vec<Certificate>,
    purpose: &str,
    name: Option<&str>,
    time: Option<u64>,
) -> PyResult<()> {
    let purpose = match purpose {
        "server" => Purpose::Server,
        "client" => Purpose::Client,
        "kem" => Purpose::KeyEncapsulation,
        "any" => Purpose::Other,
        other => {
            let text = format!("purpose must be \"server\", \"client\", \"kem\" or \"any\", not \"{other}\"");
            return Err(Error::new_err(text));
        }
    };
    let [chain, roots] = [chain, roots].map(|list| list.into_iter().map(|one| one.0).collect::<Vec<_>>());
    let Some((own, issuers)) = chain.split_first() else {
        return Err(Error::new_err("the chain has no certificate"));
    };
    let time = time.map_or_else(grille_pki::now, Duration::from_secs);
    let demand = Requirements { time, purpose, name };
    py.detach(|| verify::verify_chain(own, issuers, &roots, &demand)).map_err(file_error)
}
