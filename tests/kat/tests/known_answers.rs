//! Recomputes every record of every vector file and compares it field by field.

use crate::{is_emulated, is_small_set};
use grille_kat::{algorithms, load, regenerate, sources};
use grille_registry::{KEMS, Row, SIGNATURES, Status, kem_by_name, signature_by_name};

#[test]
fn recomputes_every_checked_in_record() {
    // a signature of the small sets of hash-based signatures takes up to a second, a key of Classic McEliece a
    // tenth, and an operation of SIKE tens of milliseconds
    compare(|algorithm| match is_slow(algorithm) {
        _ if is_emulated() => usize::from(!is_small_set(algorithm)),
        true => 1,
        false => usize::MAX,
    });
}

#[test]
#[ignore = "takes a minute with AVX-512, and minutes without"]
fn recomputes_every_checked_in_record_of_the_slow_sets() {
    compare(|algorithm| if is_slow(algorithm) { usize::MAX } else { 0 });
}

/// Compares the first `count` records of each algorithm, or all if there are fewer.
fn compare(count: impl Fn(&str) -> usize) {
    for source in sources() {
        for algorithm in algorithms(source) {
            let mut expected = load(source, &algorithm).expect("the source lists this algorithm");
            let usual = if algorithm.starts_with("SPHINCS+") { 5 } else { 10 };
            assert_eq!(expected.records.len(), usual, "{source} {algorithm}");
            expected.records.truncate(count(&algorithm));
            if !expected.records.is_empty() {
                let got = regenerate(source, &algorithm, expected.records.len());
                assert_eq!(got.as_ref(), Some(&expected), "{source} {algorithm}");
            }
        }
    }
}

/// Returns whether the algorithm is a small set of hash-based signatures, Classic McEliece, SIKE or SIDH.
fn is_slow(algorithm: &str) -> bool {
    algorithm.starts_with("Classic-McEliece")
        || is_small_set(algorithm)
        || kem_by_name(algorithm).is_ok_and(|row| row.status == Status::Broken)
}

#[test]
fn every_post_quantum_row_has_vectors_except_hybrids_and_composites() {
    let named: Vec<&str> = sources().into_iter().flat_map(canonical_names).collect();
    let kems = KEMS.iter().filter(|row| row.category > 0 && !row.kem.is_hybrid()).map(Row::name);
    let signatures =
        SIGNATURES.iter().filter(|row| row.category > 0 && !row.signature.is_composite()).map(Row::name);
    for name in kems.chain(signatures) {
        assert!(named.contains(&name) || is_tested_elsewhere(name), "{name} has no vectors");
    }
}

const HASH_SLH_DSA: &str = include_str!("../../../vectors/slhdsa/hash-slh-dsa.json");

/// Returns whether no release of liboqs has the algorithm. Other tests cover these algorithms: `sphincs_round31.rs`
/// tests the robust sets with digests of another origin, and the tests of `grille-slhdsa` cover HashSLH-DSA.
fn is_tested_elsewhere(name: &str) -> bool {
    let is_robust_31 = (name.starts_with("SPHINCS+-SHA2-") || name.starts_with("SPHINCS+-SHAKE-"))
        && name.ends_with("-robust");
    is_robust_31 || HASH_SLH_DSA.contains(&format!("\"{name}\":"))
}

/// Returns the canonical names of the algorithms that have records from a source.
fn canonical_names(source: &str) -> Vec<&'static str> {
    let row =
        |name: &str| kem_by_name(name).map(Row::name).or_else(|_| signature_by_name(name).map(Row::name));
    algorithms(source).iter().map(|algorithm| row(algorithm).expect("the table has the row")).collect()
}

#[test]
fn serialises_records_to_the_text_of_the_vector_files() {
    let text = include_str!("../../../vectors/mlkem/liboqs-0.16.0.json");
    let line =
        text.lines().find(|line| line.contains("\"ML-KEM-512\"")).expect("the file has this algorithm");
    let ours =
        serde_json::to_string(&load("liboqs-0.16.0", "ML-KEM-512")).expect("the value can be serialised");
    let unspaced: String = line.trim_end_matches(',').split_whitespace().collect();
    assert_eq!(ours, unspaced);
}

#[test]
fn has_no_records_of_classical_and_unknown_algorithms() {
    assert!(regenerate("liboqs-0.16.0", "X25519", 1).is_none());
    assert!(regenerate("liboqs-0.16.0", "no such thing", 1).is_none());
}
