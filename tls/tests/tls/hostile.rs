//! Handshakes that are cut off, or have a bit flipped, at every byte on the wire: both sides end, with a line that says
//! why, and nothing that was altered is believed.

use crate::desk::{NAME, Party, client_options, server_options};
use crate::harm::{Both, Harm, between, harms, may_pass, said, spread, talk};
use grille_registry::signature_by_name;
use grille_tls::{Client, Error, Server};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Both sides, who have never met before each trial.
struct Trial {
    server: Arc<Server>,
    client: Client,
}

impl Trial {
    /// Mutual authentication with short keys; a side waits so long.
    fn new(own_order: bool, patience: Duration) -> Self {
        let party = Party::of(signature_by_name("ML-DSA-44").unwrap());
        let timeout = Some(patience);
        let mut server = server_options(&party, &party);
        (server.tickets, server.timeout, server.own_order) = (false, timeout, own_order);
        let mut client = client_options(&party, &party);
        client.timeout = timeout;
        let server = Arc::new(Server::bind("127.0.0.1:0", server).unwrap());
        Self { server, client: Client::new(client).unwrap() }
    }

    /// A connection through hostile hands: how each side ended, and the bytes each way.
    fn run(&self, harms: Both<Harm>) -> (Both<Result<(), Error>>, Both<Vec<u8>>) {
        let (address, carried) = between(self.server.local_addr().unwrap(), harms);
        let serving = thread::spawn({
            let server = self.server.clone();
            move || {
                let (socket, peer) = server.accept()?;
                talk(server.handshake(socket, peer)?, b"pong", b"ping")
            }
        });
        let client = self.client.connect(&address, NAME).and_then(|c| talk(c, b"ping", b"pong"));
        let server = serving.join().expect("the server does not panic");
        ([server, client], carried.join().unwrap())
    }
}

fn harm_everywhere(own_order: bool, step: usize) {
    let (ends, streams) = Trial::new(own_order, Duration::from_secs(60)).run([Harm::None; 2]);
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    let alerts = spread(&harms(&streams, step), |part| alerts_of(own_order, part, &streams));
    assert!(alerts > 0, "nobody ever heard an alert");
}

/// Does each harm, and counts the alerts that were heard.
fn alerts_of(own_order: bool, trials: &[Both<Harm>], streams: &Both<Vec<u8>>) -> usize {
    let trial = Trial::new(own_order, Duration::from_millis(400));
    let mut alerts = 0;
    for harms in trials {
        let (ends, _) = trial.run(*harms);
        let texts: Vec<String> = ends.iter().filter_map(said).collect();
        assert!(!texts.is_empty() || may_pass(*harms, streams), "{harms:?} went unnoticed");
        alerts += usize::from(texts.iter().any(|text| text.contains("gave up with the alert")));
    }
    alerts
}

#[test]
fn handshakes_that_are_harmed_at_some_bytes_fail_and_end() {
    harm_everywhere(false, 211);
}

#[test]
fn so_do_those_of_a_server_that_reads_the_hello_first() {
    harm_everywhere(true, 509);
}

#[test]
#[ignore = "every byte of some 14,000, a connection or two for each: minutes"]
fn handshakes_that_are_harmed_at_any_byte_fail_and_end() {
    harm_everywhere(false, 1);
}
