//! Encoding and decoding of SPDM messages (DSP0274 1.0 to 1.4).
//!
//! Messages are structs that borrow variable parts as slices. [`Sizes`] provides the lengths that a message does not
//! contain itself. The crate keeps no state.
//!
//! ```
//! use grille_spdm_codec::version::VersionResponse;
//! use grille_spdm_codec::{CodecError, Message, Sizes, Version};
//!
//! # fn main() -> Result<(), CodecError> {
//! let bytes = [0x10, 0x04, 0, 0, 0, 1, 0x00, 0x12];
//! let response = VersionResponse::decode(&bytes, &Sizes::default())?;
//! assert_eq!(response.versions().next().map(|number| number.byte()), Some(Version::V1_2.byte()));
//!
//! let mut buffer = [0; 64];
//! let len = response.encode(Version::V1_0, &Sizes::default(), &mut buffer)?;
//! assert_eq!(buffer[..len], bytes);
//! # Ok(())
//! # }
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate is `no_std` and does not allocate. It has no dependencies.
//!
//! # Security
//! Malformed input never makes this crate panic. Decoding checks lengths and formats, but no signature, and not
//! whether a message is allowed now: `grille-spdm-engine` and `grille-spdm-device` do.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | which requests and responses exist, under which codes? | `code.rs` |
//! | what do all messages have in common? | `message.rs` |
//! | how are fields decoded, encoded and observed? | `wire.rs` |
//! | which errors can occur? | `codec_error.rs` |
//! | which prefix is signed with a transcript? | `signing.rs` |
//! | which type has which code? | `messages.rs` |
//! | which algorithms have which numbers? | `algorithms.rs` |
//! | which capabilities need or exclude others? | `capability_rules.rs` |
//! | how are lists of blocks, events and groups read? | `list.rs` |
//! | how does openspdm-pqc of 2021 differ? | `pqc2021.rs` |
//! | which numbers do hybrids for 1.4 have? | `hybrid.rs` |
//! | which fields does a message have? | the file with its name; for SLOT_MANAGEMENT also `bank.rs` |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate alloc;

pub mod algorithms;
pub mod bank;
pub mod bits;
pub mod capabilities;
pub mod capability_rules;
pub mod certificate;
pub mod challenge;
pub mod chunk;
pub mod code;
mod codec_error;
pub mod csr;
pub mod digests;
pub mod encapsulated;
pub mod end_session;
pub mod endpoint_info;
pub mod error;
pub mod events;
pub mod finish;
pub mod heartbeat;
pub mod hybrid;
pub mod key_exchange;
pub mod key_pair_info;
pub mod key_update;
pub mod list;
pub mod measurements;
pub mod mel;
mod message;
pub mod messages;
pub mod negotiate;
pub mod opaque;
pub mod pqc2021;
pub mod psk;
pub mod respond_if_ready;
pub mod set_certificate;
pub mod signing;
pub mod slot_management;
pub mod vendor;
pub mod version;
pub mod wire;

pub use code::Code;
pub use codec_error::{CodecError, Problem};
pub use message::{Header, Message, Sizes, Version};
