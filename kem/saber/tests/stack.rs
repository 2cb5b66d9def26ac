//! Tests that operations use as much stack as the crate documentation states, and allocate only batched
//! results on the heap.

use grille_core::{DecapsKey as _, Kem, SystemRng};
use grille_meter::{CountingAllocator, Heap, check_column};
use grille_saber::SaberKem;
use grille_saber::params::{Fire, Light, Params, Plain};
use grille_stream::stack::{check_kem, check_kem_of_eight};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Checks the memory use of the operations against `column` of the table in the crate documentation.
fn check_stack<P: Params>(column: usize) {
    let key = SaberKem::<P>::generate(&mut SystemRng);
    let prepared = key.encaps_key().prepare();
    check_column(include_str!("../src/lib.rs"), column, |column| {
        check_kem::<SaberKem<P>>(column, Heap::None);
        check_kem_of_eight::<SaberKem<P>>(column);
        column.check("preparing an encapsulation key", Heap::None, || drop(key.encaps_key().prepare()));
        column.check("encapsulation with a prepared key", Heap::None, || {
            drop(prepared.encapsulate(&mut SystemRng));
        });
    });
}

#[test]
fn light_saber_stack_matches_documentation() {
    check_stack::<Light>(0);
}

#[test]
fn saber_stack_matches_documentation() {
    check_stack::<Plain>(1);
}

#[test]
fn fire_saber_stack_matches_documentation() {
    check_stack::<Fire>(2);
}
