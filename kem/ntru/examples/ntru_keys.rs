//! A server makes 32 one-time keys at once, which costs it a fraction of 32 single ones, and uses each once.

use grille_core::{DecapsKey as _, EncapsKey as _, Error, Kem as _, SystemRng};
use grille_ntru::{EncapsKey, NtruHrss701, params::Hrss701};

fn main() -> Result<(), Error> {
    let keys = NtruHrss701::generate_many(32, &mut SystemRng);
    for (number, key) in keys.iter().enumerate() {
        // what the other side receives is bytes
        let published = key.encaps_key().to_bytes();
        let sent = EncapsKey::<Hrss701>::from_bytes(&published)?.encapsulate(&mut SystemRng);
        let secret = key.decapsulate(&sent.ciphertext);
        assert_eq!(secret, sent.secret);
        println!(
            "key {number:2}: {} bytes published, {} sent",
            published.len(),
            sent.ciphertext.as_ref().len()
        );
    }
    Ok(())
}
