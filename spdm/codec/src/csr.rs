//! GET_CSR and CSR, which fetch a certificate signing request from the device.

use crate::code::Code;
use crate::codec_error::CodecError;
use crate::message::{Message, Sizes, Version, u8_since};
use crate::opaque::opaque_len;
use crate::wire::Wire;

/// GET_CSR.
///
/// ```text
/// 0 SPDMVersion | 1 0xED | 2 KeyPairID (1.3) | 3 RequestAttributes (1.3)
/// 4 RequesterInfoLength u16 | 6 OpaqueDataLength u16 | 8 RequesterInfo | OpaqueData
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GetCsr<'a> {
    /// KeyPairID (1.3): the number of the key pair, starting at 1; 0 unless this is a multi-key connection.
    pub key_pair_id: u8,
    /// RequestAttributes (1.3): bits 2:0 the model, bits 5:3 CSRTrackingTag, bit 7 lets the responder drop an older
    /// request.
    pub attributes: u8,
    /// RequesterInfo: the requester's content for the certification request, in DER.
    pub requester_info: &'a [u8],
    /// OpaqueData, at most 1024 bytes.
    pub opaque: &'a [u8],
}

/// CSR.
///
/// ```text
/// 0 SPDMVersion | 1 0x6D | 2 reserved | 3 reserved
/// 4 CSRLength u16 | 6 reserved[2] | 8 CSRData
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Csr<'a> {
    /// CSRData: a PKCS #10 certification request, DER.
    pub csr: &'a [u8],
}

impl GetCsr<'_> {
    /// Returns CSRCertModel (1.3): 0 unspecified, 1 device, 2 alias, 3 generic.
    #[must_use]
    pub const fn model(&self) -> u8 {
        self.attributes & 7
    }

    /// Returns CSRTrackingTag (1.3), which identifies a request that started before a reset; 0 if there is none.
    #[must_use]
    pub const fn tracking_tag(&self) -> u8 {
        self.attributes >> 3 & 7
    }

    /// Returns whether Overwrite is set (1.3), which lets the responder drop an older request.
    #[must_use]
    pub const fn overwrites(&self) -> bool {
        self.attributes & 1 << 7 != 0
    }
}

impl<'a> Message<'a> for GetCsr<'a> {
    const CODE: Code = Code::GET_CSR;

    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        _: &Sizes,
    ) -> Result<(), CodecError> {
        u8_since(Version::V1_3, version, "KeyPairID", &mut self.key_pair_id, wire)?;
        u8_since(Version::V1_3, version, "RequestAttributes", &mut self.attributes, wire)?;
        info_and_opaque(&mut self.requester_info, &mut self.opaque, wire)
    }
}

/// Passes RequesterInfoLength, OpaqueDataLength, RequesterInfo and OpaqueData to `wire`.
pub(crate) fn info_and_opaque<'a>(
    requester_info: &mut &'a [u8],
    opaque: &mut &'a [u8],
    wire: &mut impl Wire<'a>,
) -> Result<(), CodecError> {
    let (mut info, mut data) = (requester_info.len(), opaque.len());
    wire.count("RequesterInfoLength", 2, &mut info)?;
    opaque_len(&mut data, wire)?;
    wire.slice("RequesterInfo", info, requester_info)?;
    wire.slice("OpaqueData", data, opaque)
}

impl<'a> Message<'a> for Csr<'a> {
    const CODE: Code = Code::CSR;

    fn visit_fields<W: Wire<'a>>(&mut self, wire: &mut W, _: Version, _: &Sizes) -> Result<(), CodecError> {
        wire.reserved(2)?;
        let mut length = self.csr.len();
        wire.count("CSRLength", 2, &mut length)?;
        wire.reserved(2)?;
        wire.slice("CSRData", length, &mut self.csr)
    }
}
