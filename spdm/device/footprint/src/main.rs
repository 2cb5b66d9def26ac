//! Firmware for size measurements: a responder that negotiates ML-DSA-87 and SHA-384. Stubs replace the board's driver,
//! the random generator and the signing code. `docs/guide/src/25-spdm-manual.md` has the sizes.
#![no_std]
#![no_main]

mod backend;
mod sha384;

use core::hint::black_box;
use core::panic::PanicInfo;
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, PqcAsym};
use grille_spdm_device::device::Measurement;
use grille_spdm_device::{Device, Responder, Suite, Value};
use sha384::IncrementalSha384;

struct Firmware;

impl Device for Firmware {
    type Hash = IncrementalSha384;

    fn suite(&self) -> Suite {
        Suite {
            version: Version::V1_4,
            asym: BaseAsym::NONE,
            pqc_asym: PqcAsym::ML_DSA_87,
            signature_len: 4627,
            hash: BaseHash::SHA_384,
            measurement_hash: MeasurementHash::SHA_384,
            data_transfer_size: 1024,
            ct_exponent: 20,
        }
    }

    fn fill_random(&mut self, bytes: &mut [u8]) {
        bytes.fill(black_box(0));
    }

    fn chain(&self) -> &[u8] {
        black_box(&[0; 16])
    }

    fn measurement(&self, index: u8) -> Option<Measurement<'_>> {
        let value = Value::Digest(black_box(&[0; 48]));
        (index == 1).then_some(Measurement { kind: 0, value, tcb: true })
    }

    fn sign(&mut self, message: &[u8], context: &[u8], signature: &mut [u8]) -> bool {
        black_box((message, context));
        signature.fill(black_box(0));
        true
    }
}

/// Answers requests forever.
fn run() -> ! {
    let mut buffer = [0; 5 * 1024];
    let mut responder = Responder::new(Firmware, &mut buffer);
    let (mut request, mut packet) = ([0; 1024], [0; 1024]);
    loop {
        // The length is unknown to the compiler, so that code for shorter and longer requests is not optimised away.
        let len = black_box(black_box(&mut request).len());
        let answered = responder.receive(&request[..len], &mut packet);
        black_box(&packet[..answered]);
    }
}

#[panic_handler]
fn stop(_: &PanicInfo<'_>) -> ! {
    loop {}
}
