//! Why a request was refused, be it the requester's fault or this side's: for whoever runs a responder, which tells the requester a
//! code only.

use crate::error::Refusal;
use core::fmt;
use grille_spdm_codec::capability_rules::Contradiction;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, CodecError};

/// A request that was refused for a reason that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The request.
    pub request: Code,
    /// What it was to change, or to be certified.
    pub target: Option<Target>,
    /// What the requester was told. After ALGORITHMS without a hash it is told RequestResynch from its next request on.
    pub code: ErrorCode,
    /// What is wrong.
    pub reason: Reason,
}

/// What a request provisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The slot with this number.
    Slot(u8),
    /// The key pair with this KeyPairID.
    KeyPair(u8),
}

/// What is wrong with a request, or with what would answer it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A field of it, or of what answers it.
    Malformed(CodecError),
    /// It came outside sessions, where only who has the device in hand provisions it.
    Outside,
    /// There is no such slot of the algorithm, or no key pair in it.
    NoSlot,
    /// There is no bank with this BankID.
    NoBank,
    /// A SubCode of SLOT_MANAGEMENT that this device has not.
    SubCode,
    /// A chain comes with Erase, or none comes without.
    Erase,
    /// Another KeyPairID than the slot's or the algorithm's; or any, where the connection has one key.
    KeyPair,
    /// A certificate model that the slot or the connection cannot have.
    Model,
    /// The chain contradicts its own length, or a certificate of it cannot be read.
    Chain,
    /// RootHash is not the hash of the root that the chain begins with.
    RootHash,
    /// A certificate is not signed by the one before it.
    Signature,
    /// The chain does not end in a certificate of the slot's key.
    Key,
    /// A chain of the alias model does not end in the CA that certified the device's alias.
    AliasCa,
    /// The certificate at the end of the chain cannot prove a device: why, said of it.
    Profile(&'static str),
    /// CSRTrackingTag where none was given out, or together with Overwrite.
    TrackingTag,
    /// There is no such key pair.
    NoKeyPair,
    /// An operation that there is not, or that the key pair is not made for.
    Operation,
    /// A use that the key pair is not made for.
    Usage,
    /// An algorithm that the key pair cannot have, or several.
    Algorithm,
    /// Slots that the key pair cannot be put into.
    Slots,
    /// The key pair is in a slot, where its key stays.
    InSlot,
    /// Nothing says which algorithm a key is to be generated for.
    NothingToGenerate,
    /// One of the slots has another key of the same algorithm.
    SlotTaken,
    /// Capabilities or sizes of the requester's that contradict each other.
    Capabilities(Contradiction),
    /// GET_CAPABILITIES that asks for the supported algorithms without CHUNK_CAP.
    NoChunks,
    /// The request needs an algorithm of this kind, and both sides share none.
    NoAlgorithm(&'static str),
    /// What opens a session, where the two sides have this not in common: a format of OpaqueData, or what protects records.
    NoSessions(&'static str),
    /// What opens a session, without a version of secured messages that both sides have.
    NoSecuredVersion,
    /// What the device itself says.
    Device(&'static str),
    /// What the device or the configuration has wrong, so that there is no answer.
    Fault(&'static str),
    /// A field of the answer, which this side cannot write.
    Answer(CodecError),
    /// This side's key, which failed.
    Signer(grille_core::Error),
}

impl Objection {
    /// What is to be told of a refusal, if it says why.
    pub(crate) fn to(request: Code, refusal: &Refusal) -> Option<Self> {
        let reason = refusal.reason()?;
        Some(Self { request, target: refusal.target(), code: refusal.code, reason })
    }
}

impl fmt::Display for Objection {
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
            Self::Profile(why) => return write!(f, "the certificate at the end of the chain {why}"),
            Self::NoAlgorithm(what) | Self::NoSessions(what) => {
                return write!(f, "the two sides have no {what} in common");
            }
            Self::Capabilities(wrong) => {
                return write!(f, "capabilities that contradict each other: {wrong}");
            }
            Self::Answer(error) => return write!(f, "the answer cannot be written: {error}"),
            Self::Signer(error) => return write!(f, "this side's key failed: {error}"),
            Self::Device(why) | Self::Fault(why) => why,
            Self::NoChunks => "it asks for the supported algorithms without CHUNK_CAP",
            Self::Outside => "it came outside sessions, and nobody vouches for who has the device in hand",
            Self::NoSlot => "there is no such slot of the algorithm, or no key pair in it",
            Self::NoBank => "there is no bank with this BankID",
            Self::SubCode => "the device has not this SubCode",
            Self::Erase => "a chain comes with Erase, or none comes without",
            Self::KeyPair => "its KeyPairID is another's, or names one where the connection has one key",
            Self::Model => "the slot or the connection cannot have its certificate model",
            Self::Chain => "the chain contradicts its own length, or a certificate of it cannot be read",
            Self::RootHash => "RootHash is not the hash of the root that the chain begins with",
            Self::Signature => "a certificate of the chain is not signed by the one before it",
            Self::Key => "the chain does not end in a certificate of the slot's key",
            Self::AliasCa => "the chain does not end in the CA that certified the device's alias",
            Self::TrackingTag => "its CSRTrackingTag was not given out, or comes with Overwrite",
            Self::NoKeyPair => "there is no such key pair",
            Self::Operation => "there is no such operation, or the key pair is not made for it",
            Self::Usage => "the key pair is not made for such use",
            Self::Algorithm => "the key pair cannot have this algorithm, or several are named",
            Self::Slots => "the key pair cannot be put into these slots",
            Self::InSlot => "the key pair is in a slot, where its key stays",
            Self::NothingToGenerate => "nothing says which algorithm a key is to be generated for",
            Self::SlotTaken => "one of the slots has another key of the same algorithm",
            Self::NoSecuredVersion => "the two sides have no version of secured messages in common",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_line_says_what_was_refused_how_and_why() {
        let refusal = Refusal::from(Reason::Key);
        let said = |refusal| Objection::to(Code::SET_CERTIFICATE, &refusal).map(|why| why.to_string());
        let why = "refused with InvalidRequest: the chain does not end in a certificate of the slot's key";
        assert_eq!(said(refusal).unwrap(), ["SET_CERTIFICATE ", why].concat());
        let [slot, key_pair] = [Target::Slot(1), Target::KeyPair(2)].map(|target| refusal.about(target));
        assert_eq!(said(slot).unwrap(), ["SET_CERTIFICATE of slot 1 ", why].concat());
        assert_eq!(said(key_pair).unwrap(), ["SET_CERTIFICATE of key pair 2 ", why].concat());
        assert_eq!(said(Refusal::new(ErrorCode::BUSY).about(Target::Slot(1))), None);
        let profile = Reason::Profile("is a CA's and may only issue others").to_string();
        assert_eq!(profile, "the certificate at the end of the chain is a CA's and may only issue others");
    }
}
