//! The responder: which request is answered when, what goes into transcripts, what is signed.

use crate::device::{Device, Hash, Suite};
use crate::responses::{self, Body};
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, Limits};
use grille_spdm_codec::chunk::{Chunk, ChunkGet, ChunkResponse};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::{Code, CodecError, Header, Message, Sizes, Version, signing};

/// A responder. `buffer` holds one whole response: as long as a signature and all measurements together.
pub struct Responder<'b, D: Device> {
    device: D,
    buffer: &'b mut [u8],
    phase: Phase,
    requester: Limits,
    /// VCA.
    vca: D::Hash,
    /// VCA and what of B there is since GET_DIGESTS.
    b: Option<D::Hash>,
    /// L1/L2, which begins with VCA.
    l: Option<D::Hash>,
    authenticated: bool,
    large: Option<Large>,
    handle: u8,
}

/// How far a connection is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Start,
    Version,
    Capabilities,
    Negotiated,
}

/// A response in the buffer that is fetched in chunks.
struct Large {
    len: usize,
    sent: usize,
    sequence: u32,
}

/// Why there is ERROR instead.
#[derive(Clone, Copy)]
pub(crate) struct Refusal(pub(crate) ErrorCode);

impl From<CodecError> for Refusal {
    fn from(_: CodecError) -> Self {
        Self(ErrorCode::INVALID_REQUEST)
    }
}

impl<'b, D: Device> Responder<'b, D> {
    /// Nobody has spoken with it yet.
    pub fn new(device: D, buffer: &'b mut [u8]) -> Self {
        Self {
            device,
            buffer,
            phase: Phase::Start,
            requester: Limits::default(),
            vca: D::Hash::default(),
            b: None,
            l: None,
            authenticated: false,
            large: None,
            handle: 0,
        }
    }

    /// Writes the answer to a request into `packet`, which takes at least 64 bytes; its length.
    pub fn receive(&mut self, request: &[u8], packet: &mut [u8]) -> usize {
        let code = request.get(1).map_or(Code::ERROR, |&code| Code(code));
        let answered = if code == Code::CHUNK_GET {
            self.chunk(request, packet)
        } else {
            self.large = None;
            self.respond(request).and_then(|len| self.send(len, packet))
        };
        answered.unwrap_or_else(|Refusal(error)| {
            let data = if error == ErrorCode::UNSUPPORTED_REQUEST { code.0 } else { 0 };
            self.error(error, data, &[], packet)
        })
    }

    fn error(&self, code: ErrorCode, data: u8, extended: &[u8], packet: &mut [u8]) -> usize {
        let version =
            if self.phase < Phase::Capabilities { Version::V1_0 } else { self.device.suite().version };
        ErrorResponse { code, data, extended }.encode(version, &Sizes::default(), packet).unwrap_or(0)
    }

    /// The response in the buffer goes in one packet, or is kept until it is fetched.
    fn send(&mut self, len: usize, packet: &mut [u8]) -> Result<usize, Refusal> {
        let whole = self.buffer.get(..len).ok_or(Refusal(ErrorCode::UNSPECIFIED))?;
        let most = self.packet_len(packet);
        if let Some(fits) = packet.get_mut(..len).filter(|_| len <= most) {
            fits.copy_from_slice(whole);
            return Ok(len);
        }
        if !self.requester.flags.contains(Caps::CHUNK) || len > self.requester.max_message_size as usize {
            return Ok(self.error(ErrorCode::RESPONSE_TOO_LARGE, 0, &(len as u32).to_le_bytes(), packet));
        }
        self.handle = self.handle.wrapping_add(1);
        self.large = Some(Large { len, sent: 0, sequence: 0 });
        Ok(self.error(ErrorCode::LARGE_RESPONSE, 0, &[self.handle], packet))
    }

    /// What the requester takes in one packet.
    fn packet_len(&self, packet: &[u8]) -> usize {
        let told = self.phase >= Phase::Capabilities;
        if told { packet.len().min(self.requester.data_transfer_size as usize) } else { packet.len() }
    }

    /// CHUNK_GET.
    fn chunk(&mut self, request: &[u8], packet: &mut [u8]) -> Result<usize, Refusal> {
        let version = self.admit(request, Phase::Capabilities)?;
        let (ask, _) = ChunkGet::decode_prefix(request, &Sizes::default())?;
        let most = self.packet_len(packet);
        let large = self.large.as_mut().ok_or(Refusal(ErrorCode::UNEXPECTED_REQUEST))?;
        if (ask.handle, ask.sequence) != (self.handle, large.sequence) {
            return Err(Refusal(ErrorCode::INVALID_REQUEST));
        }
        let header = if large.sequence == 0 { CHUNK_HEADER + 4 } else { CHUNK_HEADER };
        let room = most.saturating_sub(header).min(large.len - large.sent);
        let data = self.buffer.get(large.sent..large.sent + room).unwrap_or_default();
        let last = large.sent + room == large.len;
        let (handle, sequence, large_size) = (self.handle, large.sequence, large.len as u32);
        let chunk = Chunk { last, handle, sequence, large_size, data };
        let len = ChunkResponse { chunk }.encode(version, &Sizes::default(), packet)?;
        (large.sent, large.sequence) = (large.sent + room, large.sequence + 1);
        if last {
            self.large = None;
        }
        Ok(len)
    }

    /// Whether a request of the negotiated version may come now.
    fn admit(&self, request: &[u8], phase: Phase) -> Result<Version, Refusal> {
        let version = self.device.suite().version;
        if Header::decode(request)?.version != version.byte() {
            return Err(Refusal(ErrorCode::VERSION_MISMATCH));
        }
        if self.phase < phase { Err(Refusal(ErrorCode::UNEXPECTED_REQUEST)) } else { Ok(version) }
    }

    /// The whole response, in the buffer; its length.
    fn respond(&mut self, request: &[u8]) -> Result<usize, Refusal> {
        let code = Header::decode(request)?.code;
        match code {
            Code::GET_VERSION | Code::GET_CAPABILITIES | Code::NEGOTIATE_ALGORITHMS => {
                self.negotiate(code, request)
            }
            Code::GET_DIGESTS | Code::GET_CERTIFICATE | Code::CHALLENGE | Code::GET_MEASUREMENTS => {
                self.attest(code, request)
            }
            _ => Err(Refusal(ErrorCode::UNSUPPORTED_REQUEST)),
        }
    }

    /// VCA.
    fn negotiate(&mut self, code: Code, request: &[u8]) -> Result<usize, Refusal> {
        let suite = self.device.suite();
        let Body { taken, len, .. } = match code {
            Code::GET_VERSION => {
                if Header::decode(request)?.version != Version::V1_0.byte() {
                    return Err(Refusal(ErrorCode::VERSION_MISMATCH));
                }
                let body = responses::version(&suite, request, self.buffer)?;
                (self.phase, self.vca, self.b, self.l) = (Phase::Start, D::Hash::default(), None, None);
                (self.authenticated, self.requester) = (false, Limits::default());
                body
            }
            Code::GET_CAPABILITIES => {
                self.admit(request, Phase::Version)?;
                self.once(Phase::Version)?;
                let (body, requester) = responses::capabilities(&suite, request, self.buffer)?;
                self.requester = requester;
                body
            }
            _ => {
                self.admit(request, Phase::Capabilities)?;
                self.once(Phase::Capabilities)?;
                responses::algorithms(&suite, request, self.buffer)?
            }
        };
        self.vca.update(request.get(..taken).unwrap_or(request));
        self.vca.update(self.buffer.get(..len).unwrap_or_default());
        self.phase = match self.phase {
            Phase::Start => Phase::Version,
            Phase::Version => Phase::Capabilities,
            _ => Phase::Negotiated,
        };
        Ok(len)
    }

    fn once(&self, phase: Phase) -> Result<(), Refusal> {
        if self.phase == phase { Ok(()) } else { Err(Refusal(ErrorCode::UNEXPECTED_REQUEST)) }
    }

    /// What comes after ALGORITHMS.
    fn attest(&mut self, code: Code, request: &[u8]) -> Result<usize, Refusal> {
        self.admit(request, Phase::Negotiated)?;
        let measures = code == Code::GET_MEASUREMENTS;
        if !measures {
            self.l = None;
        }
        if code == Code::GET_DIGESTS || measures && !self.authenticated {
            self.b = None;
        }
        let chunks = self.requester.flags.contains(Caps::CHUNK);
        let most = if chunks { self.requester.max_message_size } else { self.requester.data_transfer_size };
        let body = match code {
            Code::GET_DIGESTS => responses::digests(&self.device, request, self.buffer),
            Code::GET_CERTIFICATE => {
                responses::certificate(&self.device, most as usize, request, self.buffer)
            }
            Code::CHALLENGE => responses::challenge(&mut self.device, request, self.buffer),
            _ => responses::measurements(&mut self.device, request, self.buffer),
        };
        let body = body.inspect_err(|_| {
            if measures {
                self.l = None;
            }
        })?;
        let request = request.get(..body.taken).unwrap_or(request);
        let fed = if measures { &mut self.l } else { &mut self.b };
        let mut transcript = fed.take().unwrap_or_else(|| self.vca.clone());
        transcript.update(request);
        transcript.update(self.buffer.get(..body.len).unwrap_or_default());
        let Some(context) = body.context else {
            *fed = Some(transcript);
            return Ok(body.len);
        };
        self.authenticated |= !measures;
        self.sign(transcript, context, body.len)
    }

    /// Appends the signature to the response.
    fn sign(&mut self, transcript: D::Hash, context: &str, len: usize) -> Result<usize, Refusal> {
        let Suite { version, signature_len, .. } = self.device.suite();
        let mut message = [0; signing::PREFIX + MAX_HASH];
        message[..signing::PREFIX].copy_from_slice(&signing::prefix(version, context));
        let end = signing::PREFIX + D::Hash::LEN;
        transcript.finish(&mut message[signing::PREFIX..end]);
        let whole = len + signature_len;
        let signature = self.buffer.get_mut(len..whole).ok_or(Refusal(ErrorCode::UNSPECIFIED))?;
        let signed = self.device.sign(&message[..end], context.as_bytes(), signature);
        if signed { Ok(whole) } else { Err(Refusal(ErrorCode::UNSPECIFIED)) }
    }
}

/// Bytes of CHUNK_RESPONSE around the data, but for LargeMessageSize.
const CHUNK_HEADER: usize = 12;

/// The longest output of a hash that SPDM knows, in bytes.
pub(crate) const MAX_HASH: usize = 64;
