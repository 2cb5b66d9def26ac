//! The layout of states, the round constants and the rotations of KECCAK-p\[1600, 24\].

/// The type of `N` interleaved states: `state[x + 5 * y][n]` is the standard's lane (x, y) of state `n`.
pub type States<const N: usize> = [[u64; N]; 25];

/// The round constants, FIPS 202 Algorithm 5 (rc) and Algorithm 6 (ι).
pub(crate) const ROUND_CONSTANTS: [u64; 24] = round_constants();

/// The rotation of lane `x + 5 * y`, FIPS 202 Algorithm 2 (ρ).
pub(crate) const RHO: [u32; 25] = rho_offsets();

const fn round_constants() -> [u64; 24] {
    let mut constants = [0u64; 24];
    let mut lfsr = 1u8; // R of Algorithm 5; the lowest bit is R[0]
    let mut round = 0;
    while round < 24 {
        let mut j = 0;
        while j <= 6 {
            // RC[2^j - 1] = rc(j + 7 · round)
            constants[round] |= ((lfsr & 1) as u64) << ((1 << j) - 1);
            lfsr = (lfsr << 1) ^ (if lfsr >> 7 == 1 { 0x71 } else { 0 });
            j += 1;
        }
        round += 1;
    }
    constants
}

const fn rho_offsets() -> [u32; 25] {
    let mut offsets = [0; 25];
    let (mut x, mut y) = (1, 0);
    let mut t = 0;
    while t < 24 {
        offsets[x + 5 * y] = (((t + 1) * (t + 2) / 2) % 64) as u32;
        (x, y) = (y, (2 * x + 3 * y) % 5);
        t += 1;
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_constants_match_the_standard() {
        assert_eq!(ROUND_CONSTANTS[0], 1);
        assert_eq!(ROUND_CONSTANTS[1], 0x8082);
        assert_eq!(ROUND_CONSTANTS[23], 0x8000_0000_8000_8008);
    }
}
