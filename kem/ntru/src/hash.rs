//! The hash functions H₁ and H₂ of NTRU round 3, which are both SHA3-256, computed at the same time. With
//! vectors, a Keccak call on four states takes hardly longer than a call on one state.

use grille_core::Secret;
#[cfg(target_arch = "x86_64")]
use grille_hash::lanes::{Chain, Function, Lanes};
use grille_hash::{Level, Sha3_256};

/// Computes SHA3-256 of two messages, each in two parts. The second message must have at least as many blocks
/// as the first. All arguments and results are secret.
pub(crate) fn sha3_256_pair(
    level: Level,
    first: [&[u8]; 2],
    second: [&[u8]; 2],
    digests: [&mut Secret<[u8; 32]>; 2],
) {
    match level {
        #[cfg(target_arch = "x86_64")]
        Level::Avx2(_) | Level::Avx512(_) => hash_in_two_lanes(level, &first, &second, digests),
        _ => [first, second]
            .into_iter()
            .zip(digests)
            .for_each(|(parts, digest)| Sha3_256::hash(level, &parts, digest.as_mut())),
    }
}

#[cfg(target_arch = "x86_64")]
fn hash_in_two_lanes(level: Level, first: &[&[u8]], second: &[&[u8]], digests: [&mut Secret<[u8; 32]>; 2]) {
    let (mut lanes, mut alone) = (Lanes::<4>::new(level), Lanes::<1>::new(level));
    let [mut first, mut second] = [first, second].map(|parts| Chain::new(Function::SHA3_256, parts));
    debug_assert!(first.calls_left() <= second.calls_left());
    while first.absorb(&mut lanes, 0) {
        second.absorb(&mut lanes, 1);
        lanes.permute();
    }
    alone.put(0, &lanes.take(1));
    second.finish(&mut alone);
    let [digest, other] = digests;
    lanes.copy(0, digest.as_mut());
    alone.copy(0, other.as_mut());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_hashes_match_sha3_256_at_every_level() {
        let bytes: [u8; 2401] = core::array::from_fn(|i| (i * 7) as u8);
        // lengths of parts; the padding is at the end of a block, or is a separate block
        for (first, second) in [(102, 699), (136, 930), (140, 1138), (275, 2401), (67, 104), (67, 103)] {
            let (first, second) = ([&bytes[..first]; 2], [&bytes[..32], &bytes[..second]]);
            for level in Level::all() {
                let expected = [first, second].map(|parts| grille_hash::sha3_256(Level::Portable, &parts));
                let [mut one, mut other] = [Secret::zeroed(), Secret::zeroed()];
                sha3_256_pair(level, first, second, [&mut one, &mut other]);
                assert_eq!([&one, &other].map(|digest| *digest.expose()), expected, "{}", level.name());
            }
        }
    }
}
