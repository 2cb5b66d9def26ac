//! Whose chains are believed.

use crate::common::{classical, credential_of};
use grille_pki::issue::{KeyUsage, KeyUsages};
use grille_spdm_engine::chain;
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::model;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::{Claim, Judge, Roots};

/// The model is the prover's word.
#[test]
fn who_may_not_sign_proves_nothing_in_any_model() {
    for (usage, may_sign) in [(KeyUsages::DigitalSignature, true), (KeyUsages::KeyAgreement, false)] {
        let credential =
            credential_of(classical("P256"), |template| template.key_usage(KeyUsage(usage.into())));
        let chain = chain::parse(&HASHES[0], &chain::write(&HASHES[0], &credential.chain)).unwrap();
        let roots = Roots::new(vec![credential.root]);
        for prover in [Prover::Responder, Prover::Requester] {
            for model in [model::DEVICE, model::ALIAS, model::GENERIC] {
                let judged = roots.judge(&Claim { prover, slot: 1, model }, &chain);
                assert_eq!(judged.is_ok(), may_sign, "{prover:?}, model {model}");
            }
        }
    }
}
