//! Signs a file and verifies the signature, with keys in PEM files as a program would store them: `cargo run --example sign_file`.

use grille_core::SystemRng;
use grille_pki::{PrivateKey, PrivateKeyForm, PublicKey};
use grille_registry::Row;
use std::error::Error;
use std::fs;
use std::path::Path;

/// Binds signatures to their purpose, so that a signature of an update is not valid for anything else.
const CONTEXT: &[u8] = b"example.org update";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("grille-sign-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let result = sign_and_verify(&folder);
    fs::remove_dir_all(&folder)?;
    result
}

fn sign_and_verify(folder: &Path) -> Result<(), Box<dyn Error>> {
    let [private, public, update, signature] =
        ["key.pem", "public.pem", "update.bin", "update.sig"].map(|name| folder.join(name));
    fs::write(&update, b"version 2")?;

    // done once: generates the key; a real program restricts who may read the private file
    let row = grille_registry::signature_by_name("ML-DSA-65")?;
    let key = PrivateKey::generate(row, &mut SystemRng)?;
    fs::write(&private, key.to_pkcs8_pem(PrivateKeyForm::default_for(row))?.as_bytes())?;
    fs::write(&public, key.public_key().to_spki_pem()?)?;

    // the publisher
    let key = PrivateKey::from_pem_or_der(&fs::read(&private)?)?;
    fs::write(&signature, key.signing_key().sign(&fs::read(&update)?, CONTEXT, &mut SystemRng)?)?;

    // the receiver
    let key = PublicKey::from_pem_or_der(&fs::read(&public)?)?.verifying_key()?;
    key.verify(&fs::read(&update)?, CONTEXT, &fs::read(&signature)?)?;
    assert!(key.verify(b"version 3", CONTEXT, &fs::read(&signature)?).is_err());
    println!("{}: the signature of {} bytes is valid", row.name(), fs::metadata(&signature)?.len());
    Ok(())
}

#[cfg(test)]
#[test]
fn receiver_accepts_the_signature() {
    main().unwrap();
}
