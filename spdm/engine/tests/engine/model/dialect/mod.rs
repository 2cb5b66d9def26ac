//! Random conversations, valid and invalid, against a model of the dialect of openspdm-pqc (2021). The model is a small state
//! machine of the prototype's rules. It predicts each response, and afterwards checks the state.
//!
//! | topic | file |
//! |---|---|
//! | when a request is allowed, and its valid fields | `rules.rs` |
//! | effects of messages, and contents of responses | `state.rs` |
//! | negotiation | `tables.rs` |
//! | signatures and MACs | `proof.rs` |
//! | authentication of the requester | `mutual.rs` |
//! | the secret of a key exchange | `exchange.rs`; the state of a session, `session.rs` |
//! | messages in fragments | `fragments.rs` |
//! | the responder's keys | `keys.rs`, `setup.rs` |
//! | random messages | `messages.rs` |
//! | delivery, and comparison of responses | `conversation.rs` |
//!
//! The model stores transcripts as bytes and derives keys itself, and uses them to verify each signature, MAC and record. Where
//! neither the prototype nor SPDM 1.1 decides (session IDs, the hash, the AEAD), it accepts the responder's choice if it is valid.

mod conversation;
mod exchange;
mod fragments;
mod keys;
mod messages;
mod mutual;
mod proof;
mod rules;
mod session;
mod setup;
mod state;
mod tables;

use conversation::{Conversation, Coverage};
use std::ops::Range;

/// Runs a conversation of this many messages for each seed.
fn run_conversations(seeds: Range<u64>, messages: usize) -> Coverage {
    let mut seen = Coverage::default();
    for seed in seeds {
        let mut conversation = Conversation::new(seed);
        (0..messages).for_each(|_| conversation.step());
        seen.add(&conversation.seen);
    }
    seen
}

#[test]
fn fifty_thousand_random_messages_match_the_model() {
    run_conversations(100..120, 2500).check();
}

/// Covers cases that are too rare for the test above. Keys, nonces and random alterations differ in every run.
#[test]
#[ignore = "takes two minutes on one core"]
fn a_million_random_messages_match_the_model() {
    run_conversations(1000..1100, 10_000).check();
}
