//! Secured messages ("records"), DSP0277.
//!
//! ```text
//! SessionID u32 │ SequenceNumber 0 or 2 │ Length u16 │ ApplicationDataLength u16 │ data │ padding │ tag
//! └──────────────── additional data ────────────────┘ └──────────── encrypted ────────────┘
//! ```
//! Without encryption the data follows the header in the clear, without ApplicationDataLength and padding. It is then part of the
//! additional data.

use crate::symmetric::aead;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{CryptoRng, SecretBytes};
use grille_spdm_codec::algorithms as codec;
use grille_spdm_codec::bits::{self, Bits as _};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The length of an IV in bytes.
pub const IV_LEN: usize = 12;
/// The length of a tag in bytes.
pub const TAG_LEN: usize = 16;
/// The length of ApplicationDataLength in bytes.
const DATA_LENGTH_LEN: usize = 2;

/// An AEAD that SPDM can negotiate.
pub struct Aead {
    /// The bit in AEADAlg.
    pub bit: u8,
    /// The standard's name.
    pub name: &'static str,
    algorithm: &'static aead::Algorithm,
}

/// The AEADs of AEADAlg, DSP0274. SM4 is not supported.
pub static AEADS: [Aead; 3] = [
    Aead { bit: 0, name: bits::row(codec::Aead::ROWS, 0).name, algorithm: &aead::AES_128_GCM },
    Aead { bit: 1, name: bits::row(codec::Aead::ROWS, 1).name, algorithm: &aead::AES_256_GCM },
    Aead { bit: 2, name: bits::row(codec::Aead::ROWS, 2).name, algorithm: &aead::CHACHA20_POLY1305 },
];

impl Aead {
    /// Returns the length of a key in bytes.
    #[must_use]
    pub fn key_len(&self) -> usize {
        self.algorithm.key_len()
    }
}

impl fmt::Debug for Aead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The record format of a transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The length of the sequence number in the header in bytes: MCTP 2, DOE and TCP 0.
    pub sequence_len: usize,
    /// The maximum length of random padding in bytes. Padding hides the length of the data.
    pub padding: u8,
    /// Whether the data is encrypted. If not, it is only authenticated.
    pub encrypted: bool,
}

impl Layout {
    /// Returns the length of the record at the start of `bytes`, according to its header; `None` if the header is incomplete.
    #[must_use]
    pub fn record_len(self, bytes: &[u8]) -> Option<usize> {
        let length = bytes.get(4 + self.sequence_len..)?.first_chunk()?;
        Some(self.header_len() + usize::from(u16::from_le_bytes(*length)))
    }

    /// Returns how many bytes of data fit a record of `record` bytes, with maximal padding.
    pub(crate) const fn room(self, record: usize) -> usize {
        let inside = if self.encrypted { DATA_LENGTH_LEN + self.padding as usize } else { 0 };
        let rest = record.saturating_sub(self.header_len());
        let length = if rest < u16::MAX as usize { rest } else { u16::MAX as usize };
        length.saturating_sub(inside + TAG_LEN)
    }

    /// Returns the length of SessionID, SequenceNumber and Length.
    const fn header_len(self) -> usize {
        4 + self.sequence_len + 2
    }
}

/// The reason why a record was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// The length in the header does not match the record.
    Malformed,
    /// The sequence number in the header is not the next one.
    Sequence,
    /// The tag is invalid: the record was altered or is out of order.
    Tag,
    /// The tag is valid, but the contents contradict their length. The peer itself sealed these contents.
    Inside,
    /// The record has application data instead of an SPDM message.
    Application,
    /// The key has reached its limit of records.
    Exhausted,
    /// The data does not fit a record.
    TooLong,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the length of the secured message is wrong",
            Self::Sequence => "the sequence number of the secured message is not the next one",
            Self::Tag => "the secured message was altered or is out of order",
            Self::Inside => "the contents of the secured message contradict their length",
            Self::Application => "the secured message has application data instead of an SPDM response",
            Self::Exhausted => "the session's key has reached its limit; update it",
            Self::TooLong => "the message is too long for one secured message",
        })
    }
}

impl core::error::Error for RecordError {}

/// The key of one direction, with its sequence number.
pub struct RecordKey {
    key: aead::Key,
    /// [`IV_LEN`] bytes on the heap, so that moving the struct leaves no copy behind.
    iv: SecretBytes,
    sequence: u64,
    limit: u64,
}

impl RecordKey {
    /// Creates the key of one direction, with sequence number 0. Secret: `key`, which has the AEAD's length, and `iv`, which has
    /// [`IV_LEN`] bytes.
    pub(crate) fn new(aead: &'static Aead, key: &SecretBytes, iv: SecretBytes) -> Self {
        Self { key: aead::Key::new(aead.algorithm, key.as_ref()), iv, sequence: 0, limit: u64::MAX }
    }

    /// Limits the number of records to 2^`exponent`, DSP0277 1.3 "AEAD limit". With 64 or more, only the sequence
    /// number limits their number.
    pub const fn set_limit(&mut self, exponent: u32) {
        self.limit = if exponent < 64 { 1 << exponent } else { u64::MAX };
    }

    /// Seals `data` in a record with the next sequence number.
    ///
    /// # Errors
    /// Returns [`RecordError::Exhausted`] or [`RecordError::TooLong`].
    pub fn seal(
        &mut self,
        session_id: u32,
        layout: Layout,
        data: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, RecordError> {
        if !layout.encrypted {
            return self.encode_record(session_id, layout, &[data]);
        }
        let len = u16::try_from(data.len()).map_err(|_| RecordError::TooLong)?;
        let padding = Padding::new(layout.padding, rng);
        self.encode_record(session_id, layout, &[&len.to_le_bytes(), data, padding.as_ref()])
    }

    /// Seals arbitrary plaintext, which need not have a correct length field or padding. For tests of the peer.
    ///
    /// # Errors
    /// See [`RecordKey::seal`].
    pub fn seal_inside(
        &mut self,
        session_id: u32,
        layout: Layout,
        inside: &[u8],
    ) -> Result<Vec<u8>, RecordError> {
        self.encode_record(session_id, layout, &[inside])
    }

    /// Encodes a record with the next sequence number.
    fn encode_record(
        &mut self,
        session_id: u32,
        layout: Layout,
        inside: &[&[u8]],
    ) -> Result<Vec<u8>, RecordError> {
        let content: usize = inside.iter().map(|part| part.len()).sum();
        let length = u16::try_from(content + TAG_LEN).map_err(|_| RecordError::TooLong)?;
        let sequence = self.next()?;
        // allocated at full size, so that the plaintext is encrypted in place and never copied
        let header = layout.header_len();
        let mut record = Vec::with_capacity(header + content + TAG_LEN);
        record.extend_from_slice(&session_id.to_le_bytes());
        record.extend_from_slice(&sequence.to_le_bytes()[..layout.sequence_len]);
        record.extend_from_slice(&length.to_le_bytes());
        inside.iter().for_each(|part| record.extend_from_slice(part));
        let (clear, secret) =
            if layout.encrypted { record.split_at_mut(header) } else { (&mut record[..], &mut [][..]) };
        let tag = self.key.seal(self.nonce(sequence), clear, secret).ok_or(RecordError::TooLong)?;
        record.extend_from_slice(&tag);
        self.sequence = sequence + 1;
        Ok(record)
    }

    /// Opens the next record. The result is erased when dropped. The sequence number advances if the tag is valid, even if the
    /// contents are malformed: the peer has advanced as well.
    ///
    /// # Errors
    /// Returns any [`RecordError`] except [`RecordError::TooLong`].
    pub fn open(&mut self, layout: Layout, record: &[u8]) -> Result<Zeroizing<Vec<u8>>, RecordError> {
        self.open_after(0, layout, record)
    }

    /// Opens a record after `lost` records that were not opened. For readers of captures: a party of the session must
    /// reject a record that is out of order.
    ///
    /// # Errors
    /// See [`RecordKey::open`].
    pub fn open_after(
        &mut self,
        lost: u64,
        layout: Layout,
        record: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, RecordError> {
        let sequence = self.next()?.checked_add(lost).ok_or(RecordError::Exhausted)?;
        let header = layout.header_len();
        let (clear, content) = record.split_at_checked(header).ok_or(RecordError::Malformed)?;
        let length = usize::from(u16::from_le_bytes([clear[header - 2], clear[header - 1]]));
        if content.len() != length || length < TAG_LEN {
            return Err(RecordError::Malformed);
        }
        if clear[4..header - 2] != sequence.to_le_bytes()[..layout.sequence_len] {
            return Err(RecordError::Sequence);
        }
        let data = if layout.encrypted {
            let mut content = Zeroizing::new(content.to_vec());
            let opened = self.key.open(self.nonce(sequence), clear, &mut content);
            content.truncate(opened.ok_or(RecordError::Tag)?);
            self.sequence = sequence + 1;
            unpad(&mut content).ok_or(RecordError::Inside)?;
            content
        } else {
            let (signed, tag) = record.split_at(record.len() - TAG_LEN);
            let mut tag = tag.to_vec();
            self.key.open(self.nonce(sequence), signed, &mut tag).ok_or(RecordError::Tag)?;
            self.sequence = sequence + 1;
            Zeroizing::new(signed[header..].to_vec())
        };
        Ok(data)
    }

    fn next(&self) -> Result<u64, RecordError> {
        if self.sequence < self.limit { Ok(self.sequence) } else { Err(RecordError::Exhausted) }
    }

    /// Returns the IV with the little-endian sequence number XORed into its first 8 bytes.
    fn nonce(&self, sequence: u64) -> [u8; IV_LEN] {
        let mut nonce = [0; IV_LEN];
        nonce.copy_from_slice(self.iv.as_ref());
        nonce.iter_mut().zip(sequence.to_le_bytes()).for_each(|(byte, number)| *byte ^= number);
        nonce
    }
}

/// Key and IV are erased when dropped.
impl ZeroizeOnDrop for RecordKey {}

/// Returns the session ID of a record; `None` if the record is too short to have one.
#[must_use]
pub fn session_id(record: &[u8]) -> Option<u32> {
    record.first_chunk().map(|id| u32::from_le_bytes(*id))
}

/// Random padding of a random length.
struct Padding {
    bytes: [u8; u8::MAX as usize],
    len: usize,
}

impl Padding {
    /// Draws 1 to `most` bytes; none if `most` is 0.
    fn new(most: u8, rng: &mut dyn CryptoRng) -> Self {
        let mut random = [0; 1 + u8::MAX as usize];
        if most == 0 {
            return Self { bytes: [0; u8::MAX as usize], len: 0 };
        }
        rng.fill_bytes(&mut random[..=usize::from(most)]);
        let [len, bytes @ ..] = random;
        Self { bytes, len: 1 + usize::from(len) % usize::from(most) }
    }
}

impl AsRef<[u8]> for Padding {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Removes the length before the data and the padding after the data. Returns `None` if fewer bytes follow than the
/// length states.
fn unpad(plain: &mut Vec<u8>) -> Option<()> {
    let (len, rest) = plain.split_first_chunk()?;
    let len = usize::from(u16::from_le_bytes(*len));
    rest.get(..len)?;
    plain.copy_within(DATA_LENGTH_LEN..DATA_LENGTH_LEN + len, 0);
    plain.truncate(len);
    Some(())
}
