//! One session of the demo: fresh chains, a server, a client, two messages, and what was measured.

use super::parties::{Made, NAME, Party};
use crate::error::Error;
use crate::temporary::Folder;
use crate::tls::meet::{Meeting, meet};
use grille_registry::{Row, kem_by_name};
use grille_tls::codepoints::suite_by_name;
use grille_tls::report::Kind;
use grille_tls::{Client, ClientOptions, Preferences, Report, Server, ServerOptions};
use std::time::Duration;

/// The names of all that a session may choose.
pub(super) struct Choice {
    pub(super) suite: &'static str,
    pub(super) group: &'static str,
    pub(super) server_root: &'static str,
    pub(super) server: &'static str,
    pub(super) client_root: &'static str,
    pub(super) client: &'static str,
}

/// Sessions for each choice.
pub(super) const RUNS: usize = 20;

/// How long either side waits for the other.
const PATIENCE: Duration = Duration::from_secs(10);

/// What was measured.
pub(super) struct Session {
    pub(super) quantum_safe: bool,
    pub(super) server_made: Made,
    pub(super) client_made: Made,
    pub(super) server: Report,
    pub(super) client: Report,
    /// From the client's question to the server's answer.
    pub(super) talk_time: Duration,
}

impl Session {
    /// The quickest of [`RUNS`] sessions, each with new keys: the first of a process pays for cold memory.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub(super) fn best(choice: &Choice) -> Result<Self, Error> {
        let mut best = Self::run(choice)?;
        for _ in 1..RUNS {
            let next = Self::run(choice)?;
            if next.time() < best.time() {
                best = next;
            }
        }
        Ok(best)
    }

    fn time(&self) -> Duration {
        self.client.handshake_time + self.talk_time
    }

    /// Makes the chains, connects over TCP on the loopback, talks, and checks what both sides saw.
    ///
    /// # Errors
    /// If anything fails or does not verify. The temporary directory is gone in any case.
    fn run(choice: &Choice) -> Result<Self, Error> {
        let folder = Folder::new("grille-demo-").map_err(|e| no_folder(&e))?;
        let (server_side, client_side) =
            (Party::server(choice, folder.path())?, Party::client(choice, folder.path())?);
        folder.close().map_err(|e| no_folder(&e))?;
        let group = kem_by_name(choice.group)?;
        let suite = suite_by_name(choice.suite)
            .ok_or_else(|| Error::failure("the demo's cipher suite is unknown").at_place(choice.suite))?;
        let preferences = Preferences { groups: vec![group], suites: vec![suite], ..Preferences::default() };
        let server = Server::bind(
            "127.0.0.1:0",
            ServerOptions {
                preferences: preferences.clone(),
                client_roots: vec![client_side.root],
                timeout: Some(PATIENCE),
                ..ServerOptions::new(server_side.identity)
            },
        )?;
        let client = Client::new(ClientOptions {
            preferences,
            roots: vec![server_side.root],
            identity: Some(client_side.identity),
            timeout: Some(PATIENCE),
            ..ClientOptions::default()
        })?;
        let Meeting { server, client, talk_time } = meet(server, &client, NAME)?;
        let session = Self {
            quantum_safe: group.category() > 0,
            server_made: server_side.made,
            client_made: client_side.made,
            server,
            client,
            talk_time,
        };
        session.check(choice)?;
        Ok(session)
    }

    /// Both sides must have seen what was chosen, and each other's certificates.
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
        Err(Error::mismatch("the two sides did not negotiate what the demo chose").at_place(choice.group))
    }
}

fn no_folder(error: &std::io::Error) -> Error {
    Error::failure(format_args!("no temporary directory: {error}")).at_place(std::env::temp_dir().display())
}
