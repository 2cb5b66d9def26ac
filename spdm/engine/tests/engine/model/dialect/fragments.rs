//! Messages in fragments: the model's reassembly of requests, and random fragments.
//!
//! A fragment is a header of 16 bytes (with Param1 BEGIN and END, identifier, sequence number, offset, length) and at most 4096
//! bytes of the message.

use crate::model::dialect::rules::{INVALID, MISMATCH, VERSION};
use crate::model::dialect::state::{Model, Phase};
use crate::random::Random;
use grille_spdm_codec::error::ErrorCode;

/// Param1 of the first and of the last fragment.
pub(super) const BEGIN: u8 = 1;
pub(super) const END: u8 = 2;
/// The maximum length of a message's bytes in a fragment.
pub(super) const MAX_PIECE: usize = 0x1000;
const HEADER: usize = 16;

/// A request that arrives in fragments.
struct Incoming {
    /// The session; `None` outside sessions.
    place: Option<u32>,
    /// The number of the next fragment.
    next: u32,
    received: Vec<u8>,
}

/// The messages that are being transferred in fragments.
#[derive(Default)]
pub(super) struct Fragments {
    incoming: Option<Incoming>,
    /// The place of an incomplete response, and the number of its next fragment.
    pub(super) outgoing: Option<(Option<u32>, u32)>,
}

/// The expected answer to FRAGMENT_REQUEST.
pub(super) enum Outcome {
    Refused(ErrorCode),
    Acknowledged,
    /// The response to the whole request.
    Complete(Vec<u8>),
}

/// A fragment of a request. Every field may be wrong.
#[derive(Clone, Copy)]
pub(super) struct Fragment<'a> {
    pub(super) version: u8,
    pub(super) flags: u8,
    pub(super) sequence: u32,
    pub(super) offset: u32,
    pub(super) len: u32,
    pub(super) piece: &'a [u8],
}

impl Fragment<'_> {
    pub(super) fn encode(&self) -> Vec<u8> {
        let numbers = [self.sequence, self.offset, self.len].map(u32::to_le_bytes).concat();
        [&[self.version, 0xFD, self.flags, 0x7F], &numbers[..], self.piece].concat()
    }

    /// Makes the fragment wrong.
    pub(super) fn spoil(&mut self, random: &mut Random) {
        match random.below(7) {
            0 => self.sequence += 1,
            1 => self.offset += 1,
            2 => self.flags ^= BEGIN,
            3 => self.version = 0x12,
            4 => self.len += 1,
            5 => self.len = MAX_PIECE as u32 + 1,
            _ => (self.len, self.piece) = (0, &[]),
        }
    }
}

/// Cuts a request into fragments of random lengths.
pub(super) fn cut<'a>(random: &mut Random, m: &'a [u8]) -> Vec<Fragment<'a>> {
    let most = if random.percent(50) { MAX_PIECE } else { 1 + m.len() / 3 + random.below(m.len()) };
    let pieces = m.chunks(most.min(MAX_PIECE)).collect::<Vec<_>>();
    let fragment = |(at, piece): (usize, &&'a [u8])| Fragment {
        version: VERSION,
        flags: if at == 0 { BEGIN } else { 0 } | if at + 1 == pieces.len() { END } else { 0 },
        sequence: at as u32,
        offset: (at * most.min(MAX_PIECE)) as u32,
        len: piece.len() as u32,
        piece,
    };
    pieces.iter().enumerate().map(fragment).collect()
}

impl Model {
    /// Returns whether the connection knows fragments. Their codes mean something else outside the dialect.
    pub(super) fn knows_fragments(&self) -> bool {
        self.phase >= Phase::Capabilities && !self.is_lost()
    }

    /// Predicts the answer to FRAGMENT_REQUEST. A wrong fragment ends the transfer.
    pub(super) fn receive_fragment(&mut self, place: Option<u32>, m: &[u8]) -> Outcome {
        let incoming = self.fragments.incoming.take();
        match self.next_fragment(incoming, place, m) {
            Err(error) => Outcome::Refused(error),
            Ok(Incoming { received, .. }) if m[2] & END != 0 => Outcome::Complete(received),
            Ok(incoming) => {
                self.fragments.incoming = Some(incoming);
                Outcome::Acknowledged
            }
        }
    }

    fn next_fragment(
        &mut self,
        before: Option<Incoming>,
        place: Option<u32>,
        m: &[u8],
    ) -> Result<Incoming, ErrorCode> {
        if m.len() >= 4 && m[0] != VERSION {
            return Err(MISMATCH);
        }
        let (header, piece) = m.split_at_checked(HEADER).ok_or(INVALID)?;
        let number = |at: usize| u32::from_le_bytes(header[at..at + 4].try_into().unwrap());
        if number(12) as usize != piece.len() || piece.len() > MAX_PIECE {
            return Err(INVALID);
        }
        self.fragments.outgoing = None;
        let begins = m[2] & BEGIN != 0;
        let new = begins.then(|| Incoming { place, next: 0, received: Vec::new() });
        let mut incoming = new.or(before).ok_or(INVALID)?;
        let fine = incoming.place == place
            && incoming.next == number(4)
            && incoming.received.len() == number(8) as usize
            && begins == (incoming.next == 0);
        if !fine || piece.is_empty() {
            return Err(INVALID);
        }
        incoming.next += 1;
        incoming.received.extend_from_slice(piece);
        Ok(incoming)
    }

    /// Predicts the error of FRAGMENT_RSP_REQUEST; `None` if the next fragment is expected.
    pub(super) fn fragment_rsp_error(&self, place: Option<u32>, m: &[u8]) -> Option<ErrorCode> {
        if m[0] != VERSION {
            return Some(MISMATCH);
        }
        if m.len() != 8 {
            return Some(INVALID);
        }
        let Some((owner, next)) = self.fragments.outgoing else { return Some(ErrorCode::UNEXPECTED_REQUEST) };
        (owner != place || m[4..8] != next.to_le_bytes()).then_some(INVALID)
    }
}
