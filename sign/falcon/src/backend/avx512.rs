//! Eight signatures at once with AVX-512. A vector holds one double of each signature, and SamplerZ runs for
//! all of them in lock-step.

use super::Operation;
use crate::sign::base_sampler::Attempts;
use crate::sign::flr::{EXP_ERROR, Native, Number, Real, power_of_half};
use crate::sign::sampler::{INVERSE_TWO_SIGMA_MAX_SQUARE, ber_exp_exact};
use crate::sign::tree::{Sample, SampleZ};
use core::arch::x86_64::*;
use core::array::from_fn;
use core::f64::consts::LOG2_E;
use core::ops::{Add, Mul, Neg, Sub};
use grille_core::ct;
use grille_cpu::Avx512;
use grille_hash::Level;

/// A vector of eight doubles, one of each signature.
///
/// Each value contains a token of size zero. Values therefore exist only on processors that can compute with
/// them.
#[derive(Clone, Copy)]
pub(crate) struct EightDoubles {
    vector: __m512d,
    token: Avx512,
}

/// Eight doubles in memory, aligned for a vector.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(crate) struct Lanes([Native; 8]);

const _: () = assert!(
    size_of::<Lanes>() == size_of::<EightDoubles>() && align_of::<Lanes>() == align_of::<EightDoubles>()
);
const _: () = assert!(size_of::<EightDoubles>() == size_of::<__m512d>());

impl EightDoubles {
    #[inline(always)]
    pub(crate) fn new(token: Avx512, x: [Native; 8]) -> Self {
        // SAFETY: both types consist of eight doubles.
        Self { vector: unsafe { core::mem::transmute::<[Native; 8], __m512d>(x) }, token }
    }

    /// Returns the vectors in this memory.
    #[inline(always)]
    pub(crate) fn as_vectors(_: Avx512, lanes: &mut [Lanes]) -> &mut [Self] {
        let vectors = core::ptr::from_mut(lanes) as *mut [Self];
        // SAFETY: `EightDoubles` has the size and alignment of eight doubles and contains nothing else except a
        // token of size zero. The caller's token proves that such a token may exist.
        unsafe { &mut *vectors }
    }

    /// Returns a value with another vector and the same token.
    #[inline(always)]
    fn with(self, vector: __m512d) -> Self {
        Self { vector, ..self }
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $intrinsic:ident;)*) => {$(
        impl $trait for EightDoubles {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: `self.token` exists only if the processor has the intrinsic's features.
                self.with(unsafe { $intrinsic(self.vector, other.vector) })
            }
        }
    )*};
}

operators! {
    Add add _mm512_add_pd;
    Sub sub _mm512_sub_pd;
    Mul mul _mm512_mul_pd;
}

impl Neg for EightDoubles {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        self.constant(-0.0) - self
    }
}

impl Number for EightDoubles {
    type Scalar = Native;

    #[inline(always)]
    fn splat(self, x: Native) -> Self {
        Self::new(self.token, [x; 8])
    }
}

impl From<EightDoubles> for [Native; 8] {
    #[inline(always)]
    fn from(x: EightDoubles) -> Self {
        // SAFETY: both types consist of eight doubles.
        unsafe { core::mem::transmute::<__m512d, Self>(x.vector) }
    }
}

/// The randomness of eight signatures, and σ_min.
pub(crate) struct Samplers {
    token: Avx512,
    pub(crate) attempts: [Attempts; 8],
    sigma_min: Native,
}

impl Samplers {
    /// Creates samplers without seeds.
    pub(crate) fn new(token: Avx512, level: Level, sigma_min: u64) -> Self {
        let attempts = from_fn(|_| Attempts::new(level));
        Self { token, attempts, sigma_min: Native::from_bits(sigma_min) }
    }
}

impl SampleZ for Samplers {
    type Value = EightDoubles;

    #[inline(always)]
    fn sample(&mut self, mu: EightDoubles, inverse_sigma: Native) -> EightDoubles {
        // SAFETY: the token exists only if the processor has these features.
        unsafe { sample(&mut self.attempts, mu, inverse_sigma, inverse_sigma * self.sigma_min) }
    }

    #[inline(always)]
    fn descend(node: Sample<'_, Self>) {
        let token = node.sampler.token;
        super::x86::run_avx512(token, node);
    }
}

impl Operation for Sample<'_, Samplers> {
    type Output = ();

    #[inline(always)]
    fn run(self, _: Level) {
        self.run_ff_sampling();
    }
}

/// Runs SamplerZ, Falcon Algorithm 15, for each signature until a sample is accepted. `ccs` is σ_min/σ′.
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn sample(
    attempts: &mut [Attempts; 8],
    mu: EightDoubles,
    inverse_sigma: Native,
    ccs: Native,
) -> EightDoubles {
    let floor = mu.with(_mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(mu.vector));
    let r = mu - floor;
    let half_inverse_square = mu.splat(inverse_sigma.square().half());
    let inverse_max = mu.splat(Native::from_bits(INVERSE_TWO_SIGMA_MAX_SQUARE));
    let (mut result, mut pending) = (floor, 0xFFu8);
    while pending != 0 {
        let mut next = [0; 8];
        for (i, (next, attempts)) in next.iter_mut().zip(attempts.iter_mut()).enumerate() {
            *next = attempts.next_if(pending >> i & 1).packed();
        }
        let lanes = AttemptLanes::unpack(mu.token, next);
        // z ← b + (2b − 1)·z0
        let z = _mm512_mask_add_pd(
            _mm512_sub_pd(_mm512_setzero_pd(), lanes.z0.vector),
            lanes.b,
            lanes.z0.vector,
            _mm512_set1_pd(1.0),
        );
        // x ← (z − r)²/(2σ′²) − z0²/(2σ_max²)
        let distance = mu.with(z) - r;
        let x = distance * distance * half_inverse_square - lanes.z0 * lanes.z0 * inverse_max;
        let accepted = pending & ber_exp(attempts, pending, &lanes, x, ccs);
        result = mu.with(_mm512_mask_add_pd(result.vector, accepted, floor.vector, z));
        pending &= !accepted;
    }
    result
}

/// The random values of one attempt for each signature.
struct AttemptLanes {
    z0: EightDoubles,
    b: __mmask8,
    first: EightDoubles,
}

impl AttemptLanes {
    /// Unpacks values from [`Attempt::packed`](crate::sign::base_sampler::Attempt::packed).
    #[inline]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    fn unpack(token: Avx512, packed: [u32; 8]) -> Self {
        // SAFETY: both types consist of eight words.
        let packed = unsafe { core::mem::transmute::<[u32; 8], __m256i>(packed) };
        let z0 = _mm256_and_si256(_mm256_srli_epi32::<8>(packed), _mm256_set1_epi32(0xFF));
        let eight = |integers| EightDoubles { vector: _mm512_cvtepi32_pd(integers), token };
        Self {
            z0: eight(z0),
            b: _mm256_test_epi32_mask(packed, _mm256_set1_epi32(1)),
            first: eight(_mm256_srli_epi32::<16>(packed)),
        }
    }
}

/// Runs BerExp, Falcon Algorithm 14, for the signatures in `pending`, and returns the set of the signatures
/// for which the result is true. See [`Real::exp_exceeds`].
#[inline]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
fn ber_exp(
    attempts: &mut [Attempts; 8],
    pending: u8,
    lanes: &AttemptLanes,
    x: EightDoubles,
    ccs: Native,
) -> u8 {
    // uses e^(−x) = 2^(−k)·2^(−f) with |f| ≤ 1/2
    let exponent = x * x.constant(LOG2_E);
    let k = _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC }>(exponent.vector);
    let k = x.with(k);
    let power = power_of_half(exponent - k) * x.splat(ccs) * x.constant(256.0);
    let distance = x.with(_mm512_scalef_pd(power.vector, (-k).vector)) - lanes.first;
    let above = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(distance.vector, x.constant(1.0 + EXP_ERROR).vector);
    let below = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(distance.vector, x.constant(-EXP_ERROR).vector);
    let mut accepted = ct::public(above);
    let mut open = pending & !ct::public(above | below);
    while open != 0 {
        let i = open.trailing_zeros() as usize;
        let (x, first) = (<[Native; 8]>::from(x)[i], <[Native; 8]>::from(lanes.first)[i]);
        accepted |= u8::from(ber_exp_exact(&mut attempts[i], x, ccs, first.rint() as u8)) << i;
        open &= open - 1;
    }
    accepted
}
