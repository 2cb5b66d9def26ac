//! Algorithms of both kinds (KEMs and signatures), found by any of their names.

use crate::error::Error;
use crate::output::Output;
use grille_registry::{KemRow, Row, SignatureRow, Status, UnknownAlgorithm};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// A row of the registry's table of KEMs or of its table of signatures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Algorithm {
    /// A KEM.
    Kem(&'static KemRow),
    /// A signature scheme.
    Signature(&'static SignatureRow),
}

impl Algorithm {
    /// Finds the row with this name, alias, OID or number; searches the KEMs before the signatures. This is the value
    /// parser of `--alg`.
    ///
    /// # Errors
    /// Returns [`UnknownAlgorithm`], with similar names from both tables.
    pub(crate) fn parse(name: &str) -> Result<Self, UnknownAlgorithm> {
        let kem = match grille_registry::kem_by_name(name) {
            Ok(row) => return Ok(Self::Kem(row)),
            Err(unknown) => unknown,
        };
        grille_registry::signature_by_name(name)
            .map(Self::Signature)
            .map_err(|signature| merge_unknown(kem, signature))
    }

    /// Parses a name like [`parse`](Self::parse), and refuses a broken algorithm unless `--allow-broken` is given.
    ///
    /// # Errors
    /// Returns [`Unusable`], if the name is unknown or the algorithm is broken.
    pub(crate) fn parse_usable(name: &str) -> Result<Self, Unusable> {
        let algorithm = Self::parse(name)?;
        refuse_broken(algorithm.row())?;
        Ok(algorithm)
    }

    /// Returns every row, KEMs first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let kems = grille_registry::KEMS.iter().map(Self::Kem);
        kems.chain(grille_registry::SIGNATURES.iter().map(Self::Signature))
    }

    /// Returns the columns that rows of KEMs and of signatures share.
    pub(crate) fn row(self) -> &'static dyn Row {
        match self {
            Self::Kem(row) => row,
            Self::Signature(row) => row,
        }
    }
}

/// Finds the KEM with this name, alias, OID or number. This is the value parser of `--alg` and `--groups`.
///
/// # Errors
/// Returns [`Unusable`], if the name is unknown, or the KEM is broken and `--allow-broken` is missing.
pub(crate) fn parse_usable_kem(name: &str) -> Result<&'static KemRow, Unusable> {
    let row = grille_registry::kem_by_name(name)?;
    refuse_broken(row)?;
    Ok(row)
}

/// Returns an error if the algorithm is broken and `--allow-broken` is missing.
///
/// # Errors
/// Returns [`Unusable::Broken`].
pub(crate) fn refuse_broken(row: &dyn Row) -> Result<(), Unusable> {
    match row.attack() {
        Some(attack) if !ALLOW_BROKEN.load(Ordering::Relaxed) => {
            Err(Unusable::Broken { name: row.name(), attack })
        }
        _ => Ok(()),
    }
}

/// Whether the command line has `--allow-broken`. Value parsers need it, so it is set before the command line is
/// parsed.
static ALLOW_BROKEN: AtomicBool = AtomicBool::new(false);

/// Permits broken algorithms.
pub(crate) fn allow_broken() {
    ALLOW_BROKEN.store(true, Ordering::Relaxed);
}

/// The reason why an algorithm cannot be used.
#[derive(Debug)]
pub(crate) enum Unusable {
    /// No algorithm has this name.
    Unknown(UnknownAlgorithm),
    /// The algorithm is broken by a published attack.
    Broken {
        /// The name of the algorithm.
        name: &'static str,
        /// The publication of the attack.
        attack: &'static str,
    },
}

impl From<UnknownAlgorithm> for Unusable {
    fn from(unknown: UnknownAlgorithm) -> Self {
        Self::Unknown(unknown)
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(unknown) => unknown.fmt(f),
            Self::Broken { name, attack } => {
                write!(f, "{name} is broken: {attack}; give --allow-broken to use it for study")
            }
        }
    }
}

impl std::error::Error for Unusable {}

impl From<Unusable> for Error {
    fn from(error: Unusable) -> Self {
        match error {
            Unusable::Unknown(unknown) => unknown.into(),
            Unusable::Broken { .. } => Self::usage(error),
        }
    }
}

/// Warns in one line if the algorithm is retired or broken.
pub(crate) fn warn_if_old(row: &dyn Row, out: &Output) {
    warn_in_one_line("", [row], out);
}

/// Warns about each retired or broken algorithm in a line of its own; duplicates are skipped.
pub(crate) fn warn_about_each_old<'a>(rows: impl IntoIterator<Item = &'a dyn Row>, out: &Output) {
    without_duplicates(rows).into_iter().for_each(|row| warn_if_old(row, out));
}

/// Warns about all retired algorithms in one line, and about all broken ones in another.
///
/// Use this for algorithms that the user did not name one by one. `prefix` precedes their names.
pub(crate) fn warn_in_one_line<'a>(prefix: &str, rows: impl IntoIterator<Item = &'a dyn Row>, out: &Output) {
    let rows = without_duplicates(rows);
    for status in [Status::Retired, Status::Broken] {
        let names: Vec<_> = rows.iter().filter(|row| row.status() == status).map(|row| row.name()).collect();
        let attack = rows.iter().find_map(|row| row.attack()).unwrap_or_default();
        let (are, them) = if names.len() == 1 { ("is", "it") } else { ("are", "them") };
        let reason = match status {
            Status::Broken => format!("broken: {attack}; use {them} for study only"),
            _ => format!("retired; use {them} only with old peers and files"),
        };
        if !names.is_empty() {
            out.warn(format_args!("{prefix}{} {are} {reason}", abbreviate(&names)));
        }
    }
}

/// Returns the rows without duplicates, in the given order.
fn without_duplicates<'a>(rows: impl IntoIterator<Item = &'a dyn Row>) -> Vec<&'a dyn Row> {
    let mut seen = HashSet::new();
    rows.into_iter().filter(|row| seen.insert(row.name())).collect()
}

/// Lists the first [`MAX_NAMES`] names, and the number of remaining names.
fn abbreviate(names: &[&str]) -> String {
    let (shown, more) = names.split_at(names.len().min(MAX_NAMES));
    match more.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Maximum number of names in one line.
const MAX_NAMES: usize = 4;

/// Merges the errors of both tables. The result suggests similar names, the best match first. If the signature table
/// knows another use of the name, the result states that use.
fn merge_unknown(kem: UnknownAlgorithm, signature: UnknownAlgorithm) -> UnknownAlgorithm {
    if signature.other_use.is_some() {
        return signature;
    }
    let name = kem.name;
    let mut suggestions = [kem.suggestions, signature.suggestions].concat();
    suggestions.sort_by_key(|known| Reverse(common_prefix_len(known, &name)));
    suggestions.truncate(3);
    UnknownAlgorithm { kind: "algorithm", name, suggestions, other_use: None }
}

fn common_prefix_len(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}
