//! Eight signatures at once with one key. They are computed in lock-step, because all of them traverse the tree
//! in the same order.

use super::{ExpandedKey, Signing, target};
use crate::backend::Operation;
use crate::backend::avx512::{EightDoubles, Lanes, Samplers};
use crate::degree::Degree;
use crate::format::SignatureParams;
use crate::hash::Message;
use crate::secret_vec::SecretVec;
use crate::sign::flr::{Native, Real};
use crate::sign::tree::Sample;
use core::array::from_fn;
use grille_core::CryptoRng;
use grille_cpu::Avx512;
use grille_hash::Level;

/// The operation that signs eight messages, each like [`sign`](super::sign). It reads the random bytes in the
/// order of the messages.
pub struct SignEight<'a, D: Degree> {
    pub(crate) token: Avx512,
    pub(crate) key: &'a ExpandedKey<D, Native>,
    pub(crate) params: &'static SignatureParams,
    pub(crate) messages: &'a [&'a [u8]; 8],
    pub(crate) rng: &'a mut dyn CryptoRng,
    pub(crate) bytes: [&'a mut [u8]; 8],
}

impl<D: Degree> Operation for SignEight<'_, D> {
    type Output = [usize; 8];

    #[inline(always)]
    fn run(self, level: Level) -> Self::Output {
        let Self { token, key, params, messages, rng, bytes } = self;
        let mut signing: [_; 8] = from_fn(|_| Signing::<D>::new(level, params));
        let mut samplers = Samplers::new(token, level, params.sigma_min);
        for ((signing, message), attempts) in signing.iter_mut().zip(messages).zip(&mut samplers.attempts) {
            signing.begin(level, Message::Whole(message), rng);
            signing.seed(attempts);
        }
        let n = D::N;
        // the memory for t0, for t1, and for 2n other values
        let mut values = SecretVec::<Lanes>::zeroes(4 * n);
        let (t0, rest) = EightDoubles::as_vectors(token, &mut values).split_at_mut(n);
        let (t1, scratch) = rest.split_at_mut(n);
        for (i, t) in t0.iter_mut().enumerate() {
            let mut lanes = [Native::default(); 8];
            for (lane, signing) in lanes.iter_mut().zip(&signing) {
                *lane = Native::from_int(i64::from(signing.c[i]));
            }
            *t = EightDoubles::new(token, lanes);
        }
        target(&key.f, &key.F, t0, t1);
        Sample { sampler: &mut samplers, t0, t1, tree: &key.tree, scratch }.run_ff_sampling();
        key.images().lattice_point(t0, t1);
        let (t0, t1) = (&*t0, &*t1);
        let mut lens = [0; 8];
        for (lane, (signing, bytes)) in signing.iter_mut().zip(bytes).enumerate() {
            let part = |t: &EightDoubles| <[Native; 8]>::from(*t)[lane];
            let len = signing.encode(t0.iter().map(part).zip(t1.iter().map(part)), bytes);
            // signatures that exceed the norm bound or the length of the format are repeated separately
            lens[lane] = len.unwrap_or_else(|| signing.finish(level, key, bytes));
        }
        lens
    }
}
