//! Signature algorithms and their keys.

use crate::convert::{Bytes, array, bytes, error, optional_bytes, text, unknown_algorithm};
use crate::erase::erase_stack;
use grille_core::{DynSigningKey, DynVerifyingKey, Error, SystemRng};
use grille_pki::{PrivateKey, PrivateKeyForm, PublicKey};
use grille_registry::{Row, SIGNATURES, SignatureRow};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

/// Returns the signature algorithm with this name, such as "ML-DSA-65". Case does not matter. Throws if no algorithm has
/// the name.
#[wasm_bindgen]
pub fn signature(
    #[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue,
) -> Result<SignatureAlgorithm, JsValue> {
    grille_registry::signature_by_name(&text(name, "name")?)
        .map(SignatureAlgorithm)
        .map_err(|name| unknown_algorithm(&name, "signatures()"))
}

/// Returns all signature algorithms.
#[wasm_bindgen]
pub fn signatures() -> Vec<SignatureAlgorithm> {
    SIGNATURES.iter().map(SignatureAlgorithm).collect()
}

/// A signature algorithm.
#[wasm_bindgen]
pub struct SignatureAlgorithm(&'static SignatureRow);

#[wasm_bindgen]
impl SignatureAlgorithm {
    /// The name, in the standard's spelling.
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.0.name().to_owned()
    }

    /// The NIST security category, 1 to 5.
    #[wasm_bindgen(getter)]
    pub fn category(&self) -> u8 {
        self.0.category
    }

    /// The status of the algorithm.
    #[wasm_bindgen(
        getter,
        unchecked_return_type = "\"standard\" | \"draft\" | \"candidate\" | \"retired\" | \"broken\""
    )]
    pub fn status(&self) -> String {
        self.0.status.name().to_owned()
    }

    /// The document that specifies the algorithm.
    #[wasm_bindgen(getter)]
    pub fn specification(&self) -> String {
        self.0.spec.to_owned()
    }

    /// Other names of the algorithm.
    #[wasm_bindgen(getter)]
    pub fn aliases(&self) -> Vec<String> {
        self.0.aliases.iter().map(ToString::to_string).collect()
    }

    /// The length of a raw public key in bytes.
    #[wasm_bindgen(getter, js_name = publicKeyLength)]
    pub fn public_key_length(&self) -> usize {
        self.0.signature.info().verifying_key_len
    }

    /// The length of a raw private key in bytes.
    #[wasm_bindgen(getter, js_name = privateKeyLength)]
    pub fn private_key_length(&self) -> usize {
        self.0.signature.info().signing_key_len
    }

    /// The length of a seed in bytes; undefined if the algorithm has no seeds.
    #[wasm_bindgen(getter, js_name = seedLength)]
    pub fn seed_length(&self) -> Option<usize> {
        self.0.signature.info().seed_len
    }

    /// The length of the longest signature in bytes.
    #[wasm_bindgen(getter, js_name = signatureLength)]
    pub fn signature_length(&self) -> usize {
        self.0.signature.info().signature_len
    }

    /// The length of the longest context in bytes; 0 if the algorithm takes none.
    #[wasm_bindgen(getter, js_name = contextLength)]
    pub fn context_length(&self) -> usize {
        self.0.signature.info().context_len
    }

    /// Generates a key pair.
    pub fn generate(&self) -> SigningKey {
        SigningKey { row: self.0, key: self.0.signature.generate(&mut SystemRng) }
    }

    /// Reads a raw private key. Throws if it has the wrong length or is damaged.
    #[wasm_bindgen(js_name = privateKeyFromBytes)]
    pub fn private_key_from_bytes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] data: &JsValue,
    ) -> Result<SigningKey, JsValue> {
        let key = self.0.signature.signing_key(&bytes(data, "private key")?).map_err(error)?;
        Ok(SigningKey { row: self.0, key })
    }

    /// Derives the private key from a seed. Throws if the seed has the wrong length or the algorithm has no seeds.
    #[wasm_bindgen(js_name = privateKeyFromSeed)]
    pub fn private_key_from_seed(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] seed: &JsValue,
    ) -> Result<SigningKey, JsValue> {
        let key = self.0.signature.signing_key_from_seed(&bytes(seed, "seed")?).map_err(error)?;
        Ok(SigningKey { row: self.0, key })
    }

    /// Parses a raw public key. Throws if it is invalid or has the wrong length.
    #[wasm_bindgen(js_name = publicKeyFromBytes)]
    pub fn public_key_from_bytes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] data: &JsValue,
    ) -> Result<VerifyingKey, JsValue> {
        let key = self.0.signature.verifying_key(&bytes(data, "public key")?).map_err(error)?;
        Ok(VerifyingKey { row: self.0, key })
    }
}

/// The private key of a signature algorithm. `free()` erases it; so does garbage collection, at an unknown time.
#[wasm_bindgen]
pub struct SigningKey {
    pub(crate) row: &'static SignatureRow,
    pub(crate) key: Box<dyn DynSigningKey>,
}

#[wasm_bindgen]
impl SigningKey {
    /// The key's algorithm.
    #[wasm_bindgen(getter)]
    pub fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm(self.row)
    }

    /// Returns the public key.
    #[wasm_bindgen(js_name = publicKey)]
    pub fn public_key(&self) -> Result<VerifyingKey, JsValue> {
        let key = self.row.signature.verifying_key(&self.key.verifying_key_bytes()).map_err(error)?;
        Ok(VerifyingKey { row: self.row, key })
    }

    /// Signs a message. `context` binds the signature to a purpose. Throws if the context is too long.
    pub fn sign(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] data: &JsValue,
        context: Option<Bytes>,
    ) -> Result<Uint8Array, JsValue> {
        let (data, context) = (bytes(data, "message")?, optional_bytes(context.as_ref(), "context")?);
        Ok(array(&self.key.sign(&data, &context, &mut SystemRng).map_err(error)?))
    }

    /// Returns the raw private key.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Uint8Array {
        array(self.key.to_bytes().as_ref())
    }

    /// Returns the seed, the recommended form for storing the key. Throws if the key was not made from a seed.
    pub fn seed(&self) -> Result<Uint8Array, JsValue> {
        let seed = self.key.seed().ok_or_else(|| error("the key was not made from a seed"))?;
        Ok(array(seed.as_ref()))
    }

    /// Returns PKCS#8 in DER, not encrypted.
    #[wasm_bindgen(js_name = toPkcs8)]
    pub fn to_pkcs8(&self) -> Result<Uint8Array, JsValue> {
        let der = self.file()?.to_pkcs8_der(PrivateKeyForm::default_for(self.row)).map_err(error)?;
        Ok(array(der.as_ref()))
    }

    /// Returns PKCS#8 in PEM, not encrypted.
    #[wasm_bindgen(js_name = toPem)]
    pub fn to_pem(&self) -> Result<JsValue, JsValue> {
        let pem = self.file()?.to_pkcs8_pem(PrivateKeyForm::default_for(self.row)).map_err(error)?;
        Ok(JsValue::from_str(&pem))
    }
}

impl Drop for SigningKey {
    fn drop(&mut self) {
        erase_stack();
    }
}

impl SigningKey {
    fn file(&self) -> Result<PrivateKey, JsValue> {
        let raw = self.key.seed().unwrap_or_else(|| self.key.to_bytes());
        PrivateKey::from_raw(self.row, raw.as_ref()).map_err(error)
    }
}

/// The public key of a signature algorithm.
#[wasm_bindgen]
pub struct VerifyingKey {
    pub(crate) row: &'static SignatureRow,
    pub(crate) key: Box<dyn DynVerifyingKey>,
}

#[wasm_bindgen]
impl VerifyingKey {
    /// The key's algorithm.
    #[wasm_bindgen(getter)]
    pub fn algorithm(&self) -> SignatureAlgorithm {
        SignatureAlgorithm(self.row)
    }

    /// Returns true if the signature matches the message, context and key, otherwise false. Throws if the context is too
    /// long or an argument is not bytes.
    pub fn verify(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] signature: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] data: &JsValue,
        context: Option<Bytes>,
    ) -> Result<bool, JsValue> {
        let (signature, data) = (bytes(signature, "signature")?, bytes(data, "message")?);
        match self.key.verify(&data, &optional_bytes(context.as_ref(), "context")?, &signature) {
            Ok(()) => Ok(true),
            Err(Error::InvalidSignature | Error::InvalidSignaturePart { .. } | Error::Length { .. }) => {
                Ok(false)
            }
            Err(other) => Err(error(other)),
        }
    }

    /// Returns the raw public key.
    #[wasm_bindgen(js_name = toBytes)]
    pub fn to_bytes(&self) -> Uint8Array {
        array(&self.key.to_bytes())
    }

    /// Returns SubjectPublicKeyInfo in DER.
    #[wasm_bindgen(js_name = toSpki)]
    pub fn to_spki(&self) -> Result<Uint8Array, JsValue> {
        Ok(array(&self.file()?.to_spki_der().map_err(error)?))
    }

    /// Returns SubjectPublicKeyInfo in PEM.
    #[wasm_bindgen(js_name = toPem)]
    pub fn to_pem(&self) -> Result<String, JsValue> {
        self.file()?.to_spki_pem().map_err(error)
    }
}

impl VerifyingKey {
    fn file(&self) -> Result<PublicKey, JsValue> {
        PublicKey::from_bytes(self.row, &self.key.to_bytes()).map_err(error)
    }
}
