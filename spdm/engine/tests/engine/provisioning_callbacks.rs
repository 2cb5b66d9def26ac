//! The session, algorithm and model that the device receives with provisioning requests.

use crate::common::{self, Wire, classical, config, credential};
use crate::provisioning::{EchoDevice, MORE};
use grille_spdm_codec::Version;
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::key_pair_info::SetKeyPairInfo;
use grille_spdm_codec::set_certificate::SetCertificate;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::chain;
use grille_spdm_engine::device::{Device, KeyPair};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    Connect, FetchCertificate, FetchCsr, OpenSession, SetChain, SetKeyPair,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::trust::DangerousAcceptAny;
use std::sync::{Arc, Mutex};

/// A device that accepts and records every provisioning request.
#[derive(Clone, Default)]
struct RecordingDevice(Arc<Mutex<Vec<RecordedCall>>>);

/// The request, the session, the algorithm and the certificate model.
type RecordedCall = (&'static str, Option<SessionId>, &'static str, u8);

impl RecordingDevice {
    fn record(&self, callback: &'static str, session: Option<SessionId>, asym: &'static str, model: u8) {
        self.0.lock().unwrap().push((callback, session, asym, model));
    }
}

impl Device for RecordingDevice {
    fn csr(&mut self, session: Option<SessionId>, asym: Asym, _: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        self.record("csr", session, asym.name(), 0);
        Ok(vec![0x30, 0])
    }

    fn set_certificate(
        &mut self,
        session: Option<SessionId>,
        asym: Asym,
        model: u8,
        _: &SetCertificate<'_>,
    ) -> Result<(), Refusal> {
        self.record("set", session, asym.name(), model);
        Ok(())
    }

    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        EchoDevice::default().key_pairs()
    }

    fn set_key_pair(&mut self, session: Option<SessionId>, _: &SetKeyPairInfo<'_>) -> Result<(), Refusal> {
        self.record("key pair", session, "", 0);
        Ok(())
    }
}

#[test]
fn device_receives_session_algorithm_and_model() {
    let (recorder, device) = (RecordingDevice::default(), credential(classical("P384")));
    let mut ours = config(Version::V1_4, common::ALL | MORE);
    ours.trusted_environment = true;
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(recorder.clone())));
    let requester = config(Version::V1_4, common::REQUESTER);
    let mut requester = Requester::new(requester, Identity::default(), Box::new(DangerousAcceptAny));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
    let chain = chain::write(&HASHES[5], &device.chain);
    let desired = KeyPair { slots: 1, ..KeyPair::default() };
    let change = SetKeyPair { operation: SetKeyPairInfo::CHANGE, key_pair_id: 1, desired };
    requester.run(FetchCsr::default(), &mut wire).unwrap();
    requester.run(change.clone(), &mut wire).unwrap();
    requester.run(SetChain::new(0, chain.clone()), &mut wire).unwrap();
    requester.run(FetchCsr::default().within(session), &mut wire).unwrap();
    requester.run(change.within(session), &mut wire).unwrap();
    requester.run(SetChain::new(0, chain).within(session), &mut wire).unwrap();
    requester.run(SetChain::erase(0).within(session), &mut wire).unwrap();
    let name = "ECDSA-P384";
    let here = Some(session);
    let expected = [
        ("csr", None, name, 0),
        ("key pair", None, "", 0),
        ("set", None, name, 1),
        ("csr", here, name, 0),
        ("key pair", here, "", 0),
        ("set", here, name, 1),
        ("set", here, name, 0),
    ];
    assert_eq!(*recorder.0.lock().unwrap(), expected);
}
