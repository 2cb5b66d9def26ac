//! `grille tls matrix --memory` and `--prepared-keys`: effects on memory; and `grille spdm perf --memory`.

use crate::sandbox::Sandbox;
use serde_json::Value;

/// Returns a figure of one side, `server` or `client`.
fn used(document: &Value, side: &str, figure: &str) -> u64 {
    let row = &document["rows"][0];
    row[side][figure].as_u64().unwrap_or_else(|| panic!("no {figure} of the {side} in {document}"))
}

#[test]
fn measures_the_memory_of_prepared_keys() {
    let sandbox = Sandbox::new();
    // The minimum of prepared data is a matrix of 8 by 7 polynomials of 1 KiB, a matrix of 4 by 4, and the tree of
    // Falcon.
    for (signature, prepared) in
        [("ML-DSA-87", 56 << 10), ("Dilithium2", 16 << 10), ("Falcon-1024", 80 << 10)]
    {
        let measure = |options: &str| {
            sandbox
                .json(&format!("tls matrix --memory --sig {signature} --groups ML-KEM-768 --quiet {options}"))
        };
        let (little, much) = (measure(""), measure("--prepared-keys"));
        assert_eq!((&little["prepared_keys"], &much["prepared_keys"]), (&false.into(), &true.into()));
        for side in ["server", "client"] {
            let [little, much] = [&little, &much].map(|document| used(document, side, "heap_peak"));
            assert!(much >= little + prepared, "{signature}, {side}: {little}, prepared {much}");
        }
        // a client without a key has nothing to prepare
        let [little, much] = ["--anonymous", "--anonymous --prepared-keys"].map(measure);
        let [little, much] = [little, much].map(|document| used(&document, "client", "heap_peak"));
        assert!(much < little + prepared / 4, "{signature}, anonymous client: {little}, prepared {much}");
    }
}

#[test]
fn measures_every_figure() {
    let document = Sandbox::new().json("tls matrix --memory --sig Ed25519 --groups X25519");
    for side in ["server", "client"] {
        let [stack, allocations, total, peak] =
            ["stack", "allocations", "heap_total", "heap_peak"].map(|figure| used(&document, side, figure));
        assert!((4 << 10..1 << 20).contains(&stack), "{stack} bytes of stack");
        assert!(allocations > 50 && peak > 8 << 10 && total > peak, "{allocations}, {total}, {peak}");
    }
}

/// The minimum number of sides, of the 72 in wolfSSL's documents, that need at most the documented memory.
///
/// Heaps are the same in every build. 18 sides need more than the documents say. 13 of them are servers with RSA and a group that is not a
/// hybrid: rustls allocates a table for 256 sessions, more than the documented peak, before it can be disabled.
/// wolfSSL's session table is static and not counted. The other five are clients with Falcon-1024, Dilithium3 or
/// Dilithium5. They also check the server's public key and the root's self-signature, which wolfSSL's clients do not.
/// Stacks depend on the build: with vector instructions, 70 sides need at most the documented stack. The minimum is
/// lower by two as a margin for other compilers.
const HEAPS_WITHIN: usize = 54;
const STACKS_WITHIN: usize = 68;

#[test]
fn needs_no_more_memory_than_before() {
    let document = Sandbox::new().json("tls matrix --memory --quiet");
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 36);
    let within = |figure: &str| {
        let sides = rows.iter().flat_map(|row| ["server", "client"].map(|side| (row, side)));
        let number = |value: &Value| value.as_u64().unwrap();
        sides
            .filter(|(row, side)| number(&row[side][figure]) <= number(&row["documented"][side][figure]))
            .count()
    };
    let (heaps, stacks) = (within("heap_peak"), within("stack"));
    assert!(
        heaps >= HEAPS_WITHIN && stacks >= STACKS_WITHIN,
        "heap peak in {heaps} sides, stack in {stacks}"
    );
    let kept = rows.iter().filter(|row| row["documented"]["kept"] == true).count();
    assert!(2 * kept <= heaps.min(stacks), "{kept} rows with all four, {heaps} heaps, {stacks} stacks");
}

#[test]
fn measures_the_memory_of_spdm_flows() {
    let words = "--pqc_kem KYBER_512 --pqc_kem_auth HQC_128 --pqc_sig DILITHIUM_2 --slot_id 0xFF";
    let document = Sandbox::new().json(&format!("spdm perf --memory {words}"));
    let rows = document["algorithms"].as_array().unwrap();
    let names: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (row["algorithm"].as_str().unwrap(), row["operation"].as_str().unwrap()))
        .collect();
    assert_eq!(names[..3], [("Dilithium2", "keygen"), ("Dilithium2", "sign"), ("Dilithium2", "verify")]);
    assert_eq!(
        names[3..],
        ["HQC-128", "Kyber512"]
            .iter()
            .flat_map(|name| ["keygen", "encap", "decap"].map(|what| (*name, what)))
            .collect::<Vec<_>>()
    );
    let flow = &document["flows"][0];
    assert_eq!(flow["configuration"], "Kyber512 + Dilithium2_HQC-128");
    for row in rows.iter().chain([flow]) {
        let stack = row["stack"].as_u64().unwrap();
        assert!((1 << 10..4 << 20).contains(&stack), "{row}");
    }
    assert!(flow["heap_peak"].as_u64() > Some(8 << 10) && flow["allocations"].as_u64() > Some(50), "{flow}");
}
