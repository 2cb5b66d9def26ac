//! Tests of many operations at once.

use grille_mlkem::{Kyber512_90s, Kyber768, MlKem512, MlKem768, MlKem1024};
use grille_stream::many::kem_operations_equal_single_ones;

#[test]
fn batched_mlkem_operations_match_single_ones() {
    kem_operations_equal_single_ones::<MlKem512>();
    kem_operations_equal_single_ones::<MlKem768>();
    kem_operations_equal_single_ones::<MlKem1024>();
}

#[test]
fn batched_kyber_operations_match_single_ones() {
    kem_operations_equal_single_ones::<Kyber768>();
    kem_operations_equal_single_ones::<Kyber512_90s>();
}
