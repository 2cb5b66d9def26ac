//! Reads a private key in any format and describes it: `cargo run --example read_key -- FILE [PASSPHRASE-FILE]`.
//!
//! Accepts PEM and DER. The key may be in PKCS#8, encrypted or not, in PKCS#12, or in the older formats of EC and RSA
//! keys.

use grille_pki::{KemPrivateKey, Kind, PrivateKey, decrypt};
use grille_registry::Row;
use std::error::Error;
use std::fs;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = fs::read(arguments.next().ok_or("name a file with a private key")?)?;
    let passphrase = arguments.next().map(fs::read).transpose()?;
    println!("{}", describe(&file, passphrase.as_deref().map(<[u8]>::trim_ascii_end))?);
    Ok(())
}

/// Describes a signature key or a KEM key.
fn describe(file: &[u8], passphrase: Option<&[u8]>) -> Result<String, Box<dyn Error>> {
    let decrypted = decrypt(file, Kind::PrivateKey, passphrase)?;
    let file = decrypted.as_deref().map_or(file, Vec::as_slice);
    if let Ok(key) = KemPrivateKey::from_pem_or_der(file) {
        return Ok(format!("{}, a key to decapsulate with", key.row().name()));
    }
    let key = PrivateKey::from_pem_or_der(file)?;
    Ok(format!("{}, a key to sign with", key.row().name()))
}

#[cfg(test)]
#[test]
fn describes_plain_and_encrypted_keys() {
    use grille_core::SystemRng;
    use grille_pki::{PrivateKeyForm, encrypt_pem};
    let row = grille_registry::kem_by_name("ML-KEM-768").unwrap();
    let key = KemPrivateKey::generate(row, &mut SystemRng).unwrap();
    let plain = key.to_pkcs8_der(PrivateKeyForm::DEFAULT_FOR_KEM).unwrap();
    assert_eq!(describe(plain.as_ref(), None).unwrap(), "ML-KEM-768, a key to decapsulate with");
    let encrypted = encrypt_pem(plain.as_ref(), b"secret", &mut SystemRng).unwrap();
    assert!(describe(encrypted.as_bytes(), None).is_err());
    assert_eq!(
        describe(encrypted.as_bytes(), Some(b"secret")).unwrap(),
        "ML-KEM-768, a key to decapsulate with"
    );
    let row = grille_registry::signature_by_name("ML-DSA-65").unwrap();
    let key = PrivateKey::generate(row, &mut SystemRng).unwrap();
    let pem = key.to_pkcs8_pem(PrivateKeyForm::default_for(row)).unwrap();
    assert_eq!(describe(pem.as_bytes(), None).unwrap(), "ML-DSA-65, a key to sign with");
}
