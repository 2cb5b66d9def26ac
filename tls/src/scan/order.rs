//! Whether a server prefers quantum-safe groups, or lets the client's order or key shares decide.
//!
//! It is offered a classical group and a quantum-safe one in either order, with the key shares of both and with that of
//! the classical one alone, as clients send it that expect little of servers.

use super::meaning::share;
use super::{Found, Pace, Question, Scan};
use crate::error::Error;
use grille_registry::Row;
use std::cmp::Reverse;

/// What a server took each time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The quantum-safe group of the two.
    pub safe: u16,
    /// With both key shares, then with the classical one alone; of each, first with the quantum-safe group in front.
    pub trials: [Trial; 4],
}

/// What was offered once, and what was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// The client's order.
    pub groups: [u16; 2],
    /// The groups whose key shares it sent.
    pub shares: Vec<u16>,
    /// What the server took; `None` if it refused.
    pub taken: Option<u16>,
}

/// What the trials come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preference {
    /// It takes the quantum-safe group each time, and asks for its key share where it has none.
    QuantumSafe,
    /// It takes the quantum-safe group where it has the key share, wherever it stands.
    QuantumSafeIfShared,
    /// It has none: of two groups whose key shares it has it takes the client's first.
    ClientsOrder,
    /// It takes the classical group though it could have the other.
    Classical,
}

impl Order {
    /// What the trials come to.
    #[must_use]
    pub fn preference(&self) -> Preference {
        let safe = |trial: &Trial| trial.taken == Some(self.safe);
        let [both_safe_first, both_classical_first, _, one_classical_first] =
            self.trials.each_ref().map(safe);
        match (both_safe_first, both_classical_first, one_classical_first) {
            (true, true, true) => Preference::QuantumSafe,
            (true, true, false) => Preference::QuantumSafeIfShared,
            (true, false, _) => Preference::ClientsOrder,
            (false, ..) => Preference::Classical,
        }
    }

    /// Whether it takes the classical group where it has that key share alone, though the client prefers the other.
    #[must_use]
    pub fn spares_retries(&self) -> bool {
        self.trials[2].taken != Some(self.safe)
    }
}

/// A ClientHello is one record here.
const MAX_SHARE_LEN: usize = 1 << 13;

impl Scan {
    /// Offers two of the server's groups in four ways; `None` if it has not both kinds, or none that this side has too.
    pub(super) fn order(
        &self,
        schemes: &[u16],
        found: &mut Found,
        pace: &mut Pace,
    ) -> Result<Option<Order>, Error> {
        let own = found
            .usable()
            .map(|(code, row, _)| (code, row))
            .filter(|(_, row)| row.kem.info().encaps_key_len <= MAX_SHARE_LEN);
        let (safe, classical): (Vec<_>, Vec<_>) = own.partition(|(_, row)| row.category > 0);
        // of the best standing, and of those the first that the server named
        let safe = safe.into_iter().rev().max_by_key(|(_, row)| Reverse(row.status()));
        let (Some(safe), Some(classical)) = (safe, classical.first()) else { return Ok(None) };
        let (safe, classical) = (share(safe.0, safe.1), share(classical.0, classical.1));
        let order = |safe_first| if safe_first { [safe.0, classical.0] } else { [classical.0, safe.0] };
        let both = [safe.clone(), classical.clone()];
        let mut trial = |groups: [u16; 2], shares: &[(u16, Vec<u8>)]| {
            let taken = self.ask(&Question { groups: &groups, schemes, shares }, found, pace)?;
            Ok::<_, Error>(Trial { groups, shares: shares.iter().map(|(code, _)| *code).collect(), taken })
        };
        let trials = [
            trial(order(true), &both)?,
            trial(order(false), &both)?,
            trial(order(true), &both[1..])?,
            trial(order(false), &both[1..])?,
        ];
        Ok(Some(Order { safe: safe.0, trials }))
    }
}
