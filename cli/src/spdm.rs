//! SPDM: devices that prove what they are, and sessions with them.

pub(crate) mod algorithms;
pub(crate) mod device;
pub(crate) mod link;
pub(crate) mod measured;
