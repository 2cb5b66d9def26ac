//! One Keccak state with AVX-512, as five registers of five lanes each. A round takes half as many instructions as with
//! one register per lane.
//!
//! θ adds lanes of one column, and χ combines lanes of one row. Both steps are fast if these lanes are at the
//! same position of different registers. The layout of a state is described by a slope: with slope a, the
//! lane (x, y) is in register y + a·x mod 5. Lanes of a column are then in different registers, and so are
//! lanes of a row if a ≠ 0. Permutations within registers move them to the same position: x for θ and y for
//! χ. π changes slope a to slope 2 / a + 2. The slopes are therefore 0, ∞ (register x), 2, 3, 1 and 4 in a
//! cycle. After 24 rounds, the slope is 0 again, which is the layout in memory. θ with slope ∞ and χ with
//! slope 0 work within a register and cost more.

use crate::keccak::{RHO, ROUND_CONSTANTS};
use core::arch::x86_64::*;
use grille_cpu::Avx512;

/// Five lanes of the state, and three zeros.
type Plane = __m512i;

/// The slope of a state whose register x holds column x. θ expects the lane (x, y) at position y.
const INFINITE: usize = 5;

/// One number for each lane of a register: a rotation count or a source position.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Row([u64; 8]);

/// The permutation that leaves every lane in place.
const IDENTITY: Row = Row([0, 1, 2, 3, 4, 5, 6, 7]);

/// Returns the slope after π.
const fn slope_after_pi(slope: usize) -> usize {
    match slope {
        0 => INFINITE,
        INFINITE => 2,
        2 => 3,
        3 => 1,
        1 => 4,
        _ => 0,
    }
}

/// Returns the coordinates (x, y) of the lane that θ expects at a position of a register.
const fn lane(slope: usize, register: usize, position: usize) -> (usize, usize) {
    match slope {
        INFINITE => (register, position),
        _ => (position, (register + 25 - slope * position) % 5),
    }
}

/// Returns the register of the lane (x, y).
const fn register(slope: usize, x: usize, y: usize) -> usize {
    match slope {
        INFINITE => x,
        _ => (y + slope * x) % 5,
    }
}

/// Returns the coordinates to which π moves the lane (x, y).
const fn pi(x: usize, y: usize) -> (usize, usize) {
    (y, (2 * x + 3 * y) % 5)
}

/// Returns the rotation counts of ρ.
const fn rho(slope: usize) -> [Row; 5] {
    let mut rows = [Row([0; 8]); 5];
    let mut i = 0;
    while i < 25 {
        let (x, y) = lane(slope, i / 5, i % 5);
        rows[i / 5].0[i % 5] = RHO[x + 5 * y] as u64;
        i += 1;
    }
    rows
}

/// Returns, for each register of the next slope, the register that π renames to it.
const fn renamed_registers(slope: usize) -> [usize; 5] {
    let mut names = [0; 5];
    let mut i = 0;
    while i < 5 {
        let (x, y) = lane(slope, i, 0);
        let (x, y) = pi(x, y);
        names[register(slope_after_pi(slope), x, y)] = i;
        i += 1;
    }
    names
}

/// Returns the permutations from the positions of θ to those of χ, in the renamed registers. The lane (x, y) moves to
/// position y or, if the next slope is 0, to position x - `shift` mod 5.
const fn chi_permutations(slope: usize, shift: usize) -> [Row; 5] {
    let mut rows = [IDENTITY; 5];
    let mut i = 0;
    while i < 25 {
        let (x, y) = lane(slope, i / 5, i % 5);
        let (x, y) = pi(x, y);
        let position = if slope_after_pi(slope) == 0 { (x + 5 - shift) % 5 } else { y };
        rows[register(slope_after_pi(slope), x, y)].0[position] = (i % 5) as u64;
        i += 1;
    }
    rows
}

/// Returns the permutations from the positions of χ to those of θ, for slopes where these positions differ.
const fn theta_permutations(slope: usize) -> [Row; 5] {
    let mut rows = [IDENTITY; 5];
    let mut i = 0;
    while i < 25 {
        let (x, y) = lane(slope, i / 5, i % 5);
        rows[i / 5].0[x] = y as u64;
        i += 1;
    }
    rows
}

/// Returns the permutation that rotates the five lanes: position i receives the lane at position i + `by` mod 5.
const fn rotated_by(by: usize) -> Row {
    let mut row = IDENTITY;
    let mut i = 0;
    while i < 5 {
        row.0[i] = ((i + by) % 5) as u64;
        i += 1;
    }
    row
}

/// Runs all 24 rounds.
pub(super) fn permute(_token: Avx512, lanes: &mut [u64; 25]) {
    // SAFETY: the token proves AVX-512 F.
    unsafe { rounds(lanes) }
}

#[target_feature(enable = "avx512f")]
fn rounds(lanes: &mut [u64; 25]) {
    let mut s = [_mm512_setzero_si512(); 5];
    for (s, row) in s.iter_mut().zip(lanes.as_chunks::<5>().0) {
        // SAFETY: the mask selects the five lanes of the row.
        *s = unsafe { _mm512_maskz_loadu_epi64(0b11111, row.as_ptr().cast()) };
    }
    for constants in ROUND_CONSTANTS.as_chunks::<6>().0 {
        s = round::<0>(s, constants[0]);
        s = round::<INFINITE>(s, constants[1]);
        s = round::<2>(s, constants[2]);
        s = round::<3>(s, constants[3]);
        s = round::<1>(s, constants[4]);
        s = round::<4>(s, constants[5]);
    }
    for (s, row) in s.iter().zip(lanes.as_chunks_mut::<5>().0) {
        // SAFETY: the mask selects the five lanes of the row.
        unsafe { _mm512_mask_storeu_epi64(row.as_mut_ptr().cast(), 0b11111, *s) };
    }
}

/// Computes one round on a state with slope `SLOPE`.
#[inline]
#[target_feature(enable = "avx512f")]
fn round<const SLOPE: usize>(s: [Plane; 5], constant: u64) -> [Plane; 5] {
    let mut s = if SLOPE == INFINITE { theta_in_registers(s) } else { theta(s) };
    for (s, by) in s.iter_mut().zip(const { &rho(SLOPE) }) {
        *s = _mm512_rolv_epi64(*s, load(by));
    }
    let [a, b, c, d, e] = const { renamed_registers(SLOPE) };
    let s = [s[a], s[b], s[c], s[d], s[e]];
    let mut t =
        if const { slope_after_pi(SLOPE) } == 0 { chi_in_registers::<SLOPE>(s) } else { chi::<SLOPE>(s) };
    // ι: the lane (0, 0)
    t[0] = _mm512_mask_xor_epi64(t[0], 1, t[0], _mm512_set1_epi64(constant.cast_signed()));
    if const { matches!(slope_after_pi(SLOPE), 1..=4) } {
        for (t, from) in t.iter_mut().zip(const { &theta_permutations(slope_after_pi(SLOPE)) }) {
            *t = permute_lanes(*t, from);
        }
    }
    t
}

/// Computes θ across registers: adds C[x - 1] ⊕ rot(C[x + 1], 1) to every register.
#[inline]
#[target_feature(enable = "avx512f")]
fn theta(s: [Plane; 5]) -> [Plane; 5] {
    let c = xor3(xor3(s[0], s[1], s[2]), s[3], s[4]);
    let left = permute_lanes(c, const { &rotated_by(4) });
    let right = permute_lanes(_mm512_rol_epi64::<1>(c), const { &rotated_by(1) });
    [
        xor3(s[0], left, right),
        xor3(s[1], left, right),
        xor3(s[2], left, right),
        xor3(s[3], left, right),
        xor3(s[4], left, right),
    ]
}

/// Computes θ for slope ∞, where register x is column x: each position of register x receives D\[x\].
#[inline]
#[target_feature(enable = "avx512f")]
fn theta_in_registers(s: [Plane; 5]) -> [Plane; 5] {
    let (mut c, mut t) = (s, s);
    for (c, s) in c.iter_mut().zip(s) {
        let two = _mm512_xor_si512(s, permute_lanes(s, const { &rotated_by(1) }));
        *c = xor3(
            two,
            permute_lanes(two, const { &rotated_by(2) }),
            permute_lanes(s, const { &rotated_by(4) }),
        );
    }
    for (x, t) in t.iter_mut().enumerate() {
        *t = xor3(*t, c[(x + 4) % 5], _mm512_rol_epi64::<1>(c[(x + 1) % 5]));
    }
    t
}

/// Computes χ across registers. `BEFORE` is the slope before π. The slope after π is the distance in registers from
/// lane (x, y) to (x + 1, y), except that this distance is 1 for slope ∞.
#[inline]
#[target_feature(enable = "avx512f")]
fn chi<const BEFORE: usize>(s: [Plane; 5]) -> [Plane; 5] {
    let (mut b, mut t) = (s, s);
    for (b, from) in b.iter_mut().zip(const { &chi_permutations(BEFORE, 0) }) {
        *b = permute_lanes(*b, from);
    }
    let step = const { if slope_after_pi(BEFORE) == INFINITE { 1 } else { slope_after_pi(BEFORE) } };
    for (i, t) in t.iter_mut().enumerate() {
        *t = _mm512_ternarylogic_epi64::<CHI>(b[i], b[(i + step) % 5], b[(i + 2 * step) % 5]);
    }
    t
}

/// Computes χ within each register, for slope 0, where register y is row y. `BEFORE` is the slope before π.
#[inline]
#[target_feature(enable = "avx512f")]
fn chi_in_registers<const BEFORE: usize>(s: [Plane; 5]) -> [Plane; 5] {
    let [here, one, two] =
        const { &[chi_permutations(BEFORE, 0), chi_permutations(BEFORE, 1), chi_permutations(BEFORE, 2)] };
    let mut t = s;
    for (i, t) in t.iter_mut().enumerate() {
        let b = [permute_lanes(*t, &here[i]), permute_lanes(*t, &one[i]), permute_lanes(*t, &two[i])];
        *t = _mm512_ternarylogic_epi64::<CHI>(b[0], b[1], b[2]);
    }
    t
}

/// a ⊕ (¬b ∧ c).
const CHI: i32 = 0xD2;

/// Computes a ⊕ b ⊕ c.
#[inline]
#[target_feature(enable = "avx512f")]
fn xor3(a: Plane, b: Plane, c: Plane) -> Plane {
    _mm512_ternarylogic_epi64::<0x96>(a, b, c)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn permute_lanes(lanes: Plane, from: &Row) -> Plane {
    _mm512_permutexvar_epi64(load(from), lanes)
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(row: &Row) -> Plane {
    // SAFETY: a `Row` has 64 bytes.
    unsafe { _mm512_loadu_si512(row.0.as_ptr().cast()) }
}
