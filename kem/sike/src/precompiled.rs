//! The operations of each parameter set's exchange, compiled in this crate; [`grille_core::precompiled`] gives the reason.
//! SIKE and SIDH add only hashes to an exchange, so their keys remain generic.

use crate::exchange::{Exchange, Precompiled};
use crate::sets::{self, Params};
use alloc::vec::Vec;
use subtle::Choice;
use zeroize::Zeroizing;

/// The exchange of a parameter set.
type ExchangeOf<S> = <S as Params>::Exchange;

/// The prime of a parameter set.
type PrimeOf<S> = <S as Params>::Prime;

/// The state between the reception of a ciphertext and its confirmation.
type Received<S> = <ExchangeOf<S> as Exchange<PrimeOf<S>>>::Received;

macro_rules! precompile {
    ($($set:ident)*) => {$(
        impl Precompiled<PrimeOf<Self>, ExchangeOf<Self>> for sets::$set {
            fn generate(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
                <ExchangeOf<Self> as Exchange<PrimeOf<Self>>>::generate(secret)
            }

            fn is_canonical_public_key(public: &[u8]) -> bool {
                <ExchangeOf<Self> as Exchange<PrimeOf<Self>>>::is_canonical_public_key(public)
            }

            fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
                <ExchangeOf<Self> as Exchange<PrimeOf<Self>>>::send(secret, public)
            }

            fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, Received<Self>) {
                <ExchangeOf<Self> as Exchange<PrimeOf<Self>>>::receive(secret, sent)
            }

            fn confirm(secret: &[u8], sent: &[u8], received: &Received<Self>, stored: &[u8]) -> Choice {
                <ExchangeOf<Self> as Exchange<PrimeOf<Self>>>::confirm(secret, sent, received, stored)
            }
        }
    )*};
}

precompile! {
    SikeP434 SikeP503 SikeP610 SikeP751
    SidhP434 SidhP503 SidhP610 SidhP751
    SikeP434Compressed SikeP503Compressed SikeP610Compressed SikeP751Compressed
    SidhP434Compressed SidhP503Compressed SidhP610Compressed SidhP751Compressed
}
