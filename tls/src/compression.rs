//! Compression of certificates, RFC 8879.

use rustls::CertificateCompressionAlgorithm;
use rustls::compress::{
    BROTLI_COMPRESSOR, BROTLI_DECOMPRESSOR, CertCompressor, CertDecompressor, CompressionFailed,
    CompressionLevel, ZLIB_COMPRESSOR, ZLIB_DECOMPRESSOR,
};

/// A compression algorithm for certificates, RFC 8879 section 7.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// zlib, RFC 1950.
    Zlib,
    /// Brotli, RFC 7932, which browsers offer.
    Brotli,
}

impl Compression {
    /// Every supported algorithm.
    pub const ALL: [Self; 2] = [Self::Zlib, Self::Brotli];

    /// Returns the name of the algorithm in the standard, such as `zlib`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Brotli => "brotli",
        }
    }
}

/// Returns rustls' compressors and decompressors for these algorithms.
pub(crate) fn rustls_algorithms(
    chosen: &[Compression],
) -> (Vec<&'static dyn CertCompressor>, Vec<&'static dyn CertDecompressor>) {
    let both = |compression: &Compression| -> (&'static dyn CertCompressor, _) {
        match compression {
            Compression::Zlib => (&OnlyIfShorter(ZLIB_COMPRESSOR), ZLIB_DECOMPRESSOR),
            Compression::Brotli => (&OnlyIfShorter(BROTLI_COMPRESSOR), BROTLI_DECOMPRESSOR),
        }
    };
    chosen.iter().map(both).unzip()
}

/// Compressor that fails unless its output is shorter than its input; rustls then sends the certificates uncompressed.
/// Lattice and hash-based keys and signatures look random, and short chains contain little else.
#[derive(Debug)]
struct OnlyIfShorter(&'static dyn CertCompressor);

/// Bytes of a CompressedCertificate besides the compressed data, RFC 8879 section 4: the algorithm and two lengths.
const OVERHEAD: usize = 2 + 3 + 3;

impl CertCompressor for OnlyIfShorter {
    /// Tries fast compression first. Otherwise, data that no level compresses would be compressed slowly in every
    /// handshake, because rustls does not cache a failure.
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
    fn refuses_incompressible_input() {
        let mut random = vec![0; 2000];
        let rng: &mut dyn CryptoRng = &mut SystemRng;
        rng.fill_bytes(&mut random);
        let (compressors, _) = rustls_algorithms(&Compression::ALL);
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
