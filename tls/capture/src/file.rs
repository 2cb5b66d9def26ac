//! Packets of a capture, in pcap or pcapng format.

use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{Block, Linktype, PcapBlockOwned, PcapError, create_reader};

/// Length of the reader's buffer, which must hold a whole packet; tcpdump and Wireshark write at most 256 KiB of each
/// packet.
const BUFFER_LEN: usize = 1 << 20;

/// Returns whether the bytes start like a capture.
#[must_use]
pub fn is_capture(bytes: &[u8]) -> bool {
    let magic = bytes.first_chunk().map_or(0, |magic| u32::from_be_bytes(*magic));
    // pcap with microseconds or nanoseconds, in either byte order, and pcapng
    matches!(magic, 0xA1B2_C3D4 | 0xD4C3_B2A1 | 0xA1B2_3C4D | 0x4D3C_B2A1 | 0x0A0D_0D0A)
}

/// Calls `each` with every packet and its link type, and returns the number of packets. If the file ends within a
/// packet or is damaged, returns the number of packets before that place as `Err`.
pub(crate) fn for_each_packet(capture: &[u8], mut each: impl FnMut(Linktype, &[u8])) -> Result<usize, usize> {
    let mut reader = create_reader(BUFFER_LEN, capture).map_err(|_| 0_usize)?;
    let (mut links, mut count) = (Vec::new(), 0);
    loop {
        let used = match reader.next() {
            Ok((used, block)) => {
                if let Some((link, bytes)) = packet(&block, &mut links) {
                    each(link, bytes);
                    count += 1;
                }
                used
            }
            Err(PcapError::Eof) => return Ok(count),
            Err(PcapError::Incomplete(_)) => {
                reader.refill().map_err(|_| count)?;
                0
            }
            Err(_) => return Err(count),
        };
        reader.consume(used);
    }
}

/// Returns the packet in a block, with its link type; `None` if the block contains no packet, or no interface with the
/// packet's number is known. Updates `links`: the link type of each interface in the current section.
fn packet<'a>(block: &'a PcapBlockOwned<'a>, links: &mut Vec<Linktype>) -> Option<(Linktype, &'a [u8])> {
    match block {
        PcapBlockOwned::LegacyHeader(header) => *links = vec![header.network],
        PcapBlockOwned::Legacy(packet) => return Some((*links.first()?, packet.data)),
        PcapBlockOwned::NG(Block::SectionHeader(_)) => links.clear(),
        PcapBlockOwned::NG(Block::InterfaceDescription(link)) => links.push(link.linktype),
        PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
            return Some((*links.get(packet.if_id as usize)?, packet.packet_data()));
        }
        PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
            return Some((*links.first()?, packet.packet_data()));
        }
        PcapBlockOwned::NG(_) => {}
    }
    None
}
