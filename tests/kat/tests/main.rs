//! One test program for all vectors, so that the algorithms are linked once.

mod acvp;
#[cfg(feature = "all")]
mod ed448;
mod falcon_ct;
mod falcon_round3;
mod known_answers;
mod sphincs_round31;
mod wycheproof;
