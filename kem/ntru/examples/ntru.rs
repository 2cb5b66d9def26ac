//! NTRU: generates a key pair, encodes and parses it, and generates 32 keys at once. Key generation is the
//! slowest operation of NTRU. A batch of 32 key generations takes much less time than 32 single ones.

use grille_core::{DecapsKey, EncapsKey, Error, Kem, SystemRng};
use grille_ntru::NtruHrss701;

fn main() -> Result<(), Error> {
    let key = NtruHrss701::generate(&mut SystemRng);
    let (public, private) = (key.encaps_key().to_bytes(), key.to_bytes());
    println!("{} bytes of encapsulation key, {} of decapsulation key", public.len(), private.as_ref().len());
    agree(&public, private.as_ref())?;

    for key in NtruHrss701::generate_many(32, &mut SystemRng) {
        agree(&key.encaps_key().to_bytes(), key.to_bytes().as_ref())?;
    }
    Ok(())
}

/// Runs both sides of an exchange with encoded keys.
fn agree(public: &[u8], private: &[u8]) -> Result<(), Error> {
    let sent = <NtruHrss701 as Kem>::EncapsKey::from_bytes(public)?.encapsulate(&mut SystemRng);
    let received = <NtruHrss701 as Kem>::DecapsKey::from_bytes(private)?.decapsulate(&sent.ciphertext);
    assert_eq!(received, sent.secret);
    Ok(())
}
