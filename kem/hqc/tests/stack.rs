//! Tests that operations use as much stack as the crate documentation states.

use grille_core::Kem;
use grille_hqc::{Hqc1, Hqc3, Hqc5, Hqc128, Hqc192, Hqc256};
use grille_meter::{Counting, Heap, hold_column};
use grille_stream::stack::hold_kem_operations;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Checks the operations against `column` of the table.
fn operations_hold<K: Kem<Ciphertext: Sync>>(column: usize) {
    hold_column(include_str!("../src/lib.rs"), column, |column| {
        hold_kem_operations::<K>(column, Heap::Some, Heap::Some);
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
