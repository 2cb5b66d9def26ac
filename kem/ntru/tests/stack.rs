//! Tests that operations use as much stack as the crate documentation states, and use the heap only for key
//! generation.

use grille_core::{Kem, SystemRng};
use grille_meter::{CountingAllocator, Heap, check_column};
use grille_ntru::{NtruHps2048509, NtruHps2048677, NtruHps4096821, NtruHps40961229};
use grille_ntru::{NtruHrss701, NtruHrss1373};
use grille_stream::stack::check_kem;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Checks the memory use of the operations against `column` of the table in the crate documentation.
fn check_stack<K: Kem<Ciphertext: Sync>>(column: usize) {
    check_column(include_str!("../src/lib.rs"), column, |column| {
        check_kem::<K>(column, Heap::Some);
        column.check("32 key generations", Heap::Some, || drop(K::generate_many(32, &mut SystemRng)));
    });
}

#[test]
fn hps_2048_509_stack_matches_documentation() {
    check_stack::<NtruHps2048509>(0);
}

#[test]
fn hps_2048_677_stack_matches_documentation() {
    check_stack::<NtruHps2048677>(1);
}

#[test]
fn hps_4096_821_stack_matches_documentation() {
    check_stack::<NtruHps4096821>(2);
}

#[test]
fn hrss_701_stack_matches_documentation() {
    check_stack::<NtruHrss701>(3);
}

#[test]
fn hps_4096_1229_stack_matches_documentation() {
    check_stack::<NtruHps40961229>(4);
}

#[test]
fn hrss_1373_stack_matches_documentation() {
    check_stack::<NtruHrss1373>(5);
}
