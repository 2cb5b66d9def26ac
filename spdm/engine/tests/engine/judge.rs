//! Whose chains are believed.

use crate::common::{classical, credential, credential_of};
use grille_pki::Certificate;
use grille_pki::issue::{KeyUsage, KeyUsages};
use grille_spdm_engine::chain;
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::model;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::{Claim, Judge, Roots};

/// What a chain has beside its line makes no claims for the device.
#[test]
fn a_chain_with_somebody_elses_certificates_in_it_is_not_believed() {
    let [own, other] = [(); 2].map(|()| credential(classical("P256")));
    let ([root, leaf], [stranger, device]) = (pair(&own.chain), pair(&other.chain));
    let roots = Roots::new(vec![root.clone()]);
    let claim = Claim { prover: Prover::Responder, slot: 0, model: model::DEVICE };
    let named = HASHES[0].digest(&[&root.to_der()]);
    let believed = |certificates: &[&Certificate]| {
        let certificates: Vec<_> = certificates.iter().copied().cloned().collect();
        let bytes = chain::write_below(named.as_ref(), &certificates);
        roots.judge(&claim, &chain::parse(&HASHES[0], &bytes).unwrap()).is_ok()
    };
    assert!(believed(&[root, leaf]) && believed(&[leaf]));
    for others in
        [&[root, device, leaf][..], &[root, stranger, device, leaf], &[stranger, leaf], &[root, root, leaf]]
    {
        assert!(!believed(others));
    }
}

fn pair(chain: &[Certificate]) -> [&Certificate; 2] {
    let [root, leaf] = chain else { panic!("a root and a device") };
    [root, leaf]
}

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
