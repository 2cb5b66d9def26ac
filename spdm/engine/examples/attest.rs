//! A device attests itself: requester and responder in memory, SPDM 1.4 with ML-DSA-87 and ML-KEM-1024.
//!
//! `cargo run --release -p grille-spdm-engine --example attest`

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::signature_by_name;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::{Asym, post_quantum};
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::flight::Operation;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::operations::{
    Connect, End, FetchCertificate, FetchDigests, Measure, OpenSession, Prove,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::LocalSigner;
use grille_spdm_engine::trust::Roots;
use std::error::Error;
use std::sync::Arc;

const ALGORITHM: &str = "ML-DSA-87";

fn main() -> Result<(), Box<dyn Error>> {
    let (root, identity) = manufacture()?;
    let session = Caps::ENCRYPT | Caps::MAC | Caps::KEY_EX;
    let both = Caps::CERT | Caps::CHAL | Caps::CHUNK | Caps::LARGE_RESP | session;
    let device = Responder::new(Config::with(both | Caps::MEAS_SIG), identity, Box::new(Firmware));
    let mut wire = Memory(device);
    let judge = Box::new(Roots::new(vec![root]));
    let mut requester = Requester::new(Config::with(both), Identity::default(), judge);

    requester.run(Connect::new(), &mut wire)?;
    let connection = requester.connection();
    println!("connected: {:?}, {:?}", connection.version(), connection.negotiated());
    for slot in requester.run(FetchDigests, &mut wire)? {
        let chain = requester.run(FetchCertificate::new(slot.slot), &mut wire)?;
        println!("slot {}: a chain of {} bytes, believed", slot.slot, chain.len());
    }
    requester.run(Prove::new(0, 0), &mut wire)?;
    println!("the device has the key of slot 0");

    let session = requester.run(OpenSession::new(0), &mut wire)?;
    println!("session {session:08x} is open");
    let measured = requester.run(Measure::all_signed(0).within(session), &mut wire)?;
    for block in &measured.blocks {
        println!("measurement {}: type {}, {} bytes", block.index, block.kind, block.value.len());
    }
    requester.run(End(session), &mut wire)?;
    Ok(())
}

/// What a transport does, without one.
struct Memory(Responder);

impl Carrier for Memory {
    type Error = grille_spdm_engine::error::Error;

    fn exchange(&mut self, packet: Packet) -> Result<Packet, Self::Error> {
        Ok(self.0.receive(&packet))
    }
}

/// What the device measures of itself.
struct Firmware;

impl Device for Firmware {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let firmware = MeasuredValue::Hashed(b"the firmware's bytes".to_vec());
        let version = MeasuredValue::Raw(b"1.0.0".to_vec());
        Ok(vec![
            Measurement { index: 1, kind: 1, value: firmware, tcb: true },
            Measurement { index: 2, kind: 6, value: version, tcb: false },
        ])
    }
}

/// A root, and a device with a chain and a key in slot 0.
fn manufacture() -> Result<(Certificate, Identity), Box<dyn Error>> {
    let (row, rng) = (signature_by_name(ALGORITHM)?, &mut SystemRng);
    let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
    let root = self_signed(&Template::new("CN=Example root", Profile::Root)?, &root_key, rng)?;
    let template = Template::new("CN=Example device", Profile::end_entity(&[])?)?;
    let leaf = issue(&template, key.public_key(), &root, &root_key, rng)?;
    let (_, row) =
        post_quantum().find(|(_, other)| std::ptr::eq(*other, row)).ok_or("SPDM has no such algorithm")?;
    let signer = Arc::new(LocalSigner::new(Asym::PostQuantum(row), key)?);
    Ok((root.clone(), Identity::default().with(Slot::new(0, vec![root, leaf], signer))))
}
