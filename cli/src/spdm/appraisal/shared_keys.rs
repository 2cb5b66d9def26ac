//! Detection of keys that answer at more than one endpoint, and so cannot identify a device.

use super::identity::Fingerprint;
use std::collections::HashMap;

/// The first endpoint of every key, each with a value of type `T` until the key answers at a second endpoint.
pub(in crate::spdm) struct KeyHolders<T>(HashMap<Fingerprint, Holder<T>>);

struct Holder<T> {
    endpoint: Box<str>,
    /// The value of this endpoint; `None` after the key answered at a second endpoint.
    sole_value: Option<T>,
}

/// A record of a key that answered at another endpoint before.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::spdm) struct Shared<T> {
    /// The first endpoint.
    pub(in crate::spdm) first: String,
    /// The value stored for the first endpoint, if the key had no other endpoint until now. The verdict on the first
    /// endpoint must then be corrected.
    pub(in crate::spdm) first_value: Option<T>,
}

impl<T> Default for KeyHolders<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T> KeyHolders<T> {
    /// Records that `key` answered at `endpoint`; each endpoint must be recorded once. Returns `None` if the key is
    /// new.
    pub(in crate::spdm) fn record(&mut self, key: Fingerprint, endpoint: &str, here: T) -> Option<Shared<T>> {
        match self.0.get_mut(&key) {
            Some(holder) => {
                Some(Shared { first: holder.endpoint.to_string(), first_value: holder.sole_value.take() })
            }
            None => {
                self.0.insert(key, Holder { endpoint: endpoint.into(), sole_value: Some(here) });
                None
            }
        }
    }
}

/// Returns the message of the finding that a device's key also answers at another endpoint.
pub(in crate::spdm) fn message(other: &str) -> String {
    format!("its key also answers at {other}: two devices share a key, or one device has two addresses")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_first_endpoint_of_shared_key_once() {
        let key = |byte: &str| Fingerprint::try_from(byte.repeat(32)).unwrap();
        let mut holders = KeyHolders::default();
        assert_eq!(holders.record(key("01"), "a", 1), None);
        assert_eq!(holders.record(key("02"), "b", 2), None);
        let shared = |first_value| Some(Shared { first: "a".to_owned(), first_value });
        assert_eq!(holders.record(key("01"), "c", 3), shared(Some(1)));
        assert_eq!(holders.record(key("01"), "d", 4), shared(None));
    }
}
