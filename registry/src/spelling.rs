//! Spellings of one name: case, punctuation and the prefix of object identifiers do not matter.

/// Returns the name without the prefix `id-` or `id-alg-` that RFCs use for object identifiers.
pub(crate) fn strip_oid_prefix(name: &str) -> &str {
    let name = name.trim();
    let rest = |prefix: &str| {
        name.split_at_checked(prefix.len()).filter(|(start, _)| start.eq_ignore_ascii_case(prefix))
    };
    rest("id-alg-").or_else(|| rest("id-")).map_or(name, |(_, rest)| rest)
}

/// Iterates over the letters and digits of a name, in lower case. `KYBER_LEVEL5`, `kyber-level-5` and `KyberLevel5`
/// give the same characters.
pub(crate) fn normalized_letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(u8::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase())
}
