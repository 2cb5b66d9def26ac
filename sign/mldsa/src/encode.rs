//! Encodings of keys and signatures, FIPS 204 sections 7.1 and 7.2.

use crate::backend::Backend;
use crate::params::{Params, eta_bits, gamma1_bits};
use crate::poly::{HintPoly, Poly};
use crate::round::D;
use crate::version::Version;
use core::marker::PhantomData;
use core::ops::Range;
use grille_core::{Bytes, Error, ct};

/// The number of bytes of an encoded polynomial of t1: 10 bits per coefficient.
const T1_LEN: usize = 32 * 10;
/// The number of bytes of an encoded polynomial of t0: d bits per coefficient.
const T0_LEN: usize = 32 * D as usize;

/// Returns the range of polynomial `i` of t1 in an encoded verifying key, FIPS 204 Algorithm 22: ρ ‖ t1.
///
/// Every byte string of the right length is a valid key.
pub(crate) const fn t1_at(i: usize) -> Range<usize> {
    32 + i * T1_LEN..32 + (i + 1) * T1_LEN
}

/// Computes SimpleBitPack of a polynomial of t1 in [0, 2¹⁰).
#[inline(always)]
pub(crate) fn pack_t1<B: Backend>(backend: B, t1: &Poly, bytes: &mut [u8]) {
    backend.simple_bit_pack::<10>(t1, bytes);
}

/// Computes SimpleBitUnpack of a polynomial of t1, negated.
#[inline(always)]
pub(crate) fn unpack_minus_t1<B: Backend>(backend: B, bytes: &[u8], minus_t1: &mut Poly) {
    backend.bit_unpack::<10>(bytes, 0, minus_t1);
}

/// The layout of an encoded signing key, FIPS 204 Algorithm 24: ρ ‖ K ‖ tr ‖ s1 ‖ s2 ‖ t0.
pub(crate) struct SigningKeyLayout<P>(PhantomData<P>);

impl<P: Params> SigningKeyLayout<P> {
    pub(crate) const K: Range<usize> = 32..64;
    pub(crate) const TR: Range<usize> = 64..64 + <P::Version as Version>::TR_LEN;

    /// Returns ρ.
    pub(crate) fn rho(sk: &[u8]) -> &[u8; 32] {
        sk.first_chunk().expect("a key has more than 64 bytes")
    }

    /// Returns K.
    pub(crate) fn k(sk: &[u8]) -> &[u8; 32] {
        sk[Self::K].try_into().expect("32 bytes")
    }

    /// Returns tr.
    pub(crate) fn tr(sk: &[u8]) -> &[u8] {
        &sk[Self::TR]
    }

    /// Returns the range of polynomial `i`, counting s1 and then s2.
    pub(crate) const fn s(i: usize) -> Range<usize> {
        let (start, len) = (Self::TR.end, 32 * eta_bits(P::ETA as usize));
        start + i * len..start + (i + 1) * len
    }

    /// Returns the range of polynomial `i` of t0.
    pub(crate) const fn t0(i: usize) -> Range<usize> {
        let start = Self::s(P::L + P::K).start;
        start + i * T0_LEN..start + (i + 1) * T0_LEN
    }
}

/// Computes BitPack(s, η, η), for s1 and s2.
#[inline(always)]
pub(crate) fn pack_eta<P: Params, B: Backend>(backend: B, s: &Poly, bytes: &mut [u8]) {
    if P::ETA == 2 { backend.bit_pack::<3>(s, 2, bytes) } else { backend.bit_pack::<4>(s, 4, bytes) }
}

/// Computes BitUnpack(v, η, η), for s1 and s2. For malformed input, the result may be below −η.
#[inline(always)]
pub(crate) fn unpack_eta<P: Params, B: Backend>(backend: B, v: &[u8], s: &mut Poly) {
    if P::ETA == 2 { backend.bit_unpack::<3>(v, 2, s) } else { backend.bit_unpack::<4>(v, 4, s) }
}

/// Computes BitPack(t0, 2ᵈ⁻¹ − 1, 2ᵈ⁻¹). `t0` is in (−2ᵈ⁻¹, 2ᵈ⁻¹].
#[inline(always)]
pub(crate) fn pack_t0<B: Backend>(backend: B, t0: &Poly, bytes: &mut [u8]) {
    backend.bit_pack::<{ D as usize }>(t0, 1 << (D - 1), bytes);
}

/// Computes BitUnpack(v, 2ᵈ⁻¹ − 1, 2ᵈ⁻¹). Every byte string is valid.
#[inline(always)]
pub(crate) fn unpack_t0<B: Backend>(backend: B, v: &[u8], t0: &mut Poly) {
    backend.bit_unpack::<{ D as usize }>(v, 1 << (D - 1), t0);
}

/// Decodes polynomial `i` of an encoded signing key, counting s1 and then s2: FIPS 204 Algorithm 25. Returns
/// true if a coefficient is out of range. Runs in constant time.
#[inline(always)]
pub(crate) fn decode_secret<P: Params, B: Backend>(backend: B, sk: &[u8], i: usize, s: &mut Poly) -> bool {
    unpack_eta::<P, B>(backend, &sk[SigningKeyLayout::<P>::s(i)], s);
    backend.norm_reaches(s, P::ETA + 1)
}

/// Makes the result of the range check public, which is allowed because an invalid key is not used.
///
/// # Errors
/// Returns [`Error::InvalidPrivateKey`] if a coefficient of s1 or s2 is out of range.
pub(crate) fn refuse_out_of_range(out_of_range: bool) -> Result<(), Error> {
    if ct::public(out_of_range) {
        return Err(Error::InvalidPrivateKey { reason: "has a coefficient of s1 or s2 out of range" });
    }
    Ok(())
}

/// Encodes polynomial `i` of z, a part of sigEncode, FIPS 204 Algorithm 26.
#[inline(always)]
pub(crate) fn sig_encode_z<P: Params, B: Backend>(backend: B, i: usize, z: &Poly, sig: &mut [u8]) {
    let bytes = &mut sig[P::C_TILDE_LEN + i * gamma1_len::<P>()..][..gamma1_len::<P>()];
    if P::GAMMA1 == 1 << 17 {
        backend.bit_pack::<18>(z, P::GAMMA1, bytes);
    } else {
        backend.bit_pack::<20>(z, P::GAMMA1, bytes);
    }
}

/// Encodes c~ and the hints, the other parts of sigEncode, FIPS 204 Algorithm 26. The bytes of the hints must
/// be zero before the call.
pub(crate) fn sig_encode_rest<P: Params>(c_tilde: &[u8], h: &[HintPoly], sig: &mut [u8]) {
    sig[..P::C_TILDE_LEN].copy_from_slice(c_tilde);
    hint_bit_pack::<P>(h, &mut sig[P::C_TILDE_LEN + P::L * gamma1_len::<P>()..]);
}

/// The parts of a signature.
pub(crate) struct SignatureParts<'a> {
    /// The commitment hash c~.
    pub(crate) c_tilde: &'a [u8],
    /// The ℓ encoded polynomials of z, in (−γ1, γ1].
    pub(crate) z: &'a [u8],
    /// The hints, in the first k elements.
    pub(crate) h: [HintPoly; 8],
}

/// Computes sigDecode, FIPS 204 Algorithm 27, except for z. Returns `None` if the length is wrong, or if the hints are
/// not in their only valid encoding.
pub(crate) fn sig_decode<P: Params>(sig: &[u8]) -> Option<SignatureParts<'_>> {
    if sig.len() != P::SignatureBytes::LEN {
        return None;
    }
    let (c_tilde, rest) = sig.split_at(P::C_TILDE_LEN);
    let (z, h) = rest.split_at(P::L * gamma1_len::<P>());
    Some(SignatureParts { c_tilde, z, h: hint_bit_unpack::<P>(h)? })
}

/// Computes BitUnpack(v, γ1 − 1, γ1), for y and z.
#[inline(always)]
pub(crate) fn unpack_gamma1<P: Params, B: Backend>(backend: B, v: &[u8], w: &mut Poly) {
    if P::GAMMA1 == 1 << 17 {
        backend.bit_unpack::<18>(v, P::GAMMA1, w);
    } else {
        backend.bit_unpack::<20>(v, P::GAMMA1, w);
    }
}

/// Returns the number of bytes of an encoded polynomial of z.
pub(crate) const fn gamma1_len<P: Params>() -> usize {
    32 * gamma1_bits(P::GAMMA1)
}

/// Computes HintBitPack, FIPS 204 Algorithm 20. The hints are part of the signature and therefore public.
fn hint_bit_pack<P: Params>(h: &[HintPoly], y: &mut [u8]) {
    let mut index = 0;
    for (i, h) in h[..P::K].iter().enumerate() {
        for j in HintPoly(ct::public(h.0)).indices_vartime() {
            y[index] = j;
            index += 1;
        }
        y[P::OMEGA + i] = index as u8;
    }
}

/// Computes HintBitUnpack, FIPS 204 Algorithm 21. Returns `None` in place of ⊥.
fn hint_bit_unpack<P: Params>(y: &[u8]) -> Option<[HintPoly; 8]> {
    let (positions, ends) = y.split_at(P::OMEGA);
    let mut h = [HintPoly::default(); 8];
    let mut index = 0;
    for (h, end) in h.iter_mut().zip(ends) {
        let end = usize::from(*end);
        // returns ⊥ if y[ω + i] < Index or y[ω + i] > ω
        let positions = positions.get(index..end)?;
        if !positions.is_sorted_by(|a, b| a < b) {
            return None;
        }
        positions.iter().for_each(|position| h.insert(*position));
        index = end;
    }
    // any leftover byte must be zero
    positions[index..].iter().all(|byte| *byte == 0).then_some(h)
}

/// Returns the number of bytes of an encoded polynomial of w1: 6 or 4 bits per coefficient.
pub(crate) const fn w1_len<P: Params>() -> usize {
    if P::GAMMA2 == crate::round::GAMMA2_88 { 32 * 6 } else { 32 * 4 }
}

/// Computes w1Encode, FIPS 204 Algorithm 28, of one polynomial in [0, (q − 1)/2γ2).
#[inline(always)]
pub(crate) fn w1_encode<P: Params, B: Backend>(backend: B, w1: &Poly, bytes: &mut [u8]) {
    if P::GAMMA2 == crate::round::GAMMA2_88 {
        backend.simple_bit_pack::<6>(w1, bytes);
    } else {
        backend.simple_bit_pack::<4>(w1, bytes);
    }
}

/// Decodes a polynomial that [`w1_encode`] encoded.
#[inline(always)]
pub(crate) fn w1_decode<P: Params>(bytes: &[u8], w1: &mut Poly) {
    if P::GAMMA2 == crate::round::GAMMA2_88 {
        for (w1, bytes) in w1.0.as_chunks_mut::<4>().0.iter_mut().zip(bytes.as_chunks::<3>().0) {
            let four = i32::from_le_bytes([bytes[0], bytes[1], bytes[2], 0]);
            *w1 = [four & 63, four >> 6 & 63, four >> 12 & 63, four >> 18];
        }
    } else {
        for (w1, byte) in w1.0.as_chunks_mut::<2>().0.iter_mut().zip(bytes) {
            *w1 = [i32::from(byte & 15), i32::from(byte >> 4)];
        }
    }
}

/// The largest number of bytes of an encoded w1: that of the sets with k = 8, such as ML-DSA-87.
pub(crate) const MAX_W1_LEN: usize = 8 * 32 * 4;
