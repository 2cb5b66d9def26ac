//! Checks whether a server's chains lead to trusted roots.

use grille_pki::Certificate;
use grille_pki::verify::{Purpose, Requirements, Root, Trust, webpki_algorithms};
use grille_registry::Numbers;
use grille_tls::report::Chain;

/// Trusted roots.
pub(super) struct Roots(Vec<Root>);

impl Roots {
    /// Converts certificates to roots; `None` if there are none, and then nothing is checked.
    pub(super) fn new(certificates: &[Certificate]) -> Option<Self> {
        (!certificates.is_empty()).then(|| Self(certificates.iter().map(Root::from).collect()))
    }

    /// Verifies a chain for the server `name` at the current time.
    ///
    /// # Errors
    /// The reason why the chain is not trusted.
    pub(super) fn check(&self, chain: &Chain, name: &str) -> Result<(), String> {
        let Some((own, others)) = chain.0.split_first() else {
            return Err("the server showed no certificate".to_owned());
        };
        let numbers = Numbers::default();
        let trust = Trust { roots: &self.0, algorithms: webpki_algorithms(numbers), numbers, crls: &[] };
        let requirements =
            Requirements { time: grille_pki::now(), purpose: Purpose::Server, name: Some(name) };
        trust.verify_der(own, others, &requirements).map(drop).map_err(|error| error.to_string())
    }
}
