//! Trust in the peer's certificate chain.

use crate::chain::Chain;
use crate::profile::{self, Profile};
use crate::transcript::Prover;
use alloc::{borrow::ToOwned, sync::Arc, vec::Vec};
use core::time::Duration;
use grille_pki::verify::{Purpose, Requirements, check_not_revoked, verify_chain, verify_ordered_chain};
use grille_pki::{Certificate, Crl, Error};

/// A verifier of certificate chains. The chains are already parsed.
pub trait ChainVerifier: Send {
    /// Returns `Ok` if the chain is trusted.
    ///
    /// # Errors
    /// Returns the reason why the chain is not trusted.
    fn verify(&self, claim: &Claim, chain: &Chain) -> Result<(), Error>;
}

/// The identity that a chain claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The side that the chain authenticates.
    pub prover: Prover,
    /// The chain's slot.
    pub slot: u8,
    /// The chain's certificate model, one of [`crate::identity::model`].
    pub model: u8,
}

/// A shared verifier.
impl<J: ChainVerifier + Sync + ?Sized> ChainVerifier for Arc<J> {
    fn verify(&self, claim: &Claim, chain: &Chain) -> Result<(), Error> {
        (**self).verify(claim, chain)
    }
}

/// Trusts chains that lead from one of these roots to the device's own certificate without unrelated certificates. So every
/// certificate in a trusted chain belongs to the device's issuers or the device.
pub struct Roots<C = fn() -> Duration> {
    /// The trusted roots.
    pub roots: Vec<Certificate>,
    /// A function that returns the time since the Unix epoch, at which certificates must be valid. It may read a
    /// board's own clock.
    pub clock: C,
    /// Certificate revocation lists. If there are any, every certificate of a chain must be covered by one. Exceptions are the
    /// root, and certificates that a device issued itself, below one marked hardware-identity: devices publish no lists.
    pub crls: Vec<Crl>,
}

impl Roots {
    /// Trusts these roots, at the current time.
    #[cfg(feature = "std")]
    #[must_use]
    pub const fn new(roots: Vec<Certificate>) -> Self {
        Self { roots, clock: grille_pki::now, crls: Vec::new() }
    }
}

impl<C> Roots<C> {
    /// Adds certificate revocation lists: chains with a revoked certificate are not trusted.
    #[must_use]
    pub fn with_crls(self, crls: Vec<Crl>) -> Self {
        Self { crls, ..self }
    }

    /// Checks that no certificate of the chain below `root` is revoked.
    fn check_not_revoked(&self, root: &Certificate, chain: &Chain, time: Duration) -> Result<(), Error> {
        let below_root = match chain.issuers.as_slice() {
            [first, rest @ ..] if first.as_der() == root.as_der() => rest,
            all => all,
        };
        let is_device = |certificate: &Certificate| Profile::from_certificate(certificate).hardware_identity;
        let device = below_root.iter().position(is_device);
        let issued_to_device = device.map_or(below_root, |place| &below_root[..=place]);
        let leaf = if device.is_none() { Some(&chain.leaf) } else { None };
        check_not_revoked(root, issued_to_device.iter().chain(leaf), &self.crls, time)
    }
}

impl<C: Fn() -> Duration + Send> ChainVerifier for Roots<C> {
    /// Checks that the chain starts at the root with its RootHash, that each certificate issued the next, and that all are valid
    /// and none is revoked. The leaf must pass [`profile::check`] in every model, because the model is only the peer's claim.
    fn verify(&self, claim: &Claim, chain: &Chain) -> Result<(), Error> {
        let requirements = Requirements { time: (self.clock)(), purpose: Purpose::Other, name: None };
        let Some(root) = self.roots.iter().find(|root| chain.has_root_hash_of(root)) else {
            // report the chain's own error first
            verify_chain(&chain.leaf, &chain.issuers, &self.roots, &requirements)?;
            return Err(Error::Chain { certificate: chain.leaf.subject(), reason: OTHER_ROOT.to_owned() });
        };
        verify_ordered_chain(&chain.leaf, &chain.issuers, root, &requirements)?;
        self.check_not_revoked(root, chain, requirements.time)?;
        profile::check(&chain.leaf, claim.prover, claim.model)
    }
}

/// The error for a chain that one of the [`Roots`] issued, but whose RootHash names another root.
pub const OTHER_ROOT: &str = "is in a chain whose RootHash matches none of the given roots";

/// Trusts every chain. For tests, and for callers that verify chains themselves.
pub struct DangerousAcceptAny;

impl ChainVerifier for DangerousAcceptAny {
    fn verify(&self, _claim: &Claim, _chain: &Chain) -> Result<(), Error> {
        Ok(())
    }
}
