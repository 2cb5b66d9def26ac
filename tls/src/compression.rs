//! Compressed certificates, RFC 8879.

use rustls::CertificateCompressionAlgorithm;
use rustls::compress::{
    BROTLI_COMPRESSOR, BROTLI_DECOMPRESSOR, CertCompressor, CertDecompressor, CompressionFailed,
    CompressionLevel, ZLIB_COMPRESSOR, ZLIB_DECOMPRESSOR,
};

/// An algorithm that certificates can be compressed with, RFC 8879 section 7.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// RFC 1950.
    Zlib,
    /// RFC 7932, which browsers offer.
    Brotli,
}

impl Compression {
    /// All that are here.
    pub const ALL: [Self; 2] = [Self::Zlib, Self::Brotli];

    /// The standard's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Brotli => "brotli",
        }
    }
}

/// Both directions of these algorithms, as rustls takes them.
pub(crate) fn both_ways(
    chosen: &[Compression],
) -> (Vec<&'static dyn CertCompressor>, Vec<&'static dyn CertDecompressor>) {
    let both = |compression: &Compression| -> (&'static dyn CertCompressor, _) {
        match compression {
            Compression::Zlib => (&Shorter(ZLIB_COMPRESSOR), ZLIB_DECOMPRESSOR),
            Compression::Brotli => (&Shorter(BROTLI_COMPRESSOR), BROTLI_DECOMPRESSOR),
        }
    };
    chosen.iter().map(both).unzip()
}

/// Compresses what becomes shorter, and refuses the rest, which rustls then sends as it is: keys and signatures of
/// lattices and hashes are random bits, and a short chain of such certificates has little else.
#[derive(Debug)]
struct Shorter(&'static dyn CertCompressor);

/// What a CompressedCertificate has beside the compressed bytes, RFC 8879 section 4: the algorithm and two lengths.
const OVERHEAD: usize = 2 + 3 + 3;

impl CertCompressor for Shorter {
    /// A first look is a quick one: what is refused is not remembered, and comes again with each handshake.
    fn compress(&self, input: Vec<u8>, level: CompressionLevel) -> Result<Vec<u8>, CompressionFailed> {
        let len = input.len();
        let shorter = |output: &Vec<u8>| output.len() + OVERHEAD < len;
        let quick = self.0.compress(input.clone(), CompressionLevel::Interactive)?;
        match level {
            _ if !shorter(&quick) => Err(CompressionFailed),
            CompressionLevel::Interactive => Ok(quick),
            CompressionLevel::Amortized => {
                Ok(self.0.compress(input, level).ok().filter(shorter).unwrap_or(quick))
            }
        }
    }

    fn algorithm(&self) -> CertificateCompressionAlgorithm {
        self.0.algorithm()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_core::{CryptoRng, SystemRng};

    #[test]
    fn what_does_not_become_shorter_is_refused() {
        let mut random = vec![0; 2000];
        let rng: &mut dyn CryptoRng = &mut SystemRng;
        rng.fill_bytes(&mut random);
        let (compressors, _) = both_ways(&Compression::ALL);
        for compressor in compressors {
            for level in [CompressionLevel::Interactive, CompressionLevel::Amortized] {
                assert!(compressor.compress(random.clone(), level).is_err());
                let short =
                    compressor.compress([&random[..], &random].concat(), level).expect("half as long");
                assert!(short.len() < 2100);
            }
        }
    }
}
