//! Whose certificate chains are believed.

use crate::chain::Chain;
use grille_pki::verify::{Purpose, verify_chain};
use grille_pki::{Certificate, Error};
use std::sync::Arc;
use std::time::SystemTime;

/// Decides whether a chain is believed, after its structure was read.
pub trait Judge: Send {
    /// `Ok` if the chain in `slot` is believed.
    ///
    /// # Errors
    /// Why it is not.
    fn judge(&self, slot: u8, chain: &Chain) -> Result<(), Error>;
}

/// One that several sides share.
impl<J: Judge + Sync + ?Sized> Judge for Arc<J> {
    fn judge(&self, slot: u8, chain: &Chain) -> Result<(), Error> {
        (**self).judge(slot, chain)
    }
}

/// Believes chains that end in one of these roots.
pub struct Roots {
    /// The roots.
    pub roots: Vec<Certificate>,
    /// The time at which certificates must be valid; `None` means now.
    pub time: Option<SystemTime>,
}

impl Roots {
    /// Valid now.
    #[must_use]
    pub const fn new(roots: Vec<Certificate>) -> Self {
        Self { roots, time: None }
    }
}

impl Judge for Roots {
    fn judge(&self, _slot: u8, chain: &Chain) -> Result<(), Error> {
        let time = self.time.unwrap_or_else(SystemTime::now);
        verify_chain(&chain.leaf, &chain.issuers, &self.roots, time, Purpose::Server, None)
    }
}

/// Believes every chain: for tests, and for those who look at chains themselves.
pub struct Everyone;

impl Judge for Everyone {
    fn judge(&self, _slot: u8, _chain: &Chain) -> Result<(), Error> {
        Ok(())
    }
}
