//! Keccak on one state in the general registers, with the and-not of BMI1 and the three-operand rotation of
//! BMI2.
//!
//! Thirteen registers cannot hold 25 lanes, and with LLVM's register allocation, the kernel takes a quarter
//! more time. A round reads the lanes from one buffer and writes them to another, one row at a time:
//! - r8…r12 hold D of θ.
//! - rax, rcx, rdx, r13 and r14 hold the row that ρ and π bring together. The last row uses the registers of D instead
//!   and leaves its result in these five, where C of the next round starts.
//! - rdi and rbx point to the two buffers, rsi to the round constant; r15 is scratch.

use crate::keccak::ROUND_CONSTANTS;
use core::arch::asm;
use grille_cpu::Avx2;

/// Computes C of θ from the last row, in rax, rcx, rdx, r13 and r14, and from the other rows in memory. Then
/// computes D.
macro_rules! theta {
    ($from:literal) => {
        concat!(
            column!($from, "rax" 0 5 10 15),
            column!($from, "rcx" 1 6 11 16),
            column!($from, "rdx" 2 7 12 17),
            column!($from, "r13" 3 8 13 18),
            column!($from, "r14" 4 9 14 19),
            // D[x] = C[x - 1] ^ rot(C[x + 1], 1)
            "rorx r8, rcx, 63\n",
            "xor r8, r14\n",
            "rorx r9, rdx, 63\n",
            "xor r9, rax\n",
            "rorx r10, r13, 63\n",
            "xor r10, rcx\n",
            "rorx r11, r14, 63\n",
            "xor r11, rdx\n",
            "rorx r12, rax, 63\n",
            "xor r12, r13\n",
        )
    };
}

macro_rules! column {
    ($from:literal, $c:literal $($i:literal)*) => {
        concat!($("xor ", $c, ", [", $from, " + 8*", $i, "]\n"),*)
    };
}

/// Computes θ, ρ and π on one lane: `$b` = rot(lane `$i` ^ `$d`, `$by`).
macro_rules! lane {
    ($from:literal, $b:literal = $i:literal ^ $d:literal <<< $by:tt) => {
        concat!("mov ", $b, ", ", $d, "\n", lane!($from, $b ^= $i <<< $by))
    };
    ($from:literal, $b:literal ^= $i:literal <<< 0) => {
        concat!("xor ", $b, ", [", $from, " + 8*", $i, "]\n")
    };
    ($from:literal, $b:literal ^= $i:literal <<< $by:literal) => {
        concat!(lane!($from, $b ^= $i <<< 0), "rol ", $b, ", ", $by, "\n")
    };
}

/// Computes χ on one lane into `$to`, and stores it as lane `$i`.
macro_rules! chi {
    ($into:literal, $i:literal $to:literal = $b0:literal $b1:literal $b2:literal) => {
        concat!(chi!($to = $b0 $b1 $b2), "mov [", $into, " + 8*", $i, "], ", $to, "\n")
    };
    ($to:literal = $b0:literal $b1:literal $b2:literal) => {
        concat!("andn ", $to, ", ", $b1, ", ", $b2, "\n", "xor ", $to, ", ", $b0, "\n")
    };
}

/// Computes χ on the row in rax, rcx, rdx, r13 and r14.
#[rustfmt::skip]
macro_rules! chi_row {
    ($into:literal, $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            chi!($into, $a0 "r15" = "rax" "rcx" "rdx"),
            chi!($into, $a1 "r15" = "rcx" "rdx" "r13"),
            chi!($into, $a2 "r15" = "rdx" "r13" "r14"),
            chi!($into, $a3 "r15" = "r13" "r14" "rax"),
            chi!($into, $a4 "r15" = "r14" "rax" "rcx"),
        )
    };
}

/// Computes one round with the constant at offset `$constant` from rsi.
#[rustfmt::skip]
macro_rules! round {
    ($from:literal -> $into:literal, $constant:literal) => {
        concat!(
            theta!($from),
            lane!($from, "rax" = 0 ^ "r8" <<< 0), lane!($from, "rcx" = 6 ^ "r9" <<< 44),
            lane!($from, "rdx" = 12 ^ "r10" <<< 43), lane!($from, "r13" = 18 ^ "r11" <<< 21),
            lane!($from, "r14" = 24 ^ "r12" <<< 14),
            chi!("r15" = "rax" "rcx" "rdx"),
            "xor r15, [rsi + ", $constant, "]\n",
            "mov [", $into, "], r15\n",
            chi!($into, 1 "r15" = "rcx" "rdx" "r13"), chi!($into, 2 "r15" = "rdx" "r13" "r14"),
            chi!($into, 3 "r15" = "r13" "r14" "rax"), chi!($into, 4 "r15" = "r14" "rax" "rcx"),
            lane!($from, "rax" = 3 ^ "r11" <<< 28), lane!($from, "rcx" = 9 ^ "r12" <<< 20),
            lane!($from, "rdx" = 10 ^ "r8" <<< 3), lane!($from, "r13" = 16 ^ "r9" <<< 45),
            lane!($from, "r14" = 22 ^ "r10" <<< 61),
            chi_row!($into, 5 6 7 8 9),
            lane!($from, "rax" = 1 ^ "r9" <<< 1), lane!($from, "rcx" = 7 ^ "r10" <<< 6),
            lane!($from, "rdx" = 13 ^ "r11" <<< 25), lane!($from, "r13" = 19 ^ "r12" <<< 8),
            lane!($from, "r14" = 20 ^ "r8" <<< 18),
            chi_row!($into, 10 11 12 13 14),
            lane!($from, "rax" = 4 ^ "r12" <<< 27), lane!($from, "rcx" = 5 ^ "r8" <<< 36),
            lane!($from, "rdx" = 11 ^ "r9" <<< 10), lane!($from, "r13" = 17 ^ "r10" <<< 15),
            lane!($from, "r14" = 23 ^ "r11" <<< 56),
            chi_row!($into, 15 16 17 18 19),
            lane!($from, "r10" ^= 2 <<< 62), lane!($from, "r11" ^= 8 <<< 55), lane!($from, "r12" ^= 14 <<< 39),
            lane!($from, "r8" ^= 15 <<< 41), lane!($from, "r9" ^= 21 <<< 2),
            chi!($into, 20 "rax" = "r10" "r11" "r12"), chi!($into, 21 "rcx" = "r11" "r12" "r8"),
            chi!($into, 22 "rdx" = "r12" "r8" "r9"), chi!($into, 23 "r13" = "r8" "r9" "r10"),
            chi!($into, 24 "r14" = "r9" "r10" "r11"),
        )
    };
}

/// Runs all 24 rounds. The number of rounds is even, so the result is in `lanes`. `scratch` holds 25 lanes, followed by
/// the number of remaining pairs of rounds.
#[inline(never)]
#[target_feature(enable = "bmi1,bmi2")]
fn rounds(lanes: &mut [u64; 25], scratch: &mut [u64; 26]) {
    // SAFETY: rdi and rbx point to the two buffers. Each is accessed only at the offsets 8 · (0…24), and rbx
    // also at 8 · 25 for the counter. The constants are read at 8 · (0…23): two per pass, twelve passes. All
    // written registers are declared, except rbx, which is saved on the stack.
    unsafe {
        asm!(
            "push rbx",
            "mov rbx, rax",
            "mov rax, [rdi + 8*20]",
            "mov rcx, [rdi + 8*21]",
            "mov rdx, [rdi + 8*22]",
            "mov r13, [rdi + 8*23]",
            "mov r14, [rdi + 8*24]",
            "2:",
            round!("rdi" -> "rbx", 0),
            round!("rbx" -> "rdi", 8),
            "add rsi, 16",
            "dec qword ptr [rbx + 8*25]",
            "jnz 2b",
            "pop rbx",
            in("rdi") lanes.as_mut_ptr(),
            inout("rax") scratch.as_mut_ptr() => _,
            inout("rsi") ROUND_CONSTANTS.as_ptr() => _,
            out("rcx") _, out("rdx") _, out("r8") _, out("r9") _, out("r10") _,
            out("r11") _, out("r12") _, out("r13") _, out("r14") _, out("r15") _,
        );
    }
}

/// Permutes one state.
pub(crate) fn permute_x1(_token: Avx2, lanes: &mut [u64; 25]) {
    let mut scratch = [0; 26];
    scratch[25] = ROUND_CONSTANTS.len() as u64 / 2;
    // SAFETY: the token proves BMI1 and BMI2.
    unsafe { rounds(lanes, &mut scratch) }
    scratch = [0; 26];
    zeroize::optimization_barrier(&scratch);
}
