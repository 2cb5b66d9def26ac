//! What raw bytes may be, by their number: neither PEM nor DER names an algorithm there.

use crate::algorithm::Algorithm;
use serde::Serialize;

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

    /// Whether the algorithm has such bytes of this length; where lengths vary only the longest is known.
    fn has(self, algorithm: Algorithm, length: usize) -> bool {
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
            (Self::Signature, Algorithm::Signature(row)) => row.signature.info().signature_len == length,
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

/// What so many bytes may be, without what no algorithm has.
pub(crate) fn candidates(length: usize) -> Vec<Candidates> {
    let of = |role: Role| {
        let owners = Algorithm::all().filter(|algorithm| length > 0 && role.has(*algorithm, length));
        let mut rows: Vec<_> = owners.map(Algorithm::row).collect();
        // what people meet most stands first
        rows.sort_by_key(|row| row.status());
        Candidates { role, algorithms: rows.iter().map(|row| row.name()).collect() }
    };
    Role::ALL.map(of).into_iter().filter(|candidates| !candidates.algorithms.is_empty()).collect()
}
