//! Random messages, from a [`Wire`] that fills every field.

use grille_spdm_codec::bits::Row;
use grille_spdm_codec::error::ERROR_CODES;
use grille_spdm_codec::wire::Wire;
use grille_spdm_codec::{CodecError, Message, Sizes, Version};

/// The pseudorandom generator SplitMix64. The seed determines its output.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Six AlgStructs of types 2 to 7, without external algorithms.
const TABLES: [[u8; 4]; 6] = [
    [2, 0x20, 0x10, 0],
    [3, 0x20, 7, 0],
    [4, 0x20, 0x80, 0x04],
    [5, 0x20, 1, 0],
    [6, 0x20, 0xff, 0x7f],
    [7, 0x20, 4, 0],
];

/// Fills fields with random values. Slices are parts of `pool`.
pub(crate) struct Generator<'a> {
    pool: &'a [u8],
    random: Random,
    offset: usize,
    /// The numbers of elements of ExtAsym, ExtHash and AlgStruct in a negotiation message.
    elements: [usize; 3],
}

impl<'a> Generator<'a> {
    pub(crate) fn new(pool: &'a [u8], seed: u64) -> Self {
        Self { pool, random: Random(seed), offset: 2, elements: [0; 3] }
    }

    /// Returns a valid message. Messages that the field description rejects are generated again.
    pub(crate) fn message<M: Message<'a>>(&mut self, version: Version, sizes: &Sizes) -> M {
        loop {
            let tables = if version >= Version::V1_1 { self.random.below(7) } else { 0 };
            self.elements = [self.random.below(3), self.random.below(3), tables];
            self.offset = 2;
            let mut message = M::default();
            if message.visit_fields(self, version, sizes).is_ok() {
                return message;
            }
        }
    }
}

impl<'a> Wire<'a> for Generator<'a> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn number(
        &mut self,
        name: &'static str,
        len: usize,
        value: &mut u64,
        _names: &'static [Row],
    ) -> Result<(), CodecError> {
        let random = self.random.next() >> (64 - 8 * len);
        *value = match (name, self.random.below(4)) {
            ("ErrorCode", 0..3) => u64::from(ERROR_CODES[self.random.below(ERROR_CODES.len())].code.0),
            ("EncapsulatedRequestPayloadType", _) => random % 3,
            (_, 0) => 0,
            _ => random,
        };
        self.offset += len;
        Ok(())
    }

    fn count(&mut self, name: &'static str, len: usize, value: &mut usize) -> Result<(), CodecError> {
        *value = match name {
            "ExtAsymCount" | "ExtAsymSelCount" => self.elements[0],
            "ExtHashCount" | "ExtHashSelCount" => self.elements[1],
            "number of AlgStruct" => self.elements[2],
            // The default message announces the length of the fixed part.
            "Length" => *value + 4 * self.elements.iter().sum::<usize>(),
            _ => self.random.below(48),
        };
        self.offset += len;
        Ok(())
    }

    fn slice(&mut self, name: &'static str, len: usize, value: &mut &'a [u8]) -> Result<(), CodecError> {
        let begin = self.random.below(self.pool.len() - len);
        *value = match name {
            "AlgStruct" => &TABLES.as_flattened()[..len],
            _ => &self.pool[begin..][..len],
        };
        self.offset += len;
        Ok(())
    }

    fn array<const N: usize>(&mut self, name: &'static str, value: &mut [u8; N]) -> Result<(), CodecError> {
        let mut bytes: &[u8] = &[];
        self.slice(name, N, &mut bytes)?;
        value.copy_from_slice(bytes);
        Ok(())
    }

    fn rest(&mut self, name: &'static str, value: &mut &'a [u8]) -> Result<(), CodecError> {
        let len = self.random.below(48);
        self.slice(name, len, value)
    }

    fn reserved(&mut self, len: usize) -> Result<(), CodecError> {
        self.offset += len;
        Ok(())
    }
}
