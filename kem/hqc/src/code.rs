//! The concatenated code C: each symbol of a Reed–Solomon codeword is encoded as a codeword of the Reed–Muller code.

use crate::backend;
use crate::params::{Params, Vector, codeword_len};
use crate::reed_solomon::{Codeword, Message};
use crate::{reed_muller, reed_solomon};
use core::marker::PhantomData;
use grille_core::Bytes;
use grille_gf2x::{Kernel, at_level};
use grille_hash::Level;
use zeroize::Zeroizing;

/// Runs C.Encode: returns the codeword, which has n₁·n₂ bits. The message and the codeword are secret.
pub(crate) fn encode<P: Params>(level: Level, message: &P::MessageBytes) -> Vector<P> {
    let mut padded = Zeroizing::new(Message::default());
    padded[..P::K].copy_from_slice(message.as_ref());
    let mut codeword = Vector::<P>::zeroed();
    let words = &mut codeword.words_mut()[..codeword_len::<P>() / 8];
    at_level(level, Encode::<P> { message: &padded, words, set: PhantomData });
    codeword
}

/// Runs C.Decode: returns the message of the codeword nearest to `received`, if at most δ symbols are wrong, and an
/// arbitrary message otherwise. All arguments and results are secret.
pub(crate) fn decode<P: Params>(level: Level, received: &Vector<P>) -> Zeroizing<P::MessageBytes> {
    let codewords = &received.words()[..codeword_len::<P>() / 8];
    let mut symbols: Zeroizing<Codeword> = Zeroizing::new([0; _]);
    backend::reed_muller(level, codewords, P::N2 / 64, &mut symbols[..P::N1]);
    let mut padded = Zeroizing::new(Message::default());
    at_level(level, Decode::<P> { symbols: &symbols, message: &mut padded, set: PhantomData });
    let mut message = Zeroizing::new(P::MessageBytes::zeroed());
    message.as_mut().copy_from_slice(&padded[..P::K]);
    message
}

struct Encode<'a, P> {
    message: &'a Message,
    words: &'a mut [u64],
    set: PhantomData<P>,
}

impl<P: Params> Kernel for Encode<'_, P> {
    #[inline(always)]
    fn run(self) {
        let symbols = Zeroizing::new(reed_solomon::encode::<P>(self.message));
        reed_muller::encode::<P>(&symbols[..P::N1], self.words);
    }
}

struct Decode<'a, P> {
    symbols: &'a Codeword,
    message: &'a mut Message,
    set: PhantomData<P>,
}

impl<P: Params> Kernel for Decode<'_, P> {
    #[inline(always)]
    fn run(self) {
        *self.message = reed_solomon::decode::<P>(self.symbols);
    }
}
