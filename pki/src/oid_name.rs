//! Names of object identifiers.

#[cfg(feature = "std")]
use alloc::format;
use alloc::string::{String, ToString};
use const_oid::ObjectIdentifier;

/// Returns an object identifier in dotted form, with the name that an RFC gives it, if known. Without `std`, there are
/// no names, which saves space in firmware.
pub(crate) fn oid_with_name(oid: &ObjectIdentifier) -> String {
    #[cfg(feature = "std")]
    if let Some(name) = const_oid::db::DB.by_oid(oid) {
        return format!("{name} ({oid})");
    }
    oid.to_string()
}
