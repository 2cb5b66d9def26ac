//! What goes wrong with SPDM as the command line says it: whose fault it is, and what to do.

use super::appraisal::reason::{Reason, Verdict};
use super::broken::{SILENT, late, lost};
use super::needs;
use crate::error::Error;
use crate::files::reason;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::error::{Error as EngineError, Usage, Violation};
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::trust::OTHER_ROOT;
use grille_spdm_transport::stream::StreamError;
use grille_tls::error::is_lookup;
use std::io;

/// What the device could not prove is an answer; all else is a failure.
impl From<EngineError> for Error {
    fn from(error: EngineError) -> Self {
        let reason = Reason::of(&error);
        let is_answer = reason.verdict() == Verdict::NotTrusted;
        let told = if is_answer { Self::mismatch(&error) } else { Self::failure(&error) };
        let told = told.with_code(reason.code());
        match of_engine(&error) {
            Some(advice) => told.advise(advice),
            None => told,
        }
    }
}

/// What breaks the standard can only be looked at.
const LOOK: &str = "--pcap and --key_log write down what is said, and `grille spdm dump` shows it";

const OFFERED: &str = "--hash, --asym, --pqc_asym, --req_asym, --req_pqc_asym, --dhe, --kem and --aead say what is offered, \
     and what is post-quantum takes SPDM 1.4 (--ver)";

/// Why a session is refused with a slot that has a chain.
pub(super) const UNKNOWN_CHAIN: &str = "it may want this side to prove itself with a chain that it has not been given: \
     its --basic_mut_auth BASIC has it fetched with CHAL, its --mut_auth W_ENCAP with KEY_EX; or both sides \
     have no --sec_ver in common";

/// Why it is refused with a slot of which nothing is known.
const EMPTY_OR_UNKNOWN: &str = "its slot may be empty (--slot_id names another), or it may want this side to prove itself with \
     a chain that it has not been given (its --basic_mut_auth BASIC has it fetched), or both sides have no --sec_ver in common";

/// Why DIGESTS may lack what belongs to a connection with several keys.
const FORGOTTEN: &str = "a responder of DMTF's that begins with a kept state forgets that it has several keys: \
     --other_param OPAQUE_FMT_1 negotiates one before the state is kept";

fn of_engine(error: &EngineError) -> Option<String> {
    if let EngineError::NothingInCommon { what } | EngineError::Usage(Usage::NothingInCommon { what, .. }) =
        error
        && let Some(options) = needs::offering(what)
    {
        return Some(format!("the algorithms that this side offers come from {options}"));
    }
    match error {
        EngineError::Refused { request, code: ErrorCode::UNSUPPORTED_REQUEST, .. }
        | EngineError::Usage(Usage::NoCapability { request } | Usage::NothingInCommon { request, .. }) => {
            needs::advice(*request)
        }
        EngineError::Refused { request, code, .. } => of_refusal(*request, *code).map(str::to_owned),
        _ => of_side(error).map(str::to_owned),
    }
}

/// What a requester's proof has wrong, for whoever runs the responder that asked for it.
pub(super) fn of_requester(error: &EngineError) -> Option<&'static str> {
    match error {
        EngineError::Violation { violation: Violation::ChainDigest, .. } => {
            Some("its chain may have been changed in the meantime; it can prove itself once more")
        }
        EngineError::Malformed { .. } => Some(LOOK),
        // nothing that a responder does, or that its options bring
        EngineError::TooLong { .. } | EngineError::NotReady { .. } | EngineError::Usage(_) => None,
        _ => of_side(error),
    }
}

/// What a requester made of what the responder said, or was asked for.
fn of_side(error: &EngineError) -> Option<&'static str> {
    Some(match error {
        EngineError::Violation { violation: Violation::PublicKey, .. }
        | EngineError::Usage(Usage::NoChain { slot: PROVISIONED }) => "--peer_key names its file",
        EngineError::Violation { violation: Violation::ChainDigest, .. } => {
            "ask once more: the chain may have been changed in the meantime"
        }
        EngineError::Violation { violation: Violation::Algorithms, .. } => OFFERED,
        EngineError::Malformed { request: Code::GET_DIGESTS, error } if error.what == "KeyPairID" => {
            FORGOTTEN
        }
        EngineError::Unprotected { code: ErrorCode::REQUEST_RESYNCH, .. } => FORGOT_ALL,
        EngineError::Malformed { .. }
        | EngineError::Unexpected { .. }
        | EngineError::Unprotected { .. }
        | EngineError::Violation { .. }
        | EngineError::Record(_)
        | EngineError::Chain(_) => LOOK,
        EngineError::Untrusted(error) => return of_chain(error),
        EngineError::VerifyData { request: Code::PSK_EXCHANGE } => "the other side has another --psk",
        EngineError::NothingInCommon { .. } => "--ver says which versions are spoken",
        EngineError::NotReady { .. } => "--timeout waits longer",
        EngineError::TooLong { .. } => "the responder takes it in chunks if both sides have --cap CHUNK",
        EngineError::Usage(Usage::NoChain { .. }) => {
            "CERT in --exe_conn does, where it stands before this step"
        }
        EngineError::Usage(Usage::NoKey) => "--cert and --key name its files",
        EngineError::Usage(Usage::NoPsk) => "--psk names its file, and --psk_hint is its name",
        EngineError::Signature { .. } | EngineError::VerifyData { .. } => {
            "whoever answers does not have the key of its certificate, or messages were altered on their way"
        }
        _ => return None,
    })
}

/// Why a chain is not believed; what a certificate has wrong cannot be mended here.
fn of_chain(error: &grille_pki::Error) -> Option<&'static str> {
    Some(match error {
        grille_pki::Error::Chain { reason, .. } if reason == OTHER_ROOT => {
            "a root of --ca is above it, but the chain itself does not begin with that root"
        }
        grille_pki::Error::Revoked { .. } => {
            "its issuer no longer vouches for it: find out why, and give the device another certificate"
        }
        grille_pki::Error::RevocationUnknown { .. } => {
            "--crl names the lists: the current one of each issuer of the chain"
        }
        grille_pki::Error::NoRoot { .. } => "--ca names the roots to trust",
        grille_pki::Error::OtherIssuer { .. } => {
            "--ca names the roots to trust, and one there may have the name of the right one and another key"
        }
        _ => return None,
    })
}

/// What the responder will not do.
fn of_refusal(request: Code, code: ErrorCode) -> Option<&'static str> {
    Some(match (request, code) {
        (_, ErrorCode::VERSION_MISMATCH) => "--ver says which versions are spoken",
        (_, ErrorCode::BUSY | ErrorCode::SESSION_LIMIT_EXCEEDED) => "it has other work; try again later",
        (_, ErrorCode::REQUEST_RESYNCH) => FORGOT_ALL,
        (_, ErrorCode::VENDOR_DEFINED) => "what that means, only the documents of the vendor say",
        (_, ErrorCode::RESPONSE_TOO_LARGE) => "it comes in chunks if both sides have --cap CHUNK",
        (Code::NEGOTIATE_ALGORITHMS, _) => OFFERED,
        (Code::DELIVER_ENCAPSULATED_RESPONSE, ErrorCode::INVALID_RESPONSE_CODE) => {
            "it may not believe this side's chain: its --ca names the roots that it trusts, and it says why"
        }
        (Code::CHALLENGE | Code::KEY_EXCHANGE, ErrorCode::UNSPECIFIED) => WANTS_PROOF,
        (Code::FINISH, ErrorCode::DECRYPT_ERROR) => OTHER_KEY,
        (Code::SET_CERTIFICATE, code) => return of_set_certificate(code),
        (Code::GET_CERTIFICATE | Code::CHALLENGE, ErrorCode::INVALID_REQUEST) => {
            "its slot may be empty; --slot_id names another"
        }
        (Code::KEY_EXCHANGE, ErrorCode::INVALID_REQUEST) => EMPTY_OR_UNKNOWN,
        (Code::PSK_EXCHANGE, ErrorCode::INVALID_REQUEST) => {
            "it may not know the key (--psk_hint names another), or both sides have no --sec_ver in common"
        }
        _ => return None,
    })
}

/// A responder that was reset, or updated.
const FORGOT_ALL: &str = "it has forgotten the connection; connect again";

/// Why a responder asks for proof of a requester that has given none, or one that it cannot check.
const WANTS_PROOF: &str = "it may want this side to prove itself too: --cert and --key name its files, or --key alone with \
     --req_slot_id 0xFF that of a public key that it knows";

/// Why it does not take the proof that FINISH carries.
const OTHER_KEY: &str = "where this side proves itself, it may know another key than --key's, or for the slot of --req_slot_id another \
     chain than --cert's; else messages were altered on their way";

/// Why it makes no request for a certificate of a slot of which nothing is known.
pub(super) const UNKNOWN_PAIR: &str = "one with several keys wants to know of which: DIGEST before GET_CSR asks which the slot has, and which slots there are";

/// What SET_CERTIFICATE is refused with, DSP0274 "SET_CERTIFICATE" and "ERROR": none of these says what of the chain is wrong.
fn of_set_certificate(code: ErrorCode) -> Option<&'static str> {
    Some(match code {
        ErrorCode::INVALID_REQUEST => {
            "it does not say why; the chain has to go from the root to a certificate of the slot's own key, which GET_CSR in \
             --exe_conn has it ask for, and each has to sign the next; or there is no such slot (--slot_id)"
        }
        ErrorCode::UNEXPECTED_REQUEST | ErrorCode::SESSION_REQUIRED => {
            "it may take a chain in a session only: SET_CERT in --exe_session"
        }
        ErrorCode::RESET_REQUIRED => {
            "it does so when it is reset: reset it, and have CERT show what is there then"
        }
        ErrorCode::INVALID_POLICY => {
            "its policy, which its owner or maker sets, does not let this slot be changed"
        }
        ErrorCode::OPERATION_FAILED | ErrorCode::UNSPECIFIED => {
            "the request was right, and the device did not get it done: its own log may say why; CERT shows what is there now"
        }
        ErrorCode::REQUEST_TOO_LARGE => {
            "the chain is longer than it takes at all: with fewer or smaller certificates it may"
        }
        ErrorCode::INVALID_STATE => {
            "it is in a state in which no chain is put there; try again later, or after a reset"
        }
        _ => return None,
    })
}

impl From<StreamError> for Error {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Io(error) if error.kind() == io::ErrorKind::WouldBlock => {
                late(SILENT).advise("--timeout waits longer; --trans and --bare say how messages travel")
            }
            StreamError::Io(error) if error.kind() == io::ErrorKind::TimedOut => {
                late("was not done in time").advise("--deadline gives a device more time for everything")
            }
            // of a capture it is one of ours
            StreamError::Io(error) => error.downcast::<Self>().unwrap_or_else(|error| lost(&reason(&error))),
            error => Self::failure(error)
                .advise("is SPDM spoken there? --trans and --bare say how messages travel")
                .with_code(Reason::ProtocolError.code()),
        }
    }
}

/// Nobody is there; `who` says who would listen.
pub(super) fn unreachable(error: &io::Error, who: &str) -> Error {
    let told = Error::failure(reason(error)).with_code(Reason::Unreachable.code());
    match error.kind() {
        io::ErrorKind::ConnectionRefused => told.advise(format_args!("nobody listens there; {who}")),
        io::ErrorKind::TimedOut => told.advise("--timeout waits longer"),
        _ if is_lookup(error) => told.advise(HOST_NAME),
        _ => told,
    }
}

/// A responder that should connect did not.
pub(super) fn not_come(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::WouldBlock => Error::failure("no responder connected in time")
            .advise("--timeout waits longer; `grille spdm responder --tcp_sub RI` connects"),
        _ => Error::failure(reason(error)),
    }
}

/// Who listens where a requester connects.
pub(super) const DEVICE_LISTENS: &str = "`grille spdm responder` emulates a device";

/// And where a responder does.
pub(super) const REQUESTER_LISTENS: &str = "a requester with --tcp_sub RI does";

/// Nobody knows where the host is.
const HOST_NAME: &str = "check the name of the host";

/// Nobody can come here.
pub(super) fn unavailable(error: &io::Error) -> Error {
    let told = Error::failure(reason(error));
    match error.kind() {
        io::ErrorKind::AddrInUse => told.advise("--port names another port, 0 any that is free"),
        io::ErrorKind::AddrNotAvailable => told.advise("the address is none of this machine's"),
        io::ErrorKind::PermissionDenied => told.advise("ports below 1024 are the administrator's"),
        _ if is_lookup(error) => told.advise(HOST_NAME),
        _ => told,
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

    /// What is said of DIGESTS with one slot, in a connection with several keys, that has no more than so many bytes of what
    /// should come: the digest, and of the key pair an identifier, the information and the use.
    fn cut_digests(len: usize) -> EngineError {
        let digests = [&[0x13, Code::DIGESTS.0, 1, 1][..], &[0; 36][..len]].concat();
        let sizes = Sizes { hash: 32, multi_key: true, ..Sizes::default() };
        let error = Digests::decode(&digests, &sizes).unwrap_err();
        EngineError::Malformed { request: Code::GET_DIGESTS, error }
    }

    #[test]
    fn what_a_person_can_do_something_about_comes_with_advice() {
        let said = |error: EngineError| Error::from(error).to_string();
        let refused = |request, code| EngineError::Refused { request, code, data: 0, extended: Vec::new() };
        for (error, advice) in [
            (refused(Code::CHALLENGE, ErrorCode::INVALID_REQUEST), "--slot_id"),
            (refused(Code::CHALLENGE, ErrorCode::VENDOR_DEFINED), "of the vendor"),
            (refused(Code::CHALLENGE, ErrorCode::REQUEST_RESYNCH), "connect again"),
            (
                EngineError::Unprotected { request: Code::HEARTBEAT, code: ErrorCode::REQUEST_RESYNCH },
                "connect again",
            ),
            (EngineError::Unprotected { request: Code::HEARTBEAT, code: ErrorCode::DECRYPT_ERROR }, "--pcap"),
            (refused(Code::GET_CSR, ErrorCode::UNSUPPORTED_REQUEST), "CSR_CAP (--cap with CSR)"),
            (
                EngineError::Usage(Usage::NoCapability { request: Code::CHALLENGE }),
                "CHAL_CAP (--cap with CHAL)",
            ),
            (EngineError::Usage(Usage::NoChain { slot: 0 }), "CERT in --exe_conn"),
            (cut_digests(32), "--other_param OPAQUE_FMT_1"),
            (cut_digests(31), "--pcap"),
            (cut_digests(33), "--pcap"),
            (refused(Code::PSK_EXCHANGE, ErrorCode::INVALID_REQUEST), "--psk_hint"),
            (refused(Code::NEGOTIATE_ALGORITHMS, ErrorCode::INVALID_REQUEST), "--req_asym, --req_pqc_asym"),
            (refused(Code::NEGOTIATE_ALGORITHMS, ErrorCode::INVALID_REQUEST), "takes SPDM 1.4 (--ver)"),
            (refused(Code::KEY_EXCHANGE, ErrorCode::INVALID_REQUEST), "--basic_mut_auth BASIC"),
            (refused(Code::KEY_EXCHANGE, ErrorCode::UNSPECIFIED), "--cert and --key"),
            (refused(Code::FINISH, ErrorCode::DECRYPT_ERROR), "another key than --key's"),
            (refused(Code::CHALLENGE, ErrorCode::UNSPECIFIED), "--key alone with --req_slot_id 0xFF"),
            (refused(Code::SET_CERTIFICATE, ErrorCode::INVALID_REQUEST), "the slot's own key, which GET_CSR"),
            (refused(Code::SET_CERTIFICATE, ErrorCode::UNEXPECTED_REQUEST), "SET_CERT in --exe_session"),
            (refused(Code::SET_CERTIFICATE, ErrorCode::SESSION_REQUIRED), "SET_CERT in --exe_session"),
            (refused(Code::SET_CERTIFICATE, ErrorCode::RESET_REQUIRED), "reset it"),
            (refused(Code::SET_CERTIFICATE, ErrorCode::INVALID_POLICY), "its policy"),
            (refused(Code::SET_CERTIFICATE, ErrorCode::OPERATION_FAILED), "its own log"),
            (refused(Code::SET_CERTIFICATE, ErrorCode::REQUEST_TOO_LARGE), "smaller certificates"),
            (
                refused(Code::SET_CERTIFICATE, ErrorCode::UNSUPPORTED_REQUEST),
                "SET_CERT_CAP (--cap with SET_CERT)",
            ),
            (refused(Code::SET_CERTIFICATE, ErrorCode::BUSY), "try again later"),
            (refused(Code::KEY_EXCHANGE, ErrorCode::INVALID_REQUEST), "--sec_ver"),
            (refused(Code::PSK_EXCHANGE, ErrorCode::INVALID_REQUEST), "--sec_ver"),
            (EngineError::VerifyData { request: Code::PSK_EXCHANGE }, "--psk"),
            (EngineError::NothingInCommon { what: "SPDM version" }, "--ver"),
            (EngineError::NothingInCommon { what: "hash algorithm" }, "--hash"),
            (EngineError::Unexpected { request: Code::CHALLENGE, got: Code::DIGESTS }, "--pcap"),
            (EngineError::Usage(Usage::NoChain { slot: PROVISIONED }), "--peer_key"),
            (EngineError::Untrusted(no_root()), "--ca names the roots"),
            (
                EngineError::Untrusted(Untrusted::OtherIssuer { certificate: String::new(), namesake: None }),
                "and another key",
            ),
            (untrusted(OTHER_ROOT), "does not begin with that root"),
            (violation(Violation::ChainDigest), "ask once more"),
        ] {
            let (what, told) = (error.to_string(), said(error));
            let rest = told.strip_prefix(&format!("{what}; ")).unwrap_or_default();
            assert!(rest.contains(advice), "{told}");
        }
    }

    #[test]
    fn a_responder_is_told_what_itself_can_do() {
        for (error, advice) in [
            (cut_digests(32), LOOK),
            (violation(Violation::ChainDigest), "it can prove itself once more"),
            (violation(Violation::PublicKey), "--peer_key"),
            (EngineError::Untrusted(no_root()), "--ca names the roots"),
            (untrusted(OTHER_ROOT), "but the chain itself does not begin"),
            (
                EngineError::Signature { request: Code::CHALLENGE, missed: false },
                "does not have the key of its certificate",
            ),
        ] {
            let told = of_requester(&error).unwrap_or_default();
            assert!(told.contains(advice), "{error}: {told}");
        }
        let too_long = EngineError::TooLong { request: Code::GET_CERTIFICATE, len: 2, max: 1 };
        assert_eq!(of_requester(&too_long), None);
    }

    #[test]
    fn what_a_device_does_not_prove_is_an_answer() {
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
