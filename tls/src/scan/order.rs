//! Preference of a server: for classical or post-quantum groups, for the client's order, or for groups with key shares.
//!
//! The scan offers a classical and a post-quantum group in both orders: first with key shares for both, then with a key
//! share for the classical group only, as clients that avoid large ClientHellos do.

use super::meaning::generate_share;
use super::{Offer, RateLimit, Scan, ScanFindings};
use crate::error::Error;
use grille_registry::Row;
use std::cmp::Reverse;

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

/// Maximum length of a key share in these trials, so that a ClientHello fits into one record.
const MAX_SHARE_LEN: usize = 1 << 13;

impl Scan {
    /// Offers two of the server's groups, a classical and a post-quantum one, in four ways. Returns `None` if this side
    /// does not support a group of each kind.
    pub(super) fn order(
        &self,
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Option<Order>, Error> {
        let own = found
            .usable()
            .map(|(code, row, _)| (code, row))
            .filter(|(_, row)| row.kem.info().encaps_key_len <= MAX_SHARE_LEN);
        let (safe, classical): (Vec<_>, Vec<_>) = own.partition(|(_, row)| row.category > 0);
        // the post-quantum group with the best status and, among those, the first that the server selected
        let safe = safe.into_iter().rev().max_by_key(|(_, row)| Reverse(row.status()));
        let (Some(safe), Some(classical)) = (safe, classical.first()) else { return Ok(None) };
        let (safe, classical) = (generate_share(safe.0, safe.1), generate_share(classical.0, classical.1));
        let order = |safe_first| if safe_first { [safe.0, classical.0] } else { [classical.0, safe.0] };
        let both = [safe.clone(), classical.clone()];
        let mut trial = |groups: [u16; 2], shares: &[(u16, Vec<u8>)]| {
            let selected =
                self.select_group(&Offer { groups: &groups, schemes, shares }, found, rate_limit)?;
            Ok::<_, Error>(Trial { groups, shares: shares.iter().map(|(code, _)| *code).collect(), selected })
        };
        let trials = [
            trial(order(true), &both)?,
            trial(order(false), &both)?,
            trial(order(true), &both[1..])?,
            trial(order(false), &both[1..])?,
        ];
        Ok(Some(Order { post_quantum: safe.0, trials }))
    }
}
