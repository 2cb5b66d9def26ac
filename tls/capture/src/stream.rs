//! What either end of a connection sent, put in order.

use etherparse::{LaxNetSlice, LaxSlicedPacket, TcpSlice, TransportSlice};
use pcap_parser::Linktype;
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

/// What is kept of a stream: hellos are shorter by far.
const MAX_STREAM_LEN: usize = 1 << 18;

/// One connection.
#[derive(Debug)]
pub(crate) struct Flow {
    /// Whoever sent the first packet, and the other.
    pub(crate) ends: [SocketAddr; 2],
    /// What they sent.
    pub(crate) halves: [Stream; 2],
}

/// What one end sent: pieces, and their distances from its first byte.
#[derive(Debug, Default)]
pub(crate) struct Stream {
    /// The sequence number of the first byte.
    first: Option<u32>,
    pieces: Vec<(usize, Vec<u8>)>,
    /// Bytes of all pieces.
    kept: usize,
}

/// Connections that grow packet by packet.
#[derive(Default)]
pub(crate) struct Flows {
    all: Vec<Flow>,
    /// The newest connection between two ends, and which of its halves the first of them sends.
    newest: HashMap<[SocketAddr; 2], (usize, usize)>,
}

impl Flows {
    /// Takes a packet; `false` if links of this type are not known here.
    pub(crate) fn packet(&mut self, link: Linktype, bytes: &[u8]) -> bool {
        let Some(packet) = ip(link, bytes) else { return false };
        let Ok(packet) = packet else { return true };
        let ends = packet.net.as_ref().and_then(addresses);
        if let (Some([from, to]), Some(TransportSlice::Tcp(tcp))) = (ends, &packet.transport) {
            let ends =
                [SocketAddr::new(from, tcp.source_port()), SocketAddr::new(to, tcp.destination_port())];
            self.segment(ends, tcp);
        }
        true
    }

    /// In the order of their first packets.
    pub(crate) fn into_all(self) -> Vec<Flow> {
        self.all
    }

    fn segment(&mut self, ends: [SocketAddr; 2], tcp: &TcpSlice<'_>) {
        let known = self.newest.get(&ends).copied();
        // the same ports once more are another connection, and the same SYN once more is none
        let another = |(flow, half): (usize, usize)| {
            let first = self.all[flow].halves[half].first;
            tcp.syn() && first.is_some_and(|first| first != number(tcp))
        };
        let (flow, half) = known.filter(|place| !another(*place)).unwrap_or_else(|| self.open(ends));
        self.all[flow].halves[half].take(tcp);
    }

    fn open(&mut self, ends: [SocketAddr; 2]) -> (usize, usize) {
        let flow = self.all.len();
        self.all.push(Flow { ends, halves: Default::default() });
        self.newest.insert([ends[1], ends[0]], (flow, 1));
        self.newest.insert(ends, (flow, 0));
        (flow, 0)
    }
}

impl Stream {
    fn take(&mut self, tcp: &TcpSlice<'_>) {
        let first = *self.first.get_or_insert(number(tcp));
        let (place, bytes) = (number(tcp).wrapping_sub(first) as usize, tcp.payload());
        // what was sent again is kept twice, hence the second bound
        if !bytes.is_empty() && place < MAX_STREAM_LEN && self.kept < 2 * MAX_STREAM_LEN {
            self.pieces.push((place, bytes.to_vec()));
            self.kept += bytes.len();
        }
    }

    /// From the first byte to the first that is missing.
    pub(crate) fn in_order(&self) -> Vec<u8> {
        let mut pieces: Vec<_> = self.pieces.iter().collect();
        pieces.sort_by_key(|(place, _)| *place);
        let mut stream = Vec::new();
        for (place, bytes) in pieces {
            // the first of what was sent twice is as good as the second; a piece behind a gap has no begin here
            let Some(known) = stream.len().checked_sub(*place) else { break };
            stream.extend_from_slice(bytes.get(known..).unwrap_or_default());
        }
        stream
    }
}

/// The sequence number of the first byte of data: SYN has one itself.
fn number(tcp: &TcpSlice<'_>) -> u32 {
    tcp.sequence_number().wrapping_add(tcp.syn().into())
}

/// The packet behind the header of its link; `None` if links of this type are not known here.
fn ip(link: Linktype, bytes: &[u8]) -> Option<Result<LaxSlicedPacket<'_>, ()>> {
    let header = match link {
        Linktype::ETHERNET => return Some(LaxSlicedPacket::from_ethernet(bytes).map_err(drop)),
        Linktype::RAW | Linktype::IPV4 | Linktype::IPV6 => 0,
        // the address family
        Linktype::NULL | Linktype::LOOP => 4,
        Linktype::LINUX_SLL => 16,
        Linktype::LINUX_SLL2 => 20,
        _ => return None,
    };
    let packet = bytes.get(header..).ok_or(());
    Some(packet.and_then(|packet| LaxSlicedPacket::from_ip(packet).map_err(drop)))
}

/// The addresses of both ends.
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
