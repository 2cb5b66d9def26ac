//! Keys and certificates in every form and era: one program of tests.

mod certificates;
mod composites;
mod end_entities;
mod eras;
mod files;
mod keys;
mod requests;
mod revocation;
mod rfc9881;
mod subjects;
