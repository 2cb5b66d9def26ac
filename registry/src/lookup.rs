//! Look-ups by name, alias, OID or codepoint: linear scans over fewer than three hundred rows.

use crate::reserved::Reserved;
use crate::row::{KemRow, Row, SignatureRow, Status};
use crate::spelling::{normalized_letters, strip_oid_prefix};
use crate::table::{KEMS, SIGNATURES};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::fmt;

/// Returns the KEM with this name, alias, OID or TLS group (decimal or 0x…). Case and punctuation do not matter.
///
/// # Errors
/// Returns [`UnknownAlgorithm`], with the most similar names.
pub fn kem_by_name(name: &str) -> Result<&'static KemRow, UnknownAlgorithm> {
    by_name(KEMS, "KEM or group", name)
        .map_err(|unknown| unknown.with_other_use(SIGNATURES, KEMS, "is a signature algorithm, not a KEM"))
}

/// Returns the signature algorithm with this name, alias, OID or TLS scheme (decimal or 0x…). Case and punctuation do
/// not matter.
///
/// # Errors
/// Returns [`UnknownAlgorithm`], with the most similar names.
pub fn signature_by_name(name: &str) -> Result<&'static SignatureRow, UnknownAlgorithm> {
    by_name(SIGNATURES, "signature algorithm", name)
        .map_err(|unknown| unknown.with_other_use(KEMS, SIGNATURES, "is a KEM, not a signature algorithm"))
        .map_err(UnknownAlgorithm::with_reserved)
}

/// Returns the KEM with this object identifier, in dotted form.
#[must_use]
pub fn kem_by_oid(oid: &str) -> Option<&'static KemRow> {
    KEMS.iter().find(|row| row.oid == Some(oid))
}

/// Returns the signature algorithm with this object identifier, in dotted form.
#[must_use]
pub fn signature_by_oid(oid: &str) -> Option<&'static SignatureRow> {
    SIGNATURES.iter().find(|row| row.oid == Some(oid))
}

/// Returns the KEM with this TLS named group.
#[must_use]
pub fn kem_by_tls_group(code: u16) -> Option<&'static KemRow> {
    KEMS.iter().find(|row| row.tls_group == Some(code))
}

/// Returns the signature algorithm with this TLS signature scheme.
#[must_use]
pub fn signature_by_tls_scheme(code: u16) -> Option<&'static SignatureRow> {
    SIGNATURES.iter().find(|row| row.tls_scheme == Some(code))
}

/// Returns all signature algorithms that are not composites, and the first composite for each combination of two
/// families and a key format. Tests use this selection if testing all composites would take too long.
#[must_use]
pub fn distinct_signatures() -> Vec<&'static SignatureRow> {
    let mut seen: Vec<&SignatureRow> = Vec::new();
    for row in SIGNATURES {
        let same = |other: &&SignatureRow| {
            (other.family, other.classical_family, other.key_format)
                == (row.family, row.classical_family, row.key_format)
        };
        if row.classical_family.is_none() || !seen.iter().any(same) {
            seen.push(row);
        }
    }
    seen
}

/// Returns the names of up to three standardised algorithms of at least this category, or of classical algorithms if
/// `category` is 0. Errors suggest these names when a user requests a signature algorithm by the name of a KEM, or the
/// reverse.
#[must_use]
pub fn at_least_as_strong<R: Row>(rows: &'static [R], category: u8) -> Vec<&'static str> {
    let no_weaker = |own: u8| if category == 0 { own == 0 } else { own >= category };
    let fit = rows.iter().filter(|row| row.status() == Status::Standard && no_weaker(row.category()));
    fit.take(3).map(Row::name).collect()
}

/// Returns possible substitutes for a row: algorithms of the same family and category, with the same or a better
/// status. They include the row itself, but no composites.
pub fn substitutes(row: &'static SignatureRow) -> impl Iterator<Item = &'static SignatureRow> {
    let of = |row: &SignatureRow| (row.family, row.category);
    SIGNATURES.iter().filter(move |other| {
        other.classical_family.is_none() && of(other) == of(row) && other.status <= row.status
    })
}

/// Returns whether the row has this name or alias. Case and punctuation do not matter. A prefix `id-` or `id-alg-`,
/// as in RFC 9881, RFC 9909 and RFC 9935, is ignored.
#[must_use]
pub fn is_named(row: &(impl Row + ?Sized), name: &str) -> bool {
    let name = strip_oid_prefix(name);
    names(row).any(|known| is_same_name(known, name))
}

/// Returns whether two names are equal if case and punctuation are ignored.
#[must_use]
pub fn is_same_name(one: &str, other: &str) -> bool {
    normalized_letters(one).eq(normalized_letters(other))
}

/// Parses a TLS codepoint, in decimal or as 0x…. Returns `None` if the text is not a codepoint.
#[must_use]
pub fn parse_tls_code(name: &str) -> Option<u16> {
    let name = name.trim();
    match name.strip_prefix("0x").or_else(|| name.strip_prefix("0X")) {
        Some(hex) => u16::from_str_radix(hex, 16).ok(),
        None => name.parse().ok(),
    }
}

/// Error: no row has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm {
    /// Kind of algorithm that was requested: `"KEM or group"` or `"signature algorithm"`.
    pub kind: &'static str,
    /// The requested name.
    pub name: String,
    /// Canonical names, the most similar first; at most three.
    pub suggestions: Vec<&'static str>,
    /// Description of the name if it belongs to the other kind of algorithm or is reserved, such as `ML-KEM-768 is a
    /// KEM, not a signature algorithm`. In this case, `suggestions` lists algorithms of the requested kind that are at
    /// least as strong, or the algorithm that a reserved standard is based on.
    pub other_use: Option<String>,
}

impl UnknownAlgorithm {
    /// If the table `others` has the name, adds a description and suggests names from `rows` that are at least as
    /// strong. The description consists of the name and `does`, such as `is a KEM, not a signature algorithm`.
    fn with_other_use<R: Row>(self, others: &'static [impl Row], rows: &'static [R], does: &str) -> Self {
        let Some(other) = named(others, &self.name) else { return self };
        let suggestions = at_least_as_strong(rows, other.category());
        Self { suggestions, other_use: Some(format!("{} {does}", other.name())), ..self }
    }
}

impl UnknownAlgorithm {
    /// Adds a description if the name is reserved for an unpublished standard.
    fn with_reserved(self) -> Self {
        let Some(reserved) = Reserved::named(&self.name) else { return self };
        Self { suggestions: alloc::vec![reserved.based_on], other_use: Some(reserved.reason()), ..self }
    }
}

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suggestions = || self.suggestions.join(" or ");
        match &self.other_use {
            Some(other_use) => write!(f, "{other_use}; use {} instead", suggestions()),
            None => {
                write!(f, "unknown {} \"{}\"", self.kind, self.name.escape_debug())?;
                match self.suggestions.as_slice() {
                    [] => f.write_str("; run `grille list --all` to list all names"),
                    _ => write!(f, "; did you mean {}?", suggestions()),
                }
            }
        }
    }
}

impl core::error::Error for UnknownAlgorithm {}

fn by_name<R: Row>(
    rows: &'static [R],
    kind: &'static str,
    name: &str,
) -> Result<&'static R, UnknownAlgorithm> {
    let code = parse_tls_code(name);
    named(rows, name)
        .or_else(|| rows.iter().find(|row| row.oid() == Some(name.trim())))
        .or_else(|| rows.iter().find(|row| code.is_some() && row.tls_code() == code))
        .ok_or_else(|| UnknownAlgorithm {
            kind,
            name: name.to_owned(),
            suggestions: similar_names(rows, &normalize(strip_oid_prefix(name))),
            other_use: None,
        })
}

/// Returns the row with this name or alias, or `None` if there is none.
pub(crate) fn named<R: Row>(rows: &'static [R], name: &str) -> Option<&'static R> {
    rows.iter().find(|row| is_named(*row, name))
}

fn names(row: &(impl Row + ?Sized)) -> impl Iterator<Item = &'static str> {
    core::iter::once(row.name()).chain(row.aliases().iter().copied())
}

fn normalize(name: &str) -> String {
    normalized_letters(name).map(char::from).collect()
}

/// Returns the canonical names of at most three rows with the names most similar to `query` (similarity above 0.8).
fn similar_names<R: Row>(rows: &'static [R], query: &str) -> Vec<&'static str> {
    let score = |row: &R| names(row).map(|known| similarity(&normalize(known), query)).fold(0.0, f64::max);
    let mut scored: Vec<(f64, &'static str)> = rows.iter().map(|row| (score(row), row.name())).collect();
    scored.retain(|(score, _)| *score > 0.8);
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}

/// Returns the similarity of two names, from 0 to 1.
#[cfg(feature = "all")]
fn similarity(known: &str, query: &str) -> f64 {
    strsim::jaro_winkler(known, query)
}

/// Returns 0, so that there are no suggestions without the feature `all`.
#[cfg(not(feature = "all"))]
fn similarity(_known: &str, _query: &str) -> f64 {
    0.0
}
