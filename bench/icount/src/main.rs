//! Runs the operations of the algorithms in [`COUNTED`], while callgrind counts the instructions of [`run_measured`].
//! `cargo xtask icount` starts this program and reads the counts. Prints one line per operation, in the order of the
//! counts: the algorithm, the operation, and the number of repetitions in the count.

use grille_bench_harness::grille::{OwnOperation, operations};
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
            // one-time work, such as detecting the level, happens in this uncounted run
            (own.run)();
            run_measured(&mut own, runs);
            println!("{name}\t{}\t{}", own.name, runs * own.count);
        }
    }
}

/// Prefixes of the names of the counted algorithms. Each has the number of signatures that are counted together,
/// because signatures differ in the number of attempts. One set represents each hash function of the hash-based
/// signatures. Hybrids are left out: they are a KEM and third-party classical code.
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

/// Runs the operation whose instructions are counted. Callgrind finds this function by its name.
#[inline(never)]
fn run_measured(own: &mut OwnOperation, runs: u32) {
    (0..runs).for_each(|_| (own.run)());
}
