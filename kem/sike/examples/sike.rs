//! SIKE: generates a key pair, encodes and parses it. For study only, because SIKE is broken.

use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
use grille_sike::SikeP434;

fn main() -> Result<(), Error> {
    let key = SikeP434::generate(&mut SystemRng);
    let (public, private) = (key.encaps_key().to_bytes(), key.to_bytes());
    println!("{} bytes of public key, {} bytes of private key", public.len(), private.as_ref().len());

    let sent = <SikeP434 as Kem>::EncapsKey::from_bytes(&public)?.encapsulate(&mut SystemRng);
    println!("{} bytes of ciphertext", sent.ciphertext.as_ref().len());

    let loaded = <SikeP434 as Kem>::DecapsKey::from_bytes(private.as_ref())?;
    assert_eq!(loaded.decapsulate(&sent.ciphertext), sent.secret);
    Ok(())
}
