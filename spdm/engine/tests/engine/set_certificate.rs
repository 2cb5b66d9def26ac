//! The chains in slots, and their changes by SET_CERTIFICATE.

use crate::common::{
    self, Credential, Wire, classical, config, credential, delayable, post_quantum, refused,
};
use grille_core::SystemRng;
use grille_pki::Certificate;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::Config;
use grille_spdm_engine::error::Error;
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::{Identity, Slot, model};
use grille_spdm_engine::operations::{ChallengeResponder, Connect, FetchCertificate, FetchDigests, SetChain};
use grille_spdm_engine::refused_request::{Reason, Target};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::Signer;
use grille_spdm_engine::trust::DangerousAcceptAny;
use std::sync::Arc;

/// Connects both sides on a multi-key connection in a trusted environment; slot 0 has P-384.
fn pair() -> (Requester, Wire, Credential) {
    let device = credential(classical("P384"));
    let with = |flags| config(Version::V1_4, flags | Caps::MULTI_KEY_CONN_SEL);
    let able = common::ALL | Caps::SET_CERT | Caps::GET_KEY_PAIR_INFO;
    let ours = Config { trusted_environment: true, ..with(able) };
    let mut requester =
        Requester::new(with(common::REQUESTER), Identity::default(), Box::new(DangerousAcceptAny));
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
    requester.run(Connect::new(), &mut wire).unwrap();
    (requester, wire, device)
}

/// In this test the device's CA is the root, and the alias below it is the certificate that the device issued.
#[test]
fn alias_chain_must_end_in_the_devices_ca() {
    let (mut requester, mut wire, device) = pair();
    let other = credential(classical("P384"));
    let (hash, invalid) = (&HASHES[5], ErrorCode::INVALID_REQUEST);
    let set = |certificates: &[Certificate]| {
        SetChain::new(0, chain::write(hash, certificates)).for_key_pair(1, model::ALIAS)
    };
    for wrong in [&device.chain[..], &device.chain[1..], &other.chain[..1]] {
        assert_eq!(refused(requester.run(set(wrong), &mut wire)), invalid, "{}", wrong.len());
        assert_eq!(wire.last_refusal(), (Some(Target::Slot(0)), Reason::AliasCa));
    }
    let whole = chain::write(hash, &device.chain);
    for erased in [false, true] {
        if erased {
            requester.run(SetChain::erase(0).for_key_pair(1, 0), &mut wire).unwrap();
        }
        requester.run(set(&device.chain[..1]), &mut wire).unwrap();
        let digests = requester.run(FetchDigests, &mut wire).unwrap();
        assert_eq!(
            (digests[0].model, requester.run(FetchCertificate::new(0), &mut wire).unwrap()),
            (2, whole.clone())
        );
        requester.run(ChallengeResponder::new(0, 0), &mut wire).unwrap();
    }
}

#[test]
fn rejects_chains_with_invalid_links() {
    let (mut requester, mut wire, device) = pair();
    let other = credential(classical("P384"));
    let set = |chain| SetChain::new(0, chain).for_key_pair(1, model::DEVICE);
    let (hash, [root, leaf]) = (&HASHES[5], [&device.chain[0], &device.chain[1]]);
    let write = |certificates: &[&Certificate]| {
        chain::write(hash, &certificates.iter().map(|one| (*one).clone()).collect::<Vec<_>>())
    };
    // RootHash computed with another hash of equal length
    let mut another_hash = write(&[root, leaf]);
    another_hash[4..4 + 48].copy_from_slice(HASHES[1].digest(&[&root.to_der()]).as_ref());
    let mut no_root_hash = write(&[root, leaf]);
    no_root_hash.drain(4..4 + 48);
    let len = no_root_hash.len() as u32;
    no_root_hash[..4].copy_from_slice(&len.to_le_bytes());
    // the leaf certificate with one altered bit in its signature
    let mut der = leaf.to_der();
    *der.last_mut().unwrap() ^= 1;
    let altered = Certificate::from_pem_or_der(&der).unwrap();
    for (wrong, reason) in [
        (write(&[&other.root, leaf]), Reason::Signature),
        // a repeated certificate, and an issuer that is no CA
        (write(&[root, root, leaf, leaf]), Reason::Signature),
        (write(&[leaf, root, leaf]), Reason::Signature),
        (write(&[root, &altered]), Reason::Signature),
        (another_hash, Reason::RootHash),
        (no_root_hash, Reason::Chain),
        (chain::write(hash, &other.chain), Reason::Key),
    ] {
        assert_eq!(refused(requester.run(set(wrong), &mut wire)), ErrorCode::INVALID_REQUEST, "{reason:?}");
        assert_eq!(wire.last_refusal(), (Some(Target::Slot(0)), reason));
    }
    requester.run(set(write(&[root, leaf])), &mut wire).unwrap();
}

#[test]
fn check_finds_signer_of_another_key() {
    for asym in [classical("P384"), classical("RSAPSS-2048"), post_quantum("ML-DSA-44")] {
        let (device, other) = (credential(asym), credential(asym));
        let check = |slot: Slot| slot.check(&mut SystemRng);
        let of = |signer: &Arc<dyn Signer>| Slot { signer: signer.clone(), ..device.slot(0) };
        assert!(matches!(check(device.slot(0)), Ok(Some(()))), "{}", asym.name());
        let wrong = check(of(&other.signer));
        let invalid = grille_core::Error::InvalidSignature;
        assert!(matches!(&wrong, Err(Error::Key(error)) if *error == invalid), "{wrong:?}");
        let wrong = check(of(&credential(classical("P256")).signer));
        let invalid = matches!(wrong, Err(Error::Key(grille_core::Error::InvalidPublicKey { .. })));
        assert!(invalid, "{wrong:?}");
        assert!(
            matches!(check(of(&delayable(&device.signer, || Ok(false)))), Ok(None)),
            "the signer needs more time"
        );
        let empty = Slot { certificates: Vec::new(), ..of(&other.signer) };
        assert!(matches!(check(empty), Ok(Some(()))));
    }
}
