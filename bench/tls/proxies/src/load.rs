//! The clients, which use rustls over the loopback.

use crate::service::UPLOAD_FLAG;
use rustls::client::Resumption;
use rustls::crypto::CryptoProvider;
use rustls::crypto::aws_lc_rs::cipher_suite::TLS13_AES_256_GCM_SHA384;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::crypto::aws_lc_rs::kx_group::X25519;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::version::TLS13;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use std::error::Error;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

/// The work of the clients, in the unit that is counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Connections, each with a full handshake and one byte from the service.
    Handshakes,
    /// MiB from the service.
    Download,
    /// MiB to the service.
    Upload,
}

impl Work {
    pub const ALL: [Self; 3] = [Self::Handshakes, Self::Download, Self::Upload];

    /// Returns the name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Handshakes => "full handshakes",
            Self::Download => "MiB from the service",
            Self::Upload => "MiB to the service",
        }
    }
}

/// Number of concurrent clients.
pub const CLIENT_COUNT: usize = 32;

const MIB: usize = 1 << 20;

/// Bytes per request. A client sends the next request when all of them have arrived, so that none are in transit when
/// the time is over.
const PIECE_LEN: usize = 4 * MIB;

type Stream = StreamOwned<ClientConnection, TcpStream>;

/// Clients that trust one root.
pub struct Load {
    config: Arc<ClientConfig>,
}

impl Load {
    /// Makes clients that trust `root` (PEM). They have one group and one suite, so that all proxies do the same work.
    pub fn new(root: &[u8]) -> Result<Self, Box<dyn Error>> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(root)?)?;
        let provider = CryptoProvider {
            cipher_suites: vec![TLS13_AES_256_GCM_SHA384],
            kx_groups: vec![X25519],
            ..default_provider()
        };
        let builder =
            ClientConfig::builder_with_provider(Arc::new(provider)).with_protocol_versions(&[&TLS13])?;
        let mut config = builder.with_root_certificates(roots).with_no_client_auth();
        config.resumption = Resumption::disabled();
        Ok(Self { config: Arc::new(config) })
    }

    /// Runs all clients for this time and returns the sum of their work, in the unit of `work`.
    pub fn run(&self, work: Work, port: u16, time: Duration) -> Result<f64, Box<dyn Error>> {
        let end = Instant::now() + time;
        thread::scope(|scope| {
            let client = || match work {
                Work::Handshakes => self.handshakes(port, end),
                Work::Download => self.download(port, end),
                Work::Upload => self.upload(port, end),
            };
            let clients: Vec<_> = (0..CLIENT_COUNT).map(|_| scope.spawn(client)).collect();
            let done = clients.into_iter().map(|client| client.join().expect("the client does not panic"));
            Ok(done.sum::<io::Result<f64>>()?)
        })
    }

    fn connect(&self, port: u16) -> io::Result<Stream> {
        let socket = TcpStream::connect(("127.0.0.1", port))?;
        socket.set_nodelay(true)?;
        let name = ServerName::try_from("localhost").map_err(io::Error::other)?;
        let tls = ClientConnection::new(self.config.clone(), name).map_err(io::Error::other)?;
        Ok(Stream::new(tls, socket))
    }

    fn handshakes(&self, port: u16, end: Instant) -> io::Result<f64> {
        let mut done = 0;
        while Instant::now() < end {
            let mut stream = self.connect(port)?;
            send_request(&mut stream, 1)?;
            stream.read_exact(&mut [0])?;
            done += 1;
        }
        Ok(f64::from(done))
    }

    fn download(&self, port: u16, end: Instant) -> io::Result<f64> {
        self.transfer_pieces(port, end, |stream, piece| {
            send_request(stream, PIECE_LEN as u64)?;
            stream.read_exact(piece)
        })
    }

    fn upload(&self, port: u16, end: Instant) -> io::Result<f64> {
        self.transfer_pieces(port, end, |stream, piece| {
            send_request(stream, UPLOAD_FLAG | PIECE_LEN as u64)?;
            stream.write_all(piece)?;
            stream.flush()?;
            stream.read_exact(&mut [0])
        })
    }

    /// Transfers pieces one after the other on one connection until `end`. Returns the number of MiB.
    fn transfer_pieces(
        &self,
        port: u16,
        end: Instant,
        carry: impl Fn(&mut Stream, &mut [u8]) -> io::Result<()>,
    ) -> io::Result<f64> {
        let (mut stream, mut piece, mut done) = (self.connect(port)?, vec![7; PIECE_LEN], 0);
        while Instant::now() < end {
            carry(&mut stream, &mut piece)?;
            done += PIECE_LEN;
        }
        Ok(done as f64 / MIB as f64)
    }
}

/// Sends a request. It is the number of bytes that the service must send or, with the flag
/// [`UPLOAD_FLAG`](crate::service::UPLOAD_FLAG), the number of bytes that the client sends next.
fn send_request(stream: &mut Stream, request: u64) -> io::Result<()> {
    stream.write_all(&request.to_be_bytes())?;
    stream.flush()
}
