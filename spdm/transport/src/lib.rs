//! SPDM transports: MCTP (DSP0275), PCI DOE, TCP (DSP0287), and the sockets of DMTF's emulators.
//!
//! The framing works on byte slices.
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
//! # Features
//! `std` (default): adds `connection` and `stream`, which send and receive frames over streams such as `TcpStream`.
//!
//! # Without the standard library
//! Without `std` the crate is `no_std` and does not allocate.
//!
//! # Security
//! Malformed input never makes this crate panic. Transports do not protect messages: SPDM's signatures and sessions
//! do.
//!
//! # Map of the source
//!
//! | question | file |
//! |---|---|
//! | how do the transports differ? | `binding.rs` |
//! | what is a frame? | `frame.rs` |
//! | how are messages framed and packetized on MCTP? | `mctp.rs` |
//! | how are messages framed on PCI DOE, and what is discovery? | `doe.rs` |
//! | how are messages framed on TCP, and what is a Role-Inquiry? | `tcp.rs` |
//! | which header do the emulators add? | `emulator.rs` |
//! | how are captures read and written? | `pcap.rs` |
//! | how are frames read from a stream? (feature `std`) | `stream.rs`, `connection.rs` |
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
