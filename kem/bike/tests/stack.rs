//! Tests that operations use as much stack as the crate documentation states.

use grille_bike::{
    Bike1L1Cpa, Bike1L1Fo, Bike1L3Cpa, Bike1L3Fo, BikeL1, BikeL1Round3, BikeL3, BikeL3Round3, BikeL5,
};
use grille_core::Kem;
use grille_meter::{CountingAllocator, Heap, check_column};
use grille_stream::stack::check_kem_operations;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Checks the operations against `column` of the table.
fn check_stack<K: Kem<Ciphertext: Sync>>(column: usize) {
    check_column(include_str!("../src/lib.rs"), column, |column| {
        check_kem_operations::<K>(column, Heap::Some, Heap::Some);
    });
}

#[test]
fn bike_l1_stack_matches_documentation() {
    check_stack::<BikeL1>(0);
}

#[test]
fn bike_l3_stack_matches_documentation() {
    check_stack::<BikeL3>(1);
}

#[test]
fn bike_l5_stack_matches_documentation() {
    check_stack::<BikeL5>(2);
}

#[test]
fn bike_l1_of_round_3_stack_matches_documentation() {
    check_stack::<BikeL1Round3>(3);
}

#[test]
fn bike_l3_of_round_3_stack_matches_documentation() {
    check_stack::<BikeL3Round3>(4);
}

#[test]
fn bike1_l1_cpa_stack_matches_documentation() {
    check_stack::<Bike1L1Cpa>(5);
}

#[test]
fn bike1_l3_cpa_stack_matches_documentation() {
    check_stack::<Bike1L3Cpa>(6);
}

#[test]
fn bike1_l1_fo_stack_matches_documentation() {
    check_stack::<Bike1L1Fo>(7);
}

#[test]
fn bike1_l3_fo_stack_matches_documentation() {
    check_stack::<Bike1L3Fo>(8);
}
