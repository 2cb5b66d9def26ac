//! The options of `grille tls matrix`.

use crate::algorithm::parse_usable_kem;
use crate::era::profiles;
use grille_registry::{KemRow, Numbers, SignatureRow, signature_by_name};

/// Measure the bytes, the time or the memory of TLS connections for pairs of signature algorithm and group.
///
/// Each row is a connection over the loopback with TLS_AES_256_GCM_SHA384, in which each side sends one message. Both
/// sides present a certificate; a star marks rows where only the server does. Without --sig and --groups, the rows are
/// those of wolfSSL's documents, next to wolfSSL's numbers.
///
/// Use `grille tls matrix` for bytes and memory, and `grille tls bench` for the speed of handshakes and throughput. Use
/// `grille bench` or `grille speed` for single algorithms without TLS.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille tls matrix --bytes
  grille tls matrix --memory
  grille tls matrix --bytes --time --sig ML-DSA-44,ML-DSA-65 \\
      --groups X25519MLKEM768,X25519")]
#[command(group = clap::ArgGroup::new("measurements").required(true).multiple(true))]
pub(crate) struct Args {
    /// Count the bytes of each connection by kind of message.
    #[arg(long, group = "measurements")]
    pub(super) bytes: bool,
    /// Measure the time of the handshake: the median of nine connections.
    #[arg(long, group = "measurements")]
    pub(super) time: bool,
    /// Measure stack and heap of both sides with --little-memory, each row in its own process. Needs a program that was
    /// built with `--features measure-memory`.
    #[arg(long, group = "measurements", conflicts_with_all = ["bytes", "time"])]
    pub(super) memory: bool,
    /// With --memory: prepare private keys for many signatures, as servers do without --little-memory.
    #[arg(long, requires = "memory")]
    #[cfg_attr(
        not(feature = "measure-memory"),
        allow(
            dead_code,
            reason = "without the feature measure-memory, --memory is refused before this option is read"
        )
    )]
    pub(super) prepared_keys: bool,
    /// Measure these signature algorithms, each combined with every group of --groups.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = signature_by_name, requires = "groups")]
    pub(super) sig: Vec<&'static SignatureRow>,
    /// Measure these groups, each combined with every algorithm of --sig.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_usable_kem, requires = "sig")]
    pub(super) groups: Vec<&'static KemRow>,
    /// Authenticate only the server.
    #[arg(long)]
    pub(super) anonymous: bool,
    /// Interpret codepoints and object identifiers as in these profiles, such as wolfssl-5.3.
    #[arg(long, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    pub(super) profile: Numbers,
}
