//! `grille proxy` with a low limit of open files, and with invalid certificates at a reload.

use crate::proxy::{RunningProxy, echo, sandbox};
use crate::sandbox::Sandbox;
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue};
use grille_pki::{Certificate, PrivateKey};
use grille_tls::{Client, ClientOptions};
use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Starts a proxy from `sh` after these commands.
fn start_after(sandbox: &Sandbox, commands: &str, words: &str) -> RunningProxy {
    let words = format!("--to {} --cert own.crt --key own.key {words}", echo());
    RunningProxy::start_modified(sandbox, &words, |grille| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{commands}; exec \"$@\""), "sh"]);
        shell.arg(grille.get_program()).args(grille.get_args());
        if let Some(folder) = grille.get_current_dir() {
            shell.current_dir(folder);
        }
        shell.env_remove("SSLKEYLOGFILE");
        shell
    })
}

fn client(sandbox: &Sandbox) -> Client {
    let roots = vec![Certificate::from_pem_or_der(&sandbox.get("root.crt")).unwrap()];
    let timeout = Some(Duration::from_secs(60));
    Client::new(ClientOptions { roots, timeout, ..ClientOptions::default() }).unwrap()
}

/// Returns the soft limit of open files of a process.
fn limit(process: u32) -> u64 {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    line.split_whitespace().nth(3).unwrap().parse().unwrap()
}

#[test]
fn raises_the_soft_limit_of_open_files() {
    let sandbox = sandbox();
    let proxy = start_after(&sandbox, "ulimit -S -n 64; ulimit -H -n 500", "--max-connections 100");
    assert_eq!(limit(proxy.id()), 232, "two for each connection, and 32");
}

#[test]
fn serves_all_clients_with_fewer_descriptors_than_connections_need() {
    let sandbox = sandbox();
    let mut proxy = start_after(&sandbox, "ulimit -n 60", "--max-connections 100");
    let warning = proxy.event("few_descriptors");
    assert_eq!((&warning["limit"], &warning["needed"]), (&60.into(), &232.into()));
    assert_eq!(warning["connections"], 14);
    let (client, address) = (Arc::new(client(&sandbox)), format!("127.0.0.1:{}", proxy.port));
    let exchange = |mut connection: grille_tls::Connection| {
        connection.write_all(b"hello").unwrap();
        connection.read_exact(&mut [0; 5]).unwrap();
        connection
    };
    let open: Vec<_> = (0..14).map(|_| exchange(client.connect(&address, "localhost").unwrap())).collect();
    let waiting: Vec<_> = (0..16)
        .map(|_| {
            let (client, address) = (client.clone(), address.clone());
            thread::spawn(move || exchange(client.connect(&address, "localhost").unwrap()).close().unwrap())
        })
        .collect();
    for connection in open {
        connection.close().unwrap();
    }
    for waited in waiting {
        waited.join().unwrap();
    }
}

#[test]
fn waits_for_a_descriptor_for_the_service() {
    let sandbox = sandbox();
    let mut proxy = start_after(&sandbox, "ulimit -S -n 232; ulimit -H -n 500", "--max-connections 100");
    let open: BTreeSet<u64> = fs::read_dir(format!("/proc/{}/fd", proxy.id()))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_str().unwrap().parse().unwrap())
        .collect();
    let free = (0..).find(|number| !open.contains(number)).unwrap();
    // a limit that leaves one descriptor free, which the client's connection takes
    let process = proxy.id().to_string();
    let set = |limit: u64| {
        let limit = format!("--nofile={limit}:");
        assert!(Command::new("prlimit").args(["--pid", &process, &limit]).status().unwrap().success());
    };
    let next = (free + 1..).find(|number| !open.contains(number)).unwrap();
    set(next);
    let mut connection = client(&sandbox).connect(&format!("127.0.0.1:{}", proxy.port), "localhost").unwrap();
    let waits = proxy.event("not_accepted");
    assert!(waits["error"].as_str().unwrap().contains("Too many open files"), "{waits}");
    set(232);
    connection.write_all(b"hello").unwrap();
    connection.read_exact(&mut [0; 5]).unwrap();
    connection.close().unwrap();
    // Meanwhile, the proxy also fails to accept connections.
    let end = (0..).map(|_| proxy.next_event()).find(|event| event["event"] != "not_accepted").unwrap();
    assert_eq!((&end["event"], &end["end"]), (&"closed".into(), &"closed".into()));
}

#[test]
fn keeps_a_valid_certificate_if_the_new_one_is_invalid() {
    let sandbox = sandbox();
    let mut proxy = RunningProxy::start(&sandbox, &format!("--to {} --cert own.crt --key own.key", echo()));
    let root = Certificate::from_pem_or_der(&sandbox.get("root.crt")).unwrap();
    let key = |name| PrivateKey::from_pem_or_der(&sandbox.get(name)).unwrap();
    let good = sandbox.get("own.crt");
    let (now, day) = (grille_pki::now(), Duration::from_hours(24));
    for (begins, ends, fault) in [
        (now - 2 * day, now - day, "the certificate expired on "),
        (now + day, now + 2 * day, "is not valid before "),
    ] {
        let own = Template::new("CN=own", Profile::end_entity(&["localhost"]).unwrap()).unwrap();
        let own = own.valid(begins, ends);
        let own = issue(&own, key("own.key").public_key(), &root, &key("root.key"), &mut SystemRng).unwrap();
        sandbox.put("own.crt", own.to_pem().unwrap());
        proxy.signal("-HUP");
        let refusal = proxy.event("not_reloaded");
        let printed = refusal["error"].as_str().unwrap();
        assert!(printed.starts_with("own.crt: ") && printed.contains(fault), "{printed}");
        assert!(printed.contains("; the one in use is valid until "), "{printed}");
        sandbox.ok(&format!("tls client localhost:{} --ca root.crt --message hello", proxy.port));
        proxy.event("closed");
    }
    sandbox.put("own.crt", good);
    proxy.signal("-HUP");
    proxy.event("reloaded");
}
