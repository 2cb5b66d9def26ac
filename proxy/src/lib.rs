//! Quantum-safe TLS in front of any TCP service, and behind any client.
//!
//! | question | file |
//! |---|---|
//! | how are clients accepted and keys reloaded, and how does it end? | [`proxy`] |
//! | who is admitted when there is no place left? | `admission`; file descriptors, `descriptors` |
//! | what happens to one connection? | `connection`; its first message, `client_hello` |
//! | how do bytes travel, and what bounds them? | `relay` |
//! | how does a service learn who its client is? | [`header`] |
//! | what is counted, and who can ask? | [`metrics`], `prometheus` |
//! | which certificates does it show, and when are they valid? | `shown` |
//! | which signals does it obey? | [`signals`] |
//! | what is said of each event? | [`log`] |
//!
//! What it talks on each side is rustls' business: [`Sides`] holds configurations, which grille-tls makes.
//! Memory is bounded: a connection has two buffers of 16 KiB and what rustls holds of records, and there are only so
//! many connections ([`Limits`]).
#![forbid(unsafe_code)]

mod admission;
mod client_hello;
mod connection;
mod descriptors;
pub mod header;
pub mod log;
pub mod metrics;
mod prometheus;
pub mod proxy;
mod relay;
mod shown;
pub mod signals;

pub use log::{Log, Style};
pub use metrics::Metrics;
pub use proxy::{Command, Header, Limits, Load, Options, Proxy, Sides, StartError};
pub use shown::{Peer, Shown};
pub use signals::Signals;
