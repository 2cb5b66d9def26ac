//! The kinds of signature algorithms that the command line names.

/// Whether the user named signature algorithms, by kind.
#[derive(Clone, Copy)]
pub(crate) struct NamedAlgorithms {
    pub(crate) classical: bool,
    pub(crate) post_quantum: bool,
    pub(crate) hybrid: bool,
}

impl NamedAlgorithms {
    /// Returns whether algorithms of any kind were named.
    pub(crate) const fn has_any(self) -> bool {
        self.classical || self.post_quantum || self.hybrid
    }
}
