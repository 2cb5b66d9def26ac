//! Tests that operations use as much stack as the crate documentation states.

use grille_bike::{BikeL1, BikeL1Round3, BikeL3, BikeL3Round3, BikeL5};
use grille_core::Kem;
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
