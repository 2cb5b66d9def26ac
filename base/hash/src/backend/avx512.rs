//! Keccak with AVX-512. The whole state stays in registers: vector register `i` holds lane `i` of all states.
//!
//! With intrinsics, LLVM would spill some of the 25 live registers, so the kernel is written in assembly. One
//! source serves eight states (zmm), four (ymm) and one (xmm). Rounds are unrolled. π moves no data: the next
//! round uses other names for the registers, and after 24 rounds each register has its own name again. One
//! round consists of:
//! - θ and ρ: registers v25…v29 hold the five parities. Each lane is combined with the parities of its
//!   neighbour columns and rotated.
//! - χ: row by row, in place, with the first two lanes of the row saved in two other registers.
//! - ι: the round constant, broadcast from memory.
//!
//! The instructions of a round are in one of two orders. `by_columns` has the fewest instructions, because it
//! combines each lane with two parities at once. It suits processors with two or three ports for these
//! instructions. `by_rows` suits processors with four such ports, where a logic instruction has a latency of
//! two cycles, or three cycles with three operands. There, `by_columns` would leave ports idle during θ.
//! `by_rows` combines the parities first, which takes five more instructions but lets θ and χ of different
//! rows overlap.
//!
//! rdi points to the input lanes, rsi to the round constants, and rdx to the output lanes.

use super::avx512_x1;
use crate::keccak::ROUND_CONSTANTS;
use core::arch::{asm, naked_asm};
use grille_cpu::Avx512;

/// Loads or stores all lanes. `$op` is the instruction, and `$stride` is the number of bytes from lane to
/// lane.
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
        concat!($op, " [rdx + ", $stride, "*", $i, "], ", $v, $i, "\n")
    };
}

/// Stores the first four lanes.
macro_rules! store_first_lanes {
    ($op:literal, $v:literal, $stride:literal) => {
        concat!(
            store!($op, $v, $stride, 0),
            store!($op, $v, $stride, 1),
            store!($op, $v, $stride, 2),
            store!($op, $v, $stride, 3),
        )
    };
}

/// Computes all 24 rounds in the registers named `$v`. `$move` loads and stores lanes, with `$stride` bytes
/// from lane to lane. Stores all lanes, or only the first four lanes of the last round.
#[rustfmt::skip]
macro_rules! kernel {
    (@rounds $order:ident, $v:literal, $broadcast:literal, $($last:tt)*) => {
        rounds!(
            $order, $v, $broadcast,
            [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24],
            0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 $($last)*
        )
    };
    (
        @function $name:ident, $len:literal -> $out:literal, $v:literal, $move:literal, $stride:literal,
        $rounds:expr, $store:expr, [$($operand:tt)*] [$($option:ident)*]
    ) => {
        #[target_feature(enable = "avx512f,avx512vl")]
        pub(super) unsafe fn $name(from: *const [u64; $len], to: *mut [u64; $out]) {
            // SAFETY: the loads cover exactly `from`, and the stores exactly `to`: 25 or four vectors of `$stride`
            // bytes. `to` may equal `from`, and the caller may read and write it. The constants are read at 8 · (0…23).
            // All vector registers are declared clobbered, the stack is used only for calls, and the upper halves are
            // cleared at the end.
            unsafe {
                asm!(
                    each_lane!(load, $move, $v, $stride),
                    $rounds,
                    $store,
                    "vzeroupper",
                    $($operand)*
                    in("rdi") from,
                    in("rdx") to,
                    in("rsi") ROUND_CONSTANTS.as_ptr(),
                    clobber_abi("sysv64"),
                    options($($option)*),
                );
            }
        }
    };
    ($name:ident, $len:literal, $v:literal, $move:literal, $stride:literal, $broadcast:literal) => {
        kernel!(
            @function $name, $len -> $len, $v, $move, $stride,
            kernel!(@rounds by_columns, $v, $broadcast,), each_lane!(store, $move, $v, $stride), [] [nostack]
        );
    };
    ($name:ident, $len:literal -> $out:literal, $v:literal, $move:literal, $stride:literal, $broadcast:literal) => {
        kernel!(
            @function $name, $len -> $out, $v, $move, $stride,
            kernel!(@rounds by_columns, $v, $broadcast, -> $move $stride), "", [] [nostack]
        );
    };
    ($name:ident, $len:literal, $v:literal, $move:literal, $stride:literal) => {
        kernel!(
            @function $name, $len -> $len, $v, $move, $stride,
            "call {rounds}", each_lane!(store, $move, $v, $stride), [rounds = sym all_rounds,] []
        );
    };
    ($name:ident, $len:literal -> $out:literal, $v:literal, $move:literal, $stride:literal) => {
        kernel!(
            @function $name, $len -> $out, $v, $move, $stride,
            "call {rounds}", store_first_lanes!($move, $v, $stride), [rounds = sym all_rounds,] []
        );
    };
}

/// The rounds in column order. Each width has its own copy, which uses no wider registers.
mod by_columns {
    use super::*;

    kernel!(x8, 200, "zmm", "vmovdqu64", 64, "{{1to8}}");
    kernel!(x4, 100, "ymm", "vmovdqu64", 32, "{{1to4}}");
    kernel!(x8_first, 200 -> 32, "zmm", "vmovdqu64", 64, "{{1to8}}");
}

/// The rounds in row order. All widths take the same time and share one copy, so that different copies do not
/// compete for the instruction cache.
mod by_rows {
    use super::*;

    kernel!(x8, 200, "zmm", "vmovdqu64", 64);
    kernel!(x4, 100, "ymm", "vmovdqu64", 32);
    kernel!(x1, 25, "xmm", "vmovq", 8);
    kernel!(x8_first, 200 -> 32, "zmm", "vmovdqu64", 64);

    /// Moves lanes back to their own registers: `$a`, `$b`, `$c`, `$d` form a cycle. Overwrites zmm25.
    #[rustfmt::skip]
    macro_rules! restore_registers {
        ($($a:literal $b:literal $c:literal $d:literal),*) => {
            concat!($(
                "vmovdqa64 zmm25, zmm", $a, "\n",
                "vmovdqa64 zmm", $a, ", zmm", $b, "\n",
                "vmovdqa64 zmm", $b, ", zmm", $c, "\n",
                "vmovdqa64 zmm", $c, ", zmm", $d, "\n",
                "vmovdqa64 zmm", $d, ", zmm25\n",
            )*)
        };
    }

    /// Computes all 24 rounds on the lanes in zmm0…zmm24. rsi points to the round constants. Six rounds are
    /// unrolled. Moves after them restore the order of the lanes, which costs one or two cycles. Unrolling
    /// all 24 rounds would fill half of the instruction cache and evict the caller's code.
    ///
    /// # Safety
    /// The processor must have AVX-512 F. This function may be called only from assembly: it follows no
    /// calling convention, and changes rax and rsi.
    #[unsafe(naked)]
    unsafe extern "C" fn all_rounds() {
        naked_asm!(
            "mov eax, 4",
            "2:",
            rounds!(
                by_rows, "zmm", "{{1to8}}",
                [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24],
                0 8 16 24 32 40
            ),
            // the order that π leaves after six rounds
            restore_registers!(1 2 4 3, 5 10 20 15, 6 12 24 18, 7 14 23 16, 8 11 22 19, 9 13 21 17),
            "add rsi, 48",
            "dec eax",
            "jnz 2b",
            "ret",
        )
    }
}

/// Permutes eight states. Lane `i` of state `n` is at `8 i + n`.
pub(crate) fn permute_x8(token: Avx512, lanes: &mut [u64; 200]) {
    let lanes: *mut [u64; 200] = lanes;
    let kernel = if token.has_four_ports() { by_rows::x8 } else { by_columns::x8 };
    // SAFETY: the token proves AVX-512 F and VL, and `lanes` is a unique reference.
    unsafe { kernel(lanes, lanes) }
}

/// Computes the first four lanes of eight permuted states, with lanes ordered as in [`permute_x8`].
pub(crate) fn first_lanes_x8(token: Avx512, states: &[u64; 200], first: &mut [u64; 32]) {
    let kernel = if token.has_four_ports() { by_rows::x8_first } else { by_columns::x8_first };
    // SAFETY: the token proves AVX-512 F and VL, and `first` is a unique reference.
    unsafe { kernel(states, first) }
}

/// Permutes four states. Lane `i` of state `n` is at `4 i + n`.
pub(crate) fn permute_x4(token: Avx512, lanes: &mut [u64; 100]) {
    let lanes: *mut [u64; 100] = lanes;
    let kernel = if token.has_four_ports() { by_rows::x4 } else { by_columns::x4 };
    // SAFETY: the token proves AVX-512 F and VL, and `lanes` is a unique reference.
    unsafe { kernel(lanes, lanes) }
}

/// Permutes one state.
pub(crate) fn permute_x1(token: Avx512, lanes: &mut [u64; 25]) {
    if !token.has_four_ports() {
        return avx512_x1::permute(token, lanes);
    }
    let lanes: *mut [u64; 25] = lanes;
    // SAFETY: the token proves AVX-512 F and VL, and `lanes` is a unique reference.
    unsafe { by_rows::x1(lanes, lanes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keccak::States;

    type Kernel<const LEN: usize, const OUT: usize> = unsafe fn(*const [u64; LEN], *mut [u64; OUT]);

    /// Checks a kernel that computes `N` states, or their first lanes, against plain Rust.
    fn check_kernel<const N: usize, const LEN: usize, const OUT: usize>(
        inputs: u32,
        kernel: Kernel<LEN, OUT>,
    ) {
        let mut input: States<N> = core::array::from_fn(|i| core::array::from_fn(|n| (7 * i + n) as u64));
        for _ in 0..inputs {
            let mut expected = input;
            crate::backend::portable::permute(&mut expected);
            let (mut got, input) = ([0; OUT], std::mem::replace(&mut input, expected));
            let from: &[u64; LEN] = input.as_flattened().try_into().expect("25 lanes of each");
            // SAFETY: the caller has the token for the features of `kernel`.
            unsafe { kernel(from, &mut got) };
            assert_eq!(got[..], expected.as_flattened()[..OUT]);
        }
    }

    /// Gives the kernel with five registers the same signature as the other kernels.
    unsafe fn five_registers(from: *const [u64; 25], to: *mut [u64; 25]) {
        // SAFETY: the caller passes valid pointers and has the token.
        let to = unsafe {
            *to = *from;
            &mut *to
        };
        avx512_x1::permute(Avx512::detect().expect("the caller has the token"), to);
    }

    fn every_order_equals_portable(inputs: u32) {
        if Avx512::detect().is_none() {
            return;
        }
        check_kernel::<8, 200, 200>(inputs, by_columns::x8);
        check_kernel::<8, 200, 200>(inputs, by_rows::x8);
        check_kernel::<8, 200, 32>(inputs, by_columns::x8_first);
        check_kernel::<8, 200, 32>(inputs, by_rows::x8_first);
        check_kernel::<4, 100, 100>(inputs, by_columns::x4);
        check_kernel::<4, 100, 100>(inputs, by_rows::x4);
        check_kernel::<1, 25, 25>(inputs, by_rows::x1);
        check_kernel::<1, 25, 25>(inputs, five_registers);
    }

    /// Tests both orders, because `permute` would select only one of them on this processor.
    #[test]
    fn every_order_of_rounds_is_the_permutation() {
        every_order_equals_portable(10_000);
    }

    #[test]
    #[ignore = "takes minutes"]
    fn every_order_of_rounds_is_the_permutation_on_a_million_inputs() {
        every_order_equals_portable(1_000_000);
    }
}
