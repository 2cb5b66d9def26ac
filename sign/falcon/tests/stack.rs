//! Tests that operations use as much stack as the crate documentation states, and use the heap only if the
//! documentation says so.

use grille_core::{Signature, SigningKey as _, SystemRng};
use grille_falcon::params::{Falcon512P, Falcon1024P, Params};
use grille_falcon::{Falcon, SigningKey};
use grille_meter::{CountingAllocator, Heap, check_column};
use grille_stream::stack::{check_signature, sign_repeatedly};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Checks the memory use of the operations against `column` of the table in the crate documentation.
fn check_memory<P: Params>(column: usize) {
    let key = Falcon::<P>::generate(&mut SystemRng);
    let private = SigningKey::to_bytes(&key);
    let read = || SigningKey::<P>::from_bytes(private.as_ref()).expect("a fresh key is valid");
    let small =
        || SigningKey::<P>::low_memory_from_bytes_dyn(private.as_ref()).expect("a fresh key is valid");
    let (prepared, signs_small) = (key.prepare(), small());
    check_column(include_str!("../src/lib.rs"), column, |column| {
        check_signature::<Falcon<P>>(column, Heap::Some);
        column.check("preparing a signing key", Heap::Some, || drop(read().prepare()));
        column.check("signing with a prepared key", Heap::None, || sign_repeatedly(&prepared));
        column.check("import of a low-memory signing key", Heap::Some, || drop(small()));
        column.check("signing with a low-memory key", Heap::Some, || {
            drop(
                signs_small.sign(b"message", b"", &mut SystemRng).expect("an empty context is short enough"),
            );
        });
    });
}

#[test]
fn falcon_512_memory_matches_documentation() {
    check_memory::<Falcon512P>(0);
}

#[test]
fn falcon_1024_memory_matches_documentation() {
    check_memory::<Falcon1024P>(1);
}
