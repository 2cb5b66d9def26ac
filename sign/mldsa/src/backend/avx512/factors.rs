//! The powers of ζ of all layers, and the lane orders of the last four layers.

use crate::field::{INVERSE_NTT_FACTOR, ZETAS, montgomery_multiply, with_q_inv, zeta_at};

/// The powers of ζ for the layers that combine whole vectors, with their products with q⁻¹. The index is m of FIPS 204
/// Algorithm 41, from 1 to 15.
///
/// The entry m = 0, which no layer uses, is the final factor of NTT⁻¹. The last entry is the power of ζ for m
/// = 1 times the final factor. Code reads the table through a `black_box`: for a constant factor, the
/// compiler generates four more instructions per product.
pub(super) type ZetasBetween = [[i32; 2]; 17];

pub(super) const FINAL_ZETA: usize = 16;

pub(super) static ZETAS_BETWEEN: ZetasBetween = {
    let mut table = [[0; 2]; 17];
    let mut m = 0;
    while m < 17 {
        let zeta = match m {
            0 => INVERSE_NTT_FACTOR,
            FINAL_ZETA => montgomery_multiply(ZETAS[1], INVERSE_NTT_FACTOR),
            _ => ZETAS[m],
        };
        table[m] = with_q_inv(zeta);
        m += 1;
    }
    table
};

/// A number for each lane, and its product with q⁻¹.
pub(super) type Lanes = [[i32; 16]; 2];

/// The powers of ζ for the layers within two vectors, in the order of the exchanged lanes.
///
/// A layer combines pairs of coefficients. Among 32 coefficients, the lower elements of the pairs are, four
/// lanes at a time:
/// - len = 8: 0…3, 4…7, 16…19, 20…23 (inverse: 0…3, 16…19, 4…7, 20…23);
/// - len = 4: 0…3, 16…19, 8…11, 24…27;
/// - len = 2: 0 1 4 5, 16 17 20 21, 8 9 12 13, 24 25 28 29;
/// - len = 1: 0 4 2 6, 16 20 18 22, 8 12 10 14, 24 28 26 30.
///
/// Neighbouring lanes share a factor, except for len = 1.
#[repr(C, align(64))]
pub(super) struct Factors {
    pub(super) len_8: Lanes,
    pub(super) len_4: Lanes,
    pub(super) len_2: Lanes,
    /// The factors of the even lanes.
    pub(super) len_1_even: Lanes,
    /// The factors of the odd lanes, stored in even lanes.
    pub(super) len_1_odd: Lanes,
}

/// Returns the index of the lower element of the pair in lane `lane` at len = 1.
const fn lower_partner(lane: usize) -> usize {
    [0, 16, 8, 24][lane / 4] + [0, 4, 2, 6][lane % 4]
}

/// The factors of the NTT. Element p is for the coefficients 32p to 32p + 31.
pub(super) static FORWARD: [Factors; 8] = factors([0, 0, 16, 16], false);

/// The factors of the inverse NTT; see [`FORWARD`].
pub(super) static INVERSE: [Factors; 8] = factors([0, 16, 0, 16], true);

/// Returns the factors for all coefficients. `len_8_starts` holds, for each four lanes at len = 8, the start of their
/// block of 16 coefficients.
const fn factors(len_8_starts: [usize; 4], inverse: bool) -> [Factors; 8] {
    const NONE: Lanes = [[0; 16]; 2];
    let mut tables =
        [const { Factors { len_8: NONE, len_4: NONE, len_2: NONE, len_1_even: NONE, len_1_odd: NONE } }; 8];
    let mut p = 0;
    while p < 8 {
        let mut lane = 0;
        while lane < 16 {
            let table = &mut tables[p];
            let start = 32 * p;
            let quarter = [0, 16, 8, 24][lane / 4];
            set_lane(&mut table.len_8, lane, zeta(8, start + len_8_starts[lane / 4], inverse));
            set_lane(&mut table.len_4, lane, zeta(4, start + quarter, inverse));
            set_lane(&mut table.len_2, lane, zeta(2, start + quarter + lane % 4 / 2 * 4, inverse));
            let of_lane = zeta(1, start + lower_partner(lane), inverse);
            set_lane(
                if lane % 2 == 0 { &mut table.len_1_even } else { &mut table.len_1_odd },
                lane / 2 * 2,
                of_lane,
            );
            lane += 1;
        }
        p += 1;
    }
    tables
}

const fn set_lane(lanes: &mut Lanes, lane: usize, zeta: i32) {
    [lanes[0][lane], lanes[1][lane]] = with_q_inv(zeta);
}

/// Returns the power of ζ that the layer `len` uses for coefficient `i`.
const fn zeta(len: usize, i: usize, inverse: bool) -> i32 {
    zeta_at(128 / len, i / (2 * len), inverse)
}

/// The permutation for len = 1: for each lane of the two vectors, the index of its coefficient among the 32 in order.
pub(super) static SEPARATE: [[i32; 16]; 2] = {
    let mut indices = [[0; 16]; 2];
    let mut lane = 0;
    while lane < 16 {
        indices[0][lane] = lower_partner(lane) as i32;
        indices[1][lane] = lower_partner(lane) as i32 + 1;
        lane += 1;
    }
    indices
};

/// The inverse permutation of [`SEPARATE`].
pub(super) static RESTORE: [[i32; 16]; 2] = {
    let mut indices = [[0; 16]; 2];
    let mut lane = 0;
    while lane < 16 {
        let lower = lower_partner(lane);
        indices[lower / 16][lower % 16] = lane as i32;
        indices[lower / 16][lower % 16 + 1] = lane as i32 + 16;
        lane += 1;
    }
    indices
};
