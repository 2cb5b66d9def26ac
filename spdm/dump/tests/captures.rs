//! Tests with captures of DMTF's emulators: every message is found, including messages in sessions, and no damage
//! causes a panic.

use grille_spdm_codec::algorithms::BaseHash;
use grille_spdm_codec::negotiate::Algorithms;
use grille_spdm_codec::pqc2021::Tables;
use grille_spdm_codec::{Code, Message, Sizes, Version, messages};
use grille_spdm_dump::pqc2021::{FRAGMENT_REQUEST, FRAGMENT_REQUEST_ACK};
use grille_spdm_dump::secrets::Secrets;
use grille_spdm_dump::{
    Container, Content, Dump, Entry, IncompleteReason, Sessions, Side, UndecryptedReason,
};
use std::time::{Duration, Instant};

/// A capture, its key log, and the messages of its sessions.
type Vector = (&'static [u8], &'static str, &'static str);

macro_rules! vector {
    ($name:literal) => {
        (
            include_bytes!(concat!("../../../vectors/spdm/", $name, ".pcap")),
            include_str!(concat!("../../../vectors/spdm/", $name, ".secrets")),
            include_str!(concat!("../../../vectors/spdm/", $name, ".plain")),
        )
    };
}

const MUTUAL_PSK: Vector = vector!("1.1-mutual-psk");
const CLASSICAL: Vector = vector!("1.2-classical");
const POST_QUANTUM: Vector = vector!("1.4-post-quantum");
const ALL: [Vector; 3] = [MUTUAL_PSK, CLASSICAL, POST_QUANTUM];

fn read(capture: &[u8], log: &str) -> Vec<Entry> {
    Dump::new(capture, Secrets::parse(log)).unwrap().collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn decoded_messages(entries: &[Entry]) -> impl Iterator<Item = (&Entry, &[u8])> {
    entries.iter().filter_map(|entry| match &entry.content {
        Content::Message { bytes, .. } => Some((entry, &bytes[..])),
        _ => None,
    })
}

#[test]
fn finds_all_messages_in_sessions() {
    for (capture, log, plain) in ALL {
        let entries = read(capture, log);
        let in_packets = |(entry, _): &(&Entry, &[u8])| {
            entry.session.is_some()
                && matches!(entry.content, Content::Message { within: Container::Packet, .. })
        };
        let found: Vec<String> =
            decoded_messages(&entries).filter(in_packets).map(|(_, bytes)| hex(bytes)).collect();
        let expected: Vec<&str> = plain.lines().collect();
        // The list of expected messages contains repeated messages only once.
        let mut rest = found.iter();
        for expected in &expected {
            assert!(rest.any(|found| found == expected), "{expected}");
        }
        assert!(found.iter().all(|found| expected.contains(&found.as_str())));
        let closed = entries.iter().filter(|entry| matches!(entry.content, Content::Record { .. })).count();
        assert_eq!(closed, 0);
    }
}

#[test]
fn decodes_every_message_completely() {
    for (capture, log, _) in ALL {
        for entry in read(capture, log) {
            let Content::Message { bytes, sizes, .. } = &entry.content else { continue };
            let len = messages::observe(bytes, sizes, &mut ()).unwrap();
            // PCI DOE pads messages to a multiple of four bytes (DW).
            assert!(bytes.len() - len < 4, "{}: {}", entry.packet, Code(bytes[1]));
        }
    }
}

#[test]
fn reassembles_large_messages() {
    let (capture, log, _) = POST_QUANTUM;
    let entries = read(capture, log);
    let large = decoded_messages(&entries)
        .filter(|(entry, _)| matches!(entry.content, Content::Message { within: Container::Chunks, .. }));
    let large: Vec<(Code, usize)> = large.map(|(_, bytes)| (Code(bytes[1]), bytes.len())).collect();
    assert!(large.contains(&(Code::KEY_EXCHANGE_RSP, 6297)), "{large:?}");
    assert!(large.iter().any(|(code, _)| *code == Code::CERTIFICATE));
}

/// The shared secrets of the sessions in [`ALL`] that KEY_EXCHANGE opened, from the requester's log. Those of the last
/// capture are from a KEM.
const SHARED: [[&str; 2]; 3] = [
    [
        "f3266316c358a058652f670eda787b3dfd56ee756b61bc8ce455d0a0337a917e",
        "a2559baa85f416d00c7bbeb5cac7c107e537a065db448cccfbee2b0e100d252c",
    ],
    [
        "c2db4ae5199c205abe296f265aa54678b5d56480c08d2471a50453ba81726aadde224bef73000a231fecb7de02cbe66a",
        "5aa15d20ec0584da4f42904e5a3d922d18ee1849eb2fb413cb51b932eb0e493c03172d2914f6dc5fd01f2da5b6edef5e",
    ],
    [
        "cbaf6089d7c22fd7521162eb24b833ba508395fe569e1c7c231473ae8b3ed4f5",
        "6c98cd7d1a72b713e24f948ff042f78cf97bd63fc46b81b5f19ad777b3f26701",
    ],
];

fn from_hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn decrypts_sessions_with_shared_secrets() {
    for (number, ((capture, log, _), shared)) in ALL.into_iter().zip(SHARED).enumerate() {
        // The pre-shared keys in the log remain; without them, PSK sessions would stay encrypted.
        let psks: Vec<&str> = log.lines().filter(|line| line.starts_with("psk ")).collect();
        let secrets = |shared: &[&str]| {
            shared.iter().map(|digits| from_hex(digits)).fold(Secrets::parse(&psks.join("\n")), |all, one| {
                if number == 2 {
                    all.with_shared_secret(&[], &one)
                } else {
                    all.with_shared_secret(&one, &[])
                }
            })
        };
        let opened = |shared: &[&str]| {
            let mut dump = Dump::new(capture, secrets(shared)).unwrap();
            dump.by_ref().for_each(drop);
            dump.sessions().opened
        };
        let (none, one) = (opened(&[]), opened(&shared[..1]));
        assert_eq!((one, opened(&shared)), (none + 1, none + 2), "{number}");
        let entries: Vec<Entry> = Dump::new(capture, secrets(&shared)).unwrap().collect();
        assert_eq!(entries, read(capture, log), "{number}");
    }
}

/// CHUNK_SEND_ACK of SPDM 1.2 has six bytes, and PCI DOE pads it to eight.
#[test]
fn padding_of_acknowledgement_is_not_a_message() {
    let file = [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0xFFFF, 292, 1, 0, 16, 16].map(u32::to_le_bytes).concat();
    let frame = [1, 0, 1, 0, 4, 0, 0, 0, 0x12, 0x05, 0, 7, 0, 0, 0, 0];
    let entries = read(&[&file[..], &frame].concat(), "");
    let messages: Vec<&[u8]> = decoded_messages(&entries).map(|(_, bytes)| bytes).collect();
    assert_eq!(messages, [&frame[8..]]);
}

#[test]
fn shows_encapsulated_messages() {
    let (capture, log, _) = MUTUAL_PSK;
    let entries = read(capture, log);
    let inner = decoded_messages(&entries)
        .filter(|(entry, _)| matches!(entry.content, Content::Message { within: Container::Message, .. }));
    let inner: Vec<(Side, Code)> = inner.map(|(entry, bytes)| (entry.from, Code(bytes[1]))).collect();
    assert!(inner.contains(&(Side::Responder, Code::GET_CERTIFICATE)), "{inner:?}");
    assert!(inner.contains(&(Side::Requester, Code::CERTIFICATE)));
}

#[test]
fn shows_plain_messages_without_secrets() {
    let (capture, log, _) = CLASSICAL;
    let entries = read(capture, "");
    let closed =
        |entry: &&Entry| matches!(entry.content, Content::Record { reason: UndecryptedReason::NoSecret, .. });
    assert_eq!(entries.iter().filter(closed).count(), 24);
    assert_eq!(decoded_messages(&entries).count(), 30);
    let other = log.replace("secret a", "secret b");
    let wrong =
        |entry: &Entry| matches!(entry.content, Content::Record { reason: UndecryptedReason::WrongKey, .. });
    assert!(read(capture, &other).iter().any(wrong));
}

#[test]
fn counts_encrypted_and_decrypted_sessions() {
    let counted = |capture: &[u8], log: &str| {
        let mut dump = Dump::new(capture, Secrets::parse(log)).unwrap();
        dump.by_ref().for_each(drop);
        dump.sessions()
    };
    for (capture, log, _) in ALL {
        let all = counted(capture, log);
        assert!(all.sealed > 0 && all.opened == all.sealed, "{all:?}");
        assert_eq!(counted(capture, ""), Sessions { opened: 0, ..all });
        // Only the records, without the messages that start their sessions.
        let late: Vec<u8> =
            packets(capture).into_iter().filter(|packet| is_record(packet)).flatten().collect();
        let late = counted(&[&capture[..24], &late].concat(), log);
        assert!((1..=all.sealed).contains(&late.sealed) && late.opened == 0, "{late:?}");
    }
    // The file contains two captures, and the log only the secrets of the first one.
    let (capture, log, _) = CLASSICAL;
    let (once, twice) = (counted(capture, log), counted(&[capture, &capture[24..]].concat(), log));
    assert_eq!(twice, Sessions { sealed: 2 * once.sealed, ..once });
}

/// Returns the packets of a capture, each with its header.
fn packets(capture: &[u8]) -> Vec<Vec<u8>> {
    let mut rest = &capture[24..];
    let mut packets = Vec::new();
    while !rest.is_empty() {
        let len = 16 + u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        packets.push(rest[..len].to_vec());
        rest = &rest[len..];
    }
    packets
}

/// Four megabytes of negotiation, and 20,000 sessions that start with it. Hashing it again for each session would
/// take a minute.
#[test]
fn cost_is_linear_in_capture_length() {
    let (capture, ..) = MUTUAL_PSK;
    let packets = packets(capture);
    // A message follows the headers of the captured packet and of the data object.
    let find_message =
        |code: Code| packets.iter().find(|packet| packet[16..19] == [1, 0, 1] && packet[25] == code.0);
    let negotiation = [
        Code::GET_VERSION,
        Code::VERSION,
        Code::GET_CAPABILITIES,
        Code::CAPABILITIES,
        Code::NEGOTIATE_ALGORITHMS,
        Code::ALGORITHMS,
    ];
    let [get_version, rest @ ..] = negotiation.map(|code| find_message(code).unwrap().clone());
    // The VERSION response has 255 entries.
    let version = [&[1, 0, 1, 0, 131, 0, 0, 0, 0x10, 4, 0, 0, 0, 255][..], &[0x10; 2 * 255]].concat();
    let len = (version.len() as u32).to_le_bytes();
    let versions = [&[0; 8][..], &len, &len, &version].concat().repeat(8000);
    let session =
        [Code::PSK_EXCHANGE, Code::PSK_EXCHANGE_RSP].map(|code| find_message(code).unwrap().clone()).concat();
    let long = [&capture[..24], &get_version, &versions, &rest.concat(), &session.repeat(20_000)].concat();
    let start = Instant::now();
    assert_eq!(Dump::new(&long, Secrets::parse("psk 00")).unwrap().count(), 6 + 8000 + 40_000);
    assert!(start.elapsed() < Duration::from_secs(15));
}

/// Returns whether the packet holds a secured message: type 6 of MCTP, type 2 of PCI DOE.
fn is_record(packet: &[u8]) -> bool {
    packet[20] == 6 || packet[16..20] == [1, 0, 2, 0]
}

#[test]
fn decrypts_after_altered_record() {
    for (capture, log, _) in ALL {
        let whole = read(capture, log);
        // Keys of a PSK session depend on the whole handshake.
        let handshake = |entry: &Entry| match &entry.content {
            Content::Message { bytes, .. } => {
                [Code::PSK_FINISH, Code::PSK_FINISH_RSP].contains(&Code(bytes[1]))
            }
            _ => false,
        };
        let kept = whole.iter().filter(|entry| entry.session.is_some() && !handshake(entry));
        let sessions: Vec<usize> = kept.map(|entry| entry.packet).collect();
        for packet in sessions.iter().step_by(5) {
            let mut altered = capture.to_vec();
            // The packets are adjacent, each with a header of 16 bytes. The last byte belongs to the tag, or to
            // padding to four bytes.
            let ends = (0..*packet).scan(24, |at, _| {
                let len = u32::from_le_bytes(altered[*at + 8..*at + 12].try_into().unwrap()) as usize;
                *at += 16 + len;
                Some(*at)
            });
            let end = ends.last().unwrap();
            altered[end - 5] ^= 1;
            let entries = read(&altered, log);
            let closed: Vec<usize> = entries
                .iter()
                .filter(|entry| matches!(entry.content, Content::Record { .. }))
                .map(|entry| entry.packet)
                .collect();
            assert_eq!(closed, [*packet]);
        }
    }
}

/// Inserts these packets before each packet of an MCTP capture, and at its end.
fn with_packets_between(capture: &[u8], more: &[&[u8]]) -> Vec<u8> {
    let record = |packet: &[u8]| {
        let len = (packet.len() as u32).to_le_bytes();
        [&[0; 8][..], &len, &len, packet].concat()
    };
    let more = more.iter().map(|packet| record(packet)).collect::<Vec<_>>().concat();
    let (mut altered, mut rest) = (capture[..24].to_vec(), &capture[24..]);
    while !rest.is_empty() {
        let len = 16 + u32::from_le_bytes(rest[8..12].try_into().unwrap()) as usize;
        altered.extend_from_slice(&more);
        altered.extend_from_slice(&rest[..len]);
        rest = &rest[len..];
    }
    altered.extend_from_slice(&more);
    altered
}

#[test]
fn finds_all_messages_despite_incomplete_ones() {
    // The start of a CERTIFICATE, in two packets with the addresses and tag of all others.
    let more: [&[u8]; 2] = [&[0, 0, 0, 0x80, 5, 0x12, 2, 0], &[0, 0, 0, 0x10, 9, 9]];
    for (capture, log, _) in [CLASSICAL, POST_QUANTUM] {
        let whole = read(capture, log);
        let packets = whole.last().unwrap().packet;
        let altered = with_packets_between(capture, &more);
        let (lost, mut others): (Vec<Entry>, Vec<Entry>) = read(&altered, log)
            .into_iter()
            .partition(|entry| matches!(entry.content, Content::Unfinished { .. }));
        // Two inserted packets precede each original packet.
        others.iter_mut().for_each(|entry| entry.packet /= 3);
        assert!(others == whole);
        assert_eq!(lost.len(), packets + 1);
        for (i, entry) in lost.iter().enumerate() {
            let reason = if i == packets { IncompleteReason::AtTheEnd } else { IncompleteReason::Replaced };
            let bytes = vec![5, 0x12, 2, 0, 9, 9];
            let content = Content::Unfinished { first: 3 * i + 1, bytes, reason, is_dialect: false };
            assert_eq!((entry.packet, entry.from, &entry.content), (3 * i + 2, Side::Responder, &content));
        }
    }
}

/// Without the dialect, the message would be SET_KEY_PAIR_INFO.
#[test]
fn incomplete_fragments_belong_to_the_dialect() {
    let mut buffer = [0; Tables::MAX_LEN];
    let tables = Tables::default().write(&mut buffer).unwrap();
    let message = Algorithms { base_hash: BaseHash::SHA_384, tables, ..Algorithms::default() };
    let mut algorithms = [0; 128];
    let len = message.encode(Version::V1_1, &Sizes::default(), &mut algorithms).unwrap();
    let file = [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0xFFFF, 291, 1, 0, 8, 8].map(u32::to_le_bytes).concat();
    let packet = [0, 0, 0, 0x80, 5, 0x11, FRAGMENT_REQUEST.0, 1];
    let capture = [&file[..], &packet].concat();
    for (negotiation, is_dialect) in [(None, false), (Some(&algorithms[..len]), true)] {
        let dump = Dump::new(&capture, Secrets::default()).unwrap();
        let entries: Vec<Entry> = dump.with_negotiation(negotiation.into_iter()).collect();
        let [entry] = &entries[..] else { panic!("{entries:?}") };
        let (bytes, reason) = (packet[4..].to_vec(), IncompleteReason::AtTheEnd);
        assert_eq!(entry.content, Content::Unfinished { first: 1, bytes, reason, is_dialect });
    }
}

/// ALGORITHMS decides if the capture has it.
#[test]
fn assumes_the_dialect_without_a_negotiation() {
    let file = [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0xFFFF, 291, 1, 0, 13, 13].map(u32::to_le_bytes).concat();
    let packet = [0, 0, 0, 0xC0, 5, 0x11, FRAGMENT_REQUEST_ACK.0, 0, 0x7F, 0, 0, 0, 0];
    let capture = [&file[..], &packet].concat();
    for is_dialect in [false, true] {
        let dump = Dump::new(&capture, Secrets::default()).unwrap().with_dialect(is_dialect);
        let entries: Vec<Entry> = dump.collect();
        let [Entry { content: Content::Message { dialect, .. }, .. }] = &entries[..] else {
            panic!("{entries:?}")
        };
        assert_eq!(dialect.is_some(), is_dialect);
    }
    let (capture, log, _) = CLASSICAL;
    let dump = Dump::new(capture, Secrets::parse(log)).unwrap().with_dialect(true);
    let is_standard = |entry: &Entry| match &entry.content {
        Content::Message { bytes, dialect, .. } => bytes[1] & 0x7F < 4 && dialect.is_none(),
        _ => false,
    };
    assert!(dump.filter(is_standard).count() > 4);
}

/// A truncated file yields the entries of the whole file, except that the last entry may differ.
#[test]
fn reads_every_truncation_to_its_end() {
    for (capture, log, _) in ALL {
        let whole = read(capture, log);
        // Tests every length up to 6000 bytes, then every 97th length.
        for len in (0..6000).chain((6000..capture.len()).step_by(97)) {
            let Ok(dump) = Dump::new(&capture[..len.min(capture.len())], Secrets::parse(log)) else {
                assert!(len < 24, "{len}");
                continue;
            };
            let entries: Vec<Entry> = dump.collect();
            let same = entries.iter().zip(&whole).take_while(|(cut, whole)| cut == whole).count();
            assert!(same + 1 >= entries.len(), "{len}");
        }
    }
}

#[test]
fn damage_causes_no_panic() {
    let (mut state, mut seen) = (1_u64, 0);
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize
    };
    for (capture, log, _) in [MUTUAL_PSK, CLASSICAL] {
        for _ in 0..500 {
            let mut damaged = capture.to_vec();
            for _ in 0..=random() % 8 {
                let at = 24 + random() % (damaged.len() - 24);
                damaged[at] = random() as u8;
            }
            seen += read(&damaged, log).len();
        }
    }
    assert!(seen > 10_000, "{seen}");
}

#[test]
fn rejects_other_files() {
    let (mut capture, log) = (CLASSICAL.0.to_vec(), CLASSICAL.1);
    capture[20] = 1;
    let refused = Dump::new(&capture, Secrets::parse(log)).map(|_| ()).unwrap_err();
    assert_eq!(refused.name, "link type");
    assert!(Dump::new(log.as_bytes(), Secrets::default()).is_err());
}
