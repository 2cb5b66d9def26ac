//! The proxy's log: one line per event, as text or as JSON.
//!
//! A separate thread writes the lines, so that a slow reader does not delay connections. If [`QUEUE_LEN`] lines are
//! waiting, further lines are dropped and counted.

use crate::metrics::Metrics;
use grille_tls::error::{format_count, printable};
use grille_tls::{ClientIdentity, format_time};
use serde::Serialize;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

/// Maximum number of lines waiting to be written.
pub const QUEUE_LEN: usize = 4096;

/// Format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Text for people.
    Text,
    /// One JSON document per line.
    Json,
}

/// An event in the proxy.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The proxy accepts connections, and answers Prometheus if enabled.
    Listening {
        /// Address for clients.
        address: SocketAddr,
        /// Address for Prometheus.
        #[serde(skip_serializing_if = "Option::is_none")]
        metrics: Option<SocketAddr>,
    },
    /// Session secrets are written to a file; anyone who reads it can decrypt the connections.
    KeysLogged {
        /// Name of the file.
        file: String,
    },
    /// The proxy presents a certificate that peers refuse, because it has expired or is not valid yet.
    InvalidCertificate {
        /// File of the certificate, and the reason.
        fault: String,
    },
    /// Clients without post-quantum signatures are refused, because no certificate has a classical key.
    OldClientsRefused {
        /// Signature algorithms of which a client must support at least one.
        signatures: &'a str,
    },
    /// A connection ended.
    Closed(Closed<'a>),
    /// A connection was aborted because of a bug in this program.
    Panicked {
        /// Message of the panic.
        error: String,
    },
    /// The limit of open files allows fewer connections than configured.
    FewDescriptors {
        /// Current limit.
        limit: u64,
        /// Required limit.
        needed: u64,
        /// Number of connections that are accepted.
        connections: usize,
    },
    /// The maximum number of connections or handshakes is reached.
    Full,
    /// Accepting a connection failed, for example for lack of descriptors.
    NotAccepted {
        /// Error of the operating system.
        error: String,
    },
    /// Keys and certificates were reloaded.
    Reloaded,
    /// Reloading failed, and the old keys and certificates stay in use.
    NotReloaded {
        /// Description of the error.
        error: String,
    },
    /// The proxy prepares to stop: health checks fail, and it will soon stop accepting connections.
    Draining {
        /// Number of open connections.
        connections: i64,
        /// Seconds during which connections are still accepted.
        grace: f64,
    },
    /// No more connections are accepted; open connections may finish.
    NotListening {
        /// Number of open connections.
        connections: i64,
    },
    /// The proxy stops.
    Stopped {
        /// Number of connections that were aborted.
        connections: i64,
    },
}

/// Summary of one finished connection.
#[derive(Debug, Serialize)]
pub struct Closed<'a> {
    /// Address of the client.
    pub client: SocketAddr,
    /// How the connection ended, in a few words; `closed` if it succeeded.
    pub end: &'static str,
    /// Details of a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Key-exchange group of the client's TLS connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'a str>,
    /// Cipher suite of the client's TLS connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<&'a str>,
    /// Server name that the client requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_name: Option<&'a str>,
    /// Identity from the client's certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_certificate: Option<ClientCertificate>,
    /// Bytes delivered to the client.
    pub to_client: u64,
    /// Bytes delivered to the service.
    pub to_service: u64,
    /// Duration from accepting the client to the end, in milliseconds.
    pub milliseconds: u64,
}

/// Identity from a client's certificate.
#[derive(Debug, Serialize)]
pub struct ClientCertificate {
    /// Subject in the format of RFC 4514.
    pub subject: String,
    /// Subject alternative names, each with its type as prefix, such as `DNS:`.
    pub names: Vec<String>,
    /// SHA-256 of the certificate, in hexadecimal.
    pub sha256: String,
}

impl From<&ClientIdentity> for ClientCertificate {
    fn from(client: &ClientIdentity) -> Self {
        Self {
            subject: client.subject.clone(),
            names: client.names.iter().map(ToString::to_string).collect(),
            sha256: client.fingerprint_hex(),
        }
    }
}

impl Closed<'_> {
    /// Returns the summary of a connection that the proxy closed before it received data.
    pub(crate) const fn rejected(client: SocketAddr, end: &'static str) -> Self {
        Self {
            client,
            end,
            error: None,
            group: None,
            suite: None,
            server_name: None,
            client_certificate: None,
            to_client: 0,
            to_service: 0,
            milliseconds: 0,
        }
    }
}

/// Destination of events.
pub struct Log {
    style: Style,
    lines: Option<SyncSender<String>>,
    writer: Option<JoinHandle<()>>,
}

impl Log {
    /// Creates a log that writes lines to `to`.
    #[must_use]
    pub fn new(style: Style, to: Box<dyn Write + Send>) -> Self {
        let (sender, receiver) = sync_channel(QUEUE_LEN);
        let writer = thread::spawn(move || write_all(&receiver, to));
        Self { style, lines: Some(sender), writer: Some(writer) }
    }

    /// Creates a log that discards events.
    #[must_use]
    pub fn none() -> Self {
        Self { style: Style::Text, lines: None, writer: None }
    }

    pub(crate) fn write(&self, event: &Event<'_>, metrics: &Metrics) {
        let Some(lines) = &self.lines else { return };
        let line = match self.style {
            Style::Json => json(event),
            Style::Text => format!("{} {}\n", timestamp(), text(event)),
        };
        if lines.try_send(line).is_err() {
            metrics.log_lines_lost.fetch_add(1, Relaxed);
        }
    }
}

impl Drop for Log {
    /// Waits until the writer thread has written all lines.
    fn drop(&mut self) {
        self.lines = None;
        if let Some(writer) = self.writer.take() {
            // a writer that panicked has nothing left to write
            let _ = writer.join();
        }
    }
}

fn write_all(lines: &Receiver<String>, mut to: Box<dyn Write + Send>) {
    for line in lines {
        // errors are ignored: the reader may be gone
        let _ = to.write_all(line.as_bytes()).and_then(|()| to.flush());
    }
}

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    #[serde(flatten)]
    event: &'a Event<'a>,
}

fn json(event: &Event<'_>) -> String {
    let line = serde_json::to_string(&Line { time: timestamp(), event });
    // serialisation fails only for maps with keys that are not text, which events do not contain
    line.unwrap_or_default() + "\n"
}

fn timestamp() -> String {
    format_time(since_unix_epoch())
}

pub(crate) fn since_unix_epoch() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

fn text(event: &Event<'_>) -> String {
    match event {
        Event::Listening { address, metrics: None } => format!("listening on {address}"),
        Event::Listening { address, metrics: Some(metrics) } => {
            format!("listening on {address}, metrics on {metrics}")
        }
        Event::KeysLogged { file } => format!(
            "warning: session secrets are written to {}; anyone who reads this file can decrypt the connections",
            printable(file)
        ),
        Event::InvalidCertificate { fault } => {
            format!("warning: peers will refuse the certificate: {}", printable(fault))
        }
        Event::OldClientsRefused { signatures } => format!(
            "warning: clients that cannot verify {signatures} are refused, even with --legacy; to admit them, add a second --cert \
             and --key with ECDSA or RSA"
        ),
        Event::Closed(closed) => connection(closed),
        Event::Panicked { error } => {
            format!("a connection was aborted by a bug in this program: {}", printable(error))
        }
        Event::Full => "connection limit reached: further connections wait".to_owned(),
        Event::NotAccepted { error } => format!("cannot accept a connection: {error}"),
        Event::Reloaded => "reloaded keys and certificates".to_owned(),
        Event::NotReloaded { error } => {
            format!("cannot reload keys and certificates, so the old ones stay in use: {error}")
        }
        Event::FewDescriptors { limit, needed, connections } => format!(
            "warning: the limit of {limit} open files allows only {}; raise it to {needed} (ulimit -n, or LimitNOFILE in systemd)",
            format_count(connections, "connection")
        ),
        Event::Draining { connections, grace } => {
            format!("draining {}, still accepting for {grace} s", format_count(connections, "connection"))
        }
        Event::NotListening { connections } => {
            format!("no longer listening, {} open", format_count(connections, "connection"))
        }
        Event::Stopped { connections: 0 } => "stopped".to_owned(),
        Event::Stopped { connections } => {
            format!("stopped, {} aborted", format_count(connections, "connection"))
        }
    }
}

fn connection(closed: &Closed<'_>) -> String {
    let Closed { client, end, to_client, to_service, milliseconds, .. } = closed;
    let mut line = format!("{client} {end}");
    for part in [closed.group, closed.suite, closed.server_name].into_iter().flatten() {
        line.push(' ');
        line.push_str(&printable(part));
    }
    if let Some(ClientCertificate { subject, names, sha256 }) = &closed.client_certificate {
        line += ", client ";
        for text in [subject].into_iter().filter(|subject| !subject.is_empty()).chain(names) {
            line.push_str(&printable(text));
            line.push(' ');
        }
        line += &format!("SHA256:{sha256}");
    }
    line += &format!(", {to_client} bytes to the client, {to_service} to the service, {milliseconds} ms");
    if let Some(error) = &closed.error {
        line.push_str(": ");
        line.push_str(&printable(error));
    }
    line
}
