//! The responder for microcontrollers: every answer fits into the packet's buffer. The first byte of the input chooses
//! the size of a packet; the packets after it are the requests.
#![no_main]

#[path = "../../spdm/device/footprint/src/sha384.rs"]
mod sha384;

use grille_fuzz::spdm::packets;
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, PqcAsym};
use grille_spdm_device::device::Measurement;
use grille_spdm_device::{Device, Responder, Suite, Value};
use sha384::IncrementalSha384;

struct Board;

impl Device for Board {
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
        bytes.fill(7);
    }

    fn chain(&self) -> &[u8] {
        &[0xC4; 3000]
    }

    fn measurement(&self, index: u8) -> Option<Measurement<'_>> {
        (index % 50 == 1).then_some(Measurement { kind: 0, value: Value::Digest(&[1; 48]), tcb: index < 100 })
    }

    fn sign(&mut self, message: &[u8], _: &[u8], signature: &mut [u8]) -> bool {
        signature[..message.len()].copy_from_slice(message);
        message.last() != Some(&0)
    }
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let mut buffer = [0; 6000];
    let mut responder = Responder::new(Board, &mut buffer);
    let mut packet = vec![0; 64 + 8 * usize::from(choice)];
    for (_, request) in packets(data) {
        let len = responder.receive(request, &mut packet);
        assert!((4..=packet.len()).contains(&len), "{len} bytes to {request:?}");
    }
});
