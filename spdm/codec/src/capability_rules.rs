//! Rules about the capabilities of one side (DSP0274 "GET_CAPABILITIES" and "CAPABILITIES"), one row per rule.

use crate::capabilities::{CapabilityFlags as Caps, Limits, MIN_DATA_TRANSFER_SIZE};
use crate::message::Version;
use core::fmt;
use core::ops::RangeInclusive;

impl Limits {
    /// Checks that a requester's sizes are consistent (DSP0274 "GET_CAPABILITIES"). Without CHUNK_CAP, DataTransferSize
    /// and MaxSPDMmsgSize must be equal.
    fn check_requester_sizes(&self) -> Result<(), Contradiction> {
        self.check_sizes()?;
        let Self { data_transfer_size: transfer, max_message_size: message, .. } = *self;
        if transfer == message || self.flags.contains(Caps::CHUNK) {
            return Ok(());
        }
        Err(Contradiction::MessageTooLarge { transfer, message })
    }

    const fn check_sizes(&self) -> Result<(), Contradiction> {
        let Self { data_transfer_size: transfer, max_message_size: message, .. } = *self;
        if transfer < MIN_DATA_TRANSFER_SIZE {
            return Err(Contradiction::TransferTooSmall { transfer });
        }
        if transfer > message {
            return Err(Contradiction::TransferTooLarge { transfer, message });
        }
        Ok(())
    }

    /// Checks that a requester's capabilities are consistent (DSP0274 "GET_CAPABILITIES").
    ///
    /// # Errors
    /// Returns the first contradiction.
    pub fn check_requester(&self, version: Version) -> Result<(), Contradiction> {
        if version < Version::V1_1 {
            return Ok(());
        }
        self.check(requester_rules(), version)?;
        if version < Version::V1_2 { Ok(()) } else { self.check_requester_sizes() }
    }

    /// Checks that a responder's capabilities are consistent (DSP0274 "CAPABILITIES"). The caller must first clear
    /// flags that the version does not define.
    ///
    /// # Errors
    /// Returns the first contradiction.
    pub fn check_responder(&self, version: Version) -> Result<(), Contradiction> {
        self.check(responder_rules(), version)?;
        if version < Version::V1_2 { Ok(()) } else { self.check_sizes() }
    }

    fn check(
        &self,
        mut rules: impl Iterator<Item = &'static Rule>,
        version: Version,
    ) -> Result<(), Contradiction> {
        let broken = rules.find(|rule| rule.is_broken(self.flags, version));
        broken.map_or(Ok(()), |rule| Err(Contradiction::Rule(rule)))
    }
}

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

    #[test]
    fn every_requester_rule_rejects_something() {
        let base = Caps::CERT | Caps::CHAL | Caps::ENCRYPT | Caps::MAC | Caps::KEY_EX | Caps::HBEAT;
        let possible = |flags, version| !requester_rules().any(|rule| rule.is_broken(flags, version));
        for version in &Version::ALL[1..] {
            assert!(possible(base, *version) && possible(Caps::NONE, *version));
            let mutual = base | Caps::MUT_AUTH | Caps::ENCAP;
            assert!(possible(mutual, *version));
            let without = |flags: Caps, missing: Caps| Caps(flags.0 & !missing.0);
            assert!(!possible(base | Caps::PSK_WITH_CONTEXT, *version));
            assert!(!possible(without(base, Caps::ENCRYPT | Caps::MAC), *version));
            assert!(!possible(without(base, Caps::KEY_EX), *version));
            assert!(!possible(Caps::HBEAT, *version));
            assert!(!possible(Caps::PSK | Caps::MAC | Caps::HANDSHAKE_IN_THE_CLEAR, *version));
            assert!(!possible(base | Caps::PUB_KEY_ID, *version));
            assert!(!possible(Caps::CERT, *version) && !possible(Caps::CHAL, *version));
            assert_eq!(possible(without(mutual, Caps::ENCAP), *version), *version != Version::V1_1);
            let late = *version >= Version::V1_3;
            let endpoint = Caps::EP_INFO_NO_SIG | Caps::EP_INFO_SIG;
            assert_eq!(!possible(base | endpoint, *version), late);
            assert_eq!(!possible(base | Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL, *version), late);
            let raw = without(base | Caps::PUB_KEY_ID, Caps::CERT);
            assert_eq!(!possible(raw | Caps::MULTI_KEY_ONLY, *version), late);
            assert_eq!(!possible(Caps::EVENT, *version), late);
        }
    }

    #[test]
    fn every_responder_rule_rejects_something() {
        let version = Version::V1_4;
        let possible = |flags| !responder_rules().any(|rule| rule.is_broken(flags, version));
        let base = Caps::CERT | Caps::CHAL | Caps::MEAS_SIG | Caps::MEAS_FRESH | Caps::MAC | Caps::KEY_EX;
        let all = base | Caps::SET_CERT | Caps::CSR | Caps::CERT_INSTALL_RESET | Caps::ALIAS_CERT;
        let pairs = Caps::GET_KEY_PAIR_INFO | Caps::SET_KEY_PAIR_INFO | Caps::SET_KEY_PAIR_RESET;
        let all = all | pairs | Caps::MULTI_KEY_ONLY | Caps::PSK_WITH_CONTEXT;
        assert!(possible(base) && possible(all) && possible(Caps::NONE));
        assert!(possible(Caps::PSK_WITH_CONTEXT | Caps::MAC) && possible(Caps::MEAS_NO_SIG));
        let without = |missing: Caps| Caps(all.0 & !missing.0);
        for wrong in [
            all | Caps::MEAS_NO_SIG,
            without(Caps::MEAS_SIG),
            all | Caps::PSK,
            Caps::MEAS_SIG,
            Caps::CERT,
            Caps::PSK | Caps::MAC | Caps::MUT_AUTH,
            without(Caps::SET_CERT),
            Caps::ALIAS_CERT,
            base | Caps::CERT_INSTALL_RESET,
            without(Caps::GET_KEY_PAIR_INFO),
            without(Caps::SET_KEY_PAIR_INFO),
            Caps::PUB_KEY_ID | Caps::CHAL | Caps::GET_KEY_PAIR_INFO,
        ] {
            assert!(!possible(wrong), "{:#x}", wrong.0);
        }
    }

    #[test]
    fn checks_sizes_since_1_2() {
        let (chunks, none) = (Caps::CERT | Caps::CHAL | Caps::CHUNK, Caps::NONE);
        let limits = |flags, data_transfer_size, max_message_size| Limits {
            flags,
            data_transfer_size,
            max_message_size,
            ..Limits::default()
        };
        let possible = |limits: Limits, version| limits.check_requester(version).is_ok();
        for (limits, says) in [
            (limits(none, 41, 41), "DataTransferSize is 41, below its minimum of 42 bytes"),
            (limits(chunks, 43, 42), "DataTransferSize is 43, above MaxSPDMmsgSize, which is 42 bytes"),
            (limits(none, 42, 43), "MaxSPDMmsgSize is 43, above DataTransferSize, which is 42 bytes"),
        ] {
            let received = limits.check_requester(Version::V1_2).unwrap_err().to_string();
            assert!(received.starts_with(says), "{received}");
        }
        for version in Version::ALL {
            let early = version < Version::V1_2;
            assert!(possible(limits(none, 42, 42), version) && possible(limits(chunks, 42, 43), version));
            assert_eq!(possible(limits(none, 41, 41), version), early);
            assert_eq!(possible(limits(chunks, 43, 42), version), early);
            assert_eq!(possible(limits(none, 42, 43), version), early);
        }
    }
}
