//! Certificate chains with the signers for their keys.

use crate::output::Output;
use grille_pki::Certificate;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::identity::model;
use grille_spdm_engine::profile;
use grille_spdm_engine::signatures::{LocalSigner, Signer};
use grille_spdm_engine::transcript::Prover;
use std::sync::Arc;

/// A chain, and the signer for the private key of its last certificate.
pub(crate) struct Signed {
    pub(crate) chain: Vec<Certificate>,
    pub(crate) signer: Arc<LocalSigner>,
}

impl Signed {
    /// Returns the signature algorithm.
    pub(crate) fn asym(&self) -> Asym {
        self.signer.algorithm()
    }

    /// Warns if the standard forbids `prover` to use this chain.
    pub(crate) fn warn(&self, prover: Prover, out: &Output) {
        let judge = |leaf| profile::check(leaf, prover, model::DEVICE).err();
        if let Some(wrong) = self.chain.last().and_then(judge) {
            out.warn(format_args!("--cert: {wrong}; peers that follow the standard reject this chain"));
        }
    }
}
