//! What raw bytes may be, by their number: neither PEM nor DER names an algorithm there.

use crate::algorithm::Algorithm;
use grille_registry::{Family, Row, SIGNATURES, SignatureRow};
use serde::Serialize;
use std::ops::RangeInclusive;
use std::path::Path;

/// What bytes are to an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Role {
    /// The seed, the expanded key, or that and the public key in one.
    PrivateKey,
    /// A verifying or an encapsulation key.
    PublicKey,
    /// What a KEM sends.
    Ciphertext,
    /// Of a message.
    Signature,
}

impl Role {
    const ALL: [Self; 4] = [Self::PrivateKey, Self::PublicKey, Self::Ciphertext, Self::Signature];

    /// As people call it.
    const fn name(self) -> &'static str {
        match self {
            Self::PrivateKey => "private key",
            Self::PublicKey => "public key",
            Self::Ciphertext => "ciphertext",
            Self::Signature => "signature",
        }
    }

    /// Whether these may be such bytes of the algorithm: they have its length, and a signature of Falcon alone its header and one of
    /// its lengths. Of other signatures whose length varies only the longest is known.
    fn has(self, algorithm: Algorithm, bytes: &[u8]) -> bool {
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
            (Self::Signature, Algorithm::Signature(row)) => match FalconSignature::of(row) {
                Some(falcon) => falcon.may_be(bytes),
                None => row.signature.info().signature_len == length,
            },
            (Self::Ciphertext, Algorithm::Signature(_)) | (Self::Signature, Algorithm::Kem(_)) => false,
        }
    }
}

/// Of which algorithms bytes may be that have some length.
#[derive(Debug, Serialize)]
pub(crate) struct Candidates {
    pub(crate) role: Role,
    pub(crate) algorithms: Vec<&'static str>,
}

impl Candidates {
    /// `a signature of ML-DSA-65 and 2 more`, with no more names than `most`.
    pub(crate) fn text(&self, most: usize) -> String {
        let (shown, more) = self.algorithms.split_at(self.algorithms.len().min(most));
        let more = if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        format!("a {} of {}{more}", self.role.name(), shown.join(", "))
    }
}

/// What a signature of Falcon alone begins with, and how long it may be, Falcon section 3.11.3.
struct FalconSignature {
    header: u8,
    lengths: RangeInclusive<usize>,
}

impl FalconSignature {
    /// `None` for another algorithm.
    fn of(row: &SignatureRow) -> Option<Self> {
        if row.family != Family::Falcon {
            return None;
        }
        let info = row.signature.info();
        // a verifying key is a header and n coefficients of 14 bits; a signature a header, 40 bytes, and n of 9 bits at least
        let n = (info.verifying_key_len - 1) * 8 / 14;
        let longest = info.signature_len;
        let shortest = if row.name().contains("padded") { longest } else { 1 + 40 + 9 * n / 8 };
        Some(Self { header: 0x30 + n.ilog2() as u8, lengths: shortest..=longest })
    }

    fn may_be(&self, bytes: &[u8]) -> bool {
        bytes.first() == Some(&self.header) && self.lengths.contains(&bytes.len())
    }
}

/// The set of Falcon whose signatures all are as long as this one, of the degree of a set whose own vary and may be so long.
pub(crate) fn padded(row: &SignatureRow, bytes: &[u8]) -> Option<&'static str> {
    let is_padded = |falcon: &FalconSignature| falcon.lengths.start() == falcon.lengths.end();
    let own = FalconSignature::of(row).filter(|own| !is_padded(own) && own.may_be(bytes));
    let fits = |other: &&SignatureRow| {
        FalconSignature::of(other).is_some_and(|other| is_padded(&other) && other.may_be(bytes))
    };
    own.and_then(|_| SIGNATURES.iter().find(fits)).map(Row::name)
}

/// How long signatures of an algorithm are.
pub(crate) fn signature_lengths(row: &SignatureRow) -> RangeInclusive<usize> {
    let longest = row.signature.info().signature_len;
    match FalconSignature::of(row) {
        Some(falcon) => falcon.lengths,
        None if row.has(Family::Falcon) || row.has(Family::EllipticCurve) => 1..=longest,
        None => longest..=longest,
    }
}

/// Whether a signature may be one of this algorithm.
pub(crate) fn may_be_signature(row: &SignatureRow, bytes: &[u8]) -> bool {
    match FalconSignature::of(row) {
        Some(falcon) => falcon.may_be(bytes),
        None => signature_lengths(row).contains(&bytes.len()),
    }
}

/// What to do about the bytes of a file that was read as PEM or DER and may be raw: whose `role` they may be, or what else.
pub(crate) fn advice(role: Role, path: &Path, bytes: &[u8]) -> String {
    whose(role, path, bytes, "say so with --alg")
}

/// The same of a private key, where no option names the algorithm of a raw one.
pub(crate) fn conversion(path: &Path, bytes: &[u8]) -> String {
    let way =
        format!("`grille key convert --alg NAME --in {} --out FILE` makes one that names it", path.display());
    whose(Role::PrivateKey, path, bytes, &way)
}

/// `way`: what to do if it is such a one.
fn whose(role: Role, path: &Path, bytes: &[u8], way: &str) -> String {
    let (candidates, wanted) = (candidates(bytes), role.name());
    let Some(own) = candidates.iter().find(|candidates| candidates.role == role) else {
        return match candidates.first() {
            None => format!("no algorithm here has a raw {wanted} of that length"),
            Some(other) => format!(
                "no algorithm here has a raw {wanted} of that length; it may be {}: `grille explain {}` says more",
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
    format!("if it is a raw {wanted} of {names}, {way}")
}

/// What these bytes may be, without what no algorithm has.
pub(crate) fn candidates(bytes: &[u8]) -> Vec<Candidates> {
    let of = |role: Role| {
        let owners = Algorithm::all().filter(|algorithm| !bytes.is_empty() && role.has(*algorithm, bytes));
        let mut rows: Vec<_> = owners.map(Algorithm::row).collect();
        // what people meet most stands first
        rows.sort_by_key(|row| row.status());
        Candidates { role, algorithms: rows.iter().map(|row| row.name()).collect() }
    };
    Role::ALL.map(of).into_iter().filter(|candidates| !candidates.algorithms.is_empty()).collect()
}
