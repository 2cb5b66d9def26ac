//! Handshakes of wolfSSL, as built by its crate.

use crate::party::{NAME, Party};
use crate::pipe::{Pipe, run_handshake};
use std::io::{self, Read, Write};
use wolfssl::{
    Context, ContextBuilder, CurveGroup, IOCallbackResult, IOCallbacks, Method, Poll, RootCertificate,
    Secret, Session, SessionConfig, SslVerifyMode,
};

/// Groups that the crate has names for.
const GROUPS: [(&str, CurveGroup); 6] = [
    ("X25519MLKEM768", CurveGroup::X25519MLKEM768),
    ("p256_mlkem512", CurveGroup::P256MLKEM512),
    ("p384_mlkem768", CurveGroup::P384MLKEM768),
    ("p521_mlkem1024", CurveGroup::P521MLKEM1024),
    ("X25519", CurveGroup::EccX25519),
    ("secp256r1", CurveGroup::EccSecp256R1),
];

/// Signature algorithms of the build, which lacks ML-DSA and Ed25519.
const SIGNATURES: [&str; 4] = ["ECDSA-P256-SHA256", "ECDSA-P384-SHA384", "ECDSA-P521-SHA512", "RSA-2048"];

pub fn handshakes(group: &str, party: &Party) -> Option<Box<dyn FnMut()>> {
    let (_, group) = *GROUPS.iter().find(|(name, _)| *name == group)?;
    if !SIGNATURES.contains(&party.signature) {
        return None;
    }
    let (client, server) = (client(group, party), server(group, party));
    Some(Box::new(move || {
        let [near, far] = Pipe::pair();
        let near = SessionConfig::new(PipeEnd(near))
            .with_sni(NAME)
            .with_checked_domain_name(NAME)
            .with_keyshare_group(group);
        let mut client = client.new_session(near).expect("a client");
        let mut server = server.new_session(SessionConfig::new(PipeEnd(far))).expect("a server");
        run_handshake(|| advance(&mut client), || advance(&mut server));
    }))
}

fn context(method: Method, group: CurveGroup) -> ContextBuilder {
    let context = ContextBuilder::new(method).expect("a context");
    let context = context.with_cipher_list("TLS13-AES256-GCM-SHA384").expect("a suite");
    context.with_groups(&[group]).expect("a group")
}

fn client(group: CurveGroup, party: &Party) -> Context {
    let root = RootCertificate::Asn1Buffer(party.root.as_der());
    let context = context(Method::TlsClientV1_3, group).with_root_certificate(root).expect("a root");
    context.with_verify_method(SslVerifyMode::SslVerifyPeer).build()
}

fn server(group: CurveGroup, party: &Party) -> Context {
    let context = context(Method::TlsServerV1_3, group);
    let context = context.with_certificate(Secret::Asn1Buffer(party.entity.as_der())).expect("a certificate");
    let key = party.pkcs8().expect("a key");
    context.with_private_key(Secret::Asn1Buffer(&key)).expect("the certificate's key").build()
}

/// Continues a handshake and returns whether it is over.
fn advance(end: &mut Session<PipeEnd>) -> bool {
    match end.try_negotiate().expect("the messages are valid") {
        Poll::Ready(()) => true,
        Poll::PendingRead => false,
        other => panic!("{other:?}"),
    }
}

/// A pipe with wolfSSL's callbacks for reading and writing.
struct PipeEnd(Pipe);

impl IOCallbacks for PipeEnd {
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
