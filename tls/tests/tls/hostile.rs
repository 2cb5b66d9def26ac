//! Handshakes in which bytes on the wire are altered or cut off. A side that is affected ends with an error, and
//! altered data is never accepted.

use crate::faults::{
    Fault, PerDirection, error_line, exchange, faults, interpose, may_remain_undetected, run_in_parallel,
};
use crate::fixture::{NAME, Party, client_options, server_options};
use grille_registry::signature_by_name;
use grille_tls::{Client, Error, Server};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// A client and a server that never resume a session.
struct Trial {
    server: Arc<Server>,
    client: Client,
}

impl Trial {
    /// Sets up a client and a server with mutual authentication, short keys and this timeout. `prefers_server_order`:
    /// whether the server's order of groups takes precedence.
    fn new(prefers_server_order: bool, timeout: Duration) -> Self {
        let party = Party::shared(signature_by_name("ML-DSA-44").unwrap());
        let timeout = Some(timeout);
        let mut server = server_options(&party, &party);
        (server.tickets, server.timeout, server.prefer_server_order) = (false, timeout, prefers_server_order);
        let mut client = client_options(&party, &party);
        client.timeout = timeout;
        let server = Arc::new(Server::bind("127.0.0.1:0", server).unwrap());
        Self { server, client: Client::new(client).unwrap() }
    }

    /// Runs a connection through a man in the middle. Returns the result of each side and the bytes in each
    /// direction.
    fn run(&self, faults: PerDirection<Fault>) -> (PerDirection<Result<(), Error>>, PerDirection<Vec<u8>>) {
        let (address, carried) = interpose(self.server.local_addr().unwrap(), faults);
        let serving = thread::spawn({
            let server = self.server.clone();
            move || {
                let (socket, peer) = server.accept()?;
                exchange(server.handshake(socket, peer)?, b"pong", b"ping")
            }
        });
        let client = self.client.connect(&address, NAME).and_then(|c| exchange(c, b"ping", b"pong"));
        let server = serving.join().expect("the server does not panic");
        ([server, client], carried.join().unwrap())
    }
}

fn inject_faults(own_order: bool, step: usize) {
    let (ends, streams) = Trial::new(own_order, Duration::from_secs(60)).run([Fault::None; 2]);
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    let alerts = run_in_parallel(&faults(&streams, step), |part| count_alerts(own_order, part, &streams));
    assert!(alerts > 0, "no alert was ever received");
}

/// Applies each fault, checks that it is detected, and returns the number of connections in which a side received an
/// alert.
fn count_alerts(own_order: bool, trials: &[PerDirection<Fault>], streams: &PerDirection<Vec<u8>>) -> usize {
    let trial = Trial::new(own_order, Duration::from_millis(400));
    let mut alerts = 0;
    for faults in trials {
        let (ends, _) = trial.run(*faults);
        let texts: Vec<String> = ends.iter().filter_map(error_line).collect();
        assert!(!texts.is_empty() || may_remain_undetected(*faults, streams), "{faults:?} was not detected");
        alerts += usize::from(texts.iter().any(|text| text.contains("aborted with the alert")));
    }
    alerts
}

#[test]
fn faults_at_sampled_bytes_fail_the_handshake() {
    inject_faults(false, 211);
}

#[test]
fn faults_fail_the_handshake_with_the_servers_group_order() {
    inject_faults(true, 509);
}

#[test]
#[ignore = "takes minutes: one or two connections for each of 14,000 bytes"]
fn faults_at_every_byte_fail_the_handshake() {
    inject_faults(false, 1);
}
