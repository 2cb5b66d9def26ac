//! Handshakes of rustls with its default provider.

use crate::party::{NAME, Party};
use crate::pipe::{Pipe, run_handshake};
use rustls::client::Resumption;
use rustls::crypto::aws_lc_rs::cipher_suite::TLS13_AES_256_GCM_SHA384;
use rustls::crypto::aws_lc_rs::{ALL_KX_GROUPS, default_provider};
use rustls::crypto::{CryptoProvider, SupportedKxGroup};
use rustls::pki_types::{PrivatePkcs8KeyDer, ServerName};
use rustls::server::NoServerSessionStorage;
use rustls::version::TLS13;
use rustls::{
    ClientConfig, ClientConnection, ConnectionCommon, NamedGroup, RootCertStore, ServerConfig,
    ServerConnection, SideData,
};
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

const GROUPS: [(&str, NamedGroup); 6] = [
    ("X25519MLKEM768", NamedGroup::X25519MLKEM768),
    ("SecP256r1MLKEM768", NamedGroup::secp256r1MLKEM768),
    ("ML-KEM-768", NamedGroup::MLKEM768),
    ("ML-KEM-1024", NamedGroup::MLKEM1024),
    ("X25519", NamedGroup::X25519),
    ("secp256r1", NamedGroup::secp256r1),
];

pub fn handshakes(group: &str, party: &Party) -> Option<Box<dyn FnMut()>> {
    let (_, code) = GROUPS.iter().find(|(name, _)| *name == group)?;
    let group = *ALL_KX_GROUPS.iter().find(|group| group.name() == *code)?;
    let (client, server) = (client(group, party), server(group, party));
    let name = ServerName::try_from(NAME).expect("a name");
    Some(Box::new(move || {
        let mut client = ClientConnection::new(client.clone(), name.clone()).expect("a client");
        let mut server = ServerConnection::new(server.clone()).expect("a server");
        let [mut near, mut far] = Pipe::pair();
        run_handshake(|| advance(&mut client, &mut near), || advance(&mut server, &mut far));
    }))
}

fn provider(group: &'static dyn SupportedKxGroup) -> Arc<CryptoProvider> {
    Arc::new(CryptoProvider {
        cipher_suites: vec![TLS13_AES_256_GCM_SHA384],
        kx_groups: vec![group],
        ..default_provider()
    })
}

fn client(group: &'static dyn SupportedKxGroup, party: &Party) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    roots.add(party.root.to_der().into()).expect("a root");
    let builder = ClientConfig::builder_with_provider(provider(group)).with_protocol_versions(&[&TLS13]);
    let mut config = builder.expect("TLS 1.3").with_root_certificates(roots).with_no_client_auth();
    config.resumption = Resumption::disabled();
    // grille-tls enables rustls' compression of certificates, and cargo unifies features; the other libraries do not compress
    config.cert_decompressors.clear();
    Arc::new(config)
}

fn server(group: &'static dyn SupportedKxGroup, party: &Party) -> Arc<ServerConfig> {
    let key = PrivatePkcs8KeyDer::from(party.pkcs8().expect("a key"));
    let builder = ServerConfig::builder_with_provider(provider(group)).with_protocol_versions(&[&TLS13]);
    let builder = builder.expect("TLS 1.3").with_no_client_auth();
    let mut config =
        builder.with_single_cert(vec![party.entity.to_der().into()], key.into()).expect("a certificate");
    config.send_tls13_tickets = 0;
    // as in the client
    config.cert_compressors.clear();
    config.session_storage = Arc::new(NoServerSessionStorage {});
    Arc::new(config)
}

/// Reads and writes all pending data, and returns whether the handshake is over.
fn advance<Side: SideData>(
    connection: &mut (impl DerefMut + Deref<Target = ConnectionCommon<Side>>),
    pipe: &mut Pipe,
) -> bool {
    loop {
        match connection.read_tls(pipe) {
            Ok(_) => _ = connection.process_new_packets().expect("the messages are valid"),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    while connection.wants_write() {
        connection.write_tls(pipe).expect("a pipe accepts all bytes");
    }
    !connection.is_handshaking()
}
