//! One test program for all modules.

mod attestation;
mod negotiation;
mod test_requester;
