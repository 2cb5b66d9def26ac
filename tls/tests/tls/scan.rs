//! Scans of this crate's server with several lists of groups, and of servers without TLS.

use crate::fixture::{NAME, Party, groups};
use grille_registry::{Numbers, Profile, Row, kem_by_name, signature_by_name};
use grille_tls::hello::Hello;
use grille_tls::scan::{Preference, Scan, ScanFindings, all_groups, all_schemes};
use grille_tls::{Error, Preferences, Server, ServerOptions};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::num::NonZeroUsize;
use std::thread;
use std::time::{Duration, Instant};

fn scan(address: &str) -> Scan {
    Scan {
        address: address.to_owned(),
        name: NAME.to_owned(),
        start_tls: None,
        interval: Duration::ZERO,
        batch: NonZeroUsize::new(48).unwrap(),
        timeout: Duration::from_secs(5),
        time_limit: Duration::MAX,
    }
}

/// Scans a server with a certificate of this signature algorithm.
fn scan_server(preferences: Preferences, signature: &str) -> ScanFindings {
    let party = Party::shared(signature_by_name(signature).unwrap());
    scan_with_options(ServerOptions { preferences, ..ServerOptions::new(party.identity()) })
}

fn scan_with_options(options: ServerOptions) -> ScanFindings {
    let server = Server::bind("127.0.0.1:0", options).unwrap();
    let address = server.local_addr().unwrap().to_string();
    // the thread ends with the process: it waits for the next client
    thread::spawn(move || {
        while let Ok((socket, peer)) = server.accept() {
            // most handshakes end with the scanner's close_notify
            let _ = server.handshake(socket, peer);
        }
    });
    scan(&address).run(|_, _| ()).unwrap()
}

#[test]
fn finds_exactly_the_groups_of_a_server() {
    for list in
        [&["X25519MLKEM768", "X25519"][..], &["X25519"], &["MLKEM1024", "secp256r1", "SecP384r1MLKEM1024"]]
    {
        let rows: Vec<_> = list.iter().map(|name| kem_by_name(name).unwrap()).collect();
        let codes: Vec<_> = rows.iter().filter_map(|row| row.tls_group).collect();
        let found = scan_server(groups(&rows), "ML-DSA-44");
        let mut sorted = [found.codes(), codes.clone()];
        sorted.iter_mut().for_each(|codes| codes.sort_unstable());
        assert_eq!(sorted[0], sorted[1], "{list:?}");
        assert_eq!(
            found.preferred,
            (list.len() == 1).then_some(codes[0]),
            "rustls follows the client's order"
        );
        let order = found.order.map(|order| (order.preference(), order.avoids_retries()));
        assert_eq!(order, (list.len() > 1).then_some((Preference::ClientOrder, false)));
        let schemes: Vec<_> = found.signatures.iter().map(|(code, _)| *code).collect();
        assert_eq!(schemes, [0x0904]);
        assert!(found.failures.is_empty(), "{:?}", found.failures);
        assert_eq!(found.signatures[0].1.certificates().count(), 1);
        let batches = all_groups().len().div_ceil(48) + all_schemes().len().div_ceil(48);
        assert!(found.connections as usize <= batches + list.len() + 8, "{} connections", found.connections);
    }
}

#[test]
fn detects_a_server_with_its_own_group_order() {
    let party = Party::shared(signature_by_name("ML-DSA-44").unwrap());
    for (own, preference) in [
        (["X25519MLKEM768", "X25519"], Preference::QuantumSafe),
        (["X25519", "X25519MLKEM768"], Preference::Classical),
    ] {
        let preferences = groups(&own.map(|name| kem_by_name(name).unwrap()));
        let options =
            ServerOptions { preferences, prefer_server_order: true, ..ServerOptions::new(party.identity()) };
        let found = scan_with_options(options);
        let order = found.order.unwrap();
        assert_eq!(order.preference(), preference, "{own:?}: {:?}", order.trials);
        assert_eq!(found.preferred, kem_by_name(own[0]).unwrap().tls_group);
    }
}

#[test]
fn scans_a_server_of_another_era() {
    let numbers = Numbers::for_profile(Profile::Oqs111Feb2021);
    let group = kem_by_name("KYBER_LEVEL5").unwrap();
    let preferences = Preferences { groups: vec![group], numbers, ..Preferences::default() };
    let found = scan_server(preferences, "ECDSA-P256");
    assert_eq!(found.codes(), [0x0211]);
    assert_eq!(found.signatures.iter().map(|(code, _)| *code).collect::<Vec<_>>(), [0x0403]);
}

const RETRY: &str = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";

/// Builds a ServerHello record; `share` is the content of its key_share extension.
fn server_hello(random: &[u8], share: &[u8]) -> Vec<u8> {
    let long = |bytes: &[u8]| [&u16::try_from(bytes.len()).unwrap().to_be_bytes()[..], bytes].concat();
    let extensions = [&[0, 43, 0, 2, 3, 4, 0, 51][..], &long(share)].concat();
    // empty session identifier, a cipher suite, no compression
    let body = [&[3, 3][..], random, &[0, 0x13, 0x01, 0], &long(&extensions)].concat();
    [&[22, 3, 3][..], &long(&[&[2, 0][..], &long(&body)].concat())].concat()
}

/// Builds a HelloRetryRequest record for `group`.
fn hello_retry_request(group: u16) -> Vec<u8> {
    let random = RETRY.as_bytes().chunks(2).map(|hex| u8::from_str_radix(str::from_utf8(hex).unwrap(), 16));
    server_hello(&random.map(Result::unwrap).collect::<Vec<_>>(), &group.to_be_bytes())
}

/// Builds a ServerHello that accepts the key share of `group` and has a share of `len` bytes itself.
fn server_hello_with_share(group: u16, len: u16) -> Vec<u8> {
    let share = vec![9; len.into()];
    server_hello(&[7; 32], &[&group.to_be_bytes()[..], &len.to_be_bytes(), &share].concat())
}

/// Scans a server that supports the groups `own`. `choose` returns the group that the server selects, given the groups
/// and the key shares of the ClientHello that the server supports.
fn scan_with_choice(own: &'static [u16], choose: fn(groups: &[u16], shares: &[u16]) -> u16) -> ScanFindings {
    scan_with_answer(move |hello| {
        let common = |codes: &[u16]| codes.iter().copied().filter(|code| own.contains(code)).collect();
        let (groups, shares): (Vec<u16>, Vec<u16>) =
            (common(&hello.groups), common(&hello.shares.iter().map(|(code, _)| *code).collect::<Vec<_>>()));
        match groups.is_empty() {
            true => REFUSAL.to_vec(),
            false => match choose(&groups, &shares) {
                group if shares.contains(&group) => server_hello_with_share(group, 1),
                group => hello_retry_request(group),
            },
        }
    })
}

/// The alert `handshake_failure`.
const REFUSAL: [u8; 7] = [21, 3, 3, 0, 2, 2, 40];

/// Scans a server that answers each ClientHello with `answer` and then closes.
fn scan_with_answer(answer: impl Fn(&Hello) -> Vec<u8> + Send + 'static) -> ScanFindings {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            let mut message = Vec::new();
            let hello = loop {
                let mut header = [0; 5];
                socket.read_exact(&mut header).unwrap();
                let start = message.len();
                message.resize(start + usize::from(u16::from_be_bytes([header[3], header[4]])), 0);
                socket.read_exact(&mut message[start..]).unwrap();
                if let Some(hello) = Hello::parse(&message) {
                    break hello;
                }
            };
            let _ = socket.write_all(&answer(&hello));
        }
    });
    let mut found = scan(&address).run(|_, _| ()).unwrap();
    found.groups.sort_unstable_by_key(|group| group.code);
    found
}

/// The server has two groups that are not implemented here, and applies its own order of groups.
#[test]
fn detects_the_preference_among_unimplemented_groups() {
    let found =
        scan_with_choice(
            &[0x0100, 0x001E],
            |groups, _| if groups.contains(&0x0100) { 0x0100 } else { groups[0] },
        );
    assert_eq!((found.codes(), found.preferred), (vec![0x001E, 0x0100], Some(0x0100)));
    assert_eq!(found.order, None, "no key shares can be sent");
}

const CLASSICAL: u16 = 0x001D;
const POST_QUANTUM: u16 = 0x11EC;

#[test]
fn detects_the_preference_for_post_quantum_groups() {
    type Choose = fn(&[u16], &[u16]) -> u16;
    fn first_offered(order: [u16; 2], offered: &[u16]) -> u16 {
        order.into_iter().find(|code| offered.contains(code)).unwrap()
    }
    fn shares_or_groups<'a>(groups: &'a [u16], shares: &'a [u16]) -> &'a [u16] {
        if shares.is_empty() { groups } else { shares }
    }
    let servers: [(Choose, Preference, bool); 5] = [
        (|groups, _| first_offered([POST_QUANTUM, CLASSICAL], groups), Preference::QuantumSafe, false),
        (
            |groups, shares| first_offered([POST_QUANTUM, CLASSICAL], shares_or_groups(groups, shares)),
            Preference::QuantumSafeIfShared,
            true,
        ),
        (|groups, _| groups[0], Preference::ClientOrder, false),
        // the client's first group with a key share
        (
            |groups, shares| *groups.iter().find(|code| shares.contains(code)).unwrap_or(&groups[0]),
            Preference::ClientOrder,
            true,
        ),
        (|groups, _| first_offered([CLASSICAL, POST_QUANTUM], groups), Preference::Classical, true),
    ];
    for (choose, preference, avoids_retries) in servers {
        let found = scan_with_choice(&[CLASSICAL, POST_QUANTUM], choose);
        let order = found.order.unwrap();
        assert_eq!((order.preference(), order.avoids_retries()), (preference, avoids_retries));
        assert_eq!(order.trials[3].groups, [CLASSICAL, POST_QUANTUM]);
        assert_eq!(order.trials[3].shares, [CLASSICAL]);
    }
}

#[test]
fn respects_the_interval_between_connections() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            // This server refuses every hello.
            let mut socket = socket;
            let _ = socket.read(&mut [0; 4096]).and_then(|_| socket.write_all(&[21, 3, 3, 0, 2, 2, 40]));
        }
    });
    let start = Instant::now();
    let found = Scan { interval: Duration::from_millis(50), ..scan(&address) }.run(|_, _| ()).unwrap();
    assert!(found.groups.is_empty() && !found.signatures_requested);
    assert!(start.elapsed() >= Duration::from_millis(50) * (found.connections - 1));
}

#[test]
fn reports_servers_without_tls_and_old_versions() {
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
    assert!(silent.to_string().contains("closes every connection without an answer"), "{silent}");
    assert_eq!(answering(&[21, 3, 1, 0, 2, 2, 70]).unwrap().old_version, Some(0));
    assert!(matches!(scan("127.0.0.1:1").run(|_, _| ()), Err(Error::Io { .. })));
}

/// The server's certificate and its signature have 49,856 bytes each.
#[test]
fn scans_the_longest_signatures() {
    let x25519 = kem_by_name("X25519").unwrap();
    let row = signature_by_name("SLH-DSA-SHA2-256f").unwrap();
    let found = scan_server(groups(&[x25519]), row.name());
    assert!(found.failures.is_empty(), "{:?}", found.failures);
    let [(scheme, chain)] = &found.signatures[..] else { panic!("{found:?}") };
    assert_eq!(Some(*scheme), row.tls_scheme);
    assert!(chain.len() > 49_856, "{} bytes", chain.len());
}

#[test]
fn retries_a_failed_handshake_with_the_next_group() {
    let found = scan_with_choice(&[CLASSICAL, POST_QUANTUM], |groups, _| groups[0]);
    assert!(found.signatures_requested && found.signatures.is_empty());
    let [one, other] = &found.failures[..] else { panic!("{:?}", found.failures) };
    let mut named = [one, other].map(|reason| reason.split_once(": ").unwrap().0);
    named.sort_unstable();
    assert_eq!(named, ["with X25519", "with X25519MLKEM768"]);
}

#[test]
fn refusal_of_every_scheme_is_not_a_failure() {
    let found =
        scan_with_answer(|hello| match hello.groups.contains(&CLASSICAL) && hello.shares.is_empty() {
            true => hello_retry_request(CLASSICAL),
            false => REFUSAL.to_vec(),
        });
    assert_eq!(found.codes(), [CLASSICAL]);
    assert!(found.signatures_requested && found.signatures.is_empty() && found.failures.is_empty());
}

/// Codepoint of ML-KEM-512, which belonged to FrodoKEM-640 until 2024.
const REUSED_CODEPOINT: u16 = 0x0200;

#[test]
fn key_shares_determine_the_meaning_of_a_reused_number() {
    const ML_KEM_512_SHARE_LEN: usize = 800;
    let serving = |answer: fn() -> Vec<u8>| {
        let found = scan_with_answer(move |hello| match hello.shares[..] {
            _ if !hello.groups.contains(&REUSED_CODEPOINT) => REFUSAL.to_vec(),
            [(REUSED_CODEPOINT, ML_KEM_512_SHARE_LEN)] => answer(),
            _ => hello_retry_request(REUSED_CODEPOINT),
        });
        let [group] = &found.groups[..] else { panic!("{found:?}") };
        let names: Vec<_> = group.meanings.iter().map(|meaning| meaning.name).collect();
        (names, found.signatures_requested)
    };
    let (own, others) = ("ML-KEM-512", "frodo640aes");
    assert_eq!(serving(|| server_hello_with_share(REUSED_CODEPOINT, 768)), (vec![own], true));
    // the server sends a share of the other algorithm, or it refuses the client's share
    assert_eq!(serving(|| server_hello_with_share(REUSED_CODEPOINT, 9720)), (vec![others], false));
    assert_eq!(serving(|| vec![21, 3, 3, 0, 2, 2, 50]), (vec![others], false));
    // the answer concerns another group, or there is none
    assert_eq!(serving(|| server_hello_with_share(CLASSICAL, 768)), (vec![own, others], false));
    assert_eq!(serving(Vec::new), (vec![own, others], false));
}

/// Sends `piece` repeatedly, with a pause after each, to every client. Returns the address.
fn start_slow_server(piece: &'static [u8], pause: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for mut socket in listener.incoming().flatten() {
            thread::spawn(move || {
                while socket.write_all(piece).is_ok() {
                    thread::sleep(pause);
                }
            });
        }
    });
    address
}

#[test]
fn slow_answers_do_not_extend_the_timeout() {
    // a handshake record of 5,654 bytes, which would take a minute
    let address = start_slow_server(&[22], Duration::from_millis(10));
    let mut scan = scan(&address);
    scan.timeout = Duration::from_millis(500);
    let error = scan.run(|_, _| ()).unwrap_err();
    assert!(error.to_string().contains("did not answer in time"), "{error}");
}

#[test]
fn slow_connections_do_not_exceed_the_time_limit() {
    // a server that closes each connection after a pause, well before the timeout of a connection
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            thread::sleep(Duration::from_millis(300));
            drop(socket);
        }
    });
    let mut scan = scan(&address);
    scan.batch = NonZeroUsize::new(1).unwrap();
    scan.time_limit = Duration::from_secs(1);
    let start = Instant::now();
    let error = scan.run(|_, _| ()).unwrap_err().to_string();
    assert!(error.contains("the scan exceeds its time limit of 1 s"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(6), "{:?}", start.elapsed());
}
