//! Implementations of hashes and AEADs: aws-lc-rs, or without the standard library grille's own Keccak and RustCrypto.
//!
//! Both implementations provide the modules [`digest`] with `Algorithm` and `Context`, and [`aead`] with `Algorithm`
//! and `Key`. [`keyed`] hashes keys, and always uses the portable implementation: aws-lc-rs returns hashes by value and
//! does not erase the copies.

#[cfg(feature = "std")]
mod aws_lc;
mod portable;

#[cfg(feature = "std")]
pub(crate) use aws_lc::{aead, digest};
pub(crate) use portable::digest as keyed;
#[cfg(not(feature = "std"))]
pub(crate) use portable::{aead, digest};

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::{aws_lc, portable};
    use std::{vec, vec::Vec};

    #[test]
    fn both_hash_implementations_agree() {
        use {aws_lc::digest as fast, portable::digest as slow};
        let pairs = [
            (&fast::SHA256, &slow::SHA256),
            (&fast::SHA384, &slow::SHA384),
            (&fast::SHA512, &slow::SHA512),
            (&fast::SHA3_256, &slow::SHA3_256),
            (&fast::SHA3_384, &slow::SHA3_384),
            (&fast::SHA3_512, &slow::SHA3_512),
        ];
        let input: Vec<u8> = (0..300).map(|i| (i * 7) as u8).collect();
        for (n, (fast, slow)) in pairs.into_iter().enumerate() {
            assert_eq!(fast.output_len(), slow.output_len(), "hash {n}");
            assert_eq!(fast.block_len(), slow.block_len(), "hash {n}");
            for len in 0..input.len() {
                let mut running = slow::Context::new(slow);
                input[..len].chunks(1 + len % 77).for_each(|piece| running.update(piece));
                let expected = fast::digest(fast, &input[..len]);
                assert_eq!(running.finish().as_ref(), expected.as_ref(), "hash {n}, {len} bytes");
                let mut once = vec![0; slow.output_len()];
                slow::digest_into(slow, &input[..len], &mut once);
                assert_eq!(once, expected.as_ref(), "hash {n}, {len} bytes");
            }
        }
    }

    #[test]
    fn both_aead_implementations_interoperate() {
        use {aws_lc::aead as fast, portable::aead as slow};
        let pairs = [
            (&fast::AES_128_GCM, &slow::AES_128_GCM),
            (&fast::AES_256_GCM, &slow::AES_256_GCM),
            (&fast::CHACHA20_POLY1305, &slow::CHACHA20_POLY1305),
        ];
        let (nonce, aad, secret) = ([7; 12], b"header", [9; 32]);
        for (n, (fast, slow)) in pairs.into_iter().enumerate() {
            assert_eq!(fast.key_len(), slow.key_len(), "AEAD {n}");
            let secret = &secret[..slow.key_len()];
            let (fast, slow) = (fast::Key::new(fast, secret), slow::Key::new(slow, secret));
            for len in 0..200 {
                let data: Vec<u8> = (0..len).map(|i| (i * 5) as u8).collect();
                let (mut one, mut other) = (data.clone(), data.clone());
                let tags = (fast.seal(nonce, aad, &mut one), slow.seal(nonce, aad, &mut other));
                one.extend(tags.0.unwrap());
                other.extend(tags.1.unwrap());
                assert_eq!(one, other, "AEAD {n}, {len} bytes");
                let mut altered = one.clone();
                altered[len / 2] ^= 1;
                assert_eq!(slow.open(nonce, aad, &mut altered.clone()), None, "AEAD {n}, {len} bytes");
                assert_eq!(fast.open(nonce, aad, &mut altered), None, "AEAD {n}, {len} bytes");
                assert_eq!(slow.open(nonce, b"another", &mut one.clone()), None, "AEAD {n}, {len} bytes");
                assert_eq!(fast.open(nonce, aad, &mut other), Some(len), "AEAD {n}, {len} bytes");
                assert_eq!(slow.open(nonce, aad, &mut one), Some(len), "AEAD {n}, {len} bytes");
                assert_eq!((&one[..len], &other[..len]), (&data[..], &data[..]), "AEAD {n}, {len} bytes");
            }
            assert_eq!(slow.open(nonce, aad, &mut [0; 15]), None, "AEAD {n}, shorter than a tag");
        }
    }
}
