//! SPDM 1.0 to 1.4, DSP0274 and DSP0277: requester and responder without input and output.
//!
//! The responder answers packets ([`responder::Responder::receive`]); the requester runs [`operations`], each of which is
//! a packet out, a packet in, until it is done ([`requester::Requester::start`]). Neither waits or knows what carries
//! packets.
//!
//! | question | file |
//! |---|---|
//! | which request is legal when, and which transcript does it feed? | `messages.rs` |
//! | how does a response come to be? | [`responder`] |
//! | how does an operation go on, and who waits? | [`requester`], [`flight`] |
//! | what is in a message, on both sides? | the file of its name |
//! | what does a side offer, and with what does it prove itself? | [`config`], [`identity`] |
//! | whose chains are believed? | [`trust`] |
//! | what does the device itself say? | [`device`] |
//! | what can go wrong? | [`error`] |
//! | which messages go into which transcript? | [`transcript`] |
//! | which keys come from which secrets? | [`key_schedule`] |
//! | how are messages of a session protected? | [`records`] |
//! | what is signed? | [`signatures`] |
//! | which keys does a session hold, and what happens to it? | [`session`] |
//! | which algorithms are there, and which are chosen? | [`algorithms`] |
//! | how are certificate chains written? | [`chain`] |
//! | which hash, HMAC and HKDF? | [`hash`] |
#![forbid(unsafe_code)]

mod admission;
pub mod algorithms;
mod capabilities;
mod certificate;
pub mod chain;
mod challenge;
mod chunk;
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
mod key_exchange;
mod key_pair_info;
pub mod key_schedule;
mod key_update;
mod measurements;
mod mel;
mod messages;
mod negotiate;
mod open;
pub mod operations;
mod psk;
pub mod records;
mod reply;
pub mod requester;
pub mod responder;
mod secured;
pub mod session;
mod set_certificate;
pub mod signatures;
mod slot_management;
pub mod transcript;
pub mod trust;
mod vendor;
mod version;
