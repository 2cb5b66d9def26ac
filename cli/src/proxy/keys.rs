//! The files of a proxy: certificates, keys, roots, ticket keys. Read at the start and at each reload.

use super::Args;
use crate::arguments::host_and_address;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::Output;
use crate::tls::key_log::KeyLogging;
use crate::tls::options::{chained, quantum_safe_only, roots, warn_of_keys};
use crate::tls::system_roots::system_roots;
use grille_pki::{Certificate, Crl};
use grille_proxy::{Peer, Shown, Sides};
use grille_tls::client::server_name;
use grille_tls::tickets::{SharedKeys, rotated};
use grille_tls::{AllowedClient, ClientOptions, Identity, Preferences, ServerOptions};
use rustls::crypto::aws_lc_rs::Ticketer;
use rustls::pki_types::ServerName;
use rustls::server::ProducesTickets;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// When a file was last changed, and how long it is; what is not there has neither.
pub(super) type Stamp = Option<(SystemTime, u64)>;

/// Which files, and what they are for.
#[derive(Clone)]
pub(super) struct Files {
    preferences: Preferences,
    alpn: Vec<Vec<u8>>,
    /// Certificate chains and keys, in order of preference.
    server: Vec<(PathBuf, PathBuf)>,
    client_ca: Vec<PathBuf>,
    allow_client: Vec<AllowedClient>,
    client_crl: Vec<PathBuf>,
    legacy: bool,
    own_order: bool,
    ticket_keys: Option<PathBuf>,
    max_session_age: Duration,
    /// Seals tickets where no file has keys; sessions live on over a reload.
    own_tickets: Arc<dyn ProducesTickets>,
    service: Option<Service>,
    key_log: Option<KeyLogging>,
}

/// How the service is reached over TLS.
#[derive(Clone)]
struct Service {
    ca: Vec<PathBuf>,
    system_roots: bool,
    name: ServerName<'static>,
    /// Certificate chain and key.
    client: Option<(PathBuf, PathBuf)>,
}

impl Files {
    /// From the command line; nothing is read yet.
    ///
    /// # Errors
    /// What is missing, or makes no sense.
    pub(super) fn new(args: &Args, to: &str, out: &Output) -> Result<Self, Error> {
        let own_tickets =
            Ticketer::new().map_err(|e| Error::failure(format_args!("cannot make ticket keys: {e}")))?;
        let files = Self {
            preferences: args.offer.preferences(out)?,
            alpn: args.offer.alpn(),
            server: args.offer.certified()?,
            client_ca: args.client_ca.clone(),
            allow_client: args.allow_client.clone(),
            client_crl: args.client_crl.clone(),
            legacy: args.legacy,
            own_order: args.own_order,
            ticket_keys: args.ticket_keys.clone(),
            max_session_age: Duration::from_secs(args.max_session_age),
            own_tickets,
            service: if args.originate { Some(Service::new(args, to)?) } else { None },
            key_log: KeyLogging::wanted()?,
        };
        files::one_stdin(files.paths().map(PathBuf::as_path))?;
        Ok(files)
    }

    /// Where session secrets go, if they do.
    pub(super) const fn key_log(&self) -> Option<&KeyLogging> {
        self.key_log.as_ref()
    }

    /// All of them.
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let pairs =
            self.server.iter().chain(self.service.iter().filter_map(|service| service.client.as_ref()));
        let roots = self.client_ca.iter().chain(self.service.iter().flat_map(|service| &service.ca));
        let keys_and_roots = pairs.flat_map(|(cert, key)| [cert, key]).chain(roots);
        keys_and_roots.chain(&self.client_crl).chain(&self.ticket_keys)
    }

    /// Reads all of them, each once, as some may be pipes. Warns of old algorithms of the certificates that the proxy shows
    /// and of the roots that it trusts, if somebody is there to be told.
    ///
    /// # Errors
    /// The file, what is wrong with it, and what to do.
    pub(super) fn load(&self, out: Option<&Output>) -> Result<Sides, Error> {
        let (mut inbound, mut outbound, mut certificates) = (None, None, Vec::new());
        let (mut shown, mut trusted) = (Vec::new(), Vec::new());
        let numbers = self.preferences.numbers;
        let mut identities = Vec::new();
        for (cert, key) in &self.server {
            let (identity, chain) = chained(cert, key, numbers)?;
            certificates.extend(chain.first().map(|own| certificate(cert, Peer::Client, own)));
            shown.extend(identity.keys(numbers));
            identities.push(identity);
        }
        let quantum_safe_only = quantum_safe_only(&identities, numbers);
        if let Some(options) = self.server_options(identities)? {
            trusted.extend_from_slice(&options.client_roots);
            inbound = Some(options.into_configs()?);
        }
        if let Some(service) = &self.service {
            let (options, own) = service.options(self, out)?;
            certificates.extend(own);
            shown.extend(options.identity.iter().flat_map(|own| own.keys(numbers)));
            trusted.extend_from_slice(&options.roots);
            outbound = Some((options.into_config()?, service.name.clone()));
        }
        if let Some(out) = out {
            warn_of_keys(shown, &trusted, out);
        }
        Ok(Sides { inbound, outbound, shown: certificates, quantum_safe_only })
    }

    /// Reads all of them once more.
    ///
    /// # Errors
    /// As [`Files::load`], and if one is a pipe: what it had is read, and to wait for more would hold up the proxy.
    pub(super) fn reload(&self) -> Result<Sides, Error> {
        if let Some(pipe) = self.paths().find(|path| !files::can_be_read_again(path)) {
            let gone = Error::failure("a pipe was read at the start, and cannot be read again").at(pipe);
            return Err(gone.advise("name a file, or start the proxy anew"));
        }
        self.load(None)
    }

    /// `None` without an identity.
    fn server_options(&self, mut identities: Vec<Identity>) -> Result<Option<ServerOptions>, Error> {
        if identities.is_empty() {
            return Ok(None);
        }
        let identity = identities.remove(0);
        Ok(Some(ServerOptions {
            more_identities: identities,
            preferences: Preferences { legacy: self.legacy, ..self.preferences.clone() },
            own_order: self.own_order,
            client_roots: roots(&self.client_ca, self.preferences.numbers)?,
            allowed_clients: self.allow_client.clone(),
            client_revocation: revocation_lists(&self.client_crl)?,
            sealer: Some(self.sealer()?),
            max_session_age: self.max_session_age,
            alpn: self.alpn.clone(),
            key_log: self.key_log().map(|logging| logging.log.clone()),
            ..ServerOptions::new(identity)
        }))
    }

    fn sealer(&self) -> Result<Arc<dyn ProducesTickets>, Error> {
        let Some(path) = &self.ticket_keys else { return Ok(self.own_tickets.clone()) };
        let keys = SharedKeys::from_text(&ticket_text(path)?).map_err(|e| Error::from(e).at(path))?;
        Ok(Arc::new(keys))
    }

    /// The state of each file.
    pub(super) fn stamps(&self) -> Vec<Stamp> {
        let stamp = |path: &PathBuf| {
            let found = std::fs::metadata(path).ok()?;
            Some((found.modified().ok()?, found.len()))
        };
        self.paths().map(stamp).collect()
    }
}

impl Service {
    fn new(args: &Args, to: &str) -> Result<Self, Error> {
        if args.ca.is_empty() && !args.system_roots {
            return Err(Error::usage(
                "--originate needs the roots that the service's certificate must come from",
            )
            .advise("give --ca or --system-roots"));
        }
        // it has a port: the command line asks for one
        let (host, _) = host_and_address(to, 0);
        let name = args.servername.as_deref().unwrap_or(&host);
        let client = args.client_identity.as_deref().and_then(|files| match files {
            [cert, key] => Some((cert.clone(), key.clone())),
            _ => None,
        });
        Ok(Self { ca: args.ca.clone(), system_roots: args.system_roots, name: server_name(name)?, client })
    }

    /// Returns the options of the connection to the service, and the proxy's own certificate for it.
    fn options(&self, files: &Files, out: Option<&Output>) -> Result<(ClientOptions, Option<Shown>), Error> {
        let numbers = files.preferences.numbers;
        let (mut client, mut shown) = (None, None);
        if let Some((cert, key)) = &self.client {
            let (identity, chain) = chained(cert, key, numbers)?;
            shown = chain.first().map(|own| certificate(cert, Peer::Service, own));
            client = Some(identity);
        }
        let mut trusted = roots(&self.ca, numbers)?;
        if self.system_roots {
            trusted.extend(system_roots(out)?);
        }
        let options = ClientOptions {
            preferences: files.preferences.clone(),
            roots: trusted,
            identity: client,
            alpn: files.alpn.clone(),
            key_log: files.key_log().map(|logging| logging.log.clone()),
            ..ClientOptions::default()
        };
        Ok((options, shown))
    }
}

/// The revocation lists in all these files.
fn revocation_lists(paths: &[PathBuf]) -> Result<Vec<Crl>, Error> {
    let read = paths.iter().map(|path| {
        let bytes = files::read(path)?;
        Crl::all_from_pem(&bytes).map_err(|e| Error::from(e).at(path))
    });
    Ok(read.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

fn certificate(file: &Path, to: Peer, own: &Certificate) -> Shown {
    let (begins, ends) = own.validity();
    Shown { name: file.display().to_string(), to, begins, ends }
}

/// So many keys are kept when a new one comes: one that seals, and two for tickets that are out.
const KEPT: usize = 3;

/// Puts a new key in front of the file.
///
/// # Errors
/// If the file has something else, or cannot be written.
pub(super) fn rotate(args: &Args, out: &Output) -> Result<(), Error> {
    let Some(path) = &args.ticket_keys else {
        return Err(Error::usage("there is no file to put a key into").advise("give --ticket-keys"));
    };
    let old = if path.exists() { ticket_text(path)? } else { String::new().into() };
    let text = rotated(&old, KEPT).map_err(|e| Error::from(e).at(path))?;
    files::write(&[NewFile::private(path, text.as_bytes())], true)?;
    out.warn(
        "proxies take the new key when they are reloaded; reload all of them within the life of a ticket",
    );
    Ok(())
}

fn ticket_text(path: &Path) -> Result<zeroize::Zeroizing<String>, Error> {
    let bytes = files::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Error::failure("is no text").at(path))?;
    Ok(text.to_owned().into())
}
