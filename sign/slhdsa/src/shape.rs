//! The dimensions of a parameter set, and the lengths that follow from them.

/// The dimensions of a parameter set. The names are those of the standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// n, the number of bytes of a value.
    pub n: usize,
    /// h, the height of the hypertree.
    pub h: u32,
    /// d, the number of layers of the hypertree.
    pub d: u32,
    /// a, the height of a FORS tree.
    pub a: u32,
    /// k, the number of FORS trees.
    pub k: usize,
}

impl Shape {
    /// Returns h′, the height of an XMSS tree.
    #[must_use]
    pub const fn tree_height(&self) -> u32 {
        self.h / self.d
    }

    /// Returns len, the number of chains of a WOTS+ key with w = 16: two for each byte, and three for the checksum.
    #[must_use]
    pub const fn chains(&self) -> usize {
        2 * self.n + 3
    }

    /// Returns the number of bytes of a WOTS+ signature.
    #[must_use]
    pub const fn wots_len(&self) -> usize {
        self.chains() * self.n
    }

    /// Returns the number of bytes of one XMSS signature: WOTS+ and the authentication path.
    #[must_use]
    pub const fn xmss_len(&self) -> usize {
        self.wots_len() + self.tree_height() as usize * self.n
    }

    /// Returns the number of bytes of one tree's part of a FORS signature: a secret value and the authentication path.
    #[must_use]
    pub const fn fors_tree_len(&self) -> usize {
        (1 + self.a as usize) * self.n
    }

    /// Returns the number of bytes of the FORS signature.
    #[must_use]
    pub const fn fors_len(&self) -> usize {
        self.k * self.fors_tree_len()
    }

    /// Returns the number of message digest bytes that select FORS leaves.
    #[must_use]
    pub const fn fors_digest_len(&self) -> usize {
        (self.k * self.a as usize).div_ceil(8)
    }

    /// Returns the number of message digest bytes that select an XMSS tree.
    #[must_use]
    pub const fn tree_digest_len(&self) -> usize {
        (self.h - self.tree_height()).div_ceil(8) as usize
    }

    /// Returns m, the number of bytes of the message digest, for FORS, the tree and the leaf together.
    #[must_use]
    pub const fn digest_len(&self) -> usize {
        self.fors_digest_len() + self.tree_digest_len() + self.tree_height().div_ceil(8) as usize
    }

    /// Returns the number of bytes of a signature: R, FORS, and d XMSS signatures.
    #[must_use]
    pub const fn signature_len(&self) -> usize {
        self.n + self.fors_len() + self.d as usize * self.xmss_len()
    }
}
