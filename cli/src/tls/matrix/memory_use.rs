//! The memory that one side of a connection uses.

use grille_meter::Usage;
use serde::{Deserialize, Serialize};

/// The memory of one side; all numbers but `allocations` are bytes.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct MemoryUse {
    pub(super) stack: u64,
    pub(super) allocations: u64,
    pub(super) heap_total: u64,
    pub(super) heap_peak: u64,
}

impl From<Usage> for MemoryUse {
    fn from(Usage { allocations, heap_total, heap_peak, stack }: Usage) -> Self {
        Self { stack, allocations, heap_total, heap_peak }
    }
}
