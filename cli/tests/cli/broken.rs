//! Broken algorithms need `--allow-broken`, and a warning names the attack.

use crate::sandbox::Sandbox;

const ATTACK: [&str; 3] = ["Castryck", "Decru", "https://eprint.iacr.org/2022/975"];

#[test]
fn refuses_broken_algorithms_without_the_flag() {
    let sandbox = Sandbox::new();
    sandbox.put("key", "no key");
    for words in [
        "keygen --alg SIKE-p434 --out new.key",
        "encap --alg SIDH-p434-compressed --pub key --ct ct --secret secret",
        "decap --alg SIKE-p434 --key key --ct ct --secret secret",
        "key convert --alg SIKE-p434 --in key --out other",
        "bench SIKE-p434",
        "speed SIDH-p434",
        "tls client --quiet --insecure --groups p256_sikep434 127.0.0.1:1",
        "tls client --quiet --insecure --profile oqs111-2021-08 --groups 0x021F 127.0.0.1:1",
        "tls bench --groups sikep434",
    ] {
        sandbox.refuses(2, words, &["broken", "--allow-broken", ATTACK[0], ATTACK[2]]);
    }
    assert_eq!(sandbox.files(), ["key"]);
}

#[test]
fn uses_broken_algorithms_with_the_flag_and_warns() {
    let sandbox = Sandbox::new();
    for alg in ["SIKE-p434", "SIDH-p434-compressed", "x25519_sikep434"] {
        let words = format!("keygen --allow-broken --force --alg {alg} --out key --pub pub");
        let output = sandbox.run(&words).stderr;
        assert!(ATTACK.iter().all(|part| output.contains(part)), "{output}");
        sandbox
            .ok(&format!("encap --allow-broken --quiet --force --alg {alg} --pub pub --ct ct --secret one"));
        sandbox
            .ok(&format!("decap --allow-broken --quiet --force --alg {alg} --key key --ct ct --secret two"));
        assert_eq!(sandbox.get("one"), sandbox.get("two"), "{alg}");
    }
}

#[test]
fn explains_the_attack() {
    let sandbox = Sandbox::new();
    for words in ["explain SIKE-p751-compressed", "explain 0x021F --json"] {
        let output = String::from_utf8(sandbox.run(words).stdout).expect("text");
        assert!(ATTACK.iter().all(|part| output.contains(part)), "{output}");
    }
}

#[test]
fn offers_no_broken_group_of_a_profile() {
    let sandbox = Sandbox::new();
    let output = sandbox.run("tls client --insecure --timeout 1 --profile oqs111-2021-08 127.0.0.1:1").stderr;
    assert!(!output.contains("broken"), "{output}");
}
