//! Keccak with AVX-512: the whole state stays in registers, lane `i` of all states in vector register `i`.
//!
//! LLVM spills the 25 live registers of the intrinsics form, so the kernel is assembly. One text serves eight
//! states (zmm), four (ymm) and one (xmm). All rounds are written out: π moves nothing, the next round calls the
//! registers by other names, and after 24 rounds each has its own name again. One round is
//! - θ and ρ: five parities in v25…v29, with which every lane takes those of its neighbour columns and is rotated;
//! - χ: row by row, in place, with the row's first two lanes kept in two other registers;
//! - ι: the round constant, broadcast from memory.
//!
//! A round has one of two orders. `by_columns` has the fewest instructions: each lane takes two parities at once. It is
//! for processors with two or three ports for them, which they fill. `by_rows` is for those with four, where logic takes
//! two cycles, and of three operands three: there the ports wait for θ. It joins the parities first, which is five
//! instructions more and lets θ and χ of different rows go on side by side.
//!
//! rdi points to the lanes, rsi to the round constants, and rdx to where the lanes go.

use super::avx512_x1;
use crate::keccak::ROUND_CONSTANTS;
use core::arch::{asm, naked_asm};
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
        concat!($op, " [rdx + ", $stride, "*", $i, "], ", $v, $i, "\n")
    };
}

/// Stores the first four lanes.
macro_rules! first_lanes {
    ($op:literal, $v:literal, $stride:literal) => {
        concat!(
            store!($op, $v, $stride, 0),
            store!($op, $v, $stride, 1),
            store!($op, $v, $stride, 2),
            store!($op, $v, $stride, 3),
        )
    };
}

/// C[x] of θ: the parity of a column, into register `$c`.
#[rustfmt::skip]
macro_rules! parity {
    ($v:literal, $c:literal = $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "vmovdqa64 ", $v, $c, ", ", $v, $a0, "\n",
            "vpternlogq ", $v, $c, ", ", $v, $a1, ", ", $v, $a2, ", 0x96\n",
            "vpternlogq ", $v, $c, ", ", $v, $a3, ", ", $v, $a4, ", 0x96\n",
        )
    };
}

/// θ and ρ on one column: each lane ^= C[x - 1] ^ rot(C[x + 1], 1), then it is rotated; `$t` is free.
#[rustfmt::skip]
macro_rules! theta_rho {
    ($v:literal, $t:literal, $left:literal $right:literal -> $($a:literal <<< $n:tt),*) => {
        concat!(
            "vprolq ", $v, $t, ", ", $v, $right, ", 1\n",
            $(
                "vpternlogq ", $v, $a, ", ", $v, $left, ", ", $v, $t, ", 0x96\n",
                rotate!($v, $a, $n),
            )*
        )
    };
}

/// D[x] of θ, what each lane of a column takes: C[x - 1] ^ rot(C[x + 1], 1). From C[0…4] in v25…v29: D[0] in v30, D[1…3] in
/// v27…v29, D[4] in v31.
#[rustfmt::skip]
macro_rules! join {
    ($v:literal) => {
        concat!(
            "vprolq ", $v, "30, ", $v, "26, 1\n",
            "vprolq ", $v, "31, ", $v, "25, 1\n",
            "vpxorq ", $v, "30, ", $v, "30, ", $v, "29\n",
            "vpxorq ", $v, "31, ", $v, "31, ", $v, "28\n",
            "vprolq ", $v, "29, ", $v, "29, 1\n",
            "vprolq ", $v, "28, ", $v, "28, 1\n",
            "vpxorq ", $v, "29, ", $v, "29, ", $v, "27\n",
            "vprolq ", $v, "27, ", $v, "27, 1\n",
            "vpxorq ", $v, "28, ", $v, "28, ", $v, "26\n",
            "vpxorq ", $v, "27, ", $v, "27, ", $v, "25\n",
        )
    };
}

/// θ and ρ on lanes: each ^= D of its column, which is in `$d`, and is rotated.
#[rustfmt::skip]
macro_rules! joined_rho {
    ($v:literal, $($a:literal $d:literal <<< $n:tt),*) => {
        concat!(
            $(
                "vpxorq ", $v, $a, ", ", $v, $a, ", ", $v, $d, "\n",
                rotate!($v, $a, $n),
            )*
        )
    };
}

macro_rules! rotate {
    ($v:literal, $a:literal, 0) => {
        ""
    };
    ($v:literal, $a:literal, $n:tt) => {
        concat!("vprolq ", $v, $a, ", ", $v, $a, ", ", $n, "\n")
    };
}

/// χ on one row, in place; `$s` and `$t` are free.
#[rustfmt::skip]
macro_rules! chi {
    ($v:literal, $s:literal $t:literal, $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal) => {
        concat!(
            "vmovdqa64 ", $v, $s, ", ", $v, $a0, "\n",
            "vmovdqa64 ", $v, $t, ", ", $v, $a1, "\n",
            "vpternlogq ", $v, $a0, ", ", $v, $a1, ", ", $v, $a2, ", 0xD2\n",
            "vpternlogq ", $v, $a1, ", ", $v, $a2, ", ", $v, $a3, ", 0xD2\n",
            "vpternlogq ", $v, $a2, ", ", $v, $a3, ", ", $v, $a4, ", 0xD2\n",
            "vpternlogq ", $v, $a3, ", ", $v, $a4, ", ", $v, $s, ", 0xD2\n",
            "vpternlogq ", $v, $a4, ", ", $v, $s, ", ", $v, $t, ", 0xD2\n",
        )
    };
}

/// C[0…4] of θ in v25…v29.
#[rustfmt::skip]
macro_rules! parities {
    (
        $v:literal,
        [
            $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal
            $a5:literal $a6:literal $a7:literal $a8:literal $a9:literal
            $a10:literal $a11:literal $a12:literal $a13:literal $a14:literal
            $a15:literal $a16:literal $a17:literal $a18:literal $a19:literal
            $a20:literal $a21:literal $a22:literal $a23:literal $a24:literal
        ]
    ) => {
        concat!(
            parity!($v, 25 = $a0 $a5 $a10 $a15 $a20),
            parity!($v, 26 = $a1 $a6 $a11 $a16 $a21),
            parity!($v, 27 = $a2 $a7 $a12 $a17 $a22),
            parity!($v, 28 = $a3 $a8 $a13 $a18 $a23),
            parity!($v, 29 = $a4 $a9 $a14 $a19 $a24),
        )
    };
}

/// ι, the constant at offset `$i`.
#[rustfmt::skip]
macro_rules! iota {
    ($v:literal, $broadcast:literal, $a0:literal, $i:literal) => {
        concat!("vpxorq ", $v, $a0, ", ", $v, $a0, ", qword ptr [rsi + ", $i, "]", $broadcast, "\n")
    };
}

/// A round behind the parities, column by column and then row by row.
#[rustfmt::skip]
macro_rules! by_columns {
    (
        $v:literal, $broadcast:literal, $i:literal,
        [
            $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal
            $a5:literal $a6:literal $a7:literal $a8:literal $a9:literal
            $a10:literal $a11:literal $a12:literal $a13:literal $a14:literal
            $a15:literal $a16:literal $a17:literal $a18:literal $a19:literal
            $a20:literal $a21:literal $a22:literal $a23:literal $a24:literal
        ]
    ) => {
        concat!(
            theta_rho!($v, 30, 29 26 -> $a0 <<< 0, $a5 <<< 36, $a10 <<< 3, $a15 <<< 41, $a20 <<< 18),
            theta_rho!($v, 31, 25 27 -> $a1 <<< 1, $a6 <<< 44, $a11 <<< 10, $a16 <<< 45, $a21 <<< 2),
            theta_rho!($v, 30, 26 28 -> $a2 <<< 62, $a7 <<< 6, $a12 <<< 43, $a17 <<< 15, $a22 <<< 61),
            theta_rho!($v, 31, 27 29 -> $a3 <<< 28, $a8 <<< 55, $a13 <<< 25, $a18 <<< 21, $a23 <<< 56),
            theta_rho!($v, 30, 28 25 -> $a4 <<< 27, $a9 <<< 20, $a14 <<< 39, $a19 <<< 8, $a24 <<< 14),
            // by the names that π gives
            chi!($v, 30 31, $a0 $a6 $a12 $a18 $a24),
            iota!($v, $broadcast, $a0, $i),
            chi!($v, 28 29, $a3 $a9 $a10 $a16 $a22),
            chi!($v, 30 31, $a1 $a7 $a13 $a19 $a20),
            chi!($v, 28 29, $a4 $a5 $a11 $a17 $a23),
            chi!($v, 30 31, $a2 $a8 $a14 $a15 $a21),
        )
    };
}

/// A round behind the parities, row by row as π makes them, χ one row behind θ and ρ. The order of rows is the fastest of
/// some hundred that were tried.
#[rustfmt::skip]
macro_rules! by_rows {
    (
        $v:literal, $broadcast:literal, $i:literal,
        [
            $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal
            $a5:literal $a6:literal $a7:literal $a8:literal $a9:literal
            $a10:literal $a11:literal $a12:literal $a13:literal $a14:literal
            $a15:literal $a16:literal $a17:literal $a18:literal $a19:literal
            $a20:literal $a21:literal $a22:literal $a23:literal $a24:literal
        ]
    ) => {
        concat!(
            join!($v),
            joined_rho!($v, $a1 27 <<< 1, $a7 28 <<< 6, $a13 29 <<< 25, $a19 31 <<< 8, $a20 30 <<< 18),
            joined_rho!($v, $a3 29 <<< 28, $a9 31 <<< 20, $a10 30 <<< 3, $a16 27 <<< 45, $a22 28 <<< 61),
            chi!($v, 25 26, $a1 $a7 $a13 $a19 $a20),
            joined_rho!($v, $a0 30 <<< 0, $a6 27 <<< 44, $a12 28 <<< 43, $a18 29 <<< 21, $a24 31 <<< 14),
            chi!($v, 25 26, $a3 $a9 $a10 $a16 $a22),
            joined_rho!($v, $a4 31 <<< 27, $a5 30 <<< 36, $a11 27 <<< 10, $a17 28 <<< 15, $a23 29 <<< 56),
            chi!($v, 25 26, $a0 $a6 $a12 $a18 $a24),
            iota!($v, $broadcast, $a0, $i),
            joined_rho!($v, $a2 28 <<< 62, $a8 29 <<< 55, $a14 31 <<< 39, $a15 30 <<< 41, $a21 27 <<< 2),
            chi!($v, 25 26, $a4 $a5 $a11 $a17 $a23),
            chi!($v, 25 26, $a2 $a8 $a14 $a15 $a21),
        )
    };
}

/// A round in the order `$order` for each of the offsets `$i` of round constants, on lanes that are in the registers `$lanes`.
/// The last one is cut to [`last_round`] if it says where they go.
#[rustfmt::skip]
macro_rules! rounds {
    ($order:ident, $v:literal, $broadcast:literal, [$($a:literal)*],) => { "" };
    ($order:ident, $v:literal, $broadcast:literal, $lanes:tt, $i:literal -> $store:literal $stride:literal) => {
        concat!(parities!($v, $lanes), last_round!($v, $broadcast, $store, $stride, $lanes, $i))
    };
    ($order:ident, $v:literal, $broadcast:literal, $lanes:tt, $i:literal $($more:tt)*) => {
        concat!(
            parities!($v, $lanes),
            $order!($v, $broadcast, $i, $lanes),
            rounds_behind_pi!($order, $v, $broadcast, $lanes, $($more)*),
        )
    };
}

/// [`rounds`] on lanes by the names that π gives them.
#[rustfmt::skip]
macro_rules! rounds_behind_pi {
    (
        $order:ident, $v:literal, $broadcast:literal,
        [
            $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal
            $a5:literal $a6:literal $a7:literal $a8:literal $a9:literal
            $a10:literal $a11:literal $a12:literal $a13:literal $a14:literal
            $a15:literal $a16:literal $a17:literal $a18:literal $a19:literal
            $a20:literal $a21:literal $a22:literal $a23:literal $a24:literal
        ],
        $($more:tt)*
    ) => {
        rounds!(
            $order, $v, $broadcast,
            [
                $a0 $a6 $a12 $a18 $a24 $a3 $a9 $a10 $a16 $a22 $a1 $a7 $a13 $a19 $a20
                $a4 $a5 $a11 $a17 $a23 $a2 $a8 $a14 $a15 $a21
            ],
            $($more)*
        )
    };
}

/// Of a round behind the parities what the first four lanes need, θ and ρ on the diagonal and χ on the first row, and their stores.
#[rustfmt::skip]
macro_rules! last_round {
    (
        $v:literal, $broadcast:literal, $store:literal, $stride:literal,
        [
            $a0:literal $a1:literal $a2:literal $a3:literal $a4:literal
            $a5:literal $a6:literal $a7:literal $a8:literal $a9:literal
            $a10:literal $a11:literal $a12:literal $a13:literal $a14:literal
            $a15:literal $a16:literal $a17:literal $a18:literal $a19:literal
            $a20:literal $a21:literal $a22:literal $a23:literal $a24:literal
        ],
        $i:literal
    ) => {
        concat!(
            theta_rho!($v, 30, 29 26 -> $a0 <<< 0),
            theta_rho!($v, 31, 25 27 -> $a6 <<< 44),
            theta_rho!($v, 30, 26 28 -> $a12 <<< 43),
            theta_rho!($v, 31, 27 29 -> $a18 <<< 21),
            theta_rho!($v, 30, 28 25 -> $a24 <<< 14),
            chi!($v, 30 31, $a0 $a6 $a12 $a18 $a24),
            iota!($v, $broadcast, $a0, $i),
            $store, " [rdx], ", $v, $a0, "\n",
            $store, " [rdx + ", $stride, "], ", $v, $a6, "\n",
            $store, " [rdx + 2*", $stride, "], ", $v, $a12, "\n",
            $store, " [rdx + 3*", $stride, "], ", $v, $a18, "\n",
        )
    };
}

/// All 24 rounds on the registers named `$v`, loaded by `$move` with `$stride` bytes from lane to lane; stored likewise, or
/// of the last round only the first four lanes.
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
            // SAFETY: the loads cover `from` exactly, and the stores `to`, which may be the same and which the caller
            // may read and write: 25 or four vectors of `$stride` bytes. The constants are read at 8 · (0…23). All
            // vector registers are declared clobbered, the stack is not used but to call, and the upper halves are
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
            "call {rounds}", first_lanes!($move, $v, $stride), [rounds = sym all_rounds,] []
        );
    };
}

/// Column by column: each width has its own text, of registers no wider than that.
mod by_columns {
    use super::*;

    kernel!(x8, 200, "zmm", "vmovdqu64", 64, "{{1to8}}");
    kernel!(x4, 100, "ymm", "vmovdqu64", 32, "{{1to4}}");
    kernel!(x8_first, 200 -> 32, "zmm", "vmovdqu64", 64, "{{1to8}}");
}

/// Row by row: all widths take the same time, and share one text, so that they are not in each other's way in the caches
/// for instructions.
mod by_rows {
    use super::*;

    kernel!(x8, 200, "zmm", "vmovdqu64", 64);
    kernel!(x4, 100, "ymm", "vmovdqu64", 32);
    kernel!(x1, 25, "xmm", "vmovq", 8);
    kernel!(x8_first, 200 -> 32, "zmm", "vmovdqu64", 64);

    /// All 24 rounds of the lanes in zmm0…zmm24; rsi points to the round constants.
    ///
    /// # Safety
    /// The processor has AVX-512 F. Called from assembly only: it keeps to no calling convention.
    #[unsafe(naked)]
    unsafe extern "C" fn all_rounds() {
        naked_asm!(kernel!(@rounds by_rows, "zmm", "{{1to8}}",), "ret")
    }
}

/// Eight states: lane `i` of state `n` at `8 i + n`.
pub(crate) fn permute_x8(token: Avx512, lanes: &mut [u64; 200]) {
    let lanes: *mut [u64; 200] = lanes;
    let kernel = if token.has_four_ports() { by_rows::x8 } else { by_columns::x8 };
    // SAFETY: the token proves AVX-512 F and VL, and the lanes are ours.
    unsafe { kernel(lanes, lanes) }
}

/// The first four lanes of eight permuted states as [`permute_x8`] has them.
pub(crate) fn first_lanes_x8(token: Avx512, states: &[u64; 200], first: &mut [u64; 32]) {
    let kernel = if token.has_four_ports() { by_rows::x8_first } else { by_columns::x8_first };
    // SAFETY: as above.
    unsafe { kernel(states, first) }
}

/// Four states: lane `i` of state `n` at `4 i + n`.
pub(crate) fn permute_x4(token: Avx512, lanes: &mut [u64; 100]) {
    let lanes: *mut [u64; 100] = lanes;
    let kernel = if token.has_four_ports() { by_rows::x4 } else { by_columns::x4 };
    // SAFETY: as above.
    unsafe { kernel(lanes, lanes) }
}

/// One state.
pub(crate) fn permute_x1(token: Avx512, lanes: &mut [u64; 25]) {
    if !token.has_four_ports() {
        return avx512_x1::permute(token, lanes);
    }
    let lanes: *mut [u64; 25] = lanes;
    // SAFETY: as above.
    unsafe { by_rows::x1(lanes, lanes) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keccak::States;

    type Kernel<const LEN: usize, const OUT: usize> = unsafe fn(*const [u64; LEN], *mut [u64; OUT]);

    /// A kernel for `N` states, or for their first lanes, does what plain Rust does.
    fn equals_portable<const N: usize, const LEN: usize, const OUT: usize>(kernel: Kernel<LEN, OUT>) {
        let mut input: States<N> = core::array::from_fn(|i| core::array::from_fn(|n| (7 * i + n) as u64));
        for _ in 0..1000 {
            let mut expected = input;
            crate::backend::portable::permute(&mut expected);
            let (mut got, input) = ([0; OUT], std::mem::replace(&mut input, expected));
            let from: &[u64; LEN] = input.as_flattened().try_into().expect("25 lanes of each");
            // SAFETY: the caller has the token.
            unsafe { kernel(from, &mut got) };
            assert_eq!(got[..], expected.as_flattened()[..OUT]);
        }
    }

    /// This machine would choose one of the orders only.
    #[test]
    fn every_order_of_rounds_is_the_permutation() {
        if Avx512::detect().is_none() {
            return;
        }
        equals_portable::<8, 200, 200>(by_columns::x8);
        equals_portable::<8, 200, 200>(by_rows::x8);
        equals_portable::<8, 200, 32>(by_columns::x8_first);
        equals_portable::<8, 200, 32>(by_rows::x8_first);
        equals_portable::<4, 100, 100>(by_columns::x4);
        equals_portable::<4, 100, 100>(by_rows::x4);
        equals_portable::<1, 25, 25>(by_rows::x1);
    }
}
