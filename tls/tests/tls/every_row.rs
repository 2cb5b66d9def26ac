//! Every group and every signature algorithm of the registry, in complete handshakes with mutual authentication.

use crate::fixture::{Party, client_options, connect, groups, server_options, signatures};
use grille_registry::{Family, KEMS, Numbers, Profile, Row, SignatureRow, Status};
use grille_tls::Preferences;
use grille_tls::report::Kind;
use grille_tls::trace::Step;

/// Each signature algorithm is used once per group on each side: the client uses the algorithm that follows the
/// server's in the list.
#[test]
fn every_group_works_with_every_signature_on_both_sides() {
    let signatures: Vec<_> = signatures().filter(|row| !row.family.is_hash_based()).collect();
    let groups_of_tls = KEMS.iter().filter(|row| row.tls_group.is_some());
    for (i, group) in groups_of_tls.enumerate() {
        // SIKE and SIDH take tens of milliseconds
        let count = if group.status == Status::Broken { 1 } else { signatures.len() };
        for (j, signature) in signatures.iter().enumerate().take(count) {
            let other = signatures[(i + j) % signatures.len()];
            let case = format!("{}, server {}, client {}", group.name(), signature.name(), other.name());
            let (own, peer) = (Party::shared(signature), Party::shared(other));
            let (mut server, mut client) = (server_options(&own, &peer), client_options(&peer, &own));
            server.preferences = groups(&[group]);
            client.preferences = groups(&[group]);
            let (client, server) = connect(client, server).reports(&case);
            for report in [&client, &server] {
                assert_eq!(report.version_name(), "TLSv1.3", "{case}");
                assert_eq!(report.group, group.tls_group, "{case}");
                assert_eq!(report.kind, Kind::Full, "{case}");
                assert_eq!(report.peer_chain.certificates().count(), 1, "{case}");
            }
            assert_eq!(client.trace.peer_signed_with, server.trace.signed_with, "{case}");
            assert_eq!(server.trace.peer_signed_with, client.trace.signed_with, "{case}");
            if signature.category > 0 {
                assert_eq!(server.trace.signed_with, signature.tls_scheme, "{case}");
            }
        }
    }
}

/// Some of these algorithms take a fraction of a second per signature, so each is used once, on both sides. The
/// longest flights have 102 kB.
#[test]
fn every_hash_based_signature_works() {
    let mut working = 0;
    for signature in signatures().filter(|row| row.family.is_hash_based()) {
        let party = Party::shared(signature);
        let options = (client_options(&party, &party), server_options(&party, &party));
        let (client, server) = connect(options.0, options.1).reports(signature.name());
        assert_eq!(server.trace.signed_with, signature.tls_scheme, "{}", signature.name());
        assert_eq!(client.trace.signed_with, signature.tls_scheme, "{}", signature.name());
        working += 1;
    }
    // 60 algorithms, and one composite with each kind of classical part
    assert_eq!(working, 64);
}

#[test]
fn accounts_for_every_byte_and_step() {
    let party = Party::shared(grille_registry::signature_by_name("ML-DSA-44").unwrap());
    let (client, server) =
        connect(client_options(&party, &party), server_options(&party, &party)).reports("defaults");
    let sent = |report: &grille_tls::Report| report.handshake_sent.total() + report.sent.total();
    let received = |report: &grille_tls::Report| report.handshake_received.total() + report.received.total();
    assert_eq!((sent(&client), received(&client)), (received(&server), sent(&server)));
    let (tickets, of_the_handshake): (Vec<_>, Vec<_>) =
        server.trace.messages.iter().partition(|message| message.name() == "NewSessionTicket");
    assert!(!tickets.is_empty());
    assert_eq!(client.trace.messages, of_the_handshake);
    let names: Vec<_> = client.trace.messages.iter().map(|message| message.name()).collect();
    let of_the_server = ["Certificate", "CertificateVerify", "Finished"];
    let expected = [
        &["ClientHello", "ServerHello", "EncryptedExtensions", "CertificateRequest"][..],
        &of_the_server,
        &of_the_server,
    ];
    assert_eq!(names, expected.concat());
    let plain: usize = client.trace.messages.iter().map(|message| message.len).sum();
    let wire = client.handshake_sent.total() + client.handshake_received.total();
    assert!((plain as u64) < wire, "{plain} bytes of messages in {wire} bytes of records");
    let took = |report: &grille_tls::Report, steps: &[Step]| {
        steps.iter().all(|step| report.trace.time(*step).is_some())
    };
    let both = [Step::Sign, Step::VerifyChain, Step::VerifySignature];
    assert!(took(&client, &both) && took(&server, &both));
    assert!(took(&client, &[Step::KeyShare, Step::Decapsulate]) && took(&server, &[Step::Encapsulate]));
}

/// Tests Falcon, whose signature schemes have the numbers 65035 and 65038 as in the wolfSSL document, and Dilithium.
#[test]
fn session_of_the_wolfssl_document_works() {
    wolfssl_session_works(["FALCON_LEVEL1", "FALCON_LEVEL5"], [0xFE0B, 0xFE0E]);
    wolfssl_session_works(["DILITHIUM_LEVEL2", "DILITHIUM_LEVEL5"], [0xFEA0, 0xFEA5]);
}

/// Connects a server and a client, each with a certificate of its algorithm in `names`, the server's first. `schemes`:
/// the expected numbers of the signature schemes.
fn wolfssl_session_works(names: [&str; 2], schemes: [u16; 2]) {
    let [own, peer] = names.map(|name| Party::shared(grille_registry::signature_by_name(name).unwrap()));
    let preferences = Preferences {
        groups: vec![grille_registry::kem_by_name("P521_KYBER_LEVEL5").unwrap()],
        suites: vec![grille_tls::codepoints::suite_by_name("TLS_AES_256_GCM_SHA384").unwrap()],
        numbers: Numbers::for_profile(Profile::WolfSsl53),
        ..Preferences::default()
    };
    let (mut server, mut client) = (server_options(&own, &peer), client_options(&peer, &own));
    (server.preferences, client.preferences) = (preferences.clone(), preferences);
    let (client, server) = connect(client, server).reports("the wolfSSL session");
    assert_eq!(client.group, Some(12093));
    assert_eq!(client.suite_name(), "TLS_AES_256_GCM_SHA384");
    let [of_client, of_server] = [&client.trace, &server.trace];
    assert_eq!([of_server.signed_with, of_server.peer_signed_with], schemes.map(Some));
    assert_eq!([of_client.peer_signed_with, of_client.signed_with], schemes.map(Some));
}

/// For each group, runs a handshake for each family of signatures, in which the server uses that family and the client
/// the next one. In one more handshake, both sides use the same fast algorithm, a different one for the next group.
#[test]
fn every_group_of_every_profile_works_under_its_number_with_every_family() {
    for numbers in Profile::ALL.map(Numbers::for_profile) {
        let signatures = quick_signatures(numbers);
        let mut families: Vec<&SignatureRow> = Vec::new();
        for row in &signatures {
            if !families
                .iter()
                .any(|other| (other.family, other.classical_family) == (row.family, row.classical_family))
            {
                families.push(row);
            }
        }
        let used = numbers.kems().into_iter().filter_map(|row| Some((numbers.group(row)?, row)));
        for (i, (code, group)) in used.enumerate() {
            let next = &signatures[i % signatures.len()];
            for (own, peer) in families.iter().zip(families.iter().cycle().skip(1)).chain([(next, next)]) {
                let case = format!("{}, {} and {} in {numbers}", group.name(), own.name(), peer.name());
                let parties = (Party::shared(own), Party::shared(peer));
                let mut server = server_options(&parties.0, &parties.1);
                let mut client = client_options(&parties.1, &parties.0);
                server.preferences = Preferences { numbers, ..groups(&[group]) };
                client.preferences = server.preferences.clone();
                let (client, server) = connect(client, server).reports(&case);
                assert_eq!((client.group, server.group), (Some(code), Some(code)), "{case}");
                assert!(client.group_name().starts_with(group.name()), "{case}");
                for (row, report) in [(own, server), (peer, client)] {
                    let scheme = numbers.scheme(row);
                    assert!(row.category == 0 || report.trace.signed_with == scheme, "{case}");
                }
            }
        }
    }
}

/// Returns the algorithms that sign and generate keys fast. The only hash-based ones are the
/// smallest fast sets.
fn quick_signatures(numbers: Numbers) -> Vec<&'static SignatureRow> {
    let is_quick = |row: &SignatureRow| match row.family {
        Family::HashSmall => false,
        Family::HashFast => row.category == 1 && row.classical_family.is_none(),
        _ => row.classical_family != Some(Family::Rsa),
    };
    let usable = |row: &&SignatureRow| numbers.scheme(row).is_some() && row.oid.is_some() && is_quick(row);
    numbers.signatures().into_iter().filter(usable).collect()
}

/// SPHINCS+ of round 2 has object identifiers and a signature scheme in this profile only.
#[test]
fn certificates_have_the_identifiers_of_the_profile() {
    let numbers = Numbers::for_profile(Profile::Oqs111Feb2021);
    let row = grille_registry::signature_by_name("SPHINCS+-SHAKE256-128f-simple-round2").unwrap();
    let party = Party::in_era(row, numbers);
    let (mut server, mut client) = (server_options(&party, &party), client_options(&party, &party));
    let group = grille_registry::kem_by_name("KYBER_LEVEL1").unwrap();
    server.preferences = Preferences { numbers, ..groups(&[group]) };
    client.preferences = server.preferences.clone();
    let (client, server) = connect(client, server).reports("round 2");
    assert_eq!((client.trace.peer_signed_with, server.group), (Some(0xFE7D), Some(0x020F)));
}

/// Falcon had different identifiers in the first and the last releases of oqs-provider; the registry has those of the
/// last ones.
#[test]
fn accepts_certificates_with_identifiers_of_the_registry_and_of_the_era() {
    let numbers = Numbers::for_profile(Profile::Provider05);
    let row = grille_registry::signature_by_name("Falcon-512").unwrap();
    for party in [Party::in_era(row, Numbers::default()), Party::in_era(row, numbers)] {
        let (mut server, mut client) = (server_options(&party, &party), client_options(&party, &party));
        let group = grille_registry::kem_by_name("KYBER_LEVEL1").unwrap();
        server.preferences = Preferences { numbers, ..groups(&[group]) };
        client.preferences = server.preferences.clone();
        let (client, server) = connect(client, server).reports("either identifier");
        assert_eq!((client.trace.signed_with, server.trace.signed_with), (Some(0xFEAE), Some(0xFEAE)));
    }
}
