//! Signs and verifies messages: directly, with progress reports, hashed beforehand, and repeatedly with one key.

use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
use grille_slhdsa::{HashFunction, PreHash, SlhDsaSha2_128s, SlhDsaShake128f};

fn main() -> Result<(), Error> {
    let key = SlhDsaShake128f::generate(&mut SystemRng);
    let signature = key.sign(b"message", b"context", &mut SystemRng)?;
    key.verifying_key().verify(b"message", b"context", &signature)?;

    let hashed = PreHash::new(HashFunction::Shake128, b"a large file");
    let signature = key.sign_prehash(&hashed, b"", &mut SystemRng)?;
    key.verifying_key().verify_prehash(&hashed, b"", &signature)?;

    // signing with the small sets is slow
    let key = SlhDsaSha2_128s::generate(&mut SystemRng);
    let progress = |done: u32, total: u32| {
        if done == total {
            println!("{}: {total} hashes later", SlhDsaSha2_128s::INFO.name);
        }
    };
    let signature = key.sign_with_progress(b"message", b"", Some(&mut SystemRng), &progress)?;
    key.verifying_key().verify(b"message", b"", &signature)?;

    // precomputes the top tree, which every signature uses
    let prepared = key.prepare();
    for message in [b"one", b"two"] {
        let signature = prepared.sign(message, b"", &mut SystemRng)?;
        prepared.signing_key().verifying_key().verify(message, b"", &signature)?;
    }
    Ok(())
}
