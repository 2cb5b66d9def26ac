//! Every algorithm of the dialect: handshakes with mutual authentication, and handshakes with one changed byte.

use super::*;
use grille_spdm_engine::pqc2021::{KEMS, SIGNATURES};

/// Changes one byte of CHALLENGE, or of the first fragment of a message.
struct ChangedByte<'w> {
    wire: &'w mut Wire,
    /// The code of the message.
    code: Code,
    /// The position in the message.
    at: usize,
    done: bool,
}

impl ChangedByte<'_> {
    fn change(&mut self, packet: &mut Packet) {
        let Packet::Message(bytes) = packet else { return };
        let start = if matches!(bytes[1], 0x7C | 0xFD) && bytes[4] == 0 { 16 } else { 0 };
        if !self.done && bytes.get(start + 1) == Some(&self.code.0) {
            bytes[start + self.at] ^= 1;
            self.done = true;
        }
    }
}

impl Carrier for ChangedByte<'_> {
    type Error = Error;

    fn exchange(&mut self, mut packet: Packet) -> Result<Packet, Error> {
        self.change(&mut packet);
        let mut answer = self.wire.exchange(packet)?;
        self.change(&mut answer);
        Ok(answer)
    }

    fn wait(&mut self, _time: std::time::Duration) {}
}

/// The length of CHALLENGE_AUTH before its signature field.
const BEFORE_SIGNATURE: usize = 4 + 48 + 32 + 2;
/// The length of KEY_EXCHANGE or KEY_EXCHANGE_RSP before ExchangeData.
const BEFORE_EXCHANGE_DATA: usize = 40;

impl Suite {
    /// Challenges the responder, and uses a session in which both sides authenticated themselves.
    fn check_mutual(&self) -> (Requester, Wire) {
        let (mut requester, mut wire) = self.connect();
        requester.run(ChallengeResponder::new(self.slot(), 0), &mut wire).unwrap();
        let session = requester.run(OpenSession::new(self.slot()), &mut wire).unwrap();
        assert_eq!(requester.authenticated_with(session).is_some(), self.is_mutual(), "{self:?}");
        use_session(&mut requester, &mut wire, session);
        (requester, wire)
    }

    /// Checks that CHALLENGE fails if a byte of the message with this code changes.
    fn check_changed_challenge(&self, requester: &mut Requester, wire: &mut Wire, code: Code, at: usize) {
        let mut changed = ChangedByte { wire, code, at, done: false };
        let challenged = requester.run(ChallengeResponder::new(self.slot(), 0), &mut changed);
        assert!(changed.done && challenged.is_err(), "{self:?}: {code} at {at}");
    }

    /// Checks that KEY_EXCHANGE fails if a byte of the message with this code changes.
    fn check_changed_exchange(&self, requester: &mut Requester, wire: &mut Wire, code: Code, at: usize) {
        let mut changed = ChangedByte { wire, code, at, done: false };
        let opened = requester.run(OpenSession::new(self.slot()), &mut changed);
        assert!(changed.done && opened.is_err(), "{self:?}: {code} at {at}");
        assert_eq!(requester.sessions().count(), 0);
    }
}

/// Checks signatures of both sides with keys that are in no certificate, and that a signature with a wrong byte is
/// rejected.
fn check_signatures(is_checked: fn(&str) -> bool) {
    let all = SIGNATURES.iter().map(|signature| signature.name);
    for signature in all.filter(|name| is_checked(name)) {
        let suite = Suite { signature, req_signature: signature, ..PURE };
        let (mut requester, mut wire) = suite.check_mutual();
        let at = BEFORE_SIGNATURE + 4 + 50;
        suite.check_changed_challenge(&mut requester, &mut wire, Code::CHALLENGE_AUTH, at);
    }
}

/// Checks KEMs in the key exchange, and that it fails with a wrong byte in either direction.
fn check_kems(is_checked: fn(&str) -> bool) {
    let all = KEMS.iter().map(|kem| kem.name);
    for kem in all.filter(|name| is_checked(name)) {
        let suite = Suite { kem, ..PURE };
        let (mut requester, mut wire) = suite.check_mutual();
        let at = BEFORE_EXCHANGE_DATA + 50;
        for code in [Code::KEY_EXCHANGE, Code::KEY_EXCHANGE_RSP] {
            suite.check_changed_exchange(&mut requester, &mut wire, code, at);
        }
    }
}

/// Checks KEM authentication of both sides, and that it fails with a wrong byte in a ciphertext or in the MAC.
fn check_kem_authentication(is_checked: fn(&str) -> bool) {
    let all = KEMS.iter().map(|kem| kem.name);
    for kem in all.filter(|name| is_checked(name)) {
        let suite = Suite { kem_auth: kem, req_kem_auth: kem, ..KEM_AUTH };
        let (mut requester, mut wire) = suite.check_mutual();
        suite.check_changed_challenge(&mut requester, &mut wire, Code::CHALLENGE, 36 + 50);
        let at = BEFORE_SIGNATURE + 4 + 47;
        suite.check_changed_challenge(&mut requester, &mut wire, Code::CHALLENGE_AUTH, at);
        // the ciphertext for the responder, and the one for the requester
        let exchange = BEFORE_EXCHANGE_DATA + 800 + 50;
        suite.check_changed_exchange(&mut requester, &mut wire, Code::KEY_EXCHANGE, exchange);
        let exchange = BEFORE_EXCHANGE_DATA + 768 + 50;
        suite.check_changed_exchange(&mut requester, &mut wire, Code::KEY_EXCHANGE_RSP, exchange);
    }
}

const RSA: &str = "RSAPSS-3072";

/// The pairs of algorithms in OQS-OpenSSL for which the prototype has certificates.
const HYBRIDS: [(&str, &str); 17] = [
    ("ECDSA-P256", "Dilithium2"),
    (RSA, "Dilithium2"),
    ("ECDSA-P384", "Dilithium3"),
    ("ECDSA-P521", "Dilithium5"),
    ("ECDSA-P256", "Dilithium2-AES"),
    (RSA, "Dilithium2-AES"),
    ("ECDSA-P384", "Dilithium3-AES"),
    ("ECDSA-P521", "Dilithium5-AES"),
    ("ECDSA-P256", "Falcon-512"),
    (RSA, "Falcon-512"),
    ("ECDSA-P521", "Falcon-1024"),
    ("ECDSA-P256", "SPHINCS+-Haraka-128f-robust"),
    (RSA, "SPHINCS+-Haraka-128f-robust"),
    ("ECDSA-P256", "SPHINCS+-SHA256-128f-robust"),
    (RSA, "SPHINCS+-SHA256-128f-robust"),
    ("ECDSA-P256", "SPHINCS+-SHAKE256-128f-robust"),
    (RSA, "SPHINCS+-SHAKE256-128f-robust"),
];

/// Checks certificates with two keys on both sides, and that a wrong byte in either part of a signature is rejected.
fn check_hybrids(is_checked: fn(&str, &str) -> bool) {
    for (asym, signature) in HYBRIDS.iter().filter(|(classical, other)| is_checked(classical, other)) {
        let suite = Suite { asym, req_asym: asym, signature, req_signature: signature, ..CERTIFIED };
        let (mut requester, mut wire) = suite.check_mutual();
        let Some(Asym::Classical(row)) = classical_asym(asym) else { panic!("{asym}") };
        for at in [BEFORE_SIGNATURE + 10, BEFORE_SIGNATURE + row.signature_len + 4 + 50] {
            suite.check_changed_challenge(&mut requester, &mut wire, Code::CHALLENGE_AUTH, at);
            requester.run(Connect::new(), &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
        }
    }
}

const MCELIECE: &str = "Classic-McEliece";

/// Returns whether a parameter set of SPHINCS+ signs within a fraction of a second: the fast ones except two.
fn is_fast(name: &str) -> bool {
    let small = ["128s", "192s", "256s"].iter().any(|size| name.contains(size));
    let slow = ["SPHINCS+-SHA256-192f-robust", "SPHINCS+-SHA256-256f-robust"].contains(&name);
    !name.starts_with("SPHINCS+") || !small && !slow
}

#[test]
fn signs_without_certificates() {
    check_signatures(|name| is_fast(name) && !name.contains("SHAKE256-256f"));
}

#[test]
#[ignore = "two minutes: SPHINCS+ with small signatures takes seconds to sign"]
fn slow_algorithms_sign_without_certificates() {
    check_signatures(|name| !is_fast(name) || name.contains("SHAKE256-256f"));
}

#[test]
fn kems_exchange_keys() {
    check_kems(|name| !name.starts_with(MCELIECE) && !name.starts_with("SI"));
}

#[test]
#[ignore = "half a minute: isogenies, and key pairs of Classic McEliece"]
fn slow_kems_exchange_keys() {
    check_kems(|name| name.starts_with(MCELIECE) || name.starts_with("SI"));
}

#[test]
fn kems_authenticate_both_sides() {
    check_kem_authentication(|name| !name.starts_with(MCELIECE) && !name.starts_with("SI"));
    check_kem_authentication(|name| name == "Classic-McEliece-348864f" || name == "SIKE-p434");
}

#[test]
#[ignore = "half a minute: isogenies, and key pairs of Classic McEliece"]
fn slow_kems_authenticate_both_sides() {
    check_kem_authentication(|name| name.starts_with(MCELIECE) || name.starts_with("SI"));
}

#[test]
fn signs_with_certificates_of_ecdsa_and_another_key() {
    check_hybrids(|classical, signature| classical != RSA && !signature.starts_with("SPHINCS+"));
}

#[test]
#[ignore = "some seconds: certificates of SPHINCS+ are signed and verified several times"]
fn signs_with_certificates_of_ecdsa_and_sphincs() {
    check_hybrids(|classical, signature| classical != RSA && signature.starts_with("SPHINCS+"));
}

#[test]
#[ignore = "half a minute: key pairs of RSA-3072"]
fn signs_with_certificates_of_rsa_and_another_key() {
    check_hybrids(|classical, _| classical == RSA);
}
