//! Frames of every SPDM transport, packets of MCTP, and captures: reading never panics, and each frame, packet or record
//! that was read can be written and read again.
#![no_main]

use grille_spdm_transport::binding::Binding;
use grille_spdm_transport::doe::{DataObject, DiscoveryRequest, DiscoveryResponse};
use grille_spdm_transport::emulator;
use grille_spdm_transport::frame::Frame;
use grille_spdm_transport::mctp::{Assembler, Message, Packet};
use grille_spdm_transport::pcap::{Capture, Record};
use grille_spdm_transport::stream::Stream;
use grille_spdm_transport::tcp;

/// Decodes the bytes as each type of frame. If this succeeds, encodes the frame and checks that decoding returns the
/// same frame.
macro_rules! frames {
    ($bytes:expr, $($frame:ty),*) => {$(
        if let Ok(frame) = <$frame>::decode($bytes) {
            let mut again = vec![0; $bytes.len()];
            let len = frame.encode(&mut again).expect("a frame that was read can be written");
            assert_eq!(<$frame>::decode(&again[..len]), Ok(frame));
        }
    )*};
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    frames!(data, Message<'_>, Packet<'_>, DataObject<'_>, DiscoveryRequest, DiscoveryResponse);
    frames!(data, tcp::Message<'_>, emulator::Packet<'_>, Record<'_>);
    for binding in Binding::ALL {
        let _ = (binding.decode(data), binding.decode_plaintext(data));
    }
    streams(data);
    packets(data);
    capture(data);
});

fn streams(mut bytes: &[u8]) {
    let mut stream = Stream::new(&mut bytes, 1 << 16);
    while let Ok(Some(_)) = stream.receive::<emulator::Packet<'_>>() {}
}

/// Splits the input into packets of eight bytes, and assembles them.
fn packets(bytes: &[u8]) {
    let mut buffer = [0; 64];
    let mut assembler = Assembler::new(&mut buffer);
    for packet in bytes.chunks(8) {
        let _ = Packet::decode(packet).and_then(|packet| assembler.push(&packet).map(|_| ()));
    }
}

fn capture(bytes: &[u8]) {
    let Ok(capture) = Capture::new(bytes) else { return };
    for record in capture.flatten() {
        let _ = capture.frame(&record);
    }
}
