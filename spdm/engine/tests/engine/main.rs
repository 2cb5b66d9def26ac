//! Tests of requester and responder, against each other and against foreign messages, in one program.
#![cfg(feature = "std")]

/// The system's allocator, which finds secrets in freed memory for the module `erasure`.
#[global_allocator]
static ALLOCATOR: grille_meter::WatchingAllocator = grille_meter::WatchingAllocator;

mod applications;
mod attestation;
mod banks;
mod chain_verifier;
mod chunk_errors;
mod common;
mod common_algorithms;
mod device_faults;
mod during_key_update;
mod erasure;
mod events;
mod handshakes;
mod hostile_responses;
mod hybrid;
mod invalid_responses;
mod large_messages;
mod malformed_records;
mod measurement_log;
mod microcontroller;
mod model;
mod mutual;
mod mutual_psk_trace;
mod negotiation;
mod opaque_data;
mod operations;
mod pci_doe_padding;
mod pqc2021;
mod provisioning;
mod provisioning_callbacks;
mod psk;
mod random;
mod refusals;
mod request_resynch;
mod requester_identity;
mod responder_requests;
mod scripted_responder;
mod sessions;
mod set_certificate;
mod slow_key;
mod states;
mod traces;
mod transcripts;
mod validator;
