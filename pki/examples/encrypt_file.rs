//! Encrypts a file to a public key: `cargo run --example encrypt_file`.
//!
//! The construction is that of HPKE: the KEM produces a fresh secret, HKDF-SHA-256 derives a key from it, and
//! AES-256-GCM encrypts the file. The format is this example's own: ciphertext of the KEM ‖ encrypted file ‖ tag. Each
//! derived key encrypts only one file, so the nonce may be constant. The sender is not authenticated.

use aes_gcm::aead::{Aead, KeyInit, Payload};
use aes_gcm::{Aes256Gcm, Nonce};
use grille_core::SystemRng;
use grille_pki::{KemPrivateKey, KemPublicKey};
use grille_registry::Row;
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::error::Error;
use zeroize::Zeroizing;

/// Separates this format's keys from those of other uses of the same KEM key.
const LABEL: &[u8] = b"example.org file encryption v1";

fn main() -> Result<(), Box<dyn Error>> {
    let row = grille_registry::kem_by_name("ML-KEM-768")?;
    let bob = KemPrivateKey::generate(row, &mut SystemRng)?;
    let file = b"the report";
    let sent = encrypt(bob.public_key(), file)?;
    assert_eq!(decrypt(&bob, &sent)?, file);

    let mut altered = sent.clone();
    altered[0] ^= 1;
    assert!(decrypt(&bob, &altered).is_err());
    println!("{}: {} bytes for a file of {}", row.name(), sent.len(), file.len());
    Ok(())
}

/// Encrypts a file so that only the holder of the receiver's private key can read it.
fn encrypt(receiver: &KemPublicKey, file: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let sent = receiver.encaps_key()?.encapsulate(&mut SystemRng);
    let payload = Payload { msg: file, aad: &sent.ciphertext };
    let encrypted = cipher(sent.secret.as_ref())?.encrypt(&Nonce::default(), payload);
    Ok([sent.ciphertext, encrypted.map_err(|_| "the file is too long")?].concat())
}

/// Decrypts a file. Returns an error if the file was altered.
fn decrypt(receiver: &KemPrivateKey, sent: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let length = receiver.row().kem.info().ciphertext_len;
    let (ciphertext, encrypted) = sent.split_at_checked(length).ok_or("the file is truncated")?;
    let secret = receiver.decaps_key().decapsulate(ciphertext)?;
    let payload = Payload { msg: encrypted, aad: ciphertext };
    let file = cipher(secret.as_ref())?.decrypt(&Nonce::default(), payload);
    Ok(file.map_err(|_| "the file was altered, or encrypted to another key")?)
}

/// Returns the cipher with the key HKDF-Expand(HKDF-Extract("", secret), [`LABEL`], 32) of RFC 5869.
fn cipher(secret: &[u8]) -> Result<Aes256Gcm, Box<dyn Error>> {
    let extracted = Zeroizing::new(hmac(&[0; 32], &[secret])?);
    let key = Zeroizing::new(hmac(&*extracted, &[LABEL, &[1]])?);
    Ok(Aes256Gcm::new_from_slice(&*key)?)
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> Result<[u8; 32], Box<dyn Error>> {
    let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key)?;
    parts.iter().for_each(|part| mac.update(part));
    Ok(mac.finalize().into_bytes().into())
}

#[cfg(test)]
#[test]
fn receiver_reads_the_file() {
    main().unwrap();
}
