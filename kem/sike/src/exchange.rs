//! The exchange that SIKE and SIDH are built from, between a static and an ephemeral key; here with uncompressed public keys.

use crate::params::Prime;
use crate::sidh::{PublicKey, Side, isoex, isogen};
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::ct;
use subtle::Choice;
use zeroize::Zeroizing;

/// What a pair of secret keys yields: the static side's is in a key pair, the ephemeral side's in a ciphertext.
pub trait Exchange<P: Prime>: Send + Sync + 'static {
    /// Bytes of a static secret key.
    const STATIC_LEN: usize;
    /// Bytes of an ephemeral secret key.
    const EPHEMERAL_LEN: usize;
    /// Bytes of a static public key.
    const PUBLIC_LEN: usize;
    /// Bytes that the ephemeral side sends.
    const SENT_LEN: usize;
    /// Bytes that the static side stores beside its keys, to confirm what it receives.
    const STORED_LEN: usize;
    /// What is left of a received ciphertext when it is confirmed.
    type Received;

    /// Makes a static secret key of random bytes.
    fn format_static(secret: &mut [u8]);

    /// Whether bytes are such a key. Secret: the key.
    fn is_static(secret: &[u8]) -> bool;

    /// Makes an ephemeral secret key of random bytes.
    fn format_ephemeral(secret: &mut [u8]);

    /// The static public key, and the bytes that are stored. Secret: the key, and those bytes.
    fn generate(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// Whether a static public key is encoded as it should be.
    fn is_public(public: &[u8]) -> bool;

    /// The bytes that an ephemeral secret key sends, and the secret that it shares with a static public key. Secret: the
    /// secret key, and what it shares.
    fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// The secret that a static secret key shares with the sender, or with nobody if the bytes are not encoded as they should
    /// be. Secret: the secret key, and what it shares.
    fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, Self::Received);

    /// Whether the bytes that were received were encoded as they should be.
    fn is_canonical(received: &Self::Received) -> Choice;

    /// Whether the ephemeral secret key is the one that sent what was received. Secret: the key, and what was stored.
    fn confirm(secret: &[u8], sent: &[u8], received: &Self::Received, stored: &[u8]) -> Choice;
}

/// The exchange with uncompressed public keys, where `S` is the static and `E` the ephemeral side.
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

    fn is_static(secret: &[u8]) -> bool {
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

    fn is_public(public: &[u8]) -> bool {
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
