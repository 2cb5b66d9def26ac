//! Which signatures are accepted: quantum-safe schemes first, then aws-lc-rs' own classical ones.

use grille_pki::Certificate;
use grille_registry::{Status, signature_by_tls_scheme};
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::SignatureVerificationAlgorithm;
use std::sync::OnceLock;

type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// The weakest status among the algorithms of these roots; signatures are accepted down to it, and no further.
///
/// A root may vouch for any name, so whoever trusts one of a retired algorithm stakes everything on that algorithm
/// already: accepting it below, too, gives nothing away. A root whose algorithm the registry does not know changes
/// nothing.
pub(crate) fn weakest(roots: &[Certificate]) -> Status {
    let statuses = roots.iter().filter_map(|root| Some(root.public_key().ok()?.row().status));
    statuses.fold(Status::Standard, Status::max)
}

/// The adapters of grille-pki for quantum-safe rows down to this status, aws-lc-rs' own for classical ones.
pub(crate) fn algorithms(weakest: Status) -> WebPkiSupportedAlgorithms {
    static LISTS: [OnceLock<Lists>; Status::ALL.len()] = [const { OnceLock::new() }; Status::ALL.len()];
    let lists = LISTS[weakest as usize].get_or_init(|| Lists::new(weakest));
    WebPkiSupportedAlgorithms { all: &lists.all, mapping: &lists.mapping }
}

struct Lists {
    all: Vec<&'static dyn SignatureVerificationAlgorithm>,
    mapping: Vec<(SignatureScheme, Algorithms)>,
}

impl Lists {
    fn new(weakest: Status) -> Self {
        let classical = rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
        let every = grille_pki::verify::quantum_safe_schemes();
        let known = |scheme: SignatureScheme| every.iter().any(|(code, _)| *code == u16::from(scheme));
        let accepted = |code| signature_by_tls_scheme(code).is_some_and(|row| row.status <= weakest);
        let ours = || every.iter().filter(|(code, _)| accepted(*code));
        let theirs = classical.mapping.iter().filter(|(scheme, _)| !known(*scheme)).copied();
        Self {
            all: ours().flat_map(|(_, algorithms)| *algorithms).chain(classical.all).copied().collect(),
            mapping: ours()
                .map(|(code, algorithms)| (SignatureScheme::from(*code), *algorithms))
                .chain(theirs)
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_core::SystemRng;
    use grille_pki::PrivateKey;
    use grille_pki::issue::{Profile, Template, self_signed};
    use grille_registry::signature_by_name;

    fn root(name: &str) -> Certificate {
        let row = signature_by_name(name).expect("it is registered");
        let key = PrivateKey::generate(row, &mut SystemRng).expect("a key");
        let template = Template::new("CN=root", Profile::Root).expect("a name");
        self_signed(&template, &key, &mut SystemRng).expect("a certificate")
    }

    #[test]
    fn retired_signatures_are_accepted_only_beside_a_retired_root() {
        let (new, old) = (root("ML-DSA-65"), root("Dilithium3"));
        assert_eq!(weakest(&[]), Status::Standard);
        assert_eq!(weakest(std::slice::from_ref(&new)), Status::Standard);
        assert_eq!(weakest(&[new, old]), Status::Retired);
    }

    #[test]
    fn each_status_has_the_schemes_of_its_own_and_of_those_before_it() {
        for weakest in Status::ALL {
            let mapping = algorithms(weakest).mapping;
            for (code, _) in grille_pki::verify::quantum_safe_schemes() {
                let row = signature_by_tls_scheme(*code).expect("its row");
                let listed = mapping.iter().any(|(scheme, _)| u16::from(*scheme) == *code);
                assert_eq!(listed, row.status <= weakest, "{row:?} where {weakest:?} is accepted");
            }
        }
    }
}
