//! Addresses, FIPS 205 section 4.2. Every call of a hash function has a different address.
//!
//! An address is created as a whole from its position, and only the hash address of a chain can change. An
//! address therefore never contains words of another address type.
//!
//! | word | 0 | 1 to 3 | 4 | 5 | 6 | 7 |
//! |---|---|---|---|---|---|---|
//! | WOTS_HASH, WOTS_PRF | layer | tree | type | key pair | chain | hash |
//! | WOTS_PK | layer | tree | type | key pair | 0 | 0 |
//! | TREE | layer | tree | type | 0 | height | index |
//! | FORS_TREE, FORS_PRF | 0 | tree | type | key pair | height | index |
//! | FORS_ROOTS | 0 | tree | type | key pair | 0 | 0 |

/// The address ADRS as eight words. Each word is encoded big-endian.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adrs([u32; 8]);

/// The address of a value in a chain. Only this kind of address can advance by steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChainAdrs(Adrs);

/// The address types, FIPS 205 section 4.2.
#[derive(Clone, Copy)]
enum Type {
    WotsHash = 0,
    WotsPk = 1,
    Tree = 2,
    ForsTree = 3,
    ForsRoots = 4,
    WotsPrf = 5,
    ForsPrf = 6,
}

/// The addresses from which PRF generates the secret values of chains and leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrfAddresses {
    /// The addresses of types WOTS_PRF and FORS_PRF.
    Own,
    /// The address of the first hash that is applied to the secret value, as in rounds 2 and 3.
    OfFirstHash,
}

/// The position of an XMSS tree in the hypertree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreePosition {
    /// The layer. Layer 0 is the lowest.
    pub(crate) layer: u32,
    /// The index of the tree within its layer, from the left.
    pub(crate) tree: u64,
}

impl TreePosition {
    fn address(self, kind: Type, last: [u32; 3]) -> Adrs {
        let [a, b, c] = last;
        Adrs([self.layer, 0, (self.tree >> 32) as u32, self.tree as u32, kind as u32, a, b, c])
    }

    /// Returns the address of a node of the tree. Leaves have height 0.
    pub(crate) fn node(self, height: u32, index: u32) -> Adrs {
        self.address(Type::Tree, [0, height, index])
    }

    /// Returns the position of the WOTS+ key pair of the leaf with this index.
    pub(crate) const fn key_pair(self, key_pair: u32) -> KeyPairPosition {
        KeyPairPosition { tree: self, key_pair }
    }
}

/// The position of a WOTS+ key pair. On layer 0, also the position of the FORS key that this key pair signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyPairPosition {
    tree: TreePosition,
    key_pair: u32,
}

impl KeyPairPosition {
    fn address(self, kind: Type, last: [u32; 2]) -> Adrs {
        let [a, b] = last;
        self.tree.address(kind, [self.key_pair, a, b])
    }

    /// Returns the address of the value of a chain after `step` steps.
    pub(crate) fn chain(self, chain: u32, step: u32) -> ChainAdrs {
        ChainAdrs(self.address(Type::WotsHash, [chain, step]))
    }

    /// Returns the address of the secret value of a chain.
    pub(crate) fn chain_secret(self, kind: PrfAddresses, chain: u32) -> Adrs {
        match kind {
            PrfAddresses::Own => self.address(Type::WotsPrf, [chain, 0]),
            PrfAddresses::OfFirstHash => self.chain(chain, 0).adrs(),
        }
    }

    /// Returns the address of the compressed public key.
    pub(crate) fn wots_pk(self) -> Adrs {
        self.address(Type::WotsPk, [0, 0])
    }

    /// Returns the address of a node of the FORS trees. The indices count the nodes of all trees.
    pub(crate) fn fors_node(self, height: u32, index: u32) -> Adrs {
        self.address(Type::ForsTree, [height, index])
    }

    /// Returns the address of the secret value of a FORS leaf.
    pub(crate) fn fors_secret(self, kind: PrfAddresses, index: u32) -> Adrs {
        match kind {
            PrfAddresses::Own => self.address(Type::ForsPrf, [0, index]),
            PrfAddresses::OfFirstHash => self.fors_node(0, index),
        }
    }

    /// Returns the address of the compressed FORS public key.
    pub(crate) fn fors_roots(self) -> Adrs {
        self.address(Type::ForsRoots, [0, 0])
    }
}

impl ChainAdrs {
    /// Returns the address of the chain's value after `count` more steps.
    pub(crate) fn advanced_by(mut self, count: u32) -> Self {
        self.0.0[7] += count;
        self
    }

    /// Returns the address in the form that [`Family::f`](crate::family::Family::f) takes.
    pub(crate) const fn adrs(self) -> Adrs {
        self.0
    }
}

impl Adrs {
    /// Returns the address as eight words.
    pub(crate) const fn words(&self) -> &[u32; 8] {
        &self.0
    }

    /// Returns the address as 32 bytes.
    pub(crate) fn bytes(&self) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes
            .chunks_exact_mut(4)
            .zip(self.0)
            .for_each(|(out, word)| out.copy_from_slice(&word.to_be_bytes()));
        bytes
    }

    /// Returns ADRSᶜ, FIPS 205 section 11.2: the last byte of the layer, the last eight of the tree, the last of the
    /// type, and the twelve bytes of the other words.
    pub(crate) fn compressed(&self) -> [u8; 22] {
        let mut bytes = [0; 24];
        let words = self.compressed_words();
        bytes.chunks_exact_mut(4).zip(words).for_each(|(out, word)| out.copy_from_slice(&word.to_be_bytes()));
        let [compressed @ .., _, _] = bytes;
        compressed
    }

    /// Returns ADRSᶜ as big-endian words, padded with zeros.
    pub(crate) const fn compressed_words(&self) -> [u32; 8] {
        let [layer, _, high, low, kind, a, b, c] = self.0;
        [
            layer << 24 | high >> 8,
            high << 24 | low >> 8,
            low << 24 | kind << 16 | a >> 16,
            a << 16 | b >> 16,
            b << 16 | c >> 16,
            c << 16,
            0,
            0,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_match_the_standards_layout() {
        let tree = TreePosition { layer: 3, tree: 0x0102_0304_0506_0708 };
        let adrs = tree.key_pair(0x0A0B).chain(12, 13).adrs();
        let mut expected = [0; 32];
        expected[3] = 3;
        expected[8..16].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
        expected[22..24].copy_from_slice(&[0x0A, 0x0B]);
        (expected[27], expected[31]) = (12, 13);
        assert_eq!(adrs.bytes(), expected);
        assert_eq!(
            tree.key_pair(0x0A0B).wots_pk().bytes()[16..],
            [0, 0, 0, 1, 0, 0, 0x0A, 0x0B, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(tree.node(2, 7).bytes()[16..], [0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 7]);
    }

    #[test]
    fn compressed_addresses_omit_only_zeroes() {
        let adrs = TreePosition { layer: 3, tree: 0x0102_0304_0506_0708 }.key_pair(9).fors_node(1, 0x0C0D);
        let expected = [3, 1, 2, 3, 4, 5, 6, 7, 8, 3, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0x0C, 0x0D];
        assert_eq!(adrs.compressed(), expected);
    }

    #[test]
    fn steps_change_only_the_hash_address() {
        let key_pair = TreePosition { layer: 1, tree: 2 }.key_pair(3);
        assert_eq!(key_pair.chain(4, 5).advanced_by(6), key_pair.chain(4, 11));
        let begin = key_pair.chain(4, 0).adrs();
        assert_eq!(key_pair.chain_secret(PrfAddresses::OfFirstHash, 4), begin);
        assert_ne!(key_pair.chain_secret(PrfAddresses::Own, 4), begin);
    }
}
