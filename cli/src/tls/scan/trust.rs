//! Checks whether a server's chains lead to trusted roots.

use grille_pki::verify::{Purpose, Requirements, Root, Trust, webpki_algorithms};
use grille_pki::{Certificate, Crl};
use grille_registry::Numbers;
use grille_tls::report::Chain;

/// Trusted roots, and revocation lists for the chains below them.
pub(super) struct Roots {
    anchors: Vec<Root>,
    crls: Vec<Crl>,
}

impl Roots {
    /// Converts certificates to roots; `None` if there are none, and then nothing is checked.
    pub(super) fn new(certificates: &[Certificate], crls: Vec<Crl>) -> Option<Self> {
        let anchors: Vec<_> = certificates.iter().map(Root::from).collect();
        (!anchors.is_empty()).then_some(Self { anchors, crls })
    }

    /// Verifies a chain for the server `name` at the current time.
    ///
    /// # Errors
    /// Returns the reason why the chain is not trusted.
    pub(super) fn check(&self, chain: &Chain, name: &str) -> Result<(), String> {
        let Some((own, others)) = chain.0.split_first() else {
            return Err("the server sent no certificate".to_owned());
        };
        let numbers = Numbers::default();
        let Self { anchors, crls } = self;
        let trust = Trust { roots: anchors, algorithms: webpki_algorithms(numbers), numbers, crls };
        let requirements =
            Requirements { time: grille_pki::now(), purpose: Purpose::Server, name: Some(name) };
        trust.verify_der(own, others, &requirements).map(drop).map_err(|error| error.to_string())
    }
}
