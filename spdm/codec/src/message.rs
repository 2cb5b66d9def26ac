//! Common parts of all messages: the header, the versions, and the negotiated lengths.

use crate::code::Code;
use crate::codec_error::{CodecError, Problem};
use crate::wire::{Observer, Reader, Wire, Writer};

/// A message that describes its fields once, in wire order, for decoding and for encoding.
///
/// `Default` is a message in which all fields are zero or empty. Messages are small and cheap to copy, because they
/// borrow variable parts as slices.
pub trait Message<'a>: Copy + Default {
    /// RequestResponseCode.
    const CODE: Code;
    /// The name of the message if it differs from [`Code::name`]: a dialect of SPDM can use the code for another
    /// message.
    const NAME: Option<&'static str> = None;

    /// Passes every field, starting at Param1, to `wire`.
    ///
    /// # Errors
    /// Returns the errors of [`Wire`], or an error if a field that determines the layout has an invalid value.
    fn visit_fields<W: Wire<'a>>(
        &mut self,
        wire: &mut W,
        version: Version,
        sizes: &Sizes,
    ) -> Result<(), CodecError>;

    /// Decodes a message. Its layout depends on the version in the header.
    ///
    /// # Errors
    /// Returns an error if the version is unknown, the code is not [`Message::CODE`], there are too few or too many
    /// bytes, or a field that determines the layout has an invalid value.
    fn decode(bytes: &'a [u8], sizes: &Sizes) -> Result<Self, CodecError> {
        let (message, reader) = read(bytes, sizes, ())?;
        reader.end()?;
        Ok(message)
    }

    /// Decodes the message at the start of `bytes`, and returns it with its length. Padding of PCI DOE may follow; it
    /// is not part of any transcript.
    ///
    /// # Errors
    /// The errors of [`Message::decode`], except for bytes after the end.
    fn decode_prefix(bytes: &'a [u8], sizes: &Sizes) -> Result<(Self, usize), CodecError> {
        let (message, reader) = read(bytes, sizes, ())?;
        Ok((message, reader.offset()))
    }

    /// Decodes the message at the start of `bytes`, and shows every field after RequestResponseCode to `observer`.
    ///
    /// # Errors
    /// The errors of [`Message::decode_prefix`]; `observer` has then seen the fields before the error.
    fn observe(
        bytes: &'a [u8],
        sizes: &Sizes,
        observer: &mut impl Observer<'a>,
    ) -> Result<(Self, usize), CodecError> {
        let (message, reader) = read(bytes, sizes, observer)?;
        Ok((message, reader.offset()))
    }

    /// Writes the message into `buffer`, and returns its length in bytes.
    ///
    /// # Errors
    /// Returns an error if the buffer is too small, the length of a value contradicts `sizes` or another field, or a
    /// value is too large for its field.
    fn encode(&self, version: Version, sizes: &Sizes, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        writer.u8("SPDMVersion", &mut version.byte())?;
        writer.u8("RequestResponseCode", &mut Self::CODE.0.clone())?;
        let mut message = *self;
        message.visit_fields(&mut writer, version, sizes)?;
        Ok(writer.offset())
    }
}

impl<'a, O: Observer<'a>> Observer<'a> for &mut O {
    fn field(&mut self, field: crate::wire::Field<'a>) {
        (**self).field(field);
    }
}

/// Passes a byte to `wire`. Before version `first` the byte is reserved.
pub(crate) fn u8_since<'a>(
    first: Version,
    version: Version,
    name: &'static str,
    value: &mut u8,
    wire: &mut impl Wire<'a>,
) -> Result<(), CodecError> {
    if version >= first { wire.u8(name, value) } else { wire.reserved(1) }
}

fn read<'a, M: Message<'a>, O: Observer<'a>>(
    bytes: &'a [u8],
    sizes: &Sizes,
    observer: O,
) -> Result<(M, Reader<'a, O>), CodecError> {
    let header = Header::decode(bytes)?;
    let version = Version::from_byte(header.version)?;
    if header.code != M::CODE {
        let expected = M::NAME.or_else(|| M::CODE.name()).unwrap_or("");
        let problem = Problem::Value { expected, got: u64::from(header.code.0) };
        return Err(CodecError { name: "RequestResponseCode", offset: 1, problem });
    }
    let mut reader = Reader::with_observer(bytes, 2, observer);
    let mut message = M::default();
    message.visit_fields(&mut reader, version, sizes)?;
    Ok((message, reader))
}

/// The first four bytes of every message: `SPDMVersion ‖ RequestResponseCode ‖ Param1 ‖ Param2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// SPDMVersion, even if unknown: the major version in the high half, the minor version in the low half.
    pub version: u8,
    /// RequestResponseCode.
    pub code: Code,
    /// Param1; its meaning depends on the message.
    pub param1: u8,
    /// Param2; its meaning depends on the message.
    pub param2: u8,
}

impl Header {
    /// Length of the header in bytes.
    pub const LEN: usize = 4;

    /// Decodes the header of any message.
    ///
    /// # Errors
    /// Returns an error if there are fewer than four bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut header = [0; Self::LEN];
        Reader::new(bytes, 0).array("header", &mut header)?;
        let [version, code, param1, param2] = header;
        Ok(Self { version, code: Code(code), param1, param2 })
    }
}

/// A version of DSP0274. Later versions compare as greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Version {
    /// SPDM 1.0
    #[default]
    V1_0 = 0x10,
    /// SPDM 1.1
    V1_1 = 0x11,
    /// SPDM 1.2
    V1_2 = 0x12,
    /// SPDM 1.3
    V1_3 = 0x13,
    /// SPDM 1.4
    V1_4 = 0x14,
}

impl Version {
    /// All versions, ascending.
    pub const ALL: [Self; 5] = [Self::V1_0, Self::V1_1, Self::V1_2, Self::V1_3, Self::V1_4];

    /// Returns SPDMVersion.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self as u8
    }

    /// Returns the version with SPDMVersion `byte`.
    ///
    /// # Errors
    /// Returns an error if the version is unknown to this crate.
    pub fn from_byte(byte: u8) -> Result<Self, CodecError> {
        let unknown = Problem::Value { expected: "0x10 to 0x14", got: u64::from(byte) };
        let found = Self::ALL.into_iter().find(|version| version.byte() == byte);
        found.ok_or(CodecError { name: "SPDMVersion", offset: 0, problem: unknown })
    }
}

/// Lengths that a message does not contain itself: they depend on the negotiation or on the request.
///
/// All lengths are in bytes; 0 means that the part is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Length H of a digest of the negotiated BaseHash.
    pub hash: usize,
    /// Length of a signature by the sender of this message; 0 if no signature was requested. FINISH itself says whether
    /// it has a signature.
    pub signature: usize,
    /// Length of this message's ExchangeData. For a KEM: the encapsulation key in the request, the ciphertext in the
    /// response. In CHALLENGE of [`pqc2021`](crate::pqc2021): the ciphertext.
    pub exchange_data: usize,
    /// Length of MeasurementSummaryHash: H if the request asks for a summary.
    pub summary_hash: usize,
    /// Length H of VerifyData in KEY_EXCHANGE_RSP or FINISH_RSP. With HANDSHAKE_IN_THE_CLEAR only FINISH_RSP has it,
    /// otherwise only KEY_EXCHANGE_RSP.
    pub verify_data: usize,
    /// Whether this is a multi-key connection, so that DIGESTS contains KeyPairID, CertificateInfo and KeyUsageMask for
    /// each slot (1.3).
    pub multi_key: bool,
}
