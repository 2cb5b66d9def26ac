//! SPHINCS+ of round 3.1 against the digests that PQClean keeps of its first known answer: the only ones of the robust
//! sets, which no release of liboqs has.
//!
//! A digest is SHA-256 of the text of the record with count 0 in the form of NIST's files.

use grille_kat::drbg::CtrDrbg;
use grille_registry::signature_by_name;
use rand_core::Rng;
use sha2::{Digest, Sha256};
use std::fmt::Write;

#[rustfmt::skip]
const DIGESTS: [(&str, &str); 24] = [
    ("SPHINCS+-SHA2-128s-simple", "08c2e0f08bd96f50d065ca0ced04874c709d192864bfeaccb6daa4bfa9c58a28"),
    ("SPHINCS+-SHA2-128f-simple", "cd1e13db3a56c0a6b3486a7b12bcddfda50cf5d1e4d14d3113e6456e969b8114"),
    ("SPHINCS+-SHA2-192s-simple", "0fa07f3f77752233b382911bcc19e671522bd57069f9edca39b3924ba2713839"),
    ("SPHINCS+-SHA2-192f-simple", "fd4e301339b29ed5dc392c628d6c6db3d77a46ea61d16f7ff0e2b414f962f44c"),
    ("SPHINCS+-SHA2-256s-simple", "05d15a74253962d35912bab3a9ee3230c2e721c798f4e757ecffa529071b0748"),
    ("SPHINCS+-SHA2-256f-simple", "bd88b49453162a9b527e14228f037615d0fcbd13d24b48ece41ae1370ed13480"),
    ("SPHINCS+-SHA2-128s-robust", "c9796ca77310acb22a54c2150864dae66d079d7ed1850d4ea5d5667b60261f58"),
    ("SPHINCS+-SHA2-128f-robust", "a0d7e90225647805b288b7007196a9086893fb5e1a4f2fe5d363e4e4d0bbcf8a"),
    ("SPHINCS+-SHA2-192s-robust", "68b4118d5d1f31ea6bd17bfd339a87b93104bd75c532ea7a513aa8115aec3fdd"),
    ("SPHINCS+-SHA2-192f-robust", "3d7d828912f5f2d4db0b27130cd03003b41ad9ab8282c5367b39afbffc063d42"),
    ("SPHINCS+-SHA2-256s-robust", "2f61690d671671a10e6f1d32c699835c55bade752fb8e87dac01412b0b31f227"),
    ("SPHINCS+-SHA2-256f-robust", "4d0e034db7796df5f13ee6adc916dd44a71a45697649d2e91b2854cf0ee776f6"),
    ("SPHINCS+-SHAKE-128s-simple", "bae2979565dabad96d885a1e264bc213ab54aff3c3b4308880b788e87702af3b"),
    ("SPHINCS+-SHAKE-128f-simple", "46f4f87949dc994aa2b63b31c7307f44ca5ed025d7308ff408c8ba33473324dc"),
    ("SPHINCS+-SHAKE-192s-simple", "87aedb87a77cb46f939a3bfd0099b08b0d889c9fa46be00f15c36827c117c838"),
    ("SPHINCS+-SHAKE-192f-simple", "60a9d2fd74adbef971a74477eca3170599beb4476d6428ced78b43b9641cc929"),
    ("SPHINCS+-SHAKE-256s-simple", "37d37c9b43d71341b7dd5da7f8ebbe8bbae3d7bfc53f5378446023cbcf6e04f2"),
    ("SPHINCS+-SHAKE-256f-simple", "f6d0825afeb4ce25943c974a0efde5659ceea927d2507b0ea1a92e092f536acd"),
    ("SPHINCS+-SHAKE-128s-robust", "80ea155559800f469ee318dee991d86bf81f81e673a893fced5b1000bd3790fb"),
    ("SPHINCS+-SHAKE-128f-robust", "98885700274c8a4787a1dacaa63a858be14f86bdc6fddb1520e4140ccb22219d"),
    ("SPHINCS+-SHAKE-192s-robust", "9866190cc1d07c9e3af77455ed9d8ff96c49d532f93b3389eacbf128c7f39faa"),
    ("SPHINCS+-SHAKE-192f-robust", "056bbb6d2880b29941ccabeea2a956805a10c80c0afb29fac52eccb2ffdd8194"),
    ("SPHINCS+-SHAKE-256s-robust", "5d860324e9fe5dc84c0d9e82071d4cf88f71cd02e6fafeca0a59e6b327a18347"),
    ("SPHINCS+-SHAKE-256f-robust", "e8111415e706232e82c85c4db90403c4c42a1770ffc1f60c2bb40ac2fa05a3b3"),
];

#[test]
fn the_first_answer_of_every_set_is_pqcleans() {
    for (name, digest) in DIGESTS {
        assert_eq!(hex(&Sha256::digest(first_record(name))).to_lowercase(), digest, "{name}");
    }
}

/// The record with count 0, as NIST's generator of known answers writes it.
fn first_record(name: &str) -> String {
    let scheme = signature_by_name(name).expect("it has a row").signature;
    let mut outer = CtrDrbg::new(&std::array::from_fn(|i| i as u8));
    let (mut seed, mut message) = ([0; 48], [0; 33]);
    outer.fill_bytes(&mut seed);
    outer.fill_bytes(&mut message);
    let mut drbg = CtrDrbg::new(&seed);
    let key = scheme.generate(&mut drbg);
    let mut signed = key.sign(&message, b"", &mut drbg).expect("no context is given");
    scheme
        .verifying_key(&key.verifying_key_bytes())
        .and_then(|key| key.verify(&message, b"", &signed))
        .expect("the signature is the key's");
    signed.extend(message);
    format!(
        "count = 0\nseed = {}\nmlen = 33\nmsg = {}\npk = {}\nsk = {}\nsmlen = {}\nsm = {}\n",
        hex(&seed),
        hex(&message),
        hex(&key.verifying_key_bytes()),
        hex(key.to_bytes().as_ref()),
        signed.len(),
        hex(&signed)
    )
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02X}").expect("a String takes all");
        text
    })
}
