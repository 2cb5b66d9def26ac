//! What the server and the client can be told alike.

use super::party::PATIENCE;
use crate::algorithm::{refuse_broken, usable_kem, warn_at_once, warn_of_old};
use crate::arguments::words;
use crate::cert::read_chain;
use crate::documents;
use crate::era::profiles;
use crate::error::Error;
use crate::explain::is_explained;
use crate::files;
use crate::keys::{misread, no_document};
use crate::output::{Output, Report, counted};
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

/// The port of wolfSSL's examples, from which this tool descends.
pub(super) const PORT: u16 = 11111;

/// The port of wolfSSL's tls_bench.
pub(super) const BENCH_PORT: u16 = 11112;

/// What a side shows, and what it can do.
#[derive(clap::Args)]
pub(crate) struct Offer {
    /// Certificate chain (PEM), this side's own certificate first. A server may have several, each with a --key after it: a
    /// client gets one for the name that it asks for, the first whose signature it accepts.
    #[arg(long, value_name = "FILE")]
    pub(crate) cert: Vec<PathBuf>,
    /// Private key of that certificate (PEM or DER).
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Vec<PathBuf>,
    /// Key-exchange groups in order of preference, by name or number, separated by commas or colons. A server takes that
    /// of its groups which the client prefers, unless it is told --own-order.
    #[arg(long, visible_aliases = ["curves", "oqs", "pqc"], value_name = "LIST", value_parser = some_words)]
    groups: Option<String>,
    /// What numbers mean: an era such as oqs111-2021-08, or several that do not contradict each other, separated by
    /// commas. Without --groups, an era that had no standards offers all its quantum-safe groups, retired as they are.
    #[arg(long, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    pub(crate) profile: Numbers,
    /// TLS 1.3 cipher suites in order of preference, separated by commas or colons.
    #[arg(long, visible_alias = "ciphersuites", value_name = "LIST", value_parser = suites, default_value = "", hide_default_value = true)]
    ciphers: List<SupportedCipherSuite>,
    /// Compress certificates that become shorter by it, and take compressed ones (RFC 8879): zlib, brotli, or both in
    /// order of preference.
    #[arg(long, value_name = "LIST", value_parser = compressions, default_value = "", hide_default_value = true)]
    cert_compression: List<Compression>,
    /// Take less memory: the private key is kept as it is, not prepared for many signatures, and the peer's signatures are
    /// checked with the shortest stack. Each signature takes longer, and each check.
    #[arg(long)]
    little_memory: bool,
    /// Application protocols (ALPN) in order of preference, separated by commas.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    alpn: Vec<String>,
}

/// What the server and the client can be told alike.
#[derive(clap::Args)]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) offer: Offer,
    /// Show the public key of --key alone, without a certificate (RFC 7250): the peer must know it, see --peer-key.
    #[arg(long, requires = "key", conflicts_with = "cert")]
    raw_public_key: bool,
    /// Accept whoever shows this raw public key (PEM or DER), in place of certificates; may be given several times.
    #[arg(long, value_name = "FILE", conflicts_with = "ca")]
    peer_key: Vec<PathBuf>,
    /// Carry so many bytes there and back in place of messages, and print how long it took; the other side must be told
    /// the same.
    #[arg(long, value_name = "BYTES", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) throughput: Option<u64>,
    /// Timeout in seconds for the handshake, and afterwards for each wait for the peer. A client also ends if an answer to
    /// --message, or after the end of standard input, is not over by then. With --once, a server waits for its client no longer
    /// [default: 30].
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
    /// Change the keys of both sides before anything is said (KeyUpdate).
    #[arg(long)]
    pub(super) update_keys: bool,
    /// Show what was negotiated and what it cost.
    #[arg(short, long)]
    pub(super) verbose: bool,
    /// Print the names of the cipher suites, and do no more.
    #[arg(long)]
    pub(super) list_ciphers: bool,
    /// Whose lines are printed.
    #[arg(long, value_enum, default_value_t = Style::Grille)]
    pub(super) style: Style,
}

/// How people are told of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Style {
    /// What was said, and with --verbose what was negotiated
    Grille,
    /// As wolfSSL's example server and client
    Wolfssl,
}

/// A list that one argument holds.
#[derive(Clone)]
pub(crate) struct List<T>(pub(super) Vec<T>);

impl Offer {
    /// Groups, suites and numbers; whoever names a retired or broken group, or a profile that offers such, is told once.
    ///
    /// # Errors
    /// A group that does not exist.
    pub(crate) fn preferences(&self, out: &Output) -> Result<Preferences, Error> {
        let groups = self.groups()?;
        warn_of_groups(&groups, self.profile, out);
        Ok(Preferences {
            groups,
            suites: self.ciphers.0.clone(),
            numbers: self.profile,
            compression: self.cert_compression.0.clone(),
            legacy: false,
            little_memory: self.little_memory,
        })
    }

    /// The groups that were named.
    ///
    /// # Errors
    /// One that does not exist.
    pub(crate) fn groups(&self) -> Result<Vec<&'static KemRow>, Error> {
        words(self.groups.as_deref().unwrap_or("")).map(|word| group(word, self.profile)).collect()
    }

    /// The files of certificate chains and of the keys that belong to them, in order.
    ///
    /// # Errors
    /// If there are not as many keys as chains.
    pub(crate) fn certified(&self) -> Result<Vec<(PathBuf, PathBuf)>, Error> {
        match (self.cert.len(), self.key.len()) {
            (certs, keys) if certs == keys => {
                Ok(self.cert.iter().cloned().zip(self.key.iter().cloned()).collect())
            }
            (0, _) | (_, 0) => Err(Error::usage("--cert and --key belong together").advise("give both")),
            (certs, keys) => {
                let found = format!("{} and {}", counted(certs, "certificate chain"), counted(keys, "key"));
                Err(Error::usage(found).advise("give one --key for each --cert, in the same order"))
            }
        }
    }

    pub(crate) fn alpn(&self) -> Vec<Vec<u8>> {
        self.alpn.iter().map(|protocol| protocol.as_bytes().to_vec()).collect()
    }
}

/// Warns of old groups: of those that were named, or else of those that the profile offers, which nobody named.
fn warn_of_groups(named: &[&'static KemRow], numbers: Numbers, out: &Output) {
    if named.is_empty() {
        let offered = groups::default_groups(numbers);
        let what = format!("offered in {numbers}: ");
        return warn_at_once(&what, offered.iter().map(|group| *group as &dyn Row), out);
    }
    warn_of_old(named.iter().map(|group| *group as &dyn Row), out);
}

/// Returns the signatures of which a client of this server must know one, if all of them are quantum-safe: then every client of
/// before is refused. `None` where raw public keys are shown, since their clients know the key.
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

/// Warns of old algorithms: of these keys, and of the roots'.
pub(crate) fn warn_of_keys(keys: impl IntoIterator<Item = PublicKey>, roots: &[Certificate], out: &Output) {
    let trusted = roots.iter().filter_map(|root| root.public_key().ok());
    warn_of_old(keys.into_iter().chain(trusted).map(|key| key.row() as &dyn Row), out);
}

impl Options {
    /// What a client shows; `None` if neither file is named.
    pub(super) fn identity(&self) -> Result<Option<Identity>, Error> {
        let mut identities = self.identities()?;
        if identities.len() > 1 {
            return Err(Error::usage("a client shows one certificate").advise("give --cert and --key once"));
        }
        Ok(identities.pop())
    }

    /// What a server shows, in order of preference; empty if no file is named.
    pub(super) fn identities(&self) -> Result<Vec<Identity>, Error> {
        let Offer { cert, key, profile, .. } = &self.offer;
        match (&cert[..], &key[..]) {
            ([], [key]) if self.raw_public_key => Ok(vec![raw_identity(key, *profile)?]),
            ([], [_, ..]) if self.raw_public_key => {
                Err(Error::usage("a raw public key stands alone").advise("give --key once"))
            }
            ([_, ..], []) => {
                Err(Error::usage("--cert needs the certificate's private key").advise("give --key"))
            }
            ([], [_, ..]) => Err(Error::usage("--key needs the certificate of the key")
                .advise("give --cert, or --raw-public-key to show none")),
            _ => {
                let files = self.offer.certified()?;
                files::one_stdin(files.iter().flat_map(|(cert, key)| [cert.as_path(), key.as_path()]))?;
                files.iter().map(|(cert, key)| identity(cert, key, *profile)).collect()
            }
        }
    }

    /// The raw public keys that are accepted.
    ///
    /// # Errors
    /// The file, and what is wrong with it.
    pub(super) fn peer_keys(&self) -> Result<Vec<PublicKey>, Error> {
        let read = |path: &PathBuf| {
            let bytes = documents::read(path, Kind::PublicKey)?;
            PublicKey::from_pem_or_der_in(&bytes, self.offer.profile)
                .map_err(|e| misread(e, &bytes, path, self.offer.profile))
        };
        self.peer_key.iter().map(read).collect()
    }

    /// Warns of old algorithms: of the keys that this side shows, and of those that it trusts.
    pub(super) fn warn_of_keys<'a>(
        &self,
        shown: impl IntoIterator<Item = &'a Identity>,
        roots: &[Certificate],
        known: &[PublicKey],
        out: &Output,
    ) {
        let shown = shown.into_iter().flat_map(|identity| identity.keys(self.offer.profile));
        warn_of_keys(shown.chain(known.iter().cloned()), roots, out);
    }

    /// How long a peer may be silent.
    pub(super) fn timeout(&self) -> Duration {
        self.wanted_timeout().unwrap_or(PATIENCE)
    }

    /// The same, if the command line says it.
    pub(super) fn wanted_timeout(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }
}

/// A certificate chain and the private key of its first certificate, from files.
pub(crate) fn identity(cert: &Path, key: &Path, numbers: Numbers) -> Result<Identity, Error> {
    Ok(chained(cert, key, numbers)?.0)
}

/// The same with the chain, for whoever wants to know more of it: the files may be pipes, which are read once.
pub(crate) fn chained(
    cert: &Path,
    key: &Path,
    numbers: Numbers,
) -> Result<(Identity, Vec<Certificate>), Error> {
    files::one_stdin([cert, key])?;
    let chain = read_chain(cert, numbers)?;
    let bytes = documents::read(key, Kind::PrivateKey)?;
    let private = PrivateKey::small_from_pem_or_der_in(&bytes, numbers);
    let private = private.map_err(|e| no_document(e, &bytes, key, numbers))?;
    let identity = Identity::new(&chain, &private).map_err(|e| match e {
        grille_tls::Error::Pki(grille_pki::Error::OtherKey { .. }) => {
            Error::from(e).at(key).advise(format_args!("give the private key of {}", cert.display()))
        }
        _ => Error::from(e).at(cert),
    })?;
    Ok((identity, chain))
}

/// A private key from a file, whose public half is shown alone.
fn raw_identity(key: &Path, numbers: Numbers) -> Result<Identity, Error> {
    let bytes = documents::read(key, Kind::PrivateKey)?;
    let read = PrivateKey::from_pem_or_der_in(&bytes, numbers);
    let private = read.map_err(|e| no_document(e, &bytes, key, numbers))?;
    Identity::raw(&private).map_err(|e| Error::from(e).at(key))
}

/// The certificates in all these files, as roots.
pub(crate) fn roots(paths: &[PathBuf], numbers: Numbers) -> Result<Vec<Certificate>, Error> {
    let read = paths.iter().map(|path| read_chain(path, numbers));
    Ok(read.collect::<Result<Vec<_>, _>>()?.concat())
}

/// Prints the cipher suites' names in one line, as `--ciphers` takes them.
pub(super) fn list_ciphers(out: &mut Output) -> Result<(), Error> {
    let names: Vec<_> = SUITES.iter().map(|suite| suite_name(suite.suite())).collect();
    out.print(&Ciphers { cipher_suites: names })
}

#[derive(Serialize)]
struct Ciphers {
    cipher_suites: Vec<String>,
}

impl Report for Ciphers {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        writeln!(out, "{}", self.cipher_suites.join(":"))
    }
}

/// The value parser of `--max-session-age`: RFC 8446 section 4.6.1 lets no ticket live longer than seven days.
pub(crate) fn session_age() -> impl TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..=7 * 24 * 60 * 60)
}

/// The value parser of `--groups`: a list that names nothing would offer what is offered where none is given.
fn some_words(list: &str) -> Result<String, &'static str> {
    words(list)
        .next()
        .map(|_| list.to_owned())
        .ok_or("it names no group; leave out the option for the default")
}

/// A name is an algorithm's in every era; a number is the era's.
fn group(word: &str, numbers: Numbers) -> Result<&'static KemRow, Error> {
    let Some(code) = lookup::code(word) else { return Ok(usable_kem(word)?) };
    let row = numbers.kem_by_group(code).ok_or_else(|| {
        Error::usage(format_args!("no group that is known here has the number {word}"))
            .at_place("--groups")
            .advise(elsewhere(word, code))
    })?;
    refuse_broken(row)?;
    Ok(row)
}

/// What to do about a number that is no group's here: where it is one's, or who knows it.
fn elsewhere(word: &str, code: u16) -> String {
    let named = |profile: &Profile| Some((profile.name(), Numbers::of(*profile).kem_by_group(code)?.name()));
    match Profile::ALL.iter().find_map(named) {
        Some((profile, group)) => format!("give --profile {profile}, in which it is that of {group}"),
        None if is_explained(code) => format!("`grille explain {word}` says what it means, and where"),
        None => "`grille list kem --all` has the numbers of all groups".to_owned(),
    }
}

/// The value parser of `--starttls`.
pub(super) fn start_tls(name: &str) -> Result<StartTls, String> {
    let alias = if name.eq_ignore_ascii_case("postgres") { "postgresql" } else { name };
    let known = StartTls::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(alias));
    known.ok_or_else(|| {
        let known = StartTls::ALL.map(StartTls::name).join(", ");
        format!("unknown protocol \"{name}\": write one of {known}")
    })
}

/// The value parser of `--ciphers`.
pub(super) fn suites(list: &str) -> Result<List<SupportedCipherSuite>, String> {
    let known = || SUITES.iter().map(|suite| suite_name(suite.suite())).collect::<Vec<_>>().join(", ");
    let suite = |name| {
        suite_by_name(name).ok_or_else(|| format!("unknown cipher suite \"{name}\"; there are {}", known()))
    };
    words(list).map(suite).collect::<Result<_, _>>().map(List)
}

/// The value parser of `--cert-compression`.
fn compressions(list: &str) -> Result<List<Compression>, String> {
    let compression = |name: &str| {
        let known = Compression::ALL.into_iter().find(|known| known.name().eq_ignore_ascii_case(name));
        known.ok_or_else(|| {
            let known = Compression::ALL.map(Compression::name).join(", ");
            format!("unknown compression \"{name}\"; there are {known}")
        })
    };
    words(list).map(compression).collect::<Result<_, _>>().map(List)
}
