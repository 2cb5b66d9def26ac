//! The signature field of CHALLENGE_AUTH, MEASUREMENTS, KEY_EXCHANGE_RSP and FINISH.

use crate::codec_error::{CodecError, Problem};
use crate::wire::{Reader, Wire, Writer};

/// A signature field. A part whose algorithm was not negotiated is empty.
///
/// ```text
/// classical signature | length of the post-quantum signature u32 | post-quantum signature, padded with zeros | MAC
/// ```
///
/// Without a post-quantum algorithm, the length is present and zero. CHALLENGE_AUTH has a MAC after KEM
/// authentication.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignatureField<'a> {
    /// The classical signature.
    pub classical: &'a [u8],
    /// The post-quantum signature without padding.
    pub post_quantum: &'a [u8],
    /// The MAC of KEM authentication; empty except in CHALLENGE_AUTH.
    pub mac: &'a [u8],
}

/// The lengths of the parts of a [`SignatureField`] in bytes; 0 if an algorithm was not negotiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SignatureLens {
    /// Length of the classical signature.
    pub classical: usize,
    /// The largest length of the post-quantum signature, to which it is padded.
    pub post_quantum: usize,
    /// Length H of the MAC in CHALLENGE_AUTH after KEM authentication; 0 in other messages.
    pub mac: usize,
}

impl SignatureLens {
    /// Returns the length of the whole field, for [`Sizes`](crate::Sizes).
    #[must_use]
    pub const fn total(self) -> usize {
        self.classical.saturating_add(4).saturating_add(self.post_quantum).saturating_add(self.mac)
    }
}

impl<'a> SignatureField<'a> {
    /// Splits a signature field into its parts. Offsets in errors count from the start of the field.
    ///
    /// # Errors
    /// Returns an error if there are too few or too many bytes, the post-quantum signature is longer than its algorithm
    /// allows, or its padding is not zero.
    pub fn decode(bytes: &'a [u8], lens: SignatureLens) -> Result<Self, CodecError> {
        let mut reader = Reader::new(bytes, 0);
        let mut field = Self::default();
        reader.slice("classical signature", lens.classical, &mut field.classical)?;
        let mut len = 0;
        let at = Wire::offset(&reader);
        reader.count(LENGTH, 4, &mut len)?;
        let mut padded: &[u8] = &[];
        reader.slice(PADDED, lens.post_quantum, &mut padded)?;
        field.post_quantum = unpad(padded, len, at)?;
        reader.slice("MAC", lens.mac, &mut field.mac)?;
        reader.end()?;
        Ok(field)
    }

    /// Writes the field into `buffer`, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, the length of the classical signature or of the MAC differs from
    /// `lens`, or the post-quantum signature is longer than in `lens`.
    pub fn encode(&self, lens: SignatureLens, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let (mut classical, mut post_quantum, mut mac) = (self.classical, self.post_quantum, self.mac);
        writer.slice("classical signature", lens.classical, &mut classical)?;
        let mut len = post_quantum.len();
        let padding = lens
            .post_quantum
            .checked_sub(len)
            .ok_or_else(|| too_long_error(len, lens.post_quantum, Wire::offset(&writer)))?;
        writer.count(LENGTH, 4, &mut len)?;
        writer.rest(PADDED, &mut post_quantum)?;
        writer.reserved(padding)?;
        writer.slice("MAC", lens.mac, &mut mac)?;
        Ok(writer.offset())
    }
}

const LENGTH: &str = "length of the post-quantum signature";
const PADDED: &str = "post-quantum signature";

/// Returns the first `len` bytes of `padded`. The length field is at offset `at`.
fn unpad(padded: &[u8], len: usize, at: usize) -> Result<&[u8], CodecError> {
    let (signature, padding) =
        padded.split_at_checked(len).ok_or_else(|| too_long_error(len, padded.len(), at))?;
    let Some(index) = padding.iter().position(|&byte| byte != 0) else { return Ok(signature) };
    let got = u64::from(padding.get(index).copied().unwrap_or_default());
    let problem = Problem::Value { expected: "zeros as padding", got };
    Err(CodecError { name: PADDED, offset: at + 4 + len + index, problem })
}

fn too_long_error(len: usize, max: usize, offset: usize) -> CodecError {
    CodecError { name: LENGTH, offset, problem: Problem::TooLarge { max: max as u64, got: len as u64 } }
}
