//! An SPDM responder for microcontrollers (DSP0274 1.2 to 1.4): it proves what device it is on, and what runs there.
//!
//! It speaks one version with one algorithm set, allocates nothing, and works in buffers that its caller gives. It
//! answers GET_VERSION, GET_CAPABILITIES, NEGOTIATE_ALGORITHMS, GET_DIGESTS, GET_CERTIFICATE, CHALLENGE,
//! GET_MEASUREMENTS and CHUNK_GET; slot 0 is the only one, and there are no sessions. `grille-spdm-engine` has all else.
//!
//! ```text
//! request ─► Responder::receive ─► packet          at most DataTransferSize of either side
//!                 │      │
//!              buffer  Device                       a whole response; hash, key, chain, measurements
//! ```
//!
//! | question | file |
//! |---|---|
//! | what does the caller give? | [`device`] |
//! | what is answered when, and what is signed? | [`responder`] |
//! | what is in a response? | `responses` |
#![no_std]
#![forbid(unsafe_code)]

pub mod device;
pub mod responder;
mod responses;

pub use device::{Device, Hash, Suite, Value};
pub use responder::Responder;
