//! A TLS 1.3 peer based on wolfSSL, as built by its crate.
#![forbid(unsafe_code)]

mod dialog;

use dialog::{DynResult, Library, Tls};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::ExitCode;
use wolfssl::{
    ContextBuilder, CurveGroup, IOCallbackResult, IOCallbacks, Method, Poll, RootCertificate, Secret,
    Session, SessionConfig, SslVerifyMode,
};

/// The groups for which the crate has names. The codepoints of p256_mlkem512, p384_mlkem768 and p521_mlkem1024 are
/// those of oqs-provider.
const GROUPS: [(&str, CurveGroup); 6] = [
    ("X25519MLKEM768", CurveGroup::X25519MLKEM768),
    ("p256_mlkem512", CurveGroup::P256MLKEM512),
    ("p384_mlkem768", CurveGroup::P384MLKEM768),
    ("p521_mlkem1024", CurveGroup::P521MLKEM1024),
    ("X25519", CurveGroup::EccX25519),
    ("secp256r1", CurveGroup::EccSecp256R1),
];

fn main() -> ExitCode {
    dialog::main(&Library { name: "wolfSSL", client, server })
}

fn parse_group(name: &str) -> DynResult<CurveGroup> {
    let known = GROUPS.iter().find(|(known, _)| *known == name);
    Ok(known.ok_or_else(|| format!("unknown group {name}"))?.1)
}

fn client(socket: TcpStream, group: &str, roots: &str) -> DynResult<Box<dyn Tls>> {
    let group = parse_group(group)?;
    let context = ContextBuilder::new(Method::TlsClientV1_3)?
        .with_groups(&[group])?
        .with_root_certificate(RootCertificate::PemFileOrDirectory(Path::new(roots)))?
        .with_verify_method(SslVerifyMode::SslVerifyPeer)
        .build();
    let config = SessionConfig::new(Socket(socket))
        .with_sni("localhost")
        .with_checked_domain_name("localhost")
        .with_keyshare_group(group);
    complete_handshake(context.new_session(config)?)
}

fn server(socket: TcpStream, group: &str, chain: &str, key: &str) -> DynResult<Box<dyn Tls>> {
    let context = ContextBuilder::new(Method::TlsServerV1_3)?
        .with_groups(&[parse_group(group)?])?
        .with_certificate(Secret::PemFile(Path::new(chain)))?
        .with_private_key(Secret::PemFile(Path::new(key)))?
        .build();
    complete_handshake(context.new_session(SessionConfig::new(Socket(socket)))?)
}

fn complete_handshake(mut session: Session<Socket>) -> DynResult<Box<dyn Tls>> {
    require_ready(session.try_negotiate())?;
    Ok(Box::new(Connection(session)))
}

/// Converts wolfSSL's result. The socket is blocking, so a pending result means a timeout.
fn require_ready<T>(result: Result<Poll<T>, wolfssl::Error>) -> io::Result<T> {
    match result.map_err(io::Error::other)? {
        Poll::Ready(value) => Ok(value),
        _ => Err(io::ErrorKind::TimedOut.into()),
    }
}

struct Connection(Session<Socket>);

impl Read for Connection {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        require_ready(self.0.try_read_slice(buffer))
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        require_ready(self.0.try_write_slice(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Tls for Connection {
    fn group(&mut self) -> String {
        self.0.get_current_curve_name().unwrap_or_else(|| "no group".to_owned())
    }

    fn close(&mut self) -> DynResult<()> {
        require_ready(self.0.try_shutdown())?;
        Ok(())
    }
}

/// A socket with wolfSSL's callbacks for reading and writing.
struct Socket(TcpStream);

impl IOCallbacks for Socket {
    fn recv(&mut self, buffer: &mut [u8]) -> IOCallbackResult<usize> {
        result(self.0.read(buffer))
    }

    fn send(&mut self, bytes: &[u8]) -> IOCallbackResult<usize> {
        result(self.0.write(bytes))
    }
}

fn result(result: io::Result<usize>) -> IOCallbackResult<usize> {
    match result {
        Ok(len) => IOCallbackResult::Ok(len),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => IOCallbackResult::WouldBlock,
        Err(error) => IOCallbackResult::Err(error),
    }
}
