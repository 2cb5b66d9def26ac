//! Random conversations, legal and illegal, against a model: a small state machine of DSP0274's rules, which says before
//! each message what has to come back, and after it what everything has come to.
//!
//! | question | file |
//! |---|---|
//! | which request may come when, and with which fields? | `rules.rs` |
//! | the same of requests about the device itself | `provisioning.rs`; about banks of slots: `banks.rs` |
//! | what does a message change, and what must a response say? | `state.rs` |
//! | what is the requester asked, and which answers are right? | `interview.rs`; its answers, `answers.rs` |
//! | what does a session remember? | `session.rs` |
//! | who are the two, and what is the device? | `identity.rs`, `device.rs`, `beginning.rs` |
//! | which messages are sent? | `messages.rs` |
//! | how do they get there, and is the answer the right one? | `talk.rs` |
//!
//! The model keeps transcripts as bytes and checks each signature, MAC and record with them. Where the standard leaves a
//! choice (session numbers, which of several algorithms) it takes what the responder chose, if it may.

mod announced;
mod answers;
mod banks;
mod beginning;
mod device;
mod events;
mod fields;
mod identity;
mod interview;
mod messages;
mod negotiation;
mod provisioning;
mod questions;
mod rules;
mod session;
mod state;
mod talk;

use std::ops::Range;
use talk::Talk;

/// A hundred thousand messages of each of these conversations.
fn talks(seeds: Range<u64>) -> talk::Seen {
    let mut seen = talk::Seen::default();
    for seed in seeds {
        let mut talk = Talk::new(seed);
        (0..100_000).for_each(|_| talk.step());
        seen.add(&talk);
    }
    seen
}

#[test]
fn a_million_random_messages_are_answered_as_the_model_says() {
    talks(100..110).check();
}

/// What is too rare for a million: keys and nonces are others in every run, and so is what chance makes of them.
#[test]
#[ignore = "takes a quarter of an hour on one core"]
fn a_hundred_million_random_messages_are_answered_as_the_model_says() {
    talks(1000..2000).check();
}
