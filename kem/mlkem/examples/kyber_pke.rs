//! Kyber512.CPAPKE: encrypts and decrypts 32 bytes. See `grille_mlkem::pke` for the reasons to prefer a KEM.

use grille_core::{CryptoRng, SystemRng};
use grille_mlkem::params::K512;
use grille_mlkem::pke::KeyPair;

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn random(rng: &mut dyn CryptoRng) -> [u8; 32] {
    let mut bytes = [0; 32];
    rng.fill_bytes(&mut bytes);
    bytes
}

fn main() {
    let keys = KeyPair::<K512>::generate(&mut SystemRng);
    let (message, coins) = (random(&mut SystemRng), random(&mut SystemRng));
    let ciphertext = keys.encryption_key.encrypt(&message, &coins);
    let decrypted = keys.decryption_key.decrypt(&ciphertext);
    assert_eq!(decrypted.expose(), &message);

    println!("pubkey : {}", hex(keys.encryption_key.as_bytes()));
    println!("seckey : {}", hex(keys.decryption_key.to_bytes()));
    println!("plain text : {}", hex(message));
    println!("cipher     : {}", hex(ciphertext));
    println!("decrypted  : {}", hex(decrypted));
}
