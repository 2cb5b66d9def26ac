//! Asks the axum server with the hyper client.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{PrivateKey, PrivateKeyForm};
use grille_registry::{kem_by_name, signature_by_name};
use grille_tls::{Check, Client, ClientOptions, Preferences};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

#[test]
fn client_reads_the_answer_over_a_hybrid_group() {
    let folder = folder_with_certificates();
    let server = Server::start(folder.path());
    let output = server.ask(&folder.path().join("root.pem"));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "X25519MLKEM768: 200 OK\nhello\n");
}

#[test]
fn client_rejects_a_server_of_an_unknown_root() {
    let folder = folder_with_certificates();
    let server = Server::start(folder.path());
    let other = folder_with_certificates();
    let output = server.ask(&other.path().join("root.pem"));
    assert!(!output.status.success() && output.stdout.is_empty());
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("InvalidCertificate"), "{error}");
}

#[test]
fn server_refuses_clients_without_a_post_quantum_group() {
    let folder = folder_with_certificates();
    let server = Server::start(folder.path());
    let preferences = Preferences { groups: vec![kem_by_name("X25519").unwrap()], ..Preferences::default() };
    let options = ClientOptions { preferences, check: Check::DangerousAcceptAny, ..ClientOptions::default() };
    let error = Client::new(options).unwrap().connect(&server.address, "localhost").err().unwrap();
    assert!(error.to_string().contains("handshake_failure"), "{error}");
}

/// A running server, which is stopped on drop.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    /// Starts the server on a free port and waits until it listens.
    fn start(folder: &Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_axum_server"))
            .args(["127.0.0.1:0", "chain.pem", "key.pem"])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line:?}"));
        Server { address: address.to_owned(), process }
    }

    /// Runs the client, which trusts the root of a file.
    fn ask(&self, root: &Path) -> Output {
        let port = self.address.rsplit(':').next().unwrap();
        let url = format!("https://localhost:{port}/");
        Command::new(env!("CARGO_BIN_EXE_hyper_client")).arg(url).arg(root).output().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Creates a folder with an ML-DSA-65 root, and with the chain and the key of a server that it certifies.
fn folder_with_certificates() -> tempfile::TempDir {
    let (row, rng) = (signature_by_name("ML-DSA-65").unwrap(), &mut SystemRng);
    let [root_key, key] = [(); 2].map(|()| PrivateKey::generate(row, rng).unwrap());
    let root = self_signed(&Template::new("CN=root", Profile::Root).unwrap(), &root_key, rng).unwrap();
    let template = Template::new("CN=server", Profile::end_entity(&["localhost"]).unwrap()).unwrap();
    let leaf = issue(&template, key.public_key(), &root, &root_key, rng).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = |name| folder.path().join(name);
    fs::write(file("root.pem"), root.to_pem().unwrap()).unwrap();
    fs::write(file("chain.pem"), leaf.to_pem().unwrap()).unwrap();
    let key = key.to_pkcs8_pem(PrivateKeyForm::default_for(row)).unwrap();
    fs::write(file("key.pem"), key.as_bytes()).unwrap();
    folder
}
