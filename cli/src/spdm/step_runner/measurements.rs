//! The lines of measurements in the tree of results.

use super::super::measured::{kind_name, value_text};
use super::super::tree::Node;
use crate::hex;
use grille_spdm_engine::operations::{MeasuredBlock, MeasurementResult};

/// Returns the line of a measurement summary hash.
pub(super) fn show_summary(hash: &[u8]) -> Node {
    Node::new("measurement summary", hex::encode(hash).to_string())
}

/// Returns the lines of the measurements. `signed`: whether the signature in the last message covers all messages.
pub(super) fn show_measured(results: &[MeasurementResult], signed: bool) -> Node {
    let node = |text| Node::new("MEASUREMENTS", text);
    let node = match results.last().filter(|_| signed) {
        None if results.is_empty() => node("none"),
        None => node("not signed"),
        Some(MeasurementResult { changed: CHANGED, .. }) => {
            node("signed, but a measurement changed since it was read").bad()
        }
        Some(_) => node("signed").good(),
    };
    let line = |block: &MeasuredBlock| {
        Node::new(format!("{} {}", block.index, kind_name(block.kind)), value_text(block.kind, &block.value))
    };
    node.with_all(results.iter().flat_map(|one| &one.blocks).map(line))
}

/// Value of [`MeasurementResult::changed`]: a measurement changed.
const CHANGED: u8 = 1;

#[cfg(test)]
mod tests {
    use super::super::super::tree::Mark;
    use super::*;

    #[test]
    fn only_signed_unchanged_measurements_are_good() {
        let results = |changed| [MeasurementResult { changed, ..MeasurementResult::default() }];
        for (results, signed, mark, value) in [
            (&results(0)[..], true, Mark::Good, "signed"),
            (&results(2), true, Mark::Good, "signed"),
            (&results(CHANGED), true, Mark::Bad, "signed, but a measurement changed since it was read"),
            (&results(0), false, Mark::None, "not signed"),
            (&[], true, Mark::None, "none"),
        ] {
            let node = show_measured(results, signed);
            assert_eq!((node.mark, node.value.as_str()), (mark, value));
        }
    }
}
