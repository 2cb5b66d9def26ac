//! The seed, size and order of the matrix, FIPS 203 Algorithm 13 lines 3 to 7.

/// The order in which the entries of the matrix are sampled. In both cases, they are stored as Âᵀ, row by
/// row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// The order of Â, row by row, in which key generation multiplies.
    Rows,
    /// The order of Âᵀ, row by row, in which encryption multiplies.
    Columns,
}

/// The seed, size and order from which the entries of the matrix are sampled.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) rho: &'a [u8; 32],
    pub(crate) k: usize,
    pub(crate) order: Order,
}

impl Source<'_> {
    /// Returns j and i of entry `n`, which is Â\[i, j\]. In the input of SampleNTT, these bytes follow rho.
    pub(crate) const fn indices(&self, n: usize) -> [u8; 2] {
        let (outer, inner) = ((n / self.k) as u8, (n % self.k) as u8);
        match self.order {
            Order::Rows => [inner, outer],
            Order::Columns => [outer, inner],
        }
    }

    /// Returns the index at which entry `n` is stored.
    pub(crate) const fn storage_index(&self, n: usize) -> usize {
        match self.order {
            Order::Rows => n % self.k * self.k + n / self.k,
            Order::Columns => n,
        }
    }
}
