//! Trust errors of chains in slots other than the requested one: such chains are shown, but need not be trusted.

use grille_pki::Error;
use grille_spdm_engine::chain::Chain;
use grille_spdm_engine::trust::{ChainVerifier, Claim};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The trust error of each slot's chain.
#[derive(Clone, Default)]
pub(super) struct SlotErrors(Arc<Mutex<BTreeMap<u8, String>>>);

impl SlotErrors {
    /// Returns the trust error of this slot's chain, if there is one.
    pub(super) fn error_for_slot(&self, slot: u8) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&slot).cloned()
    }
}

/// Applies a judge to the chain of one slot, and only records its verdict on the chains of other slots.
pub(super) struct SlotJudge<J> {
    pub(super) judge: J,
    pub(super) slot: u8,
    pub(super) slot_errors: SlotErrors,
}

impl<J: ChainVerifier> ChainVerifier for SlotJudge<J> {
    fn verify(&self, claim: &Claim, chain: &Chain) -> Result<(), Error> {
        let judged = self.judge.verify(claim, chain);
        if claim.slot == self.slot {
            return judged;
        }
        let mut slot_errors = self.slot_errors.0.lock().unwrap_or_else(PoisonError::into_inner);
        match judged {
            Ok(()) => slot_errors.remove(&claim.slot),
            Err(error) => slot_errors.insert(claim.slot, error.to_string()),
        };
        Ok(())
    }
}
