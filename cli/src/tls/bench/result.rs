//! The results of a measurement.

use super::load::Side;
use serde::Serialize;
use std::time::Duration;

/// The results of one combination.
#[derive(Serialize)]
pub(super) struct CombinationResult {
    pub(super) cipher_suite: String,
    pub(super) group: &'static str,
    #[serde(skip)]
    pub(super) wolfssl_group: String,
    /// The algorithm of a local server's certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) signature: Option<&'static str>,
    /// The address of a remote server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) peer: Option<String>,
    /// The results of the server; absent if it is remote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) server: Option<SideResults>,
    /// The results of the clients; absent if they are remote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) client: Option<SideResults>,
}

impl CombinationResult {
    /// Returns the results of the measured sides, with their labels.
    pub(super) fn sides(&self) -> impl Iterator<Item = (&'static SideLabels, &SideResults)> {
        let server = self.server.iter().map(|side| (&SERVER, side));
        server.chain(self.client.iter().map(|side| (&CLIENT, side)))
    }
}

/// The labels of a side in the output.
pub(super) struct SideLabels {
    /// The name in the table and in the legend of the drawing.
    pub(super) name: &'static str,
    /// The name in the format of tls_bench.
    pub(super) title: &'static str,
    /// The color in the drawing.
    pub(super) color: &'static str,
}

pub(super) static SERVER: SideLabels = SideLabels { name: "server", title: "Server", color: "#33658a" };
pub(super) static CLIENT: SideLabels = SideLabels { name: "client", title: "Client", color: "#f6ae2d" };

/// The results of one side.
#[derive(Serialize)]
pub(super) struct SideResults {
    pub(super) total_bytes: u64,
    pub(super) connections: u64,
    pub(super) receive_milliseconds: f64,
    pub(super) send_milliseconds: f64,
    pub(super) receive_mib_per_second: f64,
    pub(super) send_mib_per_second: f64,
    pub(super) connect_milliseconds: f64,
    pub(super) connect_mean_milliseconds: f64,
}

impl From<Side> for SideResults {
    fn from(side: Side) -> Self {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let speed = |time: Duration| {
            if time.is_zero() { 0.0 } else { side.bytes as f64 / 1048576.0 / time.as_secs_f64() }
        };
        Self {
            total_bytes: 2 * side.bytes,
            connections: side.connections,
            receive_milliseconds: ms(side.receive),
            send_milliseconds: ms(side.send),
            receive_mib_per_second: speed(side.receive),
            send_mib_per_second: speed(side.send),
            connect_milliseconds: ms(side.connect),
            connect_mean_milliseconds: ms(side.connect) / side.connections.max(1) as f64,
        }
    }
}
