//! Values that are created once per key and live until the program ends, because rustls and webpki require `'static`
//! values.

use alloc::boxed::Box;
use once_cell::race::OnceBox;

/// A list of interned values that only grows. If two threads add values at the same time, one of the new values may
/// be discarded and created again, so callers must not rely on the number of calls of `make`.
pub struct Interned<Key, Value>(OnceBox<Link<Key, Value>>);

struct Link<Key, Value> {
    key: Key,
    value: Value,
    next: Interned<Key, Value>,
}

impl<Key: Copy + PartialEq, Value> Interned<Key, Value> {
    /// Creates an empty list, for a `static`.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceBox::new())
    }

    /// Returns the value of this key. If the value is missing, `make` creates it. A search takes time in proportion to
    /// the number of keys.
    pub fn get(&self, key: Key, make: impl Fn() -> Value) -> &Value {
        let mut node = self;
        loop {
            let link = node.0.get_or_init(|| Box::new(Link { key, value: make(), next: Self::new() }));
            if link.key == key {
                return &link.value;
            }
            node = &link.next;
        }
    }
}

impl<Key: Copy + PartialEq, Value> Default for Interned<Key, Value> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::cell::Cell;

    #[test]
    fn creates_one_value_per_key() {
        let (list, made) = (Interned::new(), Cell::new(0));
        let get = |key: u8| {
            list.get(key, || {
                made.set(made.get() + 1);
                [key]
            })
        };
        assert_eq!([get(1)[0], get(2)[0], get(1)[0]], [1, 2, 1]);
        assert!(core::ptr::eq(get(2), get(2)));
        assert_eq!(made.get(), 2);
    }
}
