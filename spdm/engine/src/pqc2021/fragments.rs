//! Messages in fragments: cutting and reassembly, on both sides.
//!
//! | message | always in fragments |
//! |---|---|
//! | KEY_EXCHANGE, FINISH | yes |
//! | CHALLENGE_AUTH, MEASUREMENTS, KEY_EXCHANGE_RSP | yes |
//! | ERROR to CHALLENGE, GET_MEASUREMENTS, KEY_EXCHANGE | yes; a requester accepts both forms |
//! | other requests | if longer than a fragment |
//! | other responses | no |
//!
//! Transcripts contain whole messages only.

use crate::message_buffer::MessageBuffer;
use crate::pqc2021::MAX_WHOLE;
use crate::session_id::SessionId;
use alloc::vec::Vec;
use grille_spdm_codec::pqc2021::fragment::{Fragment, MAX_PIECE};
use grille_spdm_codec::{Code, CodecError};

/// FRAGMENT_REQUEST.
pub(crate) const FRAGMENT_REQUEST: Code = Code(0xFD);
/// FRAGMENT_REQUEST_ACK.
pub(crate) const FRAGMENT_REQUEST_ACK: Code = Code(0x7D);
/// FRAGMENT_RSP_REQUEST.
pub(crate) const FRAGMENT_RSP_REQUEST: Code = Code(0xFC);
/// FRAGMENT_RESPONSE.
pub(crate) const FRAGMENT_RESPONSE: Code = Code(0x7C);

/// Returns whether a request of this length is sent in fragments.
pub(crate) const fn is_request_split(code: Code, len: usize) -> bool {
    matches!(code, Code::KEY_EXCHANGE | Code::FINISH) || len > MAX_PIECE
}

/// Returns whether the response to this request, even ERROR, is sent in fragments. `response`: the response's code. A
/// response that RESPOND_IF_READY fetches is sent in fragments as well, but ERROR to RESPOND_IF_READY itself is not.
pub(crate) const fn is_response_split(request: Code, response: Code) -> bool {
    matches!(request, Code::CHALLENGE | Code::GET_MEASUREMENTS | Code::KEY_EXCHANGE)
        || matches!(response, Code::CHALLENGE_AUTH | Code::MEASUREMENTS | Code::KEY_EXCHANGE_RSP)
}

/// A message that is sent in fragments.
#[derive(Debug)]
pub(crate) struct OutgoingFragments {
    message: MessageBuffer,
    id: u8,
    /// The number of the next fragment.
    next: u32,
}

impl OutgoingFragments {
    /// Prepares a message for sending. `id`: the identifier of all fragments. `secret`: the message belongs to a
    /// session.
    pub(crate) const fn new(message: Vec<u8>, id: u8, secret: bool) -> Self {
        Self { message: MessageBuffer::new(message, secret), id, next: 0 }
    }

    /// Returns the number of the next fragment.
    pub(crate) const fn sequence(&self) -> u32 {
        self.next
    }

    /// Returns whether every fragment was taken.
    pub(crate) fn is_over(&self) -> bool {
        self.offset() >= self.message.len()
    }

    fn offset(&self) -> usize {
        (self.next as usize).saturating_mul(MAX_PIECE)
    }

    /// Returns the next fragment; `None` after the last.
    pub(crate) fn take(&mut self) -> Option<Fragment<'_>> {
        let (sequence, start) = (self.next, self.offset());
        let end = start.saturating_add(MAX_PIECE).min(self.message.len());
        let data = self.message.get(start..end).filter(|data| !data.is_empty())?;
        self.next += 1;
        Some(Fragment {
            is_first: sequence == 0,
            is_last: end == self.message.len(),
            id: self.id,
            sequence,
            offset: u32::try_from(start).ok()?,
            data,
        })
    }
}

/// A message that is received in fragments.
#[derive(Debug)]
pub(crate) struct IncomingFragments {
    message: MessageBuffer,
    next: u32,
}

impl IncomingFragments {
    /// Starts the reassembly of a message. `secret`: the message belongs to a session.
    pub(crate) const fn new(secret: bool) -> Self {
        Self { message: MessageBuffer::new(Vec::new(), secret), next: 0 }
    }

    /// Adds a fragment. Returns the whole message after the last one.
    ///
    /// # Errors
    /// Returns an error if the fragment is not the next one, is empty, or the message exceeds [`MAX_WHOLE`] bytes.
    pub(crate) fn add(&mut self, fragment: &Fragment<'_>) -> Result<Option<MessageBuffer>, CodecError> {
        fragment.check(self.next, self.message.len(), MAX_WHOLE)?;
        self.message.extend(fragment.data, MAX_WHOLE);
        self.next += 1;
        Ok(fragment.is_last.then(|| self.message.take()))
    }

    /// Returns the number of the next fragment.
    pub(crate) const fn sequence(&self) -> u32 {
        self.next
    }
}

/// The fragmented messages of a responder, at most one in each direction, each with the session that it belongs to.
#[derive(Default)]
pub(crate) struct Fragments {
    pub(crate) request: Option<(Option<SessionId>, IncomingFragments)>,
    pub(crate) response: Option<(Option<SessionId>, OutgoingFragments)>,
}

impl Fragments {
    /// Discards both messages.
    pub(crate) fn drop_all(&mut self) {
        *self = Self::default();
    }

    /// Discards the messages of sessions that are `over`.
    pub(crate) fn drop_if(&mut self, over: impl Fn(Option<SessionId>) -> bool) {
        self.request.take_if(|(place, _)| over(*place));
        self.response.take_if(|(place, _)| over(*place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn reassembles_messages_of_every_length() {
        for len in [1_usize, 4095, 4096, 4097, 8192, 20_000] {
            let message: Vec<u8> = (0..len).map(|i| i as u8).collect();
            let mut outgoing = OutgoingFragments::new(message.clone(), 0x7F, true);
            let mut incoming = IncomingFragments::new(true);
            let mut whole = None;
            while let Some(fragment) = outgoing.take() {
                assert!(whole.is_none());
                whole = incoming.add(&fragment).unwrap();
            }
            assert_eq!(whole.as_deref(), Some(&message[..]));
            assert!(outgoing.is_over());
            assert_eq!(outgoing.sequence(), len.div_ceil(4096) as u32);
        }
    }

    #[test]
    fn rejects_fragments_out_of_order_and_beyond_the_limit() {
        let mut outgoing = OutgoingFragments::new(vec![1; 9000], 0x7F, false);
        let first = outgoing.take().map(|fragment| fragment.data.to_vec()).unwrap();
        let of = |sequence: u32, offset: u32, data: &'static [u8]| Fragment {
            is_first: sequence == 0,
            sequence,
            offset,
            data,
            ..Fragment::default()
        };
        assert_eq!(first.len(), 4096);
        let mut incoming = IncomingFragments::new(false);
        assert!(incoming.add(&of(1, 0, &[1])).is_err(), "not the first");
        assert!(incoming.add(&of(0, 0, &[])).is_err(), "empty");
        assert!(incoming.add(&of(0, 0, &[1; 100])).unwrap().is_none());
        assert!(incoming.add(&of(0, 0, &[1; 100])).is_err(), "repeated");
        assert!(incoming.add(&of(1, 99, &[1])).is_err(), "overlaps");
        assert_eq!(incoming.sequence(), 1);
        let mut incoming = IncomingFragments::new(false);
        let (mut sequence, mut received) = (0, 0);
        let piece: &'static [u8] = &[7; MAX_PIECE];
        while received < MAX_WHOLE {
            assert!(incoming.add(&of(sequence, received as u32, piece)).unwrap().is_none());
            (sequence, received) = (sequence + 1, received + piece.len());
        }
        assert!(incoming.add(&of(sequence, received as u32, &[1])).is_err(), "too long");
    }
}
