//! Which messages feed and end which transcript. Requester, responder and [`crate::observer::Observer`] share these rules.

use crate::messages::{Place, message_code, row, transcript_part};
use crate::transcript::{Covered, MeasurementTranscript, Prover, Transcript, TranscriptPart};
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;

/// Error codes that leave transcripts unchanged: the responder did not process the request, or the requester repeats it.
///
/// This deviates from DSP0274, where every message but GET_MEASUREMENTS ends L1/L2. Responders such as DMTF's libspdm refuse with
/// these codes before they update transcripts. A requester sees only the code, not the point at which the request was refused.
const TRANSCRIPT_NEUTRAL: [ErrorCode; 9] = [
    ErrorCode::BUSY,
    ErrorCode::RESPONSE_NOT_READY,
    ErrorCode::REQUEST_TOO_LARGE,
    ErrorCode::REQUEST_IN_FLIGHT,
    ErrorCode::UNSUPPORTED_REQUEST,
    ErrorCode::UNEXPECTED_REQUEST,
    ErrorCode::NO_PENDING_REQUESTS,
    ErrorCode::VERSION_MISMATCH,
    ErrorCode::SESSION_REQUIRED,
];

/// Error codes after which the requester repeats the request.
const REPEATED: [ErrorCode; 4] =
    [ErrorCode::BUSY, ErrorCode::RESPONSE_NOT_READY, ErrorCode::LARGE_RESPONSE, ErrorCode::REQUEST_IN_FLIGHT];

/// In all methods, `measured` is L1/L2 of the request's session; `None` outside sessions.
impl Transcript {
    /// Returns the contents that the signature of CHALLENGE_AUTH, MEASUREMENTS or ENDPOINT_INFO covers; `None` before ALGORITHMS.
    /// `messages`: the request, and the response without its signature.
    pub(crate) fn signed_content(
        &self,
        measured: Option<&MeasurementTranscript>,
        messages: [&[u8]; 2],
    ) -> Option<Covered> {
        match transcript_part(message_code(messages[0])) {
            TranscriptPart::C => self.m1_m2(Prover::Responder, &messages),
            TranscriptPart::L => self.l1_l2(measured, &messages),
            _ => self.il1_il2(&messages),
        }
    }

    /// Appends an answered request and its whole response. `signed`: the response ends with a signature. `multi_key`: the
    /// responder uses a multi-key connection, so TH covers its DIGESTS.
    pub(crate) fn append(
        &mut self,
        measured: Option<&mut MeasurementTranscript>,
        messages: [&[u8]; 2],
        signed: bool,
        multi_key: bool,
    ) {
        let code = message_code(messages[0]);
        match transcript_part(code) {
            TranscriptPart::Vca => {
                if code == Code::GET_VERSION {
                    *self = Self::default();
                }
                messages.iter().for_each(|message| self.push_vca(message));
            }
            TranscriptPart::B if measured.is_none() => {
                self.push_b(Prover::Responder, &messages);
                if code == Code::GET_DIGESTS && multi_key {
                    self.push_digests(messages[1]);
                }
            }
            TranscriptPart::C => {
                self.end_signed(code, None);
                self.authenticated = true;
            }
            TranscriptPart::L if signed => self.end_signed(code, measured),
            TranscriptPart::L => self.push_l(measured, &messages),
            TranscriptPart::B
            | TranscriptPart::Il
            | TranscriptPart::Th
            | TranscriptPart::Other
            | TranscriptPart::Nothing => {}
        }
    }

    /// Ends the transcript that a signature covers, whether or not the signature is valid: the peer has ended it as
    /// well.
    pub(crate) fn end_signed(&mut self, code: Code, measured: Option<&mut MeasurementTranscript>) {
        match transcript_part(code) {
            TranscriptPart::C => self.reset_b(Prover::Responder),
            TranscriptPart::L => self.reset_l(measured),
            _ => {}
        }
    }

    /// Updates transcripts after a request was answered. Every request but GET_MEASUREMENTS ends L1/L2. Unless the
    /// responder has already authenticated itself with CHALLENGE_AUTH, requests that open sessions, measure, or belong
    /// to sessions end B.
    pub(crate) fn update_after_response(&mut self, code: Code, measured: Option<&mut MeasurementTranscript>) {
        let (part, inside) = (transcript_part(code), measured.is_some());
        if part != TranscriptPart::L {
            self.reset_l(measured);
        }
        let ends_b = matches!(part, TranscriptPart::L | TranscriptPart::Th | TranscriptPart::Other)
            && !self.authenticated;
        if code == Code::GET_DIGESTS && !inside || ends_b {
            self.reset_b(Prover::Responder);
        }
    }

    /// Updates transcripts after a request was answered with ERROR.
    ///
    /// In general, the request ends the transcripts that it ends with any other response. It ends none after the codes
    /// of [`TRANSCRIPT_NEUTRAL`], if it is GET_VERSION, or if it was sent outside sessions but is allowed only in
    /// sessions. GET_MEASUREMENTS also ends L1/L2, unless the requester repeats it after this error.
    pub(crate) fn update_after_error(
        &mut self,
        code: Code,
        error: ErrorCode,
        mut measured: Option<&mut MeasurementTranscript>,
    ) {
        let misplaced = measured.is_none()
            && row(code).is_some_and(|row| matches!(row.place, Place::Handshake | Place::Session));
        if !TRANSCRIPT_NEUTRAL.contains(&error) && !misplaced && code != Code::GET_VERSION {
            self.update_after_response(code, measured.as_deref_mut());
        }
        if transcript_part(code) == TranscriptPart::L && !REPEATED.contains(&error) {
            self.reset_l(measured);
        }
    }
}

/// Encapsulated requests, which the requester answers. In a session, encapsulated requests belong to no [`Transcript`].
impl Transcript {
    /// Returns the contents that the signature of an encapsulated response covers; `None` before ALGORITHMS.
    pub(crate) fn signed_by_requester(&self, messages: [&[u8]; 2]) -> Option<Covered> {
        match transcript_part(message_code(messages[0])) {
            TranscriptPart::Il => self.il1_il2(&messages),
            _ => self.m1_m2(Prover::Requester, &messages),
        }
    }

    /// Updates B after an encapsulated request and its answer outside sessions. GET_DIGESTS restarts B; DIGESTS and
    /// CERTIFICATE are appended with their requests; CHALLENGE_AUTH, whose signature covers B, ends it.
    pub(crate) fn append_encapsulated(&mut self, messages: [&[u8]; 2]) {
        let code = message_code(messages[0]);
        match transcript_part(code) {
            TranscriptPart::B => {
                if code == Code::GET_DIGESTS {
                    self.reset_b(Prover::Requester);
                }
                self.push_b(Prover::Requester, &messages);
            }
            TranscriptPart::C => self.reset_b(Prover::Requester),
            _ => {}
        }
    }
}
