//! Kyber512: generates a key pair, encapsulates, and checks that both sides have the same secret.

use grille_core::{DecapsKey, EncapsKey, Kem, SystemRng};
use grille_mlkem::Kyber512;

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    let key = Kyber512::generate(&mut SystemRng);
    let sent = key.encaps_key().encapsulate(&mut SystemRng);
    let received = key.decapsulate(&sent.ciphertext);
    assert_eq!(sent.secret, received);

    println!("pubkey : {}", hex(key.encaps_key().to_bytes()));
    println!("seckey : {}", hex(key.to_bytes()));
    println!("cipher     : {}", hex(sent.ciphertext));
    println!("shared secret 0 : {}", hex(&sent.secret));
    println!("shared secret 1 : {}", hex(&received));
}
