//! Keys that answer at more than one endpoint: a key that two devices have tells neither from the other.

use super::identity::Fingerprint;
use std::collections::HashMap;

/// The first endpoint of every key, each with a `T`.
pub(in crate::spdm) struct KeyHolders<T>(HashMap<Fingerprint, Holder<T>>);

struct Holder<T> {
    endpoint: Box<str>,
    /// `None` once a second endpoint was found.
    alone: Option<T>,
}

/// A key that answered at another endpoint before.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::spdm) struct Shared<T> {
    /// The first endpoint.
    pub(in crate::spdm) first: String,
    /// What was noted there, if it was the only endpoint until now: its verdict has to be corrected.
    pub(in crate::spdm) alone: Option<T>,
}

impl<T> Default for KeyHolders<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> KeyHolders<T> {
    /// Notes that `key` answered at `endpoint`, each of which comes once. `None`: at no other before.
    pub(in crate::spdm) fn note(&mut self, key: Fingerprint, endpoint: &str, here: T) -> Option<Shared<T>> {
        match self.0.get_mut(&key) {
            Some(holder) => Some(Shared { first: holder.endpoint.to_string(), alone: holder.alone.take() }),
            None => {
                self.0.insert(key, Holder { endpoint: endpoint.into(), alone: Some(here) });
                None
            }
        }
    }
}

/// What is found of a device whose key answers at another endpoint too.
pub(in crate::spdm) fn message(other: &str) -> String {
    format!("its key answers at {other} too: two devices have one key, or one device has two addresses")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_endpoint_of_a_shared_key_is_corrected_once() {
        let key = |byte: &str| Fingerprint::try_from(byte.repeat(32)).unwrap();
        let mut holders = KeyHolders::default();
        assert_eq!(holders.note(key("01"), "a", 1), None);
        assert_eq!(holders.note(key("02"), "b", 2), None);
        let shared = |alone| Some(Shared { first: "a".to_owned(), alone });
        assert_eq!(holders.note(key("01"), "c", 3), shared(Some(1)));
        assert_eq!(holders.note(key("01"), "d", 4), shared(None));
    }
}
