//! Tests of requester and responder, against each other and against foreign messages, in one program.
#![cfg(feature = "std")]

/// The system's allocator, which finds secrets for the module `erasure`.
#[global_allocator]
static ALLOCATOR: grille_meter::Watching = grille_meter::Watching;

mod applications;
mod attestation;
mod authenticated;
mod banks;
mod chunks;
mod common;
mod common_algorithms;
mod erasure;
mod events;
mod flights;
mod handshakes;
mod judge;
mod large;
mod logs;
mod microcontroller;
mod mistakes;
mod misunderstood;
mod model;
mod mutual;
mod mutual_psk_trace;
mod negotiation;
mod opaque;
mod padded;
mod provisioning;
mod psk;
mod puppet;
mod questions;
mod random;
mod refusals;
mod resynch;
mod sessions;
mod slots;
mod slow_key;
mod states;
mod traces;
mod transcripts;
mod unkind;
mod untrue;
mod updating;
mod validator;
mod witness;
