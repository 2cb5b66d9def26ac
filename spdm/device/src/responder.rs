//! The responder: legal requests, transcripts and signatures.

use crate::device::{Device, Hash, MAX_HASH_LEN, Suite};
use crate::refusal::{Refusal, UNEXPECTED};
use crate::responses::{self, Body};
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, Limits};
use grille_spdm_codec::chunk::{Chunk, ChunkGet, ChunkResponse};
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::{Code, Header, Message, Sizes, Version, signing};

/// A responder. `buffer` holds one whole response: CHALLENGE_AUTH has at most 174 bytes and a signature; MEASUREMENTS
/// has 50 bytes, all measurement blocks and a signature. A response that does not fit is replaced by ERROR
/// Unspecified.
pub struct Responder<'b, D: Device> {
    device: D,
    buffer: &'b mut [u8],
    phase: Phase,
    requester: Limits,
    /// Whether ALGORITHMS selected DMTF's measurement specification.
    has_measurements: bool,
    /// The running hash of the transcript VCA.
    vca: D::Hash,
    /// The running hash of VCA and of the part of the transcript B since GET_DIGESTS; `None` if that part is empty.
    b: Option<D::Hash>,
    /// The running hash of the transcript L1/L2, which starts with VCA; `None` if the transcript has no message after
    /// VCA.
    l: Option<D::Hash>,
    authenticated: bool,
    negotiating: Option<Negotiating>,
    large: Option<LargeResponse>,
    handle: u8,
}

/// The phase of the connection.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Start,
    Version,
    Capabilities,
    Negotiated,
    /// ALGORITHMS selected no hash or no signature algorithm; only GET_VERSION is allowed.
    Unusable,
}

/// The last request and response of VCA. The response is at the start of the buffer, and the request is stored right
/// after it. If the requester repeats the request, the responder sends the same response again.
#[derive(Clone, Copy)]
struct Negotiating {
    response_len: usize,
    request_len: usize,
}

/// A response in the buffer that the requester fetches in chunks.
struct LargeResponse {
    len: usize,
    /// The position of the previous chunk, which may be requested again.
    before: ChunkPosition,
    next: ChunkPosition,
}

/// The position of a chunk.
#[derive(Clone, Copy, Default)]
struct ChunkPosition {
    offset: usize,
    sequence: u32,
}

impl<'b, D: Device> Responder<'b, D> {
    /// Creates a responder without a connection.
    pub fn new(device: D, buffer: &'b mut [u8]) -> Self {
        const { assert!(D::Hash::LEN <= MAX_HASH_LEN) }
        Self {
            device,
            buffer,
            phase: Phase::Start,
            requester: Limits::default(),
            has_measurements: false,
            vca: D::Hash::default(),
            b: None,
            l: None,
            authenticated: false,
            negotiating: None,
            large: None,
            handle: 0,
        }
    }

    /// Writes the response to a request into `packet`, which must have at least 64 bytes. Returns the length of the
    /// response.
    pub fn receive(&mut self, request: &[u8], packet: &mut [u8]) -> usize {
        let code = request.get(1).map_or(Code::ERROR, |&code| Code(code));
        let answered = if code == Code::CHUNK_GET {
            self.answer_chunk_get(request, packet)
        } else {
            self.large = None;
            self.respond(request, self.max_response_len(packet.len())).map(|len| self.send(len, packet))
        };
        answered.unwrap_or_else(|refusal| {
            if code == Code::GET_MEASUREMENTS {
                self.l = None;
            }
            self.error(self.error_version(request), refusal, packet)
        })
    }

    /// Returns the SPDMVersion of an ERROR response: 1.0 before CAPABILITIES, except for GET_CAPABILITIES of the
    /// device's version; otherwise the device's version.
    fn error_version(&self, request: &[u8]) -> Version {
        let version = self.device.suite().version;
        let is_get_capabilities = request.starts_with(&[version.byte(), Code::GET_CAPABILITIES.0]);
        if is_get_capabilities || self.phase >= Phase::Capabilities { version } else { Version::V1_0 }
    }

    fn error(&self, version: Version, refusal: Refusal, packet: &mut [u8]) -> usize {
        let Refusal { code, data, size } = refusal;
        let (size, handle) = (size.map(u32::to_le_bytes), [self.handle]);
        let extended = match &size {
            Some(size) => &size[..],
            None if code == ErrorCode::LARGE_RESPONSE => &handle,
            None => &[],
        };
        ErrorResponse { code, data, extended }.encode(version, &Sizes::default(), packet).unwrap_or(0)
    }

    /// Sends the response in the buffer in one packet, or stores it for CHUNK_GET and sends ERROR LargeResponse.
    fn send(&mut self, len: usize, packet: &mut [u8]) -> usize {
        let most = self.max_packet_len(packet.len());
        let whole = self.buffer.get(..len).unwrap_or_default();
        if let Some(fits) = packet.get_mut(..whole.len()).filter(|_| len <= most) {
            fits.copy_from_slice(whole);
            return whole.len();
        }
        self.handle = self.handle.wrapping_add(1);
        self.large =
            Some(LargeResponse { len, before: ChunkPosition::default(), next: ChunkPosition::default() });
        self.error(self.device.suite().version, Refusal::new(ErrorCode::LARGE_RESPONSE), packet)
    }

    /// Returns the maximum message length in one packet of at most `room` bytes.
    fn max_packet_len(&self, room: usize) -> usize {
        let knows_capabilities = self.phase >= Phase::Capabilities;
        if knows_capabilities { room.min(self.requester.data_transfer_size as usize) } else { room }
    }

    /// Returns the maximum length of a whole response, with packets of at most `room` bytes.
    fn max_response_len(&self, room: usize) -> usize {
        if self.supports_chunks() {
            self.requester.max_message_size as usize
        } else {
            self.max_packet_len(room)
        }
    }

    /// Returns whether the requester supports chunks.
    const fn supports_chunks(&self) -> bool {
        self.requester.flags.contains(Caps::CHUNK)
    }

    /// Answers CHUNK_GET.
    fn answer_chunk_get(&mut self, request: &[u8], packet: &mut [u8]) -> Result<usize, Refusal> {
        let version = self.check_legal(request, Phase::Capabilities)?;
        if !self.supports_chunks() {
            return Err(Refusal::unsupported(Code::CHUNK_GET));
        }
        let (message, _) = responses::read::<ChunkGet>(request)?;
        let most = self.max_packet_len(packet.len());
        let large = self.large.as_mut().ok_or(UNEXPECTED)?;
        let place = [large.next, large.before].into_iter().find(|place| place.sequence == message.sequence);
        let place = place.filter(|place| message.handle == self.handle && place.offset < large.len);
        let ChunkPosition { offset, sequence } = place.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
        let header = if sequence == 0 { CHUNK_HEADER + 4 } else { CHUNK_HEADER };
        let end = large.len.min(offset + most.saturating_sub(header));
        let data = self.buffer.get(offset..end).unwrap_or_default();
        let (last, handle, large_size) = (end == large.len, self.handle, large.len as u32);
        let chunk = Chunk { last, handle, sequence, large_size, data };
        let len = ChunkResponse { chunk }.encode(version, &Sizes::default(), packet)?;
        large.before = ChunkPosition { offset, sequence };
        large.next = ChunkPosition { offset: end, sequence: sequence + 1 };
        Ok(len)
    }

    /// Checks that a request has the device's version, and that the connection has reached `phase`.
    fn check_legal(&self, request: &[u8], phase: Phase) -> Result<Version, Refusal> {
        let version = self.device.suite().version;
        let other = Header::decode(request)?.version != version.byte();
        // Before CAPABILITIES, a premature request is an unexpected request rather than a version mismatch.
        if other && self.phase >= phase.min(Phase::Capabilities) {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        if self.phase < phase { Err(UNEXPECTED) } else { Ok(version) }
    }

    /// Writes the response, of at most `most` bytes, into the buffer. Returns its length.
    fn respond(&mut self, request: &[u8], most: usize) -> Result<usize, Refusal> {
        let code = Header::decode(request)?.code;
        match code {
            _ if self.phase == Phase::Unusable && code != Code::GET_VERSION => {
                Err(Refusal::new(ErrorCode::REQUEST_RESYNCH))
            }
            Code::GET_VERSION | Code::GET_CAPABILITIES | Code::NEGOTIATE_ALGORITHMS => {
                self.repeated_response_len(request).map_or_else(|| self.negotiate(code, request), Ok)
            }
            Code::GET_DIGESTS | Code::GET_CERTIFICATE | Code::CHALLENGE | Code::GET_MEASUREMENTS => {
                self.attest(code, request, most)
            }
            _ => Err(Refusal::unsupported(code)),
        }
    }

    /// Returns the length of the response in the buffer if `request` repeats the request that it answered.
    fn repeated_response_len(&self, request: &[u8]) -> Option<usize> {
        let Negotiating { response_len, request_len } = self.negotiating?;
        let answered_request = self.buffer.get(response_len..response_len + request_len)?;
        let is_repeated =
            request.strip_prefix(answered_request).is_some_and(|rest| responses::is_padding(rest.len()));
        is_repeated.then_some(response_len)
    }

    /// Answers a VCA request.
    fn negotiate(&mut self, code: Code, request: &[u8]) -> Result<usize, Refusal> {
        let (body, phase) = match code {
            Code::GET_VERSION => (self.restart(request)?, Phase::Version),
            Code::GET_CAPABILITIES => {
                let suite = self.check_legal_once(request, Phase::Version)?;
                let (body, requester) = responses::capabilities(&suite, request, self.buffer)?;
                self.requester = requester;
                (body, Phase::Capabilities)
            }
            _ => {
                let suite = self.check_legal_once(request, Phase::Capabilities)?;
                let (body, selected) = responses::algorithms(&suite, request, self.buffer)?;
                self.has_measurements = selected.measures;
                (body, if selected.can_attest { Phase::Negotiated } else { Phase::Unusable })
            }
        };
        let request = request.get(..body.request_len).unwrap_or(request);
        self.vca.update(request);
        self.vca.update(self.buffer.get(..body.len).unwrap_or_default());
        self.phase = phase;
        self.store_request(request, body.len);
        Ok(body.len)
    }

    /// Answers GET_VERSION, which resets the connection.
    fn restart(&mut self, request: &[u8]) -> Result<Body, Refusal> {
        if Header::decode(request)?.version != Version::V1_0.byte() {
            return Err(Refusal::new(ErrorCode::VERSION_MISMATCH));
        }
        self.negotiating = None;
        let body = responses::version(&self.device.suite(), request, self.buffer)?;
        (self.phase, self.vca, self.b, self.l) = (Phase::Start, D::Hash::default(), None, None);
        (self.authenticated, self.has_measurements, self.requester) = (false, false, Limits::default());
        Ok(body)
    }

    /// Checks a request that is legal only in `phase`, and returns the device's suite.
    fn check_legal_once(&mut self, request: &[u8], phase: Phase) -> Result<Suite, Refusal> {
        self.check_legal(request, phase)?;
        if self.phase > phase {
            return Err(UNEXPECTED);
        }
        self.negotiating = None;
        Ok(self.device.suite())
    }

    /// Stores a VCA request other than GET_VERSION right after its response, if the buffer has room. Without room, the
    /// responder refuses a repetition of the request.
    fn store_request(&mut self, request: &[u8], response_len: usize) {
        let room = self.buffer.get_mut(response_len..response_len + request.len());
        if let Some(room) = room.filter(|_| self.phase > Phase::Version) {
            room.copy_from_slice(request);
            self.negotiating = Some(Negotiating { response_len, request_len: request.len() });
        }
    }

    /// Answers requests after ALGORITHMS. Transcripts contain only requests with a regular response, not refused
    /// requests.
    fn attest(&mut self, code: Code, request: &[u8], most: usize) -> Result<usize, Refusal> {
        self.check_legal(request, Phase::Negotiated)?;
        self.negotiating = None;
        let measures = code == Code::GET_MEASUREMENTS;
        if !measures {
            self.l = None;
        }
        if code == Code::GET_DIGESTS || measures && !self.authenticated {
            self.b = None;
        }
        let body = self.write_unsigned_response(code, request, most)?;
        self.check_len(&body, most)?;
        let started = if measures { &self.l } else { &self.b };
        let mut transcript = started.as_ref().unwrap_or(&self.vca).clone();
        transcript.update(request.get(..body.request_len).unwrap_or(request));
        transcript.update(self.buffer.get(..body.len).unwrap_or_default());
        let (len, open) = match body.context {
            Some(context) => (self.sign(transcript, context, body.len)?, None),
            None => (body.len, Some(transcript)),
        };
        self.authenticated |= code == Code::CHALLENGE;
        *(if measures { &mut self.l } else { &mut self.b }) = open;
        Ok(len)
    }

    /// Writes the response without its signature.
    fn write_unsigned_response(&mut self, code: Code, request: &[u8], most: usize) -> Result<Body, Refusal> {
        match code {
            Code::GET_DIGESTS => responses::digests(&self.device, request, self.buffer),
            Code::GET_CERTIFICATE => responses::certificate(&self.device, most, request, self.buffer),
            Code::CHALLENGE => {
                responses::challenge(&mut self.device, self.has_measurements, request, self.buffer)
            }
            _ if self.has_measurements => responses::measurements(&mut self.device, request, self.buffer),
            _ => Err(UNEXPECTED),
        }
    }

    /// Checks that the response with its signature fits the requester's limit and the buffer.
    fn check_len(&self, body: &Body, most: usize) -> Result<(), Refusal> {
        let signature_len = body.context.map_or(0, |_| self.device.suite().signature_len);
        match body.len + signature_len {
            len if len > most => Err(Refusal::too_large(len)),
            len if len > self.buffer.len() => Err(Refusal::new(ErrorCode::UNSPECIFIED)),
            _ => Ok(()),
        }
    }

    /// Appends the signature to the response.
    fn sign(&mut self, transcript: D::Hash, context: &str, len: usize) -> Result<usize, Refusal> {
        let Suite { version, signature_len, .. } = self.device.suite();
        let mut message = [0; signing::PREFIX_LEN + MAX_HASH_LEN];
        message[..signing::PREFIX_LEN].copy_from_slice(&signing::prefix(version, context));
        let end = signing::PREFIX_LEN + D::Hash::LEN;
        transcript.finish(&mut message[signing::PREFIX_LEN..end]);
        let whole = len + signature_len;
        let unspecified = Refusal::new(ErrorCode::UNSPECIFIED);
        let signature = self.buffer.get_mut(len..whole).ok_or(unspecified)?;
        let signed = self.device.sign(&message[..end], context.as_bytes(), signature);
        if signed { Ok(whole) } else { Err(unspecified) }
    }
}

/// The length of CHUNK_RESPONSE without its data and without LargeMessageSize, in bytes.
const CHUNK_HEADER: usize = 12;
