//! Haraka in plain Rust, and the types of its states and constants. The AES round function comes from the `aes` crate, which runs in constant time on
//! all targets.

use crate::node::Node;
use aes::hazmat::{Block8, cipher_round_par};
use grille_core::erase;

/// The number of states that are permuted together.
pub(crate) const WIDTH: usize = 8;

/// The round constants, 16 bytes for each call of the AES round function.
pub(crate) type Constants = [[u8; 16]; 40];

/// One column of each state.
type Column = [[u8; 16]; WIDTH];

/// Computes all rounds of Haraka-512 (four columns) or Haraka-256 (two columns).
fn rounds<const COLUMNS: usize>(constants: &Constants, columns: &mut [Column; COLUMNS]) {
    for round in constants[..10 * COLUMNS].chunks_exact(2 * COLUMNS) {
        for layer in round.chunks_exact(COLUMNS) {
            for (column, constant) in columns.iter_mut().zip(layer) {
                let mut blocks = Block8::from(column.map(Into::into));
                cipher_round_par(&mut blocks, &Block8::from([(*constant).into(); WIDTH]));
                column.iter_mut().zip(blocks).for_each(|(out, block)| *out = block.into());
            }
        }
        mix(columns);
    }
}

/// Applies MIX, which interleaves the 32-bit words of the columns. The table gives the source (column, word) of each
/// word.
fn mix<const COLUMNS: usize>(columns: &mut [Column; COLUMNS]) {
    const MIX_512: [[(usize, usize); 4]; 4] = [
        [(0, 3), (2, 3), (1, 3), (3, 3)],
        [(2, 0), (0, 0), (3, 0), (1, 0)],
        [(2, 1), (0, 1), (3, 1), (1, 1)],
        [(0, 2), (2, 2), (1, 2), (3, 2)],
    ];
    const MIX_256: [[(usize, usize); 4]; 2] =
        [[(0, 0), (1, 0), (0, 1), (1, 1)], [(0, 2), (1, 2), (0, 3), (1, 3)]];
    let mut before = *columns;
    let sources = if COLUMNS == 4 { &MIX_512[..] } else { &MIX_256[..] };
    for (column, sources) in columns.iter_mut().zip(sources) {
        for (state, out) in column.iter_mut().enumerate() {
            for (word, (from, at)) in out.chunks_exact_mut(4).zip(sources) {
                word.copy_from_slice(&before[*from][state][4 * at..][..4]);
            }
        }
    }
    erase_columns(&mut before);
}

fn erase_columns(columns: &mut [Column]) {
    erase(columns.as_flattened_mut().as_flattened_mut());
}

pub(super) fn permute512(constants: &Constants, states: &mut [[u8; 64]; WIDTH], count: usize) {
    let mut columns: [Column; 4] =
        core::array::from_fn(|c| core::array::from_fn(|i| states[i].as_chunks().0[c]));
    rounds(constants, &mut columns);
    for (i, state) in states[..count].iter_mut().enumerate() {
        state.as_chunks_mut().0.iter_mut().zip(&columns).for_each(|(out, column)| *out = column[i]);
    }
    erase_columns(&mut columns);
}

pub(super) fn haraka256(constants: &Constants, values: &mut [Node; WIDTH]) {
    let mut columns: [Column; 2] =
        core::array::from_fn(|c| core::array::from_fn(|i| values[i].as_chunks().0[c]));
    rounds(constants, &mut columns);
    for (i, value) in values.iter_mut().enumerate() {
        for (bytes, column) in value.chunks_exact_mut(16).zip(&columns) {
            bytes.iter_mut().zip(column[i]).for_each(|(byte, hash)| *byte ^= hash);
        }
    }
    erase_columns(&mut columns);
}

pub(super) fn chain<const MASKED: bool>(
    constants: &Constants,
    n: usize,
    adrs: &[[u8; 32]; WIDTH],
    values: &mut [Node; WIDTH],
    steps: u32,
) {
    let mut adrs = *adrs;
    for _ in 0..steps {
        if MASKED {
            let mut masks = adrs;
            haraka256(constants, &mut masks);
            for (value, mask) in values.iter_mut().zip(masks) {
                value[..n].iter_mut().zip(mask).for_each(|(byte, mask)| *byte ^= mask);
            }
        }
        let mut states = [[0; 64]; WIDTH];
        for ((state, adrs), value) in states.iter_mut().zip(&adrs).zip(&*values) {
            state[..32].copy_from_slice(adrs);
            state[32..].copy_from_slice(value);
        }
        let mut before = states;
        permute512(constants, &mut states, WIDTH);
        for ((value, state), before) in values.iter_mut().zip(&states).zip(&before) {
            let sum: [u8; 64] = core::array::from_fn(|i| state[i] ^ before[i]);
            // the truncation of Haraka-512: 64 bits of each column
            let digest = [&sum[8..16], &sum[24..32], &sum[32..40], &sum[48..56]];
            value.chunks_exact_mut(8).zip(digest).for_each(|(out, part)| out.copy_from_slice(part));
            value[n..].fill(0);
        }
        erase(states.as_flattened_mut());
        erase(before.as_flattened_mut());
        adrs.iter_mut().for_each(|adrs| adrs[31] = adrs[31].wrapping_add(1));
    }
}
