//! Tests that operations use as much stack as the crate documentation states.

use grille_core::Kem;
use grille_hqc::{Hqc1, Hqc3, Hqc5, Hqc128, Hqc192, Hqc256};
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
fn hqc_1_stack_matches_documentation() {
    check_stack::<Hqc1>(0);
}

#[test]
fn hqc_3_stack_matches_documentation() {
    check_stack::<Hqc3>(1);
}

#[test]
fn hqc_5_stack_matches_documentation() {
    check_stack::<Hqc5>(2);
}

#[test]
fn hqc_128_stack_matches_documentation() {
    check_stack::<Hqc128>(3);
}

#[test]
fn hqc_192_stack_matches_documentation() {
    check_stack::<Hqc192>(4);
}

#[test]
fn hqc_256_stack_matches_documentation() {
    check_stack::<Hqc256>(5);
}
