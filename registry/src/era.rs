//! Eras: TLS codepoints and OIDs were reassigned several times before the standards existed.
//!
//! An [`Entry`] is the name that some OQS releases gave to a codepoint. A [`Profile`] is the set of codepoints that
//! peers of one profile understand. [`Numbers`] are the codepoints in use: those of one profile, or of several profiles
//! that do not conflict. A [`Repurposed`] name is one that a program kept when it replaced the algorithm.
//!
//! ```
//! use grille_registry::{Numbers, Profile, kem_by_name};
//!
//! let kyber = kem_by_name("KYBER_LEVEL5")?;
//! assert_eq!(Numbers::for_profile(Profile::Oqs111Feb2021).group(kyber), Some(0x0211));
//! assert_eq!(Numbers::for_profile(Profile::WolfSsl53).group(kyber), Some(0x023D));
//! # Ok::<(), grille_registry::UnknownAlgorithm>(())
//! ```

mod entry;
mod numbers;
mod repurposed;
mod table;

pub use entry::{Entry, Kind, Release};
pub use numbers::{Collision, Numbers};
pub use repurposed::Repurposed;

use crate::lookup::named;
use crate::row::{KemRow, SignatureRow};
use crate::table::{KEMS, SIGNATURES};
use alloc::{borrow::ToOwned, format, string::String};
use core::fmt;

impl Entry {
    /// Returns every entry, sorted by kind and code.
    #[must_use]
    pub fn all() -> &'static [Self] {
        table::ENTRIES
    }

    /// Returns the version of the algorithm that the name denoted in the entry's releases, if the name denotes another
    /// version today.
    #[must_use]
    pub fn version(&self) -> Option<&'static str> {
        self.change().map(|change| change.version)
    }

    /// Returns the KEM of this entry. Returns `None` if the entry is not a group, or if its KEM is not implemented
    /// here.
    #[must_use]
    pub fn kem(&self) -> Option<&'static KemRow> {
        let row_name = self.row_name().filter(|_| self.kind == Kind::Group)?;
        named(KEMS, &row_name)
    }

    /// Returns the signature algorithm of this entry. Returns `None` if the entry is not a signature scheme, or if its
    /// algorithm is not implemented here.
    #[must_use]
    pub fn signature(&self) -> Option<&'static SignatureRow> {
        let row_name = self.row_name().filter(|_| self.kind == Kind::Scheme)?;
        named(SIGNATURES, &row_name)
    }

    /// Returns the name of the registry row, if the algorithm is implemented.
    fn row_name(&self) -> Option<String> {
        Some(match self.change() {
            None => self.name.to_owned(),
            Some(change) => format!("{}{}", self.name, change.row_suffix?),
        })
    }

    fn change(&self) -> Option<&'static Change> {
        let post_quantum = self.name.rsplit('_').next().unwrap_or_default();
        CHANGES.iter().find(|change| {
            (post_quantum.starts_with(change.name) || self.name.starts_with(change.name))
                && change.since <= self.since
                && self.until <= change.until
        })
    }
}

/// A name whose algorithm changed between releases.
struct Change {
    /// Prefix of the affected names. The classical part of a hybrid's name may precede it.
    name: &'static str,
    since: Release,
    until: Release,
    /// Version of the algorithm that the name denoted in the releases from `since` to `until`.
    version: &'static str,
    /// Suffix that turns the OQS name into the registry's name; `None` if the algorithm is not implemented here.
    row_suffix: Option<&'static str>,
}

#[rustfmt::skip]
const CHANGES: &[Change] = {
    use Release::{Oqs111Aug2021, Oqs111Feb2021, Provider0120, Provider053, Provider060, Provider061, Provider070};
    &[
        Change { name: "sphincs", since: Oqs111Feb2021, until: Oqs111Feb2021, version: "SPHINCS+, round 2", row_suffix: Some("round2") },
        Change { name: "falcon",  since: Oqs111Feb2021, until: Oqs111Aug2021, version: "Falcon as of 2020", row_suffix: Some("2020") },
        Change { name: "mlkem",   since: Provider060,   until: Provider061,   version: "the draft of FIPS 203", row_suffix: None },
        Change { name: "mldsa",   since: Provider060,   until: Provider070,   version: "the draft of FIPS 204", row_suffix: None },
        Change { name: "hqc1",    since: Provider0120,  until: Provider0120,  version: "HQC of August 2025", row_suffix: Some("") },
        Change { name: "hqc3",    since: Provider0120,  until: Provider0120,  version: "HQC of August 2025", row_suffix: Some("") },
        Change { name: "hqc5",    since: Provider0120,  until: Provider0120,  version: "HQC of August 2025", row_suffix: Some("") },
        Change { name: "hqc",     since: Oqs111Feb2021, until: Provider053,   version: "HQC, round 3",      row_suffix: Some("") },
        Change { name: "hqc",     since: Provider060,   until: Provider0120,  version: "HQC of April 2023", row_suffix: None },
        Change { name: "bike1",   since: Oqs111Feb2021, until: Oqs111Feb2021, version: "BIKE-1, round 2",   row_suffix: Some("") },
        Change { name: "bike",    since: Oqs111Aug2021, until: Oqs111Aug2021, version: "BIKE, round 3",     row_suffix: Some("round3") },
    ]
};

/// A group of peers that agree on codepoints and OIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are in `name`")]
pub enum Profile {
    /// The registry's own columns: IANA's codepoints, and the last OQS codepoints of algorithms that IANA never
    /// numbered.
    Iana,
    /// The codepoints of the two hybrids with round-3 Kyber that browsers and cloud services deployed before ML-KEM.
    Draft00,
    /// wolfSSL 5.3 with liboqs: the codepoints of the algorithms that its options `--oqs` and `--pqc` accept.
    WolfSsl53,
    Oqs111Feb2021,
    Oqs111Aug2021,
    Provider05,
    Provider06,
    Provider07,
    Provider08,
    Provider09,
    Provider010,
    Provider011,
    Provider012,
}

impl Profile {
    /// Every profile, in order: `ALL[profile as usize]` is `profile`.
    pub const ALL: [Self; 13] = [
        Self::Iana,
        Self::Draft00,
        Self::WolfSsl53,
        Self::Oqs111Feb2021,
        Self::Oqs111Aug2021,
        Self::Provider05,
        Self::Provider06,
        Self::Provider07,
        Self::Provider08,
        Self::Provider09,
        Self::Provider010,
        Self::Provider011,
        Self::Provider012,
    ];

    /// Returns the profile's name, as users type it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Iana => "iana",
            Self::Draft00 => "draft00",
            Self::WolfSsl53 => "wolfssl-5.3",
            Self::Oqs111Feb2021 => "oqs111-2021-02",
            Self::Oqs111Aug2021 => "oqs111-2021-08",
            Self::Provider05 => "provider-0.5",
            Self::Provider06 => "provider-0.6",
            Self::Provider07 => "provider-0.7",
            Self::Provider08 => "provider-0.8",
            Self::Provider09 => "provider-0.9",
            Self::Provider010 => "provider-0.10",
            Self::Provider011 => "provider-0.11",
            Self::Provider012 => "provider-0.12",
        }
    }

    /// Returns the profile with this name. Case does not matter.
    ///
    /// # Errors
    /// Returns [`UnknownProfile`] if no profile has this name.
    pub fn by_name(name: &str) -> Result<Self, UnknownProfile> {
        let found = Self::ALL.into_iter().find(|profile| profile.name().eq_ignore_ascii_case(name.trim()));
        found.ok_or_else(|| UnknownProfile { name: name.to_owned() })
    }

    /// Returns whether the profile includes this entry. `Iana` includes none: its codepoints are columns of the
    /// registry.
    #[must_use]
    pub fn includes(self, entry: &Entry) -> bool {
        let stood =
            self.last_release().is_some_and(|release| entry.since <= release && release <= entry.until);
        stood
            && match self {
                Self::Draft00 => DRAFT00_GROUPS.contains(&entry.code),
                Self::WolfSsl53 => is_in_wolfssl(entry.name),
                _ => true,
            }
    }

    /// Returns the latest release whose codepoints the profile uses, or `None` for `Iana`.
    const fn last_release(self) -> Option<Release> {
        Some(match self {
            Self::Iana => return None,
            Self::Draft00 | Self::Provider08 => Release::Provider080,
            Self::WolfSsl53 | Self::Oqs111Aug2021 => Release::Oqs111Aug2021,
            Self::Oqs111Feb2021 => Release::Oqs111Feb2021,
            Self::Provider05 => Release::Provider053,
            Self::Provider06 => Release::Provider061,
            Self::Provider07 => Release::Provider070,
            Self::Provider09 => Release::Provider090,
            Self::Provider010 => Release::Provider0100,
            Self::Provider011 => Release::Provider0110,
            Self::Provider012 => Release::Provider0120,
        })
    }
}

/// The codepoints of X25519Kyber768Draft00 and SecP256r1Kyber768Draft00.
const DRAFT00_GROUPS: [u16; 2] = [0x6399, 0x639A];

/// Returns whether wolfSSL supports the algorithm: Kyber, NTRU and SABER (each alone and with a curve of its level),
/// Falcon and Dilithium.
fn is_in_wolfssl(name: &str) -> bool {
    const STEMS: [&str; 5] = ["kyber", "ntru_h", "lightsaber", "saber", "firesaber"];
    const SIGNATURES: [&str; 2] = ["falcon", "dilithium"];
    let stem = ["p256_", "p384_", "p521_"].iter().find_map(|curve| name.strip_prefix(curve)).unwrap_or(name);
    STEMS.iter().any(|known| stem.starts_with(known))
        || SIGNATURES.iter().any(|known| name.starts_with(known))
}

/// Error: no profile has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownProfile {
    /// The requested name.
    pub name: String,
}

impl fmt::Display for UnknownProfile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Profile::ALL.map(Profile::name).join(", ");
        write!(f, "unknown profile \"{}\"; known profiles: {known}", self.name.escape_debug())
    }
}

impl core::error::Error for UnknownProfile {}
