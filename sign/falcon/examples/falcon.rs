//! Signs and verifies messages: with a prepared key, eight messages at once, and in the three signature formats.

use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
use grille_falcon::{Falcon512, FalconCt512, FalconPadded512};

fn main() -> Result<(), Error> {
    let key = Falcon512::generate(&mut SystemRng);
    let private = key.to_bytes();
    let key = key.prepare(); // computes the tree once
    let public = key.verifying_key().to_bytes();

    let messages: [&[u8]; 8] =
        [b"Every", b"message", b"is", b"signed", b"and", b"verified", b"by", b"itself"];
    let signatures = key.sign_many(&messages, b"", &mut SystemRng)?;
    for (message, signature) in messages.iter().zip(&signatures) {
        key.verifying_key().verify(message, b"", signature.as_ref())?;
    }
    let lengths: Vec<_> = signatures.iter().map(|signature| signature.as_ref().len()).collect();
    println!("{}: {lengths:?} bytes", Falcon512::INFO.name);

    // the same keys also sign in formats whose length reveals nothing about the signature
    one_length::<FalconPadded512>(private.as_ref(), &public)?;
    one_length::<FalconCt512>(private.as_ref(), &public)
}

/// Signs and verifies with encoded keys of another parameter set.
fn one_length<S: Signature>(private: &[u8], public: &[u8]) -> Result<(), Error> {
    let signature = S::SigningKey::from_bytes(private)?.sign(b"message", b"", &mut SystemRng)?;
    S::VerifyingKey::from_bytes(public)?.verify(b"message", b"", signature.as_ref())?;
    println!("{}: {} bytes", S::INFO.name, signature.as_ref().len());
    Ok(())
}
