//! The operations of each family of hash functions, compiled in this crate; [`grille_core::precompiled`] gives the reason.
//! The code that depends on a parameter set and not only on its family is small and remains generic.

use crate::family::haraka::Haraka;
use crate::family::sha2::Sha2;
use crate::family::shake::Shake;
use crate::family::{Family, Node};
use crate::hypertree::TopTree;
use crate::message::MessageParts;
use crate::shape::Shape;
use crate::sign::Signer;
use crate::version::{Fips205, Round3, Round31};
use crate::wots::Wots;
use crate::{keygen, verify};
use alloc::vec::Vec;
use grille_core::{Error, Progress};
use grille_hash::prehash::{Hasher, PreHash};

/// A family with its operations. Each function calls the one of the same name in `keygen`, `sign` or `verify`, and
/// `top_tree` calls [`TopTree::new`].
pub trait Precompiled: Family {
    fn root(shape: &Shape, sk_seed: &[u8], pk_seed: &[u8]) -> Node;
    fn expand(shape: &Shape, sk_seed: &[u8], pk_seed: &[u8]) -> (Self, Self::Secret);
    fn top_tree(wots: &Wots<'_, Self>) -> TopTree;
    fn sign(
        signer: &Signer<'_, Self>,
        message: &MessageParts<'_>,
        opt_rand: Option<&[u8]>,
        progress: &Progress<'_>,
    ) -> Vec<u8>;
    fn sign_hashed(signer: &Signer<'_, Self>, r: &[u8], h_msg: &PreHash, progress: &Progress<'_>) -> Vec<u8>;
    fn verify(shape: &Shape, key: &[u8], message: &MessageParts<'_>, signature: &[u8]) -> Result<(), Error>;
    fn h_msg_hasher(shape: &Shape, key: &[u8], r: &[u8]) -> Option<Hasher>;
    fn verify_hashed(shape: &Shape, key: &[u8], h_msg: &PreHash, signature: &[u8]) -> Result<(), Error>;
}

macro_rules! precompile {
    ($($family:ty;)*) => {$(
        impl Precompiled for $family {
            fn root(shape: &Shape, sk_seed: &[u8], pk_seed: &[u8]) -> Node {
                keygen::root::<Self>(shape, sk_seed, pk_seed)
            }

            fn expand(shape: &Shape, sk_seed: &[u8], pk_seed: &[u8]) -> (Self, Self::Secret) {
                keygen::expand::<Self>(shape, sk_seed, pk_seed)
            }

            fn top_tree(wots: &Wots<'_, Self>) -> TopTree {
                TopTree::new(wots)
            }

            fn sign(
                signer: &Signer<'_, Self>,
                message: &MessageParts<'_>,
                opt_rand: Option<&[u8]>,
                progress: &Progress<'_>,
            ) -> Vec<u8> {
                signer.sign(message, opt_rand, progress)
            }

            fn sign_hashed(
                signer: &Signer<'_, Self>,
                r: &[u8],
                h_msg: &PreHash,
                progress: &Progress<'_>,
            ) -> Vec<u8> {
                signer.sign_hashed(r, h_msg, progress)
            }

            fn verify(
                shape: &Shape,
                key: &[u8],
                message: &MessageParts<'_>,
                signature: &[u8],
            ) -> Result<(), Error> {
                verify::verify::<Self>(shape, key, message, signature)
            }

            fn h_msg_hasher(shape: &Shape, key: &[u8], r: &[u8]) -> Option<Hasher> {
                verify::h_msg_hasher::<Self>(shape, key, r)
            }

            fn verify_hashed(
                shape: &Shape,
                key: &[u8],
                h_msg: &PreHash,
                signature: &[u8],
            ) -> Result<(), Error> {
                verify::verify_hashed::<Self>(shape, key, h_msg, signature)
            }
        }
    )*};
}
precompile! {
    Sha2<Fips205, false>;
    Sha2<Round31, false>;
    Sha2<Round31, true>;
    Sha2<Round3, false>;
    Sha2<Round3, true>;
    Shake<Fips205, false>;
    Shake<Round31, false>;
    Shake<Round31, true>;
    Shake<Round3, false>;
    Shake<Round3, true>;
    Haraka<false>;
    Haraka<true>;
}
