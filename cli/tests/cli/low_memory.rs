//! `--little-memory`: successful handshakes.

use crate::sandbox::Sandbox;
use crate::sandbox::background::Background;

#[cfg(not(feature = "measure-memory"))]
#[test]
fn names_the_feature_that_measures_memory() {
    Sandbox::new().refuses(
        2,
        "tls matrix --memory",
        &["built without memory counters", "--features measure-memory"],
    );
}

#[test]
fn completes_low_memory_handshakes_in_every_family() {
    let sandbox = Sandbox::new();
    for signature in
        ["ML-DSA-65", "Dilithium2-AES", "Falcon-512", "SLH-DSA-SHA2-128f", "p256_falcon512", "RSA-2048"]
    {
        sandbox.ok(&format!("cert chain --quiet --alg {signature} --out {signature}"));
        let own = format!("--cert {signature}/entity_cert.pem --key {signature}/entity_key.pem");
        let both = format!("{own} --ca {signature}/root_cert.pem --little-memory");
        let mut server =
            Background::start(sandbox.command(&format!("tls server --quiet --port 0 --once {both}")));
        let document =
            sandbox.json(&format!("tls client localhost:{} {both} --message hello", server.port()));
        assert_eq!(document["received"], "hello from grille", "{signature}");
        assert_eq!(server.end(), "hello\n", "{signature}");
    }
}
