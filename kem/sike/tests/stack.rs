//! The stack that operations take is what the crate's documentation states.

use grille_core::Kem;
use grille_meter::{Counting, Heap, hold_column};
use grille_sike::{SikeP434, SikeP434Compressed, SikeP751, SikeP751Compressed};
use grille_stream::stack::hold_kem_operations;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// `column`: of the table.
fn operations_hold<K: Kem<Ciphertext: Sync>>(column: usize) {
    hold_column(include_str!("../src/lib.rs"), column, |column| {
        hold_kem_operations::<K>(column, Heap::Some, Heap::Some);
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
