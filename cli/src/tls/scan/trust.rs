//! Whether a server's chains lead to trusted roots.

use grille_pki::Certificate;
use grille_pki::verify::{Demand, Purpose, Root, Trust, webpki_algorithms};
use grille_registry::Numbers;
use grille_tls::report::Chain;

/// Trusted roots.
pub(super) struct Roots(Vec<Root>);

impl Roots {
    /// `None` if there are none: then nobody asked.
    pub(super) fn new(certificates: &[Certificate]) -> Option<Self> {
        (!certificates.is_empty()).then(|| Self(certificates.iter().map(Root::from).collect()))
    }

    /// Checks a chain for the server `name`, now.
    ///
    /// # Errors
    /// Why it is not trusted.
    pub(super) fn check(&self, chain: &Chain, name: &str) -> Result<(), String> {
        let Some((own, others)) = chain.0.split_first() else {
            return Err("the server showed no certificate".to_owned());
        };
        let numbers = Numbers::default();
        let trust = Trust { roots: &self.0, algorithms: webpki_algorithms(numbers), numbers, crls: &[] };
        let demand = Demand { time: grille_pki::now(), purpose: Purpose::Server, name: Some(name) };
        trust.verify_der(own, others, &demand).map(drop).map_err(|error| error.to_string())
    }
}
