//! The numbers of slots.

/// The slot number of the provisioned public key.
pub const PROVISIONED: u8 = 0xFF;
/// The number of slots.
pub const SLOTS: u8 = 8;
