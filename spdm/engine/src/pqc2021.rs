//! The post-quantum dialect of openspdm-pqc (2021), on top of SPDM 1.1.
//!
//! Select it with [`Config::pqc2021`](crate::config::Config::pqc2021), on both sides. Wire formats are those of
//! [`grille_spdm_codec::pqc2021`].
//!
//! | topic | file |
//! |---|---|
//! | options, and keys without certificates | this one |
//! | negotiation of the tables 11 to 15 | `pqc2021_negotiate.rs` |
//! | signature fields of a classical and a post-quantum part | `pqc2021/hybrid_signature.rs` |
//! | KEM authentication: its MAC and its key schedule | `pqc2021/kem_auth.rs` |
//! | messages in fragments | `pqc2021/fragments.rs`; the responder's answers, `responder_fragments.rs` |
//! | everything in which it differs from 1.1 | `rules.rs` |
//!
//! # Deviations from the prototype
//!
//! - The tables must be in the prototype's order and have no external algorithms. ALGORITHMS must select at most one
//!   offered algorithm of each kind. The prototype accepts other orders, and does not check the selection.
//! - The responder selects algorithms with known keys, and pairs of a classical and a post-quantum algorithm for which
//!   certificates exist. If there are several, it has the prototype's preferences.
//! - A key exchange fails if either of its parts fails. The prototype's requester accepts one valid part.
//! - The signature in FINISH is verified, and a wrong MAC in CHALLENGE_AUTH is an error. The prototype only asserts the
//!   MAC.
//! - A requester without certificates authenticates itself in slot 0xFF, whatever form the responder is configured for:
//!   basic mutual authentication begins with CHALLENGE, and KEY_EXCHANGE_RSP requests no encapsulated messages. The
//!   prototype first asks for DIGESTS, which its requester cannot answer without certificates.
//! - KEM authentication of the requester needs that of the responder, and KEY_EXCHANGE needs a DHE group or a KEM. The
//!   prototype sends the requester's ciphertext without using its secret, or derives keys from long-term keys alone.
//! - Messages in fragments may have [`MAX_WHOLE`] bytes, so that keys of Classic McEliece fit. The prototype stops at
//!   128 KiB.
//! - A request of more than 4096 bytes is sent in fragments, whatever it is. The prototype sends CHALLENGE and
//!   DELIVER_ENCAPSULATED_RESPONSE whole; its responder accepts both forms.
//! - If the requester has no certificates, but a signature algorithm and KEM authentication, FINISH states that its
//!   post-quantum signature has 0 bytes. The prototype states the algorithm's maximum although no bytes follow, and
//!   then rejects its own message. This crate rejects that message, too.
//!
//! # Weaknesses of the format
//!
//! No transcript contains the keys without certificates, so no proof shows which key it belongs to. [`Options::strict`]
//! binds these keys into the transcripts; both sides must set it. The hash of a slot is then H(hash of the chain ‖
//! signature key ‖ KEM key), with the public keys that the negotiated algorithms use and that are in no certificate. It
//! replaces the hash of the chain in CHALLENGE_AUTH and in TH; in TH the hash of the chain is that of the certificates
//! alone. Slot 0xFF has no chain.

pub(crate) mod fragments;
pub(crate) mod hybrid_signature;
pub(crate) mod kem_auth;

use crate::asym::Asym;
use crate::hash::{Digest, Hash};
use crate::role::Role;
use crate::scheme::Classical;
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec::Vec};
use core::fmt;
use grille_core::DynEncapsKey;
use grille_pki::PublicKey;
use grille_registry::{KEMS as KEM_ROWS, KemRow, Row, SIGNATURES as SIGNATURE_ROWS, SignatureRow, lookup};
use grille_registry::{Numbers, Profile};
use grille_spdm_codec::pqc2021::SignatureLens;
use once_cell::race::OnceBox;

pub use grille_spdm_codec::pqc2021::{KEMS, Kem, SIGNATURES, Set, Signature};

/// The longest message in fragments, in bytes: 4 MiB.
pub const MAX_WHOLE: usize = 1 << 22;

/// The options of the dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The offered algorithms. Those without a key are left out of the responder's selection.
    pub algorithms: Algorithms,
    /// Where post-quantum public keys come from.
    pub public_keys: PublicKeyMode,
    /// Whether to use SPHINCS+ of round 3. The prototype uses round 2.
    pub sphincs_round3: bool,
    /// Whether transcripts contain a hash of the keys without certificates. The prototype's contain none.
    pub strict: bool,
    /// The tables that a requester sends, and that a responder accepts. A responder with
    /// [`Form::KemAuthentication`] accepts both forms, and answers in the form of the request. A responder with
    /// [`Form::Plain`] refuses nine tables.
    pub form: Form,
}

impl Options {
    /// Returns the object identifiers in certificates: those of OQS-OpenSSL in 2021. By default, SPHINCS+ of round 2
    /// has the identifiers that later releases use for SPHINCS+ of round 3. Interpret trusted roots with
    /// [`Certificate::in_era`](grille_pki::Certificate::in_era), and write keys with
    /// [`PrivateKey::in_era`](grille_pki::PrivateKey::in_era).
    #[must_use]
    pub const fn numbers(&self) -> Numbers {
        let profile = if self.sphincs_round3 { Profile::Oqs111Aug2021 } else { Profile::Oqs111Feb2021 };
        Numbers::for_profile(profile)
    }
}

/// The prototype's two forms of NEGOTIATE_ALGORITHMS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// The nine tables of openspdm-pqc-kem.
    #[default]
    KemAuthentication,
    /// The seven tables of openspdm-pqc, without KEM authentication.
    Plain,
}

/// The algorithms of the tables 11 to 15.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Algorithms {
    /// The responder's signature algorithms (table 11).
    pub signature: Set,
    /// The requester's signature algorithms (table 12).
    pub req_signature: Set,
    /// The KEMs of the key exchange (table 13).
    pub kem: Set,
    /// The KEMs that authenticate the responder (table 14).
    pub kem_auth: Set,
    /// The KEMs that authenticate the requester (table 15).
    pub req_kem_auth: Set,
}

/// The origin of post-quantum public keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PublicKeyMode {
    /// The keys are provisioned, without certificates.
    #[default]
    Raw,
    /// The keys are in certificates of OQS-OpenSSL, together with a classical key if one was negotiated.
    Certificate,
}

/// The peer's keys that are in no certificate.
#[derive(Clone, Default)]
pub struct PeerKeys {
    signatures: Vec<PublicKey>,
    kems: Vec<(&'static KemRow, Vec<u8>)>,
}

impl PeerKeys {
    /// Adds a key that verifies the peer's signatures.
    #[must_use]
    pub fn with_signature(mut self, key: PublicKey) -> Self {
        self.signatures.push(key);
        self
    }

    /// Adds a key for KEM authentication of the peer. `key`: the encoded encapsulation key.
    #[must_use]
    pub fn with_kem(mut self, row: &'static KemRow, key: Vec<u8>) -> Self {
        self.kems.push((row, key));
        self
    }

    /// Returns the key of this signature algorithm.
    pub(crate) fn signature(&self, row: &SignatureRow) -> Option<&PublicKey> {
        self.signatures.iter().find(|key| key.row().name() == row.name())
    }

    /// Returns the encoded key of this KEM.
    pub(crate) fn kem_bytes(&self, row: &KemRow) -> Option<&[u8]> {
        self.kems.iter().find(|(known, _)| known.name() == row.name()).map(|(_, key)| &key[..])
    }

    /// Returns the key of this KEM; `None` if it is unknown or malformed.
    pub(crate) fn kem(&self, row: &KemRow) -> Option<Box<dyn DynEncapsKey>> {
        row.kem.encaps_key(self.kem_bytes(row)?).ok()
    }
}

/// The implementation of each algorithm, in the order of the codec's tables. Names are compared once only, because
/// comparing them takes longer than some of the algorithms.
struct Rows {
    signatures: Vec<Option<&'static SignatureRow>>,
    signatures_round3: Vec<Option<&'static SignatureRow>>,
    kems: Vec<Option<&'static KemRow>>,
}

fn rows() -> &'static Rows {
    static ROWS: OnceBox<Rows> = OnceBox::new();
    ROWS.get_or_init(|| {
        let signatures = |round3| SIGNATURES.iter().map(|one| find_signature(one, round3)).collect();
        let kems = KEMS.iter().map(find_kem).collect();
        Box::new(Rows { signatures: signatures(false), signatures_round3: signatures(true), kems })
    })
}

fn find_signature(signature: &Signature, sphincs_round3: bool) -> Option<&'static SignatureRow> {
    let suffix = match signature.name {
        name if name.starts_with("Falcon") => "-2020",
        name if name.starts_with("SPHINCS+") && !sphincs_round3 => "-round2",
        _ => "",
    };
    let name = format!("{}{suffix}", signature.name);
    SIGNATURE_ROWS.iter().find(|row| lookup::is_named(*row, &name))
}

fn find_kem(kem: &Kem) -> Option<&'static KemRow> {
    let mceliece = kem.name.starts_with("Classic-McEliece");
    let name = if mceliece { format!("{}-round3", kem.name) } else { kem.name.to_owned() };
    KEM_ROWS.iter().find(|row| lookup::is_named(*row, &name))
}

/// Returns the implementation of a signature algorithm. Falcon is that of September 2020, as in liboqs 0.5.
#[must_use]
pub fn signature_row(signature: &Signature, sphincs_round3: bool) -> Option<&'static SignatureRow> {
    let at = SIGNATURES.iter().position(|one| one.bit == signature.bit)?;
    let rows = rows();
    *if sphincs_round3 { &rows.signatures_round3 } else { &rows.signatures }.get(at)?
}

/// Returns the implementation of a KEM. Classic McEliece is that of round 3. Returns `None` if there is none.
#[must_use]
pub fn kem_row(kem: &Kem) -> Option<&'static KemRow> {
    let at = KEMS.iter().position(|one| one.bit == kem.bit)?;
    *rows().kems.get(at)?
}

/// The algorithms that ALGORITHMS selected from the tables 11 to 15, with the classical ones that they work with.
#[derive(Clone, Copy, Debug)]
pub struct Selected {
    /// How the responder authenticates itself.
    pub responder: Authentication,
    /// How the requester authenticates itself.
    pub requester: Authentication,
    /// The KEM of the key exchange.
    pub(crate) kem: Option<KemName>,
    pub(crate) public_keys: PublicKeyMode,
    pub(crate) strict: bool,
    /// The object identifiers in certificates.
    pub(crate) numbers: Numbers,
}

impl Selected {
    /// Returns how a side authenticates itself.
    #[must_use]
    pub const fn authentication(&self, role: Role) -> &Authentication {
        match role {
            Role::Requester => &self.requester,
            Role::Responder => &self.responder,
        }
    }

    /// Returns whether transcripts contain a hash of the keys without certificates.
    pub(crate) const fn binds_keys(&self) -> bool {
        self.strict
    }

    /// Returns the KEM of the key exchange.
    #[must_use]
    pub fn kem(&self) -> Option<&'static KemRow> {
        self.kem.map(|kem| kem.0)
    }
}

/// A KEM, shown as its name.
#[derive(Clone, Copy)]
pub(crate) struct KemName(pub(crate) &'static KemRow);

impl fmt::Debug for KemName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

/// How one side authenticates itself. Several ways may be combined; all of them must succeed.
#[derive(Clone, Copy, Default)]
pub struct Authentication {
    /// The classical signature algorithm.
    pub classical: Option<&'static Classical>,
    /// The post-quantum signature algorithm.
    pub post_quantum: Option<&'static SignatureRow>,
    /// The KEM of KEM authentication. With keys that are in no certificate, it replaces the post-quantum signature in
    /// the responder's CHALLENGE_AUTH, KEY_EXCHANGE_RSP and FINISH.
    pub kem: Option<&'static KemRow>,
}

impl fmt::Debug for Authentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Authentication")
            .field("classical", &self.classical.map(|row| row.name))
            .field("post_quantum", &self.post_quantum.map(Row::name))
            .field("kem", &self.kem.map(Row::name))
            .finish()
    }
}

impl Authentication {
    /// Returns whether the side can authenticate itself at all.
    pub(crate) const fn is_possible(&self) -> bool {
        self.can_sign() || self.kem.is_some()
    }

    /// Returns whether there is a signature algorithm.
    pub(crate) const fn can_sign(&self) -> bool {
        self.classical.is_some() || self.post_quantum.is_some()
    }

    /// Returns whether KEM authentication replaces the post-quantum signature in the responder's CHALLENGE_AUTH,
    /// KEY_EXCHANGE_RSP and FINISH.
    pub(crate) fn replaces_signature(&self, mode: PublicKeyMode) -> bool {
        self.kem.is_some() && mode == PublicKeyMode::Raw
    }

    /// Returns the algorithm of the side's certificates; `None` if it has none.
    pub(crate) fn certificate(&self, mode: PublicKeyMode) -> Option<Asym> {
        match (mode, self.classical, self.post_quantum) {
            (PublicKeyMode::Raw, classical, _) | (_, classical, None) => classical.map(Asym::Classical),
            (PublicKeyMode::Certificate, None, Some(row)) => Some(Asym::PostQuantum(row)),
            (PublicKeyMode::Certificate, Some(classical), Some(row)) => {
                composite(classical, row).map(Asym::PostQuantum)
            }
        }
    }

    /// Returns the lengths of the parts of a signature field. `with_post_quantum`: whether it has a post-quantum
    /// signature.
    pub(crate) fn lens(&self, with_post_quantum: bool) -> SignatureLens {
        let post_quantum = self.post_quantum.filter(|_| with_post_quantum);
        SignatureLens {
            classical: self.classical.map_or(0, |row| row.signature_len),
            post_quantum: post_quantum.map_or(0, |row| row.signature.info().signature_len),
            mac: 0,
        }
    }
}

/// Returns the composite of OQS-OpenSSL 1.1.1 with these two parts, such as `p256_dilithium2`; `None` if there is none.
#[must_use]
pub fn composite(classical: &Classical, post_quantum: &SignatureRow) -> Option<&'static SignatureRow> {
    let prefix = match classical.key {
        "ECDSA-P256" => "p256",
        "ECDSA-P384" => "p384",
        "ECDSA-P521" => "p521",
        "RSA-3072" => "rsa3072",
        _ => return None,
    };
    let name = format!("{prefix}_{}", composite_part(post_quantum.name()));
    SIGNATURE_ROWS.iter().find(|row| lookup::is_named(*row, &name))
}

/// Returns whether `composite` is a composite with this post-quantum part.
pub(crate) fn has_part(composite: &SignatureRow, post_quantum: &SignatureRow) -> bool {
    let part = composite_part(post_quantum.name());
    composite.name().split_once('_').is_some_and(|(_, rest)| rest == part)
}

/// Returns the name of a post-quantum algorithm inside the name of a composite: `SPHINCS+-Haraka-128f-robust-round2` is
/// `sphincsharaka128frobust_round2`, and `Dilithium2-AES` is `dilithium2_aes`.
fn composite_part(name: &str) -> String {
    let mut part = name.to_lowercase();
    for (end, replacement) in [("-round2", "_round2"), ("-2020", "_2020"), ("-aes", "_aes")] {
        if let Some(start) = part.strip_suffix(end) {
            part = format!("{start}{replacement}");
        }
    }
    part.replace(['+', '-'], "")
}

/// Returns the hash of the concatenation of `chain`, the hash of a chain, and the keys without certificates: see
/// [`Options::strict`]. Lengths are not hashed: the slot and the negotiated algorithms fix the length of each part, and
/// VCA covers the negotiation.
pub(crate) fn bind_keys(hash: &Hash, chain: Option<&Digest>, keys: &[&[u8]]) -> Digest {
    let chain = chain.map(AsRef::as_ref).unwrap_or_default();
    let parts: Vec<&[u8]> = core::iter::once(chain).chain(keys.iter().copied()).collect();
    hash.digest(&parts)
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use crate::algorithms::CLASSICAL;

    #[test]
    fn every_signature_has_an_implementation_of_its_length() {
        for signature in SIGNATURES {
            let row = signature_row(signature, false).expect(signature.name);
            assert_eq!(row.signature.info().signature_len, signature.signature_len, "{}", signature.name);
            assert!(signature_row(signature, true).is_some(), "{}", signature.name);
        }
    }

    #[test]
    fn every_kem_has_an_implementation_of_its_lengths() {
        for kem in KEMS {
            let info = kem_row(kem).expect(kem.name).kem.info();
            let lens = (info.encaps_key_len, info.ciphertext_len, info.shared_secret_len);
            let expected = (kem.public_key_len, kem.ciphertext_len, kem.shared_secret_len);
            assert_eq!(lens, expected, "{}", kem.name);
        }
    }

    #[test]
    fn finds_composites_by_their_parts() {
        let classical = |name: &str| CLASSICAL.iter().find(|row| row.name == name).unwrap();
        let post_quantum = |name: &str| signature_row(Signature::by_name(name).unwrap(), false).unwrap();
        for (first, second, name) in [
            ("ECDSA-P256", "Dilithium2", "p256_dilithium2"),
            ("RSAPSS-3072", "Dilithium2-AES", "rsa3072_dilithium2_aes"),
            ("ECDSA-P521", "Falcon-1024", "p521_falcon1024_2020"),
            ("ECDSA-P256", "SPHINCS+-Haraka-128f-robust", "p256_sphincsharaka128frobust_round2"),
        ] {
            let row = composite(classical(first), post_quantum(second)).expect(name);
            assert_eq!(row.name(), name);
        }
        assert!(composite(classical("Ed25519"), post_quantum("Dilithium2")).is_none());
    }
}
