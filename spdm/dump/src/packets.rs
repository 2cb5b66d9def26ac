//! Messages of MCTP put together from their packets, DSP0236 "Message assembly".

use grille_spdm_codec::{CodecError, Problem};
use grille_spdm_transport::mctp::Packet;
use std::borrow::Cow;
use std::collections::HashMap;

/// The messages of which the last packet has not come yet: one of each pair of ends and tag.
#[derive(Default)]
pub(crate) struct Packets(HashMap<(u8, u8, u8), Begun>);

struct Begun {
    next: u8,
    bytes: Vec<u8>,
}

impl Packets {
    /// Takes a packet; the message with its last. The first packet of another message of the same ends and tag ends the one
    /// that was begun.
    ///
    /// # Errors
    /// A packet that continues no message that was begun, or out of turn; that message is dropped.
    pub(crate) fn push<'a>(&mut self, packet: &Packet<'a>) -> Result<Option<Cow<'a, [u8]>>, CodecError> {
        let key = (packet.source, packet.destination, packet.flags & (Packet::TAG_OWNER | 7));
        let begun = self.0.remove(&key);
        let is_last = packet.flags & Packet::END != 0;
        let mut bytes = if packet.flags & Packet::START != 0 {
            if is_last {
                return Ok(Some(Cow::Borrowed(packet.payload)));
            }
            Vec::new()
        } else {
            begun.filter(|begun| begun.next == packet.sequence()).ok_or_else(|| stray(packet))?.bytes
        };
        bytes.extend_from_slice(packet.payload);
        if is_last {
            return Ok(Some(Cow::Owned(bytes)));
        }
        self.0.insert(key, Begun { next: (packet.sequence() + 1) & 3, bytes });
        Ok(None)
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

    #[test]
    fn messages_that_come_in_turns_are_put_together() {
        let message: Vec<u8> = (0..200).collect();
        let of = |source, len: usize| Packet { source, ..Packet::default() }.split(&message[..len], 64);
        let mut packets = Packets::default();
        let mut found = Vec::new();
        // four packets of each of two ends in turns, and whole messages of a third
        let (one, other): (Vec<_>, Vec<_>) = (of(1, 200).collect(), of(2, 199).collect());
        for (a, b) in one.iter().zip(&other) {
            found.extend([a, b].map(|packet| packets.push(packet).unwrap().map(Cow::into_owned)));
            assert_eq!(packets.push(&of(3, 9).next().unwrap()).unwrap().as_deref(), Some(&message[..9]));
        }
        let found: Vec<Vec<u8>> = found.into_iter().flatten().collect();
        assert_eq!(found, [&message[..], &message[..199]]);
        assert!(packets.0.is_empty());
    }

    #[test]
    fn packets_out_of_turn_are_told_and_end_their_message() {
        let message = [7; 200];
        let all: Vec<_> = Packet::default().split(&message, 64).collect();
        let mut packets = Packets::default();
        assert!(packets.push(&all[1]).is_err());
        assert_eq!(packets.push(&all[0]), Ok(None));
        assert!(packets.push(&all[2]).is_err());
        assert!(packets.push(&all[1]).is_err(), "what was begun is dropped");
        for packet in &all[..3] {
            assert_eq!(packets.push(packet), Ok(None));
        }
        assert_eq!(packets.push(&all[3]).unwrap().as_deref(), Some(&message[..]));
    }
}
