//! An SPDM responder for microcontrollers (DSP0274 1.2 to 1.4): it authenticates a device and attests its
//! measurements.
//!
//! It supports one version and one algorithm set. It does not allocate, and uses caller-provided buffers. It answers
//! GET_VERSION, GET_CAPABILITIES, NEGOTIATE_ALGORITHMS, GET_DIGESTS, GET_CERTIFICATE, CHALLENGE, GET_MEASUREMENTS and
//! CHUNK_GET. Only slot 0 exists, and there are no sessions. `grille-spdm-engine` implements everything else.
//!
//! ```text
//! request ─► Responder::receive ─► packet          at most DataTransferSize of either side
//!                 │      │
//!              buffer  Device                       a whole response; hash, key, chain, measurements
//! ```
//!
//! ```
//! use grille_core::{CryptoRng, Signature, SigningKey, SystemRng};
//! use grille_mldsa::MlDsa44;
//! use grille_spdm_codec::Version;
//! use grille_spdm_codec::algorithms::{BaseAsym, BaseHash, MeasurementHash, PqcAsym};
//! use grille_spdm_device::device::Measurement;
//! use grille_spdm_device::{Device, Hash, Responder, Suite, Value};
//! use sha2::{Digest, Sha384};
//!
//! /// SHA-384; a microcontroller may have hardware for it.
//! #[derive(Clone, Default)]
//! struct Sha(Sha384);
//!
//! impl Hash for Sha {
//!     const LEN: usize = 48;
//!
//!     fn update(&mut self, bytes: &[u8]) {
//!         self.0.update(bytes);
//!     }
//!
//!     fn finish(self, output: &mut [u8]) {
//!         output.copy_from_slice(&self.0.finalize());
//!     }
//! }
//!
//! /// A board with a key, and with a chain that its manufacturer stored.
//! struct Board {
//!     key: <MlDsa44 as Signature>::SigningKey,
//!     chain: &'static [u8],
//! }
//!
//! impl Device for Board {
//!     type Hash = Sha;
//!
//!     fn suite(&self) -> Suite {
//!         Suite {
//!             version: Version::V1_4,
//!             asym: BaseAsym::NONE,
//!             pqc_asym: PqcAsym::ML_DSA_44,
//!             signature_len: 2420,
//!             hash: BaseHash::SHA_384,
//!             measurement_hash: MeasurementHash::SHA_384,
//!             data_transfer_size: 1200,
//!             ct_exponent: 20,
//!         }
//!     }
//!
//!     fn fill_random(&mut self, bytes: &mut [u8]) {
//!         let rng: &mut dyn CryptoRng = &mut SystemRng;
//!         rng.fill_bytes(bytes);
//!     }
//!
//!     fn chain(&self) -> &[u8] {
//!         self.chain
//!     }
//!
//!     fn measurement(&self, index: u8) -> Option<Measurement<'_>> {
//!         (index == 1).then_some(Measurement { kind: 6, value: Value::Raw(b"1.0.0"), tcb: true })
//!     }
//!
//!     fn sign(&mut self, message: &[u8], context: &[u8], signature: &mut [u8]) -> bool {
//!         self.key.sign(message, context, &mut SystemRng).is_ok_and(|made| {
//!             signature.copy_from_slice(made.as_ref());
//!             true
//!         })
//!     }
//! }
//!
//! let board = Board { key: MlDsa44::generate(&mut SystemRng), chain: b"the chain" };
//! let mut buffer = [0; 4096];
//! let mut responder = Responder::new(board, &mut buffer);
//!
//! let mut packet = [0; 1200];
//! let len = responder.receive(&[0x10, 0x84, 0, 0], &mut packet);          // GET_VERSION
//! assert_eq!(packet[..len], [0x10, 0x04, 0, 0, 0, 1, 0x00, 0x14]);        // VERSION: 1.4
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate is `no_std` and does not allocate. `spdm/footprint.toml` has the sizes of a firmware for a Cortex-M.
//!
//! # Security
//! Malformed requests never make this crate panic. The crate has no cryptography: hash, signature and random
//! generator are those of [`Device`], which must be constant time. Measurements are public, and there are no
//! sessions, so nothing is encrypted.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | what does the caller provide? | [`device`] |
//! | which request is legal when, and what is signed? | [`responder`] |
//! | what does a response contain? | `responses`; for ERROR, `refusal` |
#![no_std]
#![forbid(unsafe_code)]

pub mod device;
mod refusal;
pub mod responder;
mod responses;

pub use device::{Device, Hash, Suite, Value};
pub use responder::Responder;
