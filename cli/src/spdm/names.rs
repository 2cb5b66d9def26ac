//! Names of bits and slots, as in the standard.

use grille_spdm_codec::bits::{Bits, Row};

/// Returns the names of all set bits, or `none`.
pub(crate) fn bit_names(bits: impl Bits) -> String {
    row_names(bits.to_u64(), bit_rows(&bits))
}

/// Returns the names of all bits set in `bits`, by their table. Bits without a name are shown by number.
pub(crate) fn row_names(bits: u64, rows: &[Row]) -> String {
    let name = |bit: u8| match rows.iter().find(|row| row.bit == bit) {
        Some(row) => row.name.to_owned(),
        None => format!("bit {bit}"),
    };
    let set: Vec<String> = (0..64).filter(|bit| bits >> bit & 1 == 1).map(name).collect();
    if set.is_empty() { "none".to_owned() } else { set.join(", ") }
}

/// Formats a slot number: 0 to 7, or 0xFF for a provisioned public key.
pub(crate) fn slot(number: u8) -> String {
    if number == 0xFF { "0xFF".to_owned() } else { number.to_string() }
}

fn bit_rows<B: Bits>(_: &B) -> &'static [Row] {
    B::ROWS
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::capabilities::CapabilityFlags as Caps;

    #[test]
    fn bits_have_names_or_numbers() {
        assert_eq!(bit_names(Caps::CERT | Caps::CHAL), "CERT_CAP, CHAL_CAP");
        assert_eq!(bit_names(Caps::NONE), "none");
        assert_eq!(row_names(1 << 40 | 1, &[]), "bit 0, bit 40");
    }
}
