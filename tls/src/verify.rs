//! Which signatures are accepted: quantum-safe schemes first, then aws-lc-rs' own classical ones.

use grille_pki::{Certificate, PublicKey, Size};
use grille_registry::{Numbers, SignatureRow, Status};
use rustls::client::danger::HandshakeSignatureValid;
use rustls::crypto::{
    WebPkiSupportedAlgorithms, verify_tls13_signature, verify_tls13_signature_with_raw_key,
};
use rustls::pki_types::{CertificateDer, SignatureVerificationAlgorithm, SubjectPublicKeyInfoDer};
use rustls::{DigitallySignedStruct, Error, SignatureScheme};
use std::sync::{Mutex, PoisonError};

type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// Which quantum-safe signatures are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Accepted {
    /// Down to this status.
    weakest: Status,
    /// Composites too. There are so many that a hello with all of them is a quarter longer.
    composites: bool,
    /// In chains, those too that TLS has no scheme for: each takes memory.
    without_scheme: bool,
    /// What checking one may take.
    size: Size,
}

impl Accepted {
    /// Those of published standards.
    pub(crate) const STANDARD: Self =
        Self { weakest: Status::Standard, composites: false, without_scheme: false, size: Size::Prepared };
    /// All that nobody has broken.
    pub(crate) const ALL: Self =
        Self { weakest: Status::Retired, composites: true, without_scheme: true, ..Self::STANDARD };

    /// The same, checked with little memory.
    pub(crate) const fn little(self) -> Self {
        Self { size: Size::Small, ..self }
    }

    /// Down to the weakest status among the algorithms of these roots, composites if one of them is one, and what has no
    /// scheme if one of them has none.
    ///
    /// A root may vouch for any name, so whoever trusts one of a retired algorithm stakes everything on that algorithm
    /// already: accepting it below, too, gives nothing away. A root whose algorithm the registry does not know changes
    /// nothing.
    pub(crate) fn below(roots: &[Certificate]) -> Self {
        Self::beside(roots.iter().filter_map(|root| Some(root.public_key().ok()?.row())))
    }

    /// The same of raw public keys: whoever trusts one accepts its signatures.
    pub(crate) fn of_keys(keys: &[PublicKey]) -> Self {
        Self::beside(keys.iter().map(PublicKey::row))
    }

    fn beside(rows: impl Iterator<Item = &'static SignatureRow>) -> Self {
        rows.fold(Self::STANDARD, |accepted, row| Self {
            weakest: accepted.weakest.max(row.status),
            composites: accepted.composites || row.classical.is_some(),
            without_scheme: accepted.without_scheme || row.tls_scheme.is_none(),
            ..accepted
        })
    }

    fn has(self, row: &SignatureRow) -> bool {
        row.category > 0 && row.status <= self.weakest && (self.composites || row.classical.is_none())
    }
}

/// No algorithm.
pub(crate) const NONE: WebPkiSupportedAlgorithms = WebPkiSupportedAlgorithms { all: &[], mapping: &[] };

/// The adapters of grille-pki for quantum-safe rows, aws-lc-rs' own for classical ones.
pub(crate) fn algorithms(accepted: Accepted, numbers: Numbers) -> WebPkiSupportedAlgorithms {
    // rustls wants lists that live for ever; one is made when its rows and numbers are first asked for
    static LISTS: Mutex<Vec<(Accepted, Numbers, &'static Lists)>> = Mutex::new(Vec::new());
    let mut known = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known.iter().find(|(rows, of, _)| (*rows, *of) == (accepted, numbers)).map(|known| known.2);
    let lists = found.unwrap_or_else(|| {
        known.push((accepted, numbers, Box::leak(Box::new(Lists::new(accepted, numbers)))));
        known[known.len() - 1].2
    });
    WebPkiSupportedAlgorithms { all: &lists.all, mapping: &lists.mapping }
}

/// Checks the signature of a handshake with each algorithm of its scheme: a row has one per object identifier that its keys
/// may have, and rustls asks only the first in the list.
///
/// # Errors
/// Of the last that was asked.
pub(crate) fn handshake_signature(
    message: &[u8],
    certificate: &CertificateDer<'_>,
    signed: &DigitallySignedStruct,
    algorithms: WebPkiSupportedAlgorithms,
) -> Result<HandshakeSignatureValid, Error> {
    any_of_scheme(signed.scheme, algorithms, |from_here| {
        verify_tls13_signature(message, certificate, signed, from_here)
    })
}

/// The same with a raw public key, RFC 7250.
///
/// # Errors
/// As [`handshake_signature`].
pub(crate) fn handshake_signature_of_key(
    message: &[u8],
    key: &SubjectPublicKeyInfoDer<'_>,
    signed: &DigitallySignedStruct,
    algorithms: WebPkiSupportedAlgorithms,
) -> Result<HandshakeSignatureValid, Error> {
    any_of_scheme(signed.scheme, algorithms, |from_here| {
        verify_tls13_signature_with_raw_key(message, key, signed, from_here)
    })
}

/// Asks for each algorithm of the scheme, with the list that begins there.
fn any_of_scheme(
    scheme: SignatureScheme,
    algorithms: WebPkiSupportedAlgorithms,
    verify: impl Fn(&WebPkiSupportedAlgorithms) -> Result<HandshakeSignatureValid, Error>,
) -> Result<HandshakeSignatureValid, Error> {
    let WebPkiSupportedAlgorithms { all, mapping } = algorithms;
    let ask = |at: usize| verify(&WebPkiSupportedAlgorithms { all, mapping: &mapping[at..] });
    let of_scheme = (0..mapping.len()).filter(|at| mapping[*at].0 == scheme).map(ask);
    of_scheme.reduce(Result::or).unwrap_or_else(|| ask(0))
}

/// The schemes of these algorithms, each once.
pub(crate) fn schemes(algorithms: WebPkiSupportedAlgorithms) -> Vec<SignatureScheme> {
    let mut schemes = algorithms.supported_schemes();
    // those of one scheme stand side by side
    schemes.dedup();
    schemes
}

/// Without spare room: they live for ever.
struct Lists {
    /// For chains: also what no scheme of TLS is for, such as composites of the IETF.
    all: Box<[&'static dyn SignatureVerificationAlgorithm]>,
    mapping: Box<[(SignatureScheme, Algorithms)]>,
}

impl Lists {
    fn new(accepted: Accepted, numbers: Numbers) -> Self {
        let classical = rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
        let in_chains = |row: &&SignatureRow| accepted.without_scheme || numbers.scheme(row).is_some();
        let rows = numbers.signatures().into_iter().filter(|row| accepted.has(row)).filter(in_chains);
        let ours: Vec<(Option<u16>, Algorithms)> = rows
            .filter_map(|row| {
                Some((numbers.scheme(row), grille_pki::verify::algorithm(row, numbers, accepted.size)?))
            })
            .collect();
        // aws-lc-rs has some of them as well; ours are taken, or none
        let known = |code: u16| numbers.signature_by_scheme(code).is_some_and(|row| row.category > 0);
        let theirs = classical.mapping.iter().filter(|(scheme, _)| !known((*scheme).into())).copied();
        Self {
            all: ours
                .iter()
                .flat_map(|(_, algorithms)| *algorithms)
                .chain(classical.all)
                .copied()
                .collect::<Vec<_>>()
                .into(),
            mapping: ours
                .iter()
                .filter_map(|(code, algorithms)| Some(((*code)?, algorithms)))
                .flat_map(|(code, algorithms)| {
                    algorithms.chunks(1).map(move |one| (SignatureScheme::from(code), one))
                })
                .chain(theirs)
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
        let row = signature_by_name(name).expect("it is registered");
        let key = PrivateKey::generate(row, &mut SystemRng).expect("a key");
        let template = Template::new("CN=root", Profile::Root).expect("a name");
        self_signed(&template, &key, &mut SystemRng).expect("a certificate")
    }

    #[test]
    fn retired_signatures_and_composites_are_accepted_only_beside_such_a_root() {
        let (new, old, joined) = (root("ML-DSA-65"), root("Dilithium3"), root("p384_dilithium3"));
        assert_eq!(Accepted::below(&[]), Accepted::STANDARD);
        assert_eq!(Accepted::below(std::slice::from_ref(&new)), Accepted::STANDARD);
        let retired = Accepted { weakest: Status::Retired, ..Accepted::STANDARD };
        assert_eq!(Accepted::below(&[new, old]), retired);
        assert_eq!(Accepted::below(&[joined]), Accepted { composites: true, ..retired });
        let unnumbered = root("MLDSA44-Ed25519-SHA512");
        assert_eq!(
            Accepted::below(&[unnumbered]),
            Accepted { weakest: Status::Draft, composites: true, without_scheme: true, ..Accepted::STANDARD }
        );
    }

    #[test]
    fn chains_may_have_signatures_that_handshakes_have_no_scheme_for() {
        let (numbers, composites) =
            (Numbers::default(), ["MLDSA65-ECDSA-P384-SHA512", "MLDSA44-Ed25519-SHA512"]);
        for row in composites.map(|name| signature_by_name(name).expect("it is registered")) {
            assert_eq!(numbers.scheme(row), None);
            let own =
                grille_pki::verify::algorithm(row, numbers, Size::Prepared).expect("it has an identifier");
            let listed = |accepted| {
                let all = algorithms(accepted, numbers).all.iter();
                all.filter(|one| one.signature_alg_id() == own[0].signature_alg_id()).count()
            };
            assert_eq!((listed(Accepted::ALL), listed(Accepted::STANDARD)), (1, 0), "{row:?}");
        }
    }

    #[test]
    fn each_status_has_the_schemes_of_its_own_and_of_those_before_it() {
        for numbers in Era::ALL.map(Numbers::of) {
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
                        && (composites || row.classical.is_none())
                        && grille_pki::verify::algorithm(row, numbers, Size::Prepared).is_some();
                    assert_eq!(listed, usable, "{row:?} where {weakest:?} is accepted");
                }
            }
        }
    }
}
