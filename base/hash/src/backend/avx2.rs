//! Keccak with AVX2. The states are in memory, and registers hold one row at a time.
//!
//! Sixteen registers cannot hold 25 lanes, and LLVM generates many spills, so the kernel is written in
//! assembly. A round reads the lanes from one buffer and writes them to another. Register use:
//! - ymm0…4 hold D of θ.
//! - ymm5…9 hold the row that ρ and π bring together.
//! - ymm10…14 accumulate the column parities while rows are written. These parities are C of the next round.
//! - ymm15 is scratch.
//! - rdi and rsi point to the two buffers, r8 to the round constant, r9 to the end of the constants, and r11 to the
//!   rotations by whole bytes.
//!
//! A round cannot start before the last lanes of the previous round are known. For eight states, the two
//! halves therefore alternate round by round, so that one half executes while the other waits. Meanwhile, the
//! parities of the waiting half are stored at r10.

use crate::keccak::ROUND_CONSTANTS;
use core::arch::asm;
use core::mem::MaybeUninit;
use grille_cpu::Avx2;

/// The `vpshufb` masks that rotate 64-bit lanes by 8 and by 56 bits.
const BYTE_ROTATIONS: [[u8; 32]; 2] = [rotation(7), rotation(1)];

/// Returns the mask whose byte `i` selects byte `i + from` of its lane.
const fn rotation(from: u8) -> [u8; 32] {
    let mut bytes = [0; 32];
    let mut i = 0;
    while i < 32 {
        bytes[i as usize] = (i & 8) + ((i + from) & 7);
        i += 1;
    }
    bytes
}

/// Computes D[x] of θ from C in ymm10…14: `$d` = C[x - 1] ^ rot(C[x + 1], 1).
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

/// Computes θ, ρ and π on one lane: `$b` = rot(lane `$i` ^ D, `$by`). Lanes lie `$s` bytes apart, starting at
/// `$at`.
#[rustfmt::skip]
macro_rules! lane {
    ($s:literal $at:literal, $b:literal = $i:literal ^ $d:literal <<< 0) => {
        concat!("vpxor ymm", $b, ", ymm", $d, ", [rdi + ", $at, " + ", $s, "*", $i, "]\n")
    };
    ($s:literal $at:literal, $b:literal = $i:literal ^ $d:literal <<< 8) => {
        concat!(lane!($s $at, $b = $i ^ $d <<< 0), "vpshufb ymm", $b, ", ymm", $b, ", [r11]\n")
    };
    ($s:literal $at:literal, $b:literal = $i:literal ^ $d:literal <<< 56) => {
        concat!(lane!($s $at, $b = $i ^ $d <<< 0), "vpshufb ymm", $b, ", ymm", $b, ", [r11 + 32]\n")
    };
    ($s:literal $at:literal, $b:literal = $i:literal ^ $d:literal <<< $by:literal) => {
        concat!(
            lane!($s $at, $b = $i ^ $d <<< 0),
            "vpsllq ymm15, ymm", $b, ", ", $by, "\n",
            "vpsrlq ymm", $b, ", ymm", $b, ", 64-", $by, "\n",
            "vpor ymm", $b, ", ymm", $b, ", ymm15\n",
        )
    };
}

/// Computes χ on one lane, stores the result as lane `$to`, and adds it to the parity `$c`.
#[rustfmt::skip]
macro_rules! chi {
    ($s:literal $at:literal, $to:literal, $c:literal = $b0:literal $b1:literal $b2:literal) => {
        concat!(
            "vpandn ymm15, ymm", $b1, ", ymm", $b2, "\n",
            "vpxor ymm15, ymm15, ymm", $b0, "\n",
            "vmovdqu [rsi + ", $at, " + ", $s, "*", $to, "], ymm15\n",
            "vpxor ymm", $c, ", ymm", $c, ", ymm15\n",
        )
    };
}

/// Computes χ on the row in ymm5…9.
#[rustfmt::skip]
macro_rules! chi_row {
    ($s:literal $at:literal, $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            chi!($s $at, $a0, 10 = 5 6 7), chi!($s $at, $a1, 11 = 6 7 8), chi!($s $at, $a2, 12 = 7 8 9),
            chi!($s $at, $a3, 13 = 8 9 5), chi!($s $at, $a4, 14 = 9 5 6),
        )
    };
}

/// Computes χ on one lane of the first row and stores the result as lane `$to`.
#[rustfmt::skip]
macro_rules! chi_without_parity {
    ($to:literal = $b0:literal $b1:literal $b2:literal) => {
        concat!(
            "vpandn ymm", $to, ", ymm", $b1, ", ymm", $b2, "\n",
            "vpxor ymm", $to, ", ymm", $to, ", ymm", $b0, "\n",
        )
    };
}

/// Computes χ and ι on the first row in ymm5…9, and initialises the parities.
#[rustfmt::skip]
macro_rules! chi_first_row {
    ($s:literal $at:literal) => {
        concat!(
            chi_without_parity!(10 = 5 6 7), chi_without_parity!(11 = 6 7 8), chi_without_parity!(12 = 7 8 9), chi_without_parity!(13 = 8 9 5),
            chi_without_parity!(14 = 9 5 6),
            "vpbroadcastq ymm15, qword ptr [r8]\n",
            "vpxor ymm10, ymm10, ymm15\n",
            "vmovdqu [rsi + ", $at, "], ymm10\n",
            "vmovdqu [rsi + ", $at, " + ", $s, "*1], ymm11\n",
            "vmovdqu [rsi + ", $at, " + ", $s, "*2], ymm12\n",
            "vmovdqu [rsi + ", $at, " + ", $s, "*3], ymm13\n",
            "vmovdqu [rsi + ", $at, " + ", $s, "*4], ymm14\n",
        )
    };
}

/// Computes the parity of one column of the input, for the first round.
#[rustfmt::skip]
macro_rules! parity {
    ($s:literal $at:literal, $c:literal = $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "vmovdqu ymm", $c, ", [rdi + ", $at, " + ", $s, "*", $a0, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $at, " + ", $s, "*", $a1, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $at, " + ", $s, "*", $a2, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $at, " + ", $s, "*", $a3, "]\n",
            "vpxor ymm", $c, ", ymm", $c, ", [rdi + ", $at, " + ", $s, "*", $a4, "]\n",
        )
    };
}

/// Computes the parities of all columns of the input.
#[rustfmt::skip]
macro_rules! parities {
    ($s:literal $at:literal) => {
        concat!(
            parity!($s $at, 10 = 0 5 10 15 20), parity!($s $at, 11 = 1 6 11 16 21), parity!($s $at, 12 = 2 7 12 17 22),
            parity!($s $at, 13 = 3 8 13 18 23), parity!($s $at, 14 = 4 9 14 19 24),
        )
    };
}

/// Computes D of θ, and loads into ymm5…9 the lanes that become the first row.
#[rustfmt::skip]
macro_rules! first_row {
    ($s:literal $at:literal) => {
        concat!(
            column!(0 = 14 11), column!(1 = 10 12), column!(2 = 11 13), column!(3 = 12 14), column!(4 = 13 10),
            lane!($s $at, 5 = 0 ^ 0 <<< 0), lane!($s $at, 6 = 6 ^ 1 <<< 44), lane!($s $at, 7 = 12 ^ 2 <<< 43),
            lane!($s $at, 8 = 18 ^ 3 <<< 21), lane!($s $at, 9 = 24 ^ 4 <<< 14),
        )
    };
}

/// Computes one round on lanes that lie `$s` bytes apart.
#[rustfmt::skip]
macro_rules! round {
    ($s:literal $at:literal) => {
        concat!(
            first_row!($s $at),
            chi_first_row!($s $at),
            lane!($s $at, 5 = 3 ^ 3 <<< 28), lane!($s $at, 6 = 9 ^ 4 <<< 20), lane!($s $at, 7 = 10 ^ 0 <<< 3),
            lane!($s $at, 8 = 16 ^ 1 <<< 45), lane!($s $at, 9 = 22 ^ 2 <<< 61),
            chi_row!($s $at, 5 6 7 8 9),
            lane!($s $at, 5 = 1 ^ 1 <<< 1), lane!($s $at, 6 = 7 ^ 2 <<< 6), lane!($s $at, 7 = 13 ^ 3 <<< 25),
            lane!($s $at, 8 = 19 ^ 4 <<< 8), lane!($s $at, 9 = 20 ^ 0 <<< 18),
            chi_row!($s $at, 10 11 12 13 14),
            lane!($s $at, 5 = 4 ^ 4 <<< 27), lane!($s $at, 6 = 5 ^ 0 <<< 36), lane!($s $at, 7 = 11 ^ 1 <<< 10),
            lane!($s $at, 8 = 17 ^ 2 <<< 15), lane!($s $at, 9 = 23 ^ 3 <<< 56),
            chi_row!($s $at, 15 16 17 18 19),
            lane!($s $at, 5 = 2 ^ 2 <<< 62), lane!($s $at, 6 = 8 ^ 3 <<< 55), lane!($s $at, 7 = 14 ^ 4 <<< 39),
            lane!($s $at, 8 = 15 ^ 0 <<< 41), lane!($s $at, 9 = 21 ^ 1 <<< 2),
            chi_row!($s $at, 20 21 22 23 24),
        )
    };
}

/// Erases the 32-byte vectors with the indices `$i` in the buffer at the address `$at`. Overwrites ymm0.
#[rustfmt::skip]
macro_rules! erase {
    ($at:literal $($i:literal)*) => {
        concat!("vpxor xmm0, xmm0, xmm0\n", $("vmovdqu [", $at, " + 32*", $i, "], ymm0\n"),*)
    };
}

/// Runs all 24 rounds. The number of rounds is even, so the result is in `lanes`. Erases the other buffer.
#[target_feature(enable = "avx2")]
fn rounds(lanes: &mut [u64; 100]) {
    let constants = &ROUND_CONSTANTS;
    let mut buffer = CacheAligned([MaybeUninit::<u64>::uninit(); 100]);
    // SAFETY: rdi and rsi point to the two buffers and are exchanged after each round. Each buffer is
    // accessed only at offsets 32 · (0…24). The constants are read at 8 · (0…23). All vector registers and
    // flags are declared clobbered, the stack is not used, and the upper halves are cleared at the end.
    unsafe {
        asm!(
            parities!(32 0),
            "2:",
            round!(32 0),
            "xchg rdi, rsi",
            "add r8, 8",
            "cmp r8, r9",
            "jne 2b",
            erase!("rsi" 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24),
            "vzeroupper",
            inout("rdi") lanes.as_mut_ptr() => _,
            inout("rsi") buffer.0.as_mut_ptr() => _,
            inout("r8") constants.as_ptr() => _,
            in("r9") constants.as_ptr_range().end,
            in("r11") BYTE_ROTATIONS.as_ptr(),
            clobber_abi("sysv64"),
            options(nostack),
        );
    }
}

/// Computes the rounds of both halves of eight states, alternating between the halves. The parities of one
/// half are stored in memory until its next round.
#[rustfmt::skip]
macro_rules! rounds_x8 {
    () => {
        concat!(
            parities!(64 0), move_parities!(store 0),
            parities!(64 32), move_parities!(store 160),
            "2:\n",
            move_parities!(load 0), round!(64 0), move_parities!(store 0),
            move_parities!(load 160), round!(64 32), move_parities!(store 160),
            "mov rdi, rsi\n",
            "xchg rsi, rcx\n",
            "add r8, 8\n",
            "cmp r8, r9\n",
            "jne 2b\n",
        )
    };
}

/// Moves the parities to or from memory.
#[rustfmt::skip]
macro_rules! move_parities {
    (store $at:literal) => {
        concat!(
            "vmovdqu [r10 + ", $at, "], ymm10\n",
            "vmovdqu [r10 + 32 + ", $at, "], ymm11\n",
            "vmovdqu [r10 + 64 + ", $at, "], ymm12\n",
            "vmovdqu [r10 + 96 + ", $at, "], ymm13\n",
            "vmovdqu [r10 + 128 + ", $at, "], ymm14\n",
        )
    };
    (load $at:literal) => {
        concat!(
            "vmovdqu ymm10, [r10 + ", $at, "]\n",
            "vmovdqu ymm11, [r10 + 32 + ", $at, "]\n",
            "vmovdqu ymm12, [r10 + 64 + ", $at, "]\n",
            "vmovdqu ymm13, [r10 + 96 + ", $at, "]\n",
            "vmovdqu ymm14, [r10 + 128 + ", $at, "]\n",
        )
    };
}

/// Computes the last round for one half of eight states, and stores only the first four lanes.
#[rustfmt::skip]
macro_rules! last_round {
    ($at:literal) => {
        concat!(
            move_parities!(load 0),
            first_row!(64 $at),
            chi_without_parity!(0 = 5 6 7), chi_without_parity!(1 = 6 7 8), chi_without_parity!(2 = 7 8 9), chi_without_parity!(3 = 8 9 5),
            "vpbroadcastq ymm4, qword ptr [r8]\n",
            "vpxor ymm0, ymm0, ymm4\n",
            "vmovdqu [rdx + ", $at, "], ymm0\n",
            "vmovdqu [rdx + 64 + ", $at, "], ymm1\n",
            "vmovdqu [rdx + 128 + ", $at, "], ymm2\n",
            "vmovdqu [rdx + 192 + ", $at, "], ymm3\n",
            "add r10, 160\n",
        )
    };
}

/// Runs all 24 rounds of eight states. The number of rounds is even, so the result is in `lanes`. Erases the buffers.
#[target_feature(enable = "avx2")]
fn rounds_x8(lanes: &mut [u64; 200]) {
    let (lanes, constants) = (lanes.as_mut_ptr(), &ROUND_CONSTANTS);
    let (mut buffer, mut parities) =
        (CacheAligned([MaybeUninit::<u64>::uninit(); 200]), CacheAligned([MaybeUninit::uninit(); 40]));
    // SAFETY: each of the 24 rounds reads `lanes` and writes a buffer, or the reverse. Accesses are only at
    // the offsets 64 · (0…24), and 32 bytes after them. Parities are stored at 32 · (0…9); the constants are
    // read at 8 · (0…23). All vector registers and flags are declared clobbered, the stack is not used, and
    // the upper halves are cleared at the end.
    unsafe {
        asm!(
            rounds_x8!(),
            // after an even number of rounds, the result is in `lanes` again
            erase!("rsi" 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24),
            erase!("rsi" 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49),
            erase!("r10" 0 1 2 3 4 5 6 7 8 9),
            "vzeroupper",
            inout("rdi") lanes => _,
            inout("rsi") buffer.0.as_mut_ptr() => _,
            inout("rcx") lanes => _,
            inout("r8") constants.as_ptr() => _,
            in("r9") constants.as_ptr_range().end,
            in("r10") parities.0.as_mut_ptr(),
            in("r11") BYTE_ROTATIONS.as_ptr(),
            clobber_abi("sysv64"),
            options(nostack),
        );
    }
}

/// Computes the first four lanes of eight states after 24 rounds.
#[target_feature(enable = "avx2")]
fn first_rounds(states: &[u64; 200], first: &mut [u64; 32], scratch: &mut Scratch) {
    let (Scratch { buffers: [a, b], parities, .. }, constants) = (scratch, &ROUND_CONSTANTS);
    // SAFETY: the first of 23 rounds reads `states` and writes `a`. The following rounds read one buffer and
    // write the other, so the last round, of four lanes, reads the output of the 23rd. Accesses are only at
    // the offsets 64 · (0…24), and 32 bytes after them. The last round writes `first` at 32 · (0…7).
    // Clobbered registers, the stack and the upper halves are treated as in `rounds_x8`.
    unsafe {
        asm!(
            rounds_x8!(),
            last_round!(0),
            last_round!(32),
            "vzeroupper",
            inout("rdi") states.as_ptr() => _,
            inout("rsi") a.as_mut_ptr() => _,
            inout("rcx") b.as_mut_ptr() => _,
            inout("r8") constants.as_ptr() => _,
            in("r9") constants.as_ptr().add(23),
            inout("r10") parities.as_mut_ptr() => _,
            in("rdx") first.as_mut_ptr(),
            in("r11") BYTE_ROTATIONS.as_ptr(),
            clobber_abi("sysv64"),
            options(nostack),
        );
    }
}

/// An array of words that is aligned to a cache line.
#[repr(C, align(64))]
struct CacheAligned<const N: usize>([MaybeUninit<u64>; N]);

/// The buffers that rounds write to. `first_lanes_x8` leaves data there, which is erased on drop.
#[repr(C, align(64))]
pub struct Scratch {
    buffers: [[MaybeUninit<u64>; 200]; 2],
    parities: [MaybeUninit<u64>; 40],
    used: bool,
}

impl Scratch {
    /// Creates uninitialised buffers.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            buffers: [[MaybeUninit::uninit(); 200]; 2],
            parities: [MaybeUninit::uninit(); 40],
            used: false,
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.used {
            self.buffers = [[MaybeUninit::zeroed(); 200]; 2];
            self.parities = [MaybeUninit::zeroed(); 40];
            zeroize::optimization_barrier(self);
        }
    }
}

/// Computes the first four lanes of eight permuted states. Lane `i` of state `n` is at `8 i + n`.
pub(crate) fn first_lanes_x8(
    _token: Avx2,
    states: &[u64; 200],
    first: &mut [u64; 32],
    scratch: &mut Scratch,
) {
    scratch.used = true;
    // SAFETY: the token proves AVX2.
    unsafe { first_rounds(states, first, scratch) }
}

/// Permutes four states. Lane `i` of state `n` is at `4 i + n`.
pub(crate) fn permute_x4(_token: Avx2, lanes: &mut [u64; 100]) {
    // SAFETY: the token proves AVX2.
    unsafe { rounds(lanes) }
}

/// Permutes eight states. Lane `i` of state `n` is at `8 i + n`.
pub(crate) fn permute_x8(_token: Avx2, lanes: &mut [u64; 200]) {
    // SAFETY: the token proves AVX2.
    unsafe { rounds_x8(lanes) }
}
