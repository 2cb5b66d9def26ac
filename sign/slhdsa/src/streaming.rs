//! Signing and verification of messages in pieces. Sets that hash messages beforehand need one pass. Other
//! sets need two passes to sign, FIPS 205 Algorithm 19: the first for R (PRF_msg), and the second for the
//! digest (H_msg), which hashes R before the message. Families with Haraka need the whole message at once.

use crate::any_signing_key::AnySigningKey;
use crate::family::{Family, Node};
use crate::message::MessageParts;
use crate::params::Params;
use crate::precompiled::Precompiled;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::{CryptoRng, Error, MessageSigner, MessageVerifier, Progress, Secret, ct};
use grille_hash::prehash::{HashFunction, Hasher};

/// Starts to sign a message that arrives in pieces; see [`grille_core::SigningKey::begin_signature`]. Returns `None` if
/// the family needs the whole message at once.
///
/// # Errors
/// Returns [`Error::ContextTooLong`] if the context is too long.
pub(crate) fn begin_signature<'k, P: Params, K: AnySigningKey<P>>(
    key: &'k K,
    context: &[u8],
    rng: Option<&mut dyn CryptoRng>,
) -> Result<Option<Box<dyn MessageSigner + 'k>>, Error> {
    let prefix = prefix::<P>(context)?;
    if let Some(function) = P::PREHASH {
        return Ok(Some(Box::new(PrehashSigning::<P, K>::new(key, function, context))));
    }
    let mut drawn = Secret::<[u8; 32]>::zeroed();
    let is_hedged = rng.map(|rng| rng.fill_bytes(&mut drawn.as_mut()[..P::SHAPE.n])).is_some();
    let started = key.call_with_signer(|signer| {
        let opt_rand = if is_hedged { &drawn.as_ref()[..P::SHAPE.n] } else { signer.pk_seed };
        signer.family.begin_prf_msg(signer.sk_prf, opt_rand)
    });
    let Some(mut hasher) = started else { return Ok(None) };
    hasher.update(&prefix);
    Ok(Some(Box::new(TwoPassSigning::<P, K> { key, prefix, hasher, r: None, params: PhantomData })))
}

/// Returns the part of M′ before the message.
///
/// # Errors
/// Returns [`Error::ContextTooLong`] if the context is too long.
fn prefix<P: Params>(context: &[u8]) -> Result<Vec<u8>, Error> {
    Ok(MessageParts::new::<P::Family>(P::PREHASH, &[], context)?.parts()[..2].concat())
}

/// A signing operation in progress that needs two passes.
struct TwoPassSigning<'k, P, K> {
    key: &'k K,
    prefix: Vec<u8>,
    /// The hasher of PRF_msg in the first pass, and of H_msg in the second pass.
    hasher: Hasher,
    /// The value R; `None` during the first pass.
    r: Option<Node>,
    params: PhantomData<fn() -> P>,
}

impl<P: Params, K: AnySigningKey<P>> MessageSigner for TwoPassSigning<'_, P, K> {
    fn passes(&self) -> u32 {
        2
    }

    fn update(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
    }

    /// Finishes PRF_msg and starts H_msg.
    fn end_pass(&mut self) {
        if self.r.is_some() {
            return;
        }
        let prf_msg = self.hasher.clone().finish();
        let (r, mut hasher) = self.key.call_with_signer(|signer| {
            let mut r = signer.family.end_prf_msg(signer.sk_prf, &prf_msg);
            // R is public, because it is part of the signature; so is everything that is derived from R and
            // the message
            ct::public_bytes(&mut r[..P::SHAPE.n]);
            let hasher = signer.family.begin_h_msg(&r[..P::SHAPE.n], signer.pk_root);
            (r, hasher.expect("families that stream PRF_msg also stream H_msg"))
        });
        hasher.update(&self.prefix);
        (self.hasher, self.r) = (hasher, Some(r));
    }

    /// Signs the message after both passes.
    ///
    /// # Errors
    /// Returns [`Error::Unsupported`] if the caller made only one pass.
    fn finish(
        self: Box<Self>,
        _: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let Self { key, hasher, r, .. } = *self;
        let r = r.ok_or(Error::Unsupported { feature: "single-pass signatures" })?;
        let (r, h_msg) = (&r[..P::SHAPE.n], hasher.finish());
        Ok(key.call_with_signer(|signer| P::Family::sign_hashed(&signer, r, &h_msg, progress)))
    }
}

/// A signing operation in progress, for sets that hash messages beforehand.
struct PrehashSigning<'k, P, K> {
    key: &'k K,
    context: Vec<u8>,
    hasher: Hasher,
    params: PhantomData<fn() -> P>,
}

impl<'k, P, K> PrehashSigning<'k, P, K> {
    fn new(key: &'k K, function: HashFunction, context: &[u8]) -> Self {
        Self { key, context: context.to_vec(), hasher: Hasher::new(function), params: PhantomData }
    }
}

impl<P: Params, K: AnySigningKey<P>> MessageSigner for PrehashSigning<'_, P, K> {
    fn update(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
    }

    fn finish(
        self: Box<Self>,
        rng: Option<&mut dyn CryptoRng>,
        progress: &Progress<'_>,
    ) -> Result<Vec<u8>, Error> {
        let Self { key, context, hasher, .. } = *self;
        let parts = MessageParts::prehash(hasher.finish(), &context)?;
        Ok(key.call_with_signer(|signer| signer.sign_hedged_or_deterministic(&parts, rng, progress)))
    }
}

/// Starts to verify a message that arrives in pieces; see [`grille_core::VerifyingKey::begin_verification`]. The encoded
/// key is PK.seed ‖ PK.root.
///
/// # Errors
/// Returns [`Error::ContextTooLong`] if the context is too long.
pub(crate) fn begin_verification<'k, P: Params>(
    key: &'k [u8],
    context: &[u8],
    signature: &'k [u8],
) -> Result<Option<Box<dyn MessageVerifier + 'k>>, Error> {
    let prefix = prefix::<P>(context)?;
    let started = match P::PREHASH {
        Some(function) => Some(Hasher::new(function)),
        // a signature that is too short to contain R is refused at the end
        None => P::Family::h_msg_hasher(&P::SHAPE, key, signature.get(..P::SHAPE.n).unwrap_or(&[])),
    };
    let Some(mut hasher) = started else { return Ok(None) };
    if P::PREHASH.is_none() {
        hasher.update(&prefix);
    }
    let context = context.to_vec();
    Ok(Some(Box::new(Verifying::<P> { key, context, hasher, signature, params: PhantomData })))
}

/// A verification in progress.
struct Verifying<'k, P> {
    /// The encoded key PK.seed ‖ PK.root.
    key: &'k [u8],
    context: Vec<u8>,
    hasher: Hasher,
    signature: &'k [u8],
    params: PhantomData<fn() -> P>,
}

impl<P: Params> MessageVerifier for Verifying<'_, P> {
    fn update(&mut self, piece: &[u8]) {
        self.hasher.update(piece);
    }

    fn finish(self: Box<Self>) -> Result<(), Error> {
        let Self { key, context, hasher, signature, .. } = *self;
        let hashed = hasher.finish();
        if P::PREHASH.is_some() {
            return P::Family::verify(&P::SHAPE, key, &MessageParts::prehash(hashed, &context)?, signature);
        }
        P::Family::verify_hashed(&P::SHAPE, key, &hashed, signature)
    }
}

#[cfg(test)]
mod tests {
    use crate::params::{self, Params};
    use crate::signing_key::SigningKey;
    use alloc::boxed::Box;
    use grille_core::{CryptoRng, DynSigningKey, DynVerifyingKey, Error, SigningKey as _};
    use grille_stream::Stream;
    use grille_stream::pieces::verify_in_pieces;

    const MESSAGE: [u8; 300] = [7; 300];

    fn key<P: Params>() -> SigningKey<P> {
        let n = P::SHAPE.n;
        let bytes: [u8; 96] = core::array::from_fn(|i| i as u8);
        let key = SigningKey::generate_internal(&bytes[..n], &bytes[n..2 * n], &bytes[2 * n..3 * n]);
        key.expect("n bytes each")
    }

    fn as_rng(coins: &mut Option<Stream>) -> Option<&mut dyn CryptoRng> {
        coins.as_mut().map(|coins| coins as _)
    }

    fn check_streaming<P: Params>(context: &[u8], passes: u32) {
        let public = key::<P>().verifying_key().clone();
        let check: &dyn DynVerifyingKey = &public;
        let keys: [Box<dyn DynSigningKey>; 2] = [Box::new(key::<P>()), Box::new(key::<P>().prepare())];
        for (key, len) in keys.iter().zip([1, 130]) {
            let fixed = key.sign_deterministic(&MESSAGE, context).expect("the context is short enough");
            let hedged =
                key.sign(&MESSAGE, context, &mut Stream::new(b"coins")).expect("the context is short enough");
            for (expected, mut coins) in [(&fixed, None), (&hedged, Some(Stream::new(b"coins")))] {
                let started =
                    key.begin_signature(context, as_rng(&mut coins)).expect("the context is short enough");
                let mut signer = started.expect("the set signs in pieces");
                assert_eq!(signer.passes(), passes);
                for pass in 1..=passes {
                    MESSAGE.chunks(len).for_each(|piece| signer.update(piece));
                    if pass < passes {
                        signer.end_pass();
                    }
                }
                assert!(
                    signer.finish(as_rng(&mut coins), &|_, _| {}) == Ok(expected.clone()),
                    "{} {context:?}",
                    P::NAME
                );
            }
            let verifies =
                |signature: &[u8], message: &[u8]| verify_in_pieces(check, context, signature, message, len);
            assert_eq!(verifies(&fixed, &MESSAGE), Ok(()));
            assert_eq!(verifies(&fixed, &MESSAGE[1..]), Err(Error::InvalidSignature));
            assert_eq!(verifies(&fixed[..7], &MESSAGE), Err(Error::InvalidSignature));
            assert!(key.begin_signature(&[0; 256], None).is_err());
            assert!(check.begin_verification(&[0; 256], b"").is_err());
        }
    }

    #[test]
    fn signs_and_verifies_messages_in_pieces() {
        check_streaming::<params::SlhDsaSha2_128f>(b"context", 2);
        check_streaming::<params::SlhDsaSha2_192f>(b"", 2);
        check_streaming::<params::SlhDsaShake128f>(b"context", 2);
        check_streaming::<params::HashSlhDsaSha2_128fWithSha256>(b"context", 1);
    }

    #[test]
    fn refuses_to_sign_after_a_single_pass() {
        let key: Box<dyn DynSigningKey> = Box::new(key::<params::SlhDsaSha2_128f>());
        let mut signer =
            key.begin_signature(b"", None).expect("an empty context is short enough").expect("in pieces");
        signer.update(&MESSAGE);
        assert!(signer.finish(None, &|_, _| {}).is_err());
    }
}
