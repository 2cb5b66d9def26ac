//! An emulated device in the background.

use super::Sandbox;
use super::background::Background;

/// A running `grille spdm responder` with its port.
pub(crate) struct Device {
    run: Background,
    pub(crate) port: String,
}

impl Device {
    /// Starts a device with these additional arguments.
    pub(crate) fn start(sandbox: &Sandbox, words: &str) -> Self {
        let run = Background::start(sandbox.command(&format!("spdm responder --quiet --port 0 {words}")));
        Self { port: run.port(), run }
    }

    /// Returns the process identifier.
    #[cfg(target_os = "linux")]
    pub(crate) fn id(&self) -> u32 {
        self.run.id()
    }

    /// Returns the warnings of a device with these arguments before any connection.
    pub(crate) fn warnings(sandbox: &Sandbox, words: &str) -> String {
        let mut run = Background::start(sandbox.command(&format!("spdm responder --port 0 {words}")));
        run.stop();
        run.warnings()
    }

    /// Checks that a device with these arguments prints this warning before any connection if `whether` is set, and
    /// does not otherwise.
    pub(crate) fn check_warning(sandbox: &Sandbox, words: &str, warning: &str, whether: bool) {
        let warned = Self::warnings(sandbox, words);
        assert_eq!(warned.contains(warning), whether, "{words}: {warned}");
    }

    /// Starts a device with its root in `root.pem` and its measurements in `good.json`; also returns the command to
    /// attest it.
    pub(crate) fn start_measured(sandbox: &Sandbox) -> (Self, String) {
        let device = Self::start(sandbox, "--root root.pem");
        let attest = format!("spdm attest 127.0.0.1:{} --ca root.pem", device.port);
        sandbox.ok(&format!("{attest} --save good.json"));
        (device, attest)
    }

    /// Waits for the device to end successfully.
    pub(crate) fn end(mut self) {
        assert_eq!(self.run.end(), "");
    }
}

/// Makes `chain.pem`, which begins with `hosts.pem`, and its key `host.key`, with ECDSA P-384.
pub(crate) fn create_p384_chain(sandbox: &Sandbox) {
    sandbox.ok("keygen --alg ECDSA-P384 --out root.key");
    sandbox.ok("cert root --key root.key --subject CN=hosts --out hosts.pem");
    sandbox.ok("keygen --alg ECDSA-P384 --out host.key");
    sandbox.ok("cert request --key host.key --subject CN=host --san host.example --out host.csr");
    sandbox.ok("cert issue --csr host.csr --ca hosts.pem --ca-key root.key --out host.pem");
    sandbox.put("chain.pem", [sandbox.get("hosts.pem"), sandbox.get("host.pem")].concat());
}
