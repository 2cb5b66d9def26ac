//! Whose certificate chains are believed.

use crate::chain::Chain;
use crate::profile;
use crate::transcript::Prover;
use alloc::{borrow::ToOwned, sync::Arc, vec::Vec};
use core::time::Duration;
use grille_pki::verify::{Demand, Purpose, verify_chain, verify_line};
use grille_pki::{Certificate, Error};

/// Decides whether a chain is believed, after its structure was read.
pub trait Judge: Send {
    /// `Ok` if the chain is believed.
    ///
    /// # Errors
    /// Why it is not.
    fn judge(&self, claim: &Claim, chain: &Chain) -> Result<(), Error>;
}

/// Whose a chain claims to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Who proves itself with it.
    pub prover: Prover,
    /// The slot that it is in.
    pub slot: u8,
    /// Its certificate model, one of [`crate::identity::model`].
    pub model: u8,
}

/// One that several sides share.
impl<J: Judge + Sync + ?Sized> Judge for Arc<J> {
    fn judge(&self, claim: &Claim, chain: &Chain) -> Result<(), Error> {
        (**self).judge(claim, chain)
    }
}

/// Believes chains that are a line from one of these roots to the device's own certificate, and have nothing else in them: what
/// any of their certificates claims is a device's own then.
pub struct Roots<C = fn() -> Duration> {
    /// The roots.
    pub roots: Vec<Certificate>,
    /// What time it is, since 1970: certificates must be valid then. A board's own clock may be in it.
    pub clock: C,
}

impl Roots {
    /// Valid now.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn new(roots: Vec<Certificate>) -> Self {
        Self { roots, clock: grille_pki::now }
    }
}

impl<C: Fn() -> Duration + Send> Judge for Roots<C> {
    /// The chain begins at the root whose hash it has, each of its certificates issued the next, all are valid, and the last is as
    /// [`profile::check`] asks, in every model: which one it is, is the prover's word alone.
    fn judge(&self, claim: &Claim, chain: &Chain) -> Result<(), Error> {
        let demand = Demand { time: (self.clock)(), purpose: Purpose::Other, name: None };
        let Some(root) = self.roots.iter().find(|root| chain.names_root(root)) else {
            // whose chain it is instead
            verify_chain(&chain.leaf, &chain.issuers, &self.roots, &demand)?;
            return Err(Error::Chain { certificate: chain.leaf.subject(), reason: OTHER_ROOT.to_owned() });
        };
        verify_line(&chain.leaf, &chain.issuers, root, &demand)?;
        profile::check(&chain.leaf, claim.prover, claim.model)
    }
}

/// Why [`Roots`] do not believe a chain that one of them issued, but that does not name it.
pub const OTHER_ROOT: &str = "stands in a chain whose RootHash is of none of the roots given";

/// Believes every chain: for tests, and for those who look at chains themselves.
pub struct Everyone;

impl Judge for Everyone {
    fn judge(&self, _claim: &Claim, _chain: &Chain) -> Result<(), Error> {
        Ok(())
    }
}
