//! The exchange between a static and an ephemeral key, on which SIKE and SIDH are based. This module
//! implements it for uncompressed public keys.

use crate::params::Prime;
use crate::sidh::{PublicKey, Side, isoex, isogen};
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::ct;
use subtle::Choice;
use zeroize::Zeroizing;

/// An exchange between the static key of a key pair and the ephemeral key of a ciphertext.
pub trait Exchange<P: Prime>: Send + Sync + 'static {
    /// The number of bytes of a static secret key.
    const STATIC_LEN: usize;
    /// The number of bytes of an ephemeral secret key.
    const EPHEMERAL_LEN: usize;
    /// The number of bytes of a static public key.
    const PUBLIC_LEN: usize;
    /// The number of bytes that the ephemeral side sends.
    const SENT_LEN: usize;
    /// The number of bytes that the static side stores with its keys, for the confirmation of received
    /// ciphertexts.
    const STORED_LEN: usize;
    /// The state between the reception of a ciphertext and its confirmation.
    type Received;

    /// Turns random bytes into a static secret key. The key is secret.
    fn format_static(secret: &mut [u8]);

    /// Checks whether `secret` is a static secret key. The key is secret.
    fn is_static_key(secret: &[u8]) -> bool;

    /// Turns random bytes into an ephemeral secret key. The key is secret.
    fn format_ephemeral(secret: &mut [u8]);

    /// Returns the static public key, and the bytes that are stored with it. The secret key and the stored
    /// bytes are secret.
    fn generate(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// Checks whether a static public key is canonical, which requires that each number is below its modulus.
    fn is_canonical_public_key(public: &[u8]) -> bool;

    /// Returns the bytes that the ephemeral side sends, and the secret that it shares with the static side.
    /// The secret key and the shared secret are secret.
    fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// Returns the secret that the static side shares with the sender, and the state for the confirmation. If
    /// the bytes are not canonical, the returned secret is unrelated to that of the sender. The secret key and
    /// the shared secret are secret.
    fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, Self::Received);

    /// Checks whether the received bytes are canonical.
    fn is_canonical(received: &Self::Received) -> Choice;

    /// Checks whether [`send`](Self::send) with the ephemeral secret key `secret` returns exactly the bytes
    /// `sent`, and whether these bytes are canonical. The key and the stored bytes are secret.
    fn confirm(secret: &[u8], sent: &[u8], received: &Self::Received, stored: &[u8]) -> Choice;
}

/// The operations of the exchange `E` for the prime `P`. Each parameter set implements this trait in `precompiled.rs`,
/// with the functions of [`Exchange`].
pub trait Precompiled<P: Prime, E: Exchange<P>> {
    /// Calls [`Exchange::generate`].
    fn generate(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// Calls [`Exchange::is_canonical_public_key`].
    fn is_canonical_public_key(public: &[u8]) -> bool;

    /// Calls [`Exchange::send`].
    fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// Calls [`Exchange::receive`].
    fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, E::Received);

    /// Calls [`Exchange::confirm`].
    fn confirm(secret: &[u8], sent: &[u8], received: &E::Received, stored: &[u8]) -> Choice;
}

/// The exchange with uncompressed public keys, where `S` is the static side and `E` is the ephemeral side.
pub struct Uncompressed<S, E>(PhantomData<fn() -> (S, E)>);

impl<P: Prime, S: Side<P>, E: Side<P>> Exchange<P> for Uncompressed<S, E> {
    const STATIC_LEN: usize = S::SECRET_BYTES;
    const EPHEMERAL_LEN: usize = E::SECRET_BYTES;
    const PUBLIC_LEN: usize = PublicKey::<P>::LEN;
    const SENT_LEN: usize = PublicKey::<P>::LEN;
    const STORED_LEN: usize = 0;
    type Received = Choice;

    fn format_static(secret: &mut [u8]) {
        S::clamp(secret);
    }

    fn is_static_key(secret: &[u8]) -> bool {
        S::is_clamped(secret)
    }

    fn format_ephemeral(secret: &mut [u8]) {
        E::clamp(secret);
    }

    fn generate(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
        let mut public = isogen::<P, S>(secret).to_bytes();
        ct::public_bytes(&mut public);
        (public, Zeroizing::default())
    }

    fn is_canonical_public_key(public: &[u8]) -> bool {
        PublicKey::<P>::from_bytes(public).1
    }

    fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>) {
        let (public, _) = PublicKey::from_bytes(public);
        (isogen::<P, E>(secret).to_bytes(), isoex::<P, E>(&public, secret))
    }

    fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, Choice) {
        let (key, canonical) = PublicKey::from_bytes(sent);
        (isoex::<P, S>(&key, secret), Choice::from(u8::from(canonical)))
    }

    fn is_canonical(received: &Choice) -> Choice {
        *received
    }

    fn confirm(secret: &[u8], sent: &[u8], received: &Choice, _stored: &[u8]) -> Choice {
        ct::equal(&isogen::<P, E>(secret).to_bytes(), sent) & *received
    }
}
