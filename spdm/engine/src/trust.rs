//! Whose certificate chains are believed.

use crate::chain::Chain;
use crate::profile::{self, Profile};
use crate::transcript::Prover;
use alloc::{borrow::ToOwned, sync::Arc, vec::Vec};
use core::time::Duration;
use grille_pki::verify::{Demand, Purpose, check_not_revoked, verify_chain, verify_line};
use grille_pki::{Certificate, Crl, Error};

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
    /// Revocation lists. Unless there are none, one of them must cover each certificate of a chain. A root needs none, and neither
    /// do certificates that a device issued itself, below one with the mark hardware-identity: no device publishes lists.
    pub crls: Vec<Crl>,
}

impl Roots {
    /// Valid now.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn new(roots: Vec<Certificate>) -> Self {
        Self { roots, clock: grille_pki::now, crls: Vec::new() }
    }
}

impl<C> Roots<C> {
    /// Returns these roots with revocation lists: a chain with a revoked certificate is not believed.
    #[must_use]
    pub fn with_crls(self, crls: Vec<Crl>) -> Self {
        Self { crls, ..self }
    }

    /// Checks that no certificate of the chain below `root` was revoked.
    fn check_not_revoked(&self, root: &Certificate, chain: &Chain, time: Duration) -> Result<(), Error> {
        let below_root = match chain.issuers.as_slice() {
            [first, rest @ ..] if first.as_der() == root.as_der() => rest,
            all => all,
        };
        let is_device = |certificate: &Certificate| Profile::of(certificate).hardware_identity;
        let device = below_root.iter().position(is_device);
        let issued_to_device = device.map_or(below_root, |place| &below_root[..=place]);
        let leaf = if device.is_none() { Some(&chain.leaf) } else { None };
        check_not_revoked(root, issued_to_device.iter().chain(leaf), &self.crls, time)
    }
}

impl<C: Fn() -> Duration + Send> Judge for Roots<C> {
    /// The chain begins at the root whose hash it has, each of its certificates issued the next, all are valid, and the last is as
    /// [`profile::check`] asks, in every model: which one it is, is the prover's word alone. No certificate may be revoked.
    fn judge(&self, claim: &Claim, chain: &Chain) -> Result<(), Error> {
        let demand = Demand { time: (self.clock)(), purpose: Purpose::Other, name: None };
        let Some(root) = self.roots.iter().find(|root| chain.names_root(root)) else {
            // whose chain it is instead
            verify_chain(&chain.leaf, &chain.issuers, &self.roots, &demand)?;
            return Err(Error::Chain { certificate: chain.leaf.subject(), reason: OTHER_ROOT.to_owned() });
        };
        verify_line(&chain.leaf, &chain.issuers, root, &demand)?;
        self.check_not_revoked(root, chain, demand.time)?;
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
