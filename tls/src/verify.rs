//! Accepted signature algorithms: post-quantum schemes first, then aws-lc-rs' own classical ones.

use grille_pki::interned::Interned;
use grille_pki::{Certificate, KeyMode, PublicKey};
use grille_registry::{Numbers, SignatureRow, Status};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{
    WebPkiSupportedAlgorithms, verify_tls13_signature, verify_tls13_signature_with_raw_key,
};
use rustls::pki_types::{CertificateDer, SignatureVerificationAlgorithm, SubjectPublicKeyInfoDer};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};

type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// Set of accepted post-quantum signature algorithms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// Accept algorithms of this status and of every better one.
    weakest: Status,
    /// Also accept composites. A hello that lists all composites is a quarter longer.
    composites: bool,
    /// In chains, also accept algorithms without a TLS signature scheme. Each of them takes memory.
    without_scheme: bool,
    /// Memory use of a verification.
    mode: KeyMode,
}

impl Accepted {
    /// Algorithms of published standards.
    pub(crate) const STANDARD: Self =
        Self { weakest: Status::Standard, composites: false, without_scheme: false, mode: KeyMode::Prepared };
    /// Every algorithm that is not broken.
    pub(crate) const ALL: Self =
        Self { weakest: Status::Retired, composites: true, without_scheme: true, ..Self::STANDARD };

    /// Returns this set in low-memory mode.
    pub(crate) const fn low_memory(self) -> Self {
        Self { mode: KeyMode::LowMemory, ..self }
    }

    /// Returns the set that suits chains to these roots: down to the weakest status among the roots' algorithms.
    /// Composites are included if a root's algorithm is one. Algorithms without a TLS scheme are included if a root's
    /// algorithm has no scheme.
    ///
    /// A root may certify any name, so trust in a root with a retired algorithm already depends on that algorithm. Also
    /// accepting it below the root adds no risk. A root with an unregistered algorithm changes nothing.
    pub(crate) fn for_roots(roots: &[Certificate]) -> Self {
        Self::for_rows(roots.iter().filter_map(|root| Some(root.public_key().ok()?.row())))
    }

    /// Returns the set that suits raw public keys: a side that trusts a key accepts its signatures.
    pub(crate) fn for_keys(keys: &[PublicKey]) -> Self {
        Self::for_rows(keys.iter().map(PublicKey::row))
    }

    fn for_rows(rows: impl Iterator<Item = &'static SignatureRow>) -> Self {
        rows.fold(Self::STANDARD, |accepted, row| Self {
            weakest: accepted.weakest.max(row.status),
            composites: accepted.composites || row.classical_family.is_some(),
            without_scheme: accepted.without_scheme || row.tls_scheme.is_none(),
            ..accepted
        })
    }

    fn accepts(self, row: &SignatureRow) -> bool {
        row.category > 0 && row.status <= self.weakest && (self.composites || row.classical_family.is_none())
    }
}

/// The empty set of algorithms, with which every signature is refused.
pub(crate) const NO_ALGORITHMS: WebPkiSupportedAlgorithms =
    WebPkiSupportedAlgorithms { all: &[], mapping: &[] };

/// Returns grille-pki's adapters for post-quantum rows, and aws-lc-rs' own algorithms for classical ones.
pub(crate) fn algorithms(accepted: Accepted, numbers: Numbers) -> WebPkiSupportedAlgorithms {
    // rustls requires `'static` lists
    static LISTS: Interned<(Accepted, Numbers), Lists> = Interned::new();
    let lists = LISTS.get((accepted, numbers), || Lists::new(accepted, numbers));
    WebPkiSupportedAlgorithms { all: &lists.all, mapping: &lists.mapping }
}

/// Verifies a handshake signature, and tries each algorithm of its scheme. A row has one algorithm per object
/// identifier that its keys may have, but rustls tries only the first in the list.
///
/// # Errors
/// Returns the error of the last algorithm tried.
pub(crate) fn handshake_signature(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signed: &DigitallySignedStruct,
    algorithms: WebPkiSupportedAlgorithms,
) -> Result<HandshakeSignatureValid, Error> {
    try_each_algorithm(signed.scheme, algorithms, |from_here| {
        verify_tls13_signature(message, certificate, signed, from_here)
    })
}

/// Verifies a handshake signature like [`handshake_signature`], with a raw public key, RFC 7250.
///
/// # Errors
/// The errors of [`handshake_signature`].
pub(crate) fn handshake_signature_with_key(
    message: &[u8],
    key: &SubjectPublicKeyInfoDer<'_>,
    signed: &DigitallySignedStruct,
    algorithms: WebPkiSupportedAlgorithms,
) -> Result<HandshakeSignatureValid, Error> {
    try_each_algorithm(signed.scheme, algorithms, |from_here| {
        verify_tls13_signature_with_raw_key(message, key, signed, from_here)
    })
}

/// Calls `verify` for each algorithm of the scheme, with the part of the list that begins at that algorithm. Returns
/// the first success.
fn try_each_algorithm(
    scheme: SignatureScheme,
    algorithms: WebPkiSupportedAlgorithms,
    verify: impl Fn(&WebPkiSupportedAlgorithms) -> Result<HandshakeSignatureValid, Error>,
) -> Result<HandshakeSignatureValid, Error> {
    let WebPkiSupportedAlgorithms { all, mapping } = algorithms;
    let verify_from = |at: usize| verify(&WebPkiSupportedAlgorithms { all, mapping: &mapping[at..] });
    let of_scheme = (0..mapping.len()).filter(|at| mapping[*at].0 == scheme).map(verify_from);
    of_scheme.reduce(Result::or).unwrap_or_else(|| verify_from(0))
}

/// Returns the schemes of these algorithms, without duplicates.
pub(crate) fn schemes(algorithms: WebPkiSupportedAlgorithms) -> Vec<SignatureScheme> {
    let mut schemes = algorithms.supported_schemes();
    // algorithms of one scheme are adjacent
    schemes.dedup();
    schemes
}

/// Interned lists, without spare capacity because they are never freed.
struct Lists {
    /// For chains: includes algorithms without a TLS signature scheme, such as the IETF's composites.
    all: Box<[&'static dyn SignatureVerificationAlgorithm]>,
    mapping: Box<[(SignatureScheme, Algorithms)]>,
}

impl Lists {
    fn new(accepted: Accepted, numbers: Numbers) -> Self {
        let classical = rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
        let in_chains = |row: &&SignatureRow| accepted.without_scheme || numbers.scheme(row).is_some();
        let rows = numbers.signatures().into_iter().filter(|row| accepted.accepts(row)).filter(in_chains);
        let registered: Vec<(Option<u16>, Algorithms)> = rows
            .filter_map(|row| {
                Some((numbers.scheme(row), grille_pki::verify::algorithm(row, numbers, accepted.mode)?))
            })
            .collect();
        // aws-lc-rs has some of these, too; the registry's adapters replace them
        let is_registered = |code: u16| numbers.signature_by_scheme(code).is_some_and(|row| row.category > 0);
        let unregistered =
            classical.mapping.iter().filter(|(scheme, _)| !is_registered((*scheme).into())).copied();
        Self {
            all: registered
                .iter()
                .flat_map(|(_, algorithms)| *algorithms)
                .chain(classical.all)
                .copied()
                .collect::<Vec<_>>()
                .into(),
            mapping: registered
                .iter()
                .filter_map(|(code, algorithms)| Some(((*code)?, algorithms)))
                .flat_map(|(code, algorithms)| {
                    algorithms.chunks(1).map(move |one| (SignatureScheme::from(code), one))
                })
                .chain(unregistered)
                .collect::<Vec<_>>()
                .into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_core::SystemRng;
    use grille_pki::PrivateKey;
    use grille_pki::issue::{Profile, Template, self_signed};
    use grille_registry::{Profile as Era, signature_by_name};

    fn root(name: &str) -> Certificate {
        let row = signature_by_name(name).expect("a registered algorithm");
        let key = PrivateKey::generate(row, &mut SystemRng).expect("a key");
        let template = Template::new("CN=root", Profile::Root).expect("a name");
        self_signed(&template, &key, &mut SystemRng).expect("a certificate")
    }

    #[test]
    fn accepts_retired_signatures_and_composites_only_with_such_a_root() {
        let (new, old, joined) = (root("ML-DSA-65"), root("Dilithium3"), root("p384_dilithium3"));
        assert_eq!(Accepted::for_roots(&[]), Accepted::STANDARD);
        assert_eq!(Accepted::for_roots(std::slice::from_ref(&new)), Accepted::STANDARD);
        let retired = Accepted { weakest: Status::Retired, ..Accepted::STANDARD };
        assert_eq!(Accepted::for_roots(&[new, old]), retired);
        assert_eq!(Accepted::for_roots(&[joined]), Accepted { composites: true, ..retired });
        let unnumbered = root("MLDSA44-Ed25519-SHA512");
        assert_eq!(
            Accepted::for_roots(&[unnumbered]),
            Accepted { weakest: Status::Draft, composites: true, without_scheme: true, ..Accepted::STANDARD }
        );
    }

    #[test]
    fn chains_may_use_algorithms_without_a_tls_scheme() {
        let (numbers, composites) =
            (Numbers::default(), ["MLDSA65-ECDSA-P384-SHA512", "MLDSA44-Ed25519-SHA512"]);
        for row in composites.map(|name| signature_by_name(name).expect("a registered algorithm")) {
            assert_eq!(numbers.scheme(row), None);
            let own =
                grille_pki::verify::algorithm(row, numbers, KeyMode::Prepared).expect("an object identifier");
            let listed = |accepted| {
                let all = algorithms(accepted, numbers).all.iter();
                all.filter(|one| one.signature_alg_id() == own[0].signature_alg_id()).count()
            };
            assert_eq!((listed(Accepted::ALL), listed(Accepted::STANDARD)), (1, 0), "{row:?}");
        }
    }

    #[test]
    fn each_status_includes_the_schemes_of_better_ones() {
        for numbers in Era::ALL.map(Numbers::for_profile) {
            let composites = [false, true].into_iter();
            for (weakest, composites) in
                composites.flat_map(|joined| Status::ALL.map(|weakest| (weakest, joined)))
            {
                let mapping =
                    algorithms(Accepted { weakest, composites, ..Accepted::STANDARD }, numbers).mapping;
                for row in numbers.signatures().into_iter().filter(|row| row.category > 0) {
                    let Some(code) = numbers.scheme(row) else { continue };
                    let listed = mapping.iter().any(|(scheme, _)| u16::from(*scheme) == code);
                    let usable = row.status <= weakest
                        && (composites || row.classical_family.is_none())
                        && grille_pki::verify::algorithm(row, numbers, KeyMode::Prepared).is_some();
                    assert_eq!(listed, usable, "{row:?} where {weakest:?} is accepted");
                }
            }
        }
    }
}
