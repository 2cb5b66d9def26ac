//! Whose chains are believed.

use crate::common::{self, Wire, classical, config, credential, credential_of};
use grille_pki::Certificate;
use grille_pki::issue::{KeyUsage, KeyUsages};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::model;
use grille_spdm_engine::operations::{Connect, FetchCertificate, OpenSession};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::{Claim, Judge, Roots};
use grille_spdm_engine::unproved::Unproved;

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

#[test]
fn refuses_a_self_signed_root_whose_signature_is_wrong() {
    let credential = credential(classical("P256"));
    let mut der = credential.root.to_der();
    *der.last_mut().unwrap() ^= 1;
    let altered = Certificate::from_pem_or_der(&der).unwrap();
    let claim = Claim { prover: Prover::Responder, slot: 0, model: model::DEVICE };
    for (root, words) in [(credential.root.clone(), None), (altered, Some("does not match its own key"))] {
        let named = HASHES[0].digest(&[&root.to_der()]);
        let bytes = chain::write_below(named.as_ref(), &[root.clone(), credential.chain[1].clone()]);
        let judged = Roots::new(vec![root]).judge(&claim, &chain::parse(&HASHES[0], &bytes).unwrap());
        match words {
            None => judged.unwrap(),
            Some(words) => assert!(judged.unwrap_err().to_string().contains(words)),
        }
    }
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

#[test]
fn a_responder_that_asks_for_chains_needs_somebody_who_believes_them() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let mutual = Caps::MUT_AUTH | Caps::ENCAP;
    let [theirs, mut ours] =
        [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_2, flags | mutual));
    ours.mutual = MutualAuthentication::Encapsulated;
    let judge = Box::new(Roots::new(vec![device.root.clone()]));
    let mut requester = Requester::new(theirs, host.identity(), judge);
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert!(requester.run(OpenSession::new(0), &mut wire).is_err());
    let why = wire.responder.take_unproved();
    assert!(matches!(why, Some(Unproved::Answer(Error::Usage(Usage::NoJudge)))), "{why:?}");
}
