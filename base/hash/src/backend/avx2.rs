//! Keccak with AVX2: four states in memory, a row at a time in registers.
//!
//! Sixteen registers cannot hold 25 lanes, and LLVM spills badly, so the kernel is assembly. A round reads the
//! lanes from one buffer and writes them to another: ymm0…4 hold D of θ, ymm5…9 the row that ρ and π bring
//! together, ymm10…14 gather the parities of the rows as they are written, which are C of the next round, and
//! ymm15 is scratch; rdi and rsi point to the two buffers, r8 to the round's constant and r9 behind the last one.

use super::portable;
use crate::keccak::{ROUND_CONSTANTS, States};
use core::arch::asm;
use grille_cpu::Avx2;

/// D[x] of θ from C in ymm10…14: `$d` = C[x - 1] ^ rot(C[x + 1], 1).
macro_rules! column {
    ($d:literal = $left:literal $right:literal) => {
        concat!(
            "vpaddq ymm15, ymm",
            $right,
            ", ymm",
            $right,
            "\n",
            "vpsrlq ymm",
            $d,
            ", ymm",
            $right,
            ", 63\n",
            "vpor ymm15, ymm15, ymm",
            $d,
            "\n",
            "vpxor ymm",
            $d,
            ", ymm15, ymm",
            $left,
            "\n",
        )
    };
}

/// θ, ρ and π of one lane: `$b` = rot(lane `$i` ^ D, `$by`).
macro_rules! lane {
    ($b:literal = $i:literal ^ $d:literal <<< 0) => {
        concat!("vpxor ymm", $b, ", ymm", $d, ", [rdi + 32*", $i, "]\n")
    };
    ($b:literal = $i:literal ^ $d:literal <<< $by:literal) => {
        concat!(
            lane!($b = $i ^ $d <<< 0),
            "vpsllq ymm15, ymm", $b, ", ", $by, "\n",
            "vpsrlq ymm", $b, ", ymm", $b, ", 64-", $by, "\n",
            "vpor ymm", $b, ", ymm", $b, ", ymm15\n",
        )
    };
}

/// χ of one lane, written to lane `$to` and added to the parity `$c`.
macro_rules! chi {
    ($to:literal, $c:literal = $b0:literal $b1:literal $b2:literal, $iota:literal) => {
        concat!(
            "vpandn ymm15, ymm",
            $b1,
            ", ymm",
            $b2,
            "\n",
            "vpxor ymm15, ymm15, ymm",
            $b0,
            "\n",
            $iota,
            "vmovdqu [rsi + 32*",
            $to,
            "], ymm15\n",
            "vpxor ymm",
            $c,
            ", ymm",
            $c,
            ", ymm15\n",
        )
    };
}

/// χ of a row in ymm5…9.
macro_rules! chi_row {
    ($a0:literal $a1:literal $a2:literal $a3:literal $a4:literal, $iota:literal) => {
        concat!(
            chi!($a0, 10 = 5 6 7, $iota), chi!($a1, 11 = 6 7 8, ""), chi!($a2, 12 = 7 8 9, ""),
            chi!($a3, 13 = 8 9 5, ""), chi!($a4, 14 = 9 5 6, ""),
        )
    };
}

/// The parity of a column of the input, for the first round.
macro_rules! parity {
    ($c:literal = $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "vmovdqu ymm",
            $c,
            ", [rdi + 32*",
            $a0,
            "]\n",
            "vpxor ymm",
            $c,
            ", ymm",
            $c,
            ", [rdi + 32*",
            $a1,
            "]\n",
            "vpxor ymm",
            $c,
            ", ymm",
            $c,
            ", [rdi + 32*",
            $a2,
            "]\n",
            "vpxor ymm",
            $c,
            ", ymm",
            $c,
            ", [rdi + 32*",
            $a3,
            "]\n",
            "vpxor ymm",
            $c,
            ", ymm",
            $c,
            ", [rdi + 32*",
            $a4,
            "]\n",
        )
    };
}

/// All 24 rounds; they end in `lanes`, because their number is even.
#[rustfmt::skip]
#[target_feature(enable = "avx2")]
fn rounds(lanes: &mut [u64; 100], scratch: &mut [u64; 100]) {
    // SAFETY: `from` and `to` are the two buffers, exchanged after each round; each is read and written at
    // 32 · (0…24) only. The constants are read at 8 · (0…23). All vector registers and flags are declared
    // clobbered, the stack is not used, and the upper halves are cleared at the end.
    unsafe {
        asm!(
            parity!(10 = 0 5 10 15 20), parity!(11 = 1 6 11 16 21), parity!(12 = 2 7 12 17 22),
            parity!(13 = 3 8 13 18 23), parity!(14 = 4 9 14 19 24),
            "2:",
            column!(0 = 14 11), column!(1 = 10 12), column!(2 = 11 13), column!(3 = 12 14), column!(4 = 13 10),
            "vpxor xmm10, xmm10, xmm10", "vpxor xmm11, xmm11, xmm11", "vpxor xmm12, xmm12, xmm12",
            "vpxor xmm13, xmm13, xmm13", "vpxor xmm14, xmm14, xmm14",
            lane!(5 = 0 ^ 0 <<< 0), lane!(6 = 6 ^ 1 <<< 44), lane!(7 = 12 ^ 2 <<< 43),
            lane!(8 = 18 ^ 3 <<< 21), lane!(9 = 24 ^ 4 <<< 14),
            chi_row!(0 1 2 3 4, "vpbroadcastq ymm0, qword ptr [r8]\nvpxor ymm15, ymm15, ymm0\n"),
            // D[0] gave its register to the round constant
            "vpxor ymm0, ymm5, [rdi]",
            lane!(5 = 3 ^ 3 <<< 28), lane!(6 = 9 ^ 4 <<< 20), lane!(7 = 10 ^ 0 <<< 3),
            lane!(8 = 16 ^ 1 <<< 45), lane!(9 = 22 ^ 2 <<< 61),
            chi_row!(5 6 7 8 9, ""),
            lane!(5 = 1 ^ 1 <<< 1), lane!(6 = 7 ^ 2 <<< 6), lane!(7 = 13 ^ 3 <<< 25),
            lane!(8 = 19 ^ 4 <<< 8), lane!(9 = 20 ^ 0 <<< 18),
            chi_row!(10 11 12 13 14, ""),
            lane!(5 = 4 ^ 4 <<< 27), lane!(6 = 5 ^ 0 <<< 36), lane!(7 = 11 ^ 1 <<< 10),
            lane!(8 = 17 ^ 2 <<< 15), lane!(9 = 23 ^ 3 <<< 56),
            chi_row!(15 16 17 18 19, ""),
            lane!(5 = 2 ^ 2 <<< 62), lane!(6 = 8 ^ 3 <<< 55), lane!(7 = 14 ^ 4 <<< 39),
            lane!(8 = 15 ^ 0 <<< 41), lane!(9 = 21 ^ 1 <<< 2),
            chi_row!(20 21 22 23 24, ""),
            "xchg rdi, rsi",
            "add r8, 8",
            "cmp r8, r9",
            "jne 2b",
            "vzeroupper",
            inout("rdi") lanes.as_mut_ptr() => _,
            inout("rsi") scratch.as_mut_ptr() => _,
            inout("r8") ROUND_CONSTANTS.as_ptr() => _,
            in("r9") ROUND_CONSTANTS.as_ptr_range().end,
            clobber_abi("sysv64"),
            options(nostack),
        );
    }
}

/// Four states: lane `i` of state `n` at `4 i + n`.
pub(crate) fn permute_x4(_token: Avx2, lanes: &mut [u64; 100]) {
    let mut scratch = [0; 100];
    // SAFETY: the token proves AVX2.
    unsafe { rounds(lanes, &mut scratch) }
}

/// Eight states, lane `i` of state `n` at `8 i + n`, as two times four.
pub(crate) fn permute_x8(token: Avx2, lanes: &mut [u64; 200]) {
    for half in [0, 4] {
        let mut four = [0; 100];
        for (to, from) in four.chunks_exact_mut(4).zip(lanes.chunks_exact(8)) {
            to.copy_from_slice(&from[half..half + 4]);
        }
        permute_x4(token, &mut four);
        for (from, to) in four.chunks_exact(4).zip(lanes.chunks_exact_mut(8)) {
            to[half..half + 4].copy_from_slice(from);
        }
    }
}

/// One state after the other, in plain Rust with BMI's three-operand rotations and and-not.
pub(crate) fn permute_each<const N: usize>(_token: Avx2, states: &mut States<N>) {
    #[target_feature(enable = "bmi1,bmi2")]
    fn with_bmi<const N: usize>(states: &mut States<N>) {
        portable::permute(states);
    }
    // SAFETY: the token proves BMI1 and BMI2.
    unsafe { with_bmi(states) }
}
