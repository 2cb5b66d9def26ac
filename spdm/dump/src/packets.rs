//! Reassembly of MCTP messages from packets (DSP0236 "Message assembly").

use crate::types::IncompleteReason;
use grille_spdm_codec::{CodecError, Problem};
use grille_spdm_transport::mctp::Packet;
use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

/// Incomplete messages, at most one per source, destination and tag.
#[derive(Default)]
pub(crate) struct Packets(HashMap<(u8, u8, u8), PartialMessage>);

/// An MCTP message of which some packets have arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PartialMessage {
    /// The numbers of the first and of the latest packet in the capture.
    pub(crate) numbers: [usize; 2],
    /// The time of the latest packet.
    pub(crate) time: Duration,
    pub(crate) bytes: Vec<u8>,
    /// The MCTP sequence number of the next packet.
    next: u8,
}

/// The result of adding a packet.
pub(crate) struct PacketResult<'a> {
    /// A message that the packet ends prematurely, and the reason.
    pub(crate) lost: Option<(PartialMessage, IncompleteReason)>,
    /// The message that the packet completes; an error for a packet that continues no message, or is out of order.
    pub(crate) message: Result<Option<Cow<'a, [u8]>>, CodecError>,
}

impl Packets {
    /// Adds the packet with this number in the capture.
    pub(crate) fn add<'a>(&mut self, number: usize, time: Duration, packet: &Packet<'a>) -> PacketResult<'a> {
        let key = (packet.source, packet.destination, packet.flags & (Packet::TAG_OWNER | 7));
        let has_flag = |flag| packet.flags & flag != 0;
        let (partial, lost) = match self.0.remove(&key) {
            lost if has_flag(Packet::START) => {
                (None, lost.map(|partial| (partial, IncompleteReason::Replaced)))
            }
            Some(partial) if partial.next == packet.sequence() => (Some(partial), None),
            lost => {
                let lost = lost.map(|partial| (partial, IncompleteReason::OutOfTurn));
                return PacketResult { lost, message: Err(stray_packet_error(packet)) };
            }
        };
        if has_flag(Packet::START) && has_flag(Packet::END) {
            return PacketResult { lost, message: Ok(Some(Cow::Borrowed(packet.payload))) };
        }
        let (first, mut bytes) =
            partial.map_or((number, Vec::new()), |partial| (partial.numbers[0], partial.bytes));
        bytes.extend_from_slice(packet.payload);
        if has_flag(Packet::END) {
            return PacketResult { lost, message: Ok(Some(Cow::Owned(bytes))) };
        }
        let next = (packet.sequence() + 1) & 3;
        self.0.insert(key, PartialMessage { numbers: [first, number], time, bytes, next });
        PacketResult { lost, message: Ok(None) }
    }

    /// Removes and returns all incomplete messages, in the order of their first packets.
    pub(crate) fn take_incomplete(&mut self) -> Vec<PartialMessage> {
        let mut rest: Vec<PartialMessage> = self.0.drain().map(|(_, partial)| partial).collect();
        rest.sort_by_key(|partial| partial.numbers);
        rest
    }
}

fn stray_packet_error(packet: &Packet<'_>) -> CodecError {
    let expected = "the first packet of a message, or the next of an incomplete one";
    let problem = Problem::Value { expected, got: packet.flags.into() };
    CodecError { name: "flags", offset: 3, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add<'a>(
        packets: &mut Packets,
        number: usize,
        packet: &Packet<'a>,
    ) -> Result<Option<Cow<'a, [u8]>>, CodecError> {
        let PacketResult { lost, message } = packets.add(number, Duration::ZERO, packet);
        assert_eq!(lost, None);
        message
    }

    #[test]
    fn reassembles_interleaved_messages() {
        let message: Vec<u8> = (0..200).collect();
        let packets_from =
            |source, len: usize| Packet { source, ..Packet::default() }.split(&message[..len], 64);
        let mut packets = Packets::default();
        let mut found = Vec::new();
        // Two peers each send a message in four interleaved packets, and a third peer sends whole messages in between.
        let (one, other): (Vec<_>, Vec<_>) = (packets_from(1, 200).collect(), packets_from(2, 199).collect());
        for (a, b) in one.iter().zip(&other) {
            found.extend([a, b].map(|packet| add(&mut packets, 0, packet).unwrap().map(Cow::into_owned)));
            let third = add(&mut packets, 0, &packets_from(3, 9).next().unwrap()).unwrap();
            assert_eq!(third.as_deref(), Some(&message[..9]));
        }
        let found: Vec<Vec<u8>> = found.into_iter().flatten().collect();
        assert_eq!(found, [&message[..], &message[..199]]);
        assert_eq!(packets.take_incomplete(), []);
    }

    #[test]
    fn packets_out_of_order_end_their_message() {
        let message: Vec<u8> = (0..200).collect();
        let all: Vec<_> = Packet::default().split(&message, 64).collect();
        let mut packets = Packets::default();
        assert!(add(&mut packets, 1, &all[1]).is_err());
        assert_eq!(add(&mut packets, 2, &all[0]), Ok(None));
        assert_eq!(add(&mut packets, 3, &all[1]), Ok(None));
        let PacketResult { lost, message: refused } = packets.add(4, Duration::ZERO, &all[3]);
        let (partial, reason) = lost.unwrap();
        assert_eq!(
            (partial.numbers, &partial.bytes[..], reason),
            ([2, 3], &message[..128], IncompleteReason::OutOfTurn)
        );
        assert!(refused.is_err());
        assert!(add(&mut packets, 5, &all[2]).is_err(), "the incomplete message must be dropped");
        for packet in &all[..3] {
            assert_eq!(add(&mut packets, 6, packet), Ok(None));
        }
        assert_eq!(add(&mut packets, 7, &all[3]).unwrap().as_deref(), Some(&message[..]));
    }

    #[test]
    fn returns_replaced_and_unfinished_messages() {
        let message: Vec<u8> = (0..200).collect();
        let packets_from = |source| Packet { source, ..Packet::default() }.split(&message, 64);
        let (one, other): (Vec<_>, Vec<_>) = (packets_from(1).collect(), packets_from(2).collect());
        let whole = Packet { source: 1, ..Packet::default() }.split(&message[..9], 64).next().unwrap();
        let mut packets = Packets::default();
        let mut number = 0;
        // A message starts again before its end, and then a whole message replaces it.
        for (packet, expected) in [(&one[0], None), (&one[0], Some(64)), (&one[1], None), (&whole, Some(128))]
        {
            number += 1;
            let lost = packets.add(number, Duration::ZERO, packet).lost;
            let lost = lost.map(|(partial, reason)| (partial.bytes.len(), reason));
            assert_eq!(lost, expected.map(|len| (len, IncompleteReason::Replaced)), "packet {number}");
        }
        for packet in [&other[0], &one[0], &one[1]] {
            number += 1;
            assert_eq!(add(&mut packets, number, packet), Ok(None));
        }
        let rest: Vec<_> = packets
            .take_incomplete()
            .into_iter()
            .map(|partial| (partial.numbers, partial.bytes.len()))
            .collect();
        assert_eq!(rest, [([5, 5], 64), ([6, 7], 128)]);
        assert_eq!(packets.take_incomplete(), []);
    }
}
