//! The table: one row per parameter set. Lengths and names come from the implementations, never retyped.

use crate::row::{KemRow, SignatureRow};

/// Every KEM, hybrid and classical key agreement, in the order in which they are listed.
#[rustfmt::skip]
pub static KEMS: &[KemRow] = &[
];

/// Every signature algorithm, in the order in which they are listed.
#[rustfmt::skip]
pub static SIGNATURES: &[SignatureRow] = &[
];
