//! A computation that is compiled for each level.

/// A computation that is compiled once for each level.
pub trait Kernel {
    /// Runs the computation. Must be `#[inline(always)]`, so that it is compiled with the level's instructions.
    fn run(self);
}
