//! TLS between two sides of ours, and against harm: one program of tests.

mod client_identity;
mod compression;
mod desk;
mod early_data;
mod every_row;
mod harm;
mod hostile;
mod identities;
mod order;
mod raw_keys;
mod refusals;
mod resumption;
mod scan;
mod sessions;
