//! KEMs and their keys.

use crate::convert::{array, bytes, error, object, text, unknown_algorithm};
use crate::erase::erase_stack;
use grille_core::{DynDecapsKey, DynEncapsKey, SystemRng};
use grille_pki::PrivateKeyForm;
use grille_registry::{KEMS, KemRow, Row};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(typescript_custom_section)]
const ENCAPSULATED: &str = "/** The result of `KemPublicKey.encapsulate`. */
export interface Encapsulated {
  /** The shared secret. Keep it private. */
  sharedSecret: Uint8Array;
  /** The ciphertext for the holder of the private key. */
  ciphertext: Uint8Array;
}";

/// Returns the KEM with this name, such as "ML-KEM-768". Case does not matter. Throws if no KEM has the name.
#[wasm_bindgen]
pub fn kem(#[wasm_bindgen(unchecked_param_type = "string")] name: &JsValue) -> Result<Kem, JsValue> {
    grille_registry::kem_by_name(&text(name, "name")?)
        .map(Kem)
        .map_err(|name| unknown_algorithm(&name, "kems()"))
}

/// Returns all KEMs.
#[wasm_bindgen]
pub fn kems() -> Vec<Kem> {
    KEMS.iter().map(Kem).collect()
}

/// A key encapsulation mechanism.
#[wasm_bindgen]
pub struct Kem(&'static KemRow);

#[wasm_bindgen]
impl Kem {
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
        self.0.kem.info().encaps_key_len
    }

    /// The length of a raw private key in bytes.
    #[wasm_bindgen(getter, js_name = privateKeyLength)]
    pub fn private_key_length(&self) -> usize {
        self.0.kem.info().decaps_key_len
    }

    /// The length of a seed in bytes; undefined if the algorithm has no seeds.
    #[wasm_bindgen(getter, js_name = seedLength)]
    pub fn seed_length(&self) -> Option<usize> {
        self.0.kem.info().seed_len
    }

    /// The length of a ciphertext in bytes.
    #[wasm_bindgen(getter, js_name = ciphertextLength)]
    pub fn ciphertext_length(&self) -> usize {
        self.0.kem.info().ciphertext_len
    }

    /// The length of a shared secret in bytes.
    #[wasm_bindgen(getter, js_name = sharedSecretLength)]
    pub fn shared_secret_length(&self) -> usize {
        self.0.kem.info().shared_secret_len
    }

    /// Generates a key pair.
    pub fn generate(&self) -> KemPrivateKey {
        KemPrivateKey { row: self.0, key: self.0.kem.generate(&mut SystemRng) }
    }

    /// Reads a raw private key. Throws if it has the wrong length or is damaged.
    #[wasm_bindgen(js_name = privateKeyFromBytes)]
    pub fn private_key_from_bytes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] data: &JsValue,
    ) -> Result<KemPrivateKey, JsValue> {
        let key = self.0.kem.decaps_key(&bytes(data, "private key")?).map_err(error)?;
        Ok(KemPrivateKey { row: self.0, key })
    }

    /// Derives the private key from a seed. Throws if the seed has the wrong length or the algorithm has no seeds.
    #[wasm_bindgen(js_name = privateKeyFromSeed)]
    pub fn private_key_from_seed(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] seed: &JsValue,
    ) -> Result<KemPrivateKey, JsValue> {
        let key = self.0.kem.decaps_key_from_seed(&bytes(seed, "seed")?).map_err(error)?;
        Ok(KemPrivateKey { row: self.0, key })
    }

    /// Reads a raw public key and checks it as the standard requires.
    #[wasm_bindgen(js_name = publicKeyFromBytes)]
    pub fn public_key_from_bytes(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] data: &JsValue,
    ) -> Result<KemPublicKey, JsValue> {
        let key = self.0.kem.encaps_key(&bytes(data, "public key")?).map_err(error)?;
        Ok(KemPublicKey { row: self.0, key })
    }
}

/// The private key of a KEM. `free()` erases it; so does garbage collection, at an unknown time.
#[wasm_bindgen]
pub struct KemPrivateKey {
    pub(crate) row: &'static KemRow,
    pub(crate) key: Box<dyn DynDecapsKey>,
}

#[wasm_bindgen]
impl KemPrivateKey {
    /// The key's algorithm.
    #[wasm_bindgen(getter)]
    pub fn algorithm(&self) -> Kem {
        Kem(self.row)
    }

    /// Returns the public key.
    #[wasm_bindgen(js_name = publicKey)]
    pub fn public_key(&self) -> Result<KemPublicKey, JsValue> {
        let key = self.row.kem.encaps_key(&self.key.encaps_key_bytes()).map_err(error)?;
        Ok(KemPublicKey { row: self.row, key })
    }

    /// Returns the shared secret. An altered ciphertext gives an unrelated secret, not an error (implicit rejection).
    /// Throws if the ciphertext has the wrong length.
    pub fn decapsulate(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] ciphertext: &JsValue,
    ) -> Result<Uint8Array, JsValue> {
        let secret = self.key.decapsulate(&bytes(ciphertext, "ciphertext")?).map_err(error)?;
        Ok(array(secret.as_ref()))
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
        let der = self.file()?.to_pkcs8_der(PrivateKeyForm::DEFAULT_FOR_KEM).map_err(error)?;
        Ok(array(der.as_ref()))
    }

    /// Returns PKCS#8 in PEM, not encrypted.
    #[wasm_bindgen(js_name = toPem)]
    pub fn to_pem(&self) -> Result<JsValue, JsValue> {
        let pem = self.file()?.to_pkcs8_pem(PrivateKeyForm::DEFAULT_FOR_KEM).map_err(error)?;
        Ok(JsValue::from_str(&pem))
    }
}

impl Drop for KemPrivateKey {
    fn drop(&mut self) {
        erase_stack();
    }
}

impl KemPrivateKey {
    fn file(&self) -> Result<grille_pki::KemPrivateKey, JsValue> {
        let raw = self.key.seed().unwrap_or_else(|| self.key.to_bytes());
        grille_pki::KemPrivateKey::from_raw(self.row, raw.as_ref()).map_err(error)
    }
}

/// The public key of a KEM.
#[wasm_bindgen]
pub struct KemPublicKey {
    pub(crate) row: &'static KemRow,
    pub(crate) key: Box<dyn DynEncapsKey>,
}

#[wasm_bindgen]
impl KemPublicKey {
    /// The key's algorithm.
    #[wasm_bindgen(getter)]
    pub fn algorithm(&self) -> Kem {
        Kem(self.row)
    }

    /// Creates a fresh shared secret. Returns the secret, and the ciphertext for the holder of the private key.
    #[wasm_bindgen(unchecked_return_type = "Encapsulated")]
    pub fn encapsulate(&self) -> Result<JsValue, JsValue> {
        let sent = self.key.encapsulate(&mut SystemRng);
        let (secret, ciphertext) = (array(sent.secret.as_ref()), array(&sent.ciphertext));
        object([("sharedSecret", secret.into()), ("ciphertext", ciphertext.into())])
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

impl KemPublicKey {
    fn file(&self) -> Result<grille_pki::KemPublicKey, JsValue> {
        grille_pki::KemPublicKey::from_bytes(self.row, &self.key.to_bytes()).map_err(error)
    }
}
