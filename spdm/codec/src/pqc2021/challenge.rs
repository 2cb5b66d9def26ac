//! CHALLENGE with KEM authentication. The response is the standard's
//! [`ChallengeAuth`](crate::challenge::ChallengeAuth), with a [`SignatureField`](crate::pqc2021::SignatureField).

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version};
use crate::wire::Wire;

/// CHALLENGE. [`Sizes::exchange_data`] is the length of the ciphertext.
///
/// ```text
/// 0 SPDMVersion | 1 0x83 | 2 SlotID | 3 MeasurementSummaryHashType
/// 4 Nonce[32] | 36 KEM ciphertext, if KEM authentication was negotiated
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Challenge<'a> {
    /// SlotID, 0 to 7, or 0xFF for the provisioned public key.
    pub slot: u8,
    /// MeasurementSummaryHashType: 0 none, 1 the trusted computing base, 0xFF all measurements.
    pub summary_type: u8,
    /// Nonce.
    pub nonce: [u8; 32],
    /// The ciphertext for the responder's long-term KEM key; empty without KEM authentication.
    pub ciphertext: &'a [u8],
}

impl<'a> Message<'a> for Challenge<'a> {
    const CODE: Code = Code::CHALLENGE;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        _: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError> {
        wire.u8("SlotID", &mut self.slot)?;
        wire.u8("MeasurementSummaryHashType", &mut self.summary_type)?;
        wire.array("Nonce", &mut self.nonce)?;
        wire.slice("KEM ciphertext", sizes.exchange_data, &mut self.ciphertext)
    }
}
