//! The engine's responder as firmware, without driver, random generator and allocator, to measure its size.
//! `docs/guide/src/25-spdm-manual.md` states the size.
#![no_std]
#![no_main]

extern crate alloc;

mod backend;

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::convert::Infallible;
use core::hint::black_box;
use core::panic::PanicInfo;
use grille_pki::{Certificate, PrivateKey};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::{Config, Packet};
use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::signatures::LocalSigner;
use rand_core::{TryCryptoRng, TryRng};

const CHAIN: &[u8] = include_bytes!("../../../../vectors/rfc9881/ML-DSA-87.crt");
const KEY: &[u8] = include_bytes!("../../../../vectors/rfc9881/ML-DSA-87-seed.priv");

/// Answers packets forever.
fn run() -> ! {
    let session =
        Caps::KEY_EX | Caps::ENCRYPT | Caps::MAC | Caps::HBEAT | Caps::KEY_UPD | Caps::PSK_WITH_CONTEXT;
    let attestation = Caps::CERT | Caps::CHAL | Caps::MEAS_SIG | Caps::CHUNK | Caps::LARGE_RESP;
    let config = Config::with(session | attestation);
    let Some(identity) = identity() else { stopped() };
    let mut responder = Responder::with_rng(config, identity, Box::new(Firmware), Box::new(Noise));
    loop {
        black_box(responder.receive(&black_box(Packet::Message(Vec::new()))));
    }
}

fn identity() -> Option<Identity> {
    let chain = Certificate::chain_from_pem(black_box(CHAIN)).ok()?;
    let key = PrivateKey::from_pem_or_der(black_box(KEY)).ok()?;
    let signer = LocalSigner::new(Asym::PostQuantum(key.row()), key).ok()?;
    Some(Identity::default().with(Slot::new(0, chain, Arc::new(signer))))
}

struct Firmware;

impl Device for Firmware {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        Ok(vec![Measurement { index: 1, kind: 1, value: MeasuredValue::Hashed(vec![0; 48]), tcb: true }])
    }
}

/// A stand-in for a board's random generator.
struct Noise;

impl TryRng for Noise {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(black_box(0))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(black_box(0))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(black_box(0));
        Ok(())
    }
}

impl TryCryptoRng for Noise {}

fn stopped() -> ! {
    loop {}
}

#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    stopped()
}
