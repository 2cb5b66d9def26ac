//! Signs and verifies a message in four ways: directly, with a key that was expanded from a seed, hashed beforehand,
//! and through an external μ.

use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
use grille_mldsa::{HashFunction, MlDsa65, PreHash};

fn main() -> Result<(), Error> {
    let key = MlDsa65::generate(&mut SystemRng);
    let signature = key.sign(b"message", b"context", &mut SystemRng)?;
    key.verifying_key().verify(b"message", b"context", &signature)?;

    let seed = key.seed().expect("a generated key remembers its seed");
    let again = <MlDsa65 as Signature>::SigningKey::from_seed(seed.as_ref())?;
    assert_eq!(again.verifying_key(), key.verifying_key());

    let hashed = PreHash::new(HashFunction::Sha512, b"a large file");
    let signature = key.sign_prehash(&hashed, b"", &mut SystemRng)?;
    key.verifying_key().verify_prehash(&hashed, b"", &signature)?;

    let mu = key.verifying_key().mu(b"message", b"")?; // needs no signing key
    let signature = key.sign_mu(&mu, &mut SystemRng); // needs no message
    key.verifying_key().verify(b"message", b"", &signature)?;

    println!("{}: {} bytes", MlDsa65::INFO.name, signature.len());
    Ok(())
}
