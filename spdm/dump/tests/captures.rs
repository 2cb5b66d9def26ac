//! Captures of DMTF's emulators: every message of theirs is found, in sessions too, and no damage makes the reader panic.

use grille_spdm_codec::{Code, messages};
use grille_spdm_dump::secrets::Secrets;
use grille_spdm_dump::{Closed, Content, Dump, Lost, Said, Sessions, Side, Within};
use std::time::{Duration, Instant};

/// A capture, its key log, and what was said in its sessions.
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

fn read(capture: &[u8], log: &str) -> Vec<Said> {
    Dump::new(capture, Secrets::parse(log)).unwrap().collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn messages_of(said: &[Said]) -> impl Iterator<Item = (&Said, &[u8])> {
    said.iter().filter_map(|said| match &said.content {
        Content::Message { bytes, .. } => Some((said, &bytes[..])),
        _ => None,
    })
}

#[test]
fn all_that_was_said_in_sessions_is_found() {
    for (capture, log, plain) in ALL {
        let said = read(capture, log);
        let in_packets = |(said, _): &(&Said, &[u8])| {
            said.session.is_some() && matches!(said.content, Content::Message { within: Within::Packet, .. })
        };
        let found: Vec<String> = messages_of(&said).filter(in_packets).map(|(_, bytes)| hex(bytes)).collect();
        let expected: Vec<&str> = plain.lines().collect();
        // of what was said more than once the list has one
        let mut rest = found.iter();
        for expected in &expected {
            assert!(rest.any(|found| found == expected), "{expected}");
        }
        assert!(found.iter().all(|found| expected.contains(&found.as_str())));
        let closed = said.iter().filter(|said| matches!(said.content, Content::Record { .. })).count();
        assert_eq!(closed, 0);
    }
}

#[test]
fn every_message_is_read_to_its_end() {
    for (capture, log, _) in ALL {
        for said in read(capture, log) {
            let Content::Message { bytes, sizes, .. } = &said.content else { continue };
            let len = messages::observe(bytes, sizes, &mut ()).unwrap();
            // PCI DOE fills up its last DW
            assert!(bytes.len() - len < 4, "{}: {}", said.packet, Code(bytes[1]));
        }
    }
}

#[test]
fn large_messages_are_put_together() {
    let (capture, log, _) = POST_QUANTUM;
    let said = read(capture, log);
    let large = messages_of(&said)
        .filter(|(said, _)| matches!(said.content, Content::Message { within: Within::Chunks, .. }));
    let large: Vec<(Code, usize)> = large.map(|(_, bytes)| (Code(bytes[1]), bytes.len())).collect();
    assert!(large.contains(&(Code::KEY_EXCHANGE_RSP, 6297)), "{large:?}");
    assert!(large.iter().any(|(code, _)| *code == Code::CERTIFICATE));
}

/// CHUNK_SEND_ACK of 1.2 has six bytes, and PCI DOE counts in four.
#[test]
fn what_pci_doe_adds_to_an_acknowledgement_is_no_message() {
    let file = [0xA1B2_C3D4, 0x0004_0002, 0, 0, 0xFFFF, 292, 1, 0, 16, 16].map(u32::to_le_bytes).concat();
    let frame = [1, 0, 1, 0, 4, 0, 0, 0, 0x12, 0x05, 0, 7, 0, 0, 0, 0];
    let said = read(&[&file[..], &frame].concat(), "");
    let messages: Vec<&[u8]> = messages_of(&said).map(|(_, bytes)| bytes).collect();
    assert_eq!(messages, [&frame[8..]]);
}

#[test]
fn messages_in_messages_are_shown() {
    let (capture, log, _) = MUTUAL_PSK;
    let said = read(capture, log);
    let inner = messages_of(&said)
        .filter(|(said, _)| matches!(said.content, Content::Message { within: Within::Message, .. }));
    let inner: Vec<(Side, Code)> = inner.map(|(said, bytes)| (said.from, Code(bytes[1]))).collect();
    assert!(inner.contains(&(Side::Responder, Code::GET_CERTIFICATE)), "{inner:?}");
    assert!(inner.contains(&(Side::Requester, Code::CERTIFICATE)));
}

#[test]
fn without_the_secrets_records_stay_closed_and_all_else_is_found() {
    let (capture, log, _) = CLASSICAL;
    let said = read(capture, "");
    let closed = |said: &&Said| matches!(said.content, Content::Record { why: Closed::NoSecret, .. });
    assert_eq!(said.iter().filter(closed).count(), 24);
    assert_eq!(messages_of(&said).count(), 30);
    let other = log.replace("secret a", "secret b");
    let wrong = |said: &Said| matches!(said.content, Content::Record { why: Closed::WrongKey, .. });
    assert!(read(capture, &other).iter().any(wrong));
}

#[test]
fn sessions_with_records_are_counted_and_those_that_were_opened() {
    let counted = |capture: &[u8], log: &str| {
        let mut dump = Dump::new(capture, Secrets::parse(log)).unwrap();
        dump.by_ref().for_each(drop);
        dump.sessions()
    };
    for (capture, log, _) in ALL {
        let all = counted(capture, log);
        assert!(all.sealed > 0 && all.opened == all.sealed, "{all:?}");
        assert_eq!(counted(capture, ""), Sessions { opened: 0, ..all });
        // nothing but records, of sessions that nobody saw begin
        let late: Vec<u8> =
            packets(capture).into_iter().filter(|packet| is_record(packet)).flatten().collect();
        let late = counted(&[&capture[..24], &late].concat(), log);
        assert!((1..=all.sealed).contains(&late.sealed) && late.opened == 0, "{late:?}");
    }
    // one after the other in one file, with the secrets of the first
    let (capture, log, _) = CLASSICAL;
    let (once, twice) = (counted(capture, log), counted(&[capture, &capture[24..]].concat(), log));
    assert_eq!(twice, Sessions { sealed: 2 * once.sealed, ..once });
}

/// The packets of a capture, each with its header.
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

/// Four megabytes of negotiation, and 20,000 sessions that begin with it: all of it hashed for each would be a minute's work.
#[test]
fn what_a_capture_costs_grows_with_its_length_alone() {
    let (capture, ..) = MUTUAL_PSK;
    let packets = packets(capture);
    // behind the headers of capture and data object
    let of = |code: Code| packets.iter().find(|packet| packet[16..19] == [1, 0, 1] && packet[25] == code.0);
    let negotiation = [
        Code::GET_VERSION,
        Code::VERSION,
        Code::GET_CAPABILITIES,
        Code::CAPABILITIES,
        Code::NEGOTIATE_ALGORITHMS,
        Code::ALGORITHMS,
    ];
    let [asked, rest @ ..] = negotiation.map(|code| of(code).unwrap().clone());
    // with 255 entries
    let version = [&[1, 0, 1, 0, 131, 0, 0, 0, 0x10, 4, 0, 0, 0, 255][..], &[0x10; 2 * 255]].concat();
    let len = (version.len() as u32).to_le_bytes();
    let versions = [&[0; 8][..], &len, &len, &version].concat().repeat(8000);
    let session = [Code::PSK_EXCHANGE, Code::PSK_EXCHANGE_RSP].map(|code| of(code).unwrap().clone()).concat();
    let long = [&capture[..24], &asked, &versions, &rest.concat(), &session.repeat(20_000)].concat();
    let began = Instant::now();
    assert_eq!(Dump::new(&long, Secrets::parse("psk 00")).unwrap().count(), 6 + 8000 + 40_000);
    assert!(began.elapsed() < Duration::from_secs(15));
}

/// Whether there is a secured message in it: type 6 of MCTP, type 2 of PCI DOE.
fn is_record(packet: &[u8]) -> bool {
    packet[20] == 6 || packet[16..20] == [1, 0, 2, 0]
}

#[test]
fn after_an_altered_record_the_session_is_read_on() {
    for (capture, log, _) in ALL {
        let whole = read(capture, log);
        // keys of a session with a key known beforehand follow from the whole handshake
        let handshake = |said: &Said| match &said.content {
            Content::Message { bytes, .. } => {
                [Code::PSK_FINISH, Code::PSK_FINISH_RSP].contains(&Code(bytes[1]))
            }
            _ => false,
        };
        let kept = whole.iter().filter(|said| said.session.is_some() && !handshake(said));
        let sessions: Vec<usize> = kept.map(|said| said.packet).collect();
        for packet in sessions.iter().step_by(5) {
            let mut altered = capture.to_vec();
            // the packets follow each other, each with a header of 16 bytes; the last byte is of the tag, or padding to four
            let ends = (0..*packet).scan(24, |at, _| {
                let len = u32::from_le_bytes(altered[*at + 8..*at + 12].try_into().unwrap()) as usize;
                *at += 16 + len;
                Some(*at)
            });
            let end = ends.last().unwrap();
            altered[end - 5] ^= 1;
            let said = read(&altered, log);
            let closed: Vec<usize> = said
                .iter()
                .filter(|said| matches!(said.content, Content::Record { .. }))
                .map(|said| said.packet)
                .collect();
            assert_eq!(closed, [*packet]);
        }
    }
}

/// A capture of MCTP with these packets more before each of its own, and at its end.
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
fn messages_that_lack_packets_are_told_and_all_else_is_found() {
    // the begin of CERTIFICATE, in two packets of the ends and the tag of all others
    let more: [&[u8]; 2] = [&[0, 0, 0, 0x80, 5, 0x12, 2, 0], &[0, 0, 0, 0x10, 9, 9]];
    for (capture, log, _) in [CLASSICAL, POST_QUANTUM] {
        let whole = read(capture, log);
        let packets = whole.last().unwrap().packet;
        let altered = with_packets_between(capture, &more);
        let (lost, mut others): (Vec<Said>, Vec<Said>) = read(&altered, log)
            .into_iter()
            .partition(|said| matches!(said.content, Content::Unfinished { .. }));
        // two packets stand before each
        others.iter_mut().for_each(|said| said.packet /= 3);
        assert!(others == whole);
        assert_eq!(lost.len(), packets + 1);
        for (i, said) in lost.iter().enumerate() {
            let why = if i == packets { Lost::AtTheEnd } else { Lost::Replaced };
            let content = Content::Unfinished { first: 3 * i + 1, bytes: vec![5, 0x12, 2, 0, 9, 9], why };
            assert_eq!((said.packet, said.from, &said.content), (3 * i + 2, Side::Responder, &content));
        }
    }
}

/// Every beginning of a file is read as far as it goes, and all that is there is the same.
#[test]
fn every_truncation_is_read_up_to_its_end() {
    for (capture, log, _) in ALL {
        let whole = read(capture, log);
        // every length of the first messages, then every 97th
        for len in (0..6000).chain((6000..capture.len()).step_by(97)) {
            let Ok(dump) = Dump::new(&capture[..len.min(capture.len())], Secrets::parse(log)) else {
                assert!(len < 24, "{len}");
                continue;
            };
            let said: Vec<Said> = dump.collect();
            let same = said.iter().zip(&whole).take_while(|(cut, whole)| cut == whole).count();
            assert!(same + 1 >= said.len(), "{len}");
        }
    }
}

#[test]
fn damage_does_not_make_it_panic() {
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
fn other_files_are_refused() {
    let (mut capture, log) = (CLASSICAL.0.to_vec(), CLASSICAL.1);
    capture[20] = 1;
    let refused = Dump::new(&capture, Secrets::parse(log)).map(|_| ()).unwrap_err();
    assert_eq!(refused.what, "link type");
    assert!(Dump::new(log.as_bytes(), Secrets::default()).is_err());
}
