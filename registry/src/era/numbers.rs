//! The codepoints and OIDs of one profile, or of several profiles that do not conflict.

use super::{Entry, Kind, Profile};
use crate::row::{KemRow, KeyFormat, Row, SignatureRow};
use crate::table::{KEMS, SIGNATURES};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::fmt;
#[cfg(target_has_atomic = "ptr")]
use {alloc::boxed::Box, once_cell::race::OnceBox};

/// Codepoints and OIDs of one profile, or of several profiles that do not conflict.
///
/// Classical algorithms have the same codepoints and OIDs in every profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Numbers {
    /// The set of profiles: bit number `profile as u16` is set for each profile in it.
    profiles: u16,
}

impl Default for Numbers {
    fn default() -> Self {
        Self::for_profile(Profile::Iana)
    }
}

impl fmt::Display for Numbers {
    /// Writes `the profile wolfssl-5.3`, or `the profiles …` for several.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.profiles().map(Profile::name).collect();
        write!(f, "the profile{} {}", if names.len() == 1 { "" } else { "s" }, names.join(", "))
    }
}

impl Numbers {
    /// Returns the codepoints and OIDs of one profile.
    #[must_use]
    pub const fn for_profile(profile: Profile) -> Self {
        Self { profiles: 1 << profile as u16 }
    }

    /// Returns the combined codepoints and OIDs of `profiles`, or those of [`Profile::Iana`] if the slice is empty.
    ///
    /// # Errors
    /// Returns [`Collision`] if a number has different meanings in two of the profiles.
    pub fn new(profiles: &[Profile]) -> Result<Self, Collision> {
        let mut seen: Vec<(Profile, Meaning)> = Vec::new();
        for &profile in profiles {
            for meaning in meanings(profile) {
                match seen.iter().find(|(_, other)| other.contradicts(&meaning)) {
                    Some((other, of_other)) => return Err(of_other.collision(*other, &meaning, profile)),
                    None => seen.push((profile, meaning)),
                }
            }
        }
        let profiles = profiles.iter().fold(0, |bits, &profile| bits | Self::for_profile(profile).profiles);
        Ok(if profiles == 0 { Self::default() } else { Self { profiles } })
    }

    /// Iterates over the profiles, in the order of [`Profile::ALL`].
    pub fn profiles(self) -> impl Iterator<Item = Profile> {
        Profile::ALL
            .into_iter()
            .filter(move |profile| self.profiles & Self::for_profile(*profile).profiles != 0)
    }

    /// Returns every KEM that the profiles include, without duplicates.
    #[must_use]
    pub fn kems(self) -> Vec<&'static KemRow> {
        distinct(self.meanings().filter_map(|meaning| meaning.kem()))
    }

    /// Returns every signature algorithm that the profiles include, without duplicates.
    #[must_use]
    pub fn signatures(self) -> Vec<&'static SignatureRow> {
        distinct(self.meanings().filter_map(|meaning| meaning.signature()))
    }

    /// Returns the TLS named group of a KEM: that of the first profile in which the KEM has one.
    #[must_use]
    pub fn group(self, row: &KemRow) -> Option<u16> {
        self.meanings().filter(|meaning| is_found_row(row, meaning.kem())).find_map(|meaning| meaning.code)
    }

    /// Returns the TLS signature scheme of a signature algorithm: that of the first profile in which the algorithm has
    /// one.
    #[must_use]
    pub fn scheme(self, row: &SignatureRow) -> Option<u16> {
        self.meanings()
            .filter(|meaning| is_found_row(row, meaning.signature()))
            .find_map(|meaning| meaning.code)
    }

    /// Returns the KEM with this TLS named group.
    #[must_use]
    pub fn kem_by_group(self, code: u16) -> Option<&'static KemRow> {
        self.meanings().filter(|meaning| meaning.code == Some(code)).find_map(|meaning| meaning.kem())
    }

    /// Returns the signature algorithm with this TLS signature scheme.
    #[must_use]
    pub fn signature_by_scheme(self, code: u16) -> Option<&'static SignatureRow> {
        self.meanings().filter(|meaning| meaning.code == Some(code)).find_map(|meaning| meaning.signature())
    }

    /// Returns the object identifier of a KEM's keys: that of the first profile in which the KEM has one.
    #[must_use]
    pub fn kem_oid(self, row: &KemRow) -> Option<&'static str> {
        if self == Self::default() {
            return row.oid;
        }
        self.meanings().filter(|meaning| is_found_row(row, meaning.kem())).find_map(|meaning| meaning.oid)
    }

    /// Returns the object identifier of a signature algorithm's signatures: that of the first profile in which the
    /// algorithm has one.
    #[must_use]
    pub fn signature_oid(self, row: &SignatureRow) -> Option<&'static str> {
        if self == Self::default() {
            return row.oid;
        }
        self.meanings()
            .filter(|meaning| is_found_row(row, meaning.signature()))
            .find_map(|meaning| meaning.oid)
    }

    /// Returns the object identifier of a signature algorithm's keys: that of the first profile in which the algorithm
    /// has one. For classical algorithms, the identifier of the signatures is a different one.
    #[must_use]
    pub fn key_oid(self, row: &SignatureRow) -> Option<&'static str> {
        match row.key_format {
            KeyFormat::Native { spki_oid, .. } => Some(spki_oid),
            KeyFormat::SeedOrExpanded | KeyFormat::Raw | KeyFormat::OqsConcatenated => {
                self.signature_oid(row)
            }
        }
    }

    /// Returns the KEM whose keys have this object identifier.
    #[must_use]
    pub fn kem_by_oid(self, oid: &str) -> Option<&'static KemRow> {
        let mut named =
            self.meanings().filter(|meaning| meaning.oid == Some(oid)).filter_map(|meaning| meaning.kem());
        named.find(|row| self.kem_oid(row) == Some(oid))
    }

    /// Returns the signature algorithm whose signatures have this object identifier.
    #[must_use]
    pub fn signature_by_oid(self, oid: &str) -> Option<&'static SignatureRow> {
        self.meanings().filter(|meaning| meaning.oid == Some(oid)).find_map(|meaning| meaning.signature())
    }

    /// Returns every signature algorithm whose keys or signatures have this object identifier in one of the profiles, in
    /// the order of the table.
    #[must_use]
    pub fn signatures_with_oid(self, oid: &str) -> Vec<&'static SignatureRow> {
        let has_oid = |meaning: &Meaning| meaning.oid == Some(oid);
        let named = self.meanings().filter(has_oid).filter_map(|meaning| meaning.signature());
        let named: Vec<&str> = named.map(Row::name).collect();
        let has_key = |row: &SignatureRow| matches!(row.key_format, KeyFormat::Native { spki_oid, .. } if spki_oid == oid);
        SIGNATURES.iter().filter(|row| has_key(row) || named.contains(&row.name())).collect()
    }

    fn meanings(self) -> impl Iterator<Item = Meaning> {
        self.profiles().flat_map(meanings)
    }
}

/// Error: one number has different meanings in two profiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The number: a TLS codepoint such as `0x0200`, or an object identifier.
    pub number: String,
    /// The two profiles, each with the name of the algorithm that the number denotes in it.
    pub meanings: [(Profile, &'static str); 2],
}

impl fmt::Display for Collision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [(one, a), (other, b)] = self.meanings;
        write!(
            f,
            "the profiles {} and {} conflict: {} means {a} in the first and {b} in the second",
            one.name(),
            other.name(),
            self.number
        )
    }
}

impl core::error::Error for Collision {}

/// An algorithm, with its codepoint and OID in one profile.
#[derive(Clone, Copy)]
struct Meaning {
    kind: Kind,
    name: &'static str,
    code: Option<u16>,
    oid: Option<&'static str>,
    /// Whether the object identifier belongs to this algorithm alone. All key sizes of RSA share one identifier.
    oid_is_unique: bool,
    row: Option<Algorithm>,
}

#[derive(Clone, Copy)]
enum Algorithm {
    Kem(&'static KemRow),
    Signature(&'static SignatureRow),
}

/// Iterates over all algorithms that a profile includes.
fn meanings(profile: Profile) -> impl Iterator<Item = Meaning> {
    let is_shared = move |row: &dyn Row| profile == Profile::Iana || row.category() == 0;
    let kems = KEMS.iter().filter(move |row| is_shared(*row)).map(Meaning::from_kem);
    let signatures = SIGNATURES.iter().filter(move |row| is_shared(*row)).map(Meaning::from_signature);
    kems.chain(signatures).chain(entries(profile))
}

/// Iterates over a profile's entries in the table of eras. The first call looks up the rows by name and caches them.
#[cfg(target_has_atomic = "ptr")]
fn entries(profile: Profile) -> impl Iterator<Item = Meaning> {
    static ENTRIES: [OnceBox<Vec<Meaning>>; Profile::ALL.len()] =
        [const { OnceBox::new() }; Profile::ALL.len()];
    ENTRIES[profile as usize].get_or_init(|| Box::new(resolve_entries(profile).collect())).iter().copied()
}

/// Iterates over a profile's entries in the table of eras. Every call looks up the rows by name, because this processor
/// lacks the atomic instructions for a cache.
#[cfg(not(target_has_atomic = "ptr"))]
fn entries(profile: Profile) -> impl Iterator<Item = Meaning> {
    resolve_entries(profile)
}

fn resolve_entries(profile: Profile) -> impl Iterator<Item = Meaning> {
    Entry::all().iter().filter(move |entry| profile.includes(entry)).map(Meaning::from_entry)
}

impl Meaning {
    fn from_kem(row: &'static KemRow) -> Self {
        Self {
            kind: Kind::Group,
            name: row.name(),
            code: row.tls_group,
            oid: row.oid,
            oid_is_unique: true,
            row: Some(Algorithm::Kem(row)),
        }
    }

    fn from_signature(row: &'static SignatureRow) -> Self {
        Self {
            kind: Kind::Scheme,
            name: row.name(),
            code: row.tls_scheme,
            oid: row.oid,
            oid_is_unique: row.category > 0,
            row: Some(Algorithm::Signature(row)),
        }
    }

    fn from_entry(entry: &'static Entry) -> Self {
        let kem = || entry.kem().map(|row| (row.name(), Algorithm::Kem(row)));
        let signature = || entry.signature().map(|row| (row.name(), Algorithm::Signature(row)));
        let row = kem().or_else(signature);
        Self {
            kind: entry.kind,
            name: row.map_or(entry.name, |(name, _)| name),
            code: Some(entry.code),
            oid: Some(entry.oid).filter(|oid| !oid.is_empty()),
            oid_is_unique: true,
            row: row.map(|(_, row)| row),
        }
    }

    const fn kem(&self) -> Option<&'static KemRow> {
        match self.row {
            Some(Algorithm::Kem(row)) => Some(row),
            _ => None,
        }
    }

    const fn signature(&self) -> Option<&'static SignatureRow> {
        match self.row {
            Some(Algorithm::Signature(row)) => Some(row),
            _ => None,
        }
    }

    fn same_code(&self, other: &Self) -> bool {
        self.kind == other.kind && self.code.is_some() && self.code == other.code
    }

    fn same_oid(&self, other: &Self) -> bool {
        self.oid_is_unique && other.oid_is_unique && self.oid.is_some() && self.oid == other.oid
    }

    fn contradicts(&self, other: &Self) -> bool {
        self.name != other.name && (self.same_code(other) || self.same_oid(other))
    }

    fn collision(&self, here: Profile, other: &Self, there: Profile) -> Collision {
        let number = match self.code {
            Some(code) if self.same_code(other) => format!("0x{code:04X}"),
            _ => self.oid.unwrap_or_default().to_owned(),
        };
        Collision { number, meanings: [(here, self.name), (there, other.name)] }
    }
}

fn is_found_row<R: Row>(row: &R, found: Option<&'static R>) -> bool {
    found.is_some_and(|found| found.name() == row.name())
}

/// Removes duplicates and preserves the order.
fn distinct<R: Row>(rows: impl Iterator<Item = &'static R>) -> Vec<&'static R> {
    let mut seen: Vec<&'static R> = Vec::new();
    for row in rows {
        if !seen.iter().any(|known| known.name() == row.name()) {
            seen.push(row);
        }
    }
    seen
}
