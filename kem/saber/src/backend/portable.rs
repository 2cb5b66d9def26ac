//! The kernels without vector instructions; they run everywhere.

use super::Backend;
use super::ntt::{Vector, mul_high};
use crate::ring::Row;
use grille_hash::Level;

/// Plain Rust.
#[derive(Clone, Copy)]
pub(crate) struct Portable(pub(crate) Level);

impl Backend for Portable {
    type Lanes = Half;

    fn proof(self) {}

    fn level(self) -> Level {
        self.0
    }
}

/// Sixteen lanes.
#[derive(Clone, Copy)]
pub(crate) struct Half([i16; 16]);

impl Half {
    #[inline(always)]
    fn each(mut self, b: Self, f: impl Fn(i16, i16) -> i16) -> Self {
        self.0.iter_mut().zip(b.0).for_each(|(a, b)| *a = f(*a, b));
        self
    }
}

impl Vector for Half {
    type Proof = ();
    const PARTS: usize = 2;

    #[inline(always)]
    fn load((): (), from: &Row, part: usize) -> Self {
        Self(from.as_chunks().0[part])
    }

    #[inline(always)]
    fn store(self, to: &mut Row, part: usize) {
        to.as_chunks_mut().0[part] = self.0;
    }

    #[inline(always)]
    fn load_coefficients((): (), from: &[i16; 16]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        self.each(b, i16::wrapping_add)
    }

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        self.each(b, i16::wrapping_sub)
    }

    #[inline(always)]
    fn mul_low(self, b: Self) -> Self {
        self.each(b, i16::wrapping_mul)
    }

    #[inline(always)]
    fn mul_high(self, b: Self) -> Self {
        self.each(b, mul_high)
    }

    #[inline(always)]
    fn transpose(rows: &mut [Self; 16]) {
        for i in 0..16 {
            for j in 0..i {
                let (a, b) = (rows[i].0[j], rows[j].0[i]);
                (rows[i].0[j], rows[j].0[i]) = (b, a);
            }
        }
    }
}
