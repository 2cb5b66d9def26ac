//! ExchangeData of KEY_EXCHANGE and KEY_EXCHANGE_RSP: the parts of a hybrid key exchange.

use crate::codec_error::CodecError;
use crate::wire::{Reader, Wire, Writer};

/// ExchangeData. A part whose algorithm was not negotiated is empty.
///
/// ```text
/// KEY_EXCHANGE:     DHE public value | KEM public key  | KEM ciphertext for the responder's long-term key
/// KEY_EXCHANGE_RSP: DHE public value | KEM ciphertext  | KEM ciphertext for the requester's long-term key
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExchangeData<'a> {
    /// The DHE public value: X ‖ Y or y, big-endian.
    pub dhe: &'a [u8],
    /// In the request, the ephemeral KEM public key; in the response, the ciphertext for that key.
    pub kem: &'a [u8],
    /// The ciphertext for the long-term KEM key of the message's receiver, which authenticates the receiver.
    pub kem_auth: &'a [u8],
}

/// The lengths of the parts of [`ExchangeData`] in bytes; 0 if an algorithm was not negotiated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExchangeLens {
    /// Length of the DHE public value.
    pub dhe: usize,
    /// Length of the KEM public key or ciphertext.
    pub kem: usize,
    /// Length of the ciphertext for a long-term key.
    pub kem_auth: usize,
}

impl ExchangeLens {
    /// Returns the length of ExchangeData, for [`Sizes`](crate::Sizes).
    #[must_use]
    pub const fn total(self) -> usize {
        self.dhe.saturating_add(self.kem).saturating_add(self.kem_auth)
    }
}

impl<'a> ExchangeData<'a> {
    /// Splits ExchangeData into its parts. Offsets in errors count from the start of ExchangeData.
    ///
    /// # Errors
    /// Returns an error if there are too few or too many bytes.
    pub fn decode(bytes: &'a [u8], lens: ExchangeLens) -> Result<Self, CodecError> {
        let mut reader = Reader::new(bytes, 0);
        let mut data = Self::default();
        data.visit_fields(&mut reader, lens)?;
        reader.end()?;
        Ok(data)
    }

    /// Writes the parts into `buffer`, and returns their total length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, or the length of a part differs from `lens`.
    pub fn encode(&self, lens: ExchangeLens, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        let mut data = *self;
        data.visit_fields(&mut writer, lens)?;
        Ok(writer.offset())
    }

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, lens: ExchangeLens) -> Result<(), CodecError> {
        wire.slice("DHE ExchangeData", lens.dhe, &mut self.dhe)?;
        wire.slice("KEM ExchangeData", lens.kem, &mut self.kem)?;
        wire.slice("KEM_AUTH ExchangeData", lens.kem_auth, &mut self.kem_auth)
    }
}
