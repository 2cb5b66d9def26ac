//! What the server and the client can be told alike.

use crate::error::Error;
use crate::files;
use grille_pki::Certificate;
use grille_registry::{KemRow, UnknownAlgorithm, kem_by_name};
use grille_tls::codepoints::{SUITES, suite_by_name, suite_name};
use grille_tls::{Identity, Preferences};
use rustls::{KeyLog, KeyLogFile, SupportedCipherSuite};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The port of wolfSSL's examples, from which this tool descends.
pub(super) const PORT: u16 = 11111;

#[derive(clap::Args)]
pub(super) struct Options {
    /// Certificate chain (PEM), this side's own certificate first.
    #[arg(long, value_name = "FILE")]
    pub(super) cert: Option<PathBuf>,
    /// Private key of that certificate (PEM or DER).
    #[arg(long, value_name = "FILE")]
    pub(super) key: Option<PathBuf>,
    /// Key-exchange groups in order of preference, separated by commas or colons.
    #[arg(long, visible_alias = "curves", value_name = "LIST", value_parser = groups, default_value = "", hide_default_value = true)]
    groups: List<&'static KemRow>,
    /// TLS 1.3 cipher suites in order of preference, separated by commas or colons.
    #[arg(long, visible_alias = "ciphersuites", value_name = "LIST", value_parser = suites, default_value = "", hide_default_value = true)]
    ciphers: List<SupportedCipherSuite>,
    /// Application protocols (ALPN) in order of preference, separated by commas.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    alpn: Vec<String>,
    /// How many seconds to wait for the peer.
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// Show what was negotiated and what it cost.
    #[arg(short, long)]
    pub(super) verbose: bool,
}

/// A list that one argument holds.
#[derive(Clone)]
struct List<T>(Vec<T>);

impl Options {
    pub(super) fn preferences(&self) -> Preferences {
        Preferences { groups: self.groups.0.clone(), suites: self.ciphers.0.clone() }
    }

    pub(super) fn alpn(&self) -> Vec<Vec<u8>> {
        self.alpn.iter().map(|protocol| protocol.as_bytes().to_vec()).collect()
    }

    pub(super) const fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout)
    }

    /// What this side shows; `None` if neither file is named.
    pub(super) fn identity(&self) -> Result<Option<Identity>, Error> {
        match (&self.cert, &self.key) {
            (None, None) => Ok(None),
            (Some(cert), Some(key)) => {
                files::one_stdin([cert.as_path(), key.as_path()])?;
                let (chain, key_bytes) = (files::read(cert)?, files::read(key)?);
                let place = format!("{} and {}", cert.display(), key.display());
                Identity::from_pem(&chain, &key_bytes).map(Some).map_err(|e| Error::from(e).at_place(place))
            }
            (Some(_), None) => {
                Err(Error::usage("--cert needs the certificate's private key").advise("give --key"))
            }
            (None, Some(_)) => {
                Err(Error::usage("--key needs the certificate of the key").advise("give --cert"))
            }
        }
    }
}

/// The certificates in `path` as roots.
pub(super) fn roots(path: Option<&Path>) -> Result<Vec<Certificate>, Error> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let bytes = files::read(path)?;
    let parsed = Certificate::chain_from_pem(&bytes).map_err(grille_tls::Error::from);
    parsed.map_err(|e| Error::from(e).at(path))
}

/// Session secrets go to the file that SSLKEYLOGFILE names, for Wireshark.
pub(super) fn key_log() -> Option<Arc<dyn KeyLog>> {
    std::env::var_os("SSLKEYLOGFILE").map(|_| Arc::new(KeyLogFile::new()) as Arc<dyn KeyLog>)
}

fn groups(list: &str) -> Result<List<&'static KemRow>, UnknownAlgorithm> {
    words(list).map(kem_by_name).collect::<Result<_, _>>().map(List)
}

fn suites(list: &str) -> Result<List<SupportedCipherSuite>, String> {
    let known = || SUITES.iter().map(|suite| suite_name(suite.suite())).collect::<Vec<_>>().join(", ");
    let suite = |name| {
        suite_by_name(name).ok_or_else(|| format!("unknown cipher suite \"{name}\"; there are {}", known()))
    };
    words(list).map(suite).collect::<Result<_, _>>().map(List)
}

fn words(list: &str) -> impl Iterator<Item = &str> {
    list.split([',', ':']).map(str::trim).filter(|word| !word.is_empty())
}
