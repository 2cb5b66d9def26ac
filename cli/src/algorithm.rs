//! An algorithm of either kind, by any of its names.

use crate::output::Output;
use grille_registry::{KemRow, Row, SignatureRow, Status, UnknownAlgorithm};
use std::cmp::Reverse;
use std::collections::HashSet;

/// A row of either table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Algorithm {
    /// A KEM.
    Kem(&'static KemRow),
    /// A signature scheme.
    Signature(&'static SignatureRow),
}

impl Algorithm {
    /// The row with this name, alias, OID or number, KEMs first: the value parser of `--alg`.
    ///
    /// # Errors
    /// [`UnknownAlgorithm`], with the near names of both tables.
    pub(crate) fn parse(name: &str) -> Result<Self, UnknownAlgorithm> {
        let kem = match grille_registry::kem_by_name(name) {
            Ok(row) => return Ok(Self::Kem(row)),
            Err(unknown) => unknown,
        };
        grille_registry::signature_by_name(name)
            .map(Self::Signature)
            .map_err(|signature| neither(kem, signature))
    }

    /// Every row, KEMs first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let kems = grille_registry::KEMS.iter().map(Self::Kem);
        kems.chain(grille_registry::SIGNATURES.iter().map(Self::Signature))
    }

    /// The columns that both kinds have.
    pub(crate) fn row(self) -> &'static dyn Row {
        match self {
            Self::Kem(row) => row,
            Self::Signature(row) => row,
        }
    }
}

/// One line on standard error if the algorithm is retired or broken.
pub(crate) fn warn_if_old(row: &dyn Row, out: &Output) {
    let reason = match row.status() {
        Status::Broken => "broken: an attack is known; use it for study only",
        Status::Retired => "retired; use it only to meet old peers and files",
        Status::Standard | Status::Draft | Status::Candidate => return,
    };
    out.warn(format_args!("{} is {reason}", row.name()));
}

/// The same for several; one that comes twice is spoken of once.
pub(crate) fn warn_of_old<'a>(rows: impl IntoIterator<Item = &'a dyn Row>, out: &Output) {
    let mut told = HashSet::new();
    rows.into_iter().filter(|row| told.insert(row.name())).for_each(|row| warn_if_old(row, out));
}

/// The near names of both kinds, the better match first, or what the name is kept for.
fn neither(kem: UnknownAlgorithm, signature: UnknownAlgorithm) -> UnknownAlgorithm {
    if signature.other_use.is_some() {
        return signature;
    }
    let name = kem.name;
    let mut near = [kem.near, signature.near].concat();
    near.sort_by_key(|known| Reverse(common_prefix(known, &name)));
    near.truncate(3);
    UnknownAlgorithm { kind: "algorithm", name, near, other_use: None }
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.bytes().zip(b.bytes()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count()
}
