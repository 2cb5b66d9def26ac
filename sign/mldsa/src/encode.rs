//! Encodings of keys and signatures, FIPS 204 sections 7.1 and 7.2.

use crate::backend::Backend;
use crate::generation::Generation;
use crate::params::{Params, eta_bits, gamma1_bits};
use crate::poly::{HintPoly, Poly};
use crate::round::D;
use alloc::vec;
use alloc::vec::Vec;
use grille_core::{Array, Bytes};
use zeroize::Zeroizing;

/// Bytes of an encoded polynomial of t1: 10 bits a coefficient.
const T1_LEN: usize = 32 * 10;
/// Bytes of an encoded polynomial of t0: d bits a coefficient.
const T0_LEN: usize = 32 * D as usize;

/// pkEncode, FIPS 204 Algorithm 22. `t1`: k polynomials in [0, 2¹⁰).
pub(crate) fn pk_encode<P: Params, B: Backend>(
    backend: B,
    rho: &[u8; 32],
    t1: &[Poly],
) -> P::VerifyingKeyBytes {
    let mut pk = P::VerifyingKeyBytes::zeroed();
    let (rho_bytes, t1_bytes) = pk.as_mut().split_at_mut(32);
    rho_bytes.copy_from_slice(rho);
    for (bytes, t1) in t1_bytes.chunks_exact_mut(T1_LEN).zip(t1) {
        backend.simple_bit_pack::<10>(t1, bytes);
    }
    pk
}

/// pkDecode, FIPS 204 Algorithm 23: ρ and t1. Every byte string of the right length is a key.
pub(crate) fn pk_decode<P: Params, B: Backend>(
    backend: B,
    pk: &P::VerifyingKeyBytes,
) -> ([u8; 32], P::VectorK) {
    let (rho, t1_bytes) = pk.as_ref().split_first_chunk().expect("a key has more than 32 bytes");
    let mut t1 = P::VectorK::from_fn(|_| Poly::ZERO);
    for (bytes, t1) in t1_bytes.chunks_exact(T1_LEN).zip(t1.as_mut()) {
        // 0 − (−t1): unpacking subtracts
        backend.bit_unpack::<10>(bytes, 0, t1);
        t1.0.iter_mut().for_each(|t1| *t1 = -*t1);
    }
    (*rho, t1)
}

/// The parts of an expanded signing key; all but `rho` and `tr` secret.
pub(crate) struct SecretParts<P: Params> {
    pub(crate) rho: [u8; 32],
    /// K.
    pub(crate) k: Zeroizing<[u8; 32]>,
    /// The first `TR_LEN` bytes count.
    pub(crate) tr: [u8; 64],
    /// In [−η, η].
    pub(crate) s1: Zeroizing<P::VectorL>,
    /// In [−η, η].
    pub(crate) s2: Zeroizing<P::VectorK>,
    /// In (−2ᵈ⁻¹, 2ᵈ⁻¹].
    pub(crate) t0: Zeroizing<P::VectorK>,
}

impl<P: Params> SecretParts<P> {
    /// With vectors of zeroes.
    pub(crate) fn new(rho: [u8; 32], k: [u8; 32]) -> Self {
        Self {
            rho,
            k: Zeroizing::new(k),
            tr: [0; 64],
            s1: Zeroizing::new(P::VectorL::from_fn(|_| Poly::ZERO)),
            s2: Zeroizing::new(P::VectorK::from_fn(|_| Poly::ZERO)),
            t0: Zeroizing::new(P::VectorK::from_fn(|_| Poly::ZERO)),
        }
    }
}

/// skEncode, FIPS 204 Algorithm 24.
pub(crate) fn sk_encode<P: Params, B: Backend>(backend: B, parts: &SecretParts<P>) -> P::SigningKeyBytes {
    let mut sk = P::SigningKeyBytes::zeroed();
    let (rho, rest) = sk.as_mut().split_at_mut(32);
    let (k, rest) = rest.split_at_mut(32);
    let (tr, rest) = rest.split_at_mut(<P::Generation as Generation>::TR_LEN);
    let (s1, rest) = rest.split_at_mut(P::L * eta_len::<P>());
    let (s2, t0) = rest.split_at_mut(P::K * eta_len::<P>());
    rho.copy_from_slice(&parts.rho);
    k.copy_from_slice(parts.k.as_slice());
    tr.copy_from_slice(&parts.tr[..<P::Generation as Generation>::TR_LEN]);
    let s_bytes = s1.chunks_exact_mut(eta_len::<P>()).chain(s2.chunks_exact_mut(eta_len::<P>()));
    for (bytes, s) in s_bytes.zip(parts.s1.as_ref().iter().chain(parts.s2.as_ref())) {
        if P::ETA == 2 { backend.bit_pack::<3>(s, 2, bytes) } else { backend.bit_pack::<4>(s, 4, bytes) }
    }
    for (bytes, poly) in t0.chunks_exact_mut(T0_LEN).zip(parts.t0.as_ref()) {
        backend.bit_pack::<{ D as usize }>(poly, 1 << (D - 1), bytes);
    }
    sk
}

/// skDecode, FIPS 204 Algorithm 25; `None` if a coefficient of s1 or s2 is out of range.
///
/// Constant time, but for the answer.
pub(crate) fn sk_decode<P: Params, B: Backend>(
    backend: B,
    sk: &P::SigningKeyBytes,
) -> Option<SecretParts<P>> {
    let (rho, rest) = sk.as_ref().split_first_chunk().expect("ρ");
    let (k, rest) = rest.split_first_chunk().expect("K");
    let (tr_bytes, rest) = rest.split_at(<P::Generation as Generation>::TR_LEN);
    let (s_bytes, t0_bytes) = rest.split_at((P::L + P::K) * eta_len::<P>());
    let mut parts = SecretParts::<P>::new(*rho, *k);
    parts.tr[..<P::Generation as Generation>::TR_LEN].copy_from_slice(tr_bytes);
    for (bytes, t0) in t0_bytes.chunks_exact(T0_LEN).zip(parts.t0.as_mut()) {
        backend.bit_unpack::<{ D as usize }>(bytes, 1 << (D - 1), t0);
    }
    let mut out_of_range = false;
    let s = parts.s1.as_mut().iter_mut().chain(parts.s2.as_mut());
    for (bytes, s) in s_bytes.chunks_exact(eta_len::<P>()).zip(s) {
        if P::ETA == 2 {
            backend.bit_unpack::<3>(bytes, 2, s);
        } else {
            backend.bit_unpack::<4>(bytes, 4, s);
        }
        out_of_range |= backend.norm_reaches(s, P::ETA + 1);
    }
    (!out_of_range).then_some(parts)
}

/// Bytes of an encoded polynomial of s1 or s2.
const fn eta_len<P: Params>() -> usize {
    32 * eta_bits(P::ETA as usize)
}

/// sigEncode, FIPS 204 Algorithm 26. `z`: ℓ polynomials in (−γ1, γ1]; `h`: k, with at most ω hints.
pub(crate) fn sig_encode<P: Params, B: Backend>(
    backend: B,
    c_tilde: &[u8],
    z: &[Poly],
    h: &[HintPoly],
) -> P::SignatureBytes {
    let mut sig = P::SignatureBytes::zeroed();
    let (c_tilde_bytes, rest) = sig.as_mut().split_at_mut(P::C_TILDE_LEN);
    let (z_bytes, h_bytes) = rest.split_at_mut(P::L * gamma1_len::<P>());
    c_tilde_bytes.copy_from_slice(c_tilde);
    for (bytes, z) in z_bytes.chunks_exact_mut(gamma1_len::<P>()).zip(z) {
        if P::GAMMA1 == 1 << 17 {
            backend.bit_pack::<18>(z, P::GAMMA1, bytes);
        } else {
            backend.bit_pack::<20>(z, P::GAMMA1, bytes);
        }
    }
    hint_bit_pack::<P>(h, h_bytes);
    sig
}

/// A decoded signature.
pub(crate) struct SignatureParts<'a, P: Params> {
    /// c~.
    pub(crate) c_tilde: &'a [u8],
    /// ℓ polynomials in (−γ1, γ1].
    pub(crate) z: P::VectorL,
    /// k.
    pub(crate) h: Vec<HintPoly>,
}

/// sigDecode, FIPS 204 Algorithm 27; `None` for a wrong length, or hints that are not in their only form.
pub(crate) fn sig_decode<P: Params, B: Backend>(backend: B, sig: &[u8]) -> Option<SignatureParts<'_, P>> {
    if sig.len() != P::SignatureBytes::LEN {
        return None;
    }
    let (c_tilde, rest) = sig.split_at(P::C_TILDE_LEN);
    let (z_bytes, h_bytes) = rest.split_at(P::L * gamma1_len::<P>());
    let h = hint_bit_unpack::<P>(h_bytes)?;
    let mut z = P::VectorL::from_fn(|_| Poly::ZERO);
    for (bytes, z) in z_bytes.chunks_exact(gamma1_len::<P>()).zip(z.as_mut()) {
        unpack_gamma1::<P, B>(backend, bytes, z);
    }
    Some(SignatureParts { c_tilde, z, h })
}

/// BitUnpack(v, γ1 − 1, γ1), as for y and z.
#[inline(always)]
pub(crate) fn unpack_gamma1<P: Params, B: Backend>(backend: B, v: &[u8], w: &mut Poly) {
    if P::GAMMA1 == 1 << 17 {
        backend.bit_unpack::<18>(v, P::GAMMA1, w);
    } else {
        backend.bit_unpack::<20>(v, P::GAMMA1, w);
    }
}

/// Bytes of an encoded polynomial of z.
pub(crate) const fn gamma1_len<P: Params>() -> usize {
    32 * gamma1_bits(P::GAMMA1)
}

/// HintBitPack, FIPS 204 Algorithm 20. The hints are part of the signature, hence public.
fn hint_bit_pack<P: Params>(h: &[HintPoly], y: &mut [u8]) {
    let mut index = 0;
    for (i, h) in h[..P::K].iter().enumerate() {
        for j in h.indexes_vartime() {
            y[index] = j;
            index += 1;
        }
        y[P::OMEGA + i] = index as u8;
    }
}

/// HintBitUnpack, FIPS 204 Algorithm 21; `None` stands for ⊥.
fn hint_bit_unpack<P: Params>(y: &[u8]) -> Option<Vec<HintPoly>> {
    let (positions, ends) = y.split_at(P::OMEGA);
    let mut h = vec![HintPoly::default(); P::K];
    let mut index = 0;
    for (h, end) in h.iter_mut().zip(ends) {
        let end = usize::from(*end);
        // ⊥ if y[ω + i] < Index or y[ω + i] > ω
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

/// Bytes of an encoded polynomial of w1: 6 or 4 bits a coefficient.
pub(crate) const fn w1_len<P: Params>() -> usize {
    if P::GAMMA2 == crate::round::GAMMA2_88 { 32 * 6 } else { 32 * 4 }
}

/// w1Encode, FIPS 204 Algorithm 28, of one polynomial in [0, (q − 1)/2γ2).
#[inline(always)]
pub(crate) fn w1_encode<P: Params, B: Backend>(backend: B, w1: &Poly, bytes: &mut [u8]) {
    if P::GAMMA2 == crate::round::GAMMA2_88 {
        backend.simple_bit_pack::<6>(w1, bytes);
    } else {
        backend.simple_bit_pack::<4>(w1, bytes);
    }
}

/// The most bytes of an encoded w1: of ML-DSA-87, k = 8.
pub(crate) const MAX_W1_LEN: usize = 8 * 32 * 4;
