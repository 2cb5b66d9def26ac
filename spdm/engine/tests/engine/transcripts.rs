//! What was refused or given up ends transcripts on both sides or on neither: the next signature is right.

use crate::common::{self, Wire, classical, config, credential, moody, refused};
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::Config;
use grille_spdm_engine::device::{Device, Measurement};
use grille_spdm_engine::error::{Error, Refusal};
use grille_spdm_engine::flight::Operation;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operations::{
    Connect, FetchCertificate, FetchCsr, FetchDigests, Listen, Measure, OpenSession, Prove, SetChain, Vendor,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::Roots;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A device that measures, and is always busy where it is asked for a CSR.
struct Busy;

impl Device for Busy {
    fn measurements(&mut self, pending: bool) -> Result<Vec<Measurement>, Refusal> {
        common::Sample.measurements(pending)
    }

    fn csr(&mut self, _: Option<SessionId>, _: Asym, _: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        Err(Refusal::new(ErrorCode::BUSY))
    }
}

/// A connection in which the chain is known, and what lets the device sign.
fn connected(version: Version) -> (Requester, Wire, Arc<AtomicBool>) {
    let (credential, signs) = (credential(classical("P256")), Arc::new(AtomicBool::new(true)));
    let more = Caps::ENCAP | Caps::SET_CERT | Caps::CSR;
    let theirs = Config { patience: Duration::from_millis(100), ..config(version, common::REQUESTER | more) };
    let judge = Box::new(Roots::new(vec![credential.root.clone()]));
    let mut requester = Requester::new(theirs, Identity::default(), judge);
    let allowed = signs.clone();
    let signer = moody(&credential.signer, move || Ok(allowed.load(Ordering::Relaxed)));
    let identity = Identity::default().with(Slot::new(0, credential.chain.clone(), signer));
    let responder = Responder::new(config(version, common::ALL | more), identity, Box::new(Busy));
    let mut wire = Wire::new(responder);
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    (requester, wire, signs)
}

fn vendor() -> Vendor {
    Vendor { standard_id: 3, vendor_id: vec![1, 2], data: vec![3] }
}

#[test]
fn what_a_device_does_not_support_leaves_both_sides_with_the_same_measurements() {
    for version in Version::ALL {
        let (mut requester, mut wire, _) = connected(version);
        requester.run(Measure::new(1), &mut wire).unwrap();
        assert_eq!(refused(requester.run(vendor(), &mut wire)), ErrorCode::UNSUPPORTED_REQUEST);
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
        if version == Version::V1_0 {
            continue;
        }
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        requester.run(Measure::new(1).within(session), &mut wire).unwrap();
        assert_eq!(
            refused(requester.run(vendor().within(session), &mut wire)),
            ErrorCode::UNSUPPORTED_REQUEST
        );
        requester.run(Measure::all_signed(0).within(session), &mut wire).unwrap();
    }
}

#[test]
fn what_is_not_expected_here_leaves_both_sides_with_the_same_measurements() {
    for version in [Version::V1_2, Version::V1_3, Version::V1_4] {
        let (mut requester, mut wire, _) = connected(version);
        requester.run(Measure::new(1), &mut wire).unwrap();
        let put = SetChain::new(0, vec![1; 40]);
        assert_eq!(refused(requester.run(put, &mut wire)), ErrorCode::UNEXPECTED_REQUEST);
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
        // what it looked into ends them on both sides
        requester.run(Measure::new(1), &mut wire).unwrap();
        let chain = FetchCertificate::new(3);
        assert_eq!(refused(requester.run(chain, &mut wire)), ErrorCode::INVALID_REQUEST);
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
    }
}

#[test]
fn listening_where_nothing_is_asked_leaves_both_sides_with_the_same_certificates() {
    for version in [Version::V1_1, Version::V1_2, Version::V1_3, Version::V1_4] {
        for inside in [false, true] {
            let (mut requester, mut wire, _) = connected(version);
            let session = inside.then(|| requester.run(OpenSession::new(0), &mut wire).unwrap());
            requester.run(FetchDigests, &mut wire).unwrap();
            requester.run(FetchCertificate::new(0), &mut wire).unwrap();
            let listen = session.map_or(Listen::outside(), Listen::new);
            let nothing = if version < Version::V1_3 {
                ErrorCode::UNEXPECTED_REQUEST
            } else {
                ErrorCode::NO_PENDING_REQUESTS
            };
            assert_eq!(refused(requester.run(listen, &mut wire)), nothing);
            requester.run(Prove::new(0, 0), &mut wire).unwrap();
        }
    }
}

#[test]
fn what_was_given_up_leaves_both_sides_with_the_same_measurements() {
    for version in [Version::V1_2, Version::V1_4] {
        let (mut requester, mut wire, signs) = connected(version);
        requester.run(Measure::new(1), &mut wire).unwrap();
        signs.store(false, Ordering::Relaxed);
        let given_up = requester.run(Prove::new(0, 0), &mut wire);
        assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
        signs.store(true, Ordering::Relaxed);
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
        requester.run(Measure::new(1), &mut wire).unwrap();
        let given_up = requester.run(FetchCsr::default(), &mut wire);
        assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
        requester.run(Measure::all_signed(0), &mut wire).unwrap();
        // and what was fetched is still what is proved
        requester.run(Prove::new(0, 0), &mut wire).unwrap();
    }
}
