//! Runs every operation of every post-quantum algorithm, for callgrind to count the instructions of [`measured`];
//! `cargo xtask icount` starts it and reads the counts. Prints a line an operation, in the order of the counts: the
//! algorithm, the operation, and how many operations the count is of.

use grille_bench_harness::grille::{Own, operations};
use grille_registry::{KEMS, Row, SIGNATURES};

fn main() {
    let kems = KEMS.iter().filter(|row| row.category() > 0).map(Row::name);
    let signatures = SIGNATURES.iter().filter(|row| row.category() > 0).map(Row::name);
    for name in kems.chain(signatures) {
        let Some((_, signatures)) = COUNTED.iter().find(|(start, _)| name.starts_with(start)) else {
            continue;
        };
        for mut own in operations(name) {
            let runs = if own.name.starts_with("sign") { *signatures } else { 1 };
            // what is found out once, such as the level, is found out here
            (own.run)();
            measured(&mut own, runs);
            println!("{name}\t{}\t{}", own.name, runs * own.count);
        }
    }
}

/// How names begin, and how many signatures are counted together, because some take more attempts than others. Of
/// hash-based signatures one set speaks for each hash function; hybrids are a KEM and a classical half, which is others'
/// code.
const COUNTED: &[(&str, u32)] = &[
    ("ML-", 16),
    ("Kyber", 16),
    ("Dilithium", 16),
    ("Falcon-512", 16),
    ("Falcon-1024", 16),
    ("Saber", 1),
    ("LightSaber", 1),
    ("FireSaber", 1),
    ("NTRU-", 1),
    ("SLH-DSA-SHA2-128f", 1),
    ("SLH-DSA-SHAKE-128f", 1),
    ("SPHINCS+-Haraka-128f-simple", 1),
];

/// What is counted. Callgrind finds it by its name.
#[inline(never)]
fn measured(own: &mut Own, runs: u32) {
    (0..runs).for_each(|_| (own.run)());
}
