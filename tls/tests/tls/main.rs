//! TLS between two sides of this crate, and against faults, as one test program.

mod client_identity;
mod compression;
mod deadlines;
mod early_data;
mod every_row;
mod faults;
mod fixture;
mod hostile;
mod identities;
mod order;
mod raw_keys;
mod refusals;
mod resumption;
mod scan;
mod sessions;
