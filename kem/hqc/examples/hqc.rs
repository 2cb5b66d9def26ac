//! HQC: the receiver stores a 32-byte seed, and the sender receives only the bytes of the public key.

use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
use grille_hqc::Hqc1;

fn main() -> Result<(), Error> {
    let key = Hqc1::generate(&mut SystemRng);
    let saved = key.seed().expect("keys of August 2025 have a seed");
    let public = key.encaps_key().to_bytes();
    println!("{} bytes of seed to save, {} bytes of public key", saved.as_ref().len(), public.len());

    let sent = <Hqc1 as Kem>::EncapsKey::from_bytes(&public)?.encapsulate(&mut SystemRng);
    println!("{} bytes of ciphertext", sent.ciphertext.as_ref().len());

    let loaded = <Hqc1 as Kem>::DecapsKey::from_seed(saved.as_ref())?;
    assert_eq!(loaded.decapsulate(&sent.ciphertext), sent.secret);
    Ok(())
}
