//! Handshakes of grille.

use crate::party::{NAME, Party};
use ::rustls::crypto::aws_lc_rs::cipher_suite::TLS13_AES_256_GCM_SHA384;
use grille_registry::kem_by_name;
use grille_tls::memory::Pair;
use grille_tls::{Client, ClientOptions, Identity, Preferences, Server, ServerOptions};

pub fn handshakes(group: &str, party: &Party) -> Option<Box<dyn FnMut()>> {
    let preferences = Preferences {
        groups: vec![kem_by_name(group).expect("a registered group")],
        suites: vec![TLS13_AES_256_GCM_SHA384],
        ..Preferences::default()
    };
    let identity = Identity::new(std::slice::from_ref(&party.entity), &party.key).expect("an identity");
    let server =
        ServerOptions { preferences: preferences.clone(), tickets: false, ..ServerOptions::new(identity) };
    let server = Server::bind("127.0.0.1:0", server).expect("a server");
    let client = ClientOptions {
        preferences,
        roots: vec![party.root.clone()],
        resume: false,
        ..ClientOptions::default()
    };
    let client = Client::new(client).expect("a client");
    Some(Box::new(move || drop(Pair::handshake(&client, &server, NAME).expect("a handshake"))))
}
