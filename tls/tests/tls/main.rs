//! TLS between two sides of ours, and against harm: one program of tests.

mod compression;
mod deadlines;
mod desk;
mod early_data;
mod every_row;
mod harm;
mod hostile;
mod order;
mod raw_keys;
mod refusals;
mod scan;
mod sessions;
