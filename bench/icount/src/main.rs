//! Runs every operation of every post-quantum algorithm, for callgrind to count the instructions of [`measured`];
//! `cargo xtask icount` starts it and reads the counts. Prints a line an operation, in the order of the counts: the
//! algorithm, the operation, and how many operations the count is of.

use grille_bench_harness::grille::{Own, operations};
use grille_registry::{KEMS, Row, SIGNATURES};

fn main() {
    let kems = KEMS.iter().filter(|row| row.category() > 0).map(Row::name);
    let signatures = SIGNATURES.iter().filter(|row| row.category() > 0).map(Row::name);
    for name in kems.chain(signatures).filter(|name| is_ours(name)) {
        for mut own in operations(name) {
            let runs = if own.name.starts_with("sign") { SIGNATURES_COUNTED } else { 1 };
            // what is found out once, such as the level, is found out here
            (own.run)();
            measured(&mut own, runs);
            println!("{name}\t{}\t{}", own.name, runs * own.count);
        }
    }
}

/// How many signatures are counted together: some take more attempts than others.
const SIGNATURES_COUNTED: u32 = 16;

/// Hybrids are a KEM and a classical half, which is others' code.
fn is_ours(name: &str) -> bool {
    ["ML-", "Kyber", "Dilithium"].iter().any(|start| name.starts_with(start))
}

/// What is counted. Callgrind finds it by its name.
#[inline(never)]
fn measured(own: &mut Own, runs: u32) {
    (0..runs).for_each(|_| (own.run)());
}
