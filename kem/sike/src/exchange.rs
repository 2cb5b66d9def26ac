//! The exchange that SIKE and SIDH are built from, between a static and an ephemeral key; here with uncompressed public keys.

use crate::params::Prime;
use crate::sidh::{PublicKey, Side, isoex, isogen};
use alloc::vec::Vec;
use core::marker::PhantomData;
use grille_core::ct;
use subtle::Choice;
use zeroize::Zeroizing;

/// An exchange between the static key of a key pair and the ephemeral key of a ciphertext.
pub trait Exchange<P: Prime>: Send + Sync + 'static {
    /// Bytes of a static secret key.
    const STATIC_LEN: usize;
    /// Bytes of an ephemeral secret key.
    const EPHEMERAL_LEN: usize;
    /// Bytes of a static public key.
    const PUBLIC_LEN: usize;
    /// Bytes that the ephemeral side sends.
    const SENT_LEN: usize;
    /// Bytes that the static side stores with its keys, to confirm what it receives.
    const STORED_LEN: usize;
    /// State between the reception of a ciphertext and its confirmation.
    type Received;

    /// Turns random bytes into a static secret key. Secret: the key.
    fn format_static(secret: &mut [u8]);

    /// Returns whether bytes are a static secret key. Secret: the key.
    fn is_static(secret: &[u8]) -> bool;

    /// Turns random bytes into an ephemeral secret key. Secret: the key.
    fn format_ephemeral(secret: &mut [u8]);

    /// Returns the static public key, and the bytes that are stored with it. Secret: the secret key, the stored bytes.
    fn generate(secret: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// Returns whether a static public key is canonical: no number is too large.
    fn is_public(public: &[u8]) -> bool;

    /// Returns the bytes that the ephemeral side sends, and the secret that it shares with the static side. Secret: the secret
    /// key, the shared secret.
    fn send(secret: &[u8], public: &[u8]) -> (Vec<u8>, Zeroizing<Vec<u8>>);

    /// Returns the secret that the static side shares with the sender. It is unrelated if the bytes are not canonical. Secret:
    /// the secret key, the shared secret.
    fn receive(secret: &[u8], sent: &[u8]) -> (Zeroizing<Vec<u8>>, Self::Received);

    /// Returns whether the received bytes are canonical.
    fn is_canonical(received: &Self::Received) -> Choice;

    /// Returns whether the ephemeral secret key sends just these bytes, and they are canonical. Secret: the key, the stored bytes.
    fn confirm(secret: &[u8], sent: &[u8], received: &Self::Received, stored: &[u8]) -> Choice;
}

/// The exchange with uncompressed public keys. `S`: the static side. `E`: the ephemeral side.
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
