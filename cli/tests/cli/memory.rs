//! `grille tls matrix --memory`, `--prepared-keys` and `--little-memory`: they change what they say, and handshakes succeed.

use crate::desk::Desk;
use crate::desk::background::Background;
use serde_json::Value;

/// What a side took: `server` or `client`, and which figure.
fn used(document: &Value, side: &str, what: &str) -> u64 {
    let row = &document["rows"][0];
    row[side][what].as_u64().unwrap_or_else(|| panic!("no {what} of the {side} in {document}"))
}

#[test]
fn prepared_keys_take_the_memory_of_what_is_prepared() {
    let desk = Desk::new();
    // what is prepared at least: the matrix of 8 by 7 polynomials of 1 KiB, that of 4 by 4, the tree of Falcon
    for (signature, prepared) in
        [("ML-DSA-87", 56 << 10), ("Dilithium2", 16 << 10), ("Falcon-1024", 80 << 10)]
    {
        let measure = |options: &str| {
            desk.json(&format!("tls matrix --memory --sig {signature} --groups ML-KEM-768 --quiet {options}"))
        };
        let (little, much) = (measure(""), measure("--prepared-keys"));
        assert_eq!((&little["prepared_keys"], &much["prepared_keys"]), (&false.into(), &true.into()));
        for side in ["server", "client"] {
            let [little, much] = [&little, &much].map(|document| used(document, side, "heap_peak"));
            assert!(much >= little + prepared, "{signature}, {side}: {little}, prepared {much}");
        }
        // without a key of its own, a client has nothing to prepare
        let [little, much] = ["--anonymous", "--anonymous --prepared-keys"].map(measure);
        let [little, much] = [little, much].map(|document| used(&document, "client", "heap_peak"));
        assert!(much < little + prepared / 4, "{signature}, anonymous client: {little}, prepared {much}");
    }
}

#[test]
fn every_figure_is_measured() {
    let document = Desk::new().json("tls matrix --memory --sig Ed25519 --groups X25519");
    for side in ["server", "client"] {
        let [stack, allocations, total, peak] =
            ["stack", "allocations", "heap_total", "heap_peak"].map(|what| used(&document, side, what));
        assert!((4 << 10..1 << 20).contains(&stack), "{stack} bytes of stack");
        assert!(allocations > 50 && peak > 8 << 10 && total > peak, "{allocations}, {total}, {peak}");
    }
}

/// Of the documents' 72 sides so many take no more than there: fewer would be a step back.
///
/// Heaps are the same in every build. Of the 18 above 13 are servers with RSA and a group that is no hybrid: rustls makes room
/// for 256 sessions, more bytes than the documents' whole peak, before it can be told to keep none. wolfSSL's table of
/// sessions is static, and its count of the heap leaves it out. The other five are clients with Falcon-1024, Dilithium3 or Dilithium5.
/// They also check the server's public key and the root's own signature, which the documents' clients do not.
///
/// Stacks differ between builds: 70 are within with vector instructions, and two are left to compilers.
const HEAPS_WITHIN: usize = 54;
const STACKS_WITHIN: usize = 68;

#[test]
fn the_documents_sides_take_no_more_than_they_did() {
    let document = Desk::new().json("tls matrix --memory --quiet");
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 36);
    let within = |what: &str| {
        let sides = rows.iter().flat_map(|row| ["server", "client"].map(|side| (row, side)));
        let number = |value: &Value| value.as_u64().unwrap();
        sides.filter(|(row, side)| number(&row[side][what]) <= number(&row["documented"][side][what])).count()
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
fn handshakes_with_little_memory_succeed_in_every_family() {
    let desk = Desk::new();
    for signature in
        ["ML-DSA-65", "Dilithium2-AES", "Falcon-512", "SLH-DSA-SHA2-128f", "p256_falcon512", "RSA-2048"]
    {
        desk.ok(&format!("cert chain --quiet --alg {signature} --out {signature}"));
        let own = format!("--cert {signature}/entity_cert.pem --key {signature}/entity_key.pem");
        let both = format!("{own} --ca {signature}/root_cert.pem --little-memory");
        let mut server =
            Background::start(desk.command(&format!("tls server --quiet --port 0 --once {both}")));
        let document = desk.json(&format!("tls client localhost:{} {both} --message hello", server.port()));
        assert_eq!(document["received"], "I hear you fa shizzle!", "{signature}");
        assert_eq!(server.end(), "hello\n", "{signature}");
    }
}
