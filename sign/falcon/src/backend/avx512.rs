//! Eight signatures at once with AVX-512: a double of each in a vector, and SamplerZ for all of them in lock-step.

use super::Operation;
use crate::sign::flr::{Native, Number, Real};
use crate::sign::prng::Prng;
use crate::sign::sampler::{C, INVERSE_LN_2, INVERSE_TWO_SIGMA_MAX_SQUARE, LN_2, RCDT, below};
use crate::sign::tree::{Sample, SampleZ};
use core::arch::x86_64::*;
use core::ops::{Add, Mul, Neg, Sub};
use grille_core::ct;
use grille_cpu::Avx512;

/// Eight doubles, one of each signature.
///
/// The operators are for functions that are compiled with AVX-512: a vector other than zero comes from those only.
#[derive(Clone, Copy)]
pub(crate) struct Eight(__m512d);

impl Default for Eight {
    #[inline(always)]
    fn default() -> Self {
        // SAFETY: all bits zero are eight doubles.
        Self(unsafe { core::mem::zeroed() })
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $intrinsic:ident;)*) => {$(
        impl $trait for Eight {
            type Output = Self;

            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: only who has an `Avx512` computes with these, see `Samplers`.
                Self(unsafe { $intrinsic(self.0, other.0) })
            }
        }
    )*};
}

operators! {
    Add add _mm512_add_pd;
    Sub sub _mm512_sub_pd;
    Mul mul _mm512_mul_pd;
}

impl Neg for Eight {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::splat(Native::from_bits((-0.0f64).to_bits())) - self
    }
}

impl Number for Eight {
    type Scalar = Native;

    #[inline(always)]
    fn splat(x: Native) -> Self {
        Self::from([x; 8])
    }
}

impl From<[Native; 8]> for Eight {
    #[inline(always)]
    fn from(x: [Native; 8]) -> Self {
        // SAFETY: both are eight doubles.
        Self(unsafe { core::mem::transmute::<[Native; 8], __m512d>(x) })
    }
}

impl From<Eight> for [Native; 8] {
    #[inline(always)]
    fn from(x: Eight) -> Self {
        // SAFETY: both are eight doubles.
        unsafe { core::mem::transmute::<__m512d, Self>(x.0) }
    }
}

/// The randomness of eight attempts, and σ_min.
pub(crate) struct Samplers {
    token: Avx512,
    prngs: [Prng; 8],
    sigma_min: f64,
}

impl Samplers {
    pub(crate) fn new(token: Avx512, prngs: [Prng; 8], sigma_min: u64) -> Self {
        Self { token, prngs, sigma_min: f64::from_bits(sigma_min) }
    }
}

impl SampleZ for Samplers {
    type Value = Eight;

    #[inline(always)]
    fn sample(&mut self, mu: Eight, inverse_sigma: Native) -> Eight {
        // SAFETY: the token exists only where the processor has these features.
        Eight(unsafe {
            sample(&mut self.prngs, self.sigma_min, mu.0, f64::from_bits(inverse_sigma.to_bits()))
        })
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
    fn run(self, _: grille_hash::Level) {
        self.walk();
    }
}

/// SamplerZ, Falcon Algorithm 15, for each until it is accepted.
#[target_feature(enable = "avx512f,avx512dq")]
fn sample(prngs: &mut [Prng; 8], sigma_min: f64, mu: __m512d, inverse_sigma: f64) -> __m512d {
    let floor = _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(mu);
    let r = _mm512_sub_pd(mu, floor);
    let half_inverse_square = _mm512_set1_pd(inverse_sigma * inverse_sigma * 0.5);
    let ccs = Native::from_bits((inverse_sigma * sigma_min).to_bits()).to_fixed_63() << 1;
    let (mut result, mut pending) = (_mm512_setzero_pd(), 0xFFu8);
    while pending != 0 {
        let draws = Draws::of(prngs, pending);
        let z0 = base(draws.high(), draws.low());
        // z ← b + (2b − 1)·z0
        let b = _mm512_and_si512(draws.signs(), _mm512_set1_epi64(1));
        let negative = _mm512_sub_epi64(b, _mm512_set1_epi64(1));
        let z = _mm512_add_epi64(_mm512_sub_epi64(_mm512_xor_si512(z0, negative), negative), b);
        let (z, z0) = (_mm512_cvtepi64_pd(z), _mm512_cvtepi64_pd(z0));
        // x ← (z − r)²/(2σ′²) − z0²/(2σ_max²)
        let distance = _mm512_sub_pd(z, r);
        let square = _mm512_mul_pd(_mm512_mul_pd(distance, distance), half_inverse_square);
        let factor = _mm512_set1_pd(f64::from_bits(INVERSE_TWO_SIGMA_MAX_SQUARE));
        let x = _mm512_sub_pd(square, _mm512_mul_pd(_mm512_mul_pd(z0, z0), factor));
        let accepted = pending & bernoulli_exp(prngs, pending, &draws, x, ccs);
        result = _mm512_mask_mov_pd(result, accepted, _mm512_add_pd(floor, z));
        pending &= !accepted;
    }
    result
}

/// What one attempt takes of the randomness, for those that are pending.
struct Draws {
    low: [u64; 8],
    rest: [[u8; 8]; 3],
}

impl Draws {
    #[inline(always)]
    fn of(prngs: &mut [Prng; 8], pending: u8) -> Self {
        let mut draws = Self { low: [0; 8], rest: [[0; 8]; 3] };
        for (i, prng) in prngs.iter_mut().enumerate() {
            if pending >> i & 1 == 1 {
                let draw = prng.draw();
                draws.low[i] = draw.low;
                (draws.rest[0][i], draws.rest[1][i], draws.rest[2][i]) = (draw.high, draw.sign, draw.first);
            }
        }
        draws
    }

    #[inline(always)]
    fn low(&self) -> __m512i {
        // SAFETY: both are eight numbers of 64 bits.
        unsafe { core::mem::transmute::<[u64; 8], __m512i>(self.low) }
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn high(&self) -> __m512i {
        widen(self.rest[0])
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn signs(&self) -> __m512i {
        widen(self.rest[1])
    }

    #[inline]
    #[target_feature(enable = "avx512f")]
    fn first(&self) -> __m512i {
        widen(self.rest[2])
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn widen(bytes: [u8; 8]) -> __m512i {
    _mm512_cvtepu8_epi64(_mm_cvtsi64_si128(i64::from_le_bytes(bytes)))
}

/// BaseSampler, Falcon Algorithm 12: how many entries of the table are above 72 random bits.
#[inline]
#[target_feature(enable = "avx512f")]
fn base(high: __m512i, low: __m512i) -> __m512i {
    let limb = _mm512_set1_epi64((1 << 36) - 1);
    let upper = _mm512_or_si512(_mm512_slli_epi64::<28>(high), _mm512_srli_epi64::<36>(low));
    let lower = _mm512_and_si512(low, limb);
    let mut above = _mm512_setzero_si512();
    for entry in RCDT {
        let (entry_low, entry_high) = (entry as i64 & ((1 << 36) - 1), (entry >> 36) as i64);
        let borrow = _mm512_srli_epi64::<63>(_mm512_sub_epi64(lower, _mm512_set1_epi64(entry_low)));
        let difference = _mm512_sub_epi64(_mm512_sub_epi64(upper, _mm512_set1_epi64(entry_high)), borrow);
        above = _mm512_add_epi64(above, _mm512_srli_epi64::<63>(difference));
    }
    above
}

/// BerExp, Falcon Algorithm 14, of those that are pending: which are true.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn bernoulli_exp(prngs: &mut [Prng; 8], pending: u8, draws: &Draws, x: __m512d, ccs: u64) -> u8 {
    // s ← ⌊x/ln 2⌋, r ← x − s·ln 2, s ← min(s, 63)
    let quotient = _mm512_mul_pd(x, _mm512_set1_pd(f64::from_bits(INVERSE_LN_2)));
    let s = _mm512_roundscale_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(quotient);
    let r = _mm512_sub_pd(x, _mm512_mul_pd(s, _mm512_set1_pd(f64::from_bits(LN_2))));
    let s = _mm512_min_epi64(_mm512_cvtpd_epi64(s), _mm512_set1_epi64(63));
    // z ← (2·ApproxExp(r, ccs) − 1) ≫ s
    let y = _mm512_sub_epi64(_mm512_slli_epi64::<1>(approx_exp(r, ccs)), _mm512_set1_epi64(1));
    let z = _mm512_srlv_epi64(y, s);
    // Whether the first bytes differ, and which is less, is public as in the lazy comparison.
    let (top, first) = (_mm512_srli_epi64::<56>(z), draws.first());
    let less = ct::public(_mm512_cmplt_epu64_mask(first, top));
    let mut equal = pending & ct::public(_mm512_cmpeq_epi64_mask(first, top));
    let mut accepted = less;
    // SAFETY: both are eight numbers of 64 bits.
    let z = unsafe { core::mem::transmute::<__m512i, [u64; 8]>(z) };
    while equal != 0 {
        let i = equal.trailing_zeros() as usize;
        accepted |= u8::from(below(&mut prngs[i], &z[i].to_be_bytes()[1..])) << i;
        equal &= equal - 1;
    }
    accepted
}

/// ApproxExp, Falcon Algorithm 13. `ccs`: times 2⁶⁴.
#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn approx_exp(x: __m512d, ccs: u64) -> __m512i {
    let fixed = _mm512_cvttpd_epi64(_mm512_mul_pd(x, _mm512_set1_pd((1u64 << 63) as f64)));
    let z = _mm512_slli_epi64::<1>(fixed);
    let mut y = _mm512_set1_epi64(C[0] as i64);
    for c in &C[1..] {
        y = _mm512_sub_epi64(_mm512_set1_epi64(*c as i64), high_product(z, y));
    }
    high_product(_mm512_set1_epi64(ccs as i64), y)
}

/// ⌊a·b/2⁶⁴⌋.
#[inline]
#[target_feature(enable = "avx512f")]
fn high_product(a: __m512i, b: __m512i) -> __m512i {
    let (a_high, b_high) = (_mm512_srli_epi64::<32>(a), _mm512_srli_epi64::<32>(b));
    let low = _mm512_srli_epi64::<32>(_mm512_mul_epu32(a, b));
    let (cross0, cross1) = (_mm512_mul_epu32(a, b_high), _mm512_mul_epu32(a_high, b));
    // at most (2³² − 1)² + 2·(2³² − 1), which is 2⁶⁴ − 1
    let middle = _mm512_add_epi64(
        _mm512_add_epi64(low, cross1),
        _mm512_and_si512(cross0, _mm512_set1_epi64(0xFFFF_FFFF)),
    );
    let high = _mm512_add_epi64(_mm512_mul_epu32(a_high, b_high), _mm512_srli_epi64::<32>(cross0));
    _mm512_add_epi64(high, _mm512_srli_epi64::<32>(middle))
}
