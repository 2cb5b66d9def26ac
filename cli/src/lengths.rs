//! Finds the algorithms to which raw bytes may belong, by their length.

use crate::algorithm::Algorithm;
use grille_registry::{Family, Row, SIGNATURES, SignatureRow};
use serde::Serialize;
use std::ops::RangeInclusive;
use std::path::Path;

/// The role of raw bytes in an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// A seed, an expanded key, or an expanded key with its public key.
    PrivateKey,
    /// A verifying or an encapsulation key.
    PublicKey,
    /// A KEM's ciphertext.
    Ciphertext,
    /// A signature of a message.
    Signature,
}

impl Role {
    const ALL: [Self; 4] = [Self::PrivateKey, Self::PublicKey, Self::Ciphertext, Self::Signature];

    /// Returns the name for users.
    const fn name(self) -> &'static str {
        match self {
            Self::PrivateKey => "private key",
            Self::PublicKey => "public key",
            Self::Ciphertext => "ciphertext",
            Self::Signature => "signature",
        }
    }

    /// Returns whether the bytes fit this role in the algorithm, by their length.
    ///
    /// Falcon signatures are also recognised by their header. Other signatures of variable length are recognised only
    /// if they have the maximum length.
    fn fits(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
        let length = bytes.len();
        match (self, algorithm) {
            (Self::PrivateKey, Algorithm::Kem(row)) => {
                let info = row.kem.info();
                [info.seed_len.unwrap_or(0), info.decaps_key_len, info.decaps_key_len + info.encaps_key_len]
                    .contains(&length)
            }
            (Self::PrivateKey, Algorithm::Signature(row)) => {
                let info = row.signature.info();
                let private = info.signing_key_len;
                [info.seed_len.unwrap_or(0), private, private + info.verifying_key_len].contains(&length)
            }
            (Self::PublicKey, Algorithm::Kem(row)) => row.kem.info().encaps_key_len == length,
            (Self::PublicKey, Algorithm::Signature(row)) => row.signature.info().verifying_key_len == length,
            (Self::Ciphertext, Algorithm::Kem(row)) => row.kem.info().ciphertext_len == length,
            (Self::Signature, Algorithm::Signature(row)) => match FalconSignature::for_algorithm(row) {
                Some(falcon) => falcon.may_be(bytes),
                None => row.signature.info().signature_len == length,
            },
            (Self::Ciphertext, Algorithm::Signature(_)) | (Self::Signature, Algorithm::Kem(_)) => false,
        }
    }
}

/// The algorithms to which raw bytes with a role, such as a signature, may belong, judged by their length.
#[derive(Debug, Serialize)]
pub(crate) struct Candidates {
    pub(crate) role: Role,
    pub(crate) algorithms: Vec<&'static str>,
}

impl Candidates {
    /// Formats the candidates as `a signature of ML-DSA-65 and 2 more`, with at most `most` names.
    pub(crate) fn text(&self, most: usize) -> String {
        let (shown, more) = self.algorithms.split_at(self.algorithms.len().min(most));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        format!("a {} of {}{more}", self.role.name(), shown.join(", "))
    }
}

/// The header byte and the possible lengths of a Falcon signature that is not part of a composite, Falcon section
/// 3.11.3.
struct FalconSignature {
    header: u8,
    lengths: RangeInclusive<usize>,
}

impl FalconSignature {
    /// Returns the header byte and the lengths for a row; `None` if the algorithm is not Falcon.
    fn for_algorithm(row: &SignatureRow) -> Option<Self> {
        if row.family != Family::Falcon {
            return None;
        }
        let info = row.signature.info();
        // a verifying key is a header and n coefficients of 14 bits;
        // a signature is a header, a nonce of 40 bytes, and n coefficients of at least 9 bits
        let n = (info.verifying_key_len - 1) * 8 / 14;
        let longest = info.signature_len;
        let shortest = if row.name().contains("padded") { longest } else { 1 + 40 + 9 * n / 8 };
        Some(Self { header: 0x30 + n.ilog2() as u8, lengths: shortest..=longest })
    }

    fn may_be(&self, bytes: &[u8]) -> bool {
        bytes.first() == Some(&self.header) && self.lengths.contains(&bytes.len())
    }
}

/// Returns the padded Falcon parameter set of the same degree whose signatures have this length.
///
/// `None` if `row` is not a Falcon set with variable length, or the signature does not fit it.
pub(crate) fn padded_variant(row: &SignatureRow, bytes: &[u8]) -> Option<&'static str> {
    let is_padded = |falcon: &FalconSignature| falcon.lengths.start() == falcon.lengths.end();
    let own = FalconSignature::for_algorithm(row).filter(|own| !is_padded(own) && own.may_be(bytes));
    let fits = |other: &&SignatureRow| {
        FalconSignature::for_algorithm(other).is_some_and(|other| is_padded(&other) && other.may_be(bytes))
    };
    own.and_then(|_| SIGNATURES.iter().find(fits)).map(Row::name)
}

/// Returns the possible lengths of an algorithm's signatures.
pub(crate) fn signature_lengths(row: &SignatureRow) -> RangeInclusive<usize> {
    let longest = row.signature.info().signature_len;
    match FalconSignature::for_algorithm(row) {
        Some(falcon) => falcon.lengths,
        None if row.has_family(Family::Falcon) || row.has_family(Family::EllipticCurve) => 1..=longest,
        None => longest..=longest,
    }
}

/// Returns whether the bytes may be a signature of this algorithm.
pub(crate) fn may_be_signature(row: &SignatureRow, bytes: &[u8]) -> bool {
    match FalconSignature::for_algorithm(row) {
        Some(falcon) => falcon.may_be(bytes),
        None => signature_lengths(row).contains(&bytes.len()),
    }
}

/// Returns advice for a file that is neither PEM nor DER but may be raw. The advice names the algorithms in which the
/// bytes fit `role`; if there are none, it names another role that the bytes fit.
pub(crate) fn raw_bytes_advice(role: Role, path: &Path, bytes: &[u8]) -> String {
    candidate_advice(role, path, bytes, "name the algorithm with --alg")
}

/// Returns advice for a raw private key, for subcommands without an option that names its algorithm.
pub(crate) fn conversion_advice(path: &Path, bytes: &[u8]) -> String {
    let action =
        format!("convert it with `grille key convert --alg NAME --in {} --out FILE`", path.display());
    candidate_advice(Role::PrivateKey, path, bytes, &action)
}

/// Returns advice for raw bytes. `action` is what the user should do if the bytes fit the role.
fn candidate_advice(role: Role, path: &Path, bytes: &[u8], action: &str) -> String {
    let (candidates, role_name) = (candidates(bytes), role.name());
    let Some(own) = candidates.iter().find(|candidates| candidates.role == role) else {
        return match candidates.first() {
            None => format!("no known algorithm has a raw {role_name} of that length"),
            Some(other) => format!(
                "no known algorithm has a raw {role_name} of that length; the file may be {}: try `grille explain {}`",
                other.text(3),
                path.display()
            ),
        };
    };
    let names = match own.algorithms.as_slice() {
        [only] => (*only).to_owned(),
        [some @ .., last] if some.len() < 4 => format!("{} or {last}", some.join(", ")),
        some => format!("one of {} algorithms of that length", some.len()),
    };
    format!("if it is a raw {role_name} of {names}, {action}")
}

/// Returns the roles that these bytes fit, each with its algorithms.
pub(crate) fn candidates(bytes: &[u8]) -> Vec<Candidates> {
    let candidates_for = |role: Role| {
        let owners = Algorithm::all().filter(|algorithm| !bytes.is_empty() && role.fits(*algorithm, bytes));
        let mut rows: Vec<_> = owners.map(Algorithm::row).collect();
        // List common algorithms first.
        rows.sort_by_key(|row| row.status());
        Candidates { role, algorithms: rows.iter().map(|row| row.name()).collect() }
    };
    Role::ALL.map(candidates_for).into_iter().filter(|candidates| !candidates.algorithms.is_empty()).collect()
}
