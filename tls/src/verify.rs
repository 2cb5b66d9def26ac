//! Which signatures are accepted: those of every registered algorithm, quantum-safe schemes first.

use rustls::SignatureScheme;
use rustls::crypto::WebPkiSupportedAlgorithms;
use rustls::pki_types::SignatureVerificationAlgorithm;
use std::sync::OnceLock;

type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// The adapters of grille-pki for quantum-safe rows, aws-lc-rs' own for classical ones.
pub(crate) fn algorithms() -> WebPkiSupportedAlgorithms {
    static ALL: OnceLock<Vec<&'static dyn SignatureVerificationAlgorithm>> = OnceLock::new();
    static MAPPING: OnceLock<Vec<(SignatureScheme, Algorithms)>> = OnceLock::new();
    let classical = rustls::crypto::aws_lc_rs::default_provider().signature_verification_algorithms;
    WebPkiSupportedAlgorithms {
        all: ALL.get_or_init(|| [grille_pki::verify::quantum_safe_algorithms(), classical.all].concat()),
        mapping: MAPPING.get_or_init(|| {
            let ours = grille_pki::verify::quantum_safe_schemes();
            let known = |scheme: &SignatureScheme| ours.iter().any(|(code, _)| *code == u16::from(*scheme));
            let theirs = classical.mapping.iter().filter(|(scheme, _)| !known(scheme)).copied();
            ours.iter()
                .map(|(code, algorithms)| (SignatureScheme::from(*code), *algorithms))
                .chain(theirs)
                .collect()
        }),
    }
}
