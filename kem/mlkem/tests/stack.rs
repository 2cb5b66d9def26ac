//! Tests that operations use as much stack as the crate documentation states, and allocate only batched
//! results on the heap.

use grille_core::{DecapsKey as _, Kem, SystemRng};
use grille_meter::{CountingAllocator, Heap, check_column};
use grille_mlkem::MlKem;
use grille_mlkem::params::{P512, P768, P1024, Params};
use grille_stream::stack::{check_kem, check_kem_of_eight};

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

/// Checks the operations against `column` of the table.
fn check_stack<P: Params>(column: usize) {
    let key = MlKem::<P>::generate(&mut SystemRng);
    let prepared = key.encaps_key().prepare();
    check_column(include_str!("../src/lib.rs"), column, |column| {
        check_kem::<MlKem<P>>(column, Heap::None);
        check_kem_of_eight::<MlKem<P>>(column);
        column.check("preparing an encapsulation key", Heap::None, || drop(key.encaps_key().prepare()));
        column.check("encapsulation with a prepared key", Heap::None, || {
            drop(prepared.encapsulate(&mut SystemRng));
        });
    });
}

#[test]
fn ml_kem_512_stack_matches_documentation() {
    check_stack::<P512>(0);
}

#[test]
fn ml_kem_768_stack_matches_documentation() {
    check_stack::<P768>(1);
}

#[test]
fn ml_kem_1024_stack_matches_documentation() {
    check_stack::<P1024>(2);
}
