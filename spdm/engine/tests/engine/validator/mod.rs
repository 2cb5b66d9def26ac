//! The cases of DMTF's SPDM-Responder-Validator against this responder, with P-384, SHA-384, secp384r1 and AES-256-GCM,
//! as in the validator's own sample. Each test has its case number at the start of its name. A case for a version and
//! all later versions runs in each of these versions, up to 1.4.
//!
//! | group | cases | file |
//! |---|---|---|
//! | 1 VERSION | 1.1 | `negotiation.rs` |
//! | 2 CAPABILITIES | 2.1 to 2.7 | `negotiation.rs` |
//! | 3 ALGORITHMS | 3.1, 3.2, 3.4 to 3.8 | `negotiation.rs` |
//! | 4 DIGESTS | 4.1, 4.2 | `identity.rs` |
//! | 5 CERTIFICATE | 5.1, 5.2, 5.4 to 5.6 | `identity.rs` |
//! | 6 CHALLENGE_AUTH | 6.1 to 6.4, 6.6, 6.11 to 6.18 | `identity.rs` |
//! | 7 MEASUREMENTS | 7.1, 7.2, 7.4 to 7.10 | `measurements.rs` |
//! | 8 KEY_EXCHANGE_RSP | 8.1 to 8.3, 8.5 to 8.8 | `sessions.rs` |
//! | 9 FINISH_RSP | 9.1 to 9.3, 9.5 to 9.11 | `sessions.rs` |
//! | 12 HEARTBEAT_ACK | 12.1 to 12.4 | `sessions.rs` |
//! | 13 KEY_UPDATE_ACK | 13.1 to 13.5 | `sessions.rs` |
//! | 16 END_SESSION_ACK | 16.1 to 16.4 | `sessions.rs` |
//!
//! Missing numbers do not exist in the validator. 6.11 to 6.18 are the numbers of its program and its log; in its documents the
//! same cases are 6.7 to 6.14.

mod identity;
mod measurements;
mod negotiation;
mod sessions;
mod tester;

use grille_spdm_codec::Version;

/// Returns the versions from `first` on.
fn from_version(first: Version) -> impl Iterator<Item = Version> {
    Version::ALL.into_iter().filter(move |version| *version >= first)
}
