//! The stack that operations take is what the crate's documentation states, and they take nothing of the heap.

use grille_core::{Signature, SigningKey as _, SystemRng, VerifyingKey as _};
use grille_meter::{Counting, hold_to_stated, measured};
use grille_mldsa::params::{P44, P65, P87, Params};
use grille_mldsa::{MlDsa, SigningKey, VerifyingKey};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// So many signatures that each part of the loop is met.
const SIGNATURES: u8 = 20;

/// `column`: of the table.
fn operations_hold<P: Params>(column: usize) {
    let hold = |row: &str, work: &mut (dyn FnMut() + Send)| {
        let ((), used) = measured(work).expect("there is memory");
        assert_eq!(used.allocations, 0, "{row}");
        hold_to_stated(include_str!("../src/lib.rs"), row, column, used)
    };
    let key = MlDsa::<P>::generate(&mut SystemRng);
    let (private, public) = (key.to_bytes(), key.verifying_key().to_bytes());
    let read = || VerifyingKey::<P>::from_bytes(public.as_ref()).expect("a fresh key");
    let signature = key.sign(b"message", b"", &mut SystemRng).expect("no context");
    let again = SigningKey::<P>::from_bytes(private.as_ref()).expect("a fresh key");
    let (signer, verifier) = (again.prepare(), read().prepare());
    let results = [
        hold("key generation", &mut || drop(MlDsa::<P>::generate(&mut SystemRng))),
        hold("import of a signing key", &mut || {
            drop(SigningKey::<P>::from_bytes(private.as_ref()).expect("a fresh key"));
        }),
        hold("signing", &mut || {
            (0..SIGNATURES).for_each(|i| drop(key.sign(&[i], b"", &mut SystemRng).expect("no context")));
        }),
        hold("signing with a prepared key", &mut || {
            (0..SIGNATURES).for_each(|i| drop(signer.sign(&[i], b"", &mut SystemRng).expect("no context")));
        }),
        hold("verifying", &mut || {
            read().verify(b"message", b"", signature.as_ref()).expect("a fresh signature");
        }),
        hold("verifying with a prepared key", &mut || {
            verifier.verify(b"message", b"", signature.as_ref()).expect("a fresh signature");
        }),
    ];
    let failures: Vec<_> = results.into_iter().filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn ml_dsa_44_takes_what_is_stated() {
    operations_hold::<P44>(0);
}

#[test]
fn ml_dsa_65_takes_what_is_stated() {
    operations_hold::<P65>(1);
}

#[test]
fn ml_dsa_87_takes_what_is_stated() {
    operations_hold::<P87>(2);
}
