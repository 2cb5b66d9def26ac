//! Tests with captures of handshakes, built here from known bytes.

use super::*;
use etherparse::PacketBuilder;
use std::time::{Duration, Instant};

const CLIENT: ([u8; 4], u16) = ([192, 0, 2, 1], 50_000);
const SERVER: ([u8; 4], u16) = ([192, 0, 2, 2], 443);

/// Builds a handshake record with one message.
fn record(kind: u8, body: &[u8]) -> Vec<u8> {
    let message = [&[kind, 0][..], &(body.len() as u16).to_be_bytes(), body].concat();
    [&[22, 3, 1][..], &(message.len() as u16).to_be_bytes(), &message].concat()
}

/// Builds a ClientHello with X25519MLKEM768 alone and a share of 1216 bytes.
fn client_hello() -> Vec<u8> {
    let share = [&[0x11, 0xEC, 4, 0xC0][..], &[7; 1216]].concat();
    let share = [&[0, 51][..], &1222_u16.to_be_bytes(), &1220_u16.to_be_bytes(), &share].concat();
    let extensions = [&[0, 43, 0, 3, 2, 3, 4, 0, 10, 0, 4, 0, 2, 0x11, 0xEC][..], &share].concat();
    let head = [&[3, 3][..], &[7; 32], &[0, 0, 2, 0x13, 2, 1, 0]].concat();
    record(1, &[&head[..], &(extensions.len() as u16).to_be_bytes(), &extensions].concat())
}

fn server_hello() -> Vec<u8> {
    let extensions = [0, 43, 0, 2, 3, 4, 0, 51, 0, 6, 0x11, 0xEC, 0, 2, 1, 2];
    record(2, &[&[3, 3][..], &[9; 32], &[0, 0x13, 2, 0, 0, 16], &extensions].concat())
}

/// Builder of an Ethernet capture.
struct CaptureBuilder {
    bytes: Vec<u8>,
    /// Next sequence number of each side.
    next: [u32; 2],
}

impl CaptureBuilder {
    fn new() -> Self {
        let mut bytes = 0xA1B2_C3D4_u32.to_le_bytes().to_vec();
        bytes.extend([2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0]);
        // makes the client's sequence numbers wrap around after a hundred bytes
        let mut tap = Self { bytes, next: [u32::MAX - 100, 7] };
        tap.packet(0, 0, true, &[]);
        tap.packet(1, 0, true, &[]);
        tap.next = tap.next.map(|next| next.wrapping_add(1));
        tap
    }

    /// Adds a packet from a side. Its sequence number is the side's next one plus `offset`.
    fn packet(&mut self, side: usize, offset: i32, syn: bool, data: &[u8]) {
        let (from, to) = if side == 0 { (CLIENT, SERVER) } else { (SERVER, CLIENT) };
        let number = self.next[side].wrapping_add_signed(offset);
        let packet = PacketBuilder::ethernet2([2; 6], [4; 6]).ipv4(from.0, to.0, 64);
        let mut packet = packet.tcp(from.1, to.1, number, 65_535);
        if syn {
            packet = packet.syn();
        }
        if side == 1 {
            packet = packet.ack(0);
        }
        let mut bytes = Vec::new();
        packet.write(&mut bytes, data).unwrap();
        let len = (bytes.len() as u32).to_le_bytes();
        self.bytes.extend([&[0; 8][..], &len, &len, &bytes].concat());
    }

    /// Adds the packets that carry these bytes in order, in segments of at most `segment` bytes.
    fn send(&mut self, side: usize, segment: usize, bytes: &[u8]) {
        for piece in bytes.chunks(segment) {
            self.packet(side, 0, false, piece);
            self.next[side] = self.next[side].wrapping_add(piece.len() as u32);
        }
    }
}

fn only_conversation(capture: &Capture) -> &Conversation {
    assert_eq!(capture.conversations.len(), 1);
    &capture.conversations[0]
}

fn handshake() -> CaptureBuilder {
    let mut tap = CaptureBuilder::new();
    tap.send(0, 500, &client_hello());
    tap.send(1, 1400, &server_hello());
    // All records after change_cipher_spec are encrypted.
    tap.send(1, 1400, &[20, 3, 3, 0, 1, 1, 23, 3, 3, 0, 2, 5, 5]);
    tap
}

#[test]
fn finds_both_hellos_in_segments_of_any_length() {
    let capture = read(&handshake().bytes);
    assert_eq!((capture.packets, capture.damaged, capture.unsupported_link), (7, false, None));
    let conversation = only_conversation(&capture);
    assert_eq!(
        (conversation.client.to_string(), conversation.server.to_string()),
        ("192.0.2.1:50000".into(), "192.0.2.2:443".into())
    );
    let [(offer, offered), (choice, chosen)] = conversation.hellos.as_slice() else {
        panic!("{conversation:?}")
    };
    assert_eq!((offer.kind, offer.shares.as_slice()), (Kind::ClientHello, &[(0x11EC, 1216)][..]));
    assert_eq!((choice.kind, choice.shares.as_slice()), (Kind::ServerHello, &[(0x11EC, 2)][..]));
    assert_eq!((*offered, *chosen), (client_hello().len() - 5, server_hello().len() - 5));
    assert!(conversation.complete);
}

#[test]
fn tolerates_reordered_and_repeated_segments() {
    let mut tap = CaptureBuilder::new();
    let hello = client_hello();
    let (first, second) = hello.split_at(600);
    tap.packet(0, 600, false, second);
    tap.packet(0, 0, false, first);
    tap.packet(0, 590, false, &hello[590..700]);
    let capture = read(&tap.bytes);
    assert_eq!(only_conversation(&capture).hellos.len(), 1);
    assert!(only_conversation(&capture).complete);
}

#[test]
fn reports_missing_bytes() {
    let mut tap = CaptureBuilder::new();
    tap.send(0, 2000, &client_hello());
    tap.send(1, 2000, &server_hello()[..40]);
    let capture = read(&tap.bytes);
    assert_eq!(only_conversation(&capture).hellos.len(), 1);
    assert!(!only_conversation(&capture).complete);
}

#[test]
fn finds_a_second_hello_and_an_alert() {
    let mut tap = CaptureBuilder::new();
    tap.send(0, 2000, &[client_hello(), vec![20, 3, 3, 0, 1, 1], client_hello()].concat());
    tap.send(1, 2000, &[server_hello(), vec![21, 3, 3, 0, 2, 2, 47]].concat());
    let capture = read(&tap.bytes);
    let kinds: Vec<_> = only_conversation(&capture).hellos.iter().map(|(hello, _)| hello.kind).collect();
    assert_eq!(kinds, [Kind::ClientHello, Kind::ServerHello, Kind::ClientHello]);
    assert_eq!(
        (only_conversation(&capture).client_alert, only_conversation(&capture).server_alert),
        (None, Some(47))
    );
}

#[test]
fn reused_ports_start_another_connection() {
    let mut tap = handshake();
    let second = CaptureBuilder { next: [3_000_000, 9], ..CaptureBuilder::new() };
    tap.next = second.next;
    tap.packet(0, -1, true, &[]);
    tap.send(0, 2000, &client_hello());
    let capture = read(&tap.bytes);
    let hellos: Vec<_> = capture.conversations.iter().map(|conversation| conversation.hellos.len()).collect();
    assert_eq!(hellos, [2, 1]);
}

#[test]
fn reads_truncated_and_altered_captures_as_far_as_possible() {
    let bytes = handshake().bytes;
    for len in 0..bytes.len() {
        assert!(read(&bytes[..len]).conversations.len() <= 1);
    }
    assert!(read(&bytes[..bytes.len() - 1]).damaged);
    for index in 0..bytes.len() {
        let mut altered = bytes.clone();
        altered[index] ^= 0x41;
        assert!(read(&altered).packets <= 8);
    }
}

/// After ChangeCipherSpec, the parser checks for every record whether the last message is incomplete. If each check
/// started from the first message, these records of one byte would take minutes.
#[test]
fn parses_many_short_records_in_linear_time() {
    let record = |content| [22, 3, 3, 0, 1, content];
    let hello = [1, 0, 0, 0].map(record).concat();
    let start = Instant::now();
    let half = handshake::read(&[&[20, 3, 3, 0, 1, 1], &hello.repeat(90_000)[..]].concat());
    assert!(half.complete && half.hellos.is_empty());
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn reports_unsupported_link_types() {
    let mut bytes = handshake().bytes;
    // MCTP, as in captures of SPDM
    bytes[20..22].copy_from_slice(&291_u16.to_le_bytes());
    let capture = read(&bytes);
    assert_eq!((capture.unsupported_link, capture.conversations.len()), (Some(291), 0));
}

#[test]
fn recognises_captures_by_their_first_bytes() {
    assert!(is_capture(&handshake().bytes));
    assert!(is_capture(&[0x0A, 0x0D, 0x0D, 0x0A, 0]));
    assert!(!is_capture(b"-----BEGIN"));
    assert!(!is_capture(&[0xA1]));
}
