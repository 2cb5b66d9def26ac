//! Signing keys with the precomputed top tree of the hypertree, for many signatures with one key.
//!
//! Preparation takes as long as key generation. Each signature is then computed without this work, which is a seventh
//! to a twelfth of the hashes of a signature for the sets `s` of the standard, and one part in 20 to 26 for its sets
//! `f`. The tree takes 64 (2^h′) bytes of memory: 0.5 to 1 KiB for the sets `f`, and 16 or 32 KiB for the sets `s`.

use crate::algorithm::{NO_SEED, SlhDsa};
use crate::any_signing_key::AnySigningKey;
use crate::family::Family;
use crate::hypertree::TopTree;
use crate::params::Params;
use crate::precompiled::Precompiled;
use crate::progress::ProgressCounter;
use crate::sign::Signer;
use crate::signing_key::SigningKey;
use crate::signing_methods::{sign, sign_prehash};
use crate::verifying_key::VerifyingKey;
use crate::wots::Wots;
use core::fmt;
use grille_core::{Error, SecretBytes};
use zeroize::ZeroizeOnDrop;

/// A [`SigningKey`] with the top tree of its hypertree. The key is secret and erased on drop, except for the
/// tree, whose nodes signatures reveal.
///
/// ```
/// use grille_core::{Error, Signature, SigningKey, SystemRng, VerifyingKey};
/// use grille_slhdsa::SlhDsaSha2_128f;
///
/// # fn main() -> Result<(), Error> {
/// let prepared = SlhDsaSha2_128f::generate(&mut SystemRng).prepare();
/// for message in [b"one", b"two"] {
///     let signature = prepared.sign(message, b"", &mut SystemRng)?;
///     prepared.signing_key().verifying_key().verify(message, b"", &signature)?;
/// }
/// # Ok(())
/// # }
/// ```
pub struct PreparedSigningKey<P: Params> {
    key: SigningKey<P>,
    family: P::Family,
    secret: <P::Family as Family>::Secret,
    top: TopTree,
}

impl<P: Params> SigningKey<P> {
    /// Precomputes the top tree, which each signature would otherwise compute again.
    #[must_use]
    pub fn prepare(self) -> PreparedSigningKey<P> {
        let (family, secret) = self.expand();
        let work = ProgressCounter::silent();
        let top =
            P::Family::top_tree(&Wots { family: &family, secret: &secret, shape: P::SHAPE, work: &work });
        PreparedSigningKey { key: self, family, secret, top }
    }
}

impl<P: Params> PreparedSigningKey<P> {
    /// Returns the key without the precomputed tree.
    #[must_use]
    pub const fn signing_key(&self) -> &SigningKey<P> {
        &self.key
    }

    pub(crate) fn as_signer(&self) -> Signer<'_, P::Family> {
        self.key.as_signer(&self.family, &self.secret, Some(&self.top))
    }

    /// Calls `f` with the expanded key and its top tree.
    pub(crate) fn with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T {
        f(self.as_signer())
    }
}

impl<P: Params> grille_core::SigningKey for PreparedSigningKey<P> {
    type Scheme = SlhDsa<P>;

    /// Parses SK.seed ‖ SK.prf ‖ PK.seed ‖ PK.root, and checks that the root matches the seeds.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let prepared = SigningKey::read(bytes)?.prepare();
        prepared.key.check_root(&prepared.top.root())?;
        Ok(prepared)
    }

    fn to_bytes(&self) -> SecretBytes {
        self.key.encode()
    }

    fn from_seed(_seed: &[u8]) -> Result<Self, Error> {
        Err(NO_SEED)
    }

    fn seed(&self) -> Option<SecretBytes> {
        None
    }

    fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.key.verifying_key
    }

    sign! {}
}

impl<P: Params> AnySigningKey<P> for PreparedSigningKey<P> {
    fn call_with_signer<T>(&self, f: impl FnOnce(Signer<'_, P::Family>) -> T) -> T {
        self.with_signer(f)
    }
}

sign_prehash!(PreparedSigningKey);

impl<P: Params> ZeroizeOnDrop for PreparedSigningKey<P> {}

impl<P: Params> fmt::Debug for PreparedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "prepared {:?}", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SlhDsa, SlhDsaSha2_128f, SphincsHaraka128fSimple, SphincsShake128fRobust};
    use core::marker::PhantomData;
    use grille_core::{Signature, SigningKey as _, SystemRng};

    fn check_prepared_key<P: Params>(_: PhantomData<SlhDsa<P>>) {
        let key = SlhDsa::<P>::generate(&mut SystemRng);
        let prepared = key.clone().prepare();
        for message in [b"one", b"two"] {
            let expected = key.sign_deterministic(message, b"");
            assert!(prepared.sign_deterministic(message, b"") == expected, "{}", SlhDsa::<P>::INFO.name);
        }
    }

    #[test]
    fn prepared_key_signs_like_the_original() {
        check_prepared_key(PhantomData::<SlhDsaSha2_128f>);
        check_prepared_key(PhantomData::<SphincsShake128fRobust>);
        check_prepared_key(PhantomData::<SphincsHaraka128fSimple>);
    }
}
