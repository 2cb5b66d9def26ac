//! Reassembly of the TCP streams of each connection.

use etherparse::{LaxNetSlice, LaxSlicedPacket, TcpSlice, TransportSlice};
use pcap_parser::Linktype;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

/// Maximum number of bytes kept of a stream; hellos are far shorter.
const MAX_STREAM_LEN: usize = 1 << 18;

/// One connection.
#[derive(Debug)]
pub(crate) struct Flow {
    /// Addresses of both sides, starting with the sender of the first packet.
    pub(crate) ends: [SocketAddr; 2],
    /// Streams of the two sides, in the order of `ends`.
    pub(crate) halves: [Stream; 2],
}

/// Bytes that one side sent: pieces, each with its offset from the first byte.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    /// Sequence number of the first byte.
    first: Option<u32>,
    pieces: Vec<(usize, Vec<u8>)>,
    /// Total length of all pieces.
    total_len: usize,
}

/// Connections of a capture, extended packet by packet.
#[derive(Default)]
pub(crate) struct Flows {
    all: Vec<Flow>,
    /// For a sender and a receiver, the index of their latest connection, and the index of the sender's half.
    newest: HashMap<[SocketAddr; 2], (usize, usize)>,
}

impl Flows {
    /// Adds a packet. Returns `false` if the link type is not supported.
    pub(crate) fn add_packet(&mut self, link: Linktype, bytes: &[u8]) -> bool {
        let Some(packet) = parse_ip(link, bytes) else { return false };
        let Ok(packet) = packet else { return true };
        let ends = packet.net.as_ref().and_then(addresses);
        if let (Some([from, to]), Some(TransportSlice::Tcp(tcp))) = (ends, &packet.transport) {
            let ends =
                [SocketAddr::new(from, tcp.source_port()), SocketAddr::new(to, tcp.destination_port())];
            self.add_segment(ends, tcp);
        }
        true
    }

    /// Returns the connections in the order of their first packets.
    pub(crate) fn into_flows(self) -> Vec<Flow> {
        self.all
    }

    fn add_segment(&mut self, ends: [SocketAddr; 2], tcp: &TcpSlice<'_>) {
        let known = self.newest.get(&ends).copied();
        // a new SYN on the same ports starts another connection; a repeated SYN does not
        let another = |(flow, half): (usize, usize)| {
            let first = self.all[flow].halves[half].first;
            tcp.syn() && first.is_some_and(|first| first != sequence_number(tcp))
        };
        let (flow, half) = known.filter(|offset| !another(*offset)).unwrap_or_else(|| self.add_flow(ends));
        self.all[flow].halves[half].add_payload(tcp);
    }

    fn add_flow(&mut self, ends: [SocketAddr; 2]) -> (usize, usize) {
        let flow = self.all.len();
        self.all.push(Flow { ends, halves: Default::default() });
        self.newest.insert([ends[1], ends[0]], (flow, 1));
        self.newest.insert(ends, (flow, 0));
        (flow, 0)
    }
}

impl Stream {
    fn add_payload(&mut self, tcp: &TcpSlice<'_>) {
        let first = *self.first.get_or_insert(sequence_number(tcp));
        let (offset, bytes) = (sequence_number(tcp).wrapping_sub(first) as usize, tcp.payload());
        // retransmitted bytes are kept twice, hence the second bound
        if !bytes.is_empty() && offset < MAX_STREAM_LEN && self.total_len < 2 * MAX_STREAM_LEN {
            self.pieces.push((offset, bytes.to_vec()));
            self.total_len += bytes.len();
        }
    }

    /// Returns the bytes up to the first gap.
    pub(crate) fn contiguous_bytes(&self) -> Vec<u8> {
        let mut pieces: Vec<_> = self.pieces.iter().collect();
        pieces.sort_by_key(|(offset, _)| *offset);
        let mut stream = Vec::new();
        for (offset, bytes) in pieces {
            // the first of several overlapping pieces is used; pieces after a gap are dropped
            let Some(known) = stream.len().checked_sub(*offset) else { break };
            stream.extend_from_slice(bytes.get(known..).unwrap_or_default());
        }
        stream
    }
}

/// Returns the sequence number of the first data byte: SYN occupies one number.
fn sequence_number(tcp: &TcpSlice<'_>) -> u32 {
    tcp.sequence_number().wrapping_add(tcp.syn().into())
}

/// Parses the packet after the link header. Returns `None` if the link type is not supported.
fn parse_ip(link: Linktype, bytes: &[u8]) -> Option<Result<LaxSlicedPacket<'_>, ()>> {
    let header = match link {
        Linktype::ETHERNET => return Some(LaxSlicedPacket::from_ethernet(bytes).map_err(drop)),
        Linktype::RAW | Linktype::IPV4 | Linktype::IPV6 => 0,
        // the link header is the address family
        Linktype::NULL | Linktype::LOOP => 4,
        Linktype::LINUX_SLL => 16,
        Linktype::LINUX_SLL2 => 20,
        _ => return None,
    };
    let packet = bytes.get(header..).ok_or(());
    Some(packet.and_then(|packet| LaxSlicedPacket::from_ip(packet).map_err(drop)))
}

/// Returns the source and destination addresses.
fn addresses(net: &LaxNetSlice<'_>) -> Option<[IpAddr; 2]> {
    match net {
        LaxNetSlice::Ipv4(ip) => {
            Some([ip.header().source_addr().into(), ip.header().destination_addr().into()])
        }
        LaxNetSlice::Ipv6(ip) => {
            Some([ip.header().source_addr().into(), ip.header().destination_addr().into()])
        }
        LaxNetSlice::Arp(_) => None,
    }
}
