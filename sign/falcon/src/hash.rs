//! HashToPoint, Falcon Algorithm 3.

use grille_hash::{Level, Shake256};

/// HashToPoint, Falcon Algorithm 3: c in [0, q)ⁿ from nonce and message.
///
/// Variable time: the nonce is in the signature, and the message is public.
pub(crate) fn hash_to_point(level: Level, nonce: &[u8], message: &[u8], c: &mut [i16]) {
    let mut shake = Shake256::<1>::new(level);
    shake.absorb_all(nonce);
    shake.absorb_all(message);
    let mut block = [[0; 136]];
    let mut filled = 0;
    while filled < c.len() {
        shake.squeeze_blocks(&mut block);
        for sample in block[0].as_chunks::<2>().0 {
            let t = u16::from_be_bytes(*sample);
            if t < K * Q && filled < c.len() {
                c[filled] = (t % Q) as i16;
                filled += 1;
            }
        }
    }
}

const Q: u16 = crate::mq::Q as u16;
/// k = ⌊2¹⁶/q⌋.
const K: u16 = 5;
const _: () = assert!(K as u32 == 65536 / Q as u32);
