//! Rounds of Keccak as AVX-512 assembly text. The caller names the registers of the lanes: `$v` is their kind (zmm, ymm
//! or xmm), and registers 25 to 31 are free. `avx512.rs` explains the orders of instructions.

/// Computes C[x] of θ, the parity of a column, into register `$c`.
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

/// Computes θ and ρ on one column: each lane ^= C[x - 1] ^ rot(C[x + 1], 1), then it is rotated. Overwrites
/// `$t`.
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

/// Computes D[x] of θ for all columns: C[x - 1] ^ rot(C[x + 1], 1). Reads C[0…4] from v25…v29. Writes D[0] to
/// v30, D[1…3] to v27…v29, and D[4] to v31.
#[rustfmt::skip]
macro_rules! theta_d {
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

/// Computes θ and ρ on lanes: combines each lane with D of its column, which is in `$d`, then rotates it.
#[rustfmt::skip]
macro_rules! add_d_and_rho {
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

/// Computes χ on one row, in place. Overwrites `$s` and `$t`.
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

/// Computes C[0…4] of θ into v25…v29.
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

/// Computes ι with the round constant at offset `$i`.
#[rustfmt::skip]
macro_rules! iota {
    ($v:literal, $broadcast:literal, $a0:literal, $i:literal) => {
        concat!("vpxorq ", $v, $a0, ", ", $v, $a0, ", qword ptr [rsi + ", $i, "]", $broadcast, "\n")
    };
}

/// Computes the rest of a round whose parities are known: θ and ρ column by column, then χ row by row.
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
            // with the register names that result from π
            chi!($v, 30 31, $a0 $a6 $a12 $a18 $a24),
            iota!($v, $broadcast, $a0, $i),
            chi!($v, 28 29, $a3 $a9 $a10 $a16 $a22),
            chi!($v, 30 31, $a1 $a7 $a13 $a19 $a20),
            chi!($v, 28 29, $a4 $a5 $a11 $a17 $a23),
            chi!($v, 30 31, $a2 $a8 $a14 $a15 $a21),
        )
    };
}

/// Computes the rest of a round whose parities are known, row by row in the order of π. χ of a row comes after θ and ρ
/// of the next row. This order of rows was the fastest of several hundred candidates.
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
            theta_d!($v),
            add_d_and_rho!($v, $a1 27 <<< 1, $a7 28 <<< 6, $a13 29 <<< 25, $a19 31 <<< 8, $a20 30 <<< 18),
            add_d_and_rho!($v, $a3 29 <<< 28, $a9 31 <<< 20, $a10 30 <<< 3, $a16 27 <<< 45, $a22 28 <<< 61),
            chi!($v, 25 26, $a1 $a7 $a13 $a19 $a20),
            add_d_and_rho!($v, $a0 30 <<< 0, $a6 27 <<< 44, $a12 28 <<< 43, $a18 29 <<< 21, $a24 31 <<< 14),
            chi!($v, 25 26, $a3 $a9 $a10 $a16 $a22),
            add_d_and_rho!($v, $a4 31 <<< 27, $a5 30 <<< 36, $a11 27 <<< 10, $a17 28 <<< 15, $a23 29 <<< 56),
            chi!($v, 25 26, $a0 $a6 $a12 $a18 $a24),
            iota!($v, $broadcast, $a0, $i),
            add_d_and_rho!($v, $a2 28 <<< 62, $a8 29 <<< 55, $a14 31 <<< 39, $a15 30 <<< 41, $a21 27 <<< 2),
            chi!($v, 25 26, $a4 $a5 $a11 $a17 $a23),
            chi!($v, 25 26, $a2 $a8 $a14 $a15 $a21),
        )
    };
}

/// Computes one round in the order `$order` for each offset `$i` of round constants, on lanes in the
/// registers `$lanes`. If output registers are given, the last round is reduced to [`last_round`].
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
            rounds_after_pi!($order, $v, $broadcast, $lanes, $($more)*),
        )
    };
}

/// Applies [`rounds`] to the lanes under the register names that result from π.
#[rustfmt::skip]
macro_rules! rounds_after_pi {
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

/// Computes only the first four lanes of a round whose parities are known: θ and ρ on the diagonal, and χ on the first
/// row. Stores these lanes.
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
