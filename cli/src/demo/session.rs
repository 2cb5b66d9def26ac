//! One TLS session of the demo: new certificate chains, a server, a client, two messages, and the measurements.

use super::peers::{DemoPeer, IdentityCosts, NAME};
use crate::error::Error;
use crate::temporary::Folder;
use crate::tls::loopback::{DEMO_MESSAGES, LoopbackRun, run_loopback};
use grille_registry::{Row, kem_by_name};
use grille_tls::codepoints::suite_by_name;
use grille_tls::report::Kind;
use grille_tls::{Client, ClientOptions, Preferences, Report, Server, ServerOptions};
use std::time::Duration;

/// The names of a session's algorithms.
pub(super) struct Choice {
    pub(super) suite: &'static str,
    pub(super) group: &'static str,
    pub(super) server_root: &'static str,
    pub(super) server: &'static str,
    pub(super) client_root: &'static str,
    pub(super) client: &'static str,
}

/// The number of sessions for each choice; the fastest one is shown.
pub(super) const RUNS: usize = 20;

/// The timeout of either side.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The measurements of one session.
pub(super) struct Session {
    pub(super) quantum_safe: bool,
    pub(super) server_made: IdentityCosts,
    pub(super) client_made: IdentityCosts,
    pub(super) server: Report,
    pub(super) client: Report,
    /// The time from the client's message to the server's answer.
    pub(super) exchange_time: Duration,
}

impl Session {
    /// Returns the fastest of [`RUNS`] sessions, each with new keys; the first session of a process runs with cold
    /// caches.
    ///
    /// # Errors
    /// The errors of [`Session::run`].
    pub(super) fn fastest(choice: &Choice) -> Result<Self, Error> {
        let mut fastest = Self::run(choice)?;
        for _ in 1..RUNS {
            let next = Self::run(choice)?;
            if next.time() < fastest.time() {
                fastest = next;
            }
        }
        Ok(fastest)
    }

    fn time(&self) -> Duration {
        self.client.handshake_time + self.exchange_time
    }

    /// Makes the chains, connects over loopback TCP, exchanges messages, and checks the reports of both sides.
    ///
    /// # Errors
    /// Returns an error if anything fails or does not verify. The temporary directory is removed in any case.
    fn run(choice: &Choice) -> Result<Self, Error> {
        let folder = Folder::new("grille-demo-").map_err(|e| temporary_directory_error(&e))?;
        let server_side = DemoPeer::new("server", choice.server_root, choice.server, folder.path())?;
        let client_side = DemoPeer::new("client", choice.client_root, choice.client, folder.path())?;
        folder.close().map_err(|e| temporary_directory_error(&e))?;
        let group = kem_by_name(choice.group)?;
        let suite = suite_by_name(choice.suite)
            .ok_or_else(|| Error::failure("the demo's cipher suite is unknown").with_place(choice.suite))?;
        let preferences = Preferences { groups: vec![group], suites: vec![suite], ..Preferences::default() };
        let server = Server::bind(
            "127.0.0.1:0",
            ServerOptions {
                preferences: preferences.clone(),
                client_roots: vec![client_side.root],
                timeout: Some(TIMEOUT),
                ..ServerOptions::new(server_side.identity)
            },
        )?;
        let client = Client::new(ClientOptions {
            preferences,
            roots: vec![server_side.root],
            identity: Some(client_side.identity),
            timeout: Some(TIMEOUT),
            ..ClientOptions::default()
        })?;
        let LoopbackRun { server, client, exchange_time } =
            run_loopback(server, &client, NAME, DEMO_MESSAGES)?;
        let session = Self {
            quantum_safe: group.category() > 0,
            server_made: server_side.costs,
            client_made: client_side.costs,
            server,
            client,
            exchange_time,
        };
        session.check(choice)?;
        Ok(session)
    }

    /// Checks that both sides negotiated the chosen algorithms and saw each other's certificates.
    fn check(&self, choice: &Choice) -> Result<(), Error> {
        let group = kem_by_name(choice.group)?.tls_group;
        let agreed = [&self.server, &self.client].iter().all(|report| {
            report.kind == Kind::Full
                && report.version_name() == "TLSv1.3"
                && report.suite_name() == choice.suite
                && report.group == group
                && !report.peer_chain.is_empty()
                && report.trace.peer_signed_with.is_some()
        });
        let same = self.server.peer_chain.0 == self.client.own_chain.0
            && self.client.peer_chain.0 == self.server.own_chain.0;
        if agreed && same {
            return Ok(());
        }
        Err(Error::mismatch("the two sides did not use the chosen algorithms or certificates")
            .with_place(choice.group))
    }
}

fn temporary_directory_error(error: &std::io::Error) -> Error {
    Error::failure(format_args!("cannot use a temporary directory: {error}"))
        .with_place(std::env::temp_dir().display())
}
