//! Compressed certificates, RFC 8879.

use crate::desk::{NAME, Party, client_options, meet, server_options};
use grille_registry::signature_by_name;
use grille_tls::trace::Message;
use grille_tls::{Compression, Report};

/// The messages with certificates: of the server, then of the client.
fn certificates(report: &Report) -> Vec<Message> {
    report.trace.messages.iter().copied().filter(|message| [11, 25].contains(&message.code)).collect()
}

/// What both showed, by these algorithms of the client's and those of the server's.
fn shown(party: &Party, of_client: &[Compression], of_server: &[Compression]) -> Vec<Message> {
    let (mut client, mut server) = (client_options(party, party), server_options(party, party));
    client.preferences.compression = of_client.to_vec();
    server.preferences.compression = of_server.to_vec();
    let (client, server) = meet(client, server).reports("compression");
    assert_eq!(certificates(&client), certificates(&server));
    assert_eq!(client.peer_chain.certificates().count(), 1);
    certificates(&client)
}

/// A party whose certificate has names that resemble each other: something to compress, whatever is random in it.
fn of_many_names() -> Party {
    let names: Vec<String> = (0..30).map(|n| format!("service-{n}.example.org")).collect();
    let names: Vec<&str> = std::iter::once(NAME).chain(names.iter().map(String::as_str)).collect();
    Party::named(signature_by_name("ECDSA-P256").unwrap(), &names)
}

#[test]
fn certificates_of_both_sides_are_compressed_by_each_algorithm() {
    let party = of_many_names();
    let plain = meet(client_options(&party, &party), server_options(&party, &party)).reports("plain");
    let plain: Vec<_> = certificates(&plain.0).iter().map(|message| message.len).collect();
    for compression in Compression::ALL {
        let shown = shown(&party, &[compression], &Compression::ALL);
        assert!(shown.iter().all(|message| message.name() == "CompressedCertificate"));
        let before: Vec<_> = shown.iter().filter_map(|message| message.uncompressed_len).collect();
        assert_eq!(before, plain);
        assert!(shown.iter().zip(plain.iter()).all(|(message, plain)| message.len < *plain));
    }
}

#[test]
fn no_compression_makes_a_message_longer() {
    for name in ["ML-DSA-44", "Falcon-512", "ECDSA-P256"] {
        let party = Party::of(signature_by_name(name).unwrap());
        for compression in Compression::ALL {
            for message in shown(&party, &[compression], &Compression::ALL) {
                assert!(message.uncompressed_len.is_none_or(|before| message.len < before), "{name}");
            }
        }
    }
}

#[test]
fn nothing_is_compressed_unless_both_sides_can() {
    use Compression::{Brotli, Zlib};
    let party = of_many_names();
    let codes = |of_client: &[Compression], of_server: &[Compression]| -> Vec<u8> {
        shown(&party, of_client, of_server).iter().map(|message| message.code).collect()
    };
    assert_eq!(codes(&[Zlib], &[Zlib]), [25, 25]);
    assert_eq!(codes(&[], &[Zlib]), [11, 11]);
    assert_eq!(codes(&[Zlib], &[]), [11, 11]);
    assert_eq!(codes(&[Zlib], &[Brotli]), [11, 11]);
}
