//! Reassembly of messages in fragments, in the dialect of openspdm-pqc.

use grille_spdm_codec::pqc2021::fragment::Fragment;
use grille_spdm_engine::pqc2021::MAX_WHOLE;

/// The fragments of a message that have arrived.
#[derive(Default)]
pub(crate) struct Fragments {
    /// The number of the next fragment; `None` if no message is in progress.
    next: Option<u32>,
    bytes: Vec<u8>,
}

impl Fragments {
    /// Adds a fragment, and returns the message after its last fragment. A first fragment starts a new message. Any
    /// other fragment out of order discards the message.
    pub(crate) fn push(&mut self, fragment: &Fragment<'_>) -> Option<Vec<u8>> {
        if fragment.is_first {
            *self = Self { next: Some(0), ..Self::default() };
        }
        let next = self.next?;
        if fragment.check(next, self.bytes.len(), MAX_WHOLE).is_err() {
            *self = Self::default();
            return None;
        }
        self.next = next.checked_add(1);
        self.bytes.extend_from_slice(fragment.data);
        fragment.is_last.then(|| std::mem::take(self).bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::pqc2021::fragment::{MAX_PIECE, split};

    #[test]
    fn reassembles_in_order_only() {
        let message: Vec<u8> = (0..10_000_u32).map(|at| at as u8).collect();
        let all: Vec<Fragment<'_>> = split(&message, 0x7F).collect();
        let mut fragments = Fragments::default();
        assert_eq!(fragments.push(&all[0]), None);
        assert_eq!(fragments.push(&all[2]), None);
        assert_eq!(fragments.push(&all[1]), None, "the message is discarded");
        let whole: Vec<_> = all.iter().filter_map(|fragment| fragments.push(fragment)).collect();
        assert_eq!(whole, [message]);
    }

    #[test]
    fn ignores_fragments_after_a_discarded_message_until_the_next_first_one() {
        let message = vec![7_u8; 3 * MAX_PIECE];
        let all: Vec<Fragment<'_>> = split(&message, 0x7F).collect();
        let highest = Fragment { sequence: u32::MAX, is_last: true, data: &[1], ..Fragment::default() };
        let mut fragments = Fragments::default();
        assert_eq!(fragments.push(&all[0]), None);
        assert_eq!(fragments.push(&all[2]), None);
        assert_eq!(fragments.push(&highest), None);
        let whole: Vec<_> = all.iter().filter_map(|fragment| fragments.push(fragment)).collect();
        assert_eq!(whole, [message]);
        let later = Fragment { sequence: 3, ..highest };
        assert_eq!(fragments.push(&later), None, "no message was started");
    }
}
