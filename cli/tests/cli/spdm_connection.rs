//! How `grille spdm requester` and `grille spdm responder` find each other, and part.

use crate::desk::Desk;
use crate::desk::background::Background;
use crate::desk::device::Device;
use std::io::{Read, Write};

#[test]
fn an_address_may_have_its_port() {
    let desk = Desk::new();
    let device = Device::start(&desk, "");
    let words = "--exe_conn VCA --exe_session NONE --exe_mode CONTINUE";
    let address = format!("127.0.0.1:{}", device.port);
    for words in [format!("--ip {address} {words}"), format!("--ip {address} --port {} {words}", device.port)]
    {
        assert_eq!(desk.json(&format!("spdm requester {words}"))["endpoint"], address.as_str());
    }
    for ip in [address.as_str(), "[::1]:2400"] {
        let other = format!("spdm requester --ip {ip} --port 1 {words}");
        desk.refuses(
            2,
            &other,
            &["--port", &format!("--ip names another port: {ip}"), "leave one of the two out"],
        );
    }
}

#[test]
fn a_requester_that_is_gone_in_the_midst_has_spoken_spdm() {
    let desk = Desk::new();
    for (said, told) in [
        (&[][..], "the stream ended after 2 bytes of a frame; is SPDM spoken there?"),
        (&[6, 0, 1, 5, 0x10, 0x84, 0, 0], "the other side ended the connection"),
    ] {
        let words = "spdm responder --port 0 --once --trans TCP --pqc_asym NONE";
        let mut device = Background::start(desk.command(words));
        let mut socket = std::net::TcpStream::connect(format!("127.0.0.1:{}", device.port())).unwrap();
        socket.write_all(said).unwrap();
        if !said.is_empty() {
            assert!(socket.read(&mut [0; 64]).unwrap() > 0);
        }
        socket.write_all(&[6, 0]).unwrap();
        drop(socket);
        let warned = device.fail();
        assert!(warned.contains(told), "{warned}");
    }
}
