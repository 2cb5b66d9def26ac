//! SHA-384 for the device; the tests of `spdm/device` also use this file.

use grille_spdm_device::Hash;
use sha2::{Digest, Sha384};

/// An incremental computation of SHA-384.
#[derive(Clone, Default)]
pub(crate) struct IncrementalSha384(Sha384);

impl Hash for IncrementalSha384 {
    const LEN: usize = 48;

    fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(self, output: &mut [u8]) {
        output.copy_from_slice(&self.0.finalize());
    }
}
