//! Random conversations, valid and invalid, against a model. The model is a small state machine of DSP0274's rules. It predicts
//! each response, and afterwards checks the complete state.
//!
//! | topic | file |
//! |---|---|
//! | when a request is allowed, and its valid fields | `rules.rs` |
//! | requests about the device | `provisioning.rs`; banks of slots, `banks.rs` |
//! | effects of messages, and contents of responses | `state.rs` |
//! | encapsulated requests and valid answers | `encapsulated.rs`; the requester's answers, `requester_answers.rs` |
//! | the state of a session | `session.rs` |
//! | the identities of both sides, and the device | `identity.rs`, `device.rs`, `setup.rs` |
//! | random messages | `messages.rs` |
//! | delivery, and comparison of responses | `conversation.rs` |
//! | a model of the dialect of openspdm-pqc (2021) | `dialect/` |
//!
//! The model stores transcripts as bytes and uses them to verify each signature, MAC and record. Where the standard leaves a
//! choice (session IDs, one of several algorithms), the model accepts the responder's choice if it is valid.

mod banks;
mod conversation;
mod device;
mod dialect;
mod encapsulated;
mod events;
mod fields;
mod identity;
mod messages;
mod negotiation;
mod provisioning;
mod requester_answers;
mod requester_slots;
mod responder_requests;
mod rules;
mod session;
mod setup;
mod state;

use conversation::Conversation;
use std::ops::Range;

/// Runs a conversation of a hundred thousand messages for each seed.
fn run_conversations(seeds: Range<u64>) -> conversation::Coverage {
    let mut seen = conversation::Coverage::default();
    for seed in seeds {
        let mut conversation = Conversation::new(seed);
        (0..100_000).for_each(|_| conversation.step());
        seen.add(&conversation);
    }
    seen
}

#[test]
fn a_million_random_messages_match_the_model() {
    run_conversations(100..110).check();
}

/// Covers cases that are too rare for a million messages. Keys, nonces and random alterations differ in every run.
#[test]
#[ignore = "takes a quarter of an hour on one core"]
fn a_hundred_million_random_messages_match_the_model() {
    run_conversations(1000..2000).check();
}
