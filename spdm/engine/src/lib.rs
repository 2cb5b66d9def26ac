//! SPDM 1.0 to 1.4, DSP0274 and DSP0277: requester and responder without input and output.
//!
//! | question | file |
//! |---|---|
//! | which messages go into which transcript? | [`transcript`] |
//! | which keys come from which secrets? | [`key_schedule`] |
//! | how are messages of a session protected? | [`records`] |
//! | what is signed? | [`signatures`] |
//! | which algorithms are there, and which are chosen? | [`algorithms`] |
//! | how are certificate chains written? | [`chain`] |
//! | which hash, HMAC and HKDF? | [`hash`] |
#![forbid(unsafe_code)]

pub mod algorithms;
pub mod chain;
pub mod hash;
pub mod key_schedule;
pub mod records;
pub mod signatures;
pub mod transcript;
