//! Tests that operations use as much stack as the crate documentation states.

use grille_core::Kem;
use grille_mceliece::{
    McEliece348864f, McEliece460896f, McEliece6688128f, McEliece6960119f, McEliece8192128f,
};
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
fn mceliece348864_stack_matches_documentation() {
    check_stack::<McEliece348864f>(0);
}

#[test]
fn mceliece460896_stack_matches_documentation() {
    check_stack::<McEliece460896f>(1);
}

#[test]
fn mceliece6688128_stack_matches_documentation() {
    check_stack::<McEliece6688128f>(2);
}

#[test]
fn mceliece6960119_stack_matches_documentation() {
    check_stack::<McEliece6960119f>(3);
}

#[test]
fn mceliece8192128_stack_matches_documentation() {
    check_stack::<McEliece8192128f>(4);
}
