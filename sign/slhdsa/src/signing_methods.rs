//! The signing methods of both kinds of signing keys, prepared or not: FIPS 205 Algorithms 22 and 23.

/// Defines slh_sign, or hash_slh_sign for sets that hash messages beforehand, as the methods of
/// [`grille_core::SigningKey`] for both kinds of signing keys.
macro_rules! sign {
    () => {
        /// Runs the hedged variant of slh_sign, FIPS 205 Algorithm 22. Samples n bytes.
        fn sign(
            &self,
            message: &[u8],
            context: &[u8],
            rng: &mut dyn grille_core::CryptoRng,
        ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
            grille_core::SigningKey::sign_with_progress(
                self,
                message,
                context,
                Some(rng),
                $crate::progress::NO_PROGRESS,
            )
        }

        /// Runs the deterministic variant of slh_sign, FIPS 205 Algorithm 22: PK.seed replaces the randomness.
        fn sign_deterministic(
            &self,
            message: &[u8],
            context: &[u8],
        ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
            grille_core::SigningKey::sign_with_progress(
                self,
                message,
                context,
                None,
                $crate::progress::NO_PROGRESS,
            )
        }

        /// Runs slh_sign, FIPS 205 Algorithm 22: the hedged variant if a generator is given, and otherwise the
        /// deterministic one. Reports progress after each FORS tree, and after every eight WOTS+ keys or fewer.
        fn sign_with_progress(
            &self,
            message: &[u8],
            context: &[u8],
            rng: Option<&mut dyn grille_core::CryptoRng>,
            progress: &grille_core::Progress<'_>,
        ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
            let parts = $crate::message::MessageParts::new::<P::Family>(P::PREHASH, message, context)?;
            Ok(self.with_signer(|signer| signer.sign_hedged_or_deterministic(&parts, rng, progress)))
        }

        /// Starts to sign a message that arrives in pieces. Sets that do not hash messages beforehand need two passes.
        /// Returns `None` if the family needs the whole message at once.
        fn begin_signature<'k>(
            &'k self,
            context: &[u8],
            rng: Option<&mut dyn grille_core::CryptoRng>,
        ) -> Result<Option<alloc::boxed::Box<dyn grille_core::MessageSigner + 'k>>, grille_core::Error> {
            $crate::streaming::begin_signature::<P, Self>(self, context, rng)
        }
    };
}
pub(crate) use sign;

/// Defines hash_slh_sign with any hash function, for both kinds of signing keys. The methods do not compile for sets
/// that already hash messages beforehand.
macro_rules! sign_prehash {
    ($key:ident) => {
        impl<P: $crate::params::Params<Family: $crate::family::Family<Version = $crate::version::Fips205>>>
            $key<P>
        {
            /// Runs the hedged variant of hash_slh_sign, FIPS 205 Algorithm 23.
            ///
            /// # Errors
            /// Returns [`Error::ContextTooLong`](grille_core::Error::ContextTooLong) if the context is too long.
            pub fn sign_prehash(
                &self,
                message: &grille_hash::prehash::PreHash,
                context: &[u8],
                rng: &mut dyn grille_core::CryptoRng,
            ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
                const { assert!(P::PREHASH.is_none()) };
                let parts = $crate::message::MessageParts::prehash(*message, context)?;
                Ok(self.with_signer(|signer| {
                    signer.sign_hedged_or_deterministic(&parts, Some(rng), $crate::progress::NO_PROGRESS)
                }))
            }

            /// Runs the deterministic variant of hash_slh_sign, FIPS 205 Algorithm 23.
            ///
            /// # Errors
            /// Returns [`Error::ContextTooLong`](grille_core::Error::ContextTooLong) if the context is too long.
            pub fn sign_prehash_deterministic(
                &self,
                message: &grille_hash::prehash::PreHash,
                context: &[u8],
            ) -> Result<alloc::vec::Vec<u8>, grille_core::Error> {
                const { assert!(P::PREHASH.is_none()) };
                let parts = $crate::message::MessageParts::prehash(*message, context)?;
                Ok(self.with_signer(|signer| {
                    signer.sign_hedged_or_deterministic(&parts, None, $crate::progress::NO_PROGRESS)
                }))
            }
        }
    };
}
pub(crate) use sign_prehash;
