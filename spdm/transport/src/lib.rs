//! How SPDM messages travel: MCTP (DSP0275), PCI DOE, TCP (DSP0287), and the sockets of DMTF's emulators.
//!
//! Pure framing: bytes in, bytes out, no memory is allocated. With the feature `std`, [`connection`] puts frames on
//! streams. No input makes this crate panic.
//!
//! ```
//! use grille_spdm_codec::CodecError;
//! use grille_spdm_transport::binding::{Binding, Kind};
//!
//! # fn main() -> Result<(), CodecError> {
//! let get_version = [0x10, 0x84, 0, 0];
//! let mut buffer = [0; 16];
//! let len = Binding::PciDoe.encode(Kind::Spdm, &get_version, &mut buffer)?;
//! assert_eq!(buffer[..len], [1, 0, 1, 0, 3, 0, 0, 0, 0x10, 0x84, 0, 0]);
//! assert_eq!(Binding::PciDoe.decode(&buffer[..len])?, (Kind::Spdm, &get_version[..]));
//! # Ok(())
//! # }
//! ```
//!
//! | question | file |
//! |---|---|
//! | what differs from transport to transport? | `binding.rs` |
//! | what is a frame? | `frame.rs` |
//! | how does MCTP carry a message, and in which packets? | `mctp.rs` |
//! | how does a PCI DOE mailbox, and what is discovery? | `doe.rs` |
//! | how does TCP, and what is a role inquiry? | `tcp.rs` |
//! | what do the emulators put around all that? | `emulator.rs` |
//! | how are captures read and written? | `pcap.rs` |
//! | how do frames come from a stream? (feature `std`) | `stream.rs`, `connection.rs` |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod binding;
#[cfg(feature = "std")]
pub mod connection;
pub mod doe;
pub mod emulator;
pub mod frame;
pub mod mctp;
pub mod pcap;
#[cfg(feature = "std")]
pub mod stream;
pub mod tcp;
