//! Tests that operations use as much stack as the crate documentation states.

use grille_core::{DecapsKey, EncapsKey, Kem, SystemRng};
use grille_meter::{CountingAllocator, Heap, check_column};
use grille_sike::{SikeP434, SikeP434Compressed, SikeP751, SikeP751Compressed};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Checks the memory use of the operations against `column` of the table in the crate documentation. Only the
/// import of an encapsulation key must not use the heap.
fn check_memory<K: Kem<Ciphertext: Sync>>(column: usize) {
    let key = K::generate(&mut SystemRng);
    let own = key.encaps_key();
    let (private, public) = (key.to_bytes(), own.to_bytes());
    let ciphertext = &own.encapsulate(&mut SystemRng).ciphertext;
    check_column(include_str!("../src/lib.rs"), column, |column| {
        column.check("key generation", Heap::Some, || drop(K::generate(&mut SystemRng)));
        column.check("import of an encapsulation key", Heap::None, || {
            drop(K::EncapsKey::from_bytes(&public).expect("a fresh key"));
        });
        column.check("import of a decapsulation key", Heap::Some, || {
            drop(K::DecapsKey::from_bytes(private.as_ref()).expect("a fresh key"));
        });
        column.check("encapsulation", Heap::Some, || drop(own.encapsulate(&mut SystemRng)));
        column.check("decapsulation", Heap::Some, || drop(key.decapsulate(ciphertext)));
    });
}

#[test]
fn sike_p434_stack_matches_documentation() {
    check_memory::<SikeP434>(0);
}

#[test]
fn sike_p751_stack_matches_documentation() {
    check_memory::<SikeP751>(1);
}

#[test]
fn compressed_sike_p434_stack_matches_documentation() {
    check_memory::<SikeP434Compressed>(2);
}

#[test]
fn compressed_sike_p751_stack_matches_documentation() {
    check_memory::<SikeP751Compressed>(3);
}
