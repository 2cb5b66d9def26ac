//! A hyper client over quantum-safe TLS: `hyper_client URL ROOTS`, with the trusted root certificates as a PEM file.
//!
//! Prints the group of the key exchange, the status and the body. Only servers with a post-quantum group can be reached.

use grille_tls::{Preferences, provider};
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper::client::conn::http1;
use hyper::header::HOST;
use hyper::{Request, Uri};
use hyper_util::rt::TokioIo;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::error::Error;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, roots] = arguments.as_slice() else {
        return Err("usage: hyper_client URL ROOTS".into());
    };
    let url: Uri = url.parse()?;
    let authority = url.authority().ok_or("the URL has no host")?;
    let host = authority.host().trim_matches(['[', ']']).to_owned();
    let socket = TcpStream::connect((host.as_str(), authority.port_u16().unwrap_or(443))).await?;
    let connector = TlsConnector::from(Arc::new(tls(roots)?));
    let stream = connector.connect(ServerName::try_from(host)?, socket).await?;
    let group = stream.get_ref().1.negotiated_key_exchange_group().ok_or("no key exchange")?.name();

    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let path = url.path_and_query().map_or("/", |path| path.as_str());
    let request = Request::get(path).header(HOST, authority.as_str()).body(Empty::<Bytes>::new())?;
    let response = sender.send_request(request).await?;
    println!("{group:?}: {}", response.status());
    let body = response.into_body().collect().await?.to_bytes();
    print!("{}", String::from_utf8_lossy(&body));
    Ok(())
}

/// Returns a configuration of rustls that trusts the root certificates of a file.
fn tls(roots: &str) -> Result<ClientConfig, Box<dyn Error>> {
    let mut trusted = RootCertStore::empty();
    for root in CertificateDer::pem_file_iter(roots)? {
        trusted.add(root?)?;
    }
    let provider = Arc::new(provider(&Preferences::default())?);
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(trusted)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
