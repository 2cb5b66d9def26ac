//! What one side's capabilities take and exclude, DSP0274 "GET_CAPABILITIES" and "CAPABILITIES": a row for each rule.

use crate::capabilities::{CapabilityFlags as Caps, MIN_DATA_TRANSFER_SIZE};
use crate::message::Version;
use core::fmt;
use core::ops::RangeInclusive;

/// What one side says of itself that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// The first rule that its flags break.
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
                f.write_str("without CHUNK_CAP the two are the same")
            }
        }
    }
}

/// A rule of one side's capabilities.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// Whoever has one of these …
    pub having: Caps,
    /// … has what this says of others.
    pub demand: Demand,
    versions: RangeInclusive<Version>,
}

/// What a rule says of other capabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Demand {
    /// One of these is there.
    Any(Caps),
    /// None of these is there; of itself: only the other side can have it.
    None(Caps),
}

impl Rule {
    /// Whether a side with these flags breaks it in this version.
    #[must_use]
    pub fn is_broken(&self, flags: Caps, version: Version) -> bool {
        let demanded = match self.demand {
            Demand::Any(any) => flags.intersects(any),
            Demand::None(others) => !flags.intersects(others),
        };
        flags.intersects(self.having) && !demanded && self.versions.contains(&version)
    }

    /// The same rule, which holds only from one version to another.
    const fn of(self, since: Version, until: Version) -> Self {
        Self { having: self.having, demand: self.demand, versions: since..=until }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let having = Either(self.having);
        match self.demand {
            Demand::Any(any) => write!(f, "{having} takes {}", Either(any)),
            Demand::None(others) if others == self.having => write!(f, "{having} is the other side's alone"),
            Demand::None(others) => write!(f, "{having} excludes {}", Either(others)),
        }
    }
}

/// `A, B or C`.
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

/// All rules of requesters.
pub fn of_requester() -> impl Iterator<Item = &'static Rule> {
    BOTH.iter().chain(&REQUESTER)
}

/// All rules of responders.
pub fn of_responder() -> impl Iterator<Item = &'static Rule> {
    BOTH.iter().chain(&RESPONDER)
}

const fn set(flags: &[Caps]) -> Caps {
    let (mut all, mut at) = (0, 0);
    while at < flags.len() {
        all |= flags[at].0;
        at += 1;
    }
    Caps(all)
}

const fn takes(having: &[Caps], any: &[Caps]) -> Rule {
    Rule { having: set(having), demand: Demand::Any(set(any)), versions: Version::V1_0..=Version::V1_4 }
}

const fn excludes(having: &[Caps], others: &[Caps]) -> Rule {
    Rule { having: set(having), demand: Demand::None(set(others)), versions: Version::V1_0..=Version::V1_4 }
}

const SESSION: &[Caps] = &[Caps::KEY_EX, Caps::PSK, Caps::PSK_WITH_CONTEXT];
const PROTECTED: &[Caps] = &[Caps::ENCRYPT, Caps::MAC];
const IN_SESSION: &[Caps] = &[Caps::HBEAT, Caps::KEY_UPD, Caps::HANDSHAKE_IN_THE_CLEAR];
const IDENTITY: &[Caps] = &[Caps::CERT, Caps::PUB_KEY_ID];
const MULTI_KEY: &[Caps] = &[Caps::MULTI_KEY_ONLY, Caps::MULTI_KEY_CONN_SEL];
const MEASURES: &[Caps] = &[Caps::MEAS_NO_SIG, Caps::MEAS_SIG];

/// What a requester has its identity for, before 1.3 and since.
const PROVES: &[Caps] = &[Caps::CHAL, Caps::KEY_EX];
const PROVES_1_3: &[Caps] = &[Caps::CHAL, Caps::KEY_EX, Caps::EP_INFO_SIG];

/// What a responder signs, before 1.3 and since.
const SIGNS: &[Caps] = &[Caps::CHAL, Caps::KEY_EX, Caps::MEAS_SIG];
const SIGNS_1_3: &[Caps] = &[Caps::CHAL, Caps::KEY_EX, Caps::MEAS_SIG, Caps::EP_INFO_SIG];

/// What holds for both sides.
static BOTH: [Rule; 11] = {
    use Version::{V1_1, V1_3, V1_4};
    [
        takes(SESSION, PROTECTED),
        takes(PROTECTED, SESSION),
        takes(IN_SESSION, SESSION),
        takes(&[Caps::EVENT], SESSION).of(V1_3, V1_4),
        takes(&[Caps::HANDSHAKE_IN_THE_CLEAR], &[Caps::KEY_EX]),
        excludes(&[Caps::CERT], &[Caps::PUB_KEY_ID]),
        takes(&[Caps::MUT_AUTH], PROVES),
        takes(&[Caps::MUT_AUTH], &[Caps::ENCAP]).of(V1_1, V1_1),
        excludes(&[Caps::EP_INFO_NO_SIG], &[Caps::EP_INFO_SIG]).of(V1_3, V1_4),
        excludes(&[Caps::MULTI_KEY_ONLY], &[Caps::MULTI_KEY_CONN_SEL]).of(V1_3, V1_4),
        takes(MULTI_KEY, &[Caps::CERT]).of(V1_3, V1_4),
    ]
};

static REQUESTER: [Rule; 6] = {
    use Version::{V1_0, V1_2, V1_3, V1_4};
    [
        excludes(&[Caps::PSK_WITH_CONTEXT], &[Caps::PSK_WITH_CONTEXT]),
        takes(IDENTITY, PROVES).of(V1_0, V1_2),
        takes(IDENTITY, PROVES_1_3).of(V1_3, V1_4),
        takes(&[Caps::CHAL], IDENTITY),
        takes(&[Caps::MUT_AUTH], IDENTITY),
        takes(&[Caps::EP_INFO_SIG], IDENTITY).of(V1_3, V1_4),
    ]
};

static RESPONDER: [Rule; 14] = {
    use Version::{V1_0, V1_2, V1_3, V1_4};
    [
        excludes(&[Caps::MEAS_NO_SIG], &[Caps::MEAS_SIG]),
        takes(&[Caps::MEAS_FRESH], MEASURES),
        excludes(&[Caps::PSK], &[Caps::PSK_WITH_CONTEXT]),
        takes(IDENTITY, SIGNS).of(V1_0, V1_2),
        takes(IDENTITY, SIGNS_1_3).of(V1_3, V1_4),
        takes(SIGNS, IDENTITY),
        takes(&[Caps::EP_INFO_SIG], IDENTITY).of(V1_3, V1_4),
        takes(&[Caps::MUT_AUTH], IDENTITY),
        takes(&[Caps::ALIAS_CERT, Caps::SET_CERT], &[Caps::CERT]),
        takes(&[Caps::CSR], &[Caps::SET_CERT]),
        takes(&[Caps::CERT_INSTALL_RESET], &[Caps::CSR, Caps::SET_CERT]),
        takes(MULTI_KEY, &[Caps::GET_KEY_PAIR_INFO]),
        excludes(&[Caps::PUB_KEY_ID], &[Caps::GET_KEY_PAIR_INFO, Caps::SET_KEY_PAIR_INFO]),
        takes(&[Caps::SET_KEY_PAIR_RESET], &[Caps::SET_KEY_PAIR_INFO]),
    ]
};

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_rule_says_itself() {
        let said: std::vec::Vec<_> = of_requester().map(ToString::to_string).collect();
        assert_eq!(said[0], "KEY_EX_CAP, PSK_CAP or PSK_CAP_WITH_CONTEXT takes ENCRYPT_CAP or MAC_CAP");
        assert_eq!(said[5], "CERT_CAP excludes PUB_KEY_ID_CAP");
        assert_eq!(said[11], "PSK_CAP_WITH_CONTEXT is the other side's alone");
    }
}
