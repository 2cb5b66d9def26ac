//! Preference of a server: for classical or post-quantum groups, for the client's order, or for groups with key shares.
//!
//! The scan offers a classical and a post-quantum group in both orders: first with key shares for both, then with a key
//! share for the classical group only, as clients that avoid large ClientHellos do.

/// Selections of a server in all trials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Codepoint of the post-quantum group.
    pub post_quantum: u16,
    /// Two trials with both key shares, then two with the classical key share only. The first trial of each pair lists
    /// the post-quantum group first.
    pub trials: [Trial; 4],
}

/// One offer, and the server's selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Groups in the client's order.
    pub groups: [u16; 2],
    /// Groups for which the client sent key shares.
    pub shares: Vec<u16>,
    /// Group that the server selected; `None` if it refused.
    pub selected: Option<u16>,
}

/// Preference of a server, as concluded from all trials.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// The server always selects the post-quantum group and requests its key share if it is missing.
    QuantumSafe,
    /// The server selects the post-quantum group if it has the key share, in any position.
    QuantumSafeIfShared,
    /// The server has no preference: of two groups with key shares, it selects the client's first.
    ClientOrder,
    /// The server selects the classical group although the post-quantum one is available.
    Classical,
}

impl Order {
    /// Returns the preference that follows from the trials.
    #[must_use]
    pub fn preference(&self) -> Preference {
        let safe = |trial: &Trial| trial.selected == Some(self.post_quantum);
        let [both_safe_first, both_classical_first, _, one_classical_first] =
            self.trials.each_ref().map(safe);
        match (both_safe_first, both_classical_first, one_classical_first) {
            (true, true, true) => Preference::QuantumSafe,
            (true, true, false) => Preference::QuantumSafeIfShared,
            (true, false, _) => Preference::ClientOrder,
            (false, ..) => Preference::Classical,
        }
    }

    /// Returns whether the server selects the classical group if that is the only one with a key share, although the
    /// client prefers the post-quantum group.
    #[must_use]
    pub fn avoids_retries(&self) -> bool {
        self.trials[2].selected != Some(self.post_quantum)
    }
}
