//! A server makes 32 one-time keys at once, which costs it a fraction of 32 single ones, and uses each once.

use grille_core::{DecapsKey as _, EncapsKey as _, Error, SystemRng};
use grille_ntru::{DecapsKey, EncapsKey, params::Hrss701};

fn main() -> Result<(), Error> {
    let keys = DecapsKey::<Hrss701>::generate_many(&mut SystemRng, 32);
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
