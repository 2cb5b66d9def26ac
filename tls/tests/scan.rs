//! Scans of our own server with several lists of groups, and of what is no TLS server.

mod desk;

use desk::{NAME, Party, groups};
use grille_registry::{Numbers, Profile, kem_by_name, signature_by_name};
use grille_tls::scan::{Found, Scan, every_group, every_scheme};
use grille_tls::{Error, Preferences, Server, ServerOptions};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

fn scan(address: &str) -> Scan {
    Scan {
        address: address.to_owned(),
        name: NAME.to_owned(),
        interval: Duration::ZERO,
        batch: 48,
        timeout: Duration::from_secs(5),
    }
}

/// Scans a server with a certificate of `signature`.
fn scanned(preferences: Preferences, signature: &str) -> Found {
    let party = Party::of(signature_by_name(signature).unwrap());
    let options = ServerOptions { preferences, ..ServerOptions::new(party.identity()) };
    let server = Server::bind("127.0.0.1:0", options).unwrap();
    let address = server.local_addr().unwrap().to_string();
    // ends with the process: it waits for the next client
    thread::spawn(move || {
        while let Ok((socket, peer)) = server.accept() {
            // most handshakes end with the scanner's goodbye
            let _ = server.handshake(socket, peer);
        }
    });
    scan(&address).run(|_, _| ()).unwrap()
}

#[test]
fn all_groups_of_a_server_are_found_and_no_others() {
    for list in
        [&["X25519MLKEM768", "X25519"][..], &["X25519"], &["MLKEM1024", "secp256r1", "SecP384r1MLKEM1024"]]
    {
        let rows: Vec<_> = list.iter().map(|name| kem_by_name(name).unwrap()).collect();
        let codes: Vec<_> = rows.iter().filter_map(|row| row.tls_group).collect();
        let found = scanned(groups(&rows), "ML-DSA-44");
        let mut sorted = [found.groups.clone(), codes.clone()];
        sorted.iter_mut().for_each(|codes| codes.sort_unstable());
        assert_eq!(sorted[0], sorted[1], "{list:?}");
        assert_eq!(
            found.preferred,
            (list.len() == 1).then_some(codes[0]),
            "rustls follows the client's order"
        );
        let schemes: Vec<_> = found.signatures.iter().map(|(code, _)| *code).collect();
        assert_eq!(schemes, [0x0904]);
        assert_eq!(found.signatures[0].1.certificates().count(), 1);
        let batches = every_group().len().div_ceil(48) + every_scheme().len().div_ceil(48);
        assert!(found.connections as usize <= batches + list.len() + 4, "{} connections", found.connections);
    }
}

#[test]
fn a_server_of_another_era_is_found_too() {
    let numbers = Numbers::of(Profile::Oqs111Feb2021);
    let group = kem_by_name("KYBER_LEVEL5").unwrap();
    let preferences = Preferences { groups: vec![group], numbers, ..Preferences::default() };
    let found = scanned(preferences, "ECDSA-P256");
    assert_eq!(found.groups, [0x0211]);
    assert_eq!(found.signatures.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [0x0403]);
}

/// A HelloRetryRequest for `group`, in a record.
fn retry(group: u16) -> Vec<u8> {
    const RANDOM: &str = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";
    let random = RANDOM.as_bytes().chunks(2).map(|hex| u8::from_str_radix(str::from_utf8(hex).unwrap(), 16));
    let mut record = vec![22, 3, 3, 0, 56, 2, 0, 0, 52, 3, 3];
    record.extend(random.map(Result::unwrap));
    // no session, a suite, no compression; supported_versions and key_share
    record.extend([0, 0x13, 0x01, 0, 0, 12, 0, 43, 0, 2, 3, 4, 0, 51, 0, 2]);
    record.extend(group.to_be_bytes());
    record
}

/// The server has two groups that nothing here implements, and an order of its own.
#[test]
fn a_server_with_an_order_of_its_own_is_found_to_have_one() {
    const OWN: [u16; 2] = [0x0100, 0x001E];
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let mut hello = [0; 4096];
            let _ = socket.read(&mut hello);
            // behind random numbers, supported_groups is the first that begins so
            let at = 76 + hello[76..].windows(2).position(|kind| kind == [0, 10]).unwrap();
            let list = usize::from(u16::from_be_bytes([hello[at + 4], hello[at + 5]]));
            let offered: Vec<_> =
                hello[at + 6..][..list].as_chunks().0.iter().copied().map(u16::from_be_bytes).collect();
            let answer = OWN.into_iter().find(|own| offered.contains(own)).map(retry);
            let _ = socket.write_all(&answer.unwrap_or_else(|| vec![21, 3, 3, 0, 2, 2, 40]));
        }
    });
    let mut found = scan(&address).run(|_, _| ()).unwrap();
    found.groups.sort_unstable();
    assert_eq!((found.groups, found.preferred), (vec![0x001E, 0x0100], Some(0x0100)));
}

#[test]
fn connections_keep_their_distance() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            // refuses everything
            let mut socket = socket;
            let _ = socket.read(&mut [0; 4096]).and_then(|_| socket.write_all(&[21, 3, 3, 0, 2, 2, 40]));
        }
    });
    let start = Instant::now();
    let found = Scan { interval: Duration::from_millis(50), ..scan(&address) }.run(|_, _| ()).unwrap();
    assert!(found.groups.is_empty() && !found.signatures_asked);
    assert!(start.elapsed() >= Duration::from_millis(50) * (found.connections - 1));
}

#[test]
fn what_speaks_no_tls_is_said_to_and_an_old_server_is_old() {
    let answering = |answer: &'static [u8]| {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        thread::spawn(move || {
            for mut socket in listener.incoming().flatten() {
                let _ = socket.read(&mut [0; 4096]).and_then(|_| socket.write_all(answer));
            }
        });
        scan(&address).run(|_, _| ())
    };
    assert!(matches!(answering(b"SSH-2.0-x\r\n"), Err(Error::Io { .. })));
    let silent = answering(b"").map(|_| ()).unwrap_err();
    assert!(silent.to_string().contains("ends every connection without an answer"), "{silent}");
    assert_eq!(answering(&[21, 3, 1, 0, 2, 2, 70]).unwrap().old_version, Some(0));
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    assert!(matches!(scan(&nobody).run(|_, _| ()), Err(Error::Io { .. })));
}
