//! Converts errors of the SPDM engine and transport into command-line errors with advice.

use super::appraisal::reason::{Reason, Verdict};
use super::connection_errors::{NO_RESPONSE, connection_lost, timeout_error};
use super::requirements;
use crate::error::Error;
use crate::files::reason;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::error::{Error as EngineError, Usage, Violation};
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::trust::OTHER_ROOT;
use grille_spdm_transport::stream::StreamError;
use grille_tls::error::is_lookup_failure;
use std::io;

/// An unproven claim of the device is a negative answer ([`Error::mismatch`]); every other error is a failure.
impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        let reason = Reason::from_error(&error);
        let is_answer = reason.verdict() == Verdict::NotTrusted;
        let failure = if is_answer { Self::mismatch(&error) } else { Self::failure(&error) };
        let failure = failure.with_code(reason.code());
        match for_engine_error(&error) {
            Some(advice) => failure.advise(advice),
            None => failure,
        }
    }
}

/// Advice for messages that violate the standard.
const RECORD_ADVICE: &str =
    "record the conversation with --pcap and --key-log, then inspect it with `grille spdm dump`";

const ALGORITHM_ADVICE: &str = "change the offered algorithms with --hash, --asym, --pqc-asym, --req-asym, --req-pqc-asym, --dhe, --kem or --aead; \
     post-quantum algorithms need SPDM 1.4 (--ver)";

/// Advice if a session is refused and the requester has the responder's chain.
pub(super) const REFUSED_SESSION_ADVICE: &str = "check three possible causes: the responder may want mutual authentication and lack this side's chain \
     (its --basic-mut-auth BASIC fetches the chain with CHAL, its --mut-auth W_ENCAP with KEY_EX), or the sides share \
     no --sec-ver";

/// Advice if a session is refused and the requester has no information about the slot.
const UNKNOWN_SLOT_ADVICE: &str = "check three possible causes: the slot may be empty (choose another with --slot-id), the responder may want \
     mutual authentication and lack this side's chain (its --basic-mut-auth BASIC fetches it), or the sides share no --sec-ver";

/// Advice if DIGESTS lacks the fields of a multi-key connection.
const MULTI_KEY_ADVICE: &str = "negotiate a single-key connection with --other-param OPAQUE_FMT_1 before saving the state: \
     DMTF's responder forgets that it has several keys when it loads a state";

fn for_engine_error(error: &EngineError) -> Option<String> {
    if let EngineError::NothingInCommon { kind } | EngineError::Usage(Usage::NothingInCommon { kind, .. }) =
        error
        && let Some(options) = requirements::options_for_kind(kind)
    {
        return Some(format!("offer more algorithms with {options}"));
    }
    match error {
        EngineError::Refused { request, code: ErrorCode::UNSUPPORTED_REQUEST, .. }
        | EngineError::Usage(Usage::NoCapability { request } | Usage::NothingInCommon { request, .. }) => {
            requirements::advice(*request)
        }
        EngineError::Refused { request, code, .. } => for_refusal(*request, *code).map(str::to_owned),
        _ => for_local_error(error).map(str::to_owned),
    }
}

/// Returns advice for the operator of a responder whose requester failed mutual authentication.
pub(super) fn for_requester_failure(error: &EngineError) -> Option<&'static str> {
    match error {
        EngineError::Violation { violation: Violation::ChainDigest, .. } => {
            Some("retry: the requester's chain may have changed in the meantime")
        }
        EngineError::Malformed { .. } => Some(RECORD_ADVICE),
        // Neither the responder nor its options cause these errors.
        EngineError::TooLong { .. } | EngineError::NotReady { .. } | EngineError::Usage(_) => None,
        _ => for_local_error(error),
    }
}

/// Returns advice for errors that this side detected itself.
fn for_local_error(error: &EngineError) -> Option<&'static str> {
    Some(match error {
        EngineError::Violation { violation: Violation::PublicKey, .. }
        | EngineError::Usage(Usage::NoChain { slot: PROVISIONED }) => {
            "name the file of the public key with --peer-key; in the dialect, its folder with --peer-raw-keys, and give both sides the same --spec"
        }
        EngineError::Violation { violation: Violation::ChainDigest, .. } => {
            "retry: the chain may have changed in the meantime"
        }
        EngineError::Violation { violation: Violation::Algorithms, .. } => ALGORITHM_ADVICE,
        EngineError::Malformed { request: Code::GET_DIGESTS, error } if error.name == "KeyPairID" => {
            MULTI_KEY_ADVICE
        }
        EngineError::Unprotected { code: ErrorCode::REQUEST_RESYNCH, .. } => RESET_ADVICE,
        EngineError::Malformed { .. }
        | EngineError::Unexpected { .. }
        | EngineError::Unprotected { .. }
        | EngineError::Violation { .. }
        | EngineError::Record(_)
        | EngineError::Chain(_) => RECORD_ADVICE,
        EngineError::Untrusted(error) => return for_chain_error(error),
        EngineError::VerifyData { request: Code::PSK_EXCHANGE } => "use the same --psk on both sides",
        EngineError::NothingInCommon { .. } => "choose the offered versions with --ver",
        EngineError::NotReady { .. } => "wait longer with --timeout",
        EngineError::TooLong { .. } => "send the message in chunks: give both sides --cap CHUNK",
        EngineError::Usage(Usage::NoChain { .. }) => "put CERT before this step in --exe-conn",
        EngineError::Usage(Usage::NoKey) => "name this side's chain and key with --cert and --key",
        EngineError::Usage(Usage::NoPsk) => {
            "name the file of the key with --psk, and the key's hint with --psk-hint"
        }
        EngineError::Signature { .. } | EngineError::VerifyData { .. } => {
            "check the peer: it does not have the key of its certificate, or messages were altered in transit"
        }
        _ => return None,
    })
}

/// Returns advice for untrusted chains; `None` for defects of the certificates, which no option can repair.
fn for_chain_error(error: &grille_pki::Error) -> Option<&'static str> {
    Some(match error {
        grille_pki::Error::Chain { reason, .. } if reason == OTHER_ROOT => {
            "install a chain that starts with the root of --ca: this one leads to that root, but starts with another certificate"
        }
        grille_pki::Error::Revoked { .. } => {
            "find out why the issuer revoked the certificate, and give the device a new one"
        }
        grille_pki::Error::RevocationUnknown { .. } => {
            "name the current revocation list of each issuer in the chain with --crl"
        }
        grille_pki::Error::NoRoot { .. } => "name the trusted roots with --ca",
        grille_pki::Error::OtherIssuer { .. } => {
            "check --ca: a trusted root may have the expected name but another key"
        }
        _ => return None,
    })
}

/// Returns advice for requests that the responder refused.
fn for_refusal(request: Code, code: ErrorCode) -> Option<&'static str> {
    Some(match (request, code) {
        (_, ErrorCode::VERSION_MISMATCH) => "choose the offered versions with --ver",
        (_, ErrorCode::BUSY | ErrorCode::SESSION_LIMIT_EXCEEDED) => "try again later: the responder is busy",
        (_, ErrorCode::REQUEST_RESYNCH) => RESET_ADVICE,
        (_, ErrorCode::VENDOR_DEFINED) => "see the vendor's documentation for this error",
        (_, ErrorCode::RESPONSE_TOO_LARGE) => "receive the response in chunks: give both sides --cap CHUNK",
        (Code::NEGOTIATE_ALGORITHMS, _) => ALGORITHM_ADVICE,
        (Code::DELIVER_ENCAPSULATED_RESPONSE, ErrorCode::INVALID_RESPONSE_CODE) => {
            "check the responder's log and its --ca: it may not trust this side's chain"
        }
        (Code::CHALLENGE | Code::KEY_EXCHANGE, ErrorCode::UNSPECIFIED) => MUTUAL_AUTH_ADVICE,
        (Code::FINISH, ErrorCode::DECRYPT_ERROR) => KEY_MISMATCH_ADVICE,
        (Code::SET_CERTIFICATE, code) => return for_set_certificate(code),
        (Code::GET_CERTIFICATE | Code::CHALLENGE, ErrorCode::INVALID_REQUEST) => {
            "choose another slot with --slot-id: this one may be empty"
        }
        (Code::KEY_EXCHANGE, ErrorCode::INVALID_REQUEST) => UNKNOWN_SLOT_ADVICE,
        (Code::PSK_EXCHANGE, ErrorCode::INVALID_REQUEST) => {
            "check --psk-hint and --sec-ver: the responder may not know the key, or the sides share no version of secured messages"
        }
        _ => return None,
    })
}

/// Advice if the responder was reset or updated.
const RESET_ADVICE: &str = "connect again: the responder was reset and forgot the connection";

/// Advice if the responder may require mutual authentication that this side did not offer, or that the responder cannot
/// verify.
const MUTUAL_AUTH_ADVICE: &str = "authenticate this side with --cert and --key, or with --key and --req-slot-id 0xFF if the responder knows \
     the public key: it may require mutual authentication";

/// Advice if the responder rejects the authentication in FINISH.
const KEY_MISMATCH_ADVICE: &str = "check that the responder knows this side's --key, or for --req-slot-id the chain of --cert; \
     otherwise messages were altered in transit";

/// Advice if the responder refuses GET_CSR for a slot about which the requester has no information.
pub(super) const KEY_PAIR_ADVICE: &str = "put DIGEST before GET_CSR: a device with several keys needs the key pair of the slot, which DIGESTS reports";

/// Returns advice for a refused SET_CERTIFICATE (DSP0274 "SET_CERTIFICATE" and "ERROR"). No error code says what is
/// wrong with the chain.
fn for_set_certificate(code: ErrorCode) -> Option<&'static str> {
    Some(match code {
        ErrorCode::INVALID_REQUEST => {
            "check the chain, as the device gives no reason: it must start with the root, each certificate must sign the next, \
             and the last must be for the slot's own key (GET_CSR in --exe-conn); or the slot does not exist (--slot-id)"
        }
        ErrorCode::UNEXPECTED_REQUEST | ErrorCode::SESSION_REQUIRED => {
            "put SET_CERT in --exe-session: the device may accept chains only in a session"
        }
        ErrorCode::RESET_REQUIRED => "reset the device to finish, then check its chain with CERT",
        ErrorCode::INVALID_POLICY => {
            "ask the owner or manufacturer: the device's policy forbids changes to this slot"
        }
        ErrorCode::OPERATION_FAILED | ErrorCode::UNSPECIFIED => {
            "check the device's log, and check its chain with CERT: the request was valid, but the device failed to carry it out"
        }
        ErrorCode::REQUEST_TOO_LARGE => {
            "use fewer or smaller certificates: the chain is longer than the device accepts"
        }
        ErrorCode::INVALID_STATE => {
            "try again later or after a reset: the device accepts no chain in its current state"
        }
        _ => return None,
    })
}

impl From<StreamError> for Error {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Io(error) if error.kind() == io::ErrorKind::WouldBlock => {
                timeout_error(NO_RESPONSE).advise("wait longer with --timeout, and check --trans and --bare")
            }
            StreamError::Io(error) if error.kind() == io::ErrorKind::TimedOut => {
                timeout_error("exceeded the deadline").advise("allow each device more time with --deadline")
            }
            // An error of the capture is already one of this crate's errors.
            StreamError::Io(error) => {
                error.downcast::<Self>().unwrap_or_else(|error| connection_lost(&reason(&error)))
            }
            error => Self::failure(error)
                .advise("check that the peer speaks SPDM with this transport (--trans, --bare)")
                .with_code(Reason::ProtocolError.code()),
        }
    }
}

/// Describes a failed connection. `listener_advice` states how to start the other side.
pub(super) fn connect_error(error: &io::Error, listener_advice: &str) -> Error {
    let failure = Error::failure(reason(error)).with_code(Reason::Unreachable.code());
    match error.kind() {
        io::ErrorKind::ConnectionRefused => failure.advise(format_args!("{listener_advice}")),
        io::ErrorKind::TimedOut => failure.advise("wait longer with --timeout"),
        _ if is_lookup_failure(error) => failure.advise(HOST_NAME_ADVICE),
        _ => failure,
    }
}

/// Describes a responder that was expected to connect and did not.
pub(super) fn no_connection(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::WouldBlock => Error::failure("no responder connected in time")
            .advise("wait longer with --timeout, or start `grille spdm responder --tcp-sub RI`"),
        _ => Error::failure(reason(error)),
    }
}

/// Advice if no device listens at the requester's target address.
pub(super) const START_DEVICE_ADVICE: &str = "start the device there; `grille spdm responder` emulates one";

/// Advice if no requester listens at the responder's target address.
pub(super) const START_REQUESTER_ADVICE: &str =
    "start a requester there; `grille spdm requester --tcp-sub RI` waits for a responder";

/// Advice if the host name cannot be resolved.
const HOST_NAME_ADVICE: &str = "check the host name";

/// Describes a failure to listen.
pub(super) fn listen_error(error: &io::Error) -> Error {
    let failure = Error::failure(reason(error));
    match error.kind() {
        io::ErrorKind::AddrInUse => failure.advise("choose another port with --port; 0 picks a free one"),
        io::ErrorKind::AddrNotAvailable => failure.advise("choose an address of this machine with --bind"),
        io::ErrorKind::PermissionDenied => {
            failure.advise("choose a port of 1024 or above: lower ones need administrator rights")
        }
        _ if is_lookup_failure(error) => failure.advise(HOST_NAME_ADVICE),
        _ => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_pki::Error as Untrusted;
    use grille_spdm_codec::digests::Digests;
    use grille_spdm_codec::{Message, Sizes};

    fn no_root() -> Untrusted {
        Untrusted::NoRoot { certificate: "CN=device".to_owned(), issuer: None }
    }

    fn untrusted(reason: &str) -> EngineError {
        EngineError::Untrusted(Untrusted::Chain { certificate: String::new(), reason: reason.to_owned() })
    }

    fn violation(violation: Violation) -> EngineError {
        EngineError::Violation { request: Code::CHALLENGE, violation }
    }

    /// Returns the error for a DIGESTS response with one slot in a multi-key connection, cut to `len` bytes. The full
    /// response holds the digest, and the key pair identifier, information and use.
    fn cut_digests(len: usize) -> EngineError {
        let digests = [&[0x13, Code::DIGESTS.0, 1, 1][..], &[0; 36][..len]].concat();
        let sizes = Sizes { hash: 32, multi_key: true, ..Sizes::default() };
        let error = Digests::decode(&digests, &sizes).unwrap_err();
        EngineError::Malformed { request: Code::GET_DIGESTS, error }
    }

    #[test]
    fn errors_come_with_advice() {
        let message = |error: EngineError| Error::from(error).to_string();
        let refused = |request, code| EngineError::Refused { request, code, data: 0, extended: Vec::new() };
        let set_certificate = |code| refused(Code::SET_CERTIFICATE, code);
        let unprotected = |code| EngineError::Unprotected { request: Code::HEARTBEAT, code };
        for (error, advice) in [
            (refused(Code::CHALLENGE, ErrorCode::INVALID_REQUEST), "--slot-id"),
            (refused(Code::CHALLENGE, ErrorCode::VENDOR_DEFINED), "see the vendor's documentation"),
            (refused(Code::CHALLENGE, ErrorCode::REQUEST_RESYNCH), "connect again"),
            (unprotected(ErrorCode::REQUEST_RESYNCH), "connect again"),
            (unprotected(ErrorCode::DECRYPT_ERROR), "--pcap"),
            (refused(Code::GET_CSR, ErrorCode::UNSUPPORTED_REQUEST), "CSR_CAP (--cap with CSR)"),
            (
                EngineError::Usage(Usage::NoCapability { request: Code::CHALLENGE }),
                "CHAL_CAP (--cap with CHAL)",
            ),
            (EngineError::Usage(Usage::NoChain { slot: 0 }), "put CERT before this step"),
            (cut_digests(32), "--other-param OPAQUE_FMT_1"),
            (cut_digests(31), "--pcap"),
            (cut_digests(33), "--pcap"),
            (refused(Code::PSK_EXCHANGE, ErrorCode::INVALID_REQUEST), "--psk-hint"),
            (refused(Code::NEGOTIATE_ALGORITHMS, ErrorCode::INVALID_REQUEST), "--req-asym, --req-pqc-asym"),
            (refused(Code::NEGOTIATE_ALGORITHMS, ErrorCode::INVALID_REQUEST), "need SPDM 1.4 (--ver)"),
            (refused(Code::KEY_EXCHANGE, ErrorCode::INVALID_REQUEST), "--basic-mut-auth BASIC"),
            (refused(Code::KEY_EXCHANGE, ErrorCode::UNSPECIFIED), "--cert and --key"),
            (refused(Code::FINISH, ErrorCode::DECRYPT_ERROR), "knows this side's --key"),
            (refused(Code::CHALLENGE, ErrorCode::UNSPECIFIED), "--key and --req-slot-id 0xFF"),
            (set_certificate(ErrorCode::INVALID_REQUEST), "the slot's own key (GET_CSR"),
            (set_certificate(ErrorCode::UNEXPECTED_REQUEST), "SET_CERT in --exe-session"),
            (set_certificate(ErrorCode::SESSION_REQUIRED), "SET_CERT in --exe-session"),
            (set_certificate(ErrorCode::RESET_REQUIRED), "reset the device"),
            (set_certificate(ErrorCode::INVALID_POLICY), "policy forbids"),
            (set_certificate(ErrorCode::OPERATION_FAILED), "the device's log"),
            (set_certificate(ErrorCode::REQUEST_TOO_LARGE), "smaller certificates"),
            (set_certificate(ErrorCode::UNSUPPORTED_REQUEST), "SET_CERT_CAP (--cap with SET_CERT)"),
            (set_certificate(ErrorCode::BUSY), "try again later"),
            (refused(Code::KEY_EXCHANGE, ErrorCode::INVALID_REQUEST), "--sec-ver"),
            (refused(Code::PSK_EXCHANGE, ErrorCode::INVALID_REQUEST), "--sec-ver"),
            (EngineError::VerifyData { request: Code::PSK_EXCHANGE }, "--psk"),
            (EngineError::NothingInCommon { kind: "SPDM version" }, "--ver"),
            (EngineError::NothingInCommon { kind: "hash algorithm" }, "--hash"),
            (EngineError::Unexpected { request: Code::CHALLENGE, got: Code::DIGESTS }, "--pcap"),
            (EngineError::Usage(Usage::NoChain { slot: PROVISIONED }), "--peer-key"),
            (EngineError::Untrusted(no_root()), "name the trusted roots with --ca"),
            (
                EngineError::Untrusted(Untrusted::OtherIssuer {
                    certificate: String::new(),
                    root_name: None,
                }),
                "but another key",
            ),
            (untrusted(OTHER_ROOT), "starts with another certificate"),
            (violation(Violation::ChainDigest), "retry: the chain"),
        ] {
            let (cause, failure) = (error.to_string(), message(error));
            let rest = failure.strip_prefix(&format!("{cause}; ")).unwrap_or_default();
            assert!(rest.contains(advice), "{failure}");
        }
    }

    #[test]
    fn advice_for_the_responder_names_its_own_options() {
        for (error, advice) in [
            (cut_digests(32), RECORD_ADVICE),
            (violation(Violation::ChainDigest), "retry: the requester's chain"),
            (violation(Violation::PublicKey), "--peer-key"),
            (EngineError::Untrusted(no_root()), "name the trusted roots with --ca"),
            (untrusted(OTHER_ROOT), "starts with another certificate"),
            (
                EngineError::Signature { request: Code::CHALLENGE, missed: false },
                "does not have the key of its certificate",
            ),
        ] {
            let failure = for_requester_failure(&error).unwrap_or_default();
            assert!(failure.contains(advice), "{error}: {failure}");
        }
        let too_long = EngineError::TooLong { request: Code::GET_CERTIFICATE, len: 2, max: 1 };
        assert_eq!(for_requester_failure(&too_long), None);
    }

    #[test]
    fn failed_proofs_are_mismatches() {
        use crate::error::Kind;
        for wrong in [
            EngineError::Signature { request: Code::CHALLENGE, missed: false },
            EngineError::VerifyData { request: Code::FINISH },
            EngineError::Untrusted(no_root()),
            violation(Violation::PublicKey),
            violation(Violation::ChainDigest),
        ] {
            assert_eq!(Error::from(wrong).kind(), Kind::Mismatch);
        }
        for unknown in [EngineError::NotReady { request: Code::CHALLENGE }, violation(Violation::Slot)] {
            assert_eq!(Error::from(unknown).kind(), Kind::Failure);
        }
    }
}
