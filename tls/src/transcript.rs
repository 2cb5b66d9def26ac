//! Cipher suites that note what they hash: the transcript hash meets every handshake message, whole and in clear.

use crate::{certificate_types, trace};
use rustls::crypto::CipherSuiteCommon;
use rustls::crypto::hash::{Context, Hash, HashAlgorithm, Output};
use rustls::{SupportedCipherSuite, Tls13CipherSuite};
use std::sync::OnceLock;

/// The same suite, whose handshakes are noted in [`trace`]. One that is not of TLS 1.3 is left as it is.
pub(crate) fn witnessed(suite: SupportedCipherSuite) -> SupportedCipherSuite {
    static SUITES: OnceLock<Vec<Tls13CipherSuite>> = OnceLock::new();
    let suites = SUITES.get_or_init(|| crate::codepoints::SUITES.iter().filter_map(with_witness).collect());
    let same = |known: &&Tls13CipherSuite| known.common.suite == suite.suite();
    suites.iter().find(same).map_or(suite, SupportedCipherSuite::Tls13)
}

fn with_witness(suite: &SupportedCipherSuite) -> Option<Tls13CipherSuite> {
    let suite = suite.tls13()?;
    let hash_provider = match suite.common.hash_provider.algorithm() {
        HashAlgorithm::SHA256 => cell(&SHA256, suite),
        HashAlgorithm::SHA384 => cell(&SHA384, suite),
        _ => return None,
    };
    Some(Tls13CipherSuite {
        common: CipherSuiteCommon { hash_provider, ..suite.common },
        hkdf_provider: suite.hkdf_provider,
        aead_alg: suite.aead_alg,
        quic: None,
    })
}

static SHA256: OnceLock<Witness> = OnceLock::new();
static SHA384: OnceLock<Witness> = OnceLock::new();

fn cell(hash: &'static OnceLock<Witness>, suite: &Tls13CipherSuite) -> &'static dyn Hash {
    hash.get_or_init(|| Witness(suite.common.hash_provider))
}

struct Witness(&'static dyn Hash);

impl Hash for Witness {
    fn start(&self) -> Box<dyn Context> {
        Box::new(Witnessed(self.0.start()))
    }

    fn hash(&self, data: &[u8]) -> Output {
        self.0.hash(data)
    }

    fn output_len(&self) -> usize {
        self.0.output_len()
    }

    fn algorithm(&self) -> HashAlgorithm {
        self.0.algorithm()
    }

    fn fips(&self) -> bool {
        self.0.fips()
    }
}

struct Witnessed(Box<dyn Context>);

impl Context for Witnessed {
    fn fork_finish(&self) -> Output {
        self.0.fork_finish()
    }

    fn fork(&self) -> Box<dyn Context> {
        // what is hashed on top of a fork is no part of the transcript
        self.0.fork()
    }

    fn finish(self: Box<Self>) -> Output {
        self.0.finish()
    }

    fn update(&mut self, data: &[u8]) {
        trace::transcript(data);
        certificate_types::transcript(data);
        self.0.update(data);
    }
}
