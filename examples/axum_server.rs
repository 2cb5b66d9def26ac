//! An axum server over quantum-safe TLS: `axum_server ADDRESS CHAIN KEY`, with the server's certificates and private key
//! as PEM files.
//!
//! Only clients with a post-quantum group can connect. The certificate may be classical, for browsers, or post-quantum.

use axum::Router;
use axum::routing::get;
use axum_server::Handle;
use axum_server::tls_rustls::RustlsConfig;
use grille_tls::{Preferences, provider};
use rustls::ServerConfig;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, chain, key] = arguments.as_slice() else {
        return Err("usage: axum_server ADDRESS CHAIN KEY".into());
    };
    let config = RustlsConfig::from_config(Arc::new(tls(chain, key)?));
    let handle = Handle::new();
    let server = axum_server::bind_rustls(address.parse::<SocketAddr>()?, config).handle(handle.clone());
    tokio::spawn(async move {
        if let Some(address) = handle.listening().await {
            println!("listening on {address}");
        }
    });
    let app = Router::new().route("/", get(async || "hello\n"));
    Ok(server.serve(app.into_make_service()).await?)
}

/// Returns a configuration of rustls with the certificates and the private key of two files.
fn tls(chain: &str, key: &str) -> Result<ServerConfig, Box<dyn Error>> {
    let chain = CertificateDer::pem_file_iter(chain)?.collect::<Result<_, _>>()?;
    let provider = Arc::new(provider(&Preferences::default())?);
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, PrivateKeyDer::from_pem_file(key)?)?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(config)
}
