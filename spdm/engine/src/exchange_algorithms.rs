//! The algorithms of key exchanges: DHE groups and KEMs.

use alloc::vec::Vec;
use core::fmt;
use grille_core::DynKem;
use grille_registry::{KEMS, KemRow};

#[cfg(feature = "std")]
pub(crate) use crate::classical::DHE;

/// A key exchange: a DHE group or a KEM.
#[derive(Clone, Copy)]
pub struct KeyExchange {
    kem: &'static dyn DynKem,
    /// Whether the exchange data is an elliptic-curve point. DSP0274 encodes it as X ‖ Y, without the leading format byte.
    point: bool,
    /// Whether the algorithm is from the KEM table.
    post_quantum: bool,
}

impl KeyExchange {
    /// Returns a KEM as a key exchange.
    pub(crate) fn from_kem(row: &'static KemRow) -> Self {
        Self { kem: row.kem, point: false, post_quantum: true }
    }

    /// Returns a classical group whose elements are sent in the registry's encoding.
    pub(crate) const fn from_group(kem: &'static dyn DynKem) -> Self {
        Self { kem, point: false, post_quantum: false }
    }

    /// Returns the implementation as a KEM.
    #[must_use]
    pub fn kem(self) -> &'static dyn DynKem {
        self.kem
    }

    /// Returns the algorithm's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.kem.info().name
    }

    /// Returns whether the algorithm is post-quantum, i.e. from the KEM table.
    #[must_use]
    pub const fn is_post_quantum(self) -> bool {
        self.post_quantum
    }

    /// Returns the length of the requester's ExchangeData in bytes.
    #[must_use]
    pub fn request_len(self) -> usize {
        self.kem().info().encaps_key_len - usize::from(self.point)
    }

    /// Returns the length of the responder's ExchangeData in bytes.
    #[must_use]
    pub fn response_len(self) -> usize {
        self.kem().info().ciphertext_len - usize::from(self.point)
    }

    /// Converts exchange data from the registry's encoding to DSP0274's.
    #[must_use]
    pub fn to_wire(self, bytes: &[u8]) -> &[u8] {
        &bytes[usize::from(self.point)..]
    }

    /// Converts exchange data from DSP0274's encoding to the registry's.
    #[must_use]
    pub fn from_wire(self, bytes: &[u8]) -> Vec<u8> {
        // SEC 1 section 2.3.3: an uncompressed point starts with the byte 4
        let point: &[u8] = if self.point { &[4] } else { &[] };
        [point, bytes].concat()
    }
}

impl fmt::Debug for KeyExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The DHE groups. Empty without the feature `std`.
#[cfg(not(feature = "std"))]
pub(crate) static DHE: &[(u8, &dyn DynKem, bool)] = &[];

/// Returns the DHE group with this bit.
#[must_use]
pub fn dhe(bit: u8) -> Option<KeyExchange> {
    let (_, kem, point) = *DHE.iter().find(|(known, ..)| *known == bit)?;
    Some(KeyExchange { kem, point, post_quantum: false })
}

/// Returns the KEM with this bit.
#[must_use]
pub fn kem(bit: u8) -> Option<KeyExchange> {
    let row = KEMS.iter().find(|row| row.spdm_bit == Some(bit))?;
    Some(KeyExchange::from_kem(row))
}
