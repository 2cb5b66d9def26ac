//! Secured messages, DSP0277.
//!
//! ```text
//! SessionID u32 │ SequenceNumber 0 or 2 │ Length u16 │ ApplicationDataLength u16 │ data │ padding │ tag
//! └──────────────── additional data ────────────────┘ └──────────── encrypted ────────────┘
//! ```
//! With authentication only the data stands in the clear behind its header, without length and padding, and is
//! additional data too.

use crate::symmetric::aead;
use alloc::vec::Vec;
use core::fmt;
use grille_core::{CryptoRng, SecretBytes};
use grille_spdm_codec::algorithms as codec;
use grille_spdm_codec::bits::{self, Bits as _};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The length of an iv in bytes.
pub const IV: usize = 12;
/// The length of a tag in bytes.
pub const TAG: usize = 16;
/// The length of ApplicationDataLength in bytes.
const LENGTH: usize = 2;

/// An AEAD that SPDM can negotiate.
pub struct Aead {
    /// The bit in AEADAlg.
    pub bit: u8,
    /// The standard's name.
    pub name: &'static str,
    algorithm: &'static aead::Algorithm,
}

/// AEADAlg, DSP0274; SM4 is missing.
pub static AEADS: [Aead; 3] = [
    Aead { bit: 0, name: bits::row(codec::Aead::ROWS, 0).name, algorithm: &aead::AES_128_GCM },
    Aead { bit: 1, name: bits::row(codec::Aead::ROWS, 1).name, algorithm: &aead::AES_256_GCM },
    Aead { bit: 2, name: bits::row(codec::Aead::ROWS, 2).name, algorithm: &aead::CHACHA20_POLY1305 },
];

impl Aead {
    /// The length of a key in bytes.
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

/// How a transport writes records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Bytes of the sequence number in the header: MCTP 2, DOE and TCP 0.
    pub sequence_len: usize,
    /// At most so many random bytes are added, so that lengths tell less.
    pub padding: u8,
    /// Whether the data is encrypted; else it is authenticated only.
    pub encrypted: bool,
}

impl Layout {
    /// The length of the record that `bytes` begin with, by its header; `None` if the header is not whole.
    #[must_use]
    pub fn record_len(self, bytes: &[u8]) -> Option<usize> {
        let length = bytes.get(4 + self.sequence_len..)?.first_chunk()?;
        Some(self.header_len() + usize::from(u16::from_le_bytes(*length)))
    }

    /// The most data in bytes that a record of at most `record` bytes holds for certain: padding may take its place.
    pub(crate) const fn room(self, record: usize) -> usize {
        let inside = if self.encrypted { LENGTH + self.padding as usize } else { 0 };
        let rest = record.saturating_sub(self.header_len());
        let length = if rest < u16::MAX as usize { rest } else { u16::MAX as usize };
        length.saturating_sub(inside + TAG)
    }

    /// SessionID, SequenceNumber, Length.
    const fn header_len(self) -> usize {
        4 + self.sequence_len + 2
    }
}

/// Why a record was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// The header contradicts the length of the record.
    Malformed,
    /// The header names another sequence number than the next.
    Sequence,
    /// The tag is wrong: the record was altered, or comes out of order.
    Tag,
    /// The tag is right, and what is inside contradicts its own length: whoever has the session's keys sealed it so.
    Inside,
    /// An application speaks where a message of SPDM has to come.
    Application,
    /// The key has sealed or opened as many records as it may.
    Exhausted,
    /// The data does not fit one record.
    TooLong,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "the secured message contradicts its own length",
            Self::Sequence => "the secured message has another sequence number than the next",
            Self::Tag => "the secured message was altered or comes out of order",
            Self::Inside => "what is in the secured message contradicts its own length",
            Self::Application => {
                "the secured message is an application's, and not the answer of SPDM that was awaited"
            }
            Self::Exhausted => "the session's key is used up; update it",
            Self::TooLong => "the message does not fit a secured message",
        })
    }
}

impl core::error::Error for RecordError {}

/// The key of one direction, and how many records it has seen.
pub struct RecordKey {
    key: aead::Key,
    /// [`IV`] bytes, not here but elsewhere: where a key was moved from, nothing of it stays.
    iv: SecretBytes,
    sequence: u64,
    limit: u64,
}

impl RecordKey {
    /// Secret: `key` of the AEAD's length, `iv` of [`IV`] bytes.
    pub(crate) fn new(aead: &'static Aead, key: &SecretBytes, iv: SecretBytes) -> Self {
        Self { key: aead::Key::new(aead.algorithm, key.as_ref()), iv, sequence: 0, limit: u64::MAX }
    }

    /// With a limit of records, DSP0277 1.3 "AEAD limit": 2^`exponent`; 64 and more is no limit but the counter's own.
    pub const fn set_limit(&mut self, exponent: u32) {
        self.limit = if exponent < 64 { 1 << exponent } else { u64::MAX };
    }

    /// The record with `data`, numbered with the next sequence number.
    ///
    /// # Errors
    /// [`RecordError::Exhausted`], [`RecordError::TooLong`].
    pub fn seal(
        &mut self,
        session_id: u32,
        layout: Layout,
        data: &[u8],
        rng: &mut dyn CryptoRng,
    ) -> Result<Vec<u8>, RecordError> {
        if !layout.encrypted {
            return self.enclose(session_id, layout, &[data]);
        }
        let len = u16::try_from(data.len()).map_err(|_| RecordError::TooLong)?;
        let padding = Padding::new(layout.padding, rng);
        self.enclose(session_id, layout, &[&len.to_le_bytes(), data, padding.as_ref()])
    }

    /// A record with this inside, be it a length, as many bytes and padding or not: for those who test the other side.
    ///
    /// # Errors
    /// As [`RecordKey::seal`].
    pub fn seal_inside(
        &mut self,
        session_id: u32,
        layout: Layout,
        inside: &[u8],
    ) -> Result<Vec<u8>, RecordError> {
        self.enclose(session_id, layout, &[inside])
    }

    /// The record of what is inside, numbered with the next sequence number.
    fn enclose(&mut self, session_id: u32, layout: Layout, inside: &[&[u8]]) -> Result<Vec<u8>, RecordError> {
        let content: usize = inside.iter().map(|part| part.len()).sum();
        let length = u16::try_from(content + TAG).map_err(|_| RecordError::TooLong)?;
        let sequence = self.next()?;
        // of the right size from the beginning: what is written is encrypted where it stands, and nowhere else
        let header = layout.header_len();
        let mut record = Vec::with_capacity(header + content + TAG);
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

    /// The data of the next record, which erases itself. The sequence number advances only if the tag is right, and then whatever is
    /// inside: the other side has gone on too.
    ///
    /// # Errors
    /// Every [`RecordError`] but [`RecordError::TooLong`].
    pub fn open(&mut self, layout: Layout, record: &[u8]) -> Result<Zeroizing<Vec<u8>>, RecordError> {
        self.open_after(0, layout, record)
    }

    /// The same where `lost` records before it never opened: for those who read captures. A party to the session takes none
    /// after them.
    ///
    /// # Errors
    /// As [`RecordKey::open`].
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
        if content.len() != length || length < TAG {
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
            let (signed, tag) = record.split_at(record.len() - TAG);
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

    /// iv ⊕ the sequence number, little-endian, in the first 8 bytes.
    fn nonce(&self, sequence: u64) -> [u8; IV] {
        let mut nonce = [0; IV];
        nonce.copy_from_slice(self.iv.as_ref());
        nonce.iter_mut().zip(sequence.to_le_bytes()).for_each(|(byte, number)| *byte ^= number);
        nonce
    }
}

/// Key and iv erase themselves.
impl ZeroizeOnDrop for RecordKey {}

/// The session that a record belongs to.
#[must_use]
pub fn session_id(record: &[u8]) -> Option<u32> {
    record.first_chunk().map(|id| u32::from_le_bytes(*id))
}

/// Random bytes of a random length.
struct Padding {
    bytes: [u8; u8::MAX as usize],
    len: usize,
}

impl Padding {
    /// 1 to `most` bytes; none if `most` is 0.
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

/// Leaves the data between its length and the padding.
fn unpad(plain: &mut Vec<u8>) -> Option<()> {
    let (len, rest) = plain.split_first_chunk()?;
    let len = usize::from(u16::from_le_bytes(*len));
    rest.get(..len)?;
    plain.copy_within(LENGTH..LENGTH + len, 0);
    plain.truncate(len);
    Some(())
}
