//! The stack that operations take is what the crate's documentation states.

use grille_core::{DecapsKey, EncapsKey, Kem, SystemRng};
use grille_hqc::{Hqc1, Hqc3, Hqc5, Hqc128, Hqc192, Hqc256};
use grille_meter::{Counting, Heap, hold_column};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// `column`: of the table.
fn operations_hold<K: Kem<Ciphertext: Sync>>(column: usize) {
    hold_column(include_str!("../src/lib.rs"), column, |column| {
        let key = K::generate(&mut SystemRng);
        let own = key.encaps_key();
        let (private, public) = (key.to_bytes(), own.to_bytes());
        let ciphertext = &own.encapsulate(&mut SystemRng).ciphertext;
        column.hold("key generation", Heap::Some, || drop(K::generate(&mut SystemRng)));
        column.hold("import of an encapsulation key", Heap::Some, || {
            drop(K::EncapsKey::from_bytes(&public).expect("a fresh key"));
        });
        column.hold("import of a decapsulation key", Heap::Some, || {
            drop(K::DecapsKey::from_bytes(private.as_ref()).expect("a fresh key"));
        });
        column.hold("encapsulation", Heap::Some, || drop(own.encapsulate(&mut SystemRng)));
        column.hold("decapsulation", Heap::Some, || drop(key.decapsulate(ciphertext)));
    });
}

#[test]
fn hqc_1_takes_what_is_stated() {
    operations_hold::<Hqc1>(0);
}

#[test]
fn hqc_3_takes_what_is_stated() {
    operations_hold::<Hqc3>(1);
}

#[test]
fn hqc_5_takes_what_is_stated() {
    operations_hold::<Hqc5>(2);
}

#[test]
fn hqc_128_takes_what_is_stated() {
    operations_hold::<Hqc128>(3);
}

#[test]
fn hqc_192_takes_what_is_stated() {
    operations_hold::<Hqc192>(4);
}

#[test]
fn hqc_256_takes_what_is_stated() {
    operations_hold::<Hqc256>(5);
}
