//! Compressed certificates, RFC 8879.

use crate::fixture::{NAME, Party, client_options, connect, server_options};
use grille_registry::signature_by_name;
use grille_tls::trace::Message;
use grille_tls::{Compression, Report};

/// Returns the messages with certificates: the server's, then the client's.
fn certificates(report: &Report) -> Vec<Message> {
    report.trace.messages.iter().copied().filter(|message| [11, 25].contains(&message.code)).collect()
}

/// Runs a handshake with these compression algorithms. Returns the messages with certificates of both sides.
fn certificate_messages(party: &Party, of_client: &[Compression], of_server: &[Compression]) -> Vec<Message> {
    let (mut client, mut server) = (client_options(party, party), server_options(party, party));
    client.preferences.compression = of_client.to_vec();
    server.preferences.compression = of_server.to_vec();
    let (client, server) = connect(client, server).reports("compression");
    assert_eq!(certificates(&client), certificates(&server));
    assert_eq!(client.peer_chain.certificates().count(), 1);
    certificates(&client)
}

/// Returns a party whose certificate has many similar names, and is therefore compressible.
fn party_with_many_names() -> Party {
    let names: Vec<String> = (0..30).map(|n| format!("service-{n}.example.org")).collect();
    let names: Vec<&str> = std::iter::once(NAME).chain(names.iter().map(String::as_str)).collect();
    Party::with_names(signature_by_name("ECDSA-P256").unwrap(), &names)
}

#[test]
fn compresses_certificates_of_both_sides_with_each_algorithm() {
    let party = party_with_many_names();
    let plain = connect(client_options(&party, &party), server_options(&party, &party)).reports("plain");
    let plain: Vec<_> = certificates(&plain.0).iter().map(|message| message.len).collect();
    for compression in Compression::ALL {
        let certificate_messages = certificate_messages(&party, &[compression], &Compression::ALL);
        assert!(certificate_messages.iter().all(|message| message.name() == "CompressedCertificate"));
        let before: Vec<_> =
            certificate_messages.iter().filter_map(|message| message.uncompressed_len).collect();
        assert_eq!(before, plain);
        assert!(certificate_messages.iter().zip(plain.iter()).all(|(message, plain)| message.len < *plain));
    }
}

#[test]
fn compression_never_lengthens_a_message() {
    for name in ["ML-DSA-44", "Falcon-512", "ECDSA-P256"] {
        let party = Party::shared(signature_by_name(name).unwrap());
        for compression in Compression::ALL {
            for message in certificate_messages(&party, &[compression], &Compression::ALL) {
                assert!(message.uncompressed_len.is_none_or(|before| message.len < before), "{name}");
            }
        }
    }
}

#[test]
fn compresses_only_if_both_sides_support_it() {
    use Compression::{Brotli, Zlib};
    let party = party_with_many_names();
    let codes = |of_client: &[Compression], of_server: &[Compression]| -> Vec<u8> {
        certificate_messages(&party, of_client, of_server).iter().map(|message| message.code).collect()
    };
    assert_eq!(codes(&[Zlib], &[Zlib]), [25, 25]);
    assert_eq!(codes(&[], &[Zlib]), [11, 11]);
    assert_eq!(codes(&[Zlib], &[]), [11, 11]);
    assert_eq!(codes(&[Zlib], &[Brotli]), [11, 11]);
}
