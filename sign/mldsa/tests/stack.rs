//! Tests that operations use as much stack as the crate documentation states, and that only low-memory operations use
//! the heap.

use grille_core::{Signature, SigningKey as _, SystemRng, VerifyingKey as _};
use grille_meter::{CountingAllocator, Heap, check_column};
use grille_mldsa::params::{P44, P65, P87, Params};
use grille_mldsa::{MlDsa, SigningKey, VerifyingKey};
use grille_stream::stack::{check_signature, sign_repeatedly};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Checks the memory use of the operations against `column` of the table in the crate documentation.
fn check_stack<P: Params>(column: usize) {
    let key = MlDsa::<P>::generate(&mut SystemRng);
    let signature = key.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough");
    let again = SigningKey::<P>::from_bytes(key.to_bytes().as_ref()).expect("a fresh key is valid");
    let public =
        VerifyingKey::<P>::from_bytes(key.verifying_key().to_bytes().as_ref()).expect("a fresh key is valid");
    let (signer, verifier) = (again.prepare(), public.prepare());
    let small =
        VerifyingKey::<P>::low_memory_from_bytes_dyn(&grille_core::DynVerifyingKey::to_bytes(&public));
    let small = small.expect("a fresh key is valid");
    let private = key.to_bytes();
    let read_small =
        || SigningKey::<P>::low_memory_from_bytes_dyn(private.as_ref()).expect("a fresh key is valid");
    let small_signer = read_small();
    check_column(include_str!("../src/lib.rs"), column, |column| {
        check_signature::<MlDsa<P>>(column, Heap::None);
        column.check("signing with a prepared key", Heap::None, || sign_repeatedly(&signer));
        column.check("verifying with a prepared key", Heap::None, || {
            verifier.verify(b"message", b"", signature.as_ref()).expect("a fresh signature is valid");
        });
        column.check("import of a low-memory signing key", Heap::Some, || drop(read_small()));
        column.check("signing with a low-memory key", Heap::Some, || {
            drop(
                small_signer.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough"),
            );
        });
        column.check("verifying with a low-memory key", Heap::Some, || {
            small.verify(b"message", b"", signature.as_ref()).expect("a fresh signature is valid");
        });
    });
}

#[test]
fn ml_dsa_44_stack_matches_documentation() {
    check_stack::<P44>(0);
}

#[test]
fn ml_dsa_65_stack_matches_documentation() {
    check_stack::<P65>(1);
}

#[test]
fn ml_dsa_87_stack_matches_documentation() {
    check_stack::<P87>(2);
}
