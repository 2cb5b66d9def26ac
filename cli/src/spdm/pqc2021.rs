//! The dialect of openspdm-pqc (2021) in the subcommands of `grille spdm`: its options, and its keys in files.
//!
//! | topic | file |
//! |---|---|
//! | algorithm options, with the names and values of the prototype | `algorithm_options.rs` |
//! | `--spec` and the key folders of `requester`, `responder` and `attest` | `spec.rs` |
//! | the dialect of one side: its configuration and its keys | `dialect.rs` |
//! | the keys that a slot can have | `slot.rs` |
//! | keys without certificates | `key_set.rs` |
//! | their files | `key_files.rs` |
//! | the algorithm of a chain | `chain_algorithm.rs` |
//! | names of negotiated algorithms | `description.rs` |
//! | the dialect in the policy of an attestation | `policy.rs` |

pub(super) mod algorithm_options;
pub(super) mod chain_algorithm;
pub(super) mod description;
pub(super) mod dialect;
mod key_files;
pub(super) mod key_set;
mod policy;
pub(super) mod slot;
pub(super) mod spec;
