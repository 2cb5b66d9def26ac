//! SPDM 1.0 to 1.4, DSP0274 and DSP0277: requester and responder without input and output.
//!
//! The responder answers packets: [`responder::Responder::receive`] takes one and gives one, at once. The requester runs
//! [`operations`]: each is a packet out, a packet in, until it is done ([`requester::Requester::start`]), or the whole of
//! it over a [`requester::Carrier`]. Neither waits, and neither knows what carries packets. What a signer or a responder
//! needs time for is asked for again later.
//!
//! ```no_run
//! # use grille_spdm_engine::{config::Config, error::Error, identity::Identity, trust::Roots};
//! use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
//! use grille_spdm_engine::flight::Operation;
//! use grille_spdm_engine::operations::{Connect, End, FetchCertificate, Measure, OpenSession, Prove};
//! use grille_spdm_engine::requester::{Carrier, Requester};
//!
//! # fn main() {}
//! # #[cfg(feature = "std")]
//! # fn attest(transport: &mut impl Carrier<Error = Error>, roots: Roots) -> Result<(), Error> {
//! let can = Caps::CERT | Caps::CHAL | Caps::KEY_EX | Caps::ENCRYPT | Caps::MAC | Caps::CHUNK;
//! let mut requester = Requester::new(Config::with(can), Identity::default(), Box::new(roots));
//! requester.run(Connect::new(), transport)?;
//! requester.run(FetchCertificate::new(0), transport)?; // and believes it, or not
//! requester.run(Prove::new(0, 0xFF), transport)?;
//! let session = requester.run(OpenSession::new(0), transport)?;
//! let measured = requester.run(Measure::all_signed(0).within(session), transport)?;
//! requester.run(End(session), transport)?;
//! # Ok(())
//! # }
//! ```
//!
//! `examples/attest.rs` has both sides and their loops. Certificates, keys and what must be measured come from the caller: [`identity`],
//! [`trust`], [`device`].
//!
//! | question | file |
//! |---|---|
//! | which request is legal when, and which transcript does it feed? | `messages.rs` |
//! | may a request come now? | `admission.rs` |
//! | how does a response come to be? | [`responder`]; to what came in a session? `sealed.rs` |
//! | what do applications say in a session? | `application.rs`; and what is answered, [`device::Device::application`] |
//! | what if a response is not ready? | `respond_if_ready.rs` |
//! | how are messages cut into chunks? | `chunk.rs`; which are erased when they waited? `kept.rs` |
//! | how does the responder ask questions? | [`responder::Responder::ask`], `encapsulated.rs`, `question.rs`; how does the requester answer? `interviewed.rs` |
//! | how does an operation go on, and who waits? | [`requester`], [`flight`], and whichever it is, `way.rs` |
//! | what is in a message, on both sides? | the file of its name |
//! | what does a side offer, and with what does it prove itself? | [`config`], [`identity`] |
//! | whose chains are believed? | [`trust`] |
//! | what must a device's certificate say? | [`profile`] |
//! | what does the device itself say? | [`device`] |
//! | what can go wrong? | [`error`]; what ERROR says, `refusal.rs`; what the requester is not told of it, [`objection`], [`unproved`] |
//! | which messages go into which transcript? | [`transcript`] |
//! | which transcripts does a third party see, such as the reader of a capture? | [`observer`] |
//! | which keys come from which secrets? | [`key_schedule`] |
//! | how are messages of a session protected? | [`records`] |
//! | what is signed? | [`signatures`] |
//! | which keys does a session hold, and what happens to it? | [`session`] |
//! | which algorithms are there, and which are chosen? | [`algorithms`] |
//! | how are certificate chains written? | [`chain`] |
//! | which hash, HMAC and HKDF? | [`hash`] |
//! | who computes hashes and AEADs? | `symmetric.rs` |
//! | who computes classical signatures and key exchanges? | `classical.rs` |
//!
//! # Without the standard library
//!
//! The feature `std`, on by default, brings aws-lc-rs: classical signatures and key exchanges, and its hashes and AEADs; the
//! system's randomness and its clock. Without it an allocator is enough, hashes and AEADs are those of `symmetric/portable.rs`,
//! and there are the algorithms that the registry has without its feature `all`: ML-KEM, ML-DSA, SLH-DSA. Those are for
//! 1.4 alone, which is then what [`config::Config::default`] speaks; earlier versions are of use with a key that both sides have
//! beforehand. Random bytes then come
//! from the caller ([`responder::Responder::with_rng`]), and so does the time ([`trust::Roots::clock`]).
//!
//! Messages are vectors of the engine's. Where there is no allocator, `grille-spdm-device` answers in buffers of the caller's.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

mod admission;
pub mod algorithms;
mod application;
pub mod authenticated;
mod banks;
mod capabilities;
mod certificate;
pub mod chain;
mod challenge;
mod chunk;
#[cfg(feature = "std")]
mod classical;
pub mod config;
mod connect;
pub mod connection;
mod context;
mod csr;
pub mod device;
mod digests;
mod encapsulated;
mod end_session;
mod endpoint_info;
pub mod error;
mod events;
mod finish;
pub mod flight;
pub mod hash;
mod heartbeat;
pub mod identity;
mod interviewed;
mod kept;
mod key_exchange;
mod key_pair_info;
pub mod key_schedule;
mod key_update;
mod measurements;
mod mel;
mod messages;
mod negotiate;
pub mod objection;
pub mod observer;
mod open;
pub mod operations;
mod outcome;
pub mod profile;
mod psk;
mod question;
pub mod records;
mod refusal;
mod reply;
pub mod requester;
mod respond_if_ready;
pub mod responder;
mod sealed;
mod secured;
pub mod session;
mod set_certificate;
pub mod signatures;
mod slot_management;
mod symmetric;
pub mod transcript;
pub mod trust;
pub mod unproved;
mod vendor;
mod version;
mod way;
