//! The prefix of signed transcript hashes (DSP0274 "Signature generation and verification", since 1.2).
//!
//! ```text
//! 4 × "dmtf-spdm-v1.X.*" │ zeroes │ context          100 bytes
//! ```

use crate::Version;

/// The length of the prefix in bytes.
pub const PREFIX_LEN: usize = 100;

/// The signing context of CHALLENGE_AUTH.
pub const CHALLENGE_AUTH: &str = "responder-challenge_auth signing";
/// The signing context of a requester's CHALLENGE_AUTH.
pub const ENCAPSULATED_CHALLENGE_AUTH: &str = "requester-challenge_auth signing";
/// The signing context of MEASUREMENTS.
pub const MEASUREMENTS: &str = "responder-measurements signing";
/// The signing context of KEY_EXCHANGE_RSP.
pub const KEY_EXCHANGE_RSP: &str = "responder-key_exchange_rsp signing";
/// The signing context of FINISH.
pub const FINISH: &str = "requester-finish signing";
/// The signing context of ENDPOINT_INFO.
pub const ENDPOINT_INFO: &str = "responder-endpoint_info signing";
/// The signing context of a requester's ENDPOINT_INFO.
pub const ENCAPSULATED_ENDPOINT_INFO: &str = "requester-endpoint_info signing";

/// Returns the prefix for one of this module's contexts. If a context is longer than 36 bytes, only its last 36 are
/// used.
#[must_use]
pub fn prefix(version: Version, context: &str) -> [u8; PREFIX_LEN] {
    let mut prefix = [0; PREFIX_LEN];
    for (byte, letter) in prefix.iter_mut().zip(b"dmtf-spdm-v1.0.*".iter().cycle()).take(64) {
        *byte = *letter;
    }
    prefix[13..64].iter_mut().step_by(16).for_each(|digit| *digit += version.byte() & 0xF);
    let context = prefix[64..].iter_mut().rev().zip(context.bytes().rev());
    context.for_each(|(byte, letter)| *byte = letter);
    prefix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefix_has_version_four_times_and_context_once() {
        let prefix = prefix(Version::V1_4, FINISH);
        let version = b"dmtf-spdm-v1.4.*dmtf-spdm-v1.4.*dmtf-spdm-v1.4.*dmtf-spdm-v1.4.*";
        assert_eq!(prefix[..64], version[..]);
        assert_eq!(prefix[64..76], [0; 12]);
        assert_eq!(&prefix[76..], FINISH.as_bytes());
    }
}
