//! What the proxy tells its operator: one line for each event, as text or as JSON.
//!
//! Lines are written by a thread of their own. One that reads them slowly does not hold connections up: when
//! [`QUEUE_LEN`] lines wait, further ones are lost, and counted.

use crate::metrics::Metrics;
use grille_tls::error::{counted, printable};
use grille_tls::{ClientIdentity, moment};
use serde::Serialize;
use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

/// So many lines may wait for their reader.
pub const QUEUE_LEN: usize = 4096;

/// How events are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// For people.
    Text,
    /// One document per line.
    Json,
}

/// Something that happened.
#[derive(Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a> {
    /// The proxy accepts connections, and answers Prometheus where that is asked for.
    Listening {
        /// Where clients come.
        address: SocketAddr,
        /// Where Prometheus comes.
        #[serde(skip_serializing_if = "Option::is_none")]
        metrics: Option<SocketAddr>,
    },
    /// Session secrets are written to a file, with which whoever reads it can read the connections.
    KeysLogged {
        /// Its name.
        file: String,
    },
    /// The certificate shown to clients is one that they refuse.
    Expired {
        /// When it ended.
        ended: String,
    },
    /// Clients without quantum-safe signatures are refused, because no certificate has a classical key.
    OldClientsRefused {
        /// The signatures that a client must know one of.
        signatures: &'a str,
    },
    /// A connection ended.
    Closed(Closed<'a>),
    /// A connection ended by a mistake in this program, and was cut off.
    Panicked {
        /// What it said.
        error: String,
    },
    /// No more connections, or handshakes, are taken for now.
    Full,
    /// Accepting failed, for want of descriptors for example.
    NotAccepted {
        /// What the operating system said.
        error: String,
    },
    /// Keys and certificates were read anew.
    Reloaded,
    /// They could not be read, and the old ones stay.
    NotReloaded {
        /// What is wrong.
        error: String,
    },
    /// No more connections are accepted; those that are open may end.
    Draining {
        /// How many.
        connections: i64,
    },
    /// The proxy ends.
    Stopped {
        /// How many connections were cut off.
        connections: i64,
    },
}

/// One connection, at its end.
#[derive(Debug, Serialize)]
pub struct Closed<'a> {
    /// Who came.
    pub client: SocketAddr,
    /// How it ended, in a word or two: `closed` if well.
    pub end: &'static str,
    /// What is more to say of that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Of the client's TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<&'a str>,
    /// The same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<&'a str>,
    /// The name that the client asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server_name: Option<&'a str>,
    /// Who the client is by its certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_certificate: Option<ClientCertificate>,
    /// Bytes delivered to the client.
    pub to_client: u64,
    /// Bytes delivered to the service.
    pub to_service: u64,
    /// From when the client was accepted to the end.
    pub milliseconds: u64,
}

/// Whom a client's certificate is about.
#[derive(Debug, Serialize)]
pub struct ClientCertificate {
    /// The subject, as RFC 4514 writes it.
    pub subject: String,
    /// The subject alternative names, each with its kind before it, such as `DNS:`.
    pub names: Vec<String>,
    /// SHA-256 of the certificate in hexadecimal.
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

/// Where events go.
pub struct Log {
    style: Style,
    lines: Option<SyncSender<String>>,
    writer: Option<JoinHandle<()>>,
}

impl Log {
    /// Events become lines on `to`.
    #[must_use]
    pub fn new(style: Style, to: Box<dyn Write + Send>) -> Self {
        let (sender, receiver) = sync_channel(QUEUE_LEN);
        let writer = thread::spawn(move || write_all(&receiver, to));
        Self { style, lines: Some(sender), writer: Some(writer) }
    }

    /// Events are not written.
    #[must_use]
    pub fn none() -> Self {
        Self { style: Style::Text, lines: None, writer: None }
    }

    pub(crate) fn tell(&self, event: &Event<'_>, metrics: &Metrics) {
        let Some(lines) = &self.lines else { return };
        let line = match self.style {
            Style::Json => json(event),
            Style::Text => format!("{} {}\n", now(), text(event)),
        };
        if lines.try_send(line).is_err() {
            metrics.log_lines_lost.fetch_add(1, Relaxed);
        }
    }
}

impl Drop for Log {
    /// Waits until all lines are written.
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
        // a reader that is gone is nobody to tell
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
    let line = serde_json::to_string(&Line { time: now(), event });
    // maps with keys that are no text, which an event has not, would be an error
    line.unwrap_or_default() + "\n"
}

fn now() -> String {
    moment(since_1970())
}

pub(crate) fn since_1970() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO)
}

fn text(event: &Event<'_>) -> String {
    match event {
        Event::Listening { address, metrics: None } => format!("listening on {address}"),
        Event::Listening { address, metrics: Some(metrics) } => {
            format!("listening on {address}, metrics on {metrics}")
        }
        Event::KeysLogged { file } => format!(
            "warning: session secrets are written to {}: whoever reads it can read the connections",
            printable(file)
        ),
        Event::Expired { ended } => {
            format!("warning: the certificate shown to clients ended {ended}: they refuse it")
        }
        Event::OldClientsRefused { signatures } => format!(
            "warning: clients that cannot verify {signatures} are refused, with --legacy too: a second --cert and --key, of \
             ECDSA or RSA, lets them in"
        ),
        Event::Closed(closed) => connection(closed),
        Event::Panicked { error } => {
            format!("a connection was cut off by a mistake in this program: {}", printable(error))
        }
        Event::Full => "full: further connections wait".to_owned(),
        Event::NotAccepted { error } => format!("cannot accept: {error}"),
        Event::Reloaded => "reloaded keys and certificates".to_owned(),
        Event::NotReloaded { error } => format!("cannot reload, the old ones stay: {error}"),
        Event::Draining { connections } => format!("draining {}", counted(connections, "connection")),
        Event::Stopped { connections: 0 } => "stopped".to_owned(),
        Event::Stopped { connections } => format!("stopped, {} cut off", counted(connections, "connection")),
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
