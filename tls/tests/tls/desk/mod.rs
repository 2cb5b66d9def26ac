//! Test fixture: certificate chains of every signature algorithm, generated once, and connections over loopback.
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::{Family, KemRow, Numbers, Row, SignatureRow, distinct_signatures};
use grille_tls::{Client, ClientOptions, Error, Identity, Preferences, Report, Server, ServerOptions};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::Duration;

/// Name in every end entity's certificate.
pub(crate) const NAME: &str = "localhost";

/// A root, and one end entity that it issued.
pub(crate) struct Party {
    pub(crate) root: Certificate,
    pub(crate) own: Certificate,
    pub(crate) key: PrivateKey,
}

impl Party {
    /// Creates a root and an end entity of the same algorithm.
    pub(crate) fn new(row: &'static SignatureRow) -> Self {
        Self::in_era(row, Numbers::default())
    }

    /// Creates a party whose end entity has another validity.
    pub(crate) fn valid(row: &'static SignatureRow, not_before: Duration, not_after: Duration) -> Self {
        Self::made(row, Numbers::default(), &end_entity(&[NAME]).valid(not_before, not_after))
    }

    /// Creates a party with the object identifiers of an era.
    pub(crate) fn in_era(row: &'static SignatureRow, numbers: Numbers) -> Self {
        Self::made(row, numbers, &end_entity(&[NAME]))
    }

    /// Creates a party whose end entity has these names.
    pub(crate) fn named(row: &'static SignatureRow, names: &[&str]) -> Self {
        Self::made(row, Numbers::default(), &end_entity(names))
    }

    /// Creates a party whose end entity has the template `own`.
    pub(crate) fn made(row: &'static SignatureRow, numbers: Numbers, own: &Template) -> Self {
        let root_key = PrivateKey::generate(row, &mut SystemRng).unwrap().in_era(numbers);
        let root = Template::new(&format!("/CN={} root", row.name()), Profile::Root).unwrap();
        let root = self_signed(&root, &root_key, &mut SystemRng).unwrap();
        let key = PrivateKey::generate(row, &mut SystemRng).unwrap().in_era(numbers);
        let own = issue(own, key.public_key(), &root, &root_key, &mut SystemRng).unwrap();
        Self { root, own, key }
    }

    /// Returns the party of this algorithm that all tests share.
    pub(crate) fn of(row: &'static SignatureRow) -> Arc<Self> {
        static PARTIES: OnceLock<Mutex<HashMap<&'static str, Arc<Party>>>> = OnceLock::new();
        let mut parties = PARTIES.get_or_init(Mutex::default).lock().unwrap();
        parties.entry(row.name()).or_insert_with(|| Arc::new(Self::new(row))).clone()
    }

    pub(crate) fn identity(&self) -> Identity {
        Identity::new(std::slice::from_ref(&self.own), &self.key).unwrap()
    }

    pub(crate) fn roots(&self) -> Vec<Certificate> {
        vec![self.root.clone()]
    }
}

/// Returns the template of an end entity with these names.
pub(crate) fn end_entity(names: &[&str]) -> Template {
    Template::new("CN=end entity", Profile::end_entity(names).unwrap()).unwrap()
}

/// Returns the signature algorithms that TLS can use: those with a TLS codepoint, each kind of composite once, and
/// RSA, which signs with PSS in TLS.
pub(crate) fn signatures() -> impl Iterator<Item = &'static SignatureRow> {
    distinct_signatures().into_iter().filter(|row| row.tls_scheme.is_some() || row.family == Family::Rsa)
}

pub(crate) fn groups(rows: &[&'static KemRow]) -> Preferences {
    Preferences { groups: rows.to_vec(), ..Preferences::default() }
}

/// Returns a server of `own` that requires certificates from the root of `peer`.
pub(crate) fn server_options(own: &Party, peer: &Party) -> ServerOptions {
    ServerOptions {
        client_roots: peer.roots(),
        timeout: Some(Duration::from_secs(60)),
        ..ServerOptions::new(own.identity())
    }
}

/// Returns a client of `own` that trusts the root of `peer`.
pub(crate) fn client_options(own: &Party, peer: &Party) -> ClientOptions {
    ClientOptions {
        roots: peer.roots(),
        identity: Some(own.identity()),
        timeout: Some(Duration::from_secs(60)),
        ..ClientOptions::default()
    }
}

/// Results of a connection on both sides.
pub(crate) struct Results {
    pub(crate) client: Result<Report, Error>,
    pub(crate) server: Result<Report, Error>,
}

impl Results {
    /// Returns both reports; panics if a side failed.
    pub(crate) fn reports(self, what: &str) -> (Report, Report) {
        match (self.client, self.server) {
            (Ok(client), Ok(server)) => (client, server),
            (client, server) => panic!("{what}: client {:?}, server {:?}", client.err(), server.err()),
        }
    }
}

/// Connects a client to a server over loopback; each sends one word.
pub(crate) fn meet(client: ClientOptions, server: ServerOptions) -> Results {
    let client = Client::new(client).expect("the client's options are valid");
    let server = Server::bind("127.0.0.1:0", server).expect("the server's options are valid");
    meet_again(&client, &Arc::new(server))
}

/// Connects a client to a server that may have met before; each sends one word.
pub(crate) fn meet_again(client: &Client, server: &Arc<Server>) -> Results {
    let address = server.local_addr().unwrap().to_string();
    let serving = thread::spawn({
        let server = server.clone();
        move || {
            let (socket, peer) = server.accept()?;
            talk(server.handshake(socket, peer)?, b"pong", b"ping")
        }
    });
    let client = client.connect(&address, NAME).and_then(|connection| talk(connection, b"ping", b"pong"));
    Results { client, server: serving.join().expect("the server does not panic") }
}

fn talk(mut connection: grille_tls::Connection, own: &[u8], expected: &[u8]) -> Result<Report, Error> {
    let broken = |e| Error::from_io("talk", e);
    connection.write_all(own).map_err(broken)?;
    let mut received = vec![0; expected.len()];
    connection.read_exact(&mut received).map_err(broken)?;
    assert_eq!(received, expected);
    connection.close()
}

/// Sends raw bytes to a server and reads until it closes. Returns the server's result.
pub(crate) fn send_raw(server: ServerOptions, bytes: &[u8]) -> Result<Report, Error> {
    let server = Server::bind("127.0.0.1:0", server).expect("the server's options are valid");
    let address = server.local_addr().unwrap();
    let serving = thread::spawn(move || {
        let (socket, peer) = server.accept()?;
        server.handshake(socket, peer).map(|connection| connection.report())
    });
    let mut socket = TcpStream::connect(address).unwrap();
    socket.write_all(bytes).unwrap();
    socket.shutdown(std::net::Shutdown::Write).unwrap();
    // the server may reset the connection
    let _ = socket.read_to_end(&mut Vec::new());
    serving.join().expect("the server does not panic")
}
