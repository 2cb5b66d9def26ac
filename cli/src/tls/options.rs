//! The options that the server, the client and the proxy share.

use super::test_identity::TIMEOUT;
use crate::algorithm::{parse_usable_kem, refuse_broken, warn_about_each_old, warn_in_one_line};
use crate::arguments::words;
use crate::cert::read_chain;
use crate::documents;
use crate::era::profiles;
use crate::error::Error;
use crate::explain::is_explained;
use crate::input_checks::at_most_one_stdin;
use crate::keys::{document_error, private_key_error};
use crate::output::{Output, Report, format_count};
use clap::ValueEnum;
use clap::builder::TypedValueParser;
use grille_pki::{Certificate, Kind, PrivateKey, PublicKey};
use grille_registry::{KemRow, Numbers, Profile, Row, lookup};
use grille_tls::codepoints::{SUITES, suite_by_name, suite_name};
use grille_tls::{Compression, Identity, Preferences, StartTls, groups};
use rustls::SupportedCipherSuite;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The port of wolfSSL's examples.
pub(super) const PORT: u16 = 11111;

/// The port of wolfSSL's tls_bench.
pub(super) const BENCH_PORT: u16 = 11112;

/// The options for a side's certificates and for the algorithms that it offers.
#[derive(clap::Args)]
pub(crate) struct Offer {
    /// Use the certificate chain in this file (PEM), this side's own certificate first. A server may have several, each
    /// with a --key: a client gets the first one that has the requested name and a signature scheme that it supports.
    #[arg(long, value_name = "FILE")]
    pub(crate) cert: Vec<PathBuf>,
    /// Read the private key of --cert (PEM or DER) from this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Vec<PathBuf>,
    /// Offer these key-exchange groups in order of preference, by name or number, separated by commas or colons
    /// [default: the quantum-safe standards]. The client's order decides, unless the server has --own-order.
    #[arg(long, aliases = ["curves", "oqs", "pqc"], value_name = "LIST", value_parser = non_empty_list)]
    groups: Option<String>,
    /// Interpret numbers as in this profile, such as oqs111-2021-08, or in several that do not contradict each other,
    /// separated by commas. A profile from before the standards offers all its quantum-safe groups by default.
    #[arg(long, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    pub(crate) profile: Numbers,
    /// Offer these TLS 1.3 cipher suites in order of preference, separated by commas or colons [default: all supported
    /// suites].
    #[arg(long, alias = "ciphersuites", value_name = "LIST", value_parser = suites, default_value = "", hide_default_value = true)]
    ciphers: List<SupportedCipherSuite>,
    /// Compress certificates that become shorter, and accept compressed ones (RFC 8879): zlib, brotli, or both in order
    /// of preference [default: no compression].
    #[arg(long, value_name = "LIST", value_parser = compressions, default_value = "", hide_default_value = true)]
    cert_compression: List<Compression>,
    /// Use less memory: do not prepare the private key for many signatures, and verify with the smallest stack. Signing
    /// and verifying take longer.
    #[arg(long)]
    little_memory: bool,
    /// Offer these application protocols (ALPN) in order of preference, separated by commas.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    alpn: Vec<String>,
}

/// The options that the server and the client share.
#[derive(clap::Args)]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) offer: Offer,
    /// Present only the public key of --key instead of a certificate (RFC 7250). The peer must know it: see --peer-key.
    #[arg(long, requires = "key", conflicts_with = "cert")]
    raw_public_key: bool,
    /// Accept peers with this raw public key (PEM or DER) instead of a certificate; may be repeated.
    #[arg(long, value_name = "FILE", conflicts_with = "ca")]
    peer_key: Vec<PathBuf>,
    /// Transfer this many bytes each way instead of messages, and print the times. Both sides need the same value.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) throughput: Option<u64>,
    /// Timeout in seconds for the handshake and for each later read. A client also uses it for the whole answer. A
    /// server also limits a connection to 20 times this value, and with --once waits this long for its client [default:
    /// 30].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Change the traffic keys of both sides before the first message (KeyUpdate).
    #[arg(long)]
    pub(super) update_keys: bool,
    /// Show the negotiated parameters, message sizes and times.
    #[arg(short, long)]
    pub(super) verbose: bool,
    /// Print the names of the cipher suites, and exit.
    #[arg(long)]
    pub(super) list_ciphers: bool,
    /// Print connections in this style.
    #[arg(long, value_enum, default_value_t = Style::Grille)]
    pub(super) style: Style,
}

/// The style of text output for a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Style {
    /// The messages, and with --verbose the negotiated parameters
    Grille,
    /// The lines and messages of wolfSSL's example server and client
    Wolfssl,
}

/// A list that is the value of one argument.
#[derive(Clone)]
pub(crate) struct List<T>(pub(super) Vec<T>);

impl Offer {
    /// Returns the algorithms to offer, and warns about retired or broken groups.
    ///
    /// # Errors
    /// Returns an error if a group is unknown.
    pub(crate) fn preferences(&self, out: &Output) -> Result<Preferences, Error> {
        let groups = self.groups()?;
        warn_about_groups(&groups, self.profile, out);
        Ok(Preferences {
            groups,
            suites: self.ciphers.0.clone(),
            numbers: self.profile,
            compression: self.cert_compression.0.clone(),
            legacy: false,
            low_memory: self.little_memory,
        })
    }

    /// Returns the groups in `--groups`.
    ///
    /// # Errors
    /// Returns an error if a group is unknown.
    pub(crate) fn groups(&self) -> Result<Vec<&'static KemRow>, Error> {
        words(self.groups.as_deref().unwrap_or("")).map(|word| group(word, self.profile)).collect()
    }

    /// Returns the files of certificate chains with their keys, in order.
    ///
    /// # Errors
    /// Returns an error if the numbers of chains and keys differ.
    pub(crate) fn certificate_files(&self) -> Result<Vec<(PathBuf, PathBuf)>, Error> {
        match (self.cert.len(), self.key.len()) {
            (certs, keys) if certs == keys => {
                Ok(self.cert.iter().cloned().zip(self.key.iter().cloned()).collect())
            }
            (0, _) => Err(Error::usage("--key without --cert").advise(MAKE_CHAIN)),
            (_, 0) => Err(Error::usage("--cert without --key").advise(MAKE_CHAIN)),
            (certs, keys) => {
                let found =
                    format!("{} and {}", format_count(certs, "certificate chain"), format_count(keys, "key"));
                Err(Error::usage(found).advise("give one --key for each --cert, in the same order"))
            }
        }
    }

    pub(crate) fn alpn(&self) -> Vec<Vec<u8>> {
        self.alpn.iter().map(|protocol| protocol.as_bytes().to_vec()).collect()
    }
}

/// Advice for a missing certificate or key.
pub(super) const MAKE_CHAIN: &str =
    "give --cert and --key; make both with `grille cert chain --alg ML-DSA-65 --out certs`";

/// Warns about each old group in `named`. If that is empty, warns in one line about the old groups of the profile's
/// default.
fn warn_about_groups(named: &[&'static KemRow], numbers: Numbers, out: &Output) {
    if named.is_empty() {
        let offered = groups::default_groups(numbers);
        let prefix = format!("offered in {numbers}: ");
        return warn_in_one_line(&prefix, offered.iter().map(|group| *group as &dyn Row), out);
    }
    warn_about_each_old(named.iter().map(|group| *group as &dyn Row), out);
}

/// Returns the names of the server's signature algorithms if all are quantum-safe, which means that older clients
/// cannot connect.
///
/// Returns `None` if one of the algorithms is classical. Raw public keys do not count, because their clients know the
/// key beforehand.
pub(crate) fn quantum_safe_only(shown: &[Identity], numbers: Numbers) -> Option<String> {
    let certified = shown.iter().filter(|identity| !identity.is_raw());
    let rows: Vec<_> = certified.filter_map(|own| Some(own.keys(numbers).first()?.row())).collect();
    if rows.is_empty() || rows.iter().any(|row| row.category == 0) {
        return None;
    }
    let mut names: Vec<_> = rows.iter().map(|row| row.name()).collect();
    names.dedup();
    Some(names.join(" or "))
}

/// Warns about old algorithms of these keys and of the roots.
pub(crate) fn warn_about_keys(
    keys: impl IntoIterator<Item = PublicKey>,
    roots: &[Certificate],
    out: &Output,
) {
    let trusted = roots.iter().filter_map(|root| root.public_key().ok());
    warn_about_each_old(keys.into_iter().chain(trusted).map(|key| key.row() as &dyn Row), out);
}

impl Options {
    /// Reads a client's identity; `None` if the command line names none.
    pub(super) fn identity(&self) -> Result<Option<Identity>, Error> {
        let mut identities = self.identities()?;
        if identities.len() > 1 {
            return Err(
                Error::usage("a client can have only one certificate").advise("give --cert and --key once")
            );
        }
        Ok(identities.pop())
    }

    /// Reads a server's identities in order of preference; empty if the command line names none.
    pub(super) fn identities(&self) -> Result<Vec<Identity>, Error> {
        let Offer { cert, key, profile, .. } = &self.offer;
        match (&cert[..], &key[..]) {
            ([], [key]) if self.raw_public_key => Ok(vec![raw_identity(key, *profile)?]),
            ([], [_, ..]) if self.raw_public_key => {
                Err(Error::usage("--raw-public-key allows only one key").advise("give --key once"))
            }
            ([_, ..], []) => Err(Error::usage("--cert without --key").advise(MAKE_CHAIN)),
            ([], [_, ..]) => Err(Error::usage("--key without --cert")
                .advise("give the certificate of the key with --cert, or give --raw-public-key")),
            _ => {
                let files = self.offer.certificate_files()?;
                at_most_one_stdin(files.iter().flat_map(|(cert, key)| [cert.as_path(), key.as_path()]))?;
                files.iter().map(|(cert, key)| identity(cert, key, *profile)).collect()
            }
        }
    }

    /// Reads the raw public keys of accepted peers.
    ///
    /// # Errors
    /// The error names the file, and states what is wrong with it.
    pub(super) fn peer_keys(&self) -> Result<Vec<PublicKey>, Error> {
        let read = |path: &PathBuf| {
            let bytes = documents::read(path, Kind::PublicKey)?;
            PublicKey::from_pem_or_der_in(&bytes, self.offer.profile)
                .map_err(|e| document_error(e, &bytes, path, self.offer.profile))
        };
        self.peer_key.iter().map(read).collect()
    }

    /// Warns about old algorithms of the identities in `shown`, and of the trusted roots and keys.
    pub(super) fn warn_about_keys<'a>(
        &self,
        shown: impl IntoIterator<Item = &'a Identity>,
        roots: &[Certificate],
        known: &[PublicKey],
        out: &Output,
    ) {
        let shown = shown.into_iter().flat_map(|identity| identity.keys(self.offer.profile));
        warn_about_keys(shown.chain(known.iter().cloned()), roots, out);
    }

    /// Returns the timeout of the command line, or the default.
    pub(super) fn timeout(&self) -> Duration {
        self.given_timeout().unwrap_or(TIMEOUT)
    }

    /// Returns the timeout of the command line, if it is given.
    pub(super) fn given_timeout(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }
}

/// Reads a certificate chain and the private key of its first certificate.
pub(crate) fn identity(cert: &Path, key: &Path, numbers: Numbers) -> Result<Identity, Error> {
    Ok(identity_with_chain(cert, key, numbers)?.0)
}

/// Reads an identity, and also returns its chain. The files are read once, because they may be pipes.
pub(crate) fn identity_with_chain(
    cert: &Path,
    key: &Path,
    numbers: Numbers,
) -> Result<(Identity, Vec<Certificate>), Error> {
    at_most_one_stdin([cert, key])?;
    let chain = read_chain(cert, numbers)?;
    let bytes = documents::read(key, Kind::PrivateKey)?;
    let private = PrivateKey::low_memory_from_pem_or_der_in(&bytes, numbers);
    let private = private.map_err(|e| private_key_error(e, &bytes, key, numbers))?;
    let identity = Identity::new(&chain, &private).map_err(|e| match e {
        grille_tls::Error::Pki(grille_pki::Error::OtherKey { .. }) => {
            Error::from(e).at(key).advise(format_args!("give the private key of {}", cert.display()))
        }
        _ => Error::from(e).at(cert),
    })?;
    Ok((identity, chain))
}

/// Reads a private key for an identity that is a raw public key.
fn raw_identity(key: &Path, numbers: Numbers) -> Result<Identity, Error> {
    let bytes = documents::read(key, Kind::PrivateKey)?;
    let read = PrivateKey::from_pem_or_der_in(&bytes, numbers);
    let private = read.map_err(|e| private_key_error(e, &bytes, key, numbers))?;
    Identity::raw(&private).map_err(|e| Error::from(e).at(key))
}

/// Reads the certificates in all these files as roots.
pub(crate) fn roots(paths: &[PathBuf], numbers: Numbers) -> Result<Vec<Certificate>, Error> {
    let read = paths.iter().map(|path| read_chain(path, numbers));
    Ok(read.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Prints the names of the cipher suites in one line, in the format of `--ciphers`.
pub(super) fn list_ciphers(out: &mut Output) -> Result<(), Error> {
    let names: Vec<_> = SUITES.iter().map(|suite| suite_name(suite.suite())).collect();
    out.print(&Ciphers { cipher_suites: names })
}

#[derive(Serialize)]
struct Ciphers {
    cipher_suites: Vec<String>,
}

impl Report for Ciphers {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", self.cipher_suites.join(":"))
    }
}

/// Returns the value parser of `--max-session-age`. Tickets may live at most seven days, RFC 8446 section 4.6.1.
pub(crate) fn session_age() -> impl TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..=7 * 24 * 60 * 60)
}

/// Checks that `--groups` names a group; an empty list would silently mean the default.
fn non_empty_list(list: &str) -> Result<String, &'static str> {
    words(list)
        .next()
        .map(|_| list.to_owned())
        .ok_or("the list is empty; to offer the default groups, leave out the option")
}

/// Finds a group by name, which is the same in every profile, or by its number in this profile.
fn group(word: &str, numbers: Numbers) -> Result<&'static KemRow, Error> {
    let Some(code) = lookup::parse_tls_code(word) else { return Ok(parse_usable_kem(word)?) };
    let row = numbers.kem_by_group(code).ok_or_else(|| {
        Error::usage(format_args!("no known group has the number {word}"))
            .with_place("--groups")
            .advise(unknown_group_advice(word, code))
    })?;
    refuse_broken(row)?;
    Ok(row)
}

/// Returns advice for a number that is not a group in this profile: the profile or the command that explains the
/// number.
fn unknown_group_advice(word: &str, code: u16) -> String {
    let named =
        |profile: &Profile| Some((profile.name(), Numbers::for_profile(*profile).kem_by_group(code)?.name()));
    match Profile::ALL.iter().find_map(named) {
        Some((profile, group)) => format!("give --profile {profile}, where it means {group}"),
        None if is_explained(code) => format!("look up its meaning with `grille explain {word}`"),
        None => "list the numbers of all groups with `grille list kem --all`".to_owned(),
    }
}

/// Parses `--starttls`.
pub(super) fn start_tls(name: &str) -> Result<StartTls, String> {
    let alias = if name.eq_ignore_ascii_case("postgres") { "postgresql" } else { name };
    let known = StartTls::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(alias));
    known.ok_or_else(|| {
        let known = StartTls::ALL.map(StartTls::name).join(", ");
        format!("unknown protocol \"{name}\": write one of {known}")
    })
}

/// Parses `--ciphers`.
pub(super) fn suites(list: &str) -> Result<List<SupportedCipherSuite>, String> {
    let known = || SUITES.iter().map(|suite| suite_name(suite.suite())).collect::<Vec<_>>().join(", ");
    let suite = |name| {
        suite_by_name(name).ok_or_else(|| format!("unknown cipher suite \"{name}\"; use one of {}", known()))
    };
    words(list).map(suite).collect::<Result<_, _>>().map(List)
}

/// Parses `--cert-compression`.
fn compressions(list: &str) -> Result<List<Compression>, String> {
    let compression = |name: &str| {
        let known = Compression::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| {
            let known = Compression::ALL.map(Compression::name).join(", ");
            format!("unknown compression \"{name}\"; use one of {known}")
        })
    };
    words(list).map(compression).collect::<Result<_, _>>().map(List)
}
