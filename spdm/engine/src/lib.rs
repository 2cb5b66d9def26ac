//! SPDM 1.0 to 1.4 (DSP0274, DSP0277): a requester and a responder without I/O.
//!
//! The responder answers packets: [`responder::Responder::receive`] takes one and returns one. The requester runs
//! [`operations`]. [`requester::Requester::start`] and [`requester::Requester::receive`] run an operation packet by
//! packet; [`requester::Requester::run`] runs it over a [`requester::Carrier`]. Neither side blocks or knows the
//! transport. If a signer or the peer needs time, the engine returns the delay, and the caller continues later.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! #     #[cfg(feature = "std")]
//! #     example::attest()?;
//! #     Ok(())
//! # }
//! # #[cfg(feature = "std")]
//! # mod example {
//! use grille_core::SystemRng;
//! use grille_pki::PrivateKey;
//! use grille_pki::issue::{Profile, Template, issue, self_signed};
//! use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
//! use grille_spdm_engine::algorithms::Asym;
//! use grille_spdm_engine::config::{Config, Packet};
//! use grille_spdm_engine::device::{Device, MeasuredValue, Measurement};
//! use grille_spdm_engine::error::Refusal;
//! use grille_spdm_engine::identity::{Identity, Slot};
//! use grille_spdm_engine::operation::Operation;
//! use grille_spdm_engine::operations::{ChallengeResponder, Connect, End, FetchCertificate, Measure, OpenSession};
//! use grille_spdm_engine::requester::{Carrier, Requester};
//! use grille_spdm_engine::responder::Responder;
//! use grille_spdm_engine::signatures::LocalSigner;
//! use grille_spdm_engine::trust::Roots;
//! use std::error::Error;
//! use std::sync::Arc;
//!
//! /// A device with one measurement: its version.
//! struct Firmware;
//!
//! impl Device for Firmware {
//!     fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
//!         Ok(vec![Measurement { index: 1, kind: 6, value: MeasuredValue::Raw(b"1.0.0".to_vec()), tcb: true }])
//!     }
//! }
//!
//! /// The transport; here the responder is in the same program.
//! struct Wire(Responder);
//!
//! impl Carrier for Wire {
//!     type Error = Box<dyn Error>;
//!
//!     fn exchange(&mut self, request: Packet) -> Result<Packet, Self::Error> {
//!         Ok(self.0.receive(&request))
//!     }
//! }
//!
//! pub fn attest() -> Result<(), Box<dyn Error>> {
//!     // the manufacturer
//!     let (row, rng) = (grille_registry::signature_by_name("ML-DSA-65")?, &mut SystemRng);
//!     let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
//!     let root = self_signed(&Template::new("CN=root", Profile::Root)?, &root_key, rng)?;
//!     let leaf = Template::new("CN=device", Profile::end_entity(&[])?)?;
//!     let leaf = issue(&leaf, key.public_key(), &root, &root_key, rng)?;
//!     let signer = LocalSigner::new(Asym::by_name("ML-DSA-65").ok_or("not in SPDM")?, key)?;
//!     let slot = Slot::new(0, vec![root.clone(), leaf], Arc::new(signer));
//!
//!     // the device
//!     let can = Caps::CERT | Caps::CHAL | Caps::KEY_EX | Caps::ENCRYPT | Caps::MAC | Caps::CHUNK | Caps::LARGE_RESP;
//!     let config = Config::with(can | Caps::MEAS_SIG);
//!     let mut wire = Wire(Responder::new(config, Identity::default().with(slot), Box::new(Firmware)));
//!
//!     // the requester
//!     let roots = Box::new(Roots::new(vec![root]));
//!     let mut requester = Requester::new(Config::with(can), Identity::default(), roots);
//!     requester.run(Connect::new(), &mut wire)?;
//!     requester.run(FetchCertificate::new(0), &mut wire)?; // fails if `roots` do not trust the chain
//!     requester.run(ChallengeResponder::new(0, 0xFF), &mut wire)?;
//!     let session = requester.run(OpenSession::new(0), &mut wire)?;
//!     let measured = requester.run(Measure::all_signed(0).within(session), &mut wire)?;
//!     assert_eq!(measured.blocks[0].value, b"1.0.0");
//!     requester.run(End(session), &mut wire)?;
//!     Ok(())
//! }
//! # }
//! ```
//!
//! `examples/attest.rs` has both sides with their loops. The caller provides certificates and keys ([`identity`]), trusted roots
//! ([`trust`]), and measurements ([`device`]).
//!
//! # Features
//! `std` (default): adds aws-lc-rs, with classical signatures and key exchanges, hashes and AEADs, and the system's
//! random generator and clock.
//!
//! # Without the standard library
//! Without `std` the crate needs only an allocator and atomic compare-and-swap. Hashes and AEADs are those of `symmetric/portable.rs`. The algorithms are
//! those of the registry without its feature `all`: ML-KEM, ML-DSA, SLH-DSA. Only SPDM 1.4 has them, so
//! [`config::Config::default`] supports 1.4 only; earlier versions are useful with pre-shared keys. The caller provides random
//! bytes ([`responder::Responder::with_rng`]) and the time ([`trust::Roots::clock`]).
//!
//! Messages are allocated vectors. For targets without an allocator use `grille-spdm-device`, whose responder writes into the
//! caller's buffers.
//!
//! # Security
//! [`trust::Roots`] trusts a chain only if it ends in one of the roots. A root certifies many devices: compare the
//! certificate to identify one. The engine proves which device sent the measurements; the caller compares them with
//! expected values.
//!
//! Session secrets are erased on drop. Without `std`, records are protected by RustCrypto's AEADs, which are
//! constant time only on processors with a constant-time multiplication. `SECURITY.md` has the details.
//!
//! # Map of the source
//!
//! | topic | file |
//! |---|---|
//! | the table of requests: phase, place, capabilities, transcript | `messages.rs`; their handlers, `dispatch.rs` |
//! | checks whether a request is allowed | `request_checks.rs` |
//! | responses | [`responder`]; to records of a session, `responder_records.rs`; their effects, `reply_effects.rs` |
//! | application data in sessions | `application.rs`; the responder's answers, [`device::Device::application`] |
//! | ResponseNotReady | `respond_if_ready.rs` |
//! | chunks | `chunk.rs`; the responder's answers, `responder_chunks.rs`; buffers of secret messages, `message_buffer.rs` |
//! | encapsulated requests | [`responder::Responder::queue_request`], `encapsulated_responder.rs`, `encapsulated_flow.rs`, `responder_request.rs`; the requester's answers, `encapsulated_requester.rs` |
//! | running an operation | [`requester`], [`operation`], [`active_operation`]; one request, with chunks and retries, `exchange.rs` |
//! | a message, on both sides | the file with its name |
//! | the differences between versions | [`rules`] |
//! | the dialect of openspdm-pqc (2021) | [`pqc2021`] |
//! | hybrids for 1.4 | [`hybrid`] |
//! | measurement of cryptographic operations | [`meter`] |
//! | capabilities, certificate chains and keys of one side | [`config`], [`identity`] |
//! | trust in the peer's certificate chain | [`trust`] |
//! | requirements for device certificates | [`profile`] |
//! | the device behind a responder | [`device`] |
//! | errors | [`error`]; ERROR, `refusal.rs`; details that the requester does not learn, [`refused_request`], [`auth_failure`] |
//! | transcripts | [`transcript`]; which messages feed and end them, `transcript_rules.rs` |
//! | transcripts for third parties, such as the reader of a capture | [`observer`] |
//! | the key schedule | [`key_schedule`] |
//! | secured messages | [`records`] |
//! | signatures | [`signatures`]; their input, `to_be_signed.rs` |
//! | sessions and their keys | [`session`] |
//! | algorithms and their selection | [`algorithms`] |
//! | the encoding of certificate chains | [`chain`] |
//! | hash, HMAC and HKDF | [`hash`] |
//! | encoding of messages | `encode.rs` |
//! | implementations of hashes and AEADs | `symmetric.rs` |
//! | implementations of classical signatures and key exchanges | `classical.rs` |
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(any(test, feature = "std"))]
extern crate std;

pub mod active_operation;
pub mod algorithms;
mod application;
mod asym;
pub mod auth_failure;
mod authentication;
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
mod digest;
mod digests;
mod dispatch;
mod ecdsa_der;
mod encapsulated_flow;
mod encapsulated_requester;
mod encapsulated_responder;
mod encode;
mod end_session;
mod endpoint_info;
mod endpoint_query;
pub mod error;
mod event_list;
mod events;
mod exchange;
mod exchange_algorithms;
mod exchange_parts;
mod finish;
pub mod hash;
mod heartbeat;
pub mod hybrid;
pub mod identity;
mod key_exchange;
mod key_pair_info;
pub mod key_schedule;
mod key_update;
mod measurements;
mod mel;
mod message_buffer;
mod messages;
pub mod meter;
mod negotiate;
pub mod observer;
mod offer;
mod open_session;
pub mod operation;
pub mod operations;
mod pending_answer;
pub mod pqc2021;
mod pqc2021_negotiate;
pub mod profile;
mod proof;
mod psk;
pub mod records;
mod refusal;
mod refusal_reason;
pub mod refused_request;
mod reply;
mod reply_effects;
mod request_checks;
pub mod requester;
pub mod requester_identity;
mod respond_if_ready;
pub mod responder;
mod responder_chunks;
mod responder_fragments;
mod responder_records;
mod responder_request;
mod role;
pub mod rules;
mod scheme;
mod secured_version;
pub mod session;
mod session_id;
mod session_policy;
mod set_certificate;
pub mod signatures;
mod slot_digest;
mod slot_management;
mod slot_number;
mod symmetric;
mod to_be_signed;
pub mod transcript;
mod transcript_record;
mod transcript_rules;
pub mod trust;
mod vendor;
mod version;
