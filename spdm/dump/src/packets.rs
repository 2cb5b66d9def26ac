//! Messages of MCTP put together from their packets, DSP0236 "Message assembly".

use crate::Lost;
use grille_spdm_codec::{CodecError, Problem};
use grille_spdm_transport::mctp::Packet;
use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

/// The messages of which the last packet has not come yet: one of each pair of ends and tag.
#[derive(Default)]
pub(crate) struct Packets(HashMap<(u8, u8, u8), Begun>);

/// A message so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Begun {
    /// The number in the capture of its first packet, and of its last so far.
    pub(crate) numbers: [usize; 2],
    /// When its last packet so far came.
    pub(crate) time: Duration,
    pub(crate) bytes: Vec<u8>,
    /// The number that MCTP gives the next of its packets.
    next: u8,
}

/// What a packet makes of the messages that were begun.
pub(crate) struct Taken<'a> {
    /// A message that it ends without being its last packet, and why.
    pub(crate) lost: Option<(Begun, Lost)>,
    /// The message with its last packet; an error for a packet that continues none, or out of turn.
    pub(crate) message: Result<Option<Cow<'a, [u8]>>, CodecError>,
}

impl Packets {
    /// Takes a packet with this number in the capture.
    pub(crate) fn take<'a>(&mut self, number: usize, time: Duration, packet: &Packet<'a>) -> Taken<'a> {
        let key = (packet.source, packet.destination, packet.flags & (Packet::TAG_OWNER | 7));
        let is = |flag| packet.flags & flag != 0;
        let (begun, lost) = match self.0.remove(&key) {
            lost if is(Packet::START) => (None, lost.map(|begun| (begun, Lost::Replaced))),
            Some(begun) if begun.next == packet.sequence() => (Some(begun), None),
            lost => {
                let lost = lost.map(|begun| (begun, Lost::OutOfTurn));
                return Taken { lost, message: Err(stray(packet)) };
            }
        };
        if is(Packet::START) && is(Packet::END) {
            return Taken { lost, message: Ok(Some(Cow::Borrowed(packet.payload))) };
        }
        let (first, mut bytes) = begun.map_or((number, Vec::new()), |begun| (begun.numbers[0], begun.bytes));
        bytes.extend_from_slice(packet.payload);
        if is(Packet::END) {
            return Taken { lost, message: Ok(Some(Cow::Owned(bytes))) };
        }
        let next = (packet.sequence() + 1) & 3;
        self.0.insert(key, Begun { numbers: [first, number], time, bytes, next });
        Taken { lost, message: Ok(None) }
    }

    /// All that were begun and not ended, in the order in which they began.
    pub(crate) fn rest(&mut self) -> Vec<Begun> {
        let mut rest: Vec<Begun> = self.0.drain().map(|(_, begun)| begun).collect();
        rest.sort_by_key(|begun| begun.numbers);
        rest
    }
}

fn stray(packet: &Packet<'_>) -> CodecError {
    let expected = "the first packet of a message, or the next of one begun";
    let problem = Problem::Value { expected, got: packet.flags.into() };
    CodecError { what: "flags", offset: 3, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take<'a>(
        packets: &mut Packets,
        number: usize,
        packet: &Packet<'a>,
    ) -> Result<Option<Cow<'a, [u8]>>, CodecError> {
        let Taken { lost, message } = packets.take(number, Duration::ZERO, packet);
        assert_eq!(lost, None);
        message
    }

    #[test]
    fn messages_that_come_in_turns_are_put_together() {
        let message: Vec<u8> = (0..200).collect();
        let of = |source, len: usize| Packet { source, ..Packet::default() }.split(&message[..len], 64);
        let mut packets = Packets::default();
        let mut found = Vec::new();
        // four packets of each of two ends in turns, and whole messages of a third
        let (one, other): (Vec<_>, Vec<_>) = (of(1, 200).collect(), of(2, 199).collect());
        for (a, b) in one.iter().zip(&other) {
            found.extend([a, b].map(|packet| take(&mut packets, 0, packet).unwrap().map(Cow::into_owned)));
            let third = take(&mut packets, 0, &of(3, 9).next().unwrap()).unwrap();
            assert_eq!(third.as_deref(), Some(&message[..9]));
        }
        let found: Vec<Vec<u8>> = found.into_iter().flatten().collect();
        assert_eq!(found, [&message[..], &message[..199]]);
        assert_eq!(packets.rest(), []);
    }

    #[test]
    fn packets_out_of_turn_are_told_and_end_their_message() {
        let message: Vec<u8> = (0..200).collect();
        let all: Vec<_> = Packet::default().split(&message, 64).collect();
        let mut packets = Packets::default();
        assert!(take(&mut packets, 1, &all[1]).is_err());
        assert_eq!(take(&mut packets, 2, &all[0]), Ok(None));
        assert_eq!(take(&mut packets, 3, &all[1]), Ok(None));
        let Taken { lost, message: refused } = packets.take(4, Duration::ZERO, &all[3]);
        let (begun, why) = lost.unwrap();
        assert_eq!((begun.numbers, &begun.bytes[..], why), ([2, 3], &message[..128], Lost::OutOfTurn));
        assert!(refused.is_err());
        assert!(take(&mut packets, 5, &all[2]).is_err(), "what was begun is dropped");
        for packet in &all[..3] {
            assert_eq!(take(&mut packets, 6, packet), Ok(None));
        }
        assert_eq!(take(&mut packets, 7, &all[3]).unwrap().as_deref(), Some(&message[..]));
    }

    #[test]
    fn what_another_message_replaces_and_what_never_ends_is_kept() {
        let message: Vec<u8> = (0..200).collect();
        let of = |source| Packet { source, ..Packet::default() }.split(&message, 64);
        let (one, other): (Vec<_>, Vec<_>) = (of(1).collect(), of(2).collect());
        let whole = Packet { source: 1, ..Packet::default() }.split(&message[..9], 64).next().unwrap();
        let mut packets = Packets::default();
        let mut number = 0;
        // the same begun again, and a whole message
        for (packet, expected) in [(&one[0], None), (&one[0], Some(64)), (&one[1], None), (&whole, Some(128))]
        {
            number += 1;
            let lost = packets.take(number, Duration::ZERO, packet).lost;
            let lost = lost.map(|(begun, why)| (begun.bytes.len(), why));
            assert_eq!(lost, expected.map(|len| (len, Lost::Replaced)), "packet {number}");
        }
        for packet in [&other[0], &one[0], &one[1]] {
            number += 1;
            assert_eq!(take(&mut packets, number, packet), Ok(None));
        }
        let rest: Vec<_> =
            packets.rest().into_iter().map(|begun| (begun.numbers, begun.bytes.len())).collect();
        assert_eq!(rest, [([5, 5], 64), ([6, 7], 128)]);
        assert_eq!(packets.rest(), []);
    }
}
