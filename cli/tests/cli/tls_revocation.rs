//! Revocation of the certificates of TLS peers.

use crate::tls::{CLIENT, SERVER, TestServer, sandbox};

#[test]
fn refuses_revoked_servers_and_clients() {
    let sandbox = sandbox();
    for party in ["server", "client"] {
        let issuer = format!("--ca {party}-root.crt --ca-key {party}-root.key");
        sandbox.ok(&format!("cert crl --quiet {issuer} --out {party}-none.crl"));
        sandbox.ok(&format!("cert crl --quiet {issuer} --revoke {party}-own.crt --out {party}-own.crl"));
    }
    let server = TestServer::start(&sandbox, SERVER);
    let client =
        format!("tls client localhost:{} --ca server-root.crt --message hello --resume", server.port);
    sandbox.ok(&format!("{client} --crl server-none.crl"));
    let revoked = ["localhost", "the certificate of CN=server was revoked on 20"];
    sandbox.refuses(1, &format!("{client} --crl server-own.crl"), &revoked);
    let uncovered = ["CN=server", "a list of CN=server-root is needed"];
    sandbox.refuses(1, &format!("{client} --crl client-none.crl"), &uncovered);
    sandbox.refuses(1, &format!("{client} --crl server-root.crt"), &["server-root.crt", "X509 CRL"]);
    let unchecked = format!("tls client localhost:{} --insecure --crl server-none.crl", server.port);
    sandbox.refuses(2, &unchecked, &["--insecure", "--crl"]);
    let scan = format!("tls scan localhost:{} --rate 1000", server.port);
    assert_eq!(sandbox.json(&format!("{scan} --ca server-root.crt --crl server-none.crl"))["trusted"], true);
    let done = sandbox.run(&format!("{scan} --ca server-root.crt --crl server-own.crl"));
    assert!(done.code == 1 && done.stderr.contains("was revoked on 20"), "{}", done.stderr);
    sandbox.refuses(2, &format!("{scan} --crl server-none.crl"), &["--crl", "--ca or --system-roots"]);
    for (list, code) in [("client-none.crl", 0), ("client-own.crl", 1)] {
        let server = TestServer::start(&sandbox, &format!("{SERVER} --ca client-root.crt --crl {list}"));
        let done = sandbox.run(&format!("tls client localhost:{} {CLIENT} --message hello", server.port));
        assert_eq!(done.code, code, "{list}: {}", done.stderr);
    }
    sandbox.refuses(2, &format!("tls server {SERVER} --crl client-none.crl"), &["--ca"]);
}
