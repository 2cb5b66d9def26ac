//! An emulated device in the background.

use super::Desk;
use super::background::Background;

/// A running `grille spdm responder` with its port.
pub(crate) struct Device {
    run: Background,
    pub(crate) port: String,
}

impl Device {
    /// Starts a device with these additional arguments.
    pub(crate) fn start(desk: &Desk, words: &str) -> Self {
        let run = Background::start(desk.command(&format!("spdm responder --quiet --port 0 {words}")));
        Self { port: run.port(), run }
    }

    /// Returns the process identifier.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.run.id()
    }

    /// Returns the warnings of a device with these arguments before any connection.
    pub(crate) fn warned(desk: &Desk, words: &str) -> String {
        let mut run = Background::start(desk.command(&format!("spdm responder --port 0 {words}")));
        run.stop();
        run.warned()
    }

    /// Returns whether a device with these arguments prints this warning before any connection.
    pub(crate) fn warns(desk: &Desk, words: &str, what: &str, whether: bool) {
        let warned = Self::warned(desk, words);
        assert_eq!(warned.contains(what), whether, "{words}: {warned}");
    }

    /// Starts a device with its root in `root.pem` and its measurements in `good.json`; also returns the command to attest it.
    pub(crate) fn measured(desk: &Desk) -> (Self, String) {
        let device = Self::start(desk, "--root root.pem");
        let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
        desk.ok(&format!("{attest} --save good.json"));
        (device, attest)
    }

    /// Waits for a successful end.
    pub(crate) fn end(mut self) {
        assert_eq!(self.run.end(), "");
    }
}

/// Makes `chain.pem`, which begins with `hosts.pem`, and its key `host.key`, with ECDSA P-384.
pub(crate) fn chain_of_p384(desk: &Desk) {
    desk.ok("keygen --alg ECDSA-P384 --out root.key");
    desk.ok("cert root --key root.key --subject CN=hosts --out hosts.pem");
    desk.ok("keygen --alg ECDSA-P384 --out host.key");
    desk.ok("cert request --key host.key --subject CN=host --san host.example --out host.csr");
    desk.ok("cert issue --csr host.csr --ca hosts.pem --ca-key root.key --out host.pem");
    desk.put("chain.pem", [desk.get("hosts.pem"), desk.get("host.pem")].concat());
}
