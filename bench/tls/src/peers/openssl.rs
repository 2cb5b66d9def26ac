//! Handshakes of OpenSSL.

use crate::party::{NAME, Party};
use crate::pipe::{Pipe, run_handshake};
use openssl::pkey::PKey;
use openssl::ssl::{
    ErrorCode, Ssl, SslContext, SslContextBuilder, SslMethod, SslSessionCacheMode, SslStream, SslVerifyMode,
    SslVersion,
};
use openssl::x509::X509;

const GROUPS: [(&str, &str); 8] = [
    ("X25519MLKEM768", "X25519MLKEM768"),
    ("SecP256r1MLKEM768", "SecP256r1MLKEM768"),
    ("SecP384r1MLKEM1024", "SecP384r1MLKEM1024"),
    ("ML-KEM-512", "MLKEM512"),
    ("ML-KEM-768", "MLKEM768"),
    ("ML-KEM-1024", "MLKEM1024"),
    ("X25519", "X25519"),
    ("secp256r1", "P-256"),
];

pub fn handshakes(group: &str, party: &Party) -> Option<Box<dyn FnMut()>> {
    let (_, group) = GROUPS.iter().find(|(name, _)| *name == group)?;
    let (client, server) = (client(group, party), server(group, party));
    Some(Box::new(move || {
        let [near, far] = Pipe::pair();
        let mut ssl = Ssl::new(&client).expect("a client");
        ssl.set_hostname(NAME).expect("a name");
        ssl.param_mut().set_host(NAME).expect("a name");
        ssl.set_connect_state();
        let mut client = SslStream::new(ssl, near).expect("a client");
        let mut ssl = Ssl::new(&server).expect("a server");
        ssl.set_accept_state();
        let mut server = SslStream::new(ssl, far).expect("a server");
        run_handshake(|| advance(&mut client), || advance(&mut server));
    }))
}

fn context(group: &str) -> SslContextBuilder {
    let mut context = SslContext::builder(SslMethod::tls()).expect("a context");
    context.set_min_proto_version(Some(SslVersion::TLS1_3)).expect("TLS 1.3");
    context.set_ciphersuites("TLS_AES_256_GCM_SHA384").expect("a suite");
    context.set_groups_list(group).expect("a group");
    context.set_session_cache_mode(SslSessionCacheMode::OFF);
    context
}

fn client(group: &str, party: &Party) -> SslContext {
    let mut context = context(group);
    let root = X509::from_der(party.root.as_der()).expect("a root");
    context.cert_store_mut().add_cert(root).expect("a root");
    context.set_verify(SslVerifyMode::PEER);
    context.build()
}

fn server(group: &str, party: &Party) -> SslContext {
    let mut context = context(group);
    let key = PKey::private_key_from_pkcs8(&party.pkcs8().expect("a key")).expect("a key");
    context
        .set_certificate(&X509::from_der(party.entity.as_der()).expect("a certificate"))
        .expect("its type");
    context.set_private_key(&key).expect("the certificate's key");
    context.set_num_tickets(0).expect("no tickets");
    context.build()
}

/// Continues a handshake and returns whether it is over.
fn advance(end: &mut SslStream<Pipe>) -> bool {
    match end.do_handshake() {
        Ok(()) => true,
        Err(error) if error.code() == ErrorCode::WANT_READ => false,
        Err(error) => panic!("{error}"),
    }
}
