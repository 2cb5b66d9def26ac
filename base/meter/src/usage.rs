//! The results of measurements, and the length that a search for secrets compares.

/// The memory that a measured call used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of successful allocator calls. Growing an allocation counts as one.
    pub allocations: u64,
    /// The total number of bytes allocated.
    pub heap_total: u64,
    /// The largest number of bytes held at one time.
    pub heap_peak: u64,
    /// The number of stack bytes written to.
    pub stack: u64,
}

/// The number of bytes of a secret that the search compares.
pub const MARK_LEN: usize = 12;
