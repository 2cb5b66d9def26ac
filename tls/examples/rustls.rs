//! A rustls server and client with ML-DSA certificates: `cargo run --example rustls`.
//!
//! Everything but the provider comes from rustls. The same configurations work in every library that accepts a rustls
//! configuration: axum-server, hyper, reqwest, tokio-rustls.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{PrivateKey, PrivateKeyForm};
use grille_tls::{Preferences, provider};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use std::error::Error;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

fn main() -> Result<(), Box<dyn Error>> {
    let (root, chain, key) = certificates()?;
    let provider = Arc::new(provider(&Preferences::default())?);

    let server = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let serving = thread::spawn(move || serve(&listener, server).map_err(|error| error.to_string()));

    let mut roots = RootCertStore::empty();
    roots.add(root)?;
    let client = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let connection = ClientConnection::new(Arc::new(client), ServerName::try_from("localhost")?)?;
    let mut stream = StreamOwned::new(connection, TcpStream::connect(address)?);
    let mut greeting = String::new();
    stream.read_to_string(&mut greeting)?;
    serving.join().map_err(|_| "the server panicked")??;

    let group = stream.conn.negotiated_key_exchange_group().ok_or("no key exchange")?;
    println!("the server said {greeting:?} over {:?}", group.name());
    Ok(())
}

/// Greets one client.
fn serve(listener: &TcpListener, config: ServerConfig) -> Result<(), Box<dyn Error>> {
    let (socket, _) = listener.accept()?;
    let mut stream = StreamOwned::new(ServerConnection::new(Arc::new(config))?, socket);
    stream.write_all(b"hello")?;
    stream.conn.send_close_notify();
    Ok(stream.flush()?)
}

/// Issues a server's certificate. Returns the root, and the server's chain and key. A real server reads them from
/// files.
fn certificates()
-> Result<(CertificateDer<'static>, Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), Box<dyn Error>> {
    let row = grille_registry::signature_by_name("ML-DSA-65")?;
    let rng = &mut SystemRng;
    let (root_key, key) = (PrivateKey::generate(row, rng)?, PrivateKey::generate(row, rng)?);
    let root = self_signed(&Template::new("CN=root", Profile::Root)?, &root_key, rng)?;
    let template = Template::new("CN=server", Profile::end_entity(&["localhost"])?)?;
    let leaf = issue(&template, key.public_key(), &root, &root_key, rng)?;
    let key = key.to_pkcs8_der(PrivateKeyForm::default_for(row))?;
    let key = PrivatePkcs8KeyDer::from(key.as_ref().to_vec()).into();
    Ok((root.to_der().into(), vec![leaf.to_der().into()], key))
}

#[cfg(test)]
#[test]
fn client_receives_the_greeting() {
    main().unwrap();
}
