//! Cipher suites that observe the handshake: the transcript hash receives every handshake message, complete and
//! unencrypted.

use crate::{certificate_types, trace};
use rustls::crypto::CipherSuiteCommon;
use rustls::crypto::hash::{Context, Hash, HashAlgorithm, Output};
use rustls::{SupportedCipherSuite, Tls13CipherSuite};
use std::sync::OnceLock;

/// Returns the suite with a hash that records the handshake in [`trace`]. Suites of versions other than TLS 1.3 are
/// returned unchanged.
pub(crate) fn trace_suite(suite: SupportedCipherSuite) -> SupportedCipherSuite {
    static SUITES: OnceLock<Vec<Tls13CipherSuite>> = OnceLock::new();
    let suites =
        SUITES.get_or_init(|| crate::codepoints::SUITES.iter().filter_map(with_traced_hash).collect());
    let same = |known: &&Tls13CipherSuite| known.common.suite == suite.suite();
    suites.iter().find(same).map_or(suite, SupportedCipherSuite::Tls13)
}

fn with_traced_hash(suite: &SupportedCipherSuite) -> Option<Tls13CipherSuite> {
    let suite = suite.tls13()?;
    let hash_provider = match suite.common.hash_provider.algorithm() {
        HashAlgorithm::SHA256 => hash_cell(&SHA256, suite),
        HashAlgorithm::SHA384 => hash_cell(&SHA384, suite),
        _ => return None,
    };
    Some(Tls13CipherSuite {
        common: CipherSuiteCommon { hash_provider, ..suite.common },
        hkdf_provider: suite.hkdf_provider,
        aead_alg: suite.aead_alg,
        quic: None,
    })
}

static SHA256: OnceLock<TracedHash> = OnceLock::new();
static SHA384: OnceLock<TracedHash> = OnceLock::new();

fn hash_cell(hash: &'static OnceLock<TracedHash>, suite: &Tls13CipherSuite) -> &'static dyn Hash {
    hash.get_or_init(|| TracedHash(suite.common.hash_provider))
}

struct TracedHash(&'static dyn Hash);

impl Hash for TracedHash {
    fn start(&self) -> Box<dyn Context> {
        Box::new(TracedContext(self.0.start()))
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

struct TracedContext(Box<dyn Context>);

impl Context for TracedContext {
    fn fork_finish(&self) -> Output {
        self.0.fork_finish()
    }

    fn fork(&self) -> Box<dyn Context> {
        // data that is hashed only by a fork is not part of the transcript
        self.0.fork()
    }

    fn finish(self: Box<Self>) -> Output {
        self.0.finish()
    }

    fn update(&mut self, data: &[u8]) {
        trace::record_transcript(data);
        certificate_types::inspect_transcript(data);
        self.0.update(data);
    }
}
