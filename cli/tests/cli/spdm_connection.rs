//! Tests of connecting and disconnecting `grille spdm requester` and `grille spdm responder`.

use crate::sandbox::background::Background;
use crate::sandbox::device::Device;
use crate::sandbox::{Sandbox, failure};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::process::Command;
use std::thread;
#[cfg(unix)]
use std::time::Duration;

#[test]
fn accepts_address_with_port() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "");
    let words = "--exe-conn VCA --exe-session NONE --exe-mode CONTINUE";
    let address = format!("127.0.0.1:{}", device.port);
    for words in [format!("--ip {address} {words}"), format!("--ip {address} --port {} {words}", device.port)]
    {
        assert_eq!(sandbox.json(&format!("spdm requester {words}"))["endpoint"], address.as_str());
    }
    for ip in [address.as_str(), "[::1]:2400"] {
        let other = format!("spdm requester --ip {ip} --port 1 {words}");
        sandbox.refuses(
            2,
            &other,
            &["--port", &format!("--ip already has a port: {ip}"), "omit one of the two ports"],
        );
    }
}

#[test]
fn advises_to_check_unknown_host() {
    let sandbox = Sandbox::new();
    sandbox.ok("keygen --quiet --alg ECDSA-P384 --out root.key");
    sandbox.ok("cert root --key root.key --subject CN=root --out root.pem");
    for (words, place) in [
        ("requester --ip nohost.invalid:2400", "nohost.invalid:2400: "),
        ("requester --ip nohost.invalid --trans TCP --tcp-sub RI", "nohost.invalid:4194: "),
        ("attest nohost.invalid --ca root.pem", "nohost.invalid:2323: "),
        ("responder --bind nohost.invalid", "nohost.invalid port 2323: "),
        ("responder --bind nohost.invalid --trans TCP --tcp-sub RI", "nohost.invalid:4194: "),
    ] {
        sandbox.refuses(failure(words), &format!("spdm {words}"), &[place, "check the host name"]);
    }
}

#[test]
fn json_reports_listening_address() {
    let sandbox = Sandbox::new();
    let words = "spdm responder --json --quiet --port 0 --once --ver 1.1,1.2 --trans PCI_DOE --root root.pem";
    let mut device = Background::start(sandbox.command(words));
    let reported: serde_json::Value = serde_json::from_str(&device.line).unwrap();
    assert_eq!((&reported["schema"], &reported["transport"]), (&2.into(), &"PCI_DOE".into()), "{reported}");
    assert_eq!(reported["versions"], serde_json::json!(["1.1", "1.2"]));
    let address = reported["listening"].as_str().unwrap();
    assert_eq!(address, format!("127.0.0.1:{}", reported["port"]));
    sandbox.ok(&format!("spdm attest {address} --trans PCI_DOE --ca root.pem"));
    assert_eq!(device.end(), "", "unexpected further output");
    // The listening side may be the requester.
    let words = "spdm requester --json --port 0 --trans TCP --tcp-sub RI --exe-conn VCA --exe-session NONE";
    let mut requester = Background::start(sandbox.command(words));
    let reported: serde_json::Value = serde_json::from_str(&requester.line).unwrap();
    let device =
        format!("spdm responder --quiet --trans TCP --tcp-sub RI --once --port {}", reported["port"]);
    assert_eq!(sandbox.ok(&device), "");
    let output: serde_json::Value = serde_json::from_str(&requester.end()).unwrap();
    assert!(output["said"].is_array(), "{output}");
}

#[test]
fn attest_lets_the_emulator_continue() {
    let sandbox = Sandbox::new();
    let device = Device::start(&sandbox, "--pqc-asym NONE --root root.pem");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let relay = listener.local_addr().unwrap();
    let device_address = format!("127.0.0.1:{}", device.port);
    let relayed = thread::spawn(move || {
        let (mut near, _) = listener.accept().unwrap();
        let mut device_socket = TcpStream::connect(device_address).unwrap();
        let (mut answers, mut back) = (device_socket.try_clone().unwrap(), near.try_clone().unwrap());
        thread::spawn(move || std::io::copy(&mut answers, &mut back));
        let (mut output, mut room) = (Vec::new(), [0; 4096]);
        while let Some(len) = near.read(&mut room).ok().filter(|len| *len > 0) {
            output.extend(&room[..len]);
            device_socket.write_all(&room[..len]).unwrap();
        }
        output
    });
    sandbox.ok(&format!("spdm attest {relay} --ca root.pem"));
    // The verifier ends with the command CONTINUE, over MCTP and without payload.
    assert!(relayed.join().unwrap().ends_with(&[0, 0, 0xFF, 0xFD, 0, 0, 0, 1, 0, 0, 0, 0]));
}

#[test]
fn responder_reports_shutdown_by_requester() {
    let sandbox = Sandbox::new();
    let words = "--exe-conn VCA --exe-session NONE";
    for (mode, reported) in [("SHUTDOWN", true), ("CONTINUE", false)] {
        let mut device = Background::start(sandbox.command("spdm responder --port 0 --pqc-asym NONE"));
        sandbox.ok(&format!("spdm requester --port {} {words} --exe-mode {mode}", device.port()));
        if reported {
            assert_eq!(device.end(), "");
        } else {
            sandbox.ok(&format!("spdm requester --port {} {words} --exe-mode {mode}", device.port()));
            device.stop();
        }
        let warned = device.warnings();
        let parts = " shut this responder down; to continue, use --exe-mode CONTINUE on the requester or --jobs 2 here\n";
        let is_reported = warned.starts_with("warning: 127.0.0.1:") && warned.ends_with(parts);
        assert_eq!((is_reported, warned.is_empty()), (reported, !reported), "{warned}");
    }
}

#[test]
fn distinguishes_lost_requester_from_foreign_protocol() {
    let sandbox = Sandbox::new();
    for (output, reported) in [
        (&[][..], "the stream ended after 2 bytes of a frame; check that the peer speaks SPDM"),
        (&[6, 0, 1, 5, 0x10, 0x84, 0, 0], "the other side ended the connection"),
    ] {
        let words = "spdm responder --port 0 --once --trans TCP --pqc-asym NONE";
        let mut device = Background::start(sandbox.command(words));
        let mut socket = TcpStream::connect(format!("127.0.0.1:{}", device.port())).unwrap();
        socket.write_all(output).unwrap();
        if !output.is_empty() {
            assert!(socket.read(&mut [0; 64]).unwrap() > 0);
        }
        socket.write_all(&[6, 0]).unwrap();
        drop(socket);
        let warned = device.fail();
        assert!(warned.contains(reported), "{warned}");
    }
}

/// The maximum number of warnings about refused connections, with 16 clients of which some are accepted.
#[cfg(unix)]
const MAX_WARNINGS: usize = 16;

#[cfg(unix)]
#[test]
fn responder_recovers_from_descriptor_exhaustion() {
    let sandbox = Sandbox::new();
    let words = "spdm responder --port 0 --jobs 64 --asym ECDSA_P256 --pqc-asym NONE --root root.pem";
    let all = sandbox.command(words);
    let mut few = Command::new("sh");
    few.args(["-c", "ulimit -n 12 && exec \"$0\" \"$@\""]).arg(all.get_program()).args(all.get_args());
    few.current_dir(sandbox.path(""));
    let mut device = Background::start(few);
    let address = format!("127.0.0.1:{}", device.port());
    let clients: Vec<_> = (0..16).map(|_| TcpStream::connect(&address).unwrap()).collect();
    thread::sleep(Duration::from_millis(500));
    drop(clients);
    sandbox.ok(&format!("spdm attest {address} --ca root.pem --timeout 20"));
    device.stop();
    let warned = device.warnings();
    // The responder warns once until it accepts another connection, which happens often. Without this limit, its
    // retries every 100 ms would cause many more warnings.
    let reported = warned.matches("warning: cannot accept a connection: ").count();
    assert!((1..=MAX_WARNINGS).contains(&reported), "{reported}: {warned}");
}
