//! What all messages have in common: the header, the versions, the lengths that the negotiation decided.

use crate::code::Code;
use crate::codec_error::{CodecError, Problem};
use crate::wire::{Observer, Reader, Wire, Writer};

/// A message: one description of its fields, in the order of the wire.
///
/// `Default` is the message of zeros; a message is as small as its slices, and copied freely.
pub trait Message<'a>: Copy + Default {
    /// RequestResponseCode.
    const CODE: Code;

    /// Hands every field to `wire`, from Param1 on.
    ///
    /// # Errors
    /// What [`Wire`] says of a field, or a value that the standard does not allow where the layout depends on it.
    fn walk<W: Wire<'a>>(&mut self, wire: &mut W, version: Version, sizes: &Sizes) -> Result<(), CodecError>;

    /// The message that `bytes` are. The layout is that of the version in the header.
    ///
    /// # Errors
    /// Another version or code, too few bytes, bytes after the end, or a value that decides the layout and is not
    /// allowed.
    fn decode(bytes: &'a [u8], sizes: &Sizes) -> Result<Self, CodecError> {
        let (message, reader) = read(bytes, sizes, ())?;
        reader.end()?;
        Ok(message)
    }

    /// The message that `bytes` begin with, and its length: PCI DOE pads to four bytes, and no transcript has the
    /// padding.
    ///
    /// # Errors
    /// As [`Message::decode`], but for bytes after the end.
    fn decode_prefix(bytes: &'a [u8], sizes: &Sizes) -> Result<(Self, usize), CodecError> {
        let (message, reader) = read(bytes, sizes, ())?;
        Ok((message, reader.offset()))
    }

    /// As [`Message::decode_prefix`], and shows every field after the header's first two to `observer`.
    ///
    /// # Errors
    /// As [`Message::decode_prefix`]; the fields before the error have been shown.
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
    /// Too small a buffer; a value of another length than `sizes` or another field says, or too large for its field.
    fn encode(&self, version: Version, sizes: &Sizes, buffer: &mut [u8]) -> Result<usize, CodecError> {
        let mut writer = Writer::new(buffer);
        writer.u8("SPDMVersion", &mut version.byte())?;
        writer.u8("RequestResponseCode", &mut Self::CODE.0.clone())?;
        let mut message = *self;
        message.walk(&mut writer, version, sizes)?;
        Ok(writer.offset())
    }
}

impl<'a, O: Observer<'a>> Observer<'a> for &mut O {
    fn field(&mut self, field: crate::wire::Field<'a>) {
        (**self).field(field);
    }
}

/// A byte that is reserved before version `first`.
pub(crate) fn u8_since<'a>(
    first: Version,
    version: Version,
    what: &'static str,
    value: &mut u8,
    wire: &mut impl Wire<'a>,
) -> Result<(), CodecError> {
    if version >= first { wire.u8(what, value) } else { wire.reserved(1) }
}

fn read<'a, M: Message<'a>, O: Observer<'a>>(
    bytes: &'a [u8],
    sizes: &Sizes,
    observer: O,
) -> Result<(M, Reader<'a, O>), CodecError> {
    let header = Header::decode(bytes)?;
    let version = Version::from_byte(header.version)?;
    if header.code != M::CODE {
        let problem =
            Problem::Value { expected: M::CODE.name().unwrap_or(""), got: u64::from(header.code.0) };
        return Err(CodecError { what: "RequestResponseCode", offset: 1, problem });
    }
    let mut reader = Reader::observed(bytes, 2, observer);
    let mut message = M::default();
    message.walk(&mut reader, version, sizes)?;
    Ok((message, reader))
}

/// The four bytes that every message begins with: `SPDMVersion ‖ RequestResponseCode ‖ Param1 ‖ Param2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// SPDMVersion as it stands, known or not: major in the high, minor in the low half.
    pub version: u8,
    /// RequestResponseCode.
    pub code: Code,
    /// Param1, of each message's own meaning.
    pub param1: u8,
    /// Param2, of each message's own meaning.
    pub param2: u8,
}

impl Header {
    /// Length in bytes.
    pub const LEN: usize = 4;

    /// The header of any message.
    ///
    /// # Errors
    /// Fewer than four bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, CodecError> {
        let mut header = [0; Self::LEN];
        Reader::new(bytes, 0).array("header", &mut header)?;
        let [version, code, param1, param2] = header;
        Ok(Self { version, code: Code(code), param1, param2 })
    }
}

/// The versions of DSP0274. Later ones compare as greater.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Version {
    /// 1.0
    #[default]
    V1_0 = 0x10,
    /// 1.1
    V1_1 = 0x11,
    /// 1.2
    V1_2 = 0x12,
    /// 1.3
    V1_3 = 0x13,
    /// 1.4
    V1_4 = 0x14,
}

impl Version {
    /// All, ascending.
    pub const ALL: [Self; 5] = [Self::V1_0, Self::V1_1, Self::V1_2, Self::V1_3, Self::V1_4];

    /// SPDMVersion.
    #[must_use]
    pub const fn byte(self) -> u8 {
        self as u8
    }

    /// The version of SPDMVersion `byte`.
    ///
    /// # Errors
    /// A version that this crate does not know.
    pub fn from_byte(byte: u8) -> Result<Self, CodecError> {
        let unknown = Problem::Value { expected: "0x10 to 0x14", got: u64::from(byte) };
        let found = Self::ALL.into_iter().find(|version| version.byte() == byte);
        found.ok_or(CodecError { what: "SPDMVersion", offset: 0, problem: unknown })
    }
}

/// What the bytes of a message do not say of its layout: lengths that the negotiation or the request decided.
///
/// All in bytes; 0 where a part is absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// H, a digest of the negotiated BaseHash.
    pub hash: usize,
    /// A signature of the one who signs this message; 0 if the request asked for none. FINISH says itself whether it
    /// has one.
    pub signature: usize,
    /// ExchangeData of this message: of a KEM the encapsulation key in the request, the ciphertext in the response.
    pub exchange_data: usize,
    /// MeasurementSummaryHash, H bytes if the request asked for it.
    pub summary_hash: usize,
    /// VerifyData of KEY_EXCHANGE_RSP and FINISH_RSP, H bytes: with HANDSHAKE_IN_THE_CLEAR only the latter has it,
    /// otherwise only the former.
    pub verify_data: usize,
    /// Whether DIGESTS tells of key pairs: the connection was negotiated for several keys (1.3).
    pub multi_key: bool,
}
