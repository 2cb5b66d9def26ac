//! A name of the era with its algorithm, and the search for a name.

use core::ffi::CStr;

/// A name that liboqs of the era lists, and the implementation of the algorithm, if there is one.
#[derive(Debug)]
pub(crate) struct Named<T: 'static> {
    pub(crate) name: &'static CStr,
    pub(crate) algorithm: Option<&'static T>,
}

/// Returns the algorithm with this name. Case does not matter. Returns `None` if the name is unknown or the algorithm
/// is not implemented.
pub(crate) fn find<T>(names: &'static [Named<T>], name: &CStr) -> Option<&'static T> {
    // in 0.5, "DEFAULT" is Dilithium2; among KEMs it is FrodoKEM, which is not implemented
    let is_default = cfg!(era = "0.5") && name.to_bytes().eq_ignore_ascii_case(b"DEFAULT");
    let name = if is_default { c"Dilithium2" } else { name };
    let same = |named: &&Named<T>| named.name.to_bytes().eq_ignore_ascii_case(name.to_bytes());
    names.iter().find(same).and_then(|named| named.algorithm)
}
