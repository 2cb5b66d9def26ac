//! The stack that operations take is what the crate's documentation states.

use grille_bike::{BikeL1, BikeL1Round3, BikeL3, BikeL3Round3, BikeL5};
use grille_core::{DecapsKey, EncapsKey, Kem, SystemRng};
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
fn bike_l1_takes_what_is_stated() {
    operations_hold::<BikeL1>(0);
}

#[test]
fn bike_l3_takes_what_is_stated() {
    operations_hold::<BikeL3>(1);
}

#[test]
fn bike_l5_takes_what_is_stated() {
    operations_hold::<BikeL5>(2);
}

#[test]
fn bike_l1_of_round_3_takes_what_is_stated() {
    operations_hold::<BikeL1Round3>(3);
}

#[test]
fn bike_l3_of_round_3_takes_what_is_stated() {
    operations_hold::<BikeL3Round3>(4);
}
