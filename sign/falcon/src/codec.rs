//! The encodings of keys and of the three signature formats, Falcon section 3.11.

use crate::degree::Degree;
use crate::format::{Format, NONCE_LEN};
use crate::mq::Q;
use grille_core::{Bytes, ct};

/// The number of bits of an encoded coefficient of F, Falcon section 3.11.5.
pub(crate) const F_CAPITAL_BITS: usize = 8;

/// Writes header, nonce and s2 to `bytes`, and fills the remaining bytes with zeroes. Returns the length of
/// the signature, or `None` if s2 does not fit. Only in the padded format does the length include the zeroes.
/// `bytes` has the length of the longest signature.
///
/// An s2 that does not fit is secret. In the constant-time format, every s2 is secret. In the other formats,
/// an s2 that fits is public.
pub(crate) fn encode_signature(
    format: Format,
    nonce: &[u8; NONCE_LEN],
    s2: &[i16],
    bytes: &mut [u8],
) -> Option<usize> {
    let (head, body) = bytes.split_at_mut(1 + NONCE_LEN);
    if !fits(format, s2, body.len()) {
        return None;
    }
    head[0] = header(format, s2.len());
    head[1..].copy_from_slice(nonce);
    let used = match format {
        Format::Compressed | Format::Padded => compress(s2, body),
        Format::ConstantTime => pack(s2.iter().map(|s| *s as u32), 12, body),
    };
    body[used..].fill(0);
    Some(1 + NONCE_LEN + if format == Format::Padded { body.len() } else { used })
}

/// Checks whether s2 can be encoded in `available` bytes. Runs in constant time, and only the result is
/// public.
fn fits(format: Format, s2: &[i16], available: usize) -> bool {
    // all ones that occur in magnitudes, which are at most 2047
    let ones = s2.iter().fold(0, |ones, s| ones | s.unsigned_abs());
    let bits = match format {
        // a coefficient takes nine bits, plus as many zeroes as the number in its high bits states
        Format::Compressed | Format::Padded => {
            9 * s2.len() + s2.iter().map(|s| usize::from(s.unsigned_abs() >> 7)).sum::<usize>()
        }
        Format::ConstantTime => 12 * s2.len(),
    };
    ct::public(ct::opaque(u8::from(ones >> 11 == 0) & u8::from(bits <= 8 * available))) == 1
}

/// Splits a signature into its nonce and s2. Returns the nonce and writes s2 to `s2`. Returns `None` if the
/// signature is not the canonical encoding of a nonce and an s2. `longest` is the length of the longest
/// signature.
pub(crate) fn decode_signature<'a>(
    format: Format,
    longest: usize,
    signature: &'a [u8],
    s2: &mut [i16],
) -> Option<&'a [u8]> {
    let (&first, rest) = signature.split_first()?;
    let (nonce, body) = rest.split_at_checked(NONCE_LEN)?;
    if ct::public(first) != header(format, s2.len()) {
        return None;
    }
    let full = signature.len() == longest;
    let used = match format {
        Format::Compressed => decompress(body, s2).filter(|used| *used == body.len()),
        Format::Padded => decompress(body, s2).filter(|used| full && body[*used..].iter().all(|b| *b == 0)),
        Format::ConstantTime => unpack_wide(body, s2).filter(|_| full),
    };
    used.map(|_| nonce)
}

/// Returns the header byte for degree `n`, a power of two.
fn header(format: Format, n: usize) -> u8 {
    let log_n = n.trailing_zeros() as u8;
    match format {
        Format::Compressed | Format::Padded => 0x30 + log_n,
        Format::ConstantTime => 0x50 + log_n,
    }
}

/// Runs Compress, Falcon Algorithm 17, on an s2 that fits. Returns the number of bytes used.
fn compress(s: &[i16], out: &mut [u8]) -> usize {
    let mut bits = BitWriter::new(out);
    for coefficient in s {
        // s2 is public, because it is part of the signature
        let coefficient = i16::from_ne_bytes(ct::public(coefficient.to_ne_bytes()));
        let magnitude = u32::from(coefficient.unsigned_abs());
        let sign = u32::from(coefficient < 0);
        // writes the sign, the seven low bits, as many zeroes as the number in the high bits states, and a one
        bits.put((sign << 7 | magnitude & 127) << ((magnitude >> 7) + 1) | 1, 9 + (magnitude as usize >> 7));
    }
    bits.finish()
}

/// Runs Decompress, Falcon Algorithm 18. Returns the number of bytes used, or `None` if the encoding is invalid.
fn decompress(bytes: &[u8], s: &mut [i16]) -> Option<usize> {
    let mut position = 0;
    let mut refused = false;
    for pair in s.chunks_mut(2) {
        // two coefficients take at most 48 bits, and a window has at least 57
        let mut window = window(bytes, position);
        for coefficient in pair {
            let (negative, low) = (window >> 63, (window >> 56) as i16 & 127);
            let high = (window << 8).leading_zeros();
            let magnitude = (high << 7) as i16 | low;
            // refuses −0, and values whose encoding is longer than that of any valid value
            refused |= high > 15 || (negative == 1 && magnitude == 0);
            let sign = -(negative as i16);
            *coefficient = (magnitude ^ sign) - sign;
            let len = (9 + high).min(24);
            window <<= len;
            position += len as usize;
        }
    }
    let used = position.div_ceil(8);
    let last = bytes.get(..used)?.last().copied().unwrap_or(0);
    // only zeroes may follow the last bit
    let rest = last << (position.wrapping_sub(1) % 8) << 1;
    (!refused && rest == 0).then_some(used)
}

/// Returns at least 57 bits starting at `position`, with zeroes after the end of the bytes.
#[inline(always)]
fn window(bytes: &[u8], position: usize) -> u64 {
    let rest = bytes.get(position / 8..).unwrap_or(&[]);
    let word = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        word
    });
    u64::from_be_bytes(word) << (position % 8)
}

/// Unpacks twelve bits per coefficient. Only the validity of the encoding is public.
fn unpack_wide(bytes: &[u8], s: &mut [i16]) -> Option<usize> {
    let mut bits = BitReader::new(bytes);
    let mut lowest = 0;
    for coefficient in s {
        let value = sign_extend(bits.take(12)?, 12);
        *coefficient = value as i16;
        lowest |= is_lowest(value, 12);
    }
    bits.finish().filter(|_| ct::public(ct::opaque(lowest)) == 0)
}

/// Encodes a verifying key: the header 0x00 + log₂ n, and h in [0, q) with 14 bits per coefficient, Falcon section
/// 3.11.4.
pub(crate) fn encode_verifying_key<D: Degree>(h: &[i16]) -> D::VerifyingKeyBytes {
    let mut bytes = D::VerifyingKeyBytes::zeroed();
    bytes.as_mut()[0] = D::LOG_N as u8;
    pack(h.iter().map(|h| *h as u32), 14, &mut bytes.as_mut()[1..]);
    bytes
}

/// Decodes a verifying key. An `Err` contains the reason why the key is invalid.
pub(crate) fn decode_verifying_key<D: Degree>(bytes: &[u8], h: &mut [i16]) -> Result<(), &'static str> {
    if bytes[0] != D::LOG_N as u8 {
        return Err("has the header of another parameter set");
    }
    let mut bits = BitReader::new(&bytes[1..]);
    for h in h {
        *h = bits.take(14).ok_or("is too short")? as i16;
        if *h >= Q {
            return Err("has a coefficient that is not below q");
        }
    }
    bits.finish().expect("14·n bits are whole bytes");
    Ok(())
}

/// Encodes a signing key: the header 0x50 + log₂ n, then f, g and F, Falcon section 3.11.5.
///
/// All arguments and the result are secret. Runs in constant time.
pub(crate) fn encode_signing_key<D: Degree>(f: &[i8], g: &[i8], F: &[i8], bytes: &mut [u8]) {
    bytes[0] = 0x50 + D::LOG_N as u8;
    let (f_bytes, rest) = bytes[1..].split_at_mut(D::N * D::FG_BITS / 8);
    let (g_bytes, F_bytes) = rest.split_at_mut(D::N * D::FG_BITS / 8);
    pack(f.iter().map(|f| *f as u32), D::FG_BITS, f_bytes);
    pack(g.iter().map(|g| *g as u32), D::FG_BITS, g_bytes);
    pack(F.iter().map(|F| *F as u32), F_CAPITAL_BITS, F_bytes);
}

/// Decodes a signing key. Only the validity of the encoding is public.
pub(crate) fn decode_signing_key<D: Degree>(
    bytes: &[u8],
    f: &mut [i8],
    g: &mut [i8],
    F: &mut [i8],
) -> Result<(), &'static str> {
    if bytes[0] != 0x50 + D::LOG_N as u8 {
        return Err("has the header of another parameter set");
    }
    let (f_bytes, rest) = bytes[1..].split_at(D::N * D::FG_BITS / 8);
    let (g_bytes, F_bytes) = rest.split_at(D::N * D::FG_BITS / 8);
    let lowest =
        unpack(f_bytes, D::FG_BITS, f) | unpack(g_bytes, D::FG_BITS, g) | unpack(F_bytes, F_CAPITAL_BITS, F);
    if ct::public(ct::opaque(lowest)) == 1 {
        Err("has a coefficient whose negation is out of range")
    } else {
        Ok(())
    }
}

/// Packs values in fixed-width two's complement, most significant bit first. The values must fill `out`. Returns the
/// number of bytes used.
fn pack(values: impl Iterator<Item = u32>, width: usize, out: &mut [u8]) -> usize {
    let mut bits = BitWriter::new(out);
    for value in values {
        bits.put(value & ((1 << width) - 1), width);
    }
    bits.finish()
}

/// Unpacks values in fixed-width two's complement. Returns 1 if a value is −2^(width − 1), which is not
/// allowed, else 0. Runs in constant time.
fn unpack(bytes: &[u8], width: usize, out: &mut [i8]) -> u32 {
    let mut bits = BitReader::new(bytes);
    out.iter_mut().fold(0, |lowest, out| {
        let value = sign_extend(bits.take(width).expect("the lengths of the parameter sets fit"), width);
        *out = value as i8;
        lowest | is_lowest(value, width)
    })
}

/// Returns 1 if the value is −2^(width − 1), the lowest value in two's complement, else 0.
fn is_lowest(value: i32, width: usize) -> u32 {
    (value + (1 << (width - 1)) - 1) as u32 >> 31
}

fn sign_extend(value: u32, width: usize) -> i32 {
    ((value << (32 - width)) as i32) >> (32 - width)
}

/// A writer of bit strings into a buffer with enough space. The most significant bit of each byte comes
/// first.
struct BitWriter<'a> {
    out: &'a mut [u8],
    used: usize,
    waiting: u64,
    count: usize,
}

impl<'a> BitWriter<'a> {
    fn new(out: &'a mut [u8]) -> Self {
        Self { out, used: 0, waiting: 0, count: 0 }
    }

    /// Writes `width` bits, at most 32.
    #[inline(always)]
    fn put(&mut self, value: u32, width: usize) {
        self.waiting = self.waiting << width | u64::from(value);
        self.count += width;
        if self.count >= 32 {
            self.count -= 32;
            let word = (self.waiting >> self.count) as u32;
            self.out[self.used..self.used + 4].copy_from_slice(&word.to_be_bytes());
            self.used += 4;
        }
    }

    /// Fills the last byte with zeroes, and returns the number of bytes used.
    fn finish(self) -> usize {
        let word = ((self.waiting << (32 - self.count)) as u32).to_be_bytes();
        let len = self.count.div_ceil(8);
        self.out[self.used..self.used + len].copy_from_slice(&word[..len]);
        self.used + len
    }
}

/// A reader of bit strings that [`BitWriter`] wrote.
struct BitReader<'a> {
    bytes: &'a [u8],
    used: usize,
    waiting: u64,
    count: usize,
}

impl<'a> BitReader<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, used: 0, waiting: 0, count: 0 }
    }

    /// Reads bytes until the buffer holds at least `width` bits or no bytes remain. `width` is at most 32.
    #[inline(always)]
    fn fill(&mut self, width: usize) {
        if self.count >= width {
            return;
        }
        if let Some(word) = self.bytes[self.used..].first_chunk() {
            self.waiting = self.waiting << 32 | u64::from(u32::from_be_bytes(*word));
            (self.count, self.used) = (self.count + 32, self.used + 4);
            return;
        }
        for byte in &self.bytes[self.used..] {
            self.waiting = self.waiting << 8 | u64::from(*byte);
            (self.count, self.used) = (self.count + 8, self.used + 1);
        }
    }

    /// Reads `width` bits, at most 32. Returns `None` if fewer bits remain.
    #[inline(always)]
    fn take(&mut self, width: usize) -> Option<u32> {
        self.fill(width);
        self.count = self.count.checked_sub(width)?;
        Some((self.waiting >> self.count) as u32 & ((1u64 << width) - 1) as u32)
    }

    /// Returns the number of bytes used, or `None` if an unread bit of the last byte is not zero.
    fn finish(self) -> Option<usize> {
        let rest = (self.waiting >> (self.count & !7)) & ((1 << (self.count & 7)) - 1);
        (rest == 0).then_some(self.used - self.count / 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepted_compressions_have_one_encoding() {
        for value in -2047..=2047 {
            let mut bytes = [0; 4];
            assert!(fits(Format::Compressed, &[value], bytes.len()), "{value}");
            let used = compress(&[value], &mut bytes);
            let mut back = [0];
            assert_eq!(decompress(&bytes[..used], &mut back), Some(used), "{value}");
            assert_eq!(back, [value]);
        }
        for wide in [-2048, 2048, 4095, i16::MIN, i16::MAX] {
            assert!(!fits(Format::Compressed, &[0, wide], 1000), "{wide}");
            assert!(!fits(Format::ConstantTime, &[0, wide], 1000), "{wide}");
        }
    }

    #[test]
    fn fits_is_exact_to_the_bit() {
        // coefficients of 9 + 15 bits take three bytes, and 9 more bits need five bytes
        assert!(fits(Format::Compressed, &[-2047], 3) && !fits(Format::Compressed, &[-2047], 2));
        assert!(fits(Format::Padded, &[2047, 127], 5) && !fits(Format::Padded, &[2047, 127], 4));
        // eight coefficients of nine bits take nine bytes; one additional bit needs a tenth byte
        assert!(fits(Format::Compressed, &[127; 8], 9));
        assert!(!fits(Format::Compressed, &[128, 0, 0, 0, 0, 0, 0, 0], 9));
        assert!(fits(Format::ConstantTime, &[-2047, 2047], 3) && !fits(Format::ConstantTime, &[0, 0], 2));
    }

    #[test]
    fn every_valid_three_byte_encoding_round_trips() {
        for code in 0..1u32 << 24 {
            let bytes = &code.to_be_bytes()[1..];
            let mut values = [0; 2];
            if let Some(used) = decompress(bytes, &mut values) {
                let mut again = [0; 3];
                assert_eq!(compress(&values, &mut again), used, "{code:06x}");
                assert_eq!(again[..used], bytes[..used], "{code:06x}");
            }
        }
    }

    #[test]
    fn rejects_minus_zero_overlong_values_and_trailing_bits() {
        assert_eq!(decompress(&[0b1000_0000, 0b1000_0000], &mut [0]), None, "−0");
        assert_eq!(decompress(&[0, 0, 0, 0b1000_0000], &mut [0]), None, "2048 and more");
        assert_eq!(decompress(&[0, 0b1100_0000], &mut [0]), None, "set bit after the end");
        assert_eq!(decompress(&[0, 0], &mut [0]), None, "no end");
        assert_eq!(decompress(&[0, 0b1000_0000], &mut [1]), Some(2));
    }

    #[test]
    fn failed_encoding_leaves_no_trace_in_the_next_one() {
        let nonce = [7; NONCE_LEN];
        for format in [Format::Compressed, Format::Padded, Format::ConstantTime] {
            let (mut fresh, mut used) = ([0; 1 + NONCE_LEN + 24], [0; 1 + NONCE_LEN + 24]);
            // 1023 takes sixteen bits when compressed, which is too long, and twelve bits otherwise; 4000 is out of range
            let wide = encode_signature(format, &nonce, &[1023; 16], &mut used);
            assert_eq!(wide.is_some(), format == Format::ConstantTime, "{format:?}");
            assert_eq!(encode_signature(format, &nonce, &[4000; 16], &mut used), None, "{format:?}");
            let short: [i16; 16] = core::array::from_fn(|n| n as i16);
            let len = encode_signature(format, &nonce, &short, &mut fresh);
            assert_eq!(encode_signature(format, &nonce, &short, &mut used), len);
            let len = len.expect("it fits");
            assert_eq!(fresh, used, "{format:?}");
            let mut back = [0; 16];
            assert_eq!(
                decode_signature(format, 1 + NONCE_LEN + 24, &used[..len], &mut back),
                Some(&nonce[..])
            );
            assert_eq!(back, short);
        }
    }

    #[test]
    fn constant_time_format_has_the_documented_layout() {
        let nonce = core::array::from_fn(|i| i as u8);
        let mut bytes = [0xEE; 1 + NONCE_LEN + 12];
        let s2 = [1, -1, 2, -2, 0, 2047, -2047, -256];
        assert_eq!(encode_signature(Format::ConstantTime, &nonce, &s2, &mut bytes), Some(53));
        // the header contains log₂ 8 = 3; two coefficients take three bytes
        assert_eq!(bytes[0], 0x53);
        assert_eq!(bytes[1..41], nonce);
        assert_eq!(bytes[41..], [0x00, 0x1F, 0xFF, 0x00, 0x2F, 0xFE, 0x00, 0x07, 0xFF, 0x80, 0x1F, 0x00]);
        let mut back = [0; 8];
        assert_eq!(decode_signature(Format::ConstantTime, 53, &bytes, &mut back), Some(&nonce[..]));
        assert_eq!(back, s2);
    }

    #[test]
    fn constant_time_format_rejects_only_minus_2048() {
        for code in 0..1u32 << 12 {
            for other in [0, 0x7FF, 0x801, 0xFFF] {
                let bytes = (code << 12 | other).to_be_bytes();
                let (mut back, mut again) = ([0; 2], [0; 3]);
                let is_one = unpack_wide(&bytes[1..], &mut back).is_some();
                assert_eq!(is_one, code != 0x800, "{code:03x}");
                if is_one {
                    assert_eq!(pack(back.iter().map(|s| *s as u32), 12, &mut again), 3);
                    assert_eq!(again, bytes[1..], "{code:03x}");
                }
                let bytes = (other << 12 | code).to_be_bytes();
                assert_eq!(unpack_wide(&bytes[1..], &mut back).is_some(), code != 0x800, "{code:03x}");
            }
        }
    }
}
