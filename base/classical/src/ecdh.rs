//! Ephemeral Diffie–Hellman as a KEM: the ciphertext is an ephemeral public key, and the secret is the shared
//! x-coordinate.
//!
//! TLS key shares have this form. There is no implicit rejection: a point that is not on a NIST curve, and an X25519
//! coordinate of small order, are errors. Every other valid encoding yields a secret.

use aws_lc_rs::agreement::{self, Algorithm, ParsedPublicKey, PrivateKey, UnparsedPublicKey};
use grille_core::{
    CryptoRng, DynDecapsKey, DynEncapsKey, DynEncapsulated, DynKem, Error, KemInfo, SecretBytes,
};

/// Diffie–Hellman on one curve.
pub struct Ecdh {
    info: KemInfo,
    algorithm: &'static Algorithm,
    /// The bits of a scalar's first byte that may be set. The order of P-521 has one bit in that byte.
    top_byte_mask: u8,
}

/// X25519, RFC 7748 section 6.1.
pub static X25519: Ecdh = Ecdh::new("X25519", &agreement::X25519, 32, 32, 0xFF);
/// ECDH on P-256, SP 800-56A, with uncompressed points.
pub static SECP256R1: Ecdh = Ecdh::new("secp256r1", &agreement::ECDH_P256, 65, 32, 0xFF);
/// ECDH on P-384, SP 800-56A, with uncompressed points.
pub static SECP384R1: Ecdh = Ecdh::new("secp384r1", &agreement::ECDH_P384, 97, 48, 0xFF);
/// ECDH on P-521, SP 800-56A, with uncompressed points.
pub static SECP521R1: Ecdh = Ecdh::new("secp521r1", &agreement::ECDH_P521, 133, 66, 0x01);

impl Ecdh {
    const fn new(
        name: &'static str,
        algorithm: &'static Algorithm,
        point: usize,
        scalar: usize,
        mask: u8,
    ) -> Self {
        let info = KemInfo {
            name,
            encaps_key_len: point,
            decaps_key_len: scalar,
            seed_len: Some(scalar),
            ciphertext_len: point,
            shared_secret_len: scalar,
        };
        Self { info, algorithm, top_byte_mask: mask }
    }

    /// Returns the name and the lengths, for tables built at compile time.
    #[must_use]
    pub const fn const_info(&self) -> &KemInfo {
        &self.info
    }

    /// Parses a private key from big-endian scalar bytes (for X25519, the bytes of RFC 7748).
    fn parse_private(&'static self, bytes: &[u8]) -> Result<EcdhKey, Error> {
        Error::check_len("private key", self.info.decaps_key_len, bytes.len())?;
        let invalid = |_| Error::InvalidPrivateKey { reason: "is not a valid scalar for the curve" };
        let key = PrivateKey::from_private_key(self.algorithm, bytes).map_err(invalid)?;
        let public =
            key.compute_public_key().map_err(|_| Error::InvalidPrivateKey { reason: "has no public key" })?;
        Ok(EcdhKey { curve: self, scalar: bytes.into(), public: public.as_ref().to_vec(), key })
    }

    /// Samples a random private key. Scalars that are zero or not below the order of the curve are rejected and sampled
    /// again.
    fn random_private(&'static self, rng: &mut dyn CryptoRng) -> EcdhKey {
        let mut scalar = SecretBytes::new(vec![0; self.info.decaps_key_len]);
        loop {
            rng.fill_bytes(scalar.as_mut());
            scalar.as_mut()[0] &= self.top_byte_mask;
            if let Ok(key) = self.parse_private(scalar.as_ref()) {
                return key;
            }
        }
    }

    /// Checks that `bytes` is a point of the curve in the only encoding that TLS allows.
    fn check_point(&self, input: &'static str, bytes: &[u8]) -> Result<(), Error> {
        Error::check_len(input, self.info.encaps_key_len, bytes.len())?;
        let off_curve = ParsedPublicKey::try_from(UnparsedPublicKey::new(self.algorithm, bytes)).is_err();
        let wrong_form = bytes.len() > 32 && bytes[0] != UNCOMPRESSED;
        if off_curve || wrong_form || (bytes.len() == 32 && is_small_order(bytes)) {
            return Err(Error::InvalidPublicKey { reason: "is not a point of the curve" });
        }
        Ok(())
    }
}

/// The first byte of an uncompressed point, SEC 1 section 2.3.3.
const UNCOMPRESSED: u8 = 4;

/// Checks whether X25519 with the u-coordinate `u` gives zero for every scalar. The input is public.
fn is_small_order(u: &[u8]) -> bool {
    let mut u: [u8; 32] = u.try_into().expect("the caller has checked the length");
    u[31] &= 0x7F;
    SMALL_ORDER.contains(&u)
}

/// The u-coordinates of points of order 1, 2, 4 and 8 on the curve and its twist, including those encoded as
/// p and p + 1.
const SMALL_ORDER: [[u8; 32]; 7] = [
    [0; 32],
    little_endian(1),
    near_p(0xEC),
    near_p(0xED),
    near_p(0xEE),
    [
        0xE0, 0xEB, 0x7A, 0x7C, 0x3B, 0x41, 0xB8, 0xAE, 0x16, 0x56, 0xE3, 0xFA, 0xF1, 0x9F, 0xC4, 0x6A, 0xDA,
        0x09, 0x8D, 0xEB, 0x9C, 0x32, 0xB1, 0xFD, 0x86, 0x62, 0x05, 0x16, 0x5F, 0x49, 0xB8, 0x00,
    ],
    [
        0x5F, 0x9C, 0x95, 0xBC, 0xA3, 0x50, 0x8C, 0x24, 0xB1, 0xD0, 0xB1, 0x55, 0x9C, 0x83, 0xEF, 0x5B, 0x04,
        0x44, 0x5C, 0xC4, 0x58, 0x1C, 0x8E, 0x86, 0xD8, 0x22, 0x4E, 0xDD, 0xD0, 0x9F, 0x11, 0x57,
    ],
];

const fn little_endian(low: u8) -> [u8; 32] {
    let mut u = [0; 32];
    u[0] = low;
    u
}

/// Returns 2²⁵⁵ - 256 + `low`; p is 2²⁵⁵ - 19.
const fn near_p(low: u8) -> [u8; 32] {
    let mut u = [0xFF; 32];
    u[0] = low;
    u[31] = 0x7F;
    u
}

struct EcdhKey {
    curve: &'static Ecdh,
    scalar: SecretBytes,
    public: Vec<u8>,
    key: PrivateKey,
}

impl EcdhKey {
    /// Computes the x-coordinate that both sides share. `point` must have been checked.
    fn agree(&self, point: &[u8]) -> Result<SecretBytes, Error> {
        let invalid = Error::InvalidPublicKey { reason: "is not a point of the curve" };
        let peer = UnparsedPublicKey::new(self.curve.algorithm, point);
        agreement::agree(&self.key, peer, invalid, |x| Ok(SecretBytes::from(x)))
    }
}

impl DynKem for Ecdh {
    fn info(&self) -> &KemInfo {
        &self.info
    }

    fn generate(&self, rng: &mut dyn CryptoRng) -> Box<dyn DynDecapsKey> {
        Box::new(static_curve(self).random_private(rng))
    }

    fn decaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
        Ok(Box::new(static_curve(self).parse_private(bytes)?))
    }

    fn decaps_key_from_seed(&self, seed: &[u8]) -> Result<Box<dyn DynDecapsKey>, Error> {
        self.decaps_key(seed)
    }

    fn encaps_key(&self, bytes: &[u8]) -> Result<Box<dyn DynEncapsKey>, Error> {
        self.check_point("public key", bytes)?;
        Ok(Box::new(Point { curve: static_curve(self), bytes: bytes.to_vec() }))
    }
}

/// Returns the static item of this module that equals `curve`. Other values of this type cannot exist.
fn static_curve(curve: &Ecdh) -> &'static Ecdh {
    let curves = [&X25519, &SECP256R1, &SECP384R1, &SECP521R1];
    curves
        .into_iter()
        .find(|known| known.info.name == curve.info.name)
        .expect("all curves are defined in this module")
}

impl DynDecapsKey for EcdhKey {
    fn to_bytes(&self) -> SecretBytes {
        self.scalar.clone()
    }

    fn seed(&self) -> Option<SecretBytes> {
        Some(self.scalar.clone())
    }

    fn encaps_key_bytes(&self) -> Vec<u8> {
        self.public.clone()
    }

    fn decapsulate(&self, ciphertext: &[u8]) -> Result<SecretBytes, Error> {
        self.curve.check_point("ciphertext", ciphertext)?;
        self.agree(ciphertext)
    }
}

/// A point that [`Ecdh::check_point`] has accepted.
struct Point {
    curve: &'static Ecdh,
    bytes: Vec<u8>,
}

impl DynEncapsKey for Point {
    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> DynEncapsulated {
        let ephemeral = self.curve.random_private(rng);
        let secret = ephemeral.agree(&self.bytes).expect("the point was checked when it was parsed");
        DynEncapsulated { ciphertext: ephemeral.public, secret }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_order_points_yield_no_shared_secret() {
        let scalar = [0x42; 32];
        let key = X25519.parse_private(&scalar).expect("every 32-byte string is a valid X25519 scalar");
        for mut u in SMALL_ORDER {
            assert!(key.agree(&u).is_err(), "{u:02X?} yields a shared secret");
            u[31] |= 0x80;
            assert!(X25519.encaps_key(&u).is_err(), "{u:02X?} is accepted");
        }
        assert!(X25519.encaps_key(&little_endian(9)).is_ok(), "the base point");
    }

    #[test]
    fn rejects_compressed_points_and_points_off_the_curve() {
        for curve in [&SECP256R1, &SECP384R1, &SECP521R1] {
            let mut point =
                curve.parse_private(&vec![1; curve.info.decaps_key_len]).expect("a scalar").public;
            assert!(curve.encaps_key(&point).is_ok());
            point[0] = 6;
            assert!(curve.encaps_key(&point).is_err(), "SEC 1 hybrid encoding");
            point[0] = 4;
            *point.last_mut().expect("not empty") ^= 1;
            assert!(curve.encaps_key(&point).is_err(), "off the curve");
        }
    }
}
