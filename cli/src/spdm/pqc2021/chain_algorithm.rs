//! The possible signature algorithms of a side's certificate chain.

use super::algorithm_options::single;
use super::key_set::registry_signature;
use crate::error::Error;
use crate::spdm::algorithms::signers;
use grille_spdm_engine::algorithms::{Asym, Bits, Classical};
use grille_spdm_engine::pqc2021::{self, Options, PublicKeyMode, Set, Signature};

/// A signature algorithm of a chain, with its classical and its post-quantum part.
#[derive(Clone, Copy)]
pub(crate) struct ChainAlgorithm {
    pub(crate) asym: Asym,
    /// The bit of the classical part in BaseAsymAlgo; 0 if there is no classical part.
    pub(super) classical: u32,
    /// The post-quantum part; empty if there is none in the dialect.
    pub(super) signature: Set,
}

/// Returns the possible signature algorithms of a chain, best first. In CERT mode they are composites of a classical
/// algorithm in `bits` and a post-quantum algorithm in `signature`; otherwise they are the algorithms in `bits`.
///
/// # Errors
/// Returns an error if no certificate has such algorithms.
pub(crate) fn chain_algorithms(
    bits: &Bits,
    signature: Set,
    dialect: Option<&Options>,
) -> Result<Vec<ChainAlgorithm>, Error> {
    let certified = dialect.filter(|dialect| dialect.public_keys == PublicKeyMode::Certificate);
    let Some(dialect) = certified.filter(|_| !signature.is_empty()) else {
        return Ok(signers(bits).into_iter().map(ChainAlgorithm::simple).collect());
    };
    let mut classical: Vec<&Classical> = signers(bits).into_iter().filter_map(classical).collect();
    // RSA comes last, because its keys take long to generate.
    classical.sort_by_key(|row| row.key.starts_with("RSA"));
    let mut found = Vec::new();
    for row in single(signature).filter_map(Signature::from_set) {
        found.extend(with_part(row, &classical, dialect.sphincs_round3)?);
    }
    if found.is_empty() { Err(no_composite(&classical, signature)) } else { Ok(found) }
}

impl ChainAlgorithm {
    /// Describes an algorithm of the standard, which has no post-quantum part of the dialect.
    fn simple(asym: Asym) -> Self {
        let classical = classical(asym).map_or(0, |row| 1 << row.bit);
        Self { asym, classical, signature: Set::NONE }
    }
}

/// Returns the chain algorithms whose post-quantum part is `row`: only `row` itself if `classical` is empty, otherwise
/// the composites of `row` and the algorithms in `classical`.
fn with_part(
    row: &'static Signature,
    classical: &[&'static Classical],
    round3: bool,
) -> Result<Vec<ChainAlgorithm>, Error> {
    let known = registry_signature(row, round3)?;
    if classical.is_empty() {
        return Ok(vec![ChainAlgorithm {
            asym: Asym::PostQuantum(known),
            classical: 0,
            signature: row.set(),
        }]);
    }
    let composite = |part: &&'static Classical| {
        let asym = Asym::PostQuantum(pqc2021::composite(part, known)?);
        Some(ChainAlgorithm { asym, classical: 1 << part.bit, signature: row.set() })
    };
    Ok(classical.iter().filter_map(composite).collect())
}

fn no_composite(classical: &[&Classical], signature: Set) -> Error {
    let names: Vec<&str> = classical.iter().map(|part| part.name).collect();
    let parts = single(signature).filter_map(Signature::from_set).map(|row| row.name);
    let parts = parts.collect::<Vec<_>>().join(" or ");
    Error::usage(format_args!("no hybrid certificate combines {} with {parts}", names.join(" or ")))
        .with_place("--pqc-pub-key-mode")
        .advise("use RAW, or algorithms of one security level")
}

const fn classical(asym: Asym) -> Option<&'static Classical> {
    match asym {
        Asym::Classical(row) => Some(row),
        Asym::PostQuantum(_) | Asym::Hybrid(_) => None,
    }
}
