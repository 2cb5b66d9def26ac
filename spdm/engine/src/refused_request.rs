//! Reasons for refused requests, for the responder's operator. The requester receives only an ErrorCode.

use crate::refusal::Refusal;
pub use crate::refusal_reason::{Reason, Target};
use core::fmt;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;

/// A request that was refused for a known reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefusedRequest {
    /// The request.
    pub request: Code,
    /// The slot or key pair that the request would have provisioned or certified.
    pub target: Option<Target>,
    /// The ErrorCode sent. If ALGORITHMS selects no hash, this is the RequestResynch that answers every following request.
    pub code: ErrorCode,
    /// The reason.
    pub reason: Reason,
}

impl RefusedRequest {
    /// Returns the details of a refusal, if its reason is known.
    pub(crate) fn from_refusal(request: Code, refusal: &Refusal) -> Option<Self> {
        let reason = refusal.reason()?;
        Some(Self { request, target: refusal.target(), code: refusal.code, reason })
    }
}

impl fmt::Display for RefusedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, target, code, reason } = self;
        write!(f, "{request}")?;
        match target {
            Some(Target::Slot(slot)) => write!(f, " of slot {slot}")?,
            Some(Target::KeyPair(id)) => write!(f, " of key pair {id}")?,
            None => {}
        }
        if *request == Code::NEGOTIATE_ALGORITHMS && matches!(reason, Reason::NoAlgorithm(_)) {
            return write!(f, " answered without a selection: {reason}");
        }
        write!(f, " refused with {code}: {reason}")
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed(error) => return error.fmt(f),
            Self::Profile(reason) => return write!(f, "the certificate at the end of the chain {reason}"),
            Self::NoAlgorithm(kind) | Self::NoSessions(kind) => {
                return write!(f, "the two sides have no {kind} in common");
            }
            Self::Capabilities(wrong) => {
                return write!(f, "the requester's capabilities contradict each other: {wrong}");
            }
            Self::Answer(error) => return write!(f, "the answer cannot be encoded: {error}"),
            Self::Signer(error) => return write!(f, "this side's key could not be used: {error}"),
            Self::Device(reason) | Self::Fault(reason) => reason,
            Self::NoChunks => "the requester asks for the supported algorithms but lacks CHUNK_CAP",
            Self::Outside => {
                "the request came outside a session, and the environment is not trusted for provisioning"
            }
            Self::NoSlot => "the negotiated (or the bank's) signature algorithm has no slot with this number, or the slot has no key pair",
            Self::NoBank => "there is no bank with this BankID",
            Self::SubCode => "the device does not support this SubCode",
            Self::Erase => "the request has both Erase and a chain, or neither",
            Self::KeyPair => {
                "KeyPairID names the wrong key pair, or is not 0 although the connection is not multi-key"
            }
            Self::Model => "the slot or the connection does not allow this certificate model",
            Self::Chain => "the length of the chain is wrong, or one of its certificates cannot be parsed",
            Self::RootHash => "RootHash is not the hash of the chain's root certificate",
            Self::Signature => "a certificate of the chain is not signed by the previous one",
            Self::Key => "the chain does not end in a certificate for the slot's key",
            Self::AliasCa => "the chain does not end in the CA that certified the device's alias",
            Self::TrackingTag => "CSRTrackingTag was never issued, or is combined with Overwrite",
            Self::NoKeyPair => "there is no such key pair",
            Self::Operation => "the operation does not exist, or the key pair does not support it",
            Self::Usage => "the key pair does not support this key usage",
            Self::Algorithm => "the key pair does not support this algorithm, or the request names several",
            Self::Slots => "the key pair cannot be assigned to these slots",
            Self::InSlot => "the key pair is in a slot, so its key cannot change",
            Self::NothingToGenerate => "no algorithm is selected for the key to generate",
            Self::SlotTaken => "one of the slots already has another key of this algorithm",
            Self::NoSecuredVersion => "the two sides have no version of secured messages in common",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn displays_request_target_code_and_reason() {
        let refusal = Refusal::from(Reason::Key);
        let displayed = |refusal| {
            RefusedRequest::from_refusal(Code::SET_CERTIFICATE, &refusal).map(|reason| reason.to_string())
        };
        let reason =
            "refused with InvalidRequest: the chain does not end in a certificate for the slot's key";
        assert_eq!(displayed(refusal).unwrap(), ["SET_CERTIFICATE ", reason].concat());
        let [slot, key_pair] =
            [Target::Slot(1), Target::KeyPair(2)].map(|target| refusal.with_target(target));
        assert_eq!(displayed(slot).unwrap(), ["SET_CERTIFICATE of slot 1 ", reason].concat());
        assert_eq!(displayed(key_pair).unwrap(), ["SET_CERTIFICATE of key pair 2 ", reason].concat());
        assert_eq!(displayed(Refusal::new(ErrorCode::BUSY).with_target(Target::Slot(1))), None);
        let profile = Reason::Profile("is a CA certificate, which can only issue others").to_string();
        assert_eq!(
            profile,
            "the certificate at the end of the chain is a CA certificate, which can only issue others"
        );
    }
}
