//! Constant-time exponentiation modulo an odd number, for finite fields and for RSA with hash functions that
//! aws-lc does not support for RSA.

use crypto_bigint::modular::{FixedMontyForm, FixedMontyParams};
use crypto_bigint::{Odd, Uint};
use grille_core::SecretBytes;
use zeroize::Zeroizing;

/// The number of bits in a word.
pub(crate) const WORD_BITS: usize = crypto_bigint::Limb::BITS as usize;

/// Computes base^exponent mod `modulus`. All numbers are big-endian and the result is as long as the modulus.
/// `exponent` is secret, except for its length, which is at most the length of the modulus. The caller must keep the
/// result secret if it is a shared secret.
pub(crate) fn power<const LIMBS: usize>(
    modulus: Odd<Uint<LIMBS>>,
    base: &Uint<LIMBS>,
    exponent: &[u8],
) -> SecretBytes {
    let mut padded = SecretBytes::new(vec![0; Uint::<LIMBS>::BYTES]);
    padded.as_mut()[Uint::<LIMBS>::BYTES - exponent.len()..].copy_from_slice(exponent);
    let x = Zeroizing::new(Uint::<LIMBS>::from_be_slice(padded.as_ref()));
    let bits = u32::try_from(8 * exponent.len()).expect("exponents are no longer than the modulus");
    let params = FixedMontyParams::new_vartime(modulus);
    let power = Zeroizing::new(FixedMontyForm::new(base, &params).pow_bounded_exp(&x, bits).retrieve());
    SecretBytes::new(power.to_be_bytes().as_ref().to_vec())
}
