//! Keccak with AVX-512: the whole state stays in registers, lane `i` of all states in vector register `i`.
//!
//! LLVM spills the 25 live registers of the intrinsics form, so the kernel is assembly. One text serves eight
//! states (zmm), four (ymm) and one (xmm); one round is
//! - θ: five parities in v25…v29, then every lane takes the parities of its neighbour columns in one `vpternlogq`;
//! - ρ and π: one cycle of 24 lanes, rotated into each other's place, with v30 to close the ring;
//! - χ: row by row, in place, with the row's first two lanes kept in v30 and v31;
//! - ι: the round constant, broadcast from memory.
//!
//! rdi points to the lanes, r8 to the round's constant and r9 behind the last one.

use crate::keccak::ROUND_CONSTANTS;
use core::arch::asm;
use grille_cpu::Avx512;

/// Loads or stores lanes: `$op` register, memory, with `$stride` bytes from lane to lane.
macro_rules! each_lane {
    ($line:ident, $op:literal, $v:literal, $stride:literal) => {
        concat!(
            $line!($op, $v, $stride, 0),
            $line!($op, $v, $stride, 1),
            $line!($op, $v, $stride, 2),
            $line!($op, $v, $stride, 3),
            $line!($op, $v, $stride, 4),
            $line!($op, $v, $stride, 5),
            $line!($op, $v, $stride, 6),
            $line!($op, $v, $stride, 7),
            $line!($op, $v, $stride, 8),
            $line!($op, $v, $stride, 9),
            $line!($op, $v, $stride, 10),
            $line!($op, $v, $stride, 11),
            $line!($op, $v, $stride, 12),
            $line!($op, $v, $stride, 13),
            $line!($op, $v, $stride, 14),
            $line!($op, $v, $stride, 15),
            $line!($op, $v, $stride, 16),
            $line!($op, $v, $stride, 17),
            $line!($op, $v, $stride, 18),
            $line!($op, $v, $stride, 19),
            $line!($op, $v, $stride, 20),
            $line!($op, $v, $stride, 21),
            $line!($op, $v, $stride, 22),
            $line!($op, $v, $stride, 23),
            $line!($op, $v, $stride, 24),
        )
    };
}

macro_rules! load {
    ($op:literal, $v:literal, $stride:literal, $i:literal) => {
        concat!($op, " ", $v, $i, ", [rdi + ", $stride, "*", $i, "]\n")
    };
}

macro_rules! store {
    ($op:literal, $v:literal, $stride:literal, $i:literal) => {
        concat!($op, " [rdi + ", $stride, "*", $i, "], ", $v, $i, "\n")
    };
}

/// C[x] of θ: the parity of a column, into register `$c`.
macro_rules! parity {
    ($v:literal, $c:literal = $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "vmovdqa64 ",
            $v,
            $c,
            ", ",
            $v,
            $a0,
            "\n",
            "vpternlogq ",
            $v,
            $c,
            ", ",
            $v,
            $a1,
            ", ",
            $v,
            $a2,
            ", 0x96\n",
            "vpternlogq ",
            $v,
            $c,
            ", ",
            $v,
            $a3,
            ", ",
            $v,
            $a4,
            ", 0x96\n",
        )
    };
}

/// θ on one column: each lane ^= C[x - 1] ^ rot(C[x + 1], 1).
macro_rules! theta {
    ($v:literal, $left:literal $right:literal -> $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "vprolq ",
            $v,
            "30, ",
            $v,
            $right,
            ", 1\n",
            "vpternlogq ",
            $v,
            $a0,
            ", ",
            $v,
            $left,
            ", ",
            $v,
            "30, 0x96\n",
            "vpternlogq ",
            $v,
            $a1,
            ", ",
            $v,
            $left,
            ", ",
            $v,
            "30, 0x96\n",
            "vpternlogq ",
            $v,
            $a2,
            ", ",
            $v,
            $left,
            ", ",
            $v,
            "30, 0x96\n",
            "vpternlogq ",
            $v,
            $a3,
            ", ",
            $v,
            $left,
            ", ",
            $v,
            "30, 0x96\n",
            "vpternlogq ",
            $v,
            $a4,
            ", ",
            $v,
            $left,
            ", ",
            $v,
            "30, 0x96\n",
        )
    };
}

/// ρ and π for one lane: `$to` = rot(`$from`, `$by`).
macro_rules! rho {
    ($v:literal, $($to:literal = $from:literal <<< $by:literal),*) => {
        concat!($("vprolq ", $v, $to, ", ", $v, $from, ", ", $by, "\n",)*)
    };
}

/// χ on one row: each lane ^= !next & next but one; 0xD2 is the truth table of a ^ (!b & c).
macro_rules! chi {
    ($v:literal, $b0:literal $b1:literal $b2:literal $b3:literal $b4:literal) => {
        concat!(
            "vmovdqa64 ",
            $v,
            "30, ",
            $v,
            $b0,
            "\n",
            "vmovdqa64 ",
            $v,
            "31, ",
            $v,
            $b1,
            "\n",
            "vpternlogq ",
            $v,
            $b0,
            ", ",
            $v,
            $b1,
            ", ",
            $v,
            $b2,
            ", 0xD2\n",
            "vpternlogq ",
            $v,
            $b1,
            ", ",
            $v,
            $b2,
            ", ",
            $v,
            $b3,
            ", 0xD2\n",
            "vpternlogq ",
            $v,
            $b2,
            ", ",
            $v,
            $b3,
            ", ",
            $v,
            $b4,
            ", 0xD2\n",
            "vpternlogq ",
            $v,
            $b3,
            ", ",
            $v,
            $b4,
            ", ",
            $v,
            "30, 0xD2\n",
            "vpternlogq ",
            $v,
            $b4,
            ", ",
            $v,
            "30, ",
            $v,
            "31, 0xD2\n",
        )
    };
}

/// All 24 rounds on the registers named `$v`, loaded and stored by `$load` and `$store`.
#[rustfmt::skip]
macro_rules! kernel {
    ($name:ident, $len:literal, $v:literal, $move:literal, $stride:literal, $broadcast:literal) => {
        #[target_feature(enable = "avx512f,avx512vl")]
        fn $name(lanes: &mut [u64; $len]) {
            // SAFETY: the loads and stores cover `lanes` exactly: 25 vectors of `$stride` bytes; the constants are
            // read at 8 · (0…23). All vector registers and flags are declared clobbered, the stack is not used, and
            // the upper halves are cleared at the end.
            unsafe {
                asm!(
                    each_lane!(load, $move, $v, $stride),
                    "2:",
                    parity!($v, 25 = 0 5 10 15 20), parity!($v, 26 = 1 6 11 16 21), parity!($v, 27 = 2 7 12 17 22),
                    parity!($v, 28 = 3 8 13 18 23), parity!($v, 29 = 4 9 14 19 24),
                    theta!($v, 29 26 -> 0 5 10 15 20), theta!($v, 25 27 -> 1 6 11 16 21),
                    theta!($v, 26 28 -> 2 7 12 17 22), theta!($v, 27 29 -> 3 8 13 18 23),
                    theta!($v, 28 25 -> 4 9 14 19 24),
                    // against the direction of π, so that each lane is read before it is written
                    rho!($v, 30 = 6 <<< 44, 6 = 9 <<< 20, 9 = 22 <<< 61, 22 = 14 <<< 39, 14 = 20 <<< 18,
                        20 = 2 <<< 62, 2 = 12 <<< 43, 12 = 13 <<< 25, 13 = 19 <<< 8, 19 = 23 <<< 56,
                        23 = 15 <<< 41, 15 = 4 <<< 27, 4 = 24 <<< 14, 24 = 21 <<< 2, 21 = 8 <<< 55,
                        8 = 16 <<< 45, 16 = 5 <<< 36, 5 = 3 <<< 28, 3 = 18 <<< 21, 18 = 17 <<< 15,
                        17 = 11 <<< 10, 11 = 7 <<< 6, 7 = 10 <<< 3, 10 = 1 <<< 1),
                    concat!("vmovdqa64 ", $v, "1, ", $v, "30"),
                    chi!($v, 0 1 2 3 4), chi!($v, 5 6 7 8 9), chi!($v, 10 11 12 13 14),
                    chi!($v, 15 16 17 18 19), chi!($v, 20 21 22 23 24),
                    concat!("vpxorq ", $v, "0, ", $v, "0, qword ptr [r8]", $broadcast),
                    "add r8, 8",
                    "cmp r8, r9",
                    "jne 2b",
                    each_lane!(store, $move, $v, $stride),
                    "vzeroupper",
                    in("rdi") lanes.as_mut_ptr(),
                    inout("r8") ROUND_CONSTANTS.as_ptr() => _,
                    in("r9") ROUND_CONSTANTS.as_ptr_range().end,
                    clobber_abi("sysv64"),
                    options(nostack),
                );
            }
        }
    };
}

kernel!(zmm, 200, "zmm", "vmovdqu64", 64, "{{1to8}}");
kernel!(ymm, 100, "ymm", "vmovdqu64", 32, "{{1to4}}");
kernel!(xmm, 25, "xmm", "vmovq", 8, "{{1to2}}");

/// Eight states: lane `i` of state `n` at `8 i + n`.
pub(crate) fn permute_x8(_token: Avx512, lanes: &mut [u64; 200]) {
    // SAFETY: the token proves AVX-512 F and VL.
    unsafe { zmm(lanes) }
}

/// Four states: lane `i` of state `n` at `4 i + n`.
pub(crate) fn permute_x4(_token: Avx512, lanes: &mut [u64; 100]) {
    // SAFETY: the token proves AVX-512 F and VL.
    unsafe { ymm(lanes) }
}

/// One state.
pub(crate) fn permute_x1(_token: Avx512, lanes: &mut [u64; 25]) {
    // SAFETY: the token proves AVX-512 F and VL.
    unsafe { xmm(lanes) }
}
