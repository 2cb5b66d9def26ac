//! Which signatures are accepted: quantum-safe schemes first, then aws-lc-rs' own classical ones.

use grille_pki::Certificate;
use grille_registry::{Status, signature_by_tls_scheme};
use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::SignatureVerificationAlgorithm;
use std::sync::OnceLock;

type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// Which quantum-safe schemes are offered to peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schemes {
    /// Those of published standards.
    Standard,
    /// Also drafts and retired ones.
    All,
}

impl Schemes {
    /// What is needed with these roots: whoever trusts a root of an algorithm that is no standard asks for such.
    pub(crate) fn for_roots(roots: &[Certificate]) -> Self {
        let standard =
            |root: &Certificate| root.public_key().is_ok_and(|key| key.row().status == Status::Standard);
        if roots.iter().all(standard) { Self::Standard } else { Self::All }
    }

    fn has(self, code: u16) -> bool {
        let standard = || signature_by_tls_scheme(code).is_some_and(|row| row.status == Status::Standard);
        self == Self::All || standard()
    }
}

/// The adapters of grille-pki for quantum-safe rows, aws-lc-rs' own for classical ones.
pub(crate) fn algorithms(schemes: Schemes) -> WebPkiSupportedAlgorithms {
    static STANDARD: OnceLock<Lists> = OnceLock::new();
    static ALL: OnceLock<Lists> = OnceLock::new();
    let lists = if schemes == Schemes::All { &ALL } else { &STANDARD };
    let lists = lists.get_or_init(|| Lists::new(schemes));
    WebPkiSupportedAlgorithms { all: &lists.all, mapping: &lists.mapping }
}

struct Lists {
    all: Vec<&'static dyn SignatureVerificationAlgorithm>,
    mapping: Vec<(SignatureScheme, Algorithms)>,
}

impl Lists {
    fn new(schemes: Schemes) -> Self {
        let classical = rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
        let every = grille_pki::verify::quantum_safe_schemes();
        let known = |scheme: SignatureScheme| every.iter().any(|(code, _)| *code == u16::from(scheme));
        let ours = || every.iter().filter(|(code, _)| schemes.has(*code));
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
