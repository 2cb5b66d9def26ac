//! The stack that operations take is what the crate's documentation states.

use grille_core::{DecapsKey, EncapsKey, Kem, SystemRng};
use grille_meter::{Counting, Heap, hold_column};
use grille_sike::{SikeP434, SikeP434Compressed, SikeP751, SikeP751Compressed};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Holds all operations; only the import of an encapsulation key needs no heap. `column`: of the table.
fn operations_hold<K: Kem<Ciphertext: Sync>>(column: usize) {
    let key = K::generate(&mut SystemRng);
    let own = key.encaps_key();
    let (private, public) = (key.to_bytes(), own.to_bytes());
    let ciphertext = &own.encapsulate(&mut SystemRng).ciphertext;
    hold_column(include_str!("../src/lib.rs"), column, |column| {
        column.hold("key generation", Heap::Some, || drop(K::generate(&mut SystemRng)));
        column.hold("import of an encapsulation key", Heap::None, || {
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
fn sike_p434_takes_what_is_stated() {
    operations_hold::<SikeP434>(0);
}

#[test]
fn sike_p751_takes_what_is_stated() {
    operations_hold::<SikeP751>(1);
}

#[test]
fn compressed_sike_p434_takes_what_is_stated() {
    operations_hold::<SikeP434Compressed>(2);
}

#[test]
fn compressed_sike_p751_takes_what_is_stated() {
    operations_hold::<SikeP751Compressed>(3);
}
