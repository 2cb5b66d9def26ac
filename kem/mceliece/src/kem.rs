//! KeyGen, Encap and Decap, with implicit rejection.

use crate::algorithm::McEliece;
use crate::control::control_bits;
use crate::decode::Decoder;
use crate::encode::{Encoder, fixed_weight};
use crate::expanded_seed::Expanded;
use crate::goppa::{field_ordering, irreducible};
use crate::matrix::{MU, NU, mat_gen};
use crate::params::{Params, code, columns, q, rows};
use crate::version::Version;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use grille_core::kem::copy_piece;
use grille_core::{Bytes, Ciphertext, CryptoRng, Encapsulated, Error, Secret, SecretBytes, ct};
use grille_hash::{Level, sponge::shake256};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// The value of c if MatGen moved no columns.
const UNMOVED_PIVOTS: u64 = 0xFFFF_FFFF;

/// An encapsulation key (public): the matrix T, on the heap.
pub struct EncapsKey<P: Params> {
    t: Box<[u8]>,
    set: PhantomData<fn() -> P>,
}

impl<P: Params> EncapsKey<P> {
    const fn new(t: Box<[u8]>) -> Self {
        Self { t, set: PhantomData }
    }

    /// Parses T: rows of k bits, each padded with zeros to whole bytes.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("encapsulation key", P::ENCAPS_KEY_LEN, bytes.len())?;
        check_rows::<P>(bytes)?;
        Ok(Self::new(bytes.into()))
    }

    /// Runs Encap.
    pub(crate) fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<McEliece<P>> {
        let level = Level::detect();
        let mut encoder = Encoder::new(code::<P>(), fixed_weight::<P>(level, rng));
        let mut ciphertext = P::CiphertextBytes::zeroed();
        encoder.encode(level, &self.t, ciphertext.as_mut());
        complete::<P>(level, encoder.error(), ciphertext)
    }
}

/// Checks whole rows of T: the bits after the last of the k bits of a row must be zero.
pub(crate) fn check_rows<P: Params>(t: &[u8]) -> Result<(), Error> {
    let padding = columns::<P>().next_multiple_of(8) - columns::<P>();
    let mut rows = t.chunks_exact(code::<P>().row_len());
    if padding > 0 && rows.any(|row| row.last().is_some_and(|last| last >> (8 - padding) != 0)) {
        return Err(Error::InvalidPublicKey { reason: "has bits set after the last bit of a row" });
    }
    Ok(())
}

/// Runs the end of Encap, after Encode: adds the confirmation hash of round 3 to the ciphertext, and computes the shared
/// secret. `words` is the error e (secret).
pub(crate) fn complete<P: Params>(
    level: Level,
    words: &[u64],
    mut ciphertext: P::CiphertextBytes,
) -> Encapsulated<McEliece<P>> {
    let mut error: Zeroizing<Vec<u8>> = Zeroizing::new(Vec::with_capacity(8 * words.len()));
    words.iter().for_each(|word| error.extend_from_slice(&word.to_le_bytes()));
    let error = &error[..P::N / 8];
    let confirmation = &mut ciphertext.as_mut()[rows::<P>().div_ceil(8)..];
    confirmation.copy_from_slice(&hash(level, 2, [error, &[]]).as_ref()[..P::Version::CONFIRMATION_LEN]);
    // the ciphertext is sent, so it is public
    ct::public_bytes(ciphertext.as_mut());
    let secret = hash(level, 1, [error, ciphertext.as_ref()]);
    Encapsulated { ciphertext: Ciphertext(ciphertext), secret }
}

/// Computes H(prefix ‖ parts), 32 bytes. All arguments and results are secret.
fn hash(level: Level, prefix: u8, parts: [&[u8]; 2]) -> Secret<[u8; 32]> {
    let mut digest = Secret::zeroed();
    shake256(level, &[&[prefix], parts[0], parts[1]], digest.as_mut());
    digest
}

impl<P: Params> grille_core::EncapsKey for EncapsKey<P> {
    type Kem = McEliece<P>;

    /// Parses T: rows of k bits, each padded with zeros to whole bytes.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::parse(bytes)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.t.to_vec()
    }

    fn copy_piece(&self, offset: usize, out: &mut [u8]) -> usize {
        copy_piece(&self.t, offset, out)
    }

    /// Runs Encap.
    fn encapsulate(&self, rng: &mut dyn CryptoRng) -> Encapsulated<McEliece<P>> {
        P::encapsulate(self, rng)
    }
}

impl<P: Params> Clone for EncapsKey<P> {
    fn clone(&self) -> Self {
        Self::new(self.t.clone())
    }
}

impl<P: Params> PartialEq for EncapsKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.t == other.t
    }
}

impl<P: Params> Eq for EncapsKey<P> {}

impl<P: Params> fmt::Debug for EncapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} encapsulation key", P::NAME)
    }
}

/// The secret part of a key pair, expanded for decapsulation.
struct Private {
    /// The seed δ, from which the current version derives everything else. Zero in round 3, whose keys do not
    /// contain it.
    delta: Secret<[u8; 32]>,
    /// The value c: the columns of the last 32 pivots as bits.
    pivots: u64,
    /// The coefficients of g below the highest one.
    g: Zeroizing<Vec<u16>>,
    /// The control bits of π, called α in the standard.
    control: Zeroizing<Vec<u8>>,
    s: Zeroizing<Vec<u8>>,
    decoder: Decoder,
}

impl Private {
    /// Parses an encoded key. Checks that the coefficients of g are below q and that g has no zeros in the
    /// field, as decapsulation requires.
    fn from_bytes<P: Params>(level: Level, bytes: &[u8]) -> Result<Self, Error> {
        Error::check_len("decapsulation key", P::DECAPS_KEY_LEN, bytes.len())?;
        let (prefix, rest) = bytes.split_at(P::Version::PREFIX_LEN);
        let s_len = P::N / 8;
        let (s, rest) = if P::Version::S_IS_LAST {
            let (rest, s) = rest.split_at(rest.len() - s_len);
            (s, rest)
        } else {
            rest.split_at(s_len)
        };
        let (g, control) = rest.split_at(2 * P::T);
        let g: Vec<u16> = g.as_chunks::<2>().0.iter().map(|bytes| u16::from_le_bytes(*bytes)).collect();
        let g = Zeroizing::new(g);
        let high = g.iter().fold(0, |any, coefficient| any | coefficient) & !((q::<P>() - 1) as u16);
        // the validity of a key may become public
        if ct::public(high) != 0 {
            return Err(Error::InvalidPrivateKey {
                reason: "has a coefficient of g that is not in the field",
            });
        }
        let invalid = Error::InvalidPrivateKey { reason: "has a polynomial g with a zero in the field" };
        let decoder = Decoder::new::<P>(level, &g, control).ok_or(invalid)?;
        let (delta, pivots) = prefix.split_at(prefix.len().min(32));
        Ok(Self {
            delta: Secret::try_from(delta).unwrap_or_else(|_| Secret::zeroed()),
            pivots: pivots.first_chunk().map_or(UNMOVED_PIVOTS, |bytes| u64::from_le_bytes(*bytes)),
            g,
            control: Zeroizing::new(control.to_vec()),
            s: Zeroizing::new(s.to_vec()),
            decoder,
        })
    }

    /// Runs Decap.
    fn decapsulate<P: Params>(&self, level: Level, ciphertext: &[u8]) -> Secret<[u8; 32]> {
        let (syndrome, tail) = ciphertext.split_at(rows::<P>().div_ceil(8));
        let decoded = self.decoder.decode::<P>(level, syndrome);
        let confirmation = hash(level, 2, [&decoded.error, &[]]);
        let confirmed = ct::equal(&confirmation.as_ref()[..P::Version::CONFIRMATION_LEN], tail);
        // a ciphertext that has set bits after the last row is not canonical
        let padding = syndrome.last().map_or(0, |last| u64::from(*last) >> ((rows::<P>() + 7) % 8 + 1));
        let wrong = padding | !decoded.is_valid | u64::from(ct::opaque(confirmed.unwrap_u8()) ^ 1);
        let accept = ct::opaque(is_zero(wrong) as u8);
        // selects b = 1 and e for a valid ciphertext, or b = 0 and s
        let mut error = Zeroizing::new(vec![0; P::N / 8]);
        for ((error, decoded), s) in error.iter_mut().zip(decoded.error.iter()).zip(self.s.iter()) {
            *error = s ^ ((s ^ decoded) & accept);
        }
        hash(level, accept & 1, [&error, ciphertext])
    }
}

/// Returns all ones if `word` is zero, else zero.
const fn is_zero(word: u64) -> u64 {
    ((word | word.wrapping_neg()) >> 63).wrapping_sub(1)
}

/// A decapsulation key (secret), expanded for decapsulation. Erased on drop.
pub struct DecapsKey<P: Params> {
    encaps_key: EncapsKey<P>,
    private: Private,
}

impl<P: Params> DecapsKey<P> {
    /// Runs KeyGen. Samples the 32-byte seed δ.
    pub(crate) fn generate(rng: &mut dyn CryptoRng) -> Self {
        Self::expand(Secret::random(rng))
    }

    /// Runs SeededKeyGen with the seed δ. Returns an error for the sets of round 3, whose keys have no seed.
    pub(crate) fn with_seed(seed: &[u8]) -> Result<Self, Error> {
        if P::Version::PREFIX_LEN == 0 {
            return Err(Error::Unsupported { feature: "seeds" });
        }
        Error::check_len("seed", 32, seed.len())?;
        Secret::try_from(seed).map(Self::expand)
    }

    /// Runs SeededKeyGen.
    fn expand(mut delta: Secret<[u8; 32]>) -> Self {
        let level = Level::detect();
        loop {
            let expanded = Expanded::new::<P>(level, delta.expose());
            if let Some(key) = Self::attempt(level, &delta, &expanded, None) {
                return key;
            }
            delta = Secret::new(*expanded.next());
        }
    }

    /// Makes one attempt of SeededKeyGen. Returns `None` if the degree of g is too low, if field elements repeat, or if
    /// the matrix has no systematic form (no semi-systematic form for the sets whose names end in `f`).
    ///
    /// If `expected` is given, also returns `None` if the key differs from it. First compares the parts that take
    /// little time to compute.
    fn attempt(
        level: Level,
        delta: &Secret<[u8; 32]>,
        expanded: &Expanded,
        expected: Option<&Private>,
    ) -> Option<Self> {
        // the validity of a key may become public
        let same = |a: &[u8], b: &[u8]| ct::public(bool::from(ct::equal(a, b)));
        expected.is_none_or(|key| same(&key.s, expanded.s::<P>())).then_some(())?;
        let g = irreducible::<P>(level, expanded.beta::<P>())?;
        let difference = |key: &Private| key.g.iter().zip(g.iter()).fold(0, |any, (a, b)| any | (a ^ b));
        expected.is_none_or(|key| ct::public(difference(key)) == 0).then_some(())?;
        let mut pi = field_ordering::<P>(level, expanded.ordering::<P>())?;
        if let Some(key) = expected {
            // MatGen changes π only in this range
            let moved = rows::<P>() - MU..rows::<P>() - MU + NU;
            let given = key.decoder.permutation::<P>();
            let pairs = given.iter().zip(pi.iter()).enumerate();
            let fixed = pairs.filter(|(i, _)| !moved.contains(i));
            let difference = fixed.fold(0, |any, (_, (a, b))| any | (a ^ b));
            (ct::public(difference) == 0).then_some(())?;
        }
        let matrix = mat_gen::<P>(level, &g, &mut pi, P::SEMI_SYSTEMATIC)?;
        let control = control_bits::<P::Field>(level, &pi, P::Version::ZEROES_IN_BOTH_OUTER_LAYERS);
        let parts = |key: &Private| {
            same(&key.control, &control) && ct::public(key.pivots) == ct::public(matrix.pivots)
        };
        expected.is_none_or(parts).then_some(())?;
        let decoder = Decoder::new::<P>(level, &g, &control)?;
        let private = Private {
            delta: delta.clone(),
            pivots: matrix.pivots,
            g,
            control,
            s: Zeroizing::new(expanded.s::<P>().to_vec()),
            decoder,
        };
        let mut t = matrix.t;
        // T is public
        ct::public_bytes(&mut t);
        Some(Self { encaps_key: EncapsKey::new(t), private })
    }

    /// Parses and checks an encoded key.
    pub(crate) fn import(bytes: &[u8]) -> Result<Self, Error> {
        let level = Level::detect();
        let private = Private::from_bytes::<P>(level, bytes)?;
        if P::Version::PREFIX_LEN > 0 {
            let expanded = Expanded::new::<P>(level, private.delta.expose());
            let key = Self::attempt(level, &private.delta, &expanded, Some(&private));
            return key.ok_or(Error::InvalidPrivateKey { reason: "does not match its seed" });
        }
        let mut pi = private.decoder.permutation::<P>();
        let matrix = mat_gen::<P>(level, &private.g, &mut pi, false)
            .ok_or(Error::InvalidPrivateKey { reason: "has no systematic matrix" })?;
        let mut t = matrix.t;
        // T is public
        ct::public_bytes(&mut t);
        Ok(Self { encaps_key: EncapsKey::new(t), private })
    }

    /// Runs Decap.
    pub(crate) fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        self.private.decapsulate::<P>(Level::detect(), ciphertext.as_ref())
    }
}

impl<P: Params> grille_core::DecapsKey for DecapsKey<P> {
    type Kem = McEliece<P>;

    /// Parses δ ‖ c ‖ g ‖ α ‖ s, or s ‖ g ‖ α in round 3.
    ///
    /// Deviation from the standard, which does not check keys: a key of the current version must be the one that δ
    /// generates. A key of round 3 has no seed, so this function only checks that its g and α give a matrix with a
    /// systematic form. [`decapsulate_encoded`](grille_core::Kem::decapsulate_encoded) skips these checks and is much
    /// faster.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        P::import(bytes)
    }

    fn to_bytes(&self) -> SecretBytes {
        let private = &self.private;
        let mut bytes = Vec::with_capacity(P::DECAPS_KEY_LEN);
        if P::Version::PREFIX_LEN > 0 {
            bytes.extend_from_slice(private.delta.as_ref());
            bytes.extend_from_slice(&private.pivots.to_le_bytes());
        }
        if !P::Version::S_IS_LAST {
            bytes.extend_from_slice(&private.s);
        }
        private.g.iter().for_each(|coefficient| bytes.extend_from_slice(&coefficient.to_le_bytes()));
        bytes.extend_from_slice(&private.control);
        if P::Version::S_IS_LAST {
            bytes.extend_from_slice(&private.s);
        }
        SecretBytes::new(bytes)
    }

    fn from_seed(seed: &[u8]) -> Result<Self, Error> {
        P::with_seed(seed)
    }

    fn seed(&self) -> Option<SecretBytes> {
        (P::Version::PREFIX_LEN > 0).then(|| self.private.delta.as_ref().into())
    }

    fn encaps_key(&self) -> &EncapsKey<P> {
        &self.encaps_key
    }

    fn decapsulate(&self, ciphertext: &Ciphertext<P::CiphertextBytes>) -> Secret<[u8; 32]> {
        P::decapsulate(self, ciphertext)
    }
}

/// Runs Decap with an encoded key. Skips the checks that take as long as key generation.
pub(crate) fn decapsulate_encoded<P: Params>(
    decaps_key: &[u8],
    ciphertext: &Ciphertext<P::CiphertextBytes>,
) -> Result<Secret<[u8; 32]>, Error> {
    let level = Level::detect();
    Ok(Private::from_bytes::<P>(level, decaps_key)?.decapsulate::<P>(level, ciphertext.as_ref()))
}

impl<P: Params> ZeroizeOnDrop for DecapsKey<P> {}

impl<P: Params> fmt::Debug for DecapsKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} decapsulation key (secret)", P::NAME)
    }
}
