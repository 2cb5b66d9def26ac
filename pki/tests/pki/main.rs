//! Keys and certificates in every form and era: one program of tests.

mod certificates;
mod composites;
mod eras;
mod keys;
mod rfc9881;
mod subjects;
