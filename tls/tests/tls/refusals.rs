//! Refusals and their messages: both sides get an error, and one of them reports the reason.

use crate::fixture::{NAME, Party, client_options, connect, end_entity, groups, send_raw, server_options};
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::verify::{Purpose, Requirements, verify_chain};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::{Numbers, kem_by_name, signature_by_name};
use grille_tls::error::Advice;
use grille_tls::{Client, ClientOptions, Error, Identity, Server, ServerOptions};
use rustls::{ClientConfig, ClientConnection, RootCertStore};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use x509_cert::ext::pkix::{KeyUsage, KeyUsages};

fn party(name: &str) -> Arc<Party> {
    Party::shared(signature_by_name(name).unwrap())
}

#[track_caller]
fn advises(error: Option<Error>, advice: &Advice) {
    let error = error.expect("this must be refused");
    assert_eq!(error.advice().as_ref(), Some(advice), "{error}");
}

#[test]
fn each_side_rejects_an_untrusted_root() {
    for name in ["ML-DSA-65", "ML-DSA-87", "ECDSA-P256", "RSA-2048"] {
        let (own, unrelated) = (party(name), party("ML-DSA-44"));
        let results = connect(client_options(&own, &unrelated), server_options(&own, &own));
        advises(results.client.err(), &Advice::TrustRoot);
        advises(results.server.err(), &Advice::LetPeerTrustRoot);
        let results = connect(client_options(&own, &own), server_options(&own, &unrelated));
        advises(results.server.err(), &Advice::TrustRoot);
        advises(results.client.err(), &Advice::LetPeerTrustRoot);
    }
}

#[test]
fn rejects_a_root_of_the_same_name_with_another_key() {
    let row = signature_by_name("ML-DSA-44").unwrap();
    let (own, impostor) = (Party::new(row), Party::new(row));
    let results = connect(client_options(&own, &own), server_options(&impostor, &own));
    let message = results.client.as_ref().map(drop).unwrap_err().to_string();
    assert!(message.contains("but not with the key of the trusted root of that name"), "{message}");
    advises(results.client.err(), &Advice::FindAlteration);
    assert!(results.server.is_err());
}

/// Issues a chain: a root and an intermediate with these templates, and the end entity of a server.
fn issue_chain(root: &Template, below: &Template) -> (Certificate, Vec<Certificate>, PrivateKey) {
    let row = signature_by_name("ML-DSA-44").unwrap();
    let rng = &mut SystemRng;
    let [root_key, sub_key, key] = [(); 3].map(|()| PrivateKey::generate(row, rng).unwrap());
    let root = self_signed(root, &root_key, rng).unwrap();
    let sub = issue(below, sub_key.public_key(), &root, &root_key, rng).unwrap();
    let own = Template::new("CN=end entity", Profile::end_entity(&[NAME]).unwrap()).unwrap();
    let own = issue(&own, key.public_key(), &sub, &sub_key, rng).unwrap();
    (root, vec![own, sub], key)
}

#[test]
fn checks_issuers_like_verify_chain() {
    let (now, hour) = (grille_pki::now(), Duration::from_hours(1));
    let root = || Template::new("CN=root", Profile::Root).unwrap();
    let sub = || Template::new("CN=sub", Profile::Intermediate { path_len: 0 }).unwrap();
    let own = party("ML-DSA-44");
    let cases = [
        (root(), sub(), None),
        (root().valid(now - 2 * hour, now - hour), sub(), Some("CN=root expired on 20")),
        (root().valid(now + hour, now + 2 * hour), sub(), Some("CN=root is not valid before 20")),
        (root(), sub().key_usage(KeyUsage(KeyUsages::CRLSign.into())), Some("lacks keyCertSign")),
        (root().key_usage(KeyUsage(KeyUsages::DigitalSignature.into())), sub(), Some("lacks keyCertSign")),
    ];
    for (root, below, refusal) in cases {
        let (root, chain, key) = issue_chain(&root, &below);
        let roots = vec![root];
        let requirements = Requirements { time: now, purpose: Purpose::Server, name: Some(NAME) };
        let verified = verify_chain(&chain[0], &chain[1..], &roots, &requirements);
        let mut server = server_options(&own, &own);
        server.identity = Identity::new(&chain, &key).unwrap();
        let mut client = client_options(&own, &own);
        client.roots = roots;
        let results = connect(client, server);
        match refusal {
            None => assert!(verified.is_ok() && results.client.is_ok(), "{verified:?}"),
            Some(reason) => {
                assert!(verified.unwrap_err().to_string().contains(reason));
                let Err(error) = results.client else { panic!("TLS accepts an untrusted chain: {reason}") };
                assert!(error.to_string().contains(reason), "{error}");
                assert!(results.server.is_err());
            }
        }
    }
}

#[test]
fn rejects_peers_without_the_signing_key_usage() {
    let row = signature_by_name("ML-DSA-44").unwrap();
    let usage = |usage: KeyUsages| end_entity(&[NAME]).key_usage(KeyUsage(usage.into()));
    let (signs, no_signing) = (
        Party::from_template(row, Numbers::default(), &usage(KeyUsages::DigitalSignature)),
        Party::from_template(row, Numbers::default(), &usage(KeyUsages::CRLSign)),
    );
    connect(client_options(&signs, &signs), server_options(&signs, &signs)).reports("a key that may sign");
    let words = "its key usage lacks digitalSignature";
    let results = connect(client_options(&signs, &no_signing), server_options(&no_signing, &signs));
    assert!(results.client.map(drop).unwrap_err().to_string().contains(words));
    assert!(results.server.is_err());
    let results = connect(client_options(&no_signing, &signs), server_options(&signs, &no_signing));
    assert!(results.server.map(drop).unwrap_err().to_string().contains(words));
}

#[test]
fn rejects_roots_with_an_invalid_self_signature() {
    let own = party("ML-DSA-44");
    let mut der = own.root.to_der();
    *der.last_mut().unwrap() ^= 1;
    let altered = vec![Certificate::from_pem_or_der(&der).unwrap()];
    let words = "its signature does not match its own key";
    let client = ClientOptions { roots: altered.clone(), ..client_options(&own, &own) };
    assert!(
        connect(client, server_options(&own, &own)).client.map(drop).unwrap_err().to_string().contains(words)
    );
    let server = ServerOptions { client_roots: altered, ..server_options(&own, &own) };
    assert!(
        connect(client_options(&own, &own), server).server.map(drop).unwrap_err().to_string().contains(words)
    );
}

#[test]
fn rejects_expired_and_not_yet_valid_certificates() {
    let row = signature_by_name("Dilithium2").unwrap();
    let (now, hour) = (grille_pki::now(), Duration::from_hours(1));
    let late = Party::with_validity(row, now - 2 * hour, now - hour);
    let results = connect(client_options(&late, &late), server_options(&late, &late));
    let message = results.client.as_ref().map(drop).unwrap_err().to_string();
    assert!(message.contains(" expired on ") && message.contains("; renew it"), "{message}");
    advises(results.client.err(), &Advice::RenewPeerCertificate);
    advises(results.server.err(), &Advice::RenewOwnCertificate);
    let early = Party::with_validity(row, now + hour, now + 2 * hour);
    let results = connect(client_options(&early, &early), server_options(&early, &early));
    advises(results.client.err(), &Advice::CheckClock);
}

#[test]
fn rejects_a_certificate_for_another_name() {
    let party = party("ML-DSA-44");
    let server = Server::bind("127.0.0.1:0", server_options(&party, &party)).unwrap();
    let address = server.local_addr().unwrap().to_string();
    let serving = thread::spawn(move || {
        let (socket, peer) = server.accept().unwrap();
        server.handshake(socket, peer).err()
    });
    let client = Client::new(client_options(&party, &party)).unwrap();
    advises(client.connect(&address, "elsewhere.example").err(), &Advice::UseAnotherName);
    assert!(serving.join().unwrap().is_some());
    assert!(matches!(client.connect(&address, "not a name"), Err(Error::Configuration { .. })));
}

#[test]
fn rejects_a_certificate_with_a_flipped_bit() {
    let party = party("ML-DSA-44");
    let whole = party.own.to_der();
    for position in [whole.len() - 1, whole.len() - 2000, whole.len() - 2500, 150] {
        let mut der = whole.clone();
        der[position] ^= 1;
        let Ok(altered) = Certificate::from_pem_or_der(&der) else { continue };
        let Ok(identity) = Identity::new(&[altered], &party.key) else { continue };
        let mut server = server_options(&party, &party);
        server.identity = identity;
        let results = connect(client_options(&party, &party), server);
        assert!(results.client.is_err() && results.server.is_err(), "bit at {position}");
    }
}

#[test]
fn rejects_a_key_of_another_certificate_on_configuration() {
    let (one, other) = (party("ML-DSA-44"), Party::new(signature_by_name("ML-DSA-44").unwrap()));
    assert!(matches!(Identity::new(std::slice::from_ref(&one.own), &other.key), Err(Error::Pki(_))));
    assert!(matches!(Identity::new(&[], &one.key), Err(Error::Configuration { .. })));
}

#[test]
fn both_sides_list_their_groups_if_none_is_common() {
    let party = party("ML-DSA-44");
    let (mut server, mut client) = (server_options(&party, &party), client_options(&party, &party));
    client.preferences = groups(&[kem_by_name("ML-KEM-512").unwrap()]);
    server.preferences = groups(&[kem_by_name("ML-KEM-1024").unwrap()]);
    let results = connect(client, server);
    advises(results.client.err(), &Advice::OfferCommonParameter(vec!["ML-KEM-512"]));
    advises(results.server.err(), &Advice::OfferCommonParameter(vec!["ML-KEM-1024"]));
}

#[test]
fn reports_a_missing_client_certificate() {
    let party = party("ML-DSA-44");
    let mut client = client_options(&party, &party);
    client.identity = None;
    let results = connect(client, server_options(&party, &party));
    advises(results.server.err(), &Advice::PresentClientCertificate);
    advises(results.client.err(), &Advice::PresentCertificate);
}

#[test]
fn distinguishes_a_port_in_use_from_a_closed_port() {
    let party = party("ML-DSA-44");
    let server = Server::bind("127.0.0.1:0", server_options(&party, &party)).unwrap();
    let address = server.local_addr().unwrap().to_string();
    advises(Server::bind(&address, server_options(&party, &party)).err(), &Advice::UseAnotherPort);
    drop(server);
    let client = Client::new(client_options(&party, &party)).unwrap();
    advises(client.connect(&address, NAME).err(), &Advice::StartServer);
}

#[test]
fn rejects_a_client_without_roots() {
    let party = party("ML-DSA-44");
    let mut options = client_options(&party, &party);
    options.roots.clear();
    assert!(Client::new(options).is_err());
}

/// Returns the ClientHello of a client without post-quantum signatures.
fn classical_hello() -> Vec<u8> {
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .unwrap()
        .with_root_certificates(RootCertStore::empty())
        .with_no_client_auth();
    let mut client = ClientConnection::new(Arc::new(config), NAME.try_into().unwrap()).unwrap();
    let mut hello = Vec::new();
    client.write_tls(&mut hello).unwrap();
    hello
}

#[test]
fn rejects_a_peer_without_post_quantum_signatures() {
    let party = party("Dilithium5");
    let mut server = server_options(&party, &party);
    server.preferences = groups(&[kem_by_name("X25519").unwrap()]);
    advises(send_raw(server, &classical_hello()).err(), &Advice::UseAcceptedSignature);
}

/// OpenSSL's ClientHello for TLS 1.0 and 1.1 has no signature_algorithms. rustls alone would refuse such a ClientHello
/// with handshake_failure.
#[test]
fn sends_protocol_version_to_clients_of_tls_1_1() {
    let party = party("ML-DSA-44");
    for own_order in [false, true] {
        for minor in [1, 2] {
            let options = ServerOptions { prefer_server_order: own_order, ..server_options(&party, &party) };
            let server = Server::bind("127.0.0.1:0", options).unwrap();
            let mut old = TcpStream::connect(server.local_addr().unwrap()).unwrap();
            let mut hello = vec![22, 3, minor, 0, 45, 1, 0, 0, 41, 3, minor];
            hello.extend([7; 32]);
            hello.extend([0, 0, 2, 0, 0x2F, 1, 0]);
            old.write_all(&hello).unwrap();
            let (socket, peer) = server.accept().unwrap();
            let serving = thread::spawn(move || server.handshake(socket, peer).map(drop).unwrap_err());
            let mut answer = Vec::new();
            old.read_to_end(&mut answer).unwrap();
            assert_eq!(answer, [21, 3, minor, 0, 2, 2, 70], "protocol_version");
            let message = serving.join().unwrap().to_string();
            assert!(message.contains("no TLS version that this side accepts"), "{message}");
        }
    }
}

/// A root with a standardised algorithm does not extend trust to other algorithms; a root with a retired one does.
#[test]
fn retired_signatures_are_accepted_only_below_a_retired_root() {
    let (retired, standard) = (party("Dilithium2"), party("ML-DSA-44"));
    let results = connect(client_options(&standard, &standard), server_options(&retired, &standard));
    advises(results.server.err(), &Advice::UseAcceptedSignature);
    assert!(results.client.is_err());
    connect(client_options(&standard, &retired), server_options(&retired, &standard))
        .reports("a retired root");
}

#[test]
fn server_survives_arbitrary_input() {
    let party = party("ML-DSA-44");
    let hello = classical_hello();
    let cut = (0..hello.len()).step_by(hello.len() / 24).map(|len| hello[..len].to_vec());
    let flipped = (0..hello.len()).step_by(hello.len() / 24).map(|position| {
        let mut bytes = hello.clone();
        bytes[position] ^= 0x40;
        bytes
    });
    let foreign =
        [b"GET / HTTP/1.0\r\n\r\n".to_vec(), vec![0; 600], vec![0xFF; 600], vec![22, 3, 3, 0xFF, 0xFF, 1]];
    for bytes in cut.chain(flipped).chain(foreign) {
        assert!(
            send_raw(server_options(&party, &party), &bytes).is_err(),
            "{:02X?}…",
            &bytes[..bytes.len().min(16)]
        );
    }
}

/// Each byte arrives in time, but all of them would take half a minute.
#[test]
fn drops_a_client_that_sends_its_hello_too_slowly() {
    let party = party("ML-DSA-44");
    let mut options = server_options(&party, &party);
    options.timeout = Some(Duration::from_millis(500));
    let server = Server::bind("127.0.0.1:0", options).unwrap();
    let mut slow = TcpStream::connect(server.local_addr().unwrap()).unwrap();
    let slow = thread::spawn(move || {
        // a record of 600 bytes with the header of a ClientHello
        let hello = [22, 3, 1, 2, 0x58, 1, 0, 2, 0x54].into_iter().chain([3; 596]);
        hello
            .take_while(|byte| {
                thread::sleep(Duration::from_millis(50));
                slow.write_all(&[*byte]).is_ok()
            })
            .count()
    });
    let (socket, peer) = server.accept().unwrap();
    let start = Instant::now();
    advises(server.handshake(socket, peer).err(), &Advice::IncreaseTimeout);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert!(slow.join().unwrap() < 605, "the socket was left open");
}

/// Two certificates of 50 kB make a message of 100 kB.
#[test]
fn rejects_a_chain_that_exceeds_one_message() {
    let party = party("SLH-DSA-SHAKE-256f");
    let chain = [party.own.clone(), party.own.clone()];
    let error = Identity::new(&chain, &party.key).err().expect("too long").to_string();
    assert!(error.contains("but the TLS engine accepts at most 65535 per handshake message"), "{error}");
}

#[test]
fn reports_a_message_that_is_too_long() {
    let party = party("ML-DSA-44");
    let header = [22, 3, 3, 0, 4, 1, 1, 0, 0];
    let refused = send_raw(server_options(&party, &party), &header);
    advises(refused.err(), &Advice::ShortenPeerChain);
}

/// A message in records of one byte each fills the buffer before it is complete.
#[test]
fn rejects_a_flood_of_tiny_records() {
    let party = party("ML-DSA-44");
    let mut flood = vec![22, 3, 3, 0, 4, 1, 0, 0xFF, 0xFF];
    flood.extend([22, 3, 3, 0, 1, 0].repeat(60_000));
    let error = send_raw(server_options(&party, &party), &flood).expect_err("too much").to_string();
    assert!(error.contains("262144 bytes of handshake records"), "{error}");
}

/// Forwards a connection and flips one bit of the server's bytes.
fn flipping_proxy(server: std::net::SocketAddr, position: usize) -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        let mut server = TcpStream::connect(server).unwrap();
        let (mut from_client, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        // both directions end when either end closes
        thread::spawn(move || {
            let _ = std::io::copy(&mut from_client, &mut to_server);
            let _ = to_server.shutdown(std::net::Shutdown::Write);
        });
        let (mut passed, mut buffer) = (0, [0; 4096]);
        while let Ok(len @ 1..) = server.read(&mut buffer) {
            if let Some(byte) = position.checked_sub(passed).and_then(|at| buffer[..len].get_mut(at)) {
                *byte ^= 1;
            }
            passed += len;
            if client.write_all(&buffer[..len]).is_err() {
                return;
            }
        }
        let _ = client.shutdown(std::net::Shutdown::Write);
    });
    address
}

#[test]
fn detects_a_flipped_bit_at_any_position() {
    let party = party("ML-DSA-44");
    // ServerHello ends at 1215, change_cipher_spec at 1221, the header of the first encrypted record at 1226
    for position in [0, 3, 4, 5, 8, 40, 90, 600, 1214, 1225, 1226, 1300, 3000, 5000, 7000] {
        let mut options = server_options(&party, &party);
        options.timeout = Some(Duration::from_secs(2));
        let server = Server::bind("127.0.0.1:0", options).unwrap();
        let address = flipping_proxy(server.local_addr().unwrap(), position).to_string();
        let serving = thread::spawn(move || {
            let (socket, peer) = server.accept().unwrap();
            server.handshake(socket, peer).err()
        });
        let mut options = client_options(&party, &party);
        options.timeout = Some(Duration::from_secs(1));
        let client = Client::new(options).unwrap();
        assert!(client.connect(&address, NAME).is_err(), "bit {position}");
        assert!(serving.join().unwrap().is_some(), "bit {position}");
    }
}
