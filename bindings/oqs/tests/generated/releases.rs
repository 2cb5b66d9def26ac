//! The releases of liboqs, and the notation for ranges of releases in `names.tsv`.

/// The releases, in order. `ba5b61a` is a commit between 0.7.0 and 0.7.1 that programs used.
const RELEASES: [&str; 18] = [
    "0.5.0", "0.6.0", "0.7.0", "ba5b61a", "0.7.1", "0.7.2", "0.8.0", "0.9.0", "0.9.1", "0.9.2", "0.10.0",
    "0.10.1", "0.11.0", "0.12.0", "0.13.0", "0.14.0", "0.15.0", "0.16.0",
];

/// Returns the position of a release.
pub(crate) fn position(release: &str) -> usize {
    RELEASES.iter().position(|known| *known == release).unwrap_or_else(|| panic!("unknown release {release}"))
}

/// Parses ranges of releases, such as `0.5.0..0.7.2,0.16.0`. Returns their positions in [`RELEASES`].
pub(crate) fn parse_releases(ranges: &str) -> Vec<usize> {
    let range = |range: &str| {
        let (first, last) = range.split_once("..").unwrap_or((range, range));
        position(first)..=position(last)
    };
    ranges.split(',').flat_map(range).collect()
}
