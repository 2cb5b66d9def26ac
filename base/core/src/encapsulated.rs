//! Results of encapsulation with algorithms chosen at run time.

use crate::SecretBytes;
use alloc::vec::Vec;
use core::fmt;

/// The result of [`DynEncapsKey::encapsulate`](crate::DynEncapsKey::encapsulate).
pub struct DynEncapsulated {
    /// The ciphertext, to be sent to the holder of the decapsulation key.
    pub ciphertext: Vec<u8>,
    /// The shared secret, which must stay private.
    pub secret: SecretBytes,
}

/// Shows only the lengths.
impl fmt::Debug for DynEncapsulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        format_lengths(f, "DynEncapsulated", &self.ciphertext, self.secret.as_ref())
    }
}

/// Formats the lengths of a result of encapsulation.
pub(crate) fn format_lengths(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    ciphertext: &[u8],
    secret: &[u8],
) -> fmt::Result {
    write!(f, "{name}(ciphertext of {} bytes, secret of {} bytes)", ciphertext.len(), secret.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_only_lengths_of_secrets() {
        let encapsulated =
            DynEncapsulated { ciphertext: alloc::vec![7; 3], secret: SecretBytes::new(alloc::vec![9; 2]) };
        assert_eq!(
            alloc::format!("{encapsulated:?}"),
            "DynEncapsulated(ciphertext of 3 bytes, secret of 2 bytes)"
        );
    }
}
