//! A TLS 1.3 peer based on BoringSSL.
#![forbid(unsafe_code)]

mod dialog;

use boring::ssl::{
    SslAcceptor, SslConnector, SslContextBuilder, SslFiletype, SslMethod, SslStream, SslVerifyMode,
    SslVersion,
};
use dialog::{DynResult, Library, Tls};
use std::net::TcpStream;
use std::process::ExitCode;

/// Groups that have different names in grille and in BoringSSL: grille's name, then BoringSSL's.
const GROUPS: [(&str, &str); 2] = [("ML-KEM-1024", "MLKEM1024"), ("secp256r1", "P-256")];

/// Signature algorithms that the client accepts from servers. They are listed because BoringSSL does not offer ML-DSA
/// by default.
const SIGNATURES: &str = "ecdsa_secp256r1_sha256:ed25519:rsa_pss_rsae_sha256:mldsa44:mldsa65:mldsa87";

fn main() -> ExitCode {
    dialog::main(&Library { name: "BoringSSL", client, server })
}

fn restrict_to_group(context: &mut SslContextBuilder, group: &str) -> DynResult<()> {
    let own = GROUPS.iter().find(|(name, _)| *name == group).map_or(group, |(_, own)| own);
    context.set_min_proto_version(Some(SslVersion::TLS1_3))?;
    context.set_curves_list(own)?;
    Ok(())
}

fn client(socket: TcpStream, group: &str, roots: &str) -> DynResult<Box<dyn Tls>> {
    let mut connector = SslConnector::builder(SslMethod::tls())?;
    restrict_to_group(&mut connector, group)?;
    connector.set_sigalgs_list(SIGNATURES)?;
    connector.set_ca_file(roots)?;
    connector.set_verify(SslVerifyMode::PEER);
    Ok(Box::new(connector.build().connect("localhost", socket)?))
}

fn server(socket: TcpStream, group: &str, chain: &str, key: &str) -> DynResult<Box<dyn Tls>> {
    let mut acceptor = SslAcceptor::mozilla_intermediate_v5(SslMethod::tls())?;
    restrict_to_group(&mut acceptor, group)?;
    acceptor.set_certificate_chain_file(chain)?;
    acceptor.set_private_key_file(key, SslFiletype::PEM)?;
    Ok(Box::new(acceptor.build().accept(socket)?))
}

impl Tls for SslStream<TcpStream> {
    fn group(&mut self) -> String {
        self.ssl().curve_name().unwrap_or("no group").to_owned()
    }

    fn close(&mut self) -> DynResult<()> {
        self.shutdown()?;
        Ok(())
    }
}
