//! Appraisal of a device's evidence: reason codes, verdicts, device modes, identities and shared keys.
//!
//! These modules do not print, read files, or depend on the command line, so a library can reuse them unchanged.

pub(super) mod comparison;
pub(super) mod criteria;
pub(super) mod device_mode;
pub(super) mod identity;
pub(super) mod judgement;
pub(super) mod reason;
pub(super) mod rule;
pub(super) mod shared_keys;
pub(super) mod test_roots;
pub(super) mod timestamp;
