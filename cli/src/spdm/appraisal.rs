//! Appraisal of a device's evidence: reason codes, verdicts, device modes, identities and shared keys.
//!
//! These modules neither print, nor read files, nor know the command line, so that a library can have them unchanged.

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
