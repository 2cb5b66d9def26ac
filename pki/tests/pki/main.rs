//! Keys and certificates in every form and era, as one test program.

mod certificates;
mod composites;
mod end_entities;
mod eras;
mod files;
mod keys;
mod refusals;
mod requests;
mod revocation;
mod rfc9881;
mod rows;
mod subjects;
