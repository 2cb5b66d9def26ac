//! The operations that `bench` and `speed` measure, each prepared to run many times.

use crate::algorithm::Algorithm;
use crate::error::Error;
use grille_core::SystemRng;
use grille_registry::{KemRow, SignatureRow};
use std::hint::black_box;

/// An operation that can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Keygen,
    Encaps,
    Decaps,
    /// An encapsulation followed by a decapsulation.
    EncapsDecaps,
    Sign,
    Verify,
}

impl Operation {
    /// The operations that are measured one by one: key generation, encapsulation and decapsulation for a KEM, and key
    /// generation, signing and verifying for a signature scheme.
    pub(crate) const MEASURED_SEPARATELY: [Self; 5] =
        [Self::Keygen, Self::Encaps, Self::Decaps, Self::Sign, Self::Verify];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Keygen => "keygen",
            Self::Encaps => "encaps",
            Self::Decaps => "decaps",
            Self::EncapsDecaps => "encaps and decaps",
            Self::Sign => "sign",
            Self::Verify => "verify",
        }
    }
}

/// Calls `measure` for each operation of the algorithm that is in `operations`.
///
/// # Errors
/// Returns an error if the algorithm fails its self-check (the shared secrets of a KEM differ, or a signature does not
/// verify), or if `measure` fails.
pub(crate) fn measure_each(
    algorithm: Algorithm,
    operations: &[Operation],
    measure: Measure<'_>,
) -> Result<(), Error> {
    let mut measure = |operation, run: &mut dyn FnMut()| match operations.contains(&operation) {
        true => measure(operation, run),
        false => Ok(()),
    };
    match algorithm {
        Algorithm::Kem(row) => kem(row, &mut measure),
        Algorithm::Signature(row) => signature(row, &mut measure),
    }
}

/// The callback that measures an operation by running it.
pub(crate) type Measure<'a> = &'a mut dyn FnMut(Operation, &mut dyn FnMut()) -> Result<(), Error>;

fn kem(row: &KemRow, measure: Measure<'_>) -> Result<(), Error> {
    let (kem, rng) = (row.kem, &mut SystemRng);
    let decaps_key = kem.generate(rng);
    let encaps_key = kem.encaps_key(&decaps_key.encaps_key_bytes())?;
    let sent = encaps_key.encapsulate(rng);
    if decaps_key.decapsulate(&sent.ciphertext)? != sent.secret {
        return Err(Error::failure("the shared secrets of the two sides differ").with_place(kem.info().name));
    }
    measure(Operation::Keygen, &mut || drop(black_box(kem.generate(&mut SystemRng))))?;
    measure(Operation::Encaps, &mut || drop(black_box(encaps_key.encapsulate(&mut SystemRng))))?;
    measure(Operation::Decaps, &mut || drop(black_box(decaps_key.decapsulate(&sent.ciphertext))))?;
    measure(Operation::EncapsDecaps, &mut || {
        let sent = encaps_key.encapsulate(&mut SystemRng);
        drop(black_box(decaps_key.decapsulate(&sent.ciphertext)));
    })
}

/// Measures a signature scheme; each signature is made for a new message.
fn signature(row: &SignatureRow, measure: Measure<'_>) -> Result<(), Error> {
    let scheme = row.signature;
    let signing_key = scheme.generate(&mut SystemRng);
    let verifying_key = scheme.verifying_key(&signing_key.verifying_key_bytes())?;
    let mut message = [0; 64];
    let signature = signing_key.sign(&message, b"", &mut SystemRng)?;
    verifying_key.verify(&message, b"", &signature)?;
    let signed = message;
    measure(Operation::Keygen, &mut || drop(black_box(scheme.generate(&mut SystemRng))))?;
    measure(Operation::Sign, &mut || {
        let count = u64::from_le_bytes(message[..8].try_into().unwrap_or_default()).wrapping_add(1);
        message[..8].copy_from_slice(&count.to_le_bytes());
        drop(black_box(signing_key.sign(&message, b"", &mut SystemRng)));
    })?;
    measure(Operation::Verify, &mut || {
        let _ = black_box(verifying_key.verify(&signed, b"", &signature));
    })
}
