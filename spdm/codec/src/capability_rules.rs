//! Rules about the capabilities of one side (DSP0274 "GET_CAPABILITIES" and "CAPABILITIES"), one row per rule.

use crate::capabilities::{CapabilityFlags as Caps, MIN_DATA_TRANSFER_SIZE};
use crate::message::Version;
use core::fmt;
use core::ops::RangeInclusive;

/// A contradiction in the capabilities and sizes of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// The first rule that the flags break.
    Rule(&'static Rule),
    /// DataTransferSize is below [`MIN_DATA_TRANSFER_SIZE`] (1.2).
    TransferTooSmall {
        /// DataTransferSize.
        transfer: u32,
    },
    /// DataTransferSize is above MaxSPDMmsgSize (1.2).
    TransferTooLarge {
        /// DataTransferSize.
        transfer: u32,
        /// MaxSPDMmsgSize.
        message: u32,
    },
    /// MaxSPDMmsgSize of a requester without CHUNK_CAP is above DataTransferSize (1.2).
    MessageTooLarge {
        /// DataTransferSize.
        transfer: u32,
        /// MaxSPDMmsgSize.
        message: u32,
    },
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => rule.fmt(f),
            Self::TransferTooSmall { transfer } => {
                write!(
                    f,
                    "DataTransferSize is {transfer}, below its minimum of {MIN_DATA_TRANSFER_SIZE} bytes"
                )
            }
            Self::TransferTooLarge { transfer, message } => {
                write!(f, "DataTransferSize is {transfer}, above MaxSPDMmsgSize, which is {message} bytes")
            }
            Self::MessageTooLarge { transfer, message } => {
                write!(
                    f,
                    "MaxSPDMmsgSize is {message}, above DataTransferSize, which is {transfer} bytes: "
                )?;
                f.write_str("without CHUNK_CAP both must be equal")
            }
        }
    }
}

/// A rule about the capabilities of one side.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The rule applies to a side with any of these capabilities.
    pub having: Caps,
    /// The demand that such a side must meet.
    pub demand: Demand,
    versions: RangeInclusive<Version>,
}

/// A demand of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// The side must have at least one of these capabilities.
    Any(Caps),
    /// The side must have none of these capabilities. If these capabilities equal [`Rule::having`], only the other
    /// side may have them.
    None(Caps),
}

impl Rule {
    /// Returns whether a side with these flags breaks the rule in this version.
    #[must_use]
    pub fn is_broken(&self, flags: Caps, version: Version) -> bool {
        let demanded = match self.demand {
            Demand::Any(any) => flags.intersects(any),
            Demand::None(others) => !flags.intersects(others),
        };
        flags.intersects(self.having) && !demanded && self.versions.contains(&version)
    }

    /// Restricts the rule to versions from `since` to `until`, both included.
    const fn for_versions(self, since: Version, until: Version) -> Self {
        Self { having: self.having, demand: self.demand, versions: since..=until }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let having = Either(self.having);
        match self.demand {
            Demand::Any(any) => write!(f, "{having} needs {}", Either(any)),
            Demand::None(others) if others == self.having => {
                write!(f, "only the other side may have {having}")
            }
            Demand::None(others) => write!(f, "{having} excludes {}", Either(others)),
        }
    }
}

/// Formats capabilities as `A, B or C`.
struct Either(Caps);

impl fmt::Display for Either {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.0.rows().count();
        self.0.rows().enumerate().try_for_each(|(at, row)| {
            f.write_str(match at {
                0 => "",
                _ if at + 1 == count => " or ",
                _ => ", ",
            })?;
            f.write_str(row.name)
        })
    }
}

/// Iterates over the rules for requesters.
pub fn requester_rules() -> impl Iterator<Item = &'static Rule> {
    RULES_FOR_BOTH_SIDES.iter().chain(&REQUESTER_RULES)
}

/// Iterates over the rules for responders.
pub fn responder_rules() -> impl Iterator<Item = &'static Rule> {
    RULES_FOR_BOTH_SIDES.iter().chain(&RESPONDER_RULES)
}

const fn combine(flags: &[Caps]) -> Caps {
    let (mut all, mut at) = (0, 0);
    while at < flags.len() {
        all |= flags[at].0;
        at += 1;
    }
    Caps(all)
}

const fn needs(having: &[Caps], any: &[Caps]) -> Rule {
    Rule {
        having: combine(having),
        demand: Demand::Any(combine(any)),
        versions: Version::V1_0..=Version::V1_4,
    }
}

const fn excludes(having: &[Caps], others: &[Caps]) -> Rule {
    Rule {
        having: combine(having),
        demand: Demand::None(combine(others)),
        versions: Version::V1_0..=Version::V1_4,
    }
}

const SESSION: &[Caps] = &[Caps::KEY_EX, Caps::PSK, Caps::PSK_WITH_CONTEXT];
const PROTECTED: &[Caps] = &[Caps::ENCRYPT, Caps::MAC];
const IN_SESSION: &[Caps] = &[Caps::HBEAT, Caps::KEY_UPD, Caps::HANDSHAKE_IN_THE_CLEAR];
const IDENTITY: &[Caps] = &[Caps::CERT, Caps::PUB_KEY_ID];
const MULTI_KEY: &[Caps] = &[Caps::MULTI_KEY_ONLY, Caps::MULTI_KEY_CONN_SEL];
const MEAS_CAP: &[Caps] = &[Caps::MEAS_NO_SIG, Caps::MEAS_SIG];

/// Capabilities for which a requester needs a certificate or public key of its own, before 1.3.
const NEEDS_IDENTITY_OF_REQUESTER: &[Caps] = &[Caps::CHAL, Caps::KEY_EX];
/// Capabilities for which a requester needs a certificate or public key of its own, since 1.3.
const NEEDS_IDENTITY_OF_REQUESTER_1_3: &[Caps] = &[Caps::CHAL, Caps::KEY_EX, Caps::EP_INFO_SIG];

/// Capabilities for which a responder signs, before 1.3.
const RESPONDER_SIGNING: &[Caps] = &[Caps::CHAL, Caps::KEY_EX, Caps::MEAS_SIG];
/// Capabilities for which a responder signs, since 1.3.
const RESPONDER_SIGNING_1_3: &[Caps] = &[Caps::CHAL, Caps::KEY_EX, Caps::MEAS_SIG, Caps::EP_INFO_SIG];

/// Rules for both sides.
static RULES_FOR_BOTH_SIDES: [Rule; 11] = {
    use Version::{V1_1, V1_3, V1_4};
    [
        needs(SESSION, PROTECTED),
        needs(PROTECTED, SESSION),
        needs(IN_SESSION, SESSION),
        needs(&[Caps::EVENT], SESSION).for_versions(V1_3, V1_4),
        needs(&[Caps::HANDSHAKE_IN_THE_CLEAR], &[Caps::KEY_EX]),
        excludes(&[Caps::CERT], &[Caps::PUB_KEY_ID]),
        needs(&[Caps::MUT_AUTH], NEEDS_IDENTITY_OF_REQUESTER),
        needs(&[Caps::MUT_AUTH], &[Caps::ENCAP]).for_versions(V1_1, V1_1),
        excludes(&[Caps::EP_INFO_NO_SIG], &[Caps::EP_INFO_SIG]).for_versions(V1_3, V1_4),
        excludes(&[Caps::MULTI_KEY_ONLY], &[Caps::MULTI_KEY_CONN_SEL]).for_versions(V1_3, V1_4),
        needs(MULTI_KEY, &[Caps::CERT]).for_versions(V1_3, V1_4),
    ]
};

static REQUESTER_RULES: [Rule; 6] = {
    use Version::{V1_0, V1_2, V1_3, V1_4};
    [
        excludes(&[Caps::PSK_WITH_CONTEXT], &[Caps::PSK_WITH_CONTEXT]),
        needs(IDENTITY, NEEDS_IDENTITY_OF_REQUESTER).for_versions(V1_0, V1_2),
        needs(IDENTITY, NEEDS_IDENTITY_OF_REQUESTER_1_3).for_versions(V1_3, V1_4),
        needs(&[Caps::CHAL], IDENTITY),
        needs(&[Caps::MUT_AUTH], IDENTITY),
        needs(&[Caps::EP_INFO_SIG], IDENTITY).for_versions(V1_3, V1_4),
    ]
};

static RESPONDER_RULES: [Rule; 14] = {
    use Version::{V1_0, V1_2, V1_3, V1_4};
    [
        excludes(&[Caps::MEAS_NO_SIG], &[Caps::MEAS_SIG]),
        needs(&[Caps::MEAS_FRESH], MEAS_CAP),
        excludes(&[Caps::PSK], &[Caps::PSK_WITH_CONTEXT]),
        needs(IDENTITY, RESPONDER_SIGNING).for_versions(V1_0, V1_2),
        needs(IDENTITY, RESPONDER_SIGNING_1_3).for_versions(V1_3, V1_4),
        needs(RESPONDER_SIGNING, IDENTITY),
        needs(&[Caps::EP_INFO_SIG], IDENTITY).for_versions(V1_3, V1_4),
        needs(&[Caps::MUT_AUTH], IDENTITY),
        needs(&[Caps::ALIAS_CERT, Caps::SET_CERT], &[Caps::CERT]),
        needs(&[Caps::CSR], &[Caps::SET_CERT]),
        needs(&[Caps::CERT_INSTALL_RESET], &[Caps::CSR, Caps::SET_CERT]),
        needs(MULTI_KEY, &[Caps::GET_KEY_PAIR_INFO]),
        excludes(&[Caps::PUB_KEY_ID], &[Caps::GET_KEY_PAIR_INFO, Caps::SET_KEY_PAIR_INFO]),
        needs(&[Caps::SET_KEY_PAIR_RESET], &[Caps::SET_KEY_PAIR_INFO]),
    ]
};

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn formats_rules() {
        let texts: std::vec::Vec<_> = requester_rules().map(ToString::to_string).collect();
        assert_eq!(texts[0], "KEY_EX_CAP, PSK_CAP or PSK_CAP_WITH_CONTEXT needs ENCRYPT_CAP or MAC_CAP");
        assert_eq!(texts[5], "CERT_CAP excludes PUB_KEY_ID_CAP");
        assert_eq!(texts[11], "only the other side may have PSK_CAP_WITH_CONTEXT");
    }
}
