//! Keccak with AVX2: four states in memory, a row at a time in registers.
//!
//! Sixteen registers cannot hold 25 lanes, and LLVM spills badly, so the kernel is assembly. A round reads the
//! lanes from one buffer and writes them to another: ymm0…4 hold D of θ, ymm5…9 the row that ρ and π bring
//! together, ymm10…14 gather the parities of the rows as they are written, which are C of the next round, and
//! ymm15 is scratch; rdi and rsi point to the two buffers, r8 to the round's constant, r9 to where they end, and r11 to
//! the rotations by whole bytes.

use super::portable;
use crate::keccak::{ROUND_CONSTANTS, States};
use core::arch::asm;
use core::mem::MaybeUninit;
use grille_cpu::Avx2;

/// How `vpshufb` rotates 64-bit lanes by 8 and by 56 bits.
const BYTE_ROTATIONS: [[u8; 32]; 2] = [rotation(7), rotation(1)];

/// Byte `i` is the byte `i + from` of its lane.
const fn rotation(from: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i as usize] = (i & 8) + ((i + from) & 7);
        i += 1;
    }
    bytes
}

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
#[rustfmt::skip]
macro_rules! lane {
    ($s:literal, $b:literal = $i:literal ^ $d:literal <<< 0) => {
        concat!("vpxor ymm", $b, ", ymm", $d, ", [rdi + ", $s, "*", $i, "]\n")
    };
    ($s:literal, $b:literal = $i:literal ^ $d:literal <<< 8) => {
        concat!(lane!($s, $b = $i ^ $d <<< 0), "vpshufb ymm", $b, ", ymm", $b, ", [r11]\n")
    };
    ($s:literal, $b:literal = $i:literal ^ $d:literal <<< 56) => {
        concat!(lane!($s, $b = $i ^ $d <<< 0), "vpshufb ymm", $b, ", ymm", $b, ", [r11 + 32]\n")
    };
    ($s:literal, $b:literal = $i:literal ^ $d:literal <<< $by:literal) => {
        concat!(
            lane!($s, $b = $i ^ $d <<< 0),
            "vpsllq ymm15, ymm", $b, ", ", $by, "\n",
            "vpsrlq ymm", $b, ", ymm", $b, ", 64-", $by, "\n",
            "vpor ymm", $b, ", ymm", $b, ", ymm15\n",
        )
    };
}

/// χ of one lane, written to lane `$to` and added to the parity `$c`.
#[rustfmt::skip]
macro_rules! chi {
    ($to:literal, $c:literal = $b0:literal $b1:literal $b2:literal) => {
        concat!(
            "vpandn ymm15, ymm", $b1, ", ymm", $b2, "\n",
            "vpxor ymm15, ymm15, ymm", $b0, "\n",
            "vmovdqu [rsi + 32*", $to, "], ymm15\n",
            "vpxor ymm", $c, ", ymm", $c, ", ymm15\n",
        )
    };
}

/// χ of a row in ymm5…9.
#[rustfmt::skip]
macro_rules! chi_row {
    ($a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            chi!($a0, 10 = 5 6 7), chi!($a1, 11 = 6 7 8), chi!($a2, 12 = 7 8 9), chi!($a3, 13 = 8 9 5),
            chi!($a4, 14 = 9 5 6),
        )
    };
}

/// χ of one lane of the first row into `$to`.
#[rustfmt::skip]
macro_rules! chi_only {
    ($to:literal = $b0:literal $b1:literal $b2:literal) => {
        concat!(
            "vpandn ymm", $to, ", ymm", $b1, ", ymm", $b2, "\n",
            "vpxor ymm", $to, ", ymm", $to, ", ymm", $b0, "\n",
        )
    };
}

/// χ and ι of the first row in ymm5…9: the parities begin with it.
#[rustfmt::skip]
macro_rules! chi_first_row {
    () => {
        concat!(
            chi_only!(10 = 5 6 7), chi_only!(11 = 6 7 8), chi_only!(12 = 7 8 9), chi_only!(13 = 8 9 5),
            chi_only!(14 = 9 5 6),
            "vpbroadcastq ymm15, qword ptr [r8]\n",
            "vpxor ymm10, ymm10, ymm15\n",
            "vmovdqu [rsi], ymm10\n",
            "vmovdqu [rsi + 32], ymm11\n",
            "vmovdqu [rsi + 64], ymm12\n",
            "vmovdqu [rsi + 96], ymm13\n",
            "vmovdqu [rsi + 128], ymm14\n",
        )
    };
}

/// The parity of a column of the input, for the first round.
#[rustfmt::skip]
macro_rules! parity {
    ($s:literal, $c:literal = $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "vmovdqu ymm", $c, ", [rdi + ", $s, "*", $a0, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $s, "*", $a1, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $s, "*", $a2, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $s, "*", $a3, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $s, "*", $a4, "]\n",
        )
    };
}

/// All of them.
#[rustfmt::skip]
macro_rules! parities {
    ($s:literal) => {
        concat!(
            parity!($s, 10 = 0 5 10 15 20), parity!($s, 11 = 1 6 11 16 21), parity!($s, 12 = 2 7 12 17 22),
            parity!($s, 13 = 3 8 13 18 23), parity!($s, 14 = 4 9 14 19 24),
        )
    };
}

/// D of θ, and the row that becomes the first one in ymm5…9.
#[rustfmt::skip]
macro_rules! first_row {
    ($s:literal) => {
        concat!(
            column!(0 = 14 11), column!(1 = 10 12), column!(2 = 11 13), column!(3 = 12 14), column!(4 = 13 10),
            lane!($s, 5 = 0 ^ 0 <<< 0), lane!($s, 6 = 6 ^ 1 <<< 44), lane!($s, 7 = 12 ^ 2 <<< 43),
            lane!($s, 8 = 18 ^ 3 <<< 21), lane!($s, 9 = 24 ^ 4 <<< 14),
        )
    };
}

/// A round on lanes that lie `$s` bytes apart.
#[rustfmt::skip]
macro_rules! round {
    ($s:literal) => {
        concat!(
            first_row!($s),
            chi_first_row!(),
            lane!($s, 5 = 3 ^ 3 <<< 28), lane!($s, 6 = 9 ^ 4 <<< 20), lane!($s, 7 = 10 ^ 0 <<< 3),
            lane!($s, 8 = 16 ^ 1 <<< 45), lane!($s, 9 = 22 ^ 2 <<< 61),
            chi_row!(5 6 7 8 9),
            lane!($s, 5 = 1 ^ 1 <<< 1), lane!($s, 6 = 7 ^ 2 <<< 6), lane!($s, 7 = 13 ^ 3 <<< 25),
            lane!($s, 8 = 19 ^ 4 <<< 8), lane!($s, 9 = 20 ^ 0 <<< 18),
            chi_row!(10 11 12 13 14),
            lane!($s, 5 = 4 ^ 4 <<< 27), lane!($s, 6 = 5 ^ 0 <<< 36), lane!($s, 7 = 11 ^ 1 <<< 10),
            lane!($s, 8 = 17 ^ 2 <<< 15), lane!($s, 9 = 23 ^ 3 <<< 56),
            chi_row!(15 16 17 18 19),
            lane!($s, 5 = 2 ^ 2 <<< 62), lane!($s, 6 = 8 ^ 3 <<< 55), lane!($s, 7 = 14 ^ 4 <<< 39),
            lane!($s, 8 = 15 ^ 0 <<< 41), lane!($s, 9 = 21 ^ 1 <<< 2),
            chi_row!(20 21 22 23 24),
        )
    };
}

/// All 24 rounds; they end in `lanes`, because their number is even.
#[target_feature(enable = "avx2")]
fn rounds(lanes: &mut [u64; 100], scratch: &mut [u64; 100]) {
    let constants = &ROUND_CONSTANTS;
    // SAFETY: `from` and `to` are the two buffers, exchanged after each round; each is read and written at
    // 32 · (0…24) only. The constants are read at 8 · (0…23). All vector registers and flags are declared
    // clobbered, the stack is not used, and the upper halves are cleared at the end.
    unsafe {
        asm!(
            parities!(32),
            "2:",
            round!(32),
            "xchg rdi, rsi",
            "add r8, 8",
            "cmp r8, r9",
            "jne 2b",
            "vzeroupper",
            inout("rdi") lanes.as_mut_ptr() => _,
            inout("rsi") scratch.as_mut_ptr() => _,
            inout("r8") constants.as_ptr() => _,
            in("r9") constants.as_ptr_range().end,
            in("r11") BYTE_ROTATIONS.as_ptr(),
            clobber_abi("sysv64"),
            options(nostack),
        );
    }
}

/// The first four lanes after 24 rounds; lanes lie 64 bytes apart, as those of half of eight states do.
///
/// # Safety
/// 32 bytes at 64 · (0…24) of `states` can be read, and at 64 · (0…3) of `first` written; 800 bytes of each `scratch` can
/// be read and written, and need not be initialized.
#[rustfmt::skip]
#[target_feature(enable = "avx2")]
unsafe fn first_rounds(states: *const u64, first: *mut u64, scratch: [*mut u64; 2]) {
    let ([a, b], constants) = (scratch, &ROUND_CONSTANTS);
    // SAFETY: the first round reads `states` and writes `a`; the next ones read one buffer of `scratch` and write the
    // other, 22 of them, so that the last one reads `a`, at 32 · (0…24) each. The constants are read at 8 · (0…23).
    // All vector registers and flags are declared clobbered, the stack is not used, and the upper halves are cleared at
    // the end.
    unsafe {
        asm!(
            parities!(64),
            round!(64),
            "mov rdi, rsi",
            "mov rsi, r10",
            "2:",
            "add r8, 8",
            round!(32),
            "xchg rdi, rsi",
            "cmp r8, r9",
            "jne 2b",
            first_row!(32),
            chi_only!(0 = 5 6 7), chi_only!(1 = 6 7 8), chi_only!(2 = 7 8 9), chi_only!(3 = 8 9 5),
            "vpbroadcastq ymm4, qword ptr [r8 + 8]",
            "vpxor ymm0, ymm0, ymm4",
            "vmovdqu [rdx], ymm0",
            "vmovdqu [rdx + 64], ymm1",
            "vmovdqu [rdx + 128], ymm2",
            "vmovdqu [rdx + 192], ymm3",
            "vzeroupper",
            inout("rdi") states => _,
            inout("rsi") a => _,
            inout("r8") constants.as_ptr() => _,
            in("r9") constants.as_ptr().add(22),
            in("r10") b,
            in("rdx") first,
            in("r11") BYTE_ROTATIONS.as_ptr(),
            clobber_abi("sysv64"),
            options(nostack),
        );
    }
}

/// The first four lanes of eight permuted states, lane `i` of state `n` at `8 i + n`.
pub(crate) fn first_lanes_x8(_token: Avx2, states: &[u64; 200], first: &mut [u64; 32]) {
    let mut scratch = [const { MaybeUninit::<[u64; 100]>::uninit() }; 2];
    for half in [0, 4] {
        let (states, first) = (states[half..].as_ptr(), first[half..].as_mut_ptr());
        let scratch = scratch.each_mut().map(|scratch| scratch.as_mut_ptr().cast());
        // SAFETY: the token proves AVX2; lane `i` of four states lies at 8 i + half … 8 i + half + 3.
        unsafe { first_rounds(states, first, scratch) }
    }
    scratch = [const { MaybeUninit::zeroed() }; 2];
    zeroize::optimization_barrier(&scratch);
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
