//! The proxy's files (certificates, keys, roots, revocation lists, ticket keys), read at the start and at each reload.

use super::options::Args;
use crate::arguments::host_and_address;
use crate::cert::read_crls;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::input_checks::at_most_one_stdin;
use crate::output::Output;
use crate::tls::key_log::KeyLogging;
use crate::tls::options::{identity_with_chain, quantum_safe_only, roots, warn_about_keys};
use crate::tls::system_roots::system_roots;
use grille_pki::Certificate;
use grille_proxy::{OwnCertificate, Peer, Sides};
use grille_tls::client::server_name;
use grille_tls::tickets::{self, SharedKeys};
use grille_tls::{AllowedClient, ClientOptions, Identity, Preferences, ServerOptions};
use rustls::crypto::aws_lc_rs::Ticketer;
use rustls::pki_types::ServerName;
use rustls::server::ProducesTickets;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A file's modification time and length; `None` for a missing file.
pub(super) type Stamp = Option<(SystemTime, u64)>;

/// The files of a proxy and their purposes.
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
    /// Encrypts tickets if there is no file of ticket keys. A reload keeps it, so that sessions can still be resumed.
    own_tickets: Arc<dyn ProducesTickets>,
    service: Option<Service>,
    key_log: Option<KeyLogging>,
}

/// The TLS settings for connecting to the service.
#[derive(Clone)]
struct Service {
    ca: Vec<PathBuf>,
    system_roots: bool,
    crl: Vec<PathBuf>,
    name: ServerName<'static>,
    /// Certificate chain and key.
    client: Option<(PathBuf, PathBuf)>,
}

impl Files {
    /// Collects the files from the command line without reading them.
    ///
    /// # Errors
    /// Returns an error if options are missing or contradict each other.
    pub(super) fn new(args: &Args, to: &str, out: &Output) -> Result<Self, Error> {
        let own_tickets =
            Ticketer::new().map_err(|e| Error::failure(format_args!("cannot make ticket keys: {e}")))?;
        let files = Self {
            preferences: args.offer.preferences(out)?,
            alpn: args.offer.alpn(),
            server: args.offer.certificate_files()?,
            client_ca: args.client_ca.clone(),
            allow_client: args.allow_client.clone(),
            client_crl: args.client_crl.clone(),
            legacy: args.legacy,
            own_order: args.own_order,
            ticket_keys: args.ticket_keys.clone(),
            max_session_age: Duration::from_secs(args.max_session_age),
            own_tickets,
            service: if args.originate { Some(Service::new(args, to)?) } else { None },
            key_log: KeyLogging::from_env()?,
        };
        at_most_one_stdin(files.paths().map(PathBuf::as_path))?;
        Ok(files)
    }

    /// Returns the log of session secrets, if the environment requests one.
    pub(super) const fn key_log(&self) -> Option<&KeyLogging> {
        self.key_log.as_ref()
    }

    /// Returns the paths of all files.
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let pairs =
            self.server.iter().chain(self.service.iter().filter_map(|service| service.client.as_ref()));
        let roots = self.client_ca.iter().chain(self.service.iter().flat_map(|service| &service.ca));
        let keys_and_roots = pairs.flat_map(|(cert, key)| [cert, key]).chain(roots);
        let crls = self.client_crl.iter().chain(self.service.iter().flat_map(|service| &service.crl));
        keys_and_roots.chain(crls).chain(&self.ticket_keys)
    }

    /// Reads all files, each once, because some may be pipes.
    ///
    /// With `out`, warns about retired algorithms in the proxy's certificates and in the trusted roots.
    ///
    /// # Errors
    /// The error names the file, states the problem and gives advice.
    pub(super) fn load(&self, out: Option<&Output>) -> Result<Sides, Error> {
        let (mut inbound, mut outbound, mut certificates) = (None, None, Vec::new());
        let (mut shown, mut trusted) = (Vec::new(), Vec::new());
        let numbers = self.preferences.numbers;
        let mut identities = Vec::new();
        for (cert, key) in &self.server {
            let (identity, chain) = identity_with_chain(cert, key, numbers)?;
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
            warn_about_keys(shown, &trusted, out);
        }
        Ok(Sides { inbound, outbound, certificates, quantum_safe_only })
    }

    /// Reads all files again.
    ///
    /// # Errors
    /// Returns the errors of [`Files::load`], or an error if a file is a pipe: it was read at the start, and waiting
    /// for more would block the proxy.
    pub(super) fn reload(&self) -> Result<Sides, Error> {
        if let Some(pipe) = self.paths().find(|path| !files::can_be_read_again(path)) {
            let error = Error::failure("a pipe cannot be read again").at(pipe);
            return Err(error.advise("use a regular file, or restart the proxy"));
        }
        self.load(None)
    }

    /// Builds the options of the TLS server; `None` without an identity.
    fn server_options(&self, mut identities: Vec<Identity>) -> Result<Option<ServerOptions>, Error> {
        if identities.is_empty() {
            return Ok(None);
        }
        let identity = identities.remove(0);
        Ok(Some(ServerOptions {
            more_identities: identities,
            preferences: Preferences { legacy: self.legacy, ..self.preferences.clone() },
            prefer_server_order: self.own_order,
            client_roots: roots(&self.client_ca, self.preferences.numbers)?,
            allowed_clients: self.allow_client.clone(),
            client_revocation: read_crls(&self.client_crl)?,
            ticketer: Some(self.ticketer()?),
            max_session_age: self.max_session_age,
            alpn: self.alpn.clone(),
            key_log: self.key_log().map(|logging| logging.log.clone()),
            ..ServerOptions::new(identity)
        }))
    }

    fn ticketer(&self) -> Result<Arc<dyn ProducesTickets>, Error> {
        let Some(path) = &self.ticket_keys else { return Ok(self.own_tickets.clone()) };
        let keys = SharedKeys::from_text(&ticket_text(path)?).map_err(|e| Error::from(e).at(path))?;
        Ok(Arc::new(keys))
    }

    /// Returns the stamp of each file.
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
            return Err(Error::usage("--originate without trusted roots")
                .advise("give the service's root certificate with --ca, or use --system-roots"));
        }
        // `to` has a port: the command line requires one
        let (host, _) = host_and_address(to, 0);
        let name = args.servername.as_deref().unwrap_or(&host);
        let client = args.client_identity.as_deref().and_then(|files| match files {
            [cert, key] => Some((cert.clone(), key.clone())),
            _ => None,
        });
        let (ca, crl) = (args.ca.clone(), args.crl.clone());
        Ok(Self { ca, system_roots: args.system_roots, crl, name: server_name(name)?, client })
    }

    /// Builds the options of the TLS client, and describes the proxy's own certificate for the service.
    fn options(
        &self,
        files: &Files,
        out: Option<&Output>,
    ) -> Result<(ClientOptions, Option<OwnCertificate>), Error> {
        let numbers = files.preferences.numbers;
        let (mut client, mut shown) = (None, None);
        if let Some((cert, key)) = &self.client {
            let (identity, chain) = identity_with_chain(cert, key, numbers)?;
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
            revocation: read_crls(&self.crl)?,
            identity: client,
            alpn: files.alpn.clone(),
            key_log: files.key_log().map(|logging| logging.log.clone()),
            ..ClientOptions::default()
        };
        Ok((options, shown))
    }
}

fn certificate(file: &Path, to: Peer, own: &Certificate) -> OwnCertificate {
    let (begins, ends) = own.validity();
    OwnCertificate { name: file.display().to_string(), to, not_before: begins, not_after: ends }
}

/// The number of ticket keys after a rotation: one that encrypts, and two for tickets that clients still hold.
const MAX_TICKET_KEYS: usize = 3;

/// Adds a new first key to the file of ticket keys.
///
/// # Errors
/// Returns an error if the file contains anything other than keys, or cannot be written.
pub(super) fn rotate(args: &Args, out: &Output) -> Result<(), Error> {
    let Some(path) = &args.ticket_keys else {
        return Err(Error::usage("no file of ticket keys").advise("give --ticket-keys"));
    };
    let old = if path.exists() { ticket_text(path)? } else { String::new().into() };
    let text = tickets::rotate(&old, MAX_TICKET_KEYS).map_err(|e| Error::from(e).at(path))?;
    files::write(&[NewFile::private(path, text.as_bytes())], true)?;
    out.warn("proxies use the new key after a reload; reload all of them within the lifetime of a ticket");
    Ok(())
}

/// The maximum length in bytes of a file with ticket keys.
const MAX_TICKET_FILE: usize = 64 << 10;

fn ticket_text(path: &Path) -> Result<zeroize::Zeroizing<String>, Error> {
    let bytes = files::read_at_most(path, MAX_TICKET_FILE, "a file of ticket keys")?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Error::failure("is not text").at(path))?;
    Ok(text.to_owned().into())
}
