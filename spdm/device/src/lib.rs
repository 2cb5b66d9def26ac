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
